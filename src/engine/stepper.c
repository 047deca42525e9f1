#include "engine/stepper.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/cluster.h"
#include "engine/servers.h"
#include "engine/step_kind.h"
#include "engine/stepper_private.h"
#include "engine/touch.h"
#include "store/row_waits.h"

enum {
    ASK_SERVER_NS = 1000000, /* after so long without a move the server is asked who waits */
    ASK_SOON_NS = 50000,     /* the same, when the last move may have to wait for a row */
    GIVE_UP_S = 60              /* a step nobody can explain */
};

/* ---- opening ---------------------------------------------------------------------------------- */

Stepper *stepper_open(Stores *stores, const Spec *spec, Error *error)
{
    if (spec_actors(spec) > STEP_ACTORS) {
        error_set(error, _("At most %d actors can be stepped; this world has %d."), STEP_ACTORS,
                  spec_actors(spec));
        return NULL;
    }
    Stepper *stepper = calloc(1, sizeof *stepper);
    if (!stepper) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    stepper->stores = stores;
    stepper->spec = *spec;
    stepper->spec.pace_ms = 0;
    stepper->cluster.fd = -1;
    spec_setup(spec, &stepper->setup);
    SqlAddress sql;
    stores_addresses(stores, NULL, &sql);
    stepper->link = sql_link_open(&sql, true, error);
    if (!stepper->link || !stores_prepare(stores, &stepper->setup, error) ||
        !cluster_open(&stepper->cluster, stores, &stepper->spec, MODE_STEP, error)) {
        stepper_close(stepper);
        return NULL;
    }
    stepper->world = stepper->cluster.world;
    return stepper;
}

void stepper_close(Stepper *stepper)
{
    if (!stepper) return;
    cluster_close(&stepper->cluster);
    sql_link_close(stepper->link);
    free(stepper);
}

bool stepper_broken(const Stepper *stepper)
{
    return stepper->broken;
}

const World *stepper_world(const Stepper *stepper)
{
    return stepper->world;
}

/* ---- waiting for the world to come to rest ---------------------------------------------------------- */

static bool node_died(Stepper *stepper, Error *error)
{
    int dead = cluster_bury(&stepper->cluster);
    if (dead < 0) return false;
    stepper->broken = true;
    error_set(error, _("Node %d died. Start again with R."), dead + 1);
    return true;
}

static bool is_waiting(const Stepper *stepper, uint32_t actor, const RowWaits *waits)
{
    uint64_t id = atomic_load(&world_slot(stepper->world, actor)->sql_id);
    return id != 0 && row_waits_has(waits, id);
}

/* Actors that are in a step, or in the few lines after it. */
static ActorSet actors_under_way(const World *world)
{
    ActorSet under_way = 0;
    for (uint32_t i = 0; i < world->actors; i++) {
        uint32_t state = atomic_load(&world_slot(world, i)->state);
        if (state == ACTOR_RUNNING || state == ACTOR_WAITING) under_way |= actor_bit(i);
    }
    return under_way;
}

/* Asks InnoDB which of the actors that are inside a step wait for a row. Those are `waiting` from
 * now on, and the baton comes back from the one that had it. As long as one is under way and does
 * not wait, it may free the row of another one at any moment: then nothing is known for sure yet. */
static bool ask_server(Stepper *stepper, Error *error)
{
    RowWaits waits;
    ActorSet under_way = actors_under_way(stepper->world);
    if (!row_waits_read(stepper->link, &waits, error)) {
        stepper->broken = true;
        return false;
    }
    for (uint32_t i = 0; i < stepper->world->actors; i++) {
        uint32_t state = atomic_load(&world_slot(stepper->world, i)->state);
        bool waiting = is_waiting(stepper, i, &waits);
        if (state == ACTOR_RUNNING && waiting) baton_take_from_waiting(stepper->world, i);
        if (waiting) under_way &= ~actor_bit(i);
        stepper->known_waiting[i] = waiting;
    }
    if (under_way != 0 || !waits.settled) memset(stepper->known_waiting, 0, sizeof stepper->known_waiting);
    return true;
}

