#include "tui/do_small.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_exercise.h"
#include "tui/explore_field.h"
#include "tui/popup.h"
#include "tui/term.h"
#include "tui/view_explore.h"

enum { SHOW_MS = 700, MOST_RACES = 10000 };

/* ---- when ------------------------------------------------------------------------------------------ */

bool can_step(const App *app)
{
    return !app_race_on(app);
}

bool can_move(const App *app)
{
    const StepState *step = small_step_state(app);
    return step && step->open && !step->broken;
}

bool has_hint(const App *app)
{
    return variant_text(app->variant)->hint && !exercise_is_on(app);
}

bool can_begin(const App *app)
{
    return !app_server_down(app);
}

bool can_open_cell(const App *app)
{
    const ExploreState *explore = small_explore_state(app);
    return explore && explore_field_hand(explore);
}

static bool prunes(const App *app)
{
    const ExploreState *explore = small_explore_state(app);
    return explore && explore->result.options.prune;
}

bool shows_classes(const App *app)
{
    return small_explore_state(app) && prunes(app);
}

bool shows_orders(const App *app)
{
    const ExploreState *explore = small_explore_state(app);
    return explore && !prunes(app) && explore->result.options.preemptions < 0;
}

/* ---- step mode ----------------------------------------------------------------------------------------- */

/* The report's own schedule, or why there is none. */
static void step_report(App *app)
{
    Scene scene;
    const Report *report = &app->report;
    if (!app_report_scene(app, &scene)) {
        small_step_again(app);
        return;
    }
    if (app->view.reproducing) {
        app_say(app, STYLE_ACCENT, "%s", _("The story is being turned into a schedule: a moment."));
        return;
    }
    if (!app_choose(app, scene.lesson, scene.variant)) return;
    if (report->schedule[0]) {
        small_step(app, &report->schedule_world, report->schedule);
        return;
    }
    small_step(app, &scene.variant->small, NULL);
    if (report->schedule_note[0]) app_say(app, STYLE_WARN, "%s", report->schedule_note);
}

void do_step(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    if (app->shown == VIEW_REPORT)
        step_report(app);
    else if (app->shown == VIEW_EXPLORE && small_explore_state(app))
        small_step(app, &small_explore_state(app)->result.spec, NULL);
    else
        small_step_again(app);
}

void do_undo(App *app, int ignored)
{
    (void)ignored;
    lab_step_undo(app->lab);
}

void do_redo(App *app, int ignored)
{
    (void)ignored;
    lab_step_redo(app->lab);
}

void do_random(App *app, int ignored)
{
    (void)ignored;
    lab_step_random(app->lab);
}

/* A world that was lost is made anew. */
void do_to_start(App *app, int ignored)
{
    (void)ignored;
    if (can_move(app))
        lab_step_restart(app->lab);
    else
        small_step(app, small_step_state(app) ? &small_step_state(app)->spec : &app->variant->small,
                   NULL);
}

/* The hint first, the solution when it is asked for once more. */
void do_show_me(App *app, int ignored)
{
    (void)ignored;
    const char *shortest = small_shortest(app, &small_step_state(app)->spec);
    if (!shortest) {
        app_say(app, STYLE_WARN, "%s",
                app->variant->mended ? _("No schedule breaks this variant. e goes through all of them.")
                                     : _("No schedule that breaks this world is known yet: e finds it."));
        return;
    }
    if (has_hint(app) && !app->small.hint) {
        app->small.hint = true;
        app_say(app, STYLE_ACCENT, "%s", _("The hint first. g once more shows how it is done."));
        return;
    }
    lab_step_play(app->lab, shortest, SHOW_MS);
}

void do_hint(App *app, int ignored)
{
    (void)ignored;
    app->small.hint = !app->small.hint;
}

/* ---- exploring ------------------------------------------------------------------------------------------- */

void do_explore(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    if (small_is_explored(app))
        app_show(app, VIEW_EXPLORE);
    else
        small_explore(app, CELLS_AUTO);
}

void do_explore_again(App *app, int cells)
{
    if (cells >= 0) app->small.bound = -1;
    small_explore(app, cells < 0 ? app->small.cells : (CellKind)cells);
}

void do_open_cell(App *app, int ignored)
{
    (void)ignored;
    static Schedule schedule;
    char moves[SCHEDULE_TEXT];
    if (popup_move(MOTION_CHOOSE)) return;
    const ExploreState *explore = small_explore_state(app);
    exploration_schedule(&explore->result, explore_field_hand(explore), &schedule);
    small_step(app, &explore->result.spec, schedule_write(&schedule, moves, sizeof moves));
}

