/* Step mode: the learner is the scheduler. The goal, the code and who stands where, what each would
 * send next, what was done so far, and the line that does it again. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_exercise.h"
#include "tui/do_mover.h"
#include "tui/flow.h"
#include "tui/listing_view.h"
#include "tui/panel.h"

enum {
    TWO_COLUMNS = 72,
    THREE_COLUMNS = 132,
    SIDE_COLUMNS = 38, /* of three */
    ROOMY_ROWS = 14,   /* with fewer no row is left blank */
    LINE_ROWS = 2,
    CODE_LEAST = 3 /* lines, before anything else takes them */
};

/* ---- the goal --------------------------------------------------------------------------------------- */

static void switches_text(int count, char *text, size_t size)
{
    snprintf(text, size, ngettext("%d switch", "%d switches", (unsigned long)count), count);
}

static void par_text(const StepState *step, char *text, size_t size)
{
    char switches[60];
    text[0] = '\0';
    if (small_goal_reached(step, NULL)) {
        switches_text(step->view.preemptions, switches, sizeof switches);
        int used = snprintf(text, size, _("%s reached: %s"), theme_glyph(GLYPH_DONE), switches);
        if (step->par >= 0) snprintf(text + used, size - (size_t)used, _(", par %d"), step->par);
        return;
    }
    if (step->par < 0) return;
    switches_text(step->par, switches, sizeof switches);
    snprintf(text, size, _("par: %s"), switches);
}

/* With the learner's script there is nothing to be broken on purpose: what breaks is said. */
static Style own_goal(const StepState *step, char *goal, size_t size)
{
    for (int i = 0; step && i < INVARIANT_COUNT; i++) {
        if (step->view.verdict[i].state != VERDICT_BROKEN) continue;
        snprintf(goal, size, _("Your script. BROKEN: %s: %s"), invariant_name((Invariant)i),
                 step->view.verdict[i].detail);
        return STYLE_BROKEN;
    }
    for (int i = 0; step && i < step->view.actors; i++) {
        const StepActor *actor = &step->view.actor[i];
        if (!actor->answered || actor->answer != ANSWER_ERROR) continue;
        snprintf(goal, size, "%s", _("Your script: it ends with an error here."));
        return STYLE_BROKEN;
    }
    snprintf(goal, size, "%s", _("Your script: nothing is broken so far."));
    return STYLE_ACCENT;
}

/* The goal, what is needed for it at least, and, when asked for, the hint. Returns the rows used. */
static int goal_draw(const App *app, const StepState *step, const Area *area)
{
    const VariantText *text = variant_text(app->variant);
    char goal[1000], right[160] = "";
    bool reached = step && small_goal_reached(step, NULL);
    if (step && !exercise_is_on(app)) par_text(step, right, sizeof right);
    int columns = text_columns(right), room = area->columns - columns - 2;
    area_put_right(area, 0, area->columns, columns, reached ? STYLE_KEPT : STYLE_QUIET, right);

    Flow flow = {0};
    Style style = reached ? STYLE_KEPT : STYLE_ACCENT;
    if (exercise_is_on(app))
        style = own_goal(step, goal, sizeof goal);
    else if (text->goal)
        snprintf(goal, sizeof goal, _("Goal: %s"), text->goal);
    else
        snprintf(goal, sizeof goal, "%s", text->title);
    flow_text(&flow, style, goal, room, 0);
    if (app->small.hint && text->hint) {
        char hint[1000];
        snprintf(hint, sizeof hint, _("Hint: %s"), text->hint);
        flow_text(&flow, STYLE_TEXT, hint, area->columns, 0);
    }
    flow_draw(&flow, area, 0);
    int rows = flow.lines;
    flow_free(&flow);
    return rows;
}

/* ---- the line ------------------------------------------------------------------------------------------ */

static int line_rows(const char *line, int columns)
{
    return text_columns(line) <= columns ? 1 : LINE_ROWS;
}

/* All of it where it fits; in a single row the moves, of a long one the end. */
static void line_draw(const char *line, const char *moves, const Area *area)
{
    Flow flow = {0};
    bool whole = area->rows > 1 || text_columns(line) <= area->columns;
    flow_text(&flow, STYLE_QUIET, whole ? line : moves, area->columns, 0);
    flow_draw(&flow, area, flow.lines > area->rows ? flow.lines - area->rows : 0);
    flow_free(&flow);
}

/* ---- the columns --------------------------------------------------------------------------------------- */

static int wanted(const Panel *panel, const Scene *scene, int columns)
{
    return panel->update(scene, columns);
}

/* Draws `panel` at the bottom of `area`, which becomes so much shorter. */
static void put_below(const Panel *panel, const Scene *scene, Area *area, bool blank)
{
    int rows = wanted(panel, scene, area->columns);
    if (rows == 0 || rows > area->rows) return;
    Area part = area_part(area, area->rows - rows, 0, rows, area->columns);
    panel->draw(scene, &part);
    area->rows -= rows + blank;
    if (area->rows < 0) area->rows = 0;
}

