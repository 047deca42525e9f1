/* world_yaml.h -- the keys of `world`, `race` and `shop` in a lesson's yaml, read into a Spec. */
#ifndef COURSE_WORLD_YAML_H
#define COURSE_WORLD_YAML_H

#include "course/yaml_file.h"
#include "engine/spec.h"

/* Which of the three blocks is read: each has keys of its own. */
typedef enum WorldBlock { IN_WORLD = 1, IN_RACE = 2, IN_SHOP = 4 } WorldBlock;

typedef struct World {
    Spec spec;
    char *shortest; /* the caller's, free; NULL when not stated */
} World;

/* What holds where the yaml says nothing. */
World world_default(WorldBlock block);
/* Changes what the block states, leaves the rest. `block_node` may be NULL: nothing is stated. */
bool world_read(YamlFile *file, const yaml_node_t *block_node, WorldBlock block, World *world);
/* One key of the blocks (or-ed): for mappings that have keys of their own besides. */
bool world_read_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value, unsigned blocks, World *world);
/* What no single key can be blamed for; `node` is where to point to. */
bool world_check(YamlFile *file, const yaml_node_t *node, const World *world);

#endif
