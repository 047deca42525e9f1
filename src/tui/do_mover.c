#include "tui/do_mover.h"

#include <stdio.h>

#include "base/i18n.h"
#include "engine/mover.h"
#include "engine/server_move.h"
#include "tui/do_small.h"

/* ---- who is there ------------------------------------------------------------------------------------ */

/* The actor of that role and number; -1: this world has none, or none stands. */
static int actor_of(const App *app, Role role, int number)
{
    return can_move(app) ? spec_actor(&small_step_state(app)->spec, role, number) : -1;
}

bool can_move_a(const App *app)
{
    return actor_of(app, ROLE_USER, 0) >= 0;
}

bool can_move_b(const App *app)
{
    return actor_of(app, ROLE_USER, 1) >= 0;
}

bool can_move_c(const App *app)
{
    return actor_of(app, ROLE_USER, 2) >= 0;
}

bool can_move_d(const App *app)
{
    return actor_of(app, ROLE_USER, 3) >= 0;
}

bool can_consume_c(const App *app)
{
    return !can_move_c(app) && actor_of(app, ROLE_CONSUMER, 0) >= 0;
}

bool can_consume_d(const App *app)
{
    return can_move_c(app) && !can_move_d(app) && actor_of(app, ROLE_CONSUMER, 0) >= 0;
}

bool can_consume_d2(const App *app)
{
    return !can_move_c(app) && actor_of(app, ROLE_CONSUMER, 1) >= 0;
}

bool can_watchdog(const App *app)
{
    return actor_of(app, ROLE_WATCHDOG, 0) >= 0;
}

/* ---- actors ------------------------------------------------------------------------------------------- */

void do_actor(App *app, int actor)
{
    char move[12];
    const StepState *step = small_step_state(app);
    if (!step || actor < 0) return;
    app->small.hand = actor;
    lab_step_move(app->lab, mover_name(&step->spec, actor, move));
}

void do_consumer(App *app, int number)
{
    do_actor(app, actor_of(app, ROLE_CONSUMER, number));
}

static int watchdog(const App *app)
{
    const StepState *step = small_step_state(app);
    int number = 0;
    for (int i = 0; step && i < step->view.actors; i++)
        if (spec_role(&step->spec, i, &number) == ROLE_WATCHDOG && actor_in(step->view.enabled, (unsigned)i)) return i;
    return actor_of(app, ROLE_WATCHDOG, 0);
}

void do_watchdog(App *app, int ignored)
{
    (void)ignored;
    do_actor(app, watchdog(app));
}

void do_run_on(App *app, int actor)
{
    lab_step_run_on(app->lab, actor < 0 ? app->small.hand : actor);
}

void do_run_on_consumer(App *app, int number)
{
    do_run_on(app, actor_of(app, ROLE_CONSUMER, number));
}

void do_run_on_watchdog(App *app, int ignored)
{
    (void)ignored;
    do_run_on(app, watchdog(app));
}

/* ---- what no actor does ---------------------------------------------------------------------------------- */

static bool enabled(const App *app, int mover)
{
    return can_move(app) && actor_in(small_step_state(app)->view.enabled, (unsigned)mover);
}

/* The node that this can happen to: the one under the hand comes first. -1: none. */
static int node_for(const App *app, int first_mover)
{
    if (!can_move(app)) return -1;
    const StepView *view = &small_step_state(app)->view;
    int own = app->small.hand < view->actors ? view->actor[app->small.hand].node : 0;
    if (enabled(app, first_mover + own)) return own;
    for (int i = 0; i < MAX_NODES; i++)
        if (enabled(app, first_mover + i)) return i;
    return -1;
}

static void strike(App *app, int first_mover, const char *sign)
{
    char move[16];
    int node = node_for(app, first_mover);
    if (node < 0) return;
    snprintf(move, sizeof move, "%sn%d", sign, node + 1);
    lab_step_move(app->lab, move);
}

bool can_clock(const App *app)
{
    return enabled(app, ACTOR_CLOCK);
}

bool can_crash(const App *app)
{
    return node_for(app, ACTOR_CRASH) >= 0;
}

bool can_start_again(const App *app)
{
    return node_for(app, ACTOR_START) >= 0;
}

bool can_freeze(const App *app)
{
    return node_for(app, ACTOR_FREEZE) >= 0;
}

