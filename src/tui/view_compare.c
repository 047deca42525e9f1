/* The same sale by several variants, side by side: a row each, filled in as its race ends. */
#include "tui/view_compare.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_compare.h"
#include "tui/flow.h"

enum {
    HIT_ROW,
    ROOMY_COLUMNS = 110,
    SIGN = 2,    /* columns in front of a name */
    MORE = 3,    /* for every column, where there is room */
    BAR_NAME = 26,
    BAR_WORD = 9,
    BAR_NUMBER = 12,
    BARS_LEAST = 20
};

static const int widths[MEASURE_COUNT] = {
    [MEASURE_THROUGHPUT] = 10, [MEASURE_P50] = 7, [MEASURE_P99] = 7,   [MEASURE_MAX] = 7,
    [MEASURE_STORED] = 10,     [MEASURE_SQL] = 6, [MEASURE_REDIS] = 6,
};

static struct {
    int hand, top, fits; /* rows of the table, and how many fit */
} shown;

void view_compare_start(void)
{
    shown.hand = shown.top = 0;
}

int view_compare_hand(void)
{
    return shown.hand;
}

/* ---- the columns ------------------------------------------------------------------------------------------ */

/* Where a measure ends, and how wide the names may be. */
typedef struct Columns {
    int end[MEASURE_COUNT], width[MEASURE_COUNT];
    int names;
} Columns;

static Columns columns_for(int width)
{
    Columns at = {.names = width};
    int more = width >= ROOMY_COLUMNS ? MORE : 0;
    for (int i = 0; i < MEASURE_COUNT; i++) at.names -= at.width[i] = widths[i] + more;
    int end = at.names;
    for (int i = 0; i < MEASURE_COUNT; i++) at.end[i] = end += at.width[i];
    return at;
}

static void head_draw(const Area *area, const Columns *at)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        area_put_right(area, 0, at->end[i], at->width[i] - 1, STYLE_TITLE, compare_title((Measure)i));
}

/* ---- a row -------------------------------------------------------------------------------------------------- */

static void name_draw(const Area *area, int line, int columns, int index)
{
    const CompareChoice *choice = compare_choice();
    bool hand = index == shown.hand;
    area_put(area, line, SIGN, 0, STYLE_QUIET, choice->lesson[index]->number);
    int end = area_put(area, line, SIGN + 3, columns - SIGN - 3, hand ? STYLE_CHOSEN : STYLE_STRONG,
                       choice->variant[index]->name);
    if (columns - end > 12)
        area_put(area, line, end + 2, columns - end - 3, STYLE_QUIET, variant_text(choice->variant[index])->title);
}

static void numbers_draw(const Comparison *comparison, int row, const Area *area, int line, const Columns *at)
{
    char text[32];
    double number;
    bool sure = comparison->row[row].counted;
    for (int i = 0; i < MEASURE_COUNT; i++) {
        bool known = compare_measure(&comparison->row[row], (Measure)i, &number);
        Style style = !sure && i >= MEASURE_SQL ? STYLE_WARN : STYLE_TEXT;
        area_put_right(area, line, at->end[i], at->width[i] - 1, known ? style : STYLE_QUIET,
                       known ? compare_write((Measure)i, number, text) : "-");
    }
}

static void ratios_draw(const Comparison *comparison, int row, const Area *area, int line, const Columns *at)
{
    char text[32];
    double ratio;
    for (int i = 0; row > 0 && i < MEASURE_COUNT; i++)
        if (compare_ratio(comparison, row, (Measure)i, &ratio))
            area_put_right(area, line, at->end[i], at->width[i] - 1, STYLE_QUIET, compare_write_ratio(ratio, text));
}

static void verdict_draw(const CompareRow *row, const Area *area, int line, int column, int columns)
{
    Invariant broken = compare_broken(row);
    if (broken < INVARIANT_COUNT)
        area_put(area, line, column, columns, STYLE_BROKEN, invariant_name(broken));
    else if (!row->complete)
        area_put(area, line, column, columns, STYLE_WARN, _("not all answered"));
    else if (!row->counted)
        area_put(area, line, column, columns, STYLE_WARN, _("kept; not all counted"));
    else
        area_put(area, line, column, columns, STYLE_QUIET, _("kept"));
}

