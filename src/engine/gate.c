#include "engine/gate.h"

#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/futex.h"
#include "engine/baton.h"
#include "engine/ring.h"

Actor *gate_at(Actor *me, int line)
{
    me->line = (uint32_t)line;
    return me;
}

/* ---- events ------------------------------------------------------------------------------- */

/* What all events of an actor have in common is filled in here. */
static void record(Actor *me, Event *event)
{
    event->request = me->request;
    event->line = (uint16_t)me->line;
    event->node = (uint8_t)me->node;
    ring_put(me->ring, me->world->ring_capacity, me->slot, event);
}

/* ---- switches ------------------------------------------------------------------------------- */

void gate_look(World *world)
{
    bool look = world->spec.stalls > 0 || atomic_load(&world->pace_ms) ||
                atomic_load(&world->paused) || atomic_load(&world->stop);
    atomic_store(&world->attention, look);
}

void gate_pause(World *world, bool pause)
{
    atomic_store(&world->paused, pause);
    gate_look(world);
    futex_wake(&world->paused, INT_MAX);
}

void gate_pace(World *world, int pace_ms)
{
    atomic_store(&world->pace_ms, (uint32_t)pace_ms);
    gate_look(world);
    futex_wake(&world->pace_ms, INT_MAX);
}

/* Every word that an actor may be resting on changes, so that none falls asleep just afterwards. */
void gate_stop(World *world)
{
    atomic_store(&world->stop, 1);
    gate_pause(world, false);
    gate_pace(world, 0);
    futex_wake(&world->stop, INT_MAX);
}

/* ---- race mode ------------------------------------------------------------------------------ */

static uint64_t random_next(Actor *me)
{
    me->random ^= me->random << 13;
    me->random ^= me->random >> 7;
    me->random ^= me->random << 17;
    return me->random;
}

/* Rests for pace_ms, a quarter more or less; wakes early when the pace changes or the run stops. */
static void keep_pace(Actor *me)
{
    World *world = me->world;
    uint32_t pace = atomic_load(&world->pace_ms);
    if (pace == 0) return;
    uint64_t rest = (uint64_t)pace * 750000u + random_next(me) % ((uint64_t)pace * 500000u);
    uint64_t until = clock_now_ns() + rest;
    for (;;) {
        uint64_t now = clock_now_ns();
        if (now >= until || atomic_load(&world->stop)) return;
        futex_wait(&world->pace_ms, pace, until - now);
        if (atomic_load(&world->pace_ms) != pace) return;
    }
}

static void keep_pause(World *world)
{
    while (atomic_load(&world->paused) && !atomic_load(&world->stop))
        futex_wait(&world->paused, 1, 0);
}

static void record_stall(Actor *me, const StepCall *call, uint64_t begin_ns, int ms)
{
    Event event = {.begin_ns = begin_ns, .end_ns = clock_now_ns(), .value = ms,
                   .step = (uint16_t)call->step, .kind = EVENT_FAULT};
    record(me, &event);
}

static bool stall_hits(const Actor *me, const Stall *stall, const StepCall *call)
{
    return stall->step == (int)call->step && (stall->actor < 0 || stall->actor == me->index) &&
           (stall->node < 0 || stall->node == me->node);
}

/* Sleeps; wakes early when the run stops. */
static void stall_for(World *world, uint64_t ns)
{
    uint64_t until = clock_now_ns() + ns;
    for (uint64_t now; (now = clock_now_ns()) < until && !atomic_load(&world->stop);)
        futex_wait(&world->stop, 0, until - now);
}

static void suffer_stalls(Actor *me, const StepCall *call)
{
    const Spec *spec = &me->world->spec;
    for (int i = 0; i < spec->stalls; i++) {
        if (!stall_hits(me, &spec->stall[i], call)) continue;
        uint64_t begin_ns = clock_now_ns();
        stall_for(me->world, (uint64_t)spec->stall[i].ms * 1000000u);
        record_stall(me, call, begin_ns, spec->stall[i].ms);
    }
}

/* ---- the gate ------------------------------------------------------------------------------------ */

