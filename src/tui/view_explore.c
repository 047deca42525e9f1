/* Exploring: every order of a small world as a field of cells, and what they prove. */
#include "tui/view_explore.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_small.h"
#include "tui/explore_field.h"
#include "tui/explore_numbers.h"
#include "tui/flow.h"

enum { TWO_COLUMNS = 72, RIGHT_LEAST = 32, RIGHT_MOST = 56, ROOMY_ROWS = 14, CELL_ROWS = 2, BAR_COLUMNS = 12 };

static Invariant filter = INVARIANT_COUNT;

/* Only what this variant is judged by can be asked for. */
static Invariant filter_now(const ExploreState *explore)
{
    const Spec *spec = &explore->result.spec;
    bool judged = filter < INVARIANT_COUNT && (spec->breaks[filter] || spec->keeps[filter]);
    return judged ? filter : INVARIANT_COUNT;
}

static void filter_set(App *app, Invariant wanted)
{
    filter = wanted;
    if (wanted == INVARIANT_COUNT)
        app_say(app, STYLE_ACCENT, "%s", _("x: whatever breaks."));
    else
        app_say(app, STYLE_ACCENT, _("x: breaks %s."), invariant_name(wanted));
}

void view_explore_filter(App *app)
{
    const ExploreState *explore = small_explore_state(app);
    if (!explore) return;
    const Spec *spec = &explore->result.spec;
    int next = filter_now(explore) == INVARIANT_COUNT ? 0 : filter + 1;
    while (next < INVARIANT_COUNT && !spec->breaks[next] && !spec->keeps[next]) next++;
    filter_set(app, (Invariant)next);
}

/* ---- the head: what it covers, what a sign means --------------------------------------------------------- */

