/* The newest ids: the last one bit by bit, 31 bits of seconds since 2022 and 32 bits of the day's
 * counter; the ones before it as numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/i18n.h"
#include "tui/glow.h"
#include "tui/panel.h"

enum {
    COUNTER_BITS = 32,
    TIME_BITS = 31,
    OCTET = 8,
    LABEL_COLUMNS = 10,
    IDS = 4,
    NUMBER_LEAST = 14
};

static struct {
    int64_t id[IDS]; /* newest first */
    int count;
    const LessonVariant *of;
    Glow glow;
} shown;

static int64_t id_told(const RecentEvent *event)
{
    if (!event->answer) return 0;
    const char *digits = event->result; /* "id issued 666...": the words may be in any language */
    while (*digits && (*digits < '0' || *digits > '9')) digits++;
    return strtoll(digits, NULL, 10);
}

static int ids_update(const Scene *scene, int columns)
{
    (void)columns;
    if (!scene->lesson->shows_ids) return 0;
    if (shown.of != scene->variant || !scene->current || scene->view->phase == LAB_PREPARING)
        shown.count = 0;
    shown.of = scene->variant;
    if (!scene->current) return 3;

    const RaceProgress *race = &scene->view->race;
    int64_t newest[IDS];
    int count = 0;
    for (int i = 0; i < race->recent_count && count < IDS; i++) {
        int64_t id = id_told(&race->recent[i]);
        if (id > 0) newest[count++] = id;
    }
    if (count > 0) {
        shown.count = count;
        for (int i = 0; i < count; i++) shown.id[i] = newest[i];
        glow_set(&shown.glow, (long)newest[0], scene->now_ns);
    }
    return 3 + (shown.count > 1 ? shown.count - 1 : 0);
}

static void bits_draw(const Area *area, int row, const char *label, int64_t value, int bits)
{
    area_put(area, row, 2, LABEL_COLUMNS - 3, STYLE_TEXT, label);
    int pad = 32 - bits; /* both rows end at the same column */
    for (int i = 0; i < bits; i++) {
        bool set = value >> (bits - 1 - i) & 1;
        int at = LABEL_COLUMNS + pad + i + (pad + i) / OCTET;
        area_put(area, row, at, 1, set ? STYLE_STRONG : STYLE_QUIET, set ? "1" : "0");
    }
    char number[32];
    int at = LABEL_COLUMNS + 32 + 3;
    if (area->columns - at < NUMBER_LEAST) return;
    area_put_right(area, row, area->columns, area->columns - at - 1, STYLE_TEXT,
                   number_grouped(number, sizeof number, (long)value));
}

static void id_draw(const Scene *scene, const Area *area, int row, int index)
{
    char number[40];
    bool fresh = index == 0 && glow_lit(&shown.glow, scene->now_ns);
    snprintf(number, sizeof number, "%" PRId64, shown.id[index]);
    area_put(area, row, 2, 0, fresh ? STYLE_FRESH : STYLE_TEXT, number);
}

static void ids_draw(const Scene *scene, const Area *area)
{
    panel_title(area, _("NEWEST ID"), NULL);
    if (shown.count == 0) {
        area_put(area, 1, 2, 0, STYLE_QUIET, _("none yet"));
        return;
    }
    char newest[40];
    snprintf(newest, sizeof newest, "%" PRId64, shown.id[0]);
    area_put_right(area, 0, area->columns, 24,
                   glow_lit(&shown.glow, scene->now_ns) ? STYLE_FRESH : STYLE_TEXT, newest);
    bits_draw(area, 1, _("seconds"), shown.id[0] >> COUNTER_BITS, TIME_BITS);
    bits_draw(area, 2, _("counter"), shown.id[0] & 0xffffffff, COUNTER_BITS);
    for (int i = 1; i < shown.count; i++) id_draw(scene, area, 2 + i, i);
}

const Panel panel_ids = {"ids", 2, 3, ids_update, ids_draw};
