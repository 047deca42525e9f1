/* What is left in both stores, what was sold, and by how much too many. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/chart.h"
#include "tui/glow.h"
#include "tui/panel.h"

typedef struct StockLine {
    const char *label;
    Glow glow;
    bool present, bad;
} StockLine;

enum { LINE_SQL, LINE_REDIS, LINE_BUYERS, LINE_ORDERS, LINE_EXCESS, LINE_COUNT };

static struct {
    StockLine line[LINE_COUNT];
    bool known;
    int lines;
} shown = {
    .line =
        {
            [LINE_SQL] = {.label = N_("in the database")},
            [LINE_REDIS] = {.label = N_("in Redis")},
            [LINE_BUYERS] = {.label = N_("buyers in Redis")},
            [LINE_ORDERS] = {.label = N_("orders")},
            [LINE_EXCESS] = {.label = N_("sold too many")},
        },
};

static void line_set(const Scene *scene, int which, bool present, long value, bool bad)
{
    StockLine *line = &shown.line[which];
    line->present = present;
    line->bad = bad;
    if (present) shown.lines++;
    if (present && shown.known) glow_set(&line->glow, value, scene->now_ns);
}

static int stock_update(const Scene *scene, int columns)
{
    (void)columns;
    shown.lines = 0;
    if (!scene->lesson->shows_stock) return 0;

    const Snapshot *now = &scene->view->snapshot;
    shown.known = scene->current && scene->view->has_snapshot;
    long excess = now->orders > scene->spec->stock ? now->orders - scene->spec->stock : 0;
    bool has_redis = scene->spec->stock_in_redis || (shown.known && now->has_redis_stock);
    line_set(scene, LINE_SQL, scene->spec->stock_in_sql, now->stock, now->stock < 0);
    line_set(scene, LINE_REDIS, has_redis, now->redis_stock, now->redis_stock < 0);
    line_set(scene, LINE_BUYERS, shown.known && now->has_buyers, now->buyers, false);
    line_set(scene, LINE_ORDERS, true, now->orders, excess > 0);
    line_set(scene, LINE_EXCESS, true, excess, excess > 0);
    return 1 + shown.lines + (scene->roomy ? CHART_ROWS + 1 : 0);
}

static void history_draw(const Scene *scene, const Area *area, int row, int rows, int column, int columns)
{
    const LabView *view = scene->view;
    const long *points = scene->spec->stock_in_sql ? view->stock_history : view->orders_history;
    chart_draw(area, row, rows, column, columns, points, view->history, scene->spec->stock);
}

static void stock_draw(const Scene *scene, const Area *area)
{
    const Snapshot *now = &scene->view->snapshot;
    bool silent = shown.known && (!now->sql_ok || !now->redis_ok);
    panel_title(area, _("STOCK"), NULL);
    int row = 1;
    for (int i = 0; i < LINE_COUNT; i++) {
        const StockLine *line = &shown.line[i];
        if (!line->present) continue;
        char number[32] = "-";
        Style style = STYLE_QUIET;
        if (shown.known) {
            number_grouped(number, sizeof number, line->glow.value);
            bool fresh = glow_lit(&line->glow, scene->now_ns);
            style = line->bad ? STYLE_BROKEN : fresh ? STYLE_FRESH : STYLE_TEXT;
            /* A store that does not answer: these are old numbers. */
            if (silent && (i == LINE_REDIS || i == LINE_BUYERS ? !now->redis_ok : !now->sql_ok))
                style = STYLE_QUIET;
            if (i == LINE_EXCESS && line->glow.value == 0) style = STYLE_QUIET;
        }
        panel_number(area, row, _(line->label), style, number);
        if (line->bad && i == LINE_EXCESS)
            area_put(area, row, 0, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
        row++;
    }
    if (!scene->current) return;
    int below = area->rows - row - 1;
    if (below >= CHART_ROWS)
        history_draw(scene, area, row + 1, CHART_ROWS, 2, area->columns - 2);
    else if (area->columns >= 28)
        history_draw(scene, area, 0, 1, area->columns - 19, 19);
}

const Panel panel_stock = {"stock", 1, 3, stock_update, stock_draw};
