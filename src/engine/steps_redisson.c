/* The steps on Redisson's locks: what is in lock/, over a port whose every call is a step. See steps.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/futex.h"
#include "engine/step_port.h"
#include "engine/steps_core.h"

/* ---- names --------------------------------------------------------------------------------------- */

LockKey voucher_lock(VoucherId voucher)
{
    LockKey key;
    snprintf(key.text, sizeof key.text, "lock:voucher:%" PRId64, voucher);
    return key;
}

static RLock rlock_of(LockKey key, RLockKind kind)
{
    return (RLock){.key = key, .kind = kind, .token = -1, .left_ms = -1};
}

RLock redisson_get_lock(LockKey key)
{
    return rlock_of(key, RLOCK_REENTRANT);
}

RLock redisson_get_fair_lock(LockKey key)
{
    return rlock_of(key, RLOCK_FAIR);
}

RLock redisson_get_read_lock(LockKey key)
{
    return rlock_of(key, RLOCK_READ);
}

RLock redisson_get_write_lock(LockKey key)
{
    return rlock_of(key, RLOCK_WRITE);
}

/* ---- the lock of lock/, for one call ----------------------------------------------------------------- */

static const LockKind kinds[] = {[RLOCK_REENTRANT] = LOCK_REENTRANT, [RLOCK_FAIR] = LOCK_FAIR,
                                 [RLOCK_READ] = LOCK_READER, [RLOCK_WRITE] = LOCK_WRITER};

/* A latch is never used twice by one thread: its requests are counted on. */
static Lock *open_lock(StepPort *port, Actor *me, const RLock *lock)
{
    char owner[LOCK_OWNER_LENGTH];
    step_port_owner(me->world, (uint32_t)me->index, owner);
    step_port_open(port, me, kinds[lock->kind], lock->key.text, owner, lock->server);
    port->lock.watchdog_ms = step_port_lease(me, WATCHDOG_TIMEOUT_MS);
    port->lock.requests = me->give_backs;
    return &port->lock;
}

/* What Java throws leaves the purchase; else: was it taken? */
static bool judged(Actor *me, LockResult result)
{
    if (result == LOCK_LOST) actor_throw(me, ANSWER_UNKNOWN);
    if (result == LOCK_ERROR) actor_throw(me, ANSWER_ERROR);
    return result == LOCK_GOT;
}

bool redisson_try_lock(Actor *me, RLock *lock, int wait_ms, int lease_ms)
{
    StepPort port;
    Lock *inner = open_lock(&port, me, lock);
    return judged(me, lock_try_for(inner, wait_ms, step_port_lease(me, lease_ms)));
}

void redisson_lock(Actor *me, RLock *lock, int lease_ms)
{
    StepPort port;
    Lock *inner = open_lock(&port, me, lock);
    judged(me, lock_take(inner, step_port_lease(me, lease_ms)));
}

bool redisson_try_lock_fenced(Actor *me, RLock *lock, int lease_ms)
{
    StepPort port;
    Lock *inner = open_lock(&port, me, lock);
    bool got = judged(me, lock_try_fenced(inner, step_port_lease(me, lease_ms), NULL));
    lock->token = got ? (long)inner->token : -1;
    return got;
}

static LockResult give(Actor *me, const RLock *lock)
{
    StepPort port;
    Lock *inner = open_lock(&port, me, lock);
    LockResult result = lock_give(inner);
    me->give_backs = inner->requests;
    return result;
}

void redisson_unlock(Actor *me, RLock *lock)
{
    LockResult result = give(me, lock);
    if (result == LOCK_NOT_MINE) actor_throw(me, ANSWER_ERROR);
    judged(me, result);
}

bool redisson_unlock_quietly(Actor *me, RLock *lock)
{
    LockResult result = give(me, lock);
    judged(me, result);
    return result != LOCK_NOT_MINE;
}

/* ---- its parts ---------------------------------------------------------------------------------------------- */

bool redisson_attempt(Actor *me, RLock *lock, int lease_ms)
{
    StepPort port;
    int64_t left = -1;
    Lock *inner = open_lock(&port, me, lock);
    bool got = judged(me, lock_try(inner, step_port_lease(me, lease_ms), &left));
    lock->left_ms = left;
    return got;
}

void redisson_subscribe(Actor *me, RLock *lock)
{
    StepPort port;
    char channel[LOCK_KEY_LENGTH];
    Lock *inner = open_lock(&port, me, lock);
    if (!port.port.listen(&port, lock_key_channel(inner, channel))) actor_throw(me, ANSWER_UNKNOWN);
}

void redisson_sleep(Actor *me, RLock *lock)
{
    StepPort port;
    char channel[LOCK_KEY_LENGTH];
    Lock *inner = open_lock(&port, me, lock);
    port.port.wait(&port, lock_key_channel(inner, channel), lock->left_ms, false);
}

void redisson_unsubscribe(Actor *me, RLock *lock)
{
    StepPort port;
    char channel[LOCK_KEY_LENGTH];
    Lock *inner = open_lock(&port, me, lock);
    port.port.unlisten(&port, lock_key_channel(inner, channel));
}