void do_clock(App *app, int ignored)
{
    (void)ignored;
    char move[SCHEDULE_KEY + 8] = "clk";
    const StepView *view = &small_step_state(app)->view;
    if (view->leases > 1) snprintf(move, sizeof move, "clk:%s", view->lease[app->small.lease % view->leases]);
    lab_step_move(app->lab, move);
}

bool can_choose_lease(const App *app)
{
    return can_clock(app) && small_step_state(app)->view.leases > 1;
}

void do_lease(App *app, int ignored)
{
    (void)ignored;
    const StepView *view = &small_step_state(app)->view;
    app->small.lease = (app->small.lease + 1) % view->leases;
    app_say(app, STYLE_ACCENT, _("The clock ends this lease next: %s (%d of %d)."), view->lease[app->small.lease],
            app->small.lease + 1, view->leases);
}

void do_side(App *app, int ignored)
{
    (void)ignored;
    app->small.side++;
}

void do_crash(App *app, int ignored)
{
    (void)ignored;
    strike(app, ACTOR_CRASH, "!");
}

void do_start_again(App *app, int ignored)
{
    (void)ignored;
    strike(app, ACTOR_START, "^");
}

void do_freeze(App *app, int ignored)
{
    (void)ignored;
    strike(app, ACTOR_FREEZE, "~");
}

/* ---- servers ----------------------------------------------------------------------------------------------- */

/* The first of `count` deeds that is possible for that server, as a mover; -1: none. */
static int server_mover(const App *app, const ServerMove *deeds, int count, int server)
{
    for (int i = 0; can_move(app) && i < count; i++) {
        int mover = ACTOR_SERVER + server_move(deeds[i], server);
        if (actor_in(small_step_state(app)->view.enabled, (unsigned)mover)) return mover;
    }
    return -1;
}

static const ServerMove failing_over[] = {SERVER_DOES_FAILOVER}, cutting[] = {SERVER_DOES_CUT},
                        mending[] = {SERVER_DOES_MEND}, striking[] = {SERVER_DOES_KILL},
                        raising[] = {SERVER_DOES_EMPTY, SERVER_DOES_KEPT};

bool can_fail_over(const App *app)
{
    return server_mover(app, failing_over, 1, 0) >= 0;
}

bool can_cut(const App *app)
{
    return server_mover(app, cutting, 1, 0) >= 0;
}

bool can_mend(const App *app)
{
    return server_mover(app, mending, 1, 0) >= 0;
}

bool can_strike_1(const App *app)
{
    return server_mover(app, striking, 1, 0) >= 0;
}

bool can_strike_2(const App *app)
{
    return server_mover(app, striking, 1, 1) >= 0;
}

bool can_strike_3(const App *app)
{
    return server_mover(app, striking, 1, 2) >= 0;
}

bool can_raise_1(const App *app)
{
    return server_mover(app, raising, 2, 0) >= 0;
}

bool can_raise_2(const App *app)
{
    return server_mover(app, raising, 2, 1) >= 0;
}

bool can_raise_3(const App *app)
{
    return server_mover(app, raising, 2, 2) >= 0;
}

bool has_strikes(const App *app)
{
    return can_move(app) && (small_step_state(app)->spec.server_moves >> SERVER_DOES_KILL & 1);
}

static void make_server_move(App *app, int mover)
{
    char text[SCHEDULE_KEY];
    if (mover < 0) return;
    Schedule one = {.count = 1, .move = {mover_move(&small_step_state(app)->spec, mover)}};
    lab_step_move(app->lab, schedule_write(&one, text, sizeof text));
}

void do_fail_over(App *app, int ignored)
{
    (void)ignored;
    make_server_move(app, server_mover(app, failing_over, 1, 0));
}

void do_cut(App *app, int ignored)
{
    (void)ignored;
    make_server_move(app, server_mover(app, cutting, 1, 0));
}

void do_mend(App *app, int ignored)
{
    (void)ignored;
    make_server_move(app, server_mover(app, mending, 1, 0));
}

void do_strike_server(App *app, int server)
{
    make_server_move(app, server_mover(app, striking, 1, server));
}

void do_raise_server(App *app, int server)
{
    make_server_move(app, server_mover(app, raising, 2, server));
}

/* A key pressed once too often must not leave the world that one has made. */
void do_no_strike(App *app, int ignored)
{
    (void)ignored;
    app_say(app, STYLE_WARN, "%s", _("Nothing more can happen to that server here. c: all lessons."));
}
