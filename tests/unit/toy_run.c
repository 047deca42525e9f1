/* toy_run.c -- a toy's runs, as stepper.c, stepper_strike.c and stepper_judge.c do them with
 * servers. */
#include <stdio.h>
#include <string.h>

#include "base/futex.h"
#include "engine/baton.h"
#include "engine/cluster.h"
#include "toy.h"

/* ---- coming to rest ----------------------------------------------------------------------- */

static bool is_blocked(Toy *toy, int actor)
{
    pthread_mutex_lock(&toy->mutex);
    bool blocked = toy->actor[actor].blocked;
    pthread_mutex_unlock(&toy->mutex);
    return blocked;
}

static bool at_rest(Toy *toy)
{
    if (atomic_load(&toy->world->baton) != BATON_SCHEDULER) return false;
    for (int i = 0; i < toy->actors; i++) {
        uint32_t state = atomic_load(&world_slot(toy->world, (unsigned)i)->state);
        if (state == ACTOR_RUNNING || (state == ACTOR_WAITING && !is_blocked(toy, i))) return false;
    }
    return true;
}

static void settle(Toy *toy)
{
    World *world = toy->world;
    for (;;) {
        uint32_t arrivals = atomic_load(&world->arrivals);
        for (int i = 0; i < toy->actors; i++)
            if (atomic_load(&world_slot(world, (unsigned)i)->state) == ACTOR_RUNNING &&
                is_blocked(toy, i))
                baton_take_from_waiting(world, (uint32_t)i);
        if (at_rest(toy)) return;
        futex_wait(&world->arrivals, arrivals, 0);
    }
}

/* ---- the clock and crashes ---------------------------------------------------------------- */

static void strike_clock(Toy *toy)
{
    Lease *lease = world_lease_due(toy->world, NULL);
    for (int i = TOY_LEASES; i < TOY_CELLS; i++) {
        char key[TOY_KEY];
        if (strcmp(toy_cell_key(i, key), lease->key) == 0) toy->row[i].value = 0;
    }
    atomic_store(&lease->live, 0);
}

static void leave_queues(Toy *toy, int actor)
{
    for (int i = 0; i < TOY_CELLS; i++) {
        ToyRow *row = &toy->row[i];
        for (int k = 0; k < row->waiters; k++) {
            if (row->waiter[k] != actor) continue;
            row->waiters--;
            memmove(&row->waiter[k], &row->waiter[k + 1],
                    (size_t)(row->waiters - k) * sizeof row->waiter[0]);
        }
    }
}

/* Its threads leave what they do, as if they were gone; the server rolls back. */
static void strike_node(Toy *toy, int node)
{
    pthread_mutex_lock(&toy->mutex);
    for (int i = 0; i < toy->actors; i++) {
        ToyActor *self = &toy->actor[i];
        uint32_t state = atomic_load(&self->actor.slot->state);
        self->killed =
            self->actor.node == node && (state == ACTOR_AT_GATE || state == ACTOR_WAITING);
        if (!self->killed) continue;
        self->blocked = false;
        leave_queues(toy, i);
        futex_bump(&self->actor.slot->grant);
    }
    for (int i = 0; i < toy->actors; i++)
        if (toy->actor[i].killed) toy_free_rows(toy, i, false);
    pthread_cond_broadcast(&toy->changed);
    for (int i = 0; i < toy->actors; i++)
        while (toy->actor[i].killed && !toy->actor[i].parked)
            pthread_cond_wait(&toy->changed, &toy->mutex);
    pthread_mutex_unlock(&toy->mutex);
    cluster_mark_dead(toy->world, node);
    if (toy->world->spec.stream == STREAM_NONE) return;
    toy->world->moves[atomic_load(&toy->world->move_count) - 1].sends = world_late(toy->world) + 1;
    world_give_signal(toy->world, world_late(toy->world));
}

static void strike(Toy *toy, uint32_t move)
{
    baton_note(toy->world, move);
    if (move == ACTOR_CLOCK)
        strike_clock(toy);
    else
        strike_node(toy, (int)move - ACTOR_CRASH);
}

/* ---- a run -------------------------------------------------------------------------------- */

static RunEnd walk(Toy *toy, Error *error)
{
    World *world = toy->world;
    for (;;) {
        settle(toy);
        bool done = atomic_load(&world->done) == world->actors;
        if (baton_enabled(world) == 0) return done ? RUN_COMPLETE : RUN_STUCK;
        if (world->blocked_by_sleep) return RUN_REPETITION;
        if (baton_is_full(world)) {
            error_set(error, "too long");
            return RUN_FAILED;
        }
        uint32_t wanted = world->wanted;
        world->wanted = 0;
        if (wanted)
            strike(toy, wanted);
        else if (!baton_pass(world, BATON_SCHEDULER) && !world->wanted)
            return world->blocked_by_sleep ? RUN_REPETITION : RUN_IMPOSSIBLE;
    }
}

static RunEnd run(void *data, const uint16_t *plan, int length, bool prune, ActorSet sleeping,
                  Error *error)
{
    Toy *toy = data;
    World *world = toy->world;
    toy_clean(toy);
    baton_rewind(world);
    memcpy(world->plan, plan, (size_t)length * sizeof *plan);
    world->plan_length = (uint32_t)length;
    world->run_on = 1;
    world->prune = prune;
    world->sleeping = sleeping;
    futex_bump(&world->go);
    RunEnd end = walk(toy, error);
    toy->running = end != RUN_COMPLETE;
    toy->stuck += end == RUN_STUCK;
    return end;
}

static const char *fate(const ToyActor *self)
{
    if (self->killed) return "x";
    if (self->failed) return "!";
    return atomic_load(&self->actor.slot->state) == ACTOR_DONE ? "" : "?"; /* stuck */
}

static bool judge(void *data, uint32_t *broken, char *outcome, int size, Error *error)
{
    (void)error;
    Toy *toy = data;
    int used = 0;
    for (int i = 0; i < TOY_CELLS; i++)
        used += snprintf(outcome + used, (size_t)(size - used), "%ld ", toy->row[i].value);
    for (int i = 0; i < toy->actors; i++)
        used += snprintf(outcome + used, (size_t)(size - used), " %c=%ld%s", 'A' + i,
                         toy->actor[i].killed ? 0 : toy->actor[i].told, fate(&toy->actor[i]));
    *broken = toy->judge(toy);
    return true;
}

static void close_toy(void *data)
{
    toy_close(data);
}

Runner toy_runner(Toy *toy)
{
    return (Runner){run, judge, close_toy, toy->world, toy};
}
