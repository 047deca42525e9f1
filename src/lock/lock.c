#include "lock/lock.h"

#include <stdio.h>

#include "lock/lock_private.h"

static _Thread_local char last_error[160];

void lock_init(Lock *lock, LockPort *port, LockKind kind, const char *name, const char *owner)
{
    *lock = (Lock){.port = port, .kind = kind, .watchdog_ms = LOCK_WATCHDOG_MS,
                   .fair_wait_ms = LOCK_FAIR_WAIT_MS, .token = -1};
    snprintf(lock->name, sizeof lock->name, "%s", name);
    snprintf(lock->owner, sizeof lock->owner, "%s", owner);
}

const char *lock_error(void)
{
    return last_error;
}

LockResult lock_trouble(const LockReply *reply)
{
    snprintf(last_error, sizeof last_error, "%s", reply->text);
    return reply->kind == LOCK_REPLY_LOST ? LOCK_LOST : LOCK_ERROR;
}

/* ---- the watchdog ------------------------------------------------------------------------------- */

static void start_watching(Lock *lock, int64_t lease_ms)
{
    if (lease_ms < 0 && lock->port->watch) lock->port->watch(lock->port->data, lock);
}

static void stop_watching(Lock *lock)
{
    if (lock->port->unwatch) lock->port->unwatch(lock->port->data, lock);
}

bool lock_renew(Lock *lock, bool *lost)
{
    LockReply reply = lock_send_renew(lock);
    bool failed = reply.kind == LOCK_REPLY_LOST || reply.kind == LOCK_REPLY_ERROR;
    if (lost) *lost = failed;
    return !failed && reply.kind == LOCK_REPLY_NUMBER && reply.number == 1;
}

/* ---- taking ----------------------------------------------------------------------------------------- */

static LockResult attempt(Lock *lock, int64_t lease_ms, bool queue, int64_t *left)
{
    lock->unleased = lease_ms < 0;
    LockReply reply = lock_send_take(lock, lease_ms < 0 ? lock->watchdog_ms : lease_ms, queue);
    if (reply.kind == LOCK_REPLY_LOST || reply.kind == LOCK_REPLY_ERROR) return lock_trouble(&reply);
    if (reply.kind == LOCK_REPLY_NIL) {
        start_watching(lock, lease_ms);
        return LOCK_GOT;
    }
    if (left) *left = reply.number;
    return LOCK_REFUSED;
}

LockResult lock_try(Lock *lock, int64_t lease_ms, int64_t *left)
{
    return attempt(lock, lease_ms, false, left);
}

LockResult lock_try_fenced(Lock *lock, int64_t lease_ms, int64_t *left)
{
    lock->unleased = lease_ms < 0;
    LockReply reply = lock_send_take_fenced(lock, lease_ms < 0 ? lock->watchdog_ms : lease_ms);
    if (reply.kind != LOCK_REPLY_PAIR) return lock_trouble(&reply);
    if (left) *left = reply.number;
    if (reply.second < 0) return LOCK_REFUSED;
    lock->token = reply.second;
    start_watching(lock, lease_ms);
    return LOCK_GOT;
}

/* How long to sleep: until the other's lease ends, or the time is up. A lock without a lease (-1) is
 * waited for by its message alone. */
static int64_t sleep_for(int64_t left, bool bounded, int64_t budget)
{
    if (left < 0) return bounded ? budget : -1;
    return bounded && budget < left ? budget : left;
}

static LockResult give_up(Lock *lock)
{
    if (lock->kind == LOCK_FAIR) lock_send_leave(lock);
    return LOCK_REFUSED;
}

/* After listening began: tries at once, since what was published before is not heard any more. */
static LockResult listen_and_try(Lock *lock, const char *channel, int64_t lease_ms, bool bounded,
                                 int64_t until)
{
    LockPort *port = lock->port;
    for (;;) {
        int64_t left = -1;
        LockResult result = attempt(lock, lease_ms, true, &left);
        if (result != LOCK_REFUSED) return result;
        int64_t budget = until - port->now(port->data);
        if (bounded && budget <= 0) return give_up(lock);
        bool last = bounded && (left < 0 || budget <= left);
        port->wait(port->data, channel, sleep_for(left, bounded, budget), last);
        if (bounded && port->now(port->data) >= until) return give_up(lock);
    }
}

static LockResult take_until(Lock *lock, int64_t lease_ms, bool bounded, int64_t until)
{
    char channel[LOCK_KEY_LENGTH];
    LockPort *port = lock->port;
    int64_t left = -1;
    LockResult result = attempt(lock, lease_ms, true, &left);
    if (result != LOCK_REFUSED) return result;
    if (bounded && port->now(port->data) >= until) return give_up(lock);
    lock_key_channel(lock, channel);
    if (!port->listen(port->data, channel)) return LOCK_LOST;
    result = listen_and_try(lock, channel, lease_ms, bounded, until);
    port->unlisten(port->data, channel);
    return result;
}

LockResult lock_try_for(Lock *lock, int64_t wait_ms, int64_t lease_ms)
{
    if (wait_ms <= 0) return lock_try(lock, lease_ms, NULL);
    return take_until(lock, lease_ms, true, lock->port->now(lock->port->data) + wait_ms);
}

LockResult lock_take(Lock *lock, int64_t lease_ms)
{
    return take_until(lock, lease_ms, false, 0);
}

/* ---- giving back --------------------------------------------------------------------------------------- */

/* The answer is here: the latch has done its work. */
LockResult lock_give_again(Lock *lock)
{
    char latch[LOCK_KEY_LENGTH];
    LockReply reply = lock_send_give(lock);
    stop_watching(lock);
    if (reply.kind == LOCK_REPLY_NUMBER) lock->port->forget(lock->port->data, lock_key_latch(lock, latch));
    if (reply.kind == LOCK_REPLY_LOST || reply.kind == LOCK_REPLY_ERROR) return lock_trouble(&reply);
    if (reply.kind == LOCK_REPLY_NIL) return LOCK_NOT_MINE;
    return reply.number == 1 ? LOCK_GOT : LOCK_KEPT;
}

LockResult lock_give(Lock *lock)
{
    lock->requests++;
    return lock_give_again(lock);
}
