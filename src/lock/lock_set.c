/* Several locks as one: MultiLock and RedLock. See lock.h. */
#include <stddef.h>

#include "lock/lock_private.h"

int lock_set_tolerated(const LockSet *set)
{
    return set->majority ? set->count - (set->count / 2 + 1) : 0;
}

void lock_set_give(LockSet *set)
{
    for (int i = 0; i < set->count; i++) {
        if (set->held[i]) lock_give(set->lock[i]);
        set->held[i] = false;
    }
}

static int64_t now(const LockSet *set)
{
    LockPort *port = set->lock[0]->port;
    return port->now(port->data);
}

static int64_t share_of(const LockSet *set, int64_t remaining)
{
    if (!set->majority) return remaining;
    int64_t share = remaining / set->count;
    return share > 1 ? share : 1;
}

typedef struct Round {
    bool waits;         /* there is a time limit */
    int64_t until;
    int64_t lease_ms;   /* for the time of the taking */
    int failures;
} Round;

/* True when the round is lost: more failures than are tolerated. */
static bool take_one(LockSet *set, int i, Round *round)
{
    int64_t remaining = round->waits ? round->until - now(set) : 0;
    if (round->waits && remaining <= 0) return true;
    LockResult result = round->waits
                            ? lock_try_for(set->lock[i], share_of(set, remaining), round->lease_ms)
                            : lock_try(set->lock[i], round->lease_ms, NULL);
    set->held[i] = result == LOCK_GOT;
    /* What became of it is not known: it may be held, so it is given back. */
    if (result == LOCK_LOST) lock_give(set->lock[i]);
    return !set->held[i] && ++round->failures > lock_set_tolerated(set);
}

static bool take_all(LockSet *set, Round *round)
{
    round->failures = 0;
    for (int i = 0; i < set->count; i++) set->held[i] = false;
    for (int i = 0; i < set->count; i++)
        if (take_one(set, i, round)) return false;
    return true;
}

/* All are held: from now on for the lease that was asked for. Each script's re-entry sets it. */
static void settle_leases(LockSet *set, int64_t lease_ms)
{
    for (int i = 0; i < set->count; i++) {
        Lock *lock = set->lock[i];
        int64_t watchdog = lock->watchdog_ms;
        if (!set->held[i]) continue;
        lock->watchdog_ms = lease_ms;
        lock_renew(lock, NULL);
        lock->watchdog_ms = watchdog;
    }
}

LockResult lock_set_try_for(LockSet *set, int64_t wait_ms, int64_t lease_ms)
{
    bool both = wait_ms > 0 && lease_ms > 0;
    Round round = {.waits = wait_ms > 0, .lease_ms = both ? 2 * wait_ms : lease_ms};
    if (round.waits) round.until = now(set) + wait_ms;
    while (!take_all(set, &round)) {
        lock_set_give(set);
        if (!round.waits || now(set) >= round.until) return LOCK_REFUSED;
    }
    if (both) settle_leases(set, lease_ms);
    return LOCK_GOT;
}