/* At rest: the scheduler has the baton, nobody runs, and every waiting actor was seen waiting by the
 * server after the last move. */
static bool at_rest(const Stepper *stepper)
{
    const World *world = stepper->world;
    if (atomic_load(&world->baton) != BATON_SCHEDULER) return false;
    for (uint32_t i = 0; i < world->actors; i++) {
        uint32_t state = atomic_load(&world_slot(world, i)->state);
        if (state == ACTOR_RUNNING) return false;
        if (state == ACTOR_WAITING && !stepper->known_waiting[i]) return false;
    }
    return true;
}

static uint64_t patience(const World *world)
{
    return atomic_load(&world->suspect) ? ASK_SOON_NS : ASK_SERVER_NS;
}

static bool must_ask(const Stepper *stepper, uint64_t since_ns)
{
    if (atomic_load(&stepper->world->waiting) > 0 &&
        atomic_load(&stepper->world->baton) == BATON_SCHEDULER)
        return true;
    return clock_now_ns() - since_ns >= patience(stepper->world);
}

/* Waits until the world is at rest. What the server says counts, not the time that passed: a slow
 * step is waited for, a waiting one is known as such. */
bool stepper_settle(Stepper *stepper, Error *error)
{
    World *world = stepper->world;
    uint64_t since = clock_now_ns();
    uint32_t moves = 0;
    memset(stepper->known_waiting, 0, sizeof stepper->known_waiting);
    for (;;) {
        uint32_t arrivals = atomic_load(&world->arrivals);
        if (at_rest(stepper)) return true;
        if (moves != atomic_load(&world->move_count)) {
            moves = atomic_load(&world->move_count);
            since = clock_now_ns();
        }
        if (must_ask(stepper, since)) {
            if (!ask_server(stepper, error)) return false;
            if (at_rest(stepper)) return true;
            if (node_died(stepper, error)) return false;
        }
        if (clock_now_ns() - since > GIVE_UP_S * 1000000000ull) {
            stepper->broken = true;
            return error_set(error, _("A step did not come to an end within %d s."), GIVE_UP_S);
        }
        futex_wait(&world->arrivals, arrivals, patience(world));
    }
}

/* ---- a run from its start ----------------------------------------------------------------------------- */

/* Everybody leaves the run at hand: those at a gate throw, those inside a server come back when the
 * transactions before them are rolled back. Nodes that were killed are started again. */
static bool end_run(Stepper *stepper, Error *error)
{
    World *world = stepper->world;
    if (stepper->running) baton_give_up(world);
    for (int i = 0; i < stepper->spec.nodes; i++)
        if (((atomic_load(&world->crashed) & ~world->restarted) >> i & 1) && !cluster_start(&stepper->cluster, i, error))
            return false;
    stepper->running = stepper->stuck = false;
    return cluster_wait_ready(&stepper->cluster, error);
}

static void forget_run(Stepper *stepper, const RunPlan *plan)
{
    World *world = stepper->world;
    baton_rewind(world);
    if (plan->length > 0) memcpy(world->plan, plan->plan, (size_t)plan->length * sizeof *plan->plan);
    world->plan_length = (uint32_t)plan->length;
    world->run_on = plan->run_on;
    world->prune = plan->prune;
    world->sleeping = plan->sleeping;
    for (uint32_t i = 0; i < world->actors; i++)
        stepper->first_event[i] = atomic_load(&world_slot(world, i)->written);
    stepper->first_console_event = atomic_load(&world_console(world)->written);
    stepper->rows = 0;
}

/* The stores as they were before the first step. */
static bool clean_stores(Stepper *stepper, Error *error)
{
    if (stepper->dirty == 0) return true;
    if (!stores_reset_parts(stepper->stores, &stepper->setup, stepper->dirty, error)) {
        stepper->broken = true;
        return false;
    }
    stepper->dirty = 0;
    servers_publish(stepper->world, stores_fleet_now(stepper->stores, NULL));
    return true;
}

