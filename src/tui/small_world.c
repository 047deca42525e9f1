#include "tui/small_world.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/app.h"
#include "tui/do_compare.h"
#include "tui/do_locks.h"
#include "tui/do_crash.h"
#include "tui/do_exercise.h"
#include "tui/explore_field.h"

enum {
    ORDERS_MOST = 5000, /* so many schedules, in so many seconds, are run without being asked */
    ORDERS_SECONDS = 10,
    LUCK_RACES = 200
};

void small_forget(SmallWorld *small)
{
    wish_start(&small->wish, &console_defaults);
    small->bound = -1;
    small->hint = false;
}

void small_start(SmallWorld *small)
{
    *small = (SmallWorld){.races = LUCK_RACES};
    small_forget(small);
}

/* ---- which world --------------------------------------------------------------------------------------- */

void small_spec(const App *app, Spec *spec)
{
    const int64_t *value = app->small.wish.value;
    *spec = app->variant->small;
    if (value[WISH_USERS] >= 0) spec->users = (int)value[WISH_USERS];
    if (value[WISH_STOCK] >= 0) spec->stock = (long)value[WISH_STOCK];
    if (value[WISH_NODES] >= 0) spec->nodes = (int)value[WISH_NODES];
    if (value[WISH_REQUESTS] >= 0) spec->requests = (int)value[WISH_REQUESTS];
}

static bool same_world(const Spec *one, const Spec *other)
{
    return one->variant == other->variant && one->own == other->own && one->users == other->users &&
           one->requests == other->requests && one->stock == other->stock &&
           one->nodes == other->nodes && one->faults == other->faults;
}

void small_wish(App *app, WishField field, const char *argument)
{
    Error error;
    Spec spec;
    Wish before = app->small.wish;
    if (!wish_set(&app->small.wish, field, argument, &error)) {
        app_say(app, STYLE_WARN, "%s", error.text);
        return;
    }
    small_spec(app, &spec);
    if (spec_actors(&spec) > STEP_ACTORS) {
        app->small.wish = before;
        app_say(app, STYLE_WARN, _("At most %d can take turns, and this world has %d. Give fewer."),
                STEP_ACTORS, spec_actors(&spec));
        return;
    }
    app->small.bound = -1;
    if (app->shown == VIEW_STEP)
        small_step(app, &spec, NULL);
    else if (app->shown == VIEW_CRASH)
        crash_anew(app);
    else
        small_explore(app, CELLS_AUTO);
}

/* ---- what there is --------------------------------------------------------------------------------- */

const StepState *small_step_state(const App *app)
{
    const StepState *step = app->view.step;
    bool this = step && step->spec.variant == app->variant->code && step->spec.own == app->variant->small.own;
    return this ? step : NULL;
}

const ExploreState *small_explore_state(const App *app)
{
    const ExploreState *explore = app->view.explore;
    bool this = explore && explore->serial && explore->result.spec.variant == app->variant->code &&
                explore->result.spec.own == app->variant->small.own;
    return this ? explore : NULL;
}

bool small_is_explored(const App *app)
{
    const ExploreState *explore = small_explore_state(app);
    Spec spec;
    small_spec(app, &spec);
    return explore && !explore->result.failed && explore->result.cells > 0 &&
           same_world(&spec, &explore->result.spec);
}

const Luck *small_luck(const App *app)
{
    const ExploreState *explore = small_explore_state(app);
    bool same = explore && explore->luck.wanted > 0 &&
                same_world(&explore->luck.spec, &explore->result.spec);
    return same ? &explore->luck : NULL;
}

bool small_scene(const App *app, Scene *scene)
{
    const StepState *step = small_step_state(app);
    if (!step || step->view.actors == 0) return false;
    *scene = (Scene){
        .view = &app->view,
        .lesson = app->lesson,
        .variant = app->variant,
        .spec = &step->spec,
        .step = step,
        .hand = app->small.hand,
        .lease = app->small.lease,
        .timeline_back = app->small.rows_seen == step->view.rows ? app->small.back : 0,
        .current = true,
        .now_ns = app->now_ns,
    };
    return true;
}


const char *small_shortest(const App *app, const Spec *spec)
{
    static char text[SCHEDULE_TEXT];
    static Schedule schedule;
    /* The schedule in the yaml is one of the lesson's own small world. */
    if (same_world(spec, &app->variant->small) && app->variant->shortest)
        return app->variant->shortest;
    if (exercise_moves(app, spec)) return exercise_moves(app, spec);
    const ExploreState *explore = small_explore_state(app);
    if (!explore || explore->result.shortest < 0 || !same_world(spec, &explore->result.spec))
        return NULL;
    exploration_schedule(&explore->result, &explore->result.cell[explore->result.shortest], &schedule);
    return schedule_write(&schedule, text, sizeof text);
}

bool small_goal_reached(const StepState *step, Invariant *broken)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (!step->spec.breaks[i] || step->view.verdict[i].state != VERDICT_BROKEN) continue;
        if (broken) *broken = (Invariant)i;
        return true;
    }
    return false;
}

const char *small_line(const App *app, char text[SCHEDULE_TEXT])
{
    static Schedule schedule;
    const StepState *step = small_step_state(app);
    text[0] = '\0';
    if (!step) return text;
    schedule.count = 0;
    if (step->view.schedule[0] && !schedule_parse(step->view.schedule, &schedule, NULL)) return text;
    return schedule_text_write(app->lesson, app->variant, &step->spec, &schedule, text);
}

