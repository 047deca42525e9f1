#include "tui/do_crash.h"

#include <stdio.h>

#include "base/i18n.h"
#include "tui/explore_field.h"
#include "tui/popup.h"
#include "tui/view_crash.h"

/* What was asked for last. */
static struct {
    Spec spec;
    char moves[SCHEDULE_TEXT]; /* empty: everyone in turn */
    unsigned serial;           /* of the table that was there then */
} asked;

bool can_crash_table(const App *app)
{
    return !app_race_on(app) && app->variant->small.fault_crash;
}

bool can_crash_again(const App *app)
{
    return !app_race_on(app) && crash_state(app) && !crash_runs(app);
}

bool can_open_crash(const App *app)
{
    return !app_race_on(app) && view_crash_chosen(app) != NULL;
}

const CrashState *crash_state(const App *app)
{
    const CrashState *crash = app->view.crash;
    if (!crash || app->pending == PENDING_CRASH || crash->serial == asked.serial) return NULL;
    const Spec *spec = &crash->table.spec;
    return spec->variant == app->variant->code && spec->own == app->variant->small.own ? crash : NULL;
}

bool crash_runs(const App *app)
{
    return app->view.crash && app->view.crash->running;
}

/* ---- asking ------------------------------------------------------------------------------------------- */

static void ask(App *app, const Spec *spec, const char *moves)
{
    popup_close();
    if (app_race_on(app)) {
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
        return;
    }
    if (app_server_down(app)) {
        app_say_down(app);
        return;
    }
    asked.spec = *spec;
    snprintf(asked.moves, sizeof asked.moves, "%s", moves ? moves : "");
    if (app->shown != VIEW_CRASH) app->above[VIEW_CRASH] = app->shown;
    view_crash_start();
    app_show(app, VIEW_CRASH);
    app_pend(app, PENDING_CRASH);
}

void crash_send(App *app)
{
    asked.serial = app->view.crash ? app->view.crash->serial : 0;
    lab_crash_table(app->lab, &asked.spec, asked.moves[0] ? asked.moves : NULL);
}

/* Of a schedule only what users and the clock do can be walked: a crash is the table's own. */
static const char *without_crashes(const char *moves, char text[SCHEDULE_TEXT])
{
    static Schedule schedule, kept;
    if (!moves || !schedule_parse(moves, &schedule, NULL)) return NULL;
    kept.count = 0;
    for (int i = 0; i < schedule.count; i++)
        if (schedule.move[i].kind == MOVE_USER || schedule.move[i].kind == MOVE_CLOCK)
            kept.move[kept.count++] = schedule.move[i];
    return kept.count == schedule.count ? schedule_write(&kept, text, SCHEDULE_TEXT) : NULL;
}

void crash_anew(App *app)
{
    char text[SCHEDULE_TEXT];
    Spec spec;
    small_spec(app, &spec);
    ask(app, &spec, without_crashes(small_shortest(app, &spec), text));
}

void do_crash_table(App *app, int ignored)
{
    (void)ignored;
    static Schedule schedule;
    char moves[SCHEDULE_TEXT], text[SCHEDULE_TEXT];
    const StepState *step = app->shown == VIEW_STEP ? small_step_state(app) : NULL;
    const ExploreState *explore = app->shown == VIEW_EXPLORE ? small_explore_state(app) : NULL;
    if (step && step->view.rows > 0) {
        ask(app, &step->spec, without_crashes(step->view.schedule, text));
    } else if (explore && explore_field_hand(explore)) {
        exploration_schedule(&explore->result, explore_field_hand(explore), &schedule);
        schedule_write(&schedule, moves, sizeof moves);
        ask(app, &explore->result.spec, without_crashes(moves, text));
    } else {
        crash_anew(app);
    }
}

void do_crash_again(App *app, int ignored)
{
    (void)ignored;
    const Spec spec = asked.spec;
    char moves[SCHEDULE_TEXT];
    snprintf(moves, sizeof moves, "%s", asked.moves);
    ask(app, &spec, moves);
}

void do_open_crash(App *app, int ignored)
{
    (void)ignored;
    const CrashRow *row = view_crash_chosen(app);
    const Spec spec = app->view.crash->table.spec;
    if (row) small_step(app, &spec, row->schedule);
}

void command_crash_table(App *app, const char *argument, int ignored)
{
    (void)ignored;
    static Schedule schedule;
    Error error;
    Spec spec;
    small_spec(app, &spec);
    spec.fault_crash = true;
    if (!*argument)
        do_crash_table(app, 0);
    else if (schedule_parse(argument, &schedule, &error) && schedule_text_fits(&spec, &schedule, &error))
        ask(app, &spec, argument);
    else
        app_say(app, STYLE_WARN, "%s", error.text);
}