void gate_enter(Actor *me, StepCall *call)
{
    World *world = me->world;
    Slot *slot = me->slot;
    atomic_store_explicit(&slot->line, me->line, memory_order_relaxed);
    atomic_store_explicit(&slot->step, call->step, memory_order_relaxed);
    if (gate_steps(me)) {
        baton_publish(me, call);
        baton_arrive(me, ACTOR_AT_GATE);
        baton_wait(me);
    } else if (atomic_load_explicit(&world->attention, memory_order_relaxed)) {
        suffer_stalls(me, call);
        keep_pace(me);
        keep_pause(world);
        if (atomic_load(&world->stop)) actor_throw(me, ANSWER_UNKNOWN);
    }
    if (step_kinds[call->step].attempt) me->attempts++;
    call->begin_ns = clock_now_ns();
    if (me->asked_ns == 0) me->asked_ns = call->begin_ns;
}

void gate_leave(Actor *me, StepCall *call, StoreStatus status, int64_t value, unsigned code)
{
    Event event = {.begin_ns = call->begin_ns,
                   .end_ns = clock_now_ns(),
                   .value = value,
                   .argument = call->argument,
                   .second = call->second,
                   .code = code,
                   .step = (uint16_t)call->step,
                   .kind = EVENT_STEP,
                   .status = (uint8_t)status};
    record(me, &event);
    if (gate_steps(me)) baton_step_over(me);
}

/* ---- answers -------------------------------------------------------------------------------------- */

static void enter_answer(Actor *me, Answer answer, uint64_t told_ns)
{
    World *world = me->world;
    uint64_t index = atomic_fetch_add(&world->answer_count, 1);
    if (index >= world->answer_capacity) return;
    AnswerEntry *entry = &world_answers(world)[index];
    entry->user = me->user;
    entry->id = answer.id;
    entry->actor = (uint32_t)me->index;
    entry->asked_ns = me->asked_ns;
    entry->told_ns = told_ns;
    atomic_store_explicit(&entry->kind, (uint32_t)answer.kind + 1, memory_order_release);
}

static bool worth_remembering(AnswerKind kind)
{
    return kind == ANSWER_ORDERED || kind == ANSWER_ISSUED || kind == ANSWER_UNKNOWN;
}

void gate_answer(Actor *me, Answer answer)
{
    uint64_t now = clock_now_ns();
    if (me->asked_ns == 0) me->asked_ns = now;
    if (worth_remembering(answer.kind)) enter_answer(me, answer, now);
    Event event = {.begin_ns = me->asked_ns, .end_ns = now, .value = answer.id,
                   .second = me->attempts, .code = (uint32_t)answer.kind, .kind = EVENT_ANSWER};
    record(me, &event);

    NodeSlot *node = &me->world->node[me->node];
    atomic_fetch_add_explicit(&node->latency[latency_bucket(now - me->asked_ns)], 1,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&me->slot->answers[answer.kind], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&me->slot->answered, 1, memory_order_release);
    me->request++;
    me->attempts = 0;
    me->asked_ns = 0;
}

/* ---- start and end of a run ------------------------------------------------------------------------ */

uint32_t gate_start(Actor *me, uint32_t seen)
{
    World *world = me->world;
    if (seen == 0) atomic_store(&me->slot->state, ACTOR_READY); /* later it stays DONE till the next run */
    if (atomic_fetch_add(&world->ready, 1) + 1 == world->actors) futex_bump(&world->arrivals);
    while (atomic_load(&world->go) == seen && !atomic_load(&world->quit))
        futex_wait(&world->go, seen, 0);
    if (atomic_load(&world->quit)) return 0;
    me->request = 0;
    me->attempts = 0;
    me->asked_ns = 0;
    me->turns = atomic_load(&me->slot->grant);
    me->slot->started_ns = clock_now_ns();
    atomic_store(&me->slot->state, ACTOR_RUNNING);
    return atomic_load(&world->go);
}

void gate_done(Actor *me)
{
    World *world = me->world;
    atomic_fetch_add(&world->done, 1);
    if (gate_steps(me)) {
        baton_arrive(me, ACTOR_DONE);
    } else {
        atomic_store(&me->slot->state, ACTOR_DONE);
        if (atomic_load(&world->done) == world->actors) futex_bump(&world->arrivals);
    }
}
