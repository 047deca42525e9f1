/* The crash table: one schedule, a node killed before and after each of its steps, and what came of it. */
#include "tui/view_crash.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/mover.h"
#include "course/schedule_text.h"
#include "engine/step_kind.h"
#include "tui/do_crash.h"
#include "tui/flow.h"

enum {
    HIT_ROW,
    HEAD_ROWS = 2,
    DETAIL_ROWS = 4,
    ROOMY_COLUMNS = 110,
    MOVE_AT = 0,  /* number and actor */
    STEP_AT = 6,
    STEP = 14,
    WHEN = 8,
    NUMBER = 7,
    LOCK = 8,
    TOLD = 17,
    TOLD_LEAST = 10,
    MORE = 20 /* for step and told, where there is room */
};

/* Where the columns stand, for a width. */
typedef struct Columns {
    int when, stock, orders, lock, told, verdict;
} Columns;

static struct {
    int hand, top, rows;
} shown;

void view_crash_start(void)
{
    shown.hand = shown.top = 0;
}

static const CrashTable *table_of(const App *app)
{
    const CrashState *crash = crash_state(app);
    return crash ? &crash->table : NULL;
}

const CrashRow *view_crash_chosen(const App *app)
{
    const CrashTable *table = table_of(app);
    return table && shown.hand < table->rows ? &table->row[shown.hand] : NULL;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static const char *when_words(const CrashRow *row)
{
    return row->waits ? _("in wait") : row->after ? _("after") : _("before");
}

static const char *told_words(const CrashTold *told)
{
    return told->answered ? answer_words(told->answer) : told->dead ? _("nothing") : _("waits");
}

static void told_text(const CrashTable *table, const CrashRow *row, Text *text)
{
    char actor[12];
    for (int i = 0; i < spec_user_actors(&table->spec); i++)
        text_format(text, "%s%s:%s", i ? " " : "", mover_name(&table->spec, i, actor), told_words(&row->told[i]));
}

/* What is left of the lock: its lease, "MySQL", or nothing. */
static Style lock_text(const CrashRow *row, char *text, size_t size)
{
    if (row->locks == 0) {
        snprintf(text, size, "-");
        return STYLE_QUIET;
    }
    const LockView *lock = &row->lock[0];
    if (lock->home != LOCK_IN_REDIS)
        snprintf(text, size, "%s", lock->home == LOCK_IN_SQL ? "MySQL" : _("held"));
    else if (lock->ttl_ms < 0)
        snprintf(text, size, "%s", _("no TTL"));
    else
        snprintf(text, size, _("%.1f s"), (double)lock->ttl_ms / 1000);
    return lock->ttl_ms < 0 ? STYLE_WARN : STYLE_TEXT;
}

static Invariant first_broken(const CrashRow *row)
{
    int i = 0;
    while (i < INVARIANT_COUNT && row->verdict[i].state != VERDICT_BROKEN) i++;
    return (Invariant)i;
}

/* ---- the table ------------------------------------------------------------------------------------------- */

/* The widest of what was told, as far as there is room. */
static int told_columns(const CrashTable *table, int most)
{
    int columns = TOLD_LEAST;
    for (int i = 0; i < table->rows; i++) {
        Text text = {0};
        told_text(table, &table->row[i], &text);
        int own = text_columns(text_string(&text)) + 1;
        if (own > columns) columns = own;
        text_free(&text);
    }
    return columns < most ? columns : most;
}

static Columns columns_for(const CrashTable *table, int width)
{
    int more = width >= ROOMY_COLUMNS ? MORE : 0;
    int told = told_columns(table, TOLD + more), step = STEP + more;
    Columns at = {.verdict = 0};
    at.when = STEP_AT + step;
    at.stock = at.when + WHEN;
    at.orders = at.stock + NUMBER;
    at.lock = at.orders + NUMBER + 1;
    at.told = at.lock + LOCK;
    at.verdict = at.told + told;
    return at;
}

static void head_draw(const Area *area, const Columns *at)
{
    area_put(area, 0, MOVE_AT, 0, STYLE_TITLE, "#");
    area_put(area, 0, STEP_AT, at->when - STEP_AT - 1, STYLE_TITLE, _("its step"));
    area_put(area, 0, at->when, WHEN - 1, STYLE_TITLE, _("killed"));
    area_put_right(area, 0, at->stock + NUMBER - 2, NUMBER - 2, STYLE_TITLE, _("stock"));
    area_put_right(area, 0, at->orders + NUMBER - 1, NUMBER - 1, STYLE_TITLE, _("orders"));
    area_put(area, 0, at->lock, LOCK - 1, STYLE_TITLE, _("lock"));
    area_put(area, 0, at->told, at->verdict - at->told - 1, STYLE_TITLE, _("told"));
    area_put(area, 0, at->verdict, 0, STYLE_TITLE, _("verdict"));
}

static void verdict_draw(const CrashRow *row, const Area *area, int line, int column)
{
    Invariant broken = first_broken(row);
    if (broken < INVARIANT_COUNT) {
        area_put(area, line, column, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
        column = area_put(area, line, column + 2, 0, STYLE_BROKEN, invariant_name(broken)) + 1;
    }
    if (row->unheard) {
        area_put(area, line, column, 1, STYLE_WARN, "!");
        bool roomy = area->columns >= ROOMY_COLUMNS;
        area_put(area, line, column + 2, 0, STYLE_WARN,
                 roomy ? _("told nothing, yet it happened") : _("untold"));
    } else if (broken == INVARIANT_COUNT) {
        area_put(area, line, column, 1, STYLE_KEPT, theme_glyph(GLYPH_KEPT));
        area_put(area, line, column + 2, 0, STYLE_QUIET, _("kept"));
    }
}

static void row_draw(const CrashTable *table, const Area *area, int line, int index, const Columns *at)
{
    const CrashRow *row = &table->row[index];
    char actor[12], number[24], lock[60];
    Text told = {0};
    bool hand = index == shown.hand;
    bool first = index == 0 || table->row[index - 1].move != row->move || line == 0;
    Style style = hand ? STYLE_CHOSEN : STYLE_TEXT;
    if (first) {
        area_format(area, line, MOVE_AT, STYLE_QUIET, "%2d", row->move + 1);
        area_put(area, line, MOVE_AT + 3, 2, STYLE_STRONG, mover_name(&table->spec, row->actor, actor));
    }
    bool roomy = at->when - STEP_AT > STEP;
    if (first || hand)
        area_put(area, line, STEP_AT, at->when - STEP_AT - 1, style,
                 roomy ? row->words : step_kinds[row->step].name);
    area_put(area, line, at->when, WHEN - 1, style, when_words(row));
    snprintf(number, sizeof number, "%ld",
             table->spec.stock_in_redis && !table->spec.stock_in_sql ? row->truth.redis_stock : row->truth.stock);
    area_put_right(area, line, at->stock + NUMBER - 2, NUMBER - 2, STYLE_TEXT, number);
    snprintf(number, sizeof number, "%ld", row->truth.orders);
    area_put_right(area, line, at->orders + NUMBER - 1, NUMBER - 1, STYLE_TEXT, number);
    Style lock_style = lock_text(row, lock, sizeof lock);
    area_put(area, line, at->lock, LOCK - 1, lock_style, lock);
    told_text(table, row, &told);
    area_put(area, line, at->told, at->verdict - at->told - 1, STYLE_TEXT, text_string(&told));
    text_free(&told);
    verdict_draw(row, area, line, at->verdict);
    hits_add(area, line, 0, area->columns, HIT_ROW, index);
}

static void rows_draw(const CrashTable *table, const Area *area, const Columns *at)
{
    shown.rows = area->rows;
    if (shown.hand >= table->rows) shown.hand = table->rows ? table->rows - 1 : 0;
    if (shown.hand < shown.top) shown.top = shown.hand;
    if (shown.hand >= shown.top + area->rows) shown.top = shown.hand - area->rows + 1;
    shown.top = scroll_kept(shown.top, area->rows, table->rows);
    for (int i = 0; i < area->rows && shown.top + i < table->rows; i++)
        row_draw(table, area, i, shown.top + i, at);
}

/* ---- the row under the hand, in full --------------------------------------------------------------------- */

static void detail_draw(const CrashTable *table, const Area *area)
{
    if (shown.hand >= table->rows) return;
    const CrashRow *row = &table->row[shown.hand];
    char actor[12];
    Text text = {0};
    Flow flow = {0};
    text_format(&text, "%s %s (%s): ", mover_name(&table->spec, row->actor, actor), row->words, row->command);
    text_format(&text, row->waits ? _("node %d killed while it waits") : row->after ? _("node %d killed after it")
                                                                                   : _("node %d killed before it"),
                row->node + 1);
    flow_text(&flow, STYLE_STRONG, text_string(&text), area->columns, 2);
    text_reset(&text);
    told_text(table, row, &text);
    for (int i = 0; i < row->locks; i++) {
        char lock[60];
        lock_text(&(CrashRow){.locks = 1, .lock[0] = row->lock[i]}, lock, sizeof lock);
        text_format(&text, _("   %s is left: %s"), row->lock[i].name, lock);
    }
    flow_text(&flow, STYLE_TEXT, text_string(&text), area->columns, 2);
    if (row->unheard) {
        text_reset(&text);
        text_format(&text, "! %s", _("told nothing, yet it happened"));
        flow_text(&flow, STYLE_WARN, text_string(&text), area->columns, 2);
    }
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (row->verdict[i].state != VERDICT_BROKEN) continue;
        text_reset(&text);
        text_format(&text, _("%s %s: %s"), theme_glyph(GLYPH_BROKEN), invariant_name((Invariant)i),
                    row->verdict[i].detail);
        flow_text(&flow, STYLE_BROKEN, text_string(&text), area->columns, 2);
    }
    flow_draw(&flow, area, 0);
    flow_free(&flow);
    text_free(&text);
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

static void schedule_draw(const App *app, const CrashTable *table, const Area *area)
{
    char line[SCHEDULE_TEXT];
    schedule_text_write(app->lesson, app->variant, &table->spec, &table->schedule, line);
    area_put(area, 0, 0, 0, STYLE_QUIET, line);
}

static void crash_draw(App *app, const Area *area)
{
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 3);
    const CrashTable *table = table_of(app);
    if (!table || table->refused) return;
    schedule_draw(app, table, &inner);
    const Columns at = columns_for(table, inner.columns);
    Area head = area_part(&inner, 1, 0, 1, inner.columns);
    head_draw(&head, &at);
    int below = DETAIL_ROWS + 1, rows = inner.rows - HEAD_ROWS - below;
    if (rows < 3) rows = inner.rows - HEAD_ROWS;
    Area body = area_part(&inner, HEAD_ROWS, 0, rows, inner.columns);
    rows_draw(table, &body, &at);
    Area marks = area_part(area, HEAD_ROWS, 0, rows, area->columns);
    scroll_marks(&marks, shown.top, table->rows);
    int used = rows < table->rows ? rows : table->rows;
    Area detail = area_part(&inner, HEAD_ROWS + used + 1, 0, inner.rows - HEAD_ROWS - used - 1, inner.columns);
    detail_draw(table, &detail);
}

static void over_state(const CrashState *crash, const Area *line)
{
    const CrashTable *table = &crash->table;
    Text text = {0};
    char seconds[40];
    snprintf(seconds, sizeof seconds, _("%.2f s"), table->seconds);
    text_format(&text, ngettext("%d crash", "%d crashes", (unsigned long)table->rows), table->rows);
    text_format(&text, ngettext(", %d breaks something", ", %d break something", (unsigned long)table->broken_any),
                table->broken_any);
    if (table->unheard > 0)
        text_format(&text, ngettext(", %d told nothing, yet it happened", ", %d told nothing, yet it happened",
                                    (unsigned long)table->unheard),
                    table->unheard);
    if (crash->stopped) text_format(&text, "  %s", _("Stopped: r begins again."));
    bool wrong = table->broken_any > 0;
    int columns = text_columns(seconds);
    area_put(line, 0, 1, line->columns - columns - 4, wrong ? STYLE_BROKEN : STYLE_KEPT, text_string(&text));
    area_put_right(line, 0, line->columns - 1, columns, STYLE_QUIET, seconds);
    text_free(&text);
}

static void crash_view_state(const App *app, const Area *line)
{
    enum { BAR = 16 };
    const CrashState *crash = crash_state(app);
    if (!crash) {
        area_put(line, 0, 1, 0, STYLE_QUIET, _("making the small world ready"));
    } else if (crash->table.refused || crash->table.failed) {
        area_put(line, 0, 1, 0, STYLE_WARN, crash->table.error.text);
    } else if (crash->running) {
        int end = area_format(line, 0, 1, STYLE_ACCENT, _("crash %d of %d"), crash->table.rows + 1,
                              crash->table.wanted);
        area_bar(line, 0, end + 2, BAR, STYLE_ACCENT, crash->table.rows, crash->table.wanted);
    } else {
        over_state(crash, line);
    }
}

static void crash_move(App *app, Motion motion)
{
    const CrashTable *table = table_of(app);
    if (!table || table->rows == 0) return;
    if (motion == MOTION_PAGE_UP || motion == MOTION_PAGE_DOWN) {
        int more = motion == MOTION_PAGE_UP ? 1 - shown.rows : shown.rows - 1;
        shown.hand = scroll_kept(shown.hand + more, 1, table->rows);
        return;
    }
    shown.hand = scroll_moved(shown.hand, motion, 1, table->rows);
}

static void crash_click(App *app, const Hit *hit)
{
    if (hit->what != HIT_ROW) return;
    /* A second click opens. */
    bool again = shown.hand == hit->argument;
    shown.hand = hit->argument;
    if (again && can_open_crash(app)) do_open_crash(app, 0);
}

const View view_crash = {"crash", N_("Crash table"), crash_draw, crash_move, crash_click, crash_view_state};
