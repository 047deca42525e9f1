#include "engine/baton.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/futex.h"
#include "engine/touch.h"

/* ---- choosing ------------------------------------------------------------------------------- */

static bool can_move(const World *world, uint32_t actor)
{
    return actor < world->actors && atomic_load(&world_slot(world, actor)->state) == ACTOR_AT_GATE;
}

uint32_t baton_enabled(const World *world)
{
    uint32_t enabled = 0;
    for (uint32_t i = 0; i < world->actors; i++)
        if (can_move(world, i)) enabled |= 1u << i;
    return enabled;
}

static uint32_t waiting_actors(const World *world)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < world->actors; i++)
        if (atomic_load(&world_slot(world, i)->state) == ACTOR_WAITING) waiting |= 1u << i;
    return waiting;
}

bool baton_is_full(const World *world)
{
    return atomic_load(&world->move_count) >= MAX_PLAN;
}

/* Past the plan: the same actor goes on, so that a run has no switch without need. */
static uint32_t choose_run_on(World *world, uint32_t from)
{
    uint32_t enabled = baton_enabled(world);
    uint32_t awake = enabled & ~world->sleeping;
    if (enabled != 0 && awake == 0) world->blocked_by_sleep = 1;
    if (awake == 0) return BATON_SCHEDULER;
    if (from < world->actors && awake >> from & 1) return from;
    return (uint32_t)__builtin_ctz(awake);
}

static uint32_t choose(World *world, uint32_t from)
{
    if (atomic_load(&world->waiting) > 0 && from != BATON_SCHEDULER) return BATON_SCHEDULER;
    if (atomic_load(&world->stop) || baton_is_full(world)) return BATON_SCHEDULER;
    if (world->position < world->plan_length) {
        uint32_t next = world->plan[world->position];
        if (!can_move(world, next)) return BATON_SCHEDULER;
        world->position++;
        return next;
    }
    if (!world->run_on) return BATON_SCHEDULER;
    if (from >= world->actors) {
        uint32_t count = atomic_load(&world->move_count);
        if (count > 0) from = world->moves[count - 1].actor;
    }
    return choose_run_on(world, from);
}

/* ---- giving ---------------------------------------------------------------------------------- */

/* Sleepers whose step conflicts with the one that is made now wake up. */
static void wake_sleepers(World *world, uint32_t actor)
{
    const Touch *made = &world_slot(world, actor)->next.touch;
    world->sleeping &= ~(1u << actor);
    for (uint32_t i = 0; i < world->actors; i++) {
        if (!(world->sleeping >> i & 1)) continue;
        if (touch_conflict(&world_slot(world, i)->next.touch, made)) world->sleeping &= ~(1u << i);
    }
}

/* True when another actor's open transaction has written what this one's step will write. It decides
 * only how soon the server is asked, never what is believed. */
static bool may_wait(const World *world, uint32_t actor)
{
    const Touch *wanted = &world_slot(world, actor)->next.touch;
    for (uint32_t i = 0; i < world->actors; i++)
        if (i != actor && touch_both_write(&world_slot(world, i)->held, wanted)) return true;
    return false;
}

static void note_move(World *world, uint32_t actor)
{
    uint32_t count = atomic_load(&world->move_count);
    if (count >= MAX_PLAN) return;
    const NextStep *next = &world_slot(world, actor)->next;
    bool past_plan = world->position >= world->plan_length && count >= world->plan_length;
    world->moves[count] = (MoveEntry){.actor = (uint16_t)actor,
                                      .step = next->step,
                                      .enabled = baton_enabled(world),
                                      .sleeping = past_plan ? world->sleeping : 0,
                                      .waiting = waiting_actors(world),
                                      .touch = next->touch};
    atomic_store(&world->move_count, count + 1);
    if (world->prune && past_plan) wake_sleepers(world, actor);
}

static void give(World *world, uint32_t actor, uint32_t from)
{
    Slot *slot = world_slot(world, actor);
    bool suspect = may_wait(world, actor);
    note_move(world, actor);
    atomic_store(&world->baton, actor);
    atomic_store(&slot->state, ACTOR_RUNNING);
    atomic_fetch_add(&slot->grant, 1);
    if (actor != from) futex_wake(&slot->grant, 1);
    if (atomic_exchange(&world->suspect, suspect) != suspect && suspect && from != BATON_SCHEDULER)
        futex_bump(&world->arrivals);
}

bool baton_give(World *world, uint32_t actor)
{
    if (!can_move(world, actor)) return false;
    give(world, actor, BATON_SCHEDULER);
    return true;
}

bool baton_pass(World *world, uint32_t from)
{
    uint32_t next = choose(world, from);
    if (next != BATON_SCHEDULER) {
        give(world, next, from);
        return true;
    }
    atomic_store(&world->baton, BATON_SCHEDULER);
    if (from != BATON_SCHEDULER) futex_bump(&world->arrivals);
    return false;
}

