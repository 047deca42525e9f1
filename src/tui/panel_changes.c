/* Step mode: what the stores hold, and what the last move changed there. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/panel.h"

enum { WAS_COLUMNS = 10, FIGURES = 8, KEYS = 2 * SNAPSHOT_KEYS, NARROW = 60, KEY_ROWS = 3, GAP_COLUMNS = 3 };

typedef struct Figure {
    const char *label, *short_label;
    long now, before;
    bool bad;
} Figure;

typedef struct Key {
    const KeyView *now, *before;
    bool changed;
} Key;

static struct {
    Figure figure[FIGURES];
    int figures;
    Key key[KEYS]; /* of this frame's scene */
    int keys;
} shown;

static void add(const char *label, const char *short_label, long now, long before, bool bad)
{
    shown.figure[shown.figures++] = (Figure){label, short_label, now, before, bad};
}

static void figures_of(const Scene *scene)
{
    const Spec *spec = scene->spec;
    const Snapshot *now = &scene->step->view.truth, *before = &scene->step->before;
    shown.figures = 0;
    if (spec->stock_in_sql) add(_("in the database"), _("stock"), now->stock, before->stock, now->stock < 0);
    if (spec->stock_in_redis || now->has_redis_stock)
        add(_("in Redis"), _("stock in Redis"), now->redis_stock, before->redis_stock, now->redis_stock < 0);
    if (now->has_buyers) add(_("buyers in Redis"), _("buyers in Redis"), now->buyers, before->buyers, false);
    bool sells = spec->stock_in_sql || spec->stock_in_redis;
    if (sells) add(_("orders"), _("orders"), now->orders, before->orders, now->orders > spec->stock);
}

static const KeyView *key_in(const Snapshot *snapshot, const char *name)
{
    for (int i = 0; i < snapshot->key_count; i++)
        if (strcmp(snapshot->keys[i].name, name) == 0) return &snapshot->keys[i];
    return NULL;
}

static bool key_same(const KeyView *one, const KeyView *other)
{
    return one && other && one->size == other->size && strcmp(one->value, other->value) == 0;
}

/* Before and after the last move; one of them is NULL for a key that came or went. */
static void take_key(const KeyView *now, const KeyView *before)
{
    if (shown.keys == KEYS) return;
    shown.key[shown.keys++] = (Key){now, before, !key_same(now, before)};
}

static void keys_of(const Scene *scene)
{
    const Snapshot *now = &scene->step->view.truth, *before = &scene->step->before;
    shown.keys = 0;
    for (int i = 0; i < now->key_count; i++)
        take_key(&now->keys[i], key_in(before, now->keys[i].name));
    for (int i = 0; i < before->key_count; i++)
        if (!key_in(now, before->keys[i].name)) take_key(NULL, &before->keys[i]);
}

/* A small world has few keys; of many the changed ones are worth the rows. */
static int keys_shown(const Scene *scene)
{
    if (scene->tight) return 0;
    return shown.keys > KEY_ROWS && !scene->roomy ? KEY_ROWS : shown.keys;
}

static int changes_update(const Scene *scene, int columns)
{
    if (!scene->step) return 0;
    figures_of(scene);
    keys_of(scene);
    if (shown.figures == 0 && shown.keys == 0) return 0;
    int figures = columns < NARROW && scene->roomy ? shown.figures : shown.figures > 0;
    return (scene->roomy ? 1 : 0) + figures + keys_shown(scene);
}

/* "in the database   0  was 1" in one row. */
static void figure_draw(const Area *area, int row, const Figure *figure)
{
    char number[32], was[48];
    bool changed = figure->now != figure->before;
    Style style = figure->bad ? STYLE_BROKEN : changed ? STYLE_FRESH : STYLE_TEXT;
    int end = area->columns - WAS_COLUMNS;
    area_put(area, row, 2, end - 10, STYLE_TEXT, figure->label);
    area_put_right(area, row, end, 12, style, number_grouped(number, sizeof number, figure->now));
    if (!changed) return;
    number_grouped(number, sizeof number, figure->before);
    snprintf(was, sizeof was, _("was %s"), number);
    area_put(area, row, end + 2, 0, STYLE_FRESH, was);
}

/* All in one row: "in the database 0 was 1   orders 0". */
static void figures_in_a_row(const Area *area, int row)
{
    int at = 2;
    for (int i = 0; i < shown.figures; i++) {
        const Figure *figure = &shown.figure[i];
        char number[32], was[48];
        bool changed = figure->now != figure->before;
        Style style = figure->bad ? STYLE_BROKEN : changed ? STYLE_FRESH : STYLE_STRONG;
        at = area_put(area, row, at, 0, STYLE_QUIET, figure->short_label);
        at = area_put(area, row, at + 1, 0, style, number_grouped(number, sizeof number, figure->now));
        if (changed) {
            number_grouped(number, sizeof number, figure->before);
            snprintf(was, sizeof was, _("was %s"), number);
            at = area_put(area, row, at + 1, 0, STYLE_FRESH, was);
        }
        at += GAP_COLUMNS;
    }
}

static void key_draw(const Area *area, int row, const Key *key)
{
    char was[160] = "";
    if (key->changed)
        snprintf(was, sizeof was, _("was %s"), key->before ? key->before->value : "-");
    int columns = text_columns(was);
    if (columns < WAS_COLUMNS - 2) columns = WAS_COLUMNS - 2;
    int end = area->columns - columns - 2;
    if (end < area->columns / 2) end = area->columns / 2;
    int behind = area_put(area, row, 2, end - 8, STYLE_QUIET,
                          key->now ? key->now->name : key->before->name);
    area_put_right(area, row, end, end - behind - 1, key->changed ? STYLE_FRESH : STYLE_TEXT,
                   key->now ? key->now->value : "-");
    area_put(area, row, end + 2, 0, STYLE_FRESH, was);
}

static void changes_draw(const Scene *scene, const Area *area)
{
    int row = 0;
    if (scene->roomy) {
        panel_title(area, _("STORES"), NULL);
        row = 1;
    }
    if (scene->roomy && area->columns < NARROW)
        for (int i = 0; i < shown.figures; i++) figure_draw(area, row++, &shown.figure[i]);
    else if (shown.figures > 0)
        figures_in_a_row(area, row++);
    bool all = shown.keys <= area->rows - row;
    /* Too little room: the changed ones first. */
    for (int pass = all ? 1 : 0; pass < 2; pass++)
        for (int i = 0; i < shown.keys && row < area->rows; i++)
            if (all || shown.key[i].changed == (pass == 0))
                key_draw(area, row++, &shown.key[i]);
}

const Panel panel_changes = {"changes", 2, 1, changes_update, changes_draw};
