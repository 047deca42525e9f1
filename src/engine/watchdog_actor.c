/* A node's watchdog: renews what is in its table, see step_port.h.
 *
 * In a race it is a thread that wakes every third of a lease. In step mode each hold may be renewed once, at any
 * moment: more would change nothing that another can see. */
#include <stdio.h>

#include "base/clock.h"
#include "base/futex.h"
#include "engine/step_port.h"
#include "engine/steps_core.h"

enum { LONGEST_SLEEP_NS = 1000000000, MS = 1000000 };

/* ---- renewing one -------------------------------------------------------------------------------------- */

typedef struct Charge {
    uint32_t holder; /* actor */
    Watched *watched;
} Charge;

static bool renew(Actor *me, const Charge *charge, StoreStatus *status)
{
    StepPort port;
    char owner[LOCK_OWNER_LENGTH];
    bool lost = false;
    step_port_owner(me->world, charge->holder, owner);
    step_port_open(&port, me, (LockKind)charge->watched->kind, charge->watched->key, owner,
                   charge->watched->server);
    port.renewing = true;
    port.lock.watchdog_ms = charge->watched->lease_ms;
    bool renewed = lock_renew(&port.lock, &lost);
    *status = lost ? STORE_LOST : STORE_OK;
    return renewed;
}

/* Refused: it is not the holder's any more, and is dropped. Lost: it is tried again. */
static void settle(const Charge *charge, bool renewed, StoreStatus status)
{
    Watched *watched = charge->watched;
    atomic_store(&watched->due_ns, clock_now_ns() + (uint64_t)watched->lease_ms * MS / 3);
    atomic_fetch_add(&watched->renewals, 1);
    if (!renewed && status == STORE_OK) atomic_store(&watched->live, 0);
}

/* ---- which one -------------------------------------------------------------------------------------------- */

typedef bool (*Wanted)(const Watched *watched, uint64_t now);

static bool is_due(const Watched *watched, uint64_t now)
{
    return atomic_load(&watched->due_ns) <= now;
}

static bool is_new(const Watched *watched, uint64_t now)
{
    (void)now;
    return atomic_load(&watched->renewals) == 0;
}

/* The first that is wanted, from that actor on; *first_due is when the next one is to be looked at. */
static bool find_charge(const Actor *me, Wanted wanted, uint32_t from, uint64_t *first_due, Charge *charge)
{
    const World *world = me->world;
    uint64_t now = clock_now_ns();
    for (uint32_t i = from; i < world->users; i++) {
        if (world_slot(world, i)->node != me->node) continue;
        for (int k = 0; k < ACTOR_WATCHES; k++) {
            Watched *watched = &world_watched(world, i)[k];
            if (!atomic_load(&watched->live)) continue;
            *charge = (Charge){i, watched};
            if (wanted(watched, now)) return true;
            uint64_t due = atomic_load(&watched->due_ns);
            if (due < *first_due) *first_due = due;
        }
    }
    return false;
}

/* ---- step mode ------------------------------------------------------------------------------------------------ */

/* The number of holds it has had to do with stands in its slot: whoever gives a lock back before it was renewed
 * adds to it (step_port.c). The lease that it renews does not run out before that: only a freeze of the node ends it,
 * which touches what the watchdog touches. */
static void renew_in_step(Actor *me, uint32_t *seen)
{
    World *world = me->world;
    Touch touch = {0};
    Charge charge;
    uint64_t ignored = 0;
    touch_add(&touch, touch_watch(me->node), true);
    StepCall call = {.step = STEP_RENEW, .touch = &touch, .signal = watch_signal(world, me->node) + 1,
                     .seen = *seen};
    gate_enter(me, &call);
    *seen = me->slot->next.wait.seen + 1;
    bool found = find_charge(me, is_new, 0, &ignored, &charge);
    StoreStatus status = STORE_OK;
    bool renewed = found && renew(me, &charge, &status);
    if (found) {
        call.key = charge.watched->key;
        call.argument = (int64_t)charge.watched->id;
        settle(&charge, renewed, status);
    }
    gate_leave(me, &call, status, renewed, 0);
}

/* ---- race ------------------------------------------------------------------------------------------------------- */

static void renew_in_race(Actor *me, const Charge *charge)
{
    Touch nothing = {0};
    StoreStatus status;
    StepCall call = {.step = STEP_RENEW, .key = charge->watched->key, .touch = &nothing,
                     .argument = (int64_t)charge->watched->id};
    gate_enter(me, &call);
    bool renewed = renew(me, charge, &status);
    settle(charge, renewed, status);
    gate_leave(me, &call, status, renewed, 0);
}

static uint64_t renew_all_due(Actor *me)
{
    uint64_t first_due = UINT64_MAX;
    Charge charge;
    for (uint32_t from = 0; find_charge(me, is_due, from, &first_due, &charge); from = charge.holder)
        renew_in_race(me, &charge);
    return first_due;
}

/* Until the first lease is due, or a lock is taken that is due sooner. It may have been taken while we looked. */
static void sleep_until(Actor *me, uint64_t due_ns)
{
    World *world = me->world;
    NodeSlot *node = &world->node[me->node];
    Signal *signal = world_signal_at(world, watch_signal(world, me->node));
    uint32_t seen = atomic_load(&signal->given);
    uint64_t first_due = UINT64_MAX, now = clock_now_ns();
    Charge ignored;
    atomic_store(&node->watch_wakes_ns, due_ns);
    if (find_charge(me, is_due, 0, &first_due, &ignored) || first_due < due_ns || due_ns <= now) return;
    atomic_fetch_add(&signal->waiters, 1);
    if (!atomic_load(&world->stop))
        futex_wait(&signal->given, seen, due_ns - now < LONGEST_SLEEP_NS ? due_ns - now : LONGEST_SLEEP_NS);
    atomic_fetch_sub(&signal->waiters, 1);
}

void watchdog_work(Actor *me)
{
    uint32_t seen = atomic_load(&world_signal_at(me->world, watch_signal(me->world, me->node))->given);
    while (gate_steps(me)) renew_in_step(me, &seen);
    while (!atomic_load(&me->world->stop) && !atomic_load(&me->world->quit)) sleep_until(me, renew_all_due(me));
}
