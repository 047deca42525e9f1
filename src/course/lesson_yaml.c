#include "course/lesson_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "course/array.h"
#include "course/exercise_yaml.h"
#include "course/world_yaml.h"
#include "course/yaml_file.h"

/* One key of a mapping, and what reads its value. */
typedef struct Key {
    const char *name;
    YamlItem read;
} Key;

static bool read_by_table(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value,
                          void *data, const Key *keys, size_t count)
{
    const char *name = (const char *)key->data.scalar.value;
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return keys[i].read ? keys[i].read(file, value, data) : true;
    return yaml_refuse(file, key, _("unknown key '%s'; docs/adding-a-lesson.md names them all"),
                       name);
}

/* ---- one variant --------------------------------------------------------------------------- */

/* A list of invariants, being read into one side of the claim. */
typedef struct Claim {
    bool *mine;
    const bool *other;
} Claim;

static bool read_invariant(YamlFile *file, const yaml_node_t *node, void *data)
{
    Claim *claim = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    Invariant invariant = invariant_find(text);
    if (invariant == INVARIANT_COUNT)
        return yaml_refuse(file, node, _("there is no invariant '%s'"), text);
    if (claim->other[invariant])
        return yaml_refuse(file, node, _("'%s' is claimed to be broken and to be kept"), text);
    if (claim->mine[invariant]) return yaml_refuse(file, node, _("'%s' is named twice"), text);
    return claim->mine[invariant] = true;
}

static bool read_breaks(YamlFile *file, const yaml_node_t *node, void *data)
{
    Spec *spec = &((LessonVariant *)data)->small;
    return yaml_each_item(file, node, read_invariant, &(Claim){spec->breaks, spec->keeps});
}

static bool read_keeps(YamlFile *file, const yaml_node_t *node, void *data)
{
    Spec *spec = &((LessonVariant *)data)->small;
    return yaml_each_item(file, node, read_invariant, &(Claim){spec->keeps, spec->breaks});
}

/* The worlds need the lesson's own blocks first, so they are read apart. */
static const Key variant_keys[] = {
    {"world", NULL},          {"race", NULL},        {"shop", NULL},
    {"breaks", read_breaks},  {"keeps", read_keeps}, {"exercise", NULL},
};

static bool read_variant_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value,
                             void *data)
{
    return read_by_table(file, key, value, data, variant_keys,
                         sizeof variant_keys / sizeof variant_keys[0]);
}

/* The default, then the lesson's blocks, then the variant's own. */
static bool read_world(YamlFile *file, const yaml_node_t *variant, WorldBlock block, World *world)
{
    const char *name = block == IN_WORLD ? "world" : "race";
    const yaml_node_t *root = yaml_node(file, 1);
    *world = world_default(block);
    return world_read(file, yaml_value(file, root, name), block, world) &&
           world_read(file, yaml_value(file, root, "shop"), IN_SHOP, world) &&
           world_read(file, yaml_value(file, variant, name), block, world) &&
           world_read(file, yaml_value(file, variant, "shop"), IN_SHOP, world) &&
           world_check(file, variant, world);
}

static bool claims_something(const Spec *spec, const bool *side)
{
    const bool *end = side + sizeof spec->breaks / sizeof spec->breaks[0];
    while (side < end)
        if (*side++) return true;
    return false;
}

static bool read_variant(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value,
                         void *data)
{
    Lesson *lesson = data;
    const char *name = (const char *)key->data.scalar.value;
    const Variant *code = variant_find(lesson->name, name);
    if (!code)
        return yaml_refuse(file, key, _("variant '%s' is not registered in src/shop/register.c"),
                           name);
    lesson->variants =
        array_grow(lesson->variants, lesson->variant_count, sizeof *lesson->variants);
    LessonVariant *variant = &lesson->variants[lesson->variant_count++];
    variant->name = strdup(name);
    variant->code = code;

    World small, race;
    bool read = read_world(file, value, IN_WORLD, &small);
    variant->small = small.spec;
    variant->shortest = small.shortest;
    if (!read || !read_world(file, value, IN_RACE, &race)) return false;
    variant->race = race.spec;

    if (!yaml_each_pair(file, value, read_variant_key, variant)) return false;
    variant->mended = !claims_something(&variant->small, variant->small.breaks);
    if (variant->mended && !claims_something(&variant->small, variant->small.keeps))
        return yaml_refuse(file, key, _("variant '%s' claims nothing: say what it breaks or keeps"),
                           name);
    memcpy(variant->race.breaks, variant->small.breaks, sizeof variant->race.breaks);
    memcpy(variant->race.keeps, variant->small.keeps, sizeof variant->race.keeps);
    variant->small.variant = variant->race.variant = code;
    const yaml_node_t *exercise = yaml_value(file, value, "exercise");
    return !exercise || exercise_yaml_read(file, exercise, variant);
}

