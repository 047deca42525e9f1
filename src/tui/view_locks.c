/* Four kinds of locks and five strategies: a row each, filled in as it comes. */
#include "tui/view_locks.h"

#include <stdio.h>

#include "base/i18n.h"
#include "tui/do_locks.h"
#include "tui/flow.h"
#include "tui/view.h"

enum { SIGN = 2, KIND = 11, STRATEGY = 20, CALL = 19, WAITED = 13, ROOMY_ROWS = 32, NOTES = 3, NOTE = 1 };

static struct {
    int top, fits, lines; /* lines of the table, and how many are seen at once */
} shown;

void view_locks_start(void)
{
    shown.top = 0;
}

/* ---- the columns ------------------------------------------------------------------------------- */

typedef struct Columns {
    int kind, strategy, call, got, waited; /* `waited` is where it ends; `call` 0: no room for it */
    int end;
} Columns;

static Columns columns_for(int width)
{
    bool roomy = width >= 110;
    int more = roomy ? 4 : 0;
    Columns at = {.kind = SIGN};
    at.strategy = at.kind + KIND + more;
    at.waited = at.strategy + STRATEGY + more + WAITED;
    if (roomy) {
        at.call = at.strategy + STRATEGY + more;
        at.waited += CALL + more;
    }
    at.got = at.waited + 2 + more;
    at.end = width;
    return at;
}

static void head_draw(const Area *area, const Columns *at)
{
    area_put(area, 0, at->kind, KIND - 1, STYLE_TITLE, _("lock"));
    area_put(area, 0, at->strategy, STRATEGY - 1, STYLE_TITLE, _("strategy"));
    if (at->call) area_put(area, 0, at->call, CALL - 1, STYLE_TITLE, _("what is called"));
    area_put_right(area, 0, at->waited, WAITED - 1, STYLE_TITLE, _("waited"));
    area_put(area, 0, at->got, at->end - at->got, STYLE_TITLE, _("it got"));
}

/* ---- a row ---------------------------------------------------------------------------------------- */

static const struct {
    Style style;
    Glyph sign;
} looks[] = {
    [LOCK_ROW_LOCKED] = {STYLE_KEPT, GLYPH_KEPT},
    [LOCK_ROW_SKIPPED] = {STYLE_WARN, GLYPH_BULLET},
    [LOCK_ROW_FAILED] = {STYLE_WARN, GLYPH_BULLET},
    [LOCK_ROW_NONE] = {STYLE_BROKEN, GLYPH_BROKEN},
};

static void outcome_draw(const LockRow *row, const Area *area, int line, const Columns *at)
{
    char waited[32];
    Style style = looks[row->outcome].style;
    snprintf(waited, sizeof waited, _("%.1f ms"), row->waited_ms);
    area_put(area, line, 0, 1, style, theme_glyph(looks[row->outcome].sign));
    area_put_right(area, line, at->waited, WAITED - 1, STYLE_TEXT, waited);
    int end = area_put(area, line, at->got, at->end - at->got, style, lock_outcome_words(row->outcome));
    if (row->error[0] && end + 1 < at->end) area_put(area, line, end + 1, at->end - end - 1, STYLE_TEXT, row->error);
}

static void row_draw(const LockTable *table, int index, const Area *area, int line, const Columns *at)
{
    const LockRow *row = table ? &table->row[index] : NULL;
    LockKind kind = (LockKind)(index / LOCK_TABLE_STRATEGIES);
    Strategy strategy = (Strategy)(index % LOCK_TABLE_STRATEGIES);
    area_put(area, line, at->kind, KIND - 1, strategy == SKIP_FAST ? STYLE_STRONG : STYLE_QUIET, lock_kind_name(kind));
    area_put(area, line, at->strategy, STRATEGY - 1, STYLE_TEXT, lock_strategy_name(strategy));
    if (at->call) area_put(area, line, at->call, CALL - 1, STYLE_QUIET, lock_strategy_call(strategy));
    if (!row || row->outcome == LOCK_ROW_WAITS)
        area_put(area, line, at->got, at->end - at->got, STYLE_QUIET, lock_outcome_words(LOCK_ROW_WAITS));
    else if (row->outcome == LOCK_ROW_TRIES)
        area_put(area, line, at->got, at->end - at->got, STYLE_ACCENT, lock_outcome_words(LOCK_ROW_TRIES));
    else
        outcome_draw(row, area, line, at);
}

/* With room, a blank line stands between two kinds. */
static void table_draw(const LockTable *table, const Area *area, const Columns *at, bool roomy)
{
    int block = LOCK_TABLE_STRATEGIES + (roomy ? 1 : 0);
    shown.fits = area->rows;
    shown.lines = block * LOCK_TABLE_KINDS - (roomy ? 1 : 0);
    shown.top = scroll_kept(shown.top, shown.fits, shown.lines);
    for (int i = 0; i < LOCK_TABLE_ROWS; i++) {
        int line = i / LOCK_TABLE_STRATEGIES * block + i % LOCK_TABLE_STRATEGIES - shown.top;
        if (line >= 0 && line < area->rows) row_draw(table, i, area, line, at);
    }
}

/* With one row, how long things last alone. */
static void notes_draw(const Area *area)
{
    area_format(area, 0, 0, STYLE_QUIET,
                _("Each time another one holds it for %d ms; a wait is limited to %d ms."),
                LOCK_TABLE_HOLD_MS, LOCK_TABLE_WAIT_MS);
    if (area->rows == NOTE) return;
    area_put(area, 1, 0, 0, STYLE_QUIET, _("Readers share. Of the others, keep-trying alone ends with the lock."));
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static void locks_draw(App *app, const Area *area)
{
    const LockTableState *state = locks_state(app);
    bool roomy = area->rows >= ROOMY_ROWS;
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 3);
    const Columns at = columns_for(inner.columns);
    head_draw(&inner, &at);
    Area body = area_part(&inner, 1, 0, inner.rows - 1 - (roomy ? NOTES : NOTE), inner.columns);
    table_draw(state ? &state->table : NULL, &body, &at, roomy);
    Area marks = area_part(area, 1, 0, body.rows, area->columns);
    scroll_marks(&marks, shown.top, shown.lines);
    Area notes = area_part(&inner, roomy ? 1 + shown.lines + 1 : inner.rows - NOTE, 0, roomy ? NOTES : NOTE, inner.columns);
    notes_draw(&notes);
}

static void locks_view_state(const App *app, const Area *line)
{
    const LockTableState *state = locks_state(app);
    if (!state)
        area_put(line, 0, 1, 0, STYLE_QUIET, _("making the shop ready"));
    else if (state->running)
        area_format(line, 0, 1, STYLE_ACCENT, _("row %d of %d"), state->table.done, LOCK_TABLE_ROWS);
    else if (!state->table.over)
        area_put(line, 0, 1, 0, STYLE_WARN, _("Stopped: r begins again."));
    else
        area_put(line, 0, 1, 0, STYLE_KEPT, _("Readers share. Of the others, keep-trying alone ends with the lock."));
}

static void locks_move(App *app, Motion motion)
{
    (void)app;
    shown.top = scroll_moved(shown.top, motion, shown.fits, shown.lines);
}

const View view_locks = {"locks", N_("Kinds and strategies"), locks_draw, locks_move, NULL, locks_view_state};