bool stepper_begin(Stepper *stepper, const RunPlan *plan, Error *error)
{
    World *world = stepper->world;
    if (stepper->broken) return error_set(error, "%s", _("This world is broken. Start again with R."));
    if (!end_run(stepper, error) || !clean_stores(stepper, error)) return false;
    forget_run(stepper, plan);
    stepper->dirty = CLEAN_ALL;
    stepper->running = true;
    world->released_ns = clock_now_ns();
    futex_bump(&world->go);
    return stepper_settle(stepper, error);
}

bool stepper_reset(Stepper *stepper, Error *error)
{
    return stepper_begin(stepper, &(RunPlan){0}, error);
}

/* ---- a whole run -------------------------------------------------------------------------------- */

/* A lease that still lives runs out at last, so a run ends with nothing left that can move. */
static bool is_complete(const World *world)
{
    return world_is_over(world) && baton_enabled(world) == 0;
}

/* Nobody can ever move again: they wait for each other, or for somebody who is gone. */
bool stepper_is_stuck(const Stepper *stepper)
{
    const World *world = stepper->world;
    return atomic_load(&world->baton) == BATON_SCHEDULER && baton_enabled(world) == 0 && !world_is_over(world);
}

/* What the baton could not do by itself is done here: the clock's move, a crash, and every decision
 * while an actor waits in a server. */
static RunEnd walk(Stepper *stepper, Error *error)
{
    World *world = stepper->world;
    for (;;) {
        if (is_complete(world)) return RUN_COMPLETE;
        if (stepper_is_stuck(stepper)) return RUN_STUCK;
        if (world->blocked_by_sleep) return RUN_REPETITION;
        if (baton_is_full(world)) {
            error_set(error, _("A run has at most %d moves."), MAX_PLAN);
            return RUN_FAILED;
        }
        uint32_t wanted = world->wanted;
        world->wanted = 0;
        if (wanted) {
            if (!stepper_strike(stepper, wanted, NULL, error)) return RUN_FAILED;
        } else if (!baton_pass(world, BATON_SCHEDULER) && !world->wanted) {
            return world->blocked_by_sleep ? RUN_REPETITION : RUN_IMPOSSIBLE;
        }
        if (!stepper_settle(stepper, error)) return RUN_FAILED;
    }
}

static unsigned parts_of_resource(const Stepper *stepper, uint64_t resource)
{
    if (resource == touch_voucher(stepper->setup.voucher)) return CLEAN_VOUCHER;
    if (resource == touch_table(0) || resource == touch_table(1)) return CLEAN_NUMBERS;
    return CLEAN_ORDERS;
}

/* What the moves of the run at hand may have changed. A footprint that had no room for everything it
 * touches may have changed anything. */
static unsigned parts_written(const Stepper *stepper)
{
    const World *world = stepper->world;
    uint32_t count = atomic_load(&world->move_count);
    unsigned parts = 0;
    for (uint32_t i = 0; i < count && i < MAX_PLAN; i++) {
        const MoveEntry *move = &world->moves[i];
        const Touch *touch = &move->touch;
        if (touch->count == MAX_TOUCHES) return CLEAN_ALL;
        bool at_server = step_kinds[move->step].store == STEP_SERVER || move->actor >= ACTOR_SERVER;
        if (at_server && touch->writes) parts |= CLEAN_SERVERS;
        if (step_kinds[move->step].store == STEP_REDIS && touch->writes) parts |= CLEAN_REDIS;
        for (int k = 0; step_kinds[move->step].store == STEP_SQL && k < touch->count; k++)
            if (touch->writes >> k & 1) parts |= parts_of_resource(stepper, touch->resource[k]);
    }
    return parts;
}

RunEnd stepper_run(Stepper *stepper, const uint16_t *plan, int length, bool prune, ActorSet sleeping,
                   Error *error)
{
    RunPlan wanted = {plan, length, true, prune, sleeping};
    if (!stepper_begin(stepper, &wanted, error)) return RUN_FAILED;
    RunEnd end = walk(stepper, error);
    stepper->stuck = end == RUN_STUCK;
    bool all_done = stepper->world->actors == stepper->world->users; /* who works behind them still waits */
    if (end == RUN_COMPLETE && all_done) stepper->running = false;
    stepper->dirty = parts_written(stepper);
    return end;
}
