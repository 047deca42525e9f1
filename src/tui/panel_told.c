/* What users were told against what is in the database: told yes, waiting, stored, lost. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/glow.h"
#include "tui/panel.h"
#include "tui/queue_scene.h"

enum { LINE_TOLD, LINE_STORED, LINE_WAITING, LINE_ASIDE, LINE_LOST, LINE_COUNT };

typedef struct Line {
    const char *label;
    Glow glow;
    bool present;
} Line;

static struct {
    Line line[LINE_COUNT];
} shown = {
    .line =
        {
            [LINE_TOLD] = {.label = N_("told yes")},
            [LINE_STORED] = {.label = N_("stored")},
            [LINE_WAITING] = {.label = N_("waiting")},
            [LINE_ASIDE] = {.label = N_("set aside")},
            [LINE_LOST] = {.label = N_("lost")},
        },
};

static void line_set(const Scene *scene, int which, bool present, long value)
{
    shown.line[which].present = present;
    glow_set(&shown.line[which].glow, value, scene->now_ns);
}

/* While it runs, numbers are of slightly different moments: only what is known to be gone is called lost. */
static long lost(const QueueScene *now)
{
    if (now->over) return now->queues->lost;
    long gone = 0;
    for (int i = 0; i < now->queues->nodes; i++)
        gone += now->queues->node[i].lost + now->queues->node[i].dropped;
    return gone;
}

static int told_update(const Scene *scene, int columns)
{
    QueueScene now;
    (void)columns;
    if (!queue_scene(scene, &now)) return 0;
    const QueuesView *queues = now.queues;
    line_set(scene, LINE_TOLD, true, queues->told);
    line_set(scene, LINE_WAITING, true, queues->waiting);
    line_set(scene, LINE_STORED, true, queues->stored);
    line_set(scene, LINE_ASIDE, queues->set_aside > 0, queues->set_aside);
    line_set(scene, LINE_LOST, true, lost(&now));
    int lines = LINE_COUNT - (queues->set_aside == 0);
    return 1 + (scene->roomy ? lines : (lines + 1) / 2);
}

static Style style_of(const Scene *scene, int which)
{
    const Glow *glow = &shown.line[which].glow;
    if (which == LINE_LOST) return glow->value > 0 ? STYLE_BROKEN : STYLE_QUIET;
    return glow_lit(glow, scene->now_ns) ? STYLE_FRESH : STYLE_TEXT;
}

static void cell_draw(const Scene *scene, const Area *area, int row, int which)
{
    char number[32];
    const Line *line = &shown.line[which];
    number_grouped(number, sizeof number, line->glow.value);
    int columns = text_columns(number);
    area_put(area, row, 2, area->columns - 2 - columns - 1, STYLE_TEXT, _(line->label));
    area_put_right(area, row, area->columns, columns, style_of(scene, which), number);
    if (which == LINE_LOST && line->glow.value > 0)
        area_put(area, row, 0, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
}

/* One below the other, or, with little room, two in a row. */
static void told_draw(const Scene *scene, const Area *area)
{
    panel_title(area, _("TOLD AND STORED"), NULL);
    int columns = scene->roomy ? 1 : 2, width = area->columns / columns, cell = 0;
    for (int i = 0; i < LINE_COUNT; i++) {
        if (!shown.line[i].present) continue;
        bool last = cell % columns == columns - 1; /* takes what is left */
        Area part = area_part(area, 0, cell % columns * (width + 1), area->rows, last ? area->columns : width);
        cell_draw(scene, &part, 1 + cell / columns, i);
        cell++;
    }
}

const Panel panel_told = {"told", 1, 3, told_update, told_draw};