static void sign_draw(const CompareRow *row, const Area *area, int line)
{
    bool broken = compare_broken(row) < INVARIANT_COUNT;
    area_put(area, line, 0, 1, broken ? STYLE_BROKEN : STYLE_KEPT, theme_glyph(broken ? GLYPH_BROKEN : GLYPH_KEPT));
}

static void progress_draw(const CompareRow *row, const Area *area, int line, const Columns *at)
{
    char answered[32], total[32];
    int end = area_format(area, line, at->names + 2, STYLE_ACCENT, _("%s of %s answered"),
                          number_grouped(answered, sizeof answered, row->answered),
                          number_grouped(total, sizeof total, row->total));
    int room = at->end[MEASURE_COUNT - 1] - end - 2;
    if (room > 0) area_bar(area, line, end + 2, room, STYLE_ACCENT, row->answered, row->total);
}

/* `lines`: 2 with the ratios below, else 1. */
static void row_draw(const Comparison *comparison, int index, const Area *area, int line, int lines, const Columns *at)
{
    name_draw(area, line, at->names, index);
    for (int i = 0; i < lines; i++) hits_add(area, line + i, 0, area->columns, HIT_ROW, index);
    const CompareRow *row = comparison ? &comparison->row[index] : NULL;
    if (!row || row->state == ROW_WAITS) {
        area_put_right(area, line, at->end[0], at->width[0] - 1, STYLE_QUIET, _("waits"));
    } else if (row->state == ROW_RUNS) {
        progress_draw(row, area, line, at);
    } else {
        sign_draw(row, area, line);
        numbers_draw(comparison, index, area, line, at);
        if (lines == 1) return;
        verdict_draw(row, area, line + 1, SIGN + 3, at->names - SIGN - 3);
        ratios_draw(comparison, index, area, line + 1, at);
    }
}

/* Returns the lines used. */
static int table_draw(const Comparison *comparison, const Area *area, const Columns *at)
{
    int count = compare_choice()->count;
    int lines = count * 2 <= area->rows ? 2 : 1;
    shown.fits = area->rows / lines;
    if (shown.hand >= count) shown.hand = count ? count - 1 : 0;
    if (shown.hand < shown.top) shown.top = shown.hand;
    if (shown.hand >= shown.top + shown.fits) shown.top = shown.hand - shown.fits + 1;
    shown.top = scroll_kept(shown.top, shown.fits, count);
    int drawn = 0;
    for (; drawn < shown.fits && shown.top + drawn < count; drawn++)
        row_draw(comparison, shown.top + drawn, area, drawn * lines, lines, at);
    return drawn * lines;
}

/* ---- until when: told, and stored --------------------------------------------------------------------------- */

static void bar_draw(const Area *area, int line, const char *word, Style style, double seconds, double most)
{
    char text[32];
    int columns = area->columns - BAR_NAME - BAR_WORD - BAR_NUMBER;
    area_put(area, line, BAR_NAME, BAR_WORD - 1, STYLE_QUIET, word);
    area_bar(area, line, BAR_NAME + BAR_WORD, columns, style, (long)(seconds * 1e6), (long)(most * 1e6));
    snprintf(text, sizeof text, _("%.3f s"), seconds);
    area_put_right(area, line, area->columns, BAR_NUMBER - 1, STYLE_TEXT, text);
}