/* The queue, or its first line alone, where `others` rows have to be left. */
static void put_queue_below(const Scene *scene, Area *area, int others)
{
    int rows = wanted(&panel_queue, scene, area->columns);
    if (rows + 1 + others > area->rows) rows = 1 + 1 + others <= area->rows && rows > 0;
    if (rows == 0) return;
    Area part = area_part(area, area->rows - rows, 0, rows, area->columns);
    panel_queue.draw(scene, &part);
    area->rows -= rows + 1;
}

static void put_rest(const Panel *panel, const Scene *scene, const Area *area)
{
    if (wanted(panel, scene, area->columns) > 0 && area->rows > 0) panel->draw(scene, area);
}

/* What stands in the timeline's place: the timeline, or, where i was pressed, one after the other of what has
 * something to show. */
static const Panel *side_panel(const App *app, const Scene *scene, int columns)
{
    static const Panel *const panels[] = {&panel_locks, &panel_queue, &panel_keys, &panel_told, &panel_invariants,
                                          &panel_code};
    enum { PANELS = sizeof panels / sizeof *panels };
    const Panel *here[1 + PANELS] = {&panel_timeline};
    int count = 1;
    for (int i = 0; i < PANELS; i++)
        if (wanted(panels[i], scene, columns) > 0) here[count++] = panels[i];
    return here[app->small.side % count];
}

static void one_column(const App *app, Scene *scene, const Area *area)
{
    Area rest = *area;
    scene->tight = true;
    put_below(&panel_holds, scene, &rest, false);
    put_below(&panel_changes, scene, &rest, false);
    int rows = wanted(&panel_next, scene, rest.columns) - 1; /* without its title */
    Area next = area_part(&rest, 0, 0, rows, rest.columns);
    put_rest(&panel_next, scene, &next);
    Area timeline = area_part(&rest, next.rows, 0, rest.rows - next.rows, rest.columns);
    put_rest(side_panel(app, scene, timeline.columns), scene, &timeline);
}

static void two_columns(const App *app, const Scene *scene, const Area *area)
{
    int right = area->columns * 47 / 100;
    Area code = area_part(area, 0, 0, area->rows, area->columns - right - 3);
    Area side = area_part(area, 0, area->columns - right, area->rows, right);
    area_rule(area, area->columns - right - 2);
    put_below(&panel_changes, scene, &code, true);
    put_below(&panel_locks, scene, &code, true);
    put_below(&panel_servers, scene, &code, true);
    put_queue_below(scene, &code, wanted(&panel_next, scene, code.columns) + 1 + CODE_LEAST);
    put_below(&panel_next, scene, &code, true);
    put_rest(&panel_code, scene, &code);
    put_below(&panel_holds, scene, &side, true);
    put_rest(side_panel(app, scene, side.columns), scene, &side);
}

static void three_columns(const Scene *scene, const Area *area)
{
    /* Few actors leave the larger half to the code. */
    int both = area->columns - SIDE_COLUMNS - 6;
    int left = scene->step->view.actors > 2 ? both / 2 : both * 55 / 100;
    Area code = area_part(area, 0, 0, area->rows, left);
    Area middle = area_part(area, 0, left + 3, area->rows, both - left);
    Area side = area_part(area, 0, both + 6, area->rows, SIDE_COLUMNS);
    area_rule(area, left + 1);
    area_rule(area, both + 4);

    int lines = wanted(&panel_code, scene, code.columns);
    int next = wanted(&panel_next, scene, code.columns);
    if (lines > code.rows - next - 1) lines = code.rows - next - 1;
    Area listing = area_part(&code, 0, 0, lines, code.columns);
    put_rest(&panel_code, scene, &listing);
    Area below = area_part(&code, lines + 1, 0, next, code.columns);
    put_rest(&panel_next, scene, &below);
    put_rest(&panel_timeline, scene, &middle);

    static const Panel *const panels[] = {&panel_told, &panel_queue, &panel_servers, &panel_locks, &panel_changes, &panel_invariants, NULL};
    panels_draw(panels, scene, &side, side.rows);
}

