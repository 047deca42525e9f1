#include "course/yaml_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

bool yaml_file_open(YamlFile *file, const char *path, const char *name, Error *error)
{
    *file = (YamlFile){.name = name, .error = error};
    FILE *stream = fopen(path, "re");
    if (!stream) return error_set(error, _("%s cannot be read: %s"), name, strerror(errno));
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, stream);
    bool loaded = yaml_parser_load(&parser, &file->document);
    if (!loaded)
        error_set(error, _("%s:%zu: not well-formed: %s"), name, parser.problem_mark.line + 1,
                  parser.problem ? parser.problem : _("out of memory"));
    yaml_parser_delete(&parser);
    fclose(stream);
    if (!loaded) return false;
    if (yaml_document_get_root_node(&file->document)) return true;
    yaml_file_close(file);
    return error_set(error, _("%s:1: the file is empty"), name);
}

void yaml_file_close(YamlFile *file)
{
    yaml_document_delete(&file->document);
}

yaml_node_t *yaml_node(YamlFile *file, int number)
{
    return yaml_document_get_node(&file->document, number);
}

int yaml_line(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

bool yaml_refuse(YamlFile *file, const yaml_node_t *node, const char *format, ...)
{
    char reason[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return error_set(file->error, "%s:%d: %s", file->name, yaml_line(node), reason);
}

const char *yaml_text(YamlFile *file, const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    if (node->type == YAML_SCALAR_NODE && strlen(text) == node->data.scalar.length) return text;
    yaml_refuse(file, node, _("a single value is expected here"));
    return NULL;
}

bool yaml_whole_number(YamlFile *file, const yaml_node_t *node, int64_t low, int64_t high,
                       int64_t *number)
{
    const char *text = yaml_text(file, node);
    if (!text) return false;
    size_t digits = strspn(text, "0123456789");
    errno = 0;
    *number = strtoll(text, NULL, 10);
    if (digits > 0 && !text[digits] && errno == 0 && *number >= low && *number <= high) return true;
    return yaml_refuse(file, node, _("'%s' is not a whole number from %lld to %lld"), text,
                       (long long)low, (long long)high);
}

bool yaml_truth(YamlFile *file, const yaml_node_t *node, bool *truth)
{
    const char *text = yaml_text(file, node);
    if (!text) return false;
    *truth = strcmp(text, "true") == 0;
    if (*truth || strcmp(text, "false") == 0) return true;
    return yaml_refuse(file, node, _("'%s' is neither true nor false"), text);
}

/* True when an earlier key of the mapping has the same text. */
static bool came_before(YamlFile *file, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                        const char *key)
{
    for (yaml_node_pair_t *at = mapping->data.mapping.pairs.start; at < pair; at++)
        if (strcmp((char *)yaml_node(file, at->key)->data.scalar.value, key) == 0) return true;
    return false;
}

bool yaml_each_pair(YamlFile *file, const yaml_node_t *node, YamlPair read, void *data)
{
    if (node->type != YAML_MAPPING_NODE)
        return yaml_refuse(file, node, _("lines of the form 'key: value' are expected here"));
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_node(file, pair->key);
        const char *name = yaml_text(file, key);
        if (!name) return false;
        if (came_before(file, node, pair, name))
            return yaml_refuse(file, key, _("'%s' comes twice"), name);
        if (!read(file, key, yaml_node(file, pair->value), data)) return false;
    }
    return true;
}

bool yaml_each_item(YamlFile *file, const yaml_node_t *node, YamlItem read, void *data)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return yaml_refuse(file, node, _("a list is expected here: [one, two]"));
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; item++)
        if (!read(file, yaml_node(file, *item), data)) return false;
    return true;
}

yaml_node_t *yaml_value(YamlFile *file, const yaml_node_t *mapping, const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_node(file, pair->key);
        if (name->type == YAML_SCALAR_NODE && strcmp((char *)name->data.scalar.value, key) == 0)
            return yaml_node(file, pair->value);
    }
    return NULL;
}