bool small_is_shown(const App *app)
{
    return app->shown == VIEW_STEP || app->shown == VIEW_EXPLORE || app->shown == VIEW_CRASH;
}

bool small_runs(const App *app)
{
    const StepState *step = app->view.step;
    const ExploreState *explore = app->view.explore;
    return (step && step->playing) || (explore && (explore->running || explore->luck.running)) ||
           crash_runs(app) || compare_runs(app) || locks_run(app);
}

void small_stop(App *app)
{
    const StepState *step = app->view.step;
    app->small.exploring = false;
    if (step && step->playing)
        lab_step_stop(app->lab);
    else if (crash_runs(app))
        lab_crash_stop(app->lab);
    else if (compare_runs(app))
        lab_compare_stop(app->lab);
    else if (locks_run(app))
        lab_locks_stop(app->lab);
    else
        lab_explore_stop(app->lab);
}

/* ---- step mode ---------------------------------------------------------------------------------------- */

static bool may_begin(App *app)
{
    if (app_race_on(app))
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
    else if (app_server_down(app))
        app_say_down(app);
    else
        return true;
    return false;
}

void small_step(App *app, const Spec *spec, const char *moves)
{
    SmallWorld *small = &app->small;
    if (!may_begin(app)) return;
    small->spec = *spec;
    snprintf(small->moves, sizeof small->moves, "%s", moves ? moves : "");
    small->hand = small->back = 0;
    small->opening = true;
    small->exploring = false;
    small->asked = app->view.step_serial;
    app_show(app, VIEW_STEP);
    app_pend(app, PENDING_STEP);
}

void small_step_again(App *app)
{
    const StepState *step = small_step_state(app);
    Spec spec;
    small_spec(app, &spec);
    if (!step)
        small_step(app, &spec, NULL);
    else if (!step->open || step->broken)
        small_step(app, &step->spec, step->view.schedule);
    else
        app_show(app, VIEW_STEP);
}

void small_send_step(App *app)
{
    SmallWorld *small = &app->small;
    small->asked = app->view.step_serial;
    lab_step_open(app->lab, &small->spec, small_shortest(app, &small->spec),
                  small->moves[0] ? small->moves : NULL);
}

/* Who moved last is under the hand. */
static void follow_hand(SmallWorld *small, const StepView *view)
{
    if (small->rows_seen == view->rows) return;
    small->rows_seen = view->rows;
    small->back = 0;
    int last = view->rows > 0 ? view->row[view->rows - 1].actor : 0;
    if (last < view->actors) small->hand = last;
}

static void take_step(App *app)
{
    SmallWorld *small = &app->small;
    const StepState *step = app->view.step;
    if (!step) return;
    if (app->view.step_serial != small->asked && app->pending != PENDING_STEP) small->opening = false;
    follow_hand(small, &step->view);
    if (step->refused == small->refused_seen) return;
    small->refused_seen = step->refused;
    if (app->shown == VIEW_STEP) app_say(app, STYLE_WARN, "%s", step->refusal);
}

/* ---- exploring ---------------------------------------------------------------------------------------- */

void small_explore(App *app, CellKind cells)
{
    SmallWorld *small = &app->small;
    if (!may_begin(app)) return;
    small->cells = cells;
    small->exploring = true;
    small->lucky = false;
    small->explore_asked = app->view.explore ? app->view.explore->serial : 0;
    explore_field_follow();
    app_show(app, VIEW_EXPLORE);
    app_pend(app, PENDING_EXPLORE);
}

static void send_explore(App *app, bool prune)
{
    SmallWorld *small = &app->small;
    Spec spec;
    small_spec(app, &spec);
    ExploreOptions options = {.prune = prune, .preemptions = -1};
    if (spec.preemptions > 0) options.preemptions = spec.preemptions;
    if (small->bound >= 0) options.preemptions = small->bound;
    small->explore_asked = app->view.explore ? app->view.explore->serial : 0;
    lab_explore(app->lab, &spec, &options);
}

void small_send_explore(App *app)
{
    send_explore(app, app->small.cells != CELLS_ORDERS);
}

/* Few enough to run each of them, so that a cell is one order. */
static bool wants_orders(const SmallWorld *small, const Exploration *result)
{
    if (small->cells != CELLS_AUTO || !result->options.prune) return false;
    if (!result->complete || !result->counted || result->runs == 0) return false;
    double each = result->seconds / (double)(result->runs + result->repetitions);
    return result->unpruned <= ORDERS_MOST && result->unpruned * each <= ORDERS_SECONDS;
}

static void take_explore(App *app)
{
    SmallWorld *small = &app->small;
    const ExploreState *explore = small_explore_state(app);
    if (!explore || !small->exploring || app->pending == PENDING_EXPLORE) return;
    if (explore->serial == small->explore_asked || explore->running) return;
    if (app->shown != VIEW_EXPLORE || explore->stopped || !explore->result.complete) {
        small->exploring = false;
        return;
    }
    if (wants_orders(small, &explore->result)) {
        send_explore(app, false);
        return;
    }
    small->exploring = false;
    const Luck *luck = small_luck(app);
    if (small->lucky || (luck && luck->races >= small->races)) return;
    small->lucky = true;
    lab_luck(app->lab, &explore->result.spec, small->races);
}

void small_take(App *app)
{
    take_step(app);
    take_explore(app);
}