static void step_draw(App *app, const Area *area)
{
    Scene scene;
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    bool stands = small_scene(app, &scene);
    if (stands && listing_is_full()) {
        listing_draw(app, &scene, &inner);
        return;
    }
    bool roomy = area->rows > ROOMY_ROWS;
    int goal = goal_draw(app, stands ? scene.step : NULL, &inner) + roomy;
    if (!stands) return;

    char line[SCHEDULE_TEXT];
    int below = line_rows(small_line(app, line), inner.columns);
    if (!roomy) below = 1;
    Area last = area_part(&inner, inner.rows - below, 0, below, inner.columns);
    line_draw(line, scene.step->view.schedule, &last);
    Area body = area_part(&inner, goal, 0, inner.rows - goal - below - roomy, inner.columns);
    scene.listing_top = listing_top(app);
    scene.roomy = area->columns >= THREE_COLUMNS;
    if (area->columns < TWO_COLUMNS)
        one_column(app, &scene, &body);
    else if (area->columns < THREE_COLUMNS)
        two_columns(app, &scene, &body);
    else
        three_columns(&scene, &body);
}

/* ---- how things stand ------------------------------------------------------------------------------------ */

static void moves_text(const StepState *step, char *text, size_t size)
{
    char moves[60], switches[60];
    snprintf(moves, sizeof moves, ngettext("%d move", "%d moves", (unsigned long)step->view.rows),
             step->view.rows);
    switches_text(step->view.preemptions, switches, sizeof switches);
    int used = snprintf(text, size, _("%s, %s"), moves, switches);
    if (step->undone > 0)
        snprintf(text + used, size - (size_t)used, _(", %d undone"), step->undone);
}

/* Also what the variant is not said to break: a learner's own script may break anything. */
static bool any_broken(const StepState *step, Invariant *broken)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (step->view.verdict[i].state != VERDICT_BROKEN) continue;
        *broken = (Invariant)i;
        return true;
    }
    return false;
}

/* The sentence on the left, and how it is to be read. */
static Style step_words(const App *app, const StepState *step, char *text, size_t size)
{
    Invariant broken;
    if (app->small.opening || !step || step->view.actors == 0) {
        snprintf(text, size, "%s", _("making the small world ready"));
        return STYLE_QUIET;
    }
    if (step->broken) {
        snprintf(text, size, "%s", step->refusal);
        return STYLE_WARN;
    }
    if (step->playing) {
        snprintf(text, size, _("showing: move %d of %d"), step->view.rows,
                 step->view.rows + step->planned);
        return STYLE_ACCENT;
    }
    if (small_goal_reached(step, &broken) || (step->view.over && any_broken(step, &broken))) {
        const Verdict *verdict = &step->view.verdict[broken];
        if (verdict->detail[0])
            snprintf(text, size, _("%s is BROKEN: %s."), invariant_name(broken), verdict->detail);
        else
            snprintf(text, size, _("%s is BROKEN."), invariant_name(broken));
        return STYLE_BROKEN;
    }
    if (step->view.stuck) {
        snprintf(text, size, "%s", _("Somebody waits for ever: u goes back, R to the start."));
        return STYLE_WARN;
    }
    if (step->view.over) {
        snprintf(text, size, "%s", _("Everybody is done, and nothing broke: u goes back."));
        return STYLE_KEPT;
    }
    snprintf(text, size, "%s",
             step->view.rows ? _("Whose turn is it?") : _("You are the scheduler: whose turn is it?"));
    return STYLE_TEXT;
}

static void step_state(const App *app, const Area *line)
{
    const StepState *step = small_step_state(app);
    char text[400], right[160] = "";
    Style style = step_words(app, step, text, sizeof text);
    if (step && step->view.actors > 0) moves_text(step, right, sizeof right);
    int columns = text_columns(right);
    area_put_right(line, 0, line->columns - 1, columns, STYLE_QUIET, right);
    area_put(line, 0, 1, line->columns - columns - 4, style, text);
}

/* ---- moving -------------------------------------------------------------------------------------------------- */

static void hand_to(App *app, const StepView *view, int hand)
{
    if (view->actors > 0) app->small.hand = (hand + view->actors) % view->actors;
}

static void scroll_back(App *app, Motion motion)
{
    SmallWorld *small = &app->small;
    int lines = panel_timeline_lines(), rows = panel_timeline_rows();
    int top = scroll_kept(lines - rows - small->back, rows, lines);
    small->back = lines - rows - scroll_moved(top, motion, rows, lines);
    if (small->back < 0) small->back = 0;
}

static void step_move(App *app, Motion motion)
{
    const StepState *step = small_step_state(app);
    if (!step) return;
    if (listing_is_full()) {
        listing_move(app, motion);
        return;
    }
    switch (motion) {
    case MOTION_LEFT:
        hand_to(app, &step->view, app->small.hand - 1);
        break;
    case MOTION_RIGHT:
    case MOTION_TAB:
        hand_to(app, &step->view, app->small.hand + 1);
        break;
    case MOTION_CHOOSE:
        do_actor(app, app->small.hand);
        break;
    default:
        scroll_back(app, motion);
    }
}

static void step_click(App *app, const Hit *hit)
{
    if (hit->what == HIT_ACTOR) do_actor(app, hit->argument);
}

const View view_step = {"step", N_("Step"), step_draw, step_move, step_click, step_state};
