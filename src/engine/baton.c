#include "engine/baton.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/futex.h"
#include "engine/strikes.h"
#include "engine/touch.h"

/* ---- choosing ------------------------------------------------------------------------------- */

/* A step that takes a local lock cannot be chosen while another actor holds it. */
static bool lock_is_free(const World *world, uint32_t actor)
{
    const NextStep *next = &world_slot(world, actor)->next;
    if (next->lock == 0 || next->lock_move < 0) return true;
    return atomic_load(&world_locks(world)[next->lock - 1].holder) == 0;
}

/* Nor one that waits for a signal, before it was given. */
static bool signal_came(const World *world, uint32_t actor)
{
    return !world_waits_in_vain(world, &world_slot(world, actor)->next.wait);
}

static bool step_is_possible(const World *world, uint32_t actor)
{
    return lock_is_free(world, actor) && signal_came(world, actor);
}

static bool can_move(const World *world, uint32_t actor)
{
    if (actor >= STEP_ACTORS) return strike_can(world, actor);
    return actor < world->actors &&
           atomic_load(&world_slot(world, actor)->state) == ACTOR_AT_GATE && step_is_possible(world, actor);
}

ActorSet baton_enabled(const World *world)
{
    ActorSet enabled = strikes_possible(world);
    for (uint32_t i = 0; i < world->actors; i++)
        if (can_move(world, i)) enabled |= actor_bit(i);
    return enabled;
}

ActorSet baton_locked_out(const World *world)
{
    ActorSet out = 0;
    for (uint32_t i = 0; i < world->actors; i++)
        if (atomic_load(&world_slot(world, i)->state) == ACTOR_AT_GATE && !step_is_possible(world, i))
            out |= actor_bit(i);
    return out;
}

static ActorSet waiting_actors(const World *world)
{
    ActorSet waiting = 0;
    for (uint32_t i = 0; i < world->actors; i++)
        if (atomic_load(&world_slot(world, i)->state) == ACTOR_WAITING) waiting |= actor_bit(i);
    return waiting;
}

bool baton_is_full(const World *world)
{
    return atomic_load(&world->move_count) >= MAX_PLAN;
}

/* Past the plan: the same actor goes on, so that a run has no switch without need. */
static uint32_t choose_run_on(World *world, uint32_t from)
{
    ActorSet enabled = baton_enabled(world);
    ActorSet awake = enabled & ~world->sleeping;
    if (enabled != 0 && awake == 0) world->blocked_by_sleep = 1;
    if (awake == 0) return BATON_SCHEDULER;
    if (from < world->actors && actor_in(awake, from)) return from;
    return (uint32_t)__builtin_ctzll(awake);
}

/* The clock and a crash interrupt nobody: the actor before them goes on. */
static uint32_t last_actor(const World *world)
{
    for (uint32_t i = atomic_load(&world->move_count); i > 0; i--)
        if (world->moves[i - 1].actor < STEP_ACTORS) return world->moves[i - 1].actor;
    return BATON_SCHEDULER;
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
    if (from >= world->actors) from = last_actor(world);
    return choose_run_on(world, from);
}

/* Where it stood when its node was killed: at a gate, or inside a server. */
static bool died_at_gate(const World *world, uint32_t actor)
{
    uint32_t count = atomic_load(&world->move_count);
    uint32_t crash = ACTOR_CRASH + (uint32_t)world_slot(world, actor)->node;
    for (uint32_t i = 0; i < count && i < MAX_PLAN; i++)
        if (world->moves[i].actor == crash)
            return (world->moves[i].enabled | world->moves[i].locked_out) >> actor & 1;
    return false;
}

void baton_left(const World *world, Left left[STEP_ACTORS])
{
    for (uint32_t i = 0; i < STEP_ACTORS; i++) left[i] = (Left){0};
    for (uint32_t i = 0; i < world->actors && i < STEP_ACTORS; i++) {
        const Slot *slot = world_slot(world, i);
        uint32_t state = atomic_load(&slot->state);
        left[i].killed = state == ACTOR_DEAD;
        left[i].stands = state == ACTOR_AT_GATE || (left[i].killed && died_at_gate(world, i));
        left[i].lock = slot->next.lock_move > 0 ? slot->next.lock : 0;
        left[i].wait = slot->next.wait;
    }
}

/* ---- giving ---------------------------------------------------------------------------------- */

Touch baton_touch(const World *world, uint32_t actor)
{
    return actor < world->actors ? world_slot(world, actor)->next.touch : strike_touch(world, actor);
}

