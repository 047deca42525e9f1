/* The live keys of Redis: type, value, and how long they still live. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/glow.h"
#include "tui/panel.h"

enum {
    TYPE_COLUMNS = 6,
    LEFT_COLUMNS = 8,
    BAR_NARROW = 3,
    BAR_WIDE = 8,
    NAME_LEAST = 12,
    VALUE_LEAST = 6,
    NARROW = 60
};

static struct {
    Glow glow[SNAPSHOT_KEYS];
    char name[SNAPSHOT_KEYS][64];
    int name_columns;
    int bar, ttl; /* columns; 0 where no key has a TTL */
} shown;

static int keys_update(const Scene *scene, int columns)
{
    const Snapshot *now = &scene->view->snapshot;
    if (!scene->current || !scene->view->has_snapshot || now->key_count == 0) return 0;

    shown.bar = columns < NARROW ? BAR_NARROW : BAR_WIDE;
    shown.ttl = 0;
    shown.name_columns = NAME_LEAST;
    for (int i = 0; i < now->key_count; i++) {
        const KeyView *key = &now->keys[i];
        if (strcmp(shown.name[i], key->name) != 0) {
            snprintf(shown.name[i], sizeof shown.name[i], "%s", key->name);
            shown.glow[i] = (Glow){0};
        }
        /* A snapshot marks what changed since the one before: that counts as a new value. */
        glow_set(&shown.glow[i], shown.glow[i].value + key->changed, scene->now_ns);
        int width = text_columns(key->name);
        if (width > shown.name_columns) shown.name_columns = width;
        if (key->ttl_ms >= 0) shown.ttl = 1 + shown.bar + LEFT_COLUMNS;
    }
    int rest = columns - 2 - TYPE_COLUMNS - 2 - VALUE_LEAST - 1 - shown.ttl;
    if (shown.name_columns > rest) shown.name_columns = rest > NAME_LEAST ? rest : NAME_LEAST;
    return 1 + now->key_count;
}

static void ttl_draw(const Area *area, int row, int column, const KeyView *key)
{
    if (key->ttl_ms < 0) return;
    char left[24];
    snprintf(left, sizeof left, _("%.1f s"), (double)key->ttl_ms / 1000);
    area_bar(area, row, column + 1, shown.bar, STYLE_ACCENT, key->ttl_ms, key->ttl_max_ms);
    area_put_right(area, row, area->columns, LEFT_COLUMNS - 1, STYLE_TEXT, left);
}

static void key_draw(const Scene *scene, const Area *area, int row, int index)
{
    const KeyView *key = &scene->view->snapshot.keys[index];
    char value[120];
    bool whole = strcmp(key->type, "string") == 0;
    if (whole)
        snprintf(value, sizeof value, "%s", key->value);
    else
        snprintf(value, sizeof value, "%ld: %s", key->size, key->value);

    int end = area->columns - shown.ttl;
    int type_at = 2 + shown.name_columns + 2;
    int behind = area_put(area, row, type_at, TYPE_COLUMNS, STYLE_QUIET, key->type);
    bool fresh = glow_lit(&shown.glow[index], scene->now_ns);
    area_put(area, row, 2, shown.name_columns, fresh ? STYLE_STRONG : STYLE_TEXT, key->name);
    area_put_right(area, row, end, end - behind - 2, fresh ? STYLE_FRESH : STYLE_TEXT, value);
    if (shown.ttl) ttl_draw(area, row, end, key);
}

static void keys_draw(const Scene *scene, const Area *area)
{
    const Snapshot *now = &scene->view->snapshot;
    int fit = now->key_count < area->rows - 1 ? now->key_count : area->rows - 1;
    long left_out = now->keys_left_out + now->key_count - fit;
    char more[60] = "";
    if (!now->redis_ok)
        snprintf(more, sizeof more, "%s", _("Redis does not answer"));
    else if (left_out > 0)
        snprintf(more, sizeof more, _("%ld more"), left_out);
    panel_title(area, _("KEYS"), more);
    for (int i = 0; i < fit; i++) key_draw(scene, area, 1 + i, i);
}

const Panel panel_keys = {"keys", 4, 2, keys_update, keys_draw};