/* ---- the lesson ---------------------------------------------------------------------------- */

static bool read_number(YamlFile *file, const yaml_node_t *node, void *data)
{
    Lesson *lesson = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    if (strlen(text) != 2 || strspn(text, "0123456789") != 2)
        return yaml_refuse(file, node, _("the number must be two digits, as in \"02\""));
    lesson->number = strdup(text);
    return true;
}

static bool read_name(YamlFile *file, const yaml_node_t *node, void *data)
{
    Lesson *lesson = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    if (!*text) return yaml_refuse(file, node, _("the name is empty"));
    lesson->name = strdup(text);
    return true;
}

static bool read_panel(YamlFile *file, const yaml_node_t *node, void *data)
{
    Lesson *lesson = data;
    struct {
        const char *name;
        bool *shown;
    } panels[] = {{"stock", &lesson->shows_stock},
                  {"ids", &lesson->shows_ids},
                  {"queue", &lesson->shows_queue},
                  {"locks", &lesson->shows_locks}};
    const char *text = yaml_text(file, node);
    if (!text) return false;
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i++)
        if (strcmp(panels[i].name, text) == 0) return *panels[i].shown = true;
    return yaml_refuse(file, node, _("'%s' is none of: stock, ids, queue, locks"), text);
}

static bool read_panels(YamlFile *file, const yaml_node_t *node, void *data)
{
    return yaml_each_item(file, node, read_panel, data);
}

static const Key lesson_keys[] = {
    {"number", read_number}, {"name", read_name}, {"panels", read_panels}, {"world", NULL},
    {"race", NULL},          {"shop", NULL},      {"variants", NULL},
};

static bool read_lesson_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value,
                            void *data)
{
    return read_by_table(file, key, value, data, lesson_keys,
                         sizeof lesson_keys / sizeof lesson_keys[0]);
}

/* The file's own name is what the two texts are found by. */
static bool check_file_name(YamlFile *file, const yaml_node_t *root, const Lesson *lesson)
{
    if (!lesson->number) return yaml_refuse(file, root, _("'number' is missing"));
    if (!lesson->name) return yaml_refuse(file, root, _("'name' is missing"));
    char expected[128];
    snprintf(expected, sizeof expected, "%s-%s.yaml", lesson->number, lesson->name);
    const char *slash = strrchr(file->name, '/');
    if (strcmp(slash ? slash + 1 : file->name, expected) == 0) return true;
    return yaml_refuse(file, root, _("number and name belong into a file called %s"), expected);
}

static bool check_all_registered(YamlFile *file, const yaml_node_t *node, const Lesson *lesson)
{
    for (int i = 0; i < variant_count; i++) {
        if (strcmp(variants[i].lesson, lesson->name) != 0) continue;
        if (!lesson_variant(lesson, variants[i].name))
            return yaml_refuse(file, node,
                               _("variant '%s' is registered in src/shop/register.c, but "
                                 "has no entry here"),
                               variants[i].name);
    }
    return true;
}

static bool read_lesson(YamlFile *file, Lesson *lesson)
{
    const yaml_node_t *root = yaml_node(file, 1);
    if (!yaml_each_pair(file, root, read_lesson_key, lesson)) return false;
    if (!check_file_name(file, root, lesson)) return false;
    const yaml_node_t *list = yaml_value(file, root, "variants");
    if (!list) return yaml_refuse(file, root, _("'variants' is missing"));
    return yaml_each_pair(file, list, read_variant, lesson) &&
           check_all_registered(file, list, lesson);
}

bool lesson_yaml_read(const char *path, const char *name, Lesson *lesson, Error *error)
{
    YamlFile file;
    if (!yaml_file_open(&file, path, name, error)) return false;
    bool read = read_lesson(&file, lesson);
    yaml_file_close(&file);
    return read;
}