/* Sleepers whose step conflicts with the one that is made now wake up. */
static void wake_sleepers(World *world, uint32_t actor)
{
    Touch made = baton_touch(world, actor);
    world->sleeping &= ~actor_bit(actor);
    for (uint32_t i = 0; i < MOVERS; i++) {
        if (!actor_in(world->sleeping, i)) continue;
        Touch pending = baton_touch(world, i);
        if (touch_conflict(&pending, &made)) world->sleeping &= ~actor_bit(i);
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
    const NextStep *next = actor < world->actors ? &world_slot(world, actor)->next : NULL;
    bool past_plan = world->position >= world->plan_length && count >= world->plan_length;
    world->moves[count] = (MoveEntry){.actor = (uint16_t)actor,
                                      .step = next ? next->step : STEP_NONE,
                                      .enabled = baton_enabled(world),
                                      .sleeping = past_plan ? world->sleeping : 0,
                                      .waiting = waiting_actors(world),
                                      .locked_out = baton_locked_out(world),
                                      .lock = next ? next->lock : 0,
                                      .lock_move = next ? next->lock_move : 0,
                                      .wait = next ? next->wait : (Wait){0},
                                      .touch = baton_touch(world, actor)};
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

bool baton_note(World *world, uint32_t actor)
{
    if (!can_move(world, actor)) return false;
    note_move(world, actor);
    return true;
}

/* The clock's move and a crash are made by the scheduler: it finds in `wanted` which. */
bool baton_pass(World *world, uint32_t from)
{
    uint32_t next = choose(world, from);
    world->wanted = next != BATON_SCHEDULER && next >= STEP_ACTORS ? next : 0;
    if (next != BATON_SCHEDULER && next < STEP_ACTORS) {
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

/* Leases, crashes and faults are as at the start again. */
static void forget_faults(World *world)
{
    atomic_store(&world->crashed, 0);
    atomic_store(&world->crashed_ns, 0);
    world->restarted = world->frozen = 0;
    world->servers.happened = 0;
    world_forget_signals(world);
    world_open_queues(world);
    world_forget_watched(world, -1);
    for (int i = 0; i < LEASES; i++) atomic_store(&world->lease[i].live, 0);
    for (int i = 0; i < world->spec.faults; i++) {
        atomic_store(&world->fault[i].armed, 1);
        atomic_store(&world->fault[i].fired, 0);
    }
}

static void forget_answers(World *world)
{
    uint64_t answers = atomic_exchange(&world->answer_count, 0);
    if (answers > world->answer_capacity) answers = world->answer_capacity;
    for (uint64_t i = 0; i < answers; i++) world_answers(world)[i].kind = 0;
    for (uint32_t i = 0; i < world->actors; i++) {
        Slot *slot = world_slot(world, i);
        atomic_store(&slot->answered, 0);
        atomic_store(&slot->begun, 0);
        for (int kind = 0; kind < ANSWER_COUNT; kind++) atomic_store(&slot->answers[kind], 0);
    }
}

void baton_rewind(World *world)
{
    forget_answers(world);
    forget_faults(world);
    atomic_store(&world->stop, 0);
    atomic_store(&world->done, 0);
    atomic_store(&world->ready, 0);
    atomic_store(&world->waiting, 0);
    atomic_store(&world->move_count, 0);
    atomic_store(&world->suspect, 0);
    atomic_store(&world->baton, BATON_NOBODY);
    atomic_store(&world->starting, world->actors);
    world->position = world->plan_length = 0;
    world->run_on = world->prune = world->sleeping = world->blocked_by_sleep = world->wanted = 0;
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
    /* Every holder of the baton reads all slots, and stores the baton when it is through. That store may
     * have come to us by way of the scheduler's process; taken up here, the slot is ours again. */
    (void)atomic_load(&me->world->baton);
    NextStep *next = &me->slot->next;
    next->step = (uint16_t)call->step;
    next->line = (uint16_t)me->line;
    next->argument = call->argument;
    next->second = call->second;
    snprintf(next->key, sizeof next->key, "%s", call->key ? call->key : "");
    next->touch = *call->touch;
    next->lock = call->lock;
    next->lock_move = (int8_t)call->lock_move;
    next->wait = call->may_end ? (Wait){0} : (Wait){call->signal, call->seen, call->takes, call->late};
    me->slot->held = me->in_transaction ? me->written : (Touch){0};
    touch_asking(me, &next->touch);
    if (me->world->spec.fault_crash) touch_add(&next->touch, touch_node(me->node), false);
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
