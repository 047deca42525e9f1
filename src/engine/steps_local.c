/* The steps on a node's own mutexes. See steps.h.
 *
 * A mutex lives in world memory, so that the console sees its holder. In a race it is waited for by
 * futex, inside the step. In step mode an actor whose next step takes a lock that another holds
 * cannot be chosen (baton.c), so the step itself never waits. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/hash.h"
#include "engine/steps_core.h"

static Monitor monitor_named(const char *name, uint64_t object)
{
    Monitor monitor = {.object = object};
    snprintf(monitor.name, sizeof monitor.name, "%s", name);
    return monitor;
}

Monitor monitor_of_service(const Actor *me)
{
    (void)me;
    return monitor_named("this", hash_string(HASH_START, "this"));
}

static void user_text(const Actor *me, char *name, size_t size)
{
    snprintf(name, size, "user %lld", (long long)me->user);
}

Monitor monitor_of_user(const Actor *me)
{
    char name[48];
    user_text(me, name, sizeof name);
    return monitor_named(name, hash_string(HASH_START, name));
}

/* The same text; an object that nobody else can ever have. */
Monitor monitor_new(const Actor *me)
{
    char name[48];
    user_text(me, name, sizeof name);
    return monitor_named(name, 0);
}

/* ---- taking and giving back ------------------------------------------------------------------ */

static void lock_wait(Actor *me, LocalLock *lock)
{
    uint32_t mine = (uint32_t)me->index + 1, place = (uint32_t)(lock - world_locks(me->world));
    for (uint32_t holder = 0; !atomic_compare_exchange_strong(&lock->holder, &holder, mine); holder = 0) {
        atomic_store(&me->slot->waits_for_lock, place + 1);
        atomic_fetch_add(&lock->waiters, 1);
        futex_wait(&lock->holder, holder, STOP_LOOK_NS);
        atomic_fetch_sub(&lock->waiters, 1);
        atomic_store(&me->slot->waits_for_lock, 0);
        if (atomic_load(&me->world->stop)) actor_throw(me, ANSWER_UNKNOWN);
    }
}

static void lock_free(LocalLock *lock)
{
    atomic_store(&lock->holder, 0);
    if (atomic_load(&lock->waiters) > 0) futex_wake(&lock->holder, 1);
}

static LocalLock *find_lock(Actor *me, const Monitor *monitor)
{
    if (monitor->object == 0) return NULL;
    return world_local_lock(me->world, me->node, monitor->object, monitor->name);
}

static StepCall lock_call(Actor *me, StepId step, const Monitor *monitor, const LocalLock *lock, int move,
                          Touch *touch)
{
    uint64_t name = hash_string(HASH_START, monitor->name);
    *touch = (Touch){0};
    touch_add(touch, hash_string(name, "local"), true);
    uint32_t place = lock ? (uint32_t)(lock - world_locks(me->world)) + 1 : 0;
    world_name_lock(me->world, name, monitor->name);
    return (StepCall){.step = step, .key = monitor->name, .argument = (int64_t)name, .second = !lock,
                      .touch = touch, .lock = place, .lock_move = move};
}

void local_lock(Actor *me, Monitor monitor)
{
    Touch touch;
    LocalLock *lock = find_lock(me, &monitor);
    StepCall call = lock_call(me, STEP_LOCK, &monitor, lock, +1, &touch);
    gate_enter(me, &call);
    if (lock) lock_wait(me, lock);
    if (me->held_count < ACTOR_LOCKS) {
        me->held[me->held_count] = lock;
        me->monitor[me->held_count++] = monitor;
    }
    gate_leave(me, &call, STORE_OK, 1, 0);
}

static void forget_held(Actor *me, const LocalLock *lock)
{
    for (int i = me->held_count - 1; i >= 0; i--) {
        if (me->held[i] != lock) continue;
        for (; i + 1 < me->held_count; i++) {
            me->held[i] = me->held[i + 1];
            me->monitor[i] = me->monitor[i + 1];
        }
        me->held_count--;
        return;
    }
}

void local_unlock(Actor *me, Monitor monitor)
{
    Touch touch;
    LocalLock *lock = find_lock(me, &monitor);
    StepCall call = lock_call(me, STEP_UNLOCK, &monitor, lock, -1, &touch);
    gate_enter(me, &call);
    forget_held(me, lock);
    if (lock) lock_free(lock);
    gate_leave(me, &call, STORE_OK, 1, 0);
}

/* ---- what an error leaves behind -------------------------------------------------------------- */

static Answer unlock_last(Actor *me, VoucherId voucher)
{
    (void)voucher;
    local_unlock(me, me->monitor[me->held_count - 1]);
    return SOLD_OUT;
}

/* An error that leaves a synchronized block unlocks, as in Java; in a run that is given up it does so
 * without a step. */
void locals_unwind(Actor *me, int down_to)
{
    while (me->held_count > down_to) {
        int before = me->held_count;
        if (!atomic_load(&me->world->stop)) attempt(me, unlock_last, 0);
        if (me->held_count < before) continue;
        LocalLock *lock = me->held[--me->held_count];
        if (lock) lock_free(lock);
    }
}
