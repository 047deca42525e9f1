#include "engine/gate.h"

#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/hash.h"
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
    bool brings = event->kind == EVENT_STEP && step_kinds[event->step].result == RESULT_ENTRY;
    if (brings && event->status == STORE_OK && event->value >= 0) me->request++; /* a consumer begins with the next */
    event->request = me->request;
    event->line = (uint16_t)me->line;
    event->node = (uint8_t)me->node;
    ring_put(me->ring, world_ring_capacity(me->world, (unsigned)me->index), me->slot, event);
}

/* ---- switches ------------------------------------------------------------------------------- */

void gate_look(World *world)
{
    bool look = atomic_load(&world->fault_count) > 0 || atomic_load(&world->pace_ms) ||
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

static void wake_at_locks(World *world)
{
    LocalLock *locks = world_locks(world);
    for (uint32_t i = 0; atomic_load(&world->locks_made) > 0 && i < LOCAL_LOCKS; i++)
        if (atomic_load(&locks[i].waiters) > 0) futex_wake(&locks[i].holder, INT_MAX);
}

static void wake_at_signals(World *world)
{
    for (uint32_t i = 0; atomic_load(&world->signals_made) > 0 && i < SIGNALS; i++) {
        Signal *signal = world_signal_at(world, i);
        if (atomic_load(&signal->waiters) > 0) futex_wake(&signal->given, INT_MAX);
    }
}

/* Every word that an actor may be resting on changes, so that none falls asleep just afterwards. */
void gate_stop(World *world)
{
    atomic_store(&world->stop, 1);
    gate_pause(world, false);
    gate_pace(world, 0);
    futex_wake(&world->stop, INT_MAX);
    futex_wake(&world->servers.wish, INT_MAX);
    wake_at_locks(world);
    wake_at_signals(world);
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

/* ---- faults ----------------------------------------------------------------------------------- */

static void record_fault(Actor *me, const StepCall *call, const Fault *fault, uint64_t begin_ns)
{
    Event event = {.begin_ns = begin_ns, .end_ns = clock_now_ns(), .value = fault->ms,
                   .code = (uint32_t)fault->kind, .step = (uint16_t)call->step, .kind = EVENT_FAULT};
    if (fault->kind == FAULT_EXPIRE) { /* told like the clock's own move */
        event.code = CONSOLE_EXPIRED;
        event.argument = (int64_t)hash_string(HASH_START, fault->key);
    }
    record(me, &event);
}

static bool is_consumer(const Actor *me, int number)
{
    return me->slot->role == ROLE_CONSUMER && me->index == spec_actor(&me->world->spec, ROLE_CONSUMER, number - 1);
}

static bool is_hit(const Actor *me, const Fault *fault, const StepCall *call)
{
    return (fault->step == STEP_NONE || fault->step == (int)call->step) &&
           (fault->actor < 0 || fault->actor == me->index) &&
           (fault->consumer == 0 || is_consumer(me, fault->consumer)) && (fault->node < 0 || fault->node == me->node);
}

/* Sleeps; wakes early when the run stops. */
static void stall_for(World *world, uint64_t ns)
{
    uint64_t until = clock_now_ns() + ns;
    for (uint64_t now; (now = clock_now_ns()) < until && !atomic_load(&world->stop);)
        futex_wait(&world->stop, 0, until - now);
}

/* A fault of one actor or node is used up by the first who meets it. */
static bool claim(ArmedFault *armed)
{
    if (armed->fault.every) return atomic_load(&armed->armed);
    uint32_t yes = 1;
    return atomic_compare_exchange_strong(&armed->armed, &yes, 0);
}

/* The process stops itself in the middle of this call, all its threads with it, and goes on when
 * the console wakes it. */
static void freeze_node(Actor *me, int ms)
{
    atomic_store(&me->world->frozen_until_ns[me->node], clock_now_ns() + (uint64_t)ms * 1000000u);
    kill(getpid(), SIGSTOP);
}

/* The servers are the console's: it does it, while the actor stands here. */
static void wish_for(World *world, int move)
{
    uint32_t wish = (uint32_t)move + 1, none = 0;
    _Atomic uint32_t *place = &world->servers.wish;
    if (world->mode == MODE_STEP) return; /* there it is a move */
    while (!atomic_compare_exchange_strong(place, &none, wish)) {
        if (atomic_load(&world->stop)) return;
        futex_wait(place, none, STOP_LOOK_NS);
        none = 0;
    }
    while (atomic_load(place) == wish && !atomic_load(&world->stop)) futex_wait(place, wish, STOP_LOOK_NS);
}

static void suffer(Actor *me, const StepCall *call, const Fault *fault)
{
    uint64_t begin_ns = clock_now_ns();
    switch (fault->kind) {
    case FAULT_STALL:
    case FAULT_SLOW:
        stall_for(me->world, (uint64_t)fault->ms * 1000000u);
        break;
    case FAULT_FREEZE:
        freeze_node(me, fault->ms);
        break;
    default: /* an expiry: see suffer_expiry() */
        break;
    }
    /* Where there are no such servers, there is nobody who could carry it out. */
    if (fault_server_move(fault) >= 0 && me->world->servers.count > 0) wish_for(me->world, fault_server_move(fault));
    if (fault->kind != FAULT_SLOW) record_fault(me, call, fault, begin_ns);
    if (fault->kind == FAULT_CRASH) kill(getpid(), SIGKILL);
    if (fault->kind == FAULT_ERROR) actor_throw(me, ANSWER_ERROR);
}

/* Where the key is not there yet, the fault waits for it; it may be taken back meanwhile. */
static void suffer_expiry(Actor *me, const StepCall *call, ArmedFault *armed)
{
    enum { BUSY = 2 };
    uint32_t ready = 1, busy = BUSY;
    uint64_t begin_ns = clock_now_ns();
    if (!atomic_compare_exchange_strong(&armed->armed, &ready, BUSY)) return;
    bool ended = actor_expire_key(me, armed->fault.key);
    atomic_compare_exchange_strong(&armed->armed, &busy, ended ? 0 : 1);
    if (!ended) return;
    atomic_fetch_add(&armed->fired, 1);
    record_fault(me, call, &armed->fault, begin_ns);
}

/* `after`: the step has been executed and its reply is not acted upon yet. */
static void suffer_faults(Actor *me, const StepCall *call, bool after)
{
    World *world = me->world;
    uint32_t count = atomic_load(&world->fault_count);
    for (uint32_t i = 0; i < count; i++) {
        ArmedFault *armed = &world->fault[i];
        if (!atomic_load(&armed->armed) || armed->fault.after != after) continue;
        if (!is_hit(me, &armed->fault, call)) continue;
        if (armed->fault.kind == FAULT_EXPIRE) suffer_expiry(me, call, armed);
        if (armed->fault.kind == FAULT_EXPIRE || !claim(armed)) continue;
        atomic_fetch_add(&armed->fired, 1);
        suffer(me, call, &armed->fault);
    }
}

/* ---- the gate ------------------------------------------------------------------------------------ */

void gate_enter(Actor *me, StepCall *call)
{
    World *world = me->world;
    Slot *slot = me->slot;
    atomic_store_explicit(&slot->line, me->line, memory_order_relaxed);
    atomic_store_explicit(&slot->step, call->step, memory_order_relaxed);
    if (me->came_ns == 0) me->came_ns = clock_now_ns();
    if (gate_steps(me)) {
        baton_publish(me, call);
        baton_arrive(me, ACTOR_AT_GATE);
        baton_wait(me);
        if (atomic_load(&world->fault_count)) suffer_faults(me, call, false);
    } else if (atomic_load_explicit(&world->attention, memory_order_relaxed)) {
        suffer_faults(me, call, false);
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
    if (atomic_load_explicit(&me->world->fault_count, memory_order_relaxed))
        suffer_faults(me, call, true);
}

/* ---- signals --------------------------------------------------------------------------------------- */

void gate_idle(Actor *me, const StepCall *call)
{
    atomic_store(&me->slot->idle_seen, call->seen);
    atomic_store(&me->slot->idle_takes, call->takes);
    atomic_store(&me->slot->idle_signal, call->signal);
}

void gate_busy(Actor *me)
{
    atomic_store(&me->slot->idle_signal, 0);
}

/* The move that is being made, NULL past the last that is kept. */
static MoveEntry *move_at_hand(const Actor *me)
{
    uint32_t moves = atomic_load(&me->world->move_count);
    return gate_steps(me) && moves > 0 && moves <= MAX_PLAN ? &me->world->moves[moves - 1] : NULL;
}

bool gate_take(Actor *me, const StepCall *call)
{
    const Wait wait = {call->signal, call->seen, true, call->late};
    uint32_t took = world_take_signal(me->world, &wait);
    MoveEntry *move = move_at_hand(me);
    if (move) move->took = took;
    return took == call->signal;
}

bool gate_await(Actor *me, const StepCall *call, int64_t ms)
{
    World *world = me->world;
    Signal *signal = world_signal_at(world, call->signal - 1);
    if (gate_steps(me)) return atomic_load(&signal->given) > call->seen;
    uint64_t until = clock_now_ns() + (uint64_t)(ms > 0 ? ms : 0) * 1000000u, now = 0;
    gate_idle(me, call);
    atomic_fetch_add(&signal->waiters, 1);
    while (atomic_load(&signal->given) <= call->seen && !atomic_load(&world->stop)) {
        if (ms >= 0 && (now = clock_now_ns()) >= until) break;
        futex_wait(&signal->given, call->seen, ms < 0 ? STOP_LOOK_NS : until - now);
    }
    atomic_fetch_sub(&signal->waiters, 1);
    gate_busy(me);
    if (atomic_load(&world->stop)) actor_throw(me, ANSWER_UNKNOWN);
    return atomic_load(&signal->given) > call->seen;
}

void gate_send(Actor *me, uint32_t place)
{
    if (gate_steps(me)) world_note_signal(me->world, place);
    world_give_signal(me->world, place);
}

/* ---- answers -------------------------------------------------------------------------------------- */

static bool worth_remembering(AnswerKind kind)
{
    return kind == ANSWER_ORDERED || kind == ANSWER_ISSUED || kind == ANSWER_UNKNOWN;
}

void gate_answer(Actor *me, Answer answer)
{
    uint64_t now = clock_now_ns();
    if (me->asked_ns == 0) me->asked_ns = now;
    uint64_t came_ns = me->came_ns && !gate_steps(me) ? me->came_ns : me->asked_ns;
    if (worth_remembering(answer.kind)) 
        world_enter_answer(me->world, (uint32_t)me->index, answer, me->asked_ns);
    Event event = {.begin_ns = me->asked_ns, .end_ns = now, .value = answer.id,
                   .second = me->attempts, .code = (uint32_t)answer.kind, .kind = EVENT_ANSWER};
    record(me, &event);

    NodeSlot *node = &me->world->node[me->node];
    atomic_fetch_add_explicit(&node->latency[latency_bucket(now - came_ns)], 1,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&me->slot->answers[answer.kind], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&me->slot->answered, 1, memory_order_release);
    me->request++;
    me->attempts = 0;
    me->asked_ns = me->came_ns = 0;
}

/* ---- start and end of a run ------------------------------------------------------------------------ */

uint32_t gate_start(Actor *me, uint32_t seen)
{
    World *world = me->world;
    uint32_t state = atomic_load(&me->slot->state); /* later it stays DONE till the next run */
    if (state == ACTOR_ABSENT || state == ACTOR_DEAD) atomic_store(&me->slot->state, ACTOR_READY);
    atomic_store(&me->slot->at_start, 1);
    /* In a race only the last one wakes the console: ten thousand wake-ups would be too many. */
    bool last = atomic_fetch_add(&world->ready, 1) + 1 >= world->actors;
    if (last || gate_steps(me)) futex_bump(&world->arrivals);
    while (atomic_load(&world->go) == seen && !atomic_load(&world->quit))
        futex_wait(&world->go, seen, 0);
    atomic_store(&me->slot->at_start, 0);
    if (atomic_load(&world->quit)) return 0;
    me->request = atomic_load(&me->slot->begun);
    me->later_ms = 0;
    me->attempts = 0;
    me->asked_ns = me->came_ns = 0;
    me->turns = atomic_load(&me->slot->grant);
    me->slot->started_ns = clock_now_ns();
    atomic_store(&me->slot->state, ACTOR_RUNNING);
    return atomic_load(&world->go);
}

void gate_done(Actor *me)
{
    World *world = me->world;
    if (me->slot->role == ROLE_USER) atomic_fetch_add(&world->done, 1);
    if (gate_steps(me)) {
        baton_arrive(me, ACTOR_DONE);
    } else {
        atomic_store(&me->slot->state, ACTOR_DONE);
        if (atomic_load(&world->done) == world->users) futex_bump(&world->arrivals);
    }
}