void do_filter(App *app, int ignored)
{
    (void)ignored;
    view_explore_filter(app);
}

void do_shortest(App *app, int ignored)
{
    (void)app;
    (void)ignored;
    explore_field_follow();
}

/* ---- commands -------------------------------------------------------------------------------------------- */

/* In full, even where the line has no room for it. */
static void complain(App *app, const Error *error)
{
    if (text_columns(error->text) > term_columns() - 2)
        popup_open(_("That cannot be carried out"), error->text, true);
    else
        app_say(app, STYLE_WARN, "%s", error->text);
}

void command_step(App *app, const char *argument, int ignored)
{
    (void)ignored;
    static Schedule schedule;
    Error error;
    Spec spec;
    small_spec(app, &spec);
    if (!*argument)
        small_step_again(app);
    else if (schedule_parse(argument, &schedule, &error) &&
             schedule_text_fits(&spec, &schedule, &error))
        small_step(app, &spec, argument);
    else
        complain(app, &error);
}

void command_moves(App *app, const char *argument, int ignored)
{
    (void)ignored;
    static Schedule schedule;
    Error error;
    if (app->shown != VIEW_STEP || !can_move(app)) {
        app_say(app, STYLE_WARN, "%s", _("Nothing stands in step mode: s opens it."));
        return;
    }
    Spec spec = small_step_state(app)->spec;
    if (schedule_parse(argument, &schedule, &error) && schedule_text_fits(&spec, &schedule, &error))
        lab_step_move(app->lab, argument);
    else
        complain(app, &error);
}

void command_replay(App *app, const char *argument, int ignored)
{
    (void)ignored;
    static Schedule schedule;
    char moves[SCHEDULE_TEXT];
    Error error;
    Spec spec;
    const Lesson *lesson;
    const LessonVariant *variant;
    if (!schedule_text_read(app->course, argument, &lesson, &variant, &spec, &schedule, &error)) {
        complain(app, &error);
        return;
    }
    if (spec_actors(&spec) > STEP_ACTORS) {
        app_say(app, STYLE_WARN, _("At most %d can take turns, and this world has %d. Give fewer."),
                STEP_ACTORS, spec_actors(&spec));
        return;
    }
    if (!app_choose(app, lesson, variant)) return;
    small_step(app, &spec, schedule_write(&schedule, moves, sizeof moves));
}

/* "", "all", "classes", or a number of preemptions. */
void command_explore(App *app, const char *argument, int ignored)
{
    (void)ignored;
    char *end;
    long bound = strtol(argument, &end, 10);
    bool number = *argument && *end == '\0' && bound >= 0 && bound < CLASS_PREEMPTIONS;
    bool all = strcmp(argument, "all") == 0, classes = strcmp(argument, "classes") == 0;
    if (*argument && !number && !all && !classes) {
        app_say(app, STYLE_WARN,
                _(":explore takes nothing, all, classes, or a number of switches below %d."),
                CLASS_PREEMPTIONS);
        return;
    }
    app->small.bound = number ? (int)bound : -1;
    small_explore(app, all || number ? CELLS_ORDERS : classes ? CELLS_CLASSES : CELLS_AUTO);
}

void command_luck(App *app, const char *argument, int ignored)
{
    (void)ignored;
    char *end;
    long races = strtol(argument, &end, 10);
    if (*end || races < 1 || races > MOST_RACES) {
        app_say(app, STYLE_WARN, _(":luck takes a number of races from 1 to %d."), MOST_RACES);
        return;
    }
    app->small.races = (int)races;
    app->small.exploring = false;
    if (!small_is_explored(app)) {
        small_explore(app, CELLS_AUTO); /* the races come behind it */
        return;
    }
    app_show(app, VIEW_EXPLORE);
    if (can_step(app)) lab_luck(app->lab, &small_explore_state(app)->result.spec, (int)races);
}

void command_line_shown(App *app, const char *argument, int ignored)
{
    (void)argument;
    (void)ignored;
    char line[SCHEDULE_TEXT];
    if (*small_line(app, line))
        popup_open(_("The schedule, to be pasted behind :replay"), line, true);
    else
        app_say(app, STYLE_WARN, "%s", _("Nothing stands in step mode: s opens it."));
}