static void bars_draw(const Comparison *comparison, const Area *area)
{
    double most = 0;
    for (int i = 0; i < comparison->done; i++) {
        const CompareRow *row = &comparison->row[i];
        if (row->yes_seconds > most) most = row->yes_seconds;
        if (row->stored_seconds > most) most = row->stored_seconds;
    }
    area_put(area, 0, 0, 0, STYLE_TITLE, _("UNTIL THE LAST YES WAS TOLD, AND UNTIL THE LAST ORDER WAS STORED"));
    for (int i = 0; most > 0 && i < comparison->done; i++) {
        Area part = area_part(area, 1 + i * 3, 0, 2, area->columns);
        name_draw(&part, 0, BAR_NAME - 1, i);
        if (comparison->row[i].yes_seconds > 0)
            bar_draw(&part, 0, _("told yes"), STYLE_ACCENT, comparison->row[i].yes_seconds, most);
        if (comparison->row[i].stored > 0)
            bar_draw(&part, 1, _("stored"), STYLE_KEPT, comparison->row[i].stored_seconds, most);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static int moments_draw(const Area *area)
{
    for (int i = 0; i < COMPARE_MOMENTS; i++) area_put(area, i, 0, 0, STYLE_QUIET, compare_moment(i));
    return COMPARE_MOMENTS;
}

static void compare_draw(App *app, const Area *area)
{
    const CompareState *state = compare_state(app);
    const Comparison *comparison = state ? &state->result : NULL;
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 3);
    const Columns at = columns_for(inner.columns);
    head_draw(&inner, &at);
    int below = COMPARE_MOMENTS + 1;
    Area body = area_part(&inner, 1, 0, inner.rows - 1 - below, inner.columns);
    int used = table_draw(comparison, &body, &at);
    Area marks = area_part(area, 1, 0, used, area->columns);
    scroll_marks(&marks, shown.top, compare_choice()->count - shown.fits + marks.rows);
    Area notes = area_part(&inner, 1 + used + 1, 0, below, inner.columns);
    int next = 1 + used + 1 + moments_draw(&notes) + 1;
    Area bars = area_part(&inner, next, 0, inner.rows - next, inner.columns);
    bool room = comparison && bars.rows >= 1 + comparison->rows * 3;
    if (room && bars.columns - BAR_NAME - BAR_WORD - BAR_NUMBER >= BARS_LEAST) bars_draw(comparison, &bars);
}

static void over_state(const CompareState *state, const Area *line)
{
    const Comparison *result = &state->result;
    const CompareChoice *choice = compare_choice();
    for (int i = 0; i < result->done; i++) {
        Invariant broken = compare_broken(&result->row[i]);
        if (broken == INVARIANT_COUNT) continue;
        char text[400];
        int used = snprintf(text, sizeof text, "%s %s: ", choice->lesson[i]->number, choice->variant[i]->name);
        snprintf(text + used, sizeof text - (size_t)used, _("%s is BROKEN: %s."), invariant_name(broken),
                 result->row[i].verdict[broken].detail);
        area_put(line, 0, 1, 0, STYLE_BROKEN, text);
        return;
    }
    if (state->stopped)
        area_put(line, 0, 1, 0, STYLE_WARN, _("Stopped: r begins again."));
    else
        area_put(line, 0, 1, 0, STYLE_KEPT, _("Nothing broke. The numbers below a row are multiples of the first one's."));
}

static void compare_view_state(const App *app, const Area *line)
{
    const CompareState *state = compare_state(app);
    if (!state)
        area_put(line, 0, 1, 0, STYLE_QUIET, _("making the shop ready"));
    else if (state->result.failed)
        area_put(line, 0, 1, 0, STYLE_WARN, state->result.error.text);
    else if (state->running)
        area_format(line, 0, 1, STYLE_ACCENT, _("race %d of %d"), state->result.done + 1, state->result.rows);
    else
        over_state(state, line);
}

static void compare_move(App *app, Motion motion)
{
    int count = compare_choice()->count;
    if (motion == MOTION_CHOOSE) {
        do_open_compared(app, 0);
        return;
    }
    if (motion == MOTION_PAGE_UP || motion == MOTION_PAGE_DOWN)
        shown.hand = scroll_kept(shown.hand + (motion == MOTION_PAGE_UP ? -shown.fits : shown.fits), 1, count);
    else
        shown.hand = scroll_moved(shown.hand, motion, 1, count);
}

static void compare_click(App *app, const Hit *hit)
{
    if (hit->what != HIT_ROW) return;
    /* A second click opens. */
    bool again = shown.hand == hit->argument;
    shown.hand = hit->argument;
    if (again) do_open_compared(app, 0);
}

const View view_compare = {"compare", N_("Side by side"), compare_draw, compare_move, compare_click,
                           compare_view_state};
