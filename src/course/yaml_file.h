/* yaml_file.h -- one yaml file in memory, and its values read strictly: a wrong one is refused with
 * "file:line: reason".
 *
 * All readers return false after an error. A YamlFile belongs to one thread. */
#ifndef COURSE_YAML_FILE_H
#define COURSE_YAML_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

#include "base/error.h"

typedef struct YamlFile {
    const char *name; /* as errors show it; the caller's, must outlive the file */
    yaml_document_t document;
    Error *error; /* where readers put what is wrong */
} YamlFile;

/* Reads the whole of `path`. False: nothing is left open. */
bool yaml_file_open(YamlFile *file, const char *path, const char *name, Error *error);
void yaml_file_close(YamlFile *file);

/* The node with this number in the document; 1 is the root. */
yaml_node_t *yaml_node(YamlFile *file, int number);
int yaml_line(const yaml_node_t *node);

/* "name:line: reason" into the file's error. Returns false. */
bool yaml_refuse(YamlFile *file, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The text of a single value; NULL after refusing a list or a mapping. Stays the document's. */
const char *yaml_text(YamlFile *file, const yaml_node_t *node);
bool yaml_whole_number(YamlFile *file, const yaml_node_t *node, int64_t low, int64_t high,
                       int64_t *number);
bool yaml_truth(YamlFile *file, const yaml_node_t *node, bool *truth);

/* Calls `read` for each value of a mapping, in the order of the file. Refuses what is no mapping
 * and a key that comes twice. */
typedef bool (*YamlPair)(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value,
                         void *data);
bool yaml_each_pair(YamlFile *file, const yaml_node_t *node, YamlPair read, void *data);
/* The same for the elements of a list. */
typedef bool (*YamlItem)(YamlFile *file, const yaml_node_t *item, void *data);
bool yaml_each_item(YamlFile *file, const yaml_node_t *node, YamlItem read, void *data);

/* Value of a key of a mapping; NULL when it has none (or is no mapping). */
yaml_node_t *yaml_value(YamlFile *file, const yaml_node_t *mapping, const char *key);

#endif
