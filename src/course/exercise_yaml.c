#include "course/exercise_yaml.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "course/array.h"
#include "course/world_yaml.h"

typedef struct Reading {
    Exercise *exercise;
    Spec base; /* what the worlds begin with */
} Reading;

static bool read_name(YamlFile *file, const yaml_node_t *node, char **into)
{
    const char *text = yaml_text(file, node);
    if (!text) return false;
    size_t length = strlen(text);
    if (length < 5 || length >= OWN_NAME || strcmp(text + length - 4, ".lua") != 0 || strstr(text, ".."))
        return yaml_refuse(file, node, _("'%s' is no script below lua/: NAME.lua"), text);
    *into = strdup(text);
    return true;
}

static bool read_script(YamlFile *file, const yaml_node_t *node, void *data)
{
    return read_name(file, node, &((Reading *)data)->exercise->script);
}

static bool read_solution(YamlFile *file, const yaml_node_t *node, void *data)
{
    return read_name(file, node, &((Reading *)data)->exercise->solution);
}

static bool read_pattern(YamlFile *file, const yaml_node_t *node, void *data)
{
    ScriptKeys *keys = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    if (keys->count == SCRIPT_KEYS || !*text || strlen(text) >= SCRIPT_KEY || strchr(text, ' '))
        return yaml_refuse(file, node, _("at most %d key patterns of at most %d bytes, without blanks"), SCRIPT_KEYS,
                           SCRIPT_KEY - 1);
    strcpy(keys->pattern[keys->count++], text);
    return true;
}

static bool read_patterns(YamlFile *file, const yaml_node_t *node, void *data)
{
    return yaml_each_item(file, node, read_pattern, &((Reading *)data)->exercise->keys);
}

static bool read_invariant(YamlFile *file, const yaml_node_t *node, void *data)
{
    bool *keeps = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    Invariant invariant = invariant_find(text);
    if (invariant == INVARIANT_COUNT) return yaml_refuse(file, node, _("there is no invariant '%s'"), text);
    return keeps[invariant] = true;
}

/* Everything that the broken variant breaks must hold in the end, and what it keeps; or what is listed. */
static bool read_keeps(YamlFile *file, const yaml_node_t *node, void *data)
{
    Reading *reading = data;
    memset(reading->base.keeps, 0, sizeof reading->base.keeps);
    return yaml_each_item(file, node, read_invariant, reading->base.keeps);
}

static bool read_world_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value, void *data)
{
    World *world = data;
    if (strcmp((const char *)key->data.scalar.value, "keeps") != 0)
        return world_read_key(file, key, value, IN_WORLD | IN_SHOP, world);
    memset(world->spec.keeps, 0, sizeof world->spec.keeps);
    return yaml_each_item(file, value, read_invariant, world->spec.keeps);
}

/* What is otherwise in this world, and what must hold in it. */
static bool read_overlay(YamlFile *file, const yaml_node_t *node, Spec *spec)
{
    World world = {.spec = *spec};
    bool read = yaml_each_pair(file, node, read_world_key, &world) && world_check(file, node, &world);
    if (read && world.shortest) read = yaml_refuse(file, node, _("an exercise's world has no 'shortest'"));
    free(world.shortest);
    *spec = world.spec;
    return read;
}

static bool read_base(YamlFile *file, const yaml_node_t *node, void *data)
{
    return read_overlay(file, node, &((Reading *)data)->base);
}

static bool read_world(YamlFile *file, const yaml_node_t *node, void *data)
{
    Reading *reading = data;
    Exercise *exercise = reading->exercise;
    if (exercise->worlds == EXERCISE_WORLDS)
        return yaml_refuse(file, node, _("an exercise has at most %d worlds"), EXERCISE_WORLDS);
    Spec *spec = &exercise->world[exercise->worlds++];
    *spec = reading->base;
    return read_overlay(file, node, spec);
}

static const struct {
    const char *name;
    YamlItem read; /* NULL: read afterwards */
} keys[] = {
    {"script", read_script}, {"solution", read_solution}, {"keys", read_patterns},
    {"keeps", read_keeps},   {"world", read_base},        {"worlds", NULL},
};

static bool read_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value, void *data)
{
    const char *name = (const char *)key->data.scalar.value;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].name, name) == 0) return !keys[i].read || keys[i].read(file, value, data);
    return yaml_refuse(file, key, _("unknown key '%s'; docs/adding-a-lesson.md names them all"), name);
}

static bool check_complete(YamlFile *file, const yaml_node_t *node, const Exercise *exercise)
{
    const char *missing = !exercise->script ? "script" : !exercise->solution ? "solution"
                                                     : !exercise->keys.count ? "keys"
                                                                             : NULL;
    return !missing || yaml_refuse(file, node, _("an exercise needs '%s'"), missing);
}

bool exercise_yaml_read(YamlFile *file, const yaml_node_t *node, LessonVariant *variant)
{
    Exercise *exercise = variant->exercise = array_grow(NULL, 0, sizeof *exercise);
    Reading reading = {.exercise = exercise, .base = variant->small};
    for (int i = 0; i < INVARIANT_COUNT; i++) reading.base.keeps[i] |= variant->small.breaks[i];
    memset(reading.base.breaks, 0, sizeof reading.base.breaks);
    if (!yaml_each_pair(file, node, read_key, &reading) || !check_complete(file, node, exercise)) return false;
    const yaml_node_t *worlds = yaml_value(file, node, "worlds");
    if (worlds) return yaml_each_item(file, worlds, read_world, &reading);
    exercise->world[exercise->worlds++] = reading.base;
    return true;
}