static void signs_draw(const Area *area, int row, Invariant by)
{
    char kept[80], broken[120], count[40];
    long kept_cells, broken_cells;
    explore_field_count(&kept_cells, &broken_cells);
    snprintf(kept, sizeof kept, _("kept %s"), count_text((double)kept_cells, count, sizeof count));
    count_text((double)broken_cells, count, sizeof count);
    if (by == INVARIANT_COUNT)
        snprintf(broken, sizeof broken, _("broken %s"), count);
    else
        snprintf(broken, sizeof broken, "%s %s", invariant_name(by), count);
    int at = area_put(area, row, 0, 1, STYLE_QUIET, theme_glyph(GLYPH_UNKNOWN));
    at = area_put(area, row, at + 1, 0, STYLE_TEXT, kept);
    at = area_put(area, row, at + 3, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
    area_put(area, row, at + 1, 0, STYLE_BROKEN, broken);
}

/* Returns the rows used. */
static int head_draw(const ExploreState *explore, const Area *area, Invariant by)
{
    const Exploration *result = &explore->result;
    char covers[240], what[160], orders[40];
    exploration_covers(result, covers, sizeof covers);
    count_text(result->unpruned, orders, sizeof orders);
    if (!result->options.prune)
        snprintf(what, sizeof what, "%s", _("a cell is one schedule"));
    else
        snprintf(what, sizeof what, "%s", _("a cell is a class of equal schedules"));
    Flow flow = {0};
    flow_text(&flow, STYLE_TEXT, covers, area->columns, 2);
    flow_draw(&flow, area, 0);
    int row = flow.lines, columns = text_columns(what);
    flow_free(&flow);
    signs_draw(area, row, by);
    if (columns + 36 < area->columns)
        area_put_right(area, row, area->columns, columns, STYLE_QUIET, what);
    return row + 1;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static void field_draw(const ExploreState *explore, const Area *area, Invariant by)
{
    if (area->columns < TWO_COLUMNS) {
        explore_field_draw(explore, area);
        return;
    }
    int right = area->columns * 42 / 100;
    if (right < RIGHT_LEAST) right = RIGHT_LEAST;
    if (right > RIGHT_MOST) right = RIGHT_MOST;
    Area field = area_part(area, 0, 0, area->rows, area->columns - right - 3);
    Area numbers = area_part(area, 0, area->columns - right, area->rows, right);
    area_rule(area, area->columns - right - 2);
    explore_field_draw(explore, &field);
    explore_numbers_draw(explore, by, &numbers);
}

static void explore_draw(App *app, const Area *area)
{
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    const ExploreState *explore = small_explore_state(app);
    if (!explore) {
        area_put(&inner, 0, 0, 0, STYLE_QUIET, _("Nothing of this variant was explored yet: r begins."));
        return;
    }
    Invariant by = filter_now(explore);
    explore_field_take(explore, by);
    bool roomy = area->rows > ROOMY_ROWS;
    int cell = roomy ? CELL_ROWS : 1, below = LUCK_ROWS + cell + roomy;
    int head = head_draw(explore, &inner, by) + roomy;
    Area middle = area_part(&inner, head, 0, inner.rows - head - below - roomy, inner.columns);
    field_draw(explore, &middle, by);
    Area luck = area_part(&inner, inner.rows - below, 0, LUCK_ROWS, inner.columns);
    explore_luck_draw(app, explore, by, &luck);
    Area last = area_part(&inner, inner.rows - cell, 0, cell, inner.columns);
    explore_cell_draw(app, explore, &last);
}

/* ---- how things stand ----------------------------------------------------------------------------------------- */

static double rate_of(const Exploration *result)
{
    return result->seconds > 0 ? (double)(result->runs + result->repetitions) / result->seconds : 0;
}

static void running_state(const Exploration *result, const Area *line)
{
    char left[120] = "", rate[40];
    double share = result->done_share;
    int at = area_put(line, 0, 1, 0, STYLE_ACCENT, _("exploring")) + 2;
    area_bar(line, 0, at, BAR_COLUMNS, STYLE_ACCENT, (long)(share * 1000), 1000);
    at += BAR_COLUMNS + 1;
    at = area_format(line, 0, at, STYLE_TEXT, "%3d %%", (int)(share * 100)) + 2;
    number_grouped(rate, sizeof rate, (long)rate_of(result));
    at = area_format(line, 0, at, STYLE_QUIET, _("%s runs/s"), rate) + 2;
    if (share > 0.001)
        snprintf(left, sizeof left, _("about %.0f s left"), result->seconds / share - result->seconds);
    area_put_right(line, 0, line->columns - 1, 30, STYLE_QUIET, left);
}

static void over_state(const App *app, const ExploreState *explore, const Area *line)
{
    const Exploration *result = &explore->result;
    const Luck *luck = small_luck(app);
    char right[120], rate[40], why[300];
    number_grouped(rate, sizeof rate, (long)rate_of(result));
    snprintf(right, sizeof right, _("%.2f s  %s runs/s"), result->seconds, rate);
    int columns = text_columns(right), room = line->columns - columns - 4;
    area_put_right(line, 0, line->columns - 1, columns, STYLE_QUIET, right);
    if (result->failed)
        area_put(line, 0, 1, room, STYLE_WARN, result->error.text);
    else if (!result->complete)
        area_put(line, 0, 1, room, STYLE_WARN,
                 explore->stopped ? _("Stopped: NOT complete. r begins again.")
                                  : _("NOT complete: there are more than can be shown."));
    else if (luck && luck->running)
        area_format(line, 0, 1, STYLE_ACCENT, ngettext("Complete. Now %d free race, for luck",
                                                            "Complete. Now %d free races, for luck",
                                                            (unsigned long)luck->wanted), luck->wanted);
    else if (exploration_as_claimed(result, why, sizeof why))
        area_put(line, 0, 1, room, STYLE_KEPT, _("Complete, and as the lesson claims."));
    else
        area_format(line, 0, 1, STYLE_WARN, _("Complete, and NOT as the lesson claims: %s."), why);
}

static void explore_state(const App *app, const Area *line)
{
    const ExploreState *explore = small_explore_state(app);
    if (explore && explore->running)
        running_state(&explore->result, line);
    else if (explore && app->pending != PENDING_EXPLORE)
        over_state(app, explore, line);
    else
        area_put(line, 0, 1, 0, STYLE_QUIET, _("making the small world ready"));
}

/* ---- moving ---------------------------------------------------------------------------------------------------- */

static void explore_move(App *app, Motion motion)
{
    const ExploreState *explore = small_explore_state(app);
    if (explore) explore_field_move(explore, motion);
}

static void explore_click(App *app, const Hit *hit)
{
    /* A second click opens. */
    if (hit->what == HIT_CELL && explore_field_point(hit->argument)) do_open_cell(app, 0);
    if (hit->what == HIT_FILTER)
        filter_set(app, filter == (Invariant)hit->argument ? INVARIANT_COUNT : (Invariant)hit->argument);
}

const View view_explore = {"explore",    N_("Explore"), explore_draw,
                           explore_move, explore_click, explore_state};