bool baton_take_from_waiting(World *world, uint32_t actor)
{
    uint32_t running = ACTOR_RUNNING;
    atomic_fetch_add(&world->waiting, 1);
    if (!atomic_compare_exchange_strong(&world_slot(world, actor)->state, &running, ACTOR_WAITING)) {
        atomic_fetch_sub(&world->waiting, 1);
        return false;
    }
    uint32_t holder = actor;
    atomic_compare_exchange_strong(&world->baton, &holder, BATON_SCHEDULER);
    return true;
}

void baton_give_up(World *world)
{
    atomic_store(&world->stop, 1);
    for (uint32_t i = 0; i < world->actors; i++) futex_bump(&world_slot(world, i)->grant);
}

static void forget_answers(World *world)
{
    uint64_t answers = atomic_exchange(&world->answer_count, 0);
    if (answers > world->answer_capacity) answers = world->answer_capacity;
    for (uint64_t i = 0; i < answers; i++) world_answers(world)[i].kind = 0;
    for (uint32_t i = 0; i < world->actors; i++) {
        Slot *slot = world_slot(world, i);
        atomic_store(&slot->answered, 0);
        for (int kind = 0; kind < ANSWER_COUNT; kind++) atomic_store(&slot->answers[kind], 0);
    }
}

void baton_rewind(World *world)
{
    forget_answers(world);
    atomic_store(&world->stop, 0);
    atomic_store(&world->done, 0);
    atomic_store(&world->ready, 0);
    atomic_store(&world->waiting, 0);
    atomic_store(&world->move_count, 0);
    atomic_store(&world->suspect, 0);
    atomic_store(&world->baton, BATON_NOBODY);
    atomic_store(&world->starting, world->actors);
    world->position = world->plan_length = 0;
    world->run_on = world->prune = world->sleeping = world->blocked_by_sleep = 0;
    for (uint32_t i = 0; i < world->actors; i++) /* until it comes to its first gate */
        atomic_store(&world_slot(world, i)->state, ACTOR_RUNNING);
}

/* ---- for actors -------------------------------------------------------------------------------- */

/* Some invariants speak of what came after what: "asked for after the other was told". With the last
 * step of a request its answer is told, and which step is the last is not known beforehand; so the
 * first step of a request conflicts with every step of the others. */
static void touch_asking(const Actor *me, Touch *touch)
{
    const Spec *spec = &me->world->spec;
    if (!spec->breaks[IDS_ASCEND] && !spec->keeps[IDS_ASCEND]) return;
    touch_add(touch, touch_order_of_asking(), me->asked_ns == 0);
}

void baton_publish(Actor *me, const StepCall *call)
{
    NextStep *next = &me->slot->next;
    next->step = (uint16_t)call->step;
    next->line = (uint16_t)me->line;
    next->argument = call->argument;
    next->second = call->second;
    snprintf(next->key, sizeof next->key, "%s", call->key ? call->key : "");
    next->touch = *call->touch;
    me->slot->held = me->in_transaction ? me->written : (Touch){0};
    touch_asking(me, &next->touch);
}

void baton_arrive(Actor *me, ActorState state)
{
    World *world = me->world;
    bool had_baton = atomic_load(&world->baton) == (uint32_t)me->index;
    if (state == ACTOR_DONE) me->slot->held = (Touch){0};
    atomic_store(&me->slot->state, state);
    if (me->waited) atomic_fetch_sub(&world->waiting, 1);
    me->waited = false;
    if (atomic_load(&world->baton) == BATON_NOBODY) {
        if (atomic_fetch_sub(&world->starting, 1) == 1) baton_pass(world, BATON_NOBODY);
    } else if (had_baton) {
        baton_pass(world, (uint32_t)me->index);
    } else {
        futex_bump(&world->arrivals);
    }
}

void baton_wait(Actor *me)
{
    Slot *slot = me->slot;
    const World *world = me->world;
    while (atomic_load(&slot->grant) == me->turns) {
        if (atomic_load(&world->quit) || atomic_load(&world->stop)) break;
        futex_wait(&slot->grant, me->turns, 0);
    }
    me->turns = atomic_load(&slot->grant);
    if (!atomic_load(&world->quit) && !atomic_load(&world->stop)) return;
    atomic_store(&slot->state, ACTOR_RUNNING);
    actor_throw(me, ANSWER_UNKNOWN);
}

void baton_step_over(Actor *me)
{
    uint32_t waiting = ACTOR_WAITING;
    me->waited = atomic_compare_exchange_strong(&me->slot->state, &waiting, ACTOR_RUNNING);
}
