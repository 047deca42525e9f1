#include "engine/locks_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "engine/step_kind.h"

/* ---- one lock ------------------------------------------------------------------------------------ */

static LockActor actor_of(const World *world, int actor)
{
    if (actor < 0 || actor >= (int)world->actors) return (LockActor){-1, 0, -1};
    const Slot *slot = world_slot(world, (unsigned)actor);
    return (LockActor){actor, slot->user, slot->node};
}

static ClashView clash_view(const World *world, const LockClash *clash)
{
    if (clash->times <= 0) return (ClashView){.first = {-1, 0, -1}, .second = {-1, 0, -1}};
    uint64_t at_ns = clash->at_ns > world->released_ns ? clash->at_ns - world->released_ns : 0;
    return (ClashView){clash->times, actor_of(world, clash->first), actor_of(world, clash->second), at_ns};
}

static LockHome home_of(const WatchedLock *lock)
{
    return lock->step == STEP_LOCK ? LOCK_IN_NODE : lock->step == STEP_GET_LOCK ? LOCK_IN_SQL : LOCK_IN_REDIS;
}

static void set_name(LockView *view, const char *name)
{
    text_clean(view->name, sizeof view->name, name, strlen(name));
}

/* Free, as far as is known so far. */
static LockView plain_view(const World *world, const WatchedLock *lock, LockHome home)
{
    LockView view = {.home = home, .node = -1, .holder = {-1, 0, -1}, .ttl_ms = -1, .ttl_max_ms = -1};
    view.overlap.first = view.overlap.second = view.mis_delete.first = view.mis_delete.second =
        (LockActor){-1, 0, -1};
    if (!lock) return view;
    set_name(&view, world_lock_name(world, lock->id));
    view.overlap = clash_view(world, &lock->overlap);
    view.mis_delete = clash_view(world, &lock->mis_delete);
    return view;
}

static bool went_wrong(const LockView *view)
{
    return view->abandoned || view->overlap.times > 0 || view->mis_delete.times > 0;
}

/* ---- which are shown ------------------------------------------------------------------------------- */

static int rank_of(const LockView *view)
{
    return 4 * went_wrong(view) + 2 * (view->waiters > 0) + (view->count > 0);
}

static int by_rank(const void *left, const void *right)
{
    const LockView *a = left, *b = right;
    int rank = rank_of(b) - rank_of(a);
    if (rank) return rank;
    int name = strverscmp(a->name, b->name);
    return name ? name : a->node - b->node;
}

/* When the room is full, the least telling one goes. */
static void offer(LocksView *view, const LockView *lock)
{
    view->abandoned += lock->abandoned;
    if (lock->count == 0 && !went_wrong(lock)) return;
    if (view->locks < LOCK_VIEWS) {
        view->lock[view->locks++] = *lock;
        return;
    }
    view->left_out++;
    LockView *least = &view->lock[0];
    for (int i = 1; i < LOCK_VIEWS; i++)
        if (by_rank(least, &view->lock[i]) < 0) least = &view->lock[i];
    if (by_rank(lock, least) < 0) *least = *lock;
}

/* ---- locks of nodes and of MySQL: known by their events ----------------------------------------------- */

static int waiters_of(const World *world, const WatchedLock *lock, int node)
{
    const LocalLock *local = world_find_lock(world, node, lock->id);
    return local ? (int)atomic_load(&local->waiters) : 0;
}

static void offer_holders(LocksView *view, const LocksWatch *watch, const WatchedLock *lock)
{
    const World *world = watch->world;
    LockView one = plain_view(world, lock, home_of(lock));
    bool local = one.home == LOCK_IN_NODE;
    for (int i = 0; i < lock->count; i++) {
        one.count = 1;
        one.holder = actor_of(world, lock->inside[i].actor);
        one.own_object = lock->inside[i].own_object;
        if (local) one.node = one.holder.node;
        if (local && !one.own_object) one.waiters = waiters_of(world, lock, one.node);
        offer(view, &one);
    }
    if (lock->count > 0) return;
    if (local) one.node = one.overlap.first.node;
    offer(view, &one);
}

/* ---- locks in Redis: what is there now, and who put it there -------------------------------------------- */

/* A hash counts how often its one field, the owner, has it. */
static void read_owner(const KeyView *key, LockView *view)
{
    view->count = 1;
    snprintf(view->owner, sizeof view->owner, "%s", key->value);
    char *equals = strcmp(key->type, "hash") == 0 ? strrchr(view->owner, '=') : NULL;
    if (!equals) return;
    view->count = atoi(equals + 1);
    *equals = '\0';
}

static void read_lease(const KeyView *key, const WatchedLock *lock, bool still, LockView *view)
{
    if (key->ttl_ms < 0) return;
    view->still = still;
    view->ttl_ms = key->ttl_ms;
    view->ttl_max_ms = key->ttl_max_ms;
    if (!lock || lock->lease_ms <= 0) return;
    view->ttl_max_ms = lock->lease_ms;
    if (still || view->ttl_ms > lock->lease_ms) view->ttl_ms = lock->lease_ms;
}

/* In the table of the holder's node's watchdog? */
static void read_watchdog(const World *world, const WatchedLock *lock, LockView *view)
{
    if (!world->spec.watchdogs || lock->holder < 0) return;
    const Watched *watched = world_watched(world, (uint32_t)lock->holder);
    for (int i = 0; i < ACTOR_WATCHES; i++) {
        if (!atomic_load(&watched[i].live) || watched[i].id != lock->id) continue;
        view->watchdog = world_slot(world, (unsigned)lock->holder)->node + 1;
        view->renewals = (long)atomic_load(&watched[i].renewals);
    }
}

static void offer_key(LocksView *view, const LocksWatch *watch, const KeyView *key, bool still)
{
    uint64_t id = hash_string(HASH_START, key->name);
    const WatchedLock *lock = locks_watch_find(watch, id);
    if (!lock && strncmp(key->name, "lock:", 5) != 0) return;
    LockView one = plain_view(watch->world, lock, LOCK_IN_REDIS);
    set_name(&one, key->name);
    read_owner(key, &one);
    read_lease(key, lock, still, &one);
    if (lock && lock->holder >= 0) {
        one.holder = actor_of(watch->world, lock->holder);
        one.holder_gone = lock->holder_gone;
        read_watchdog(watch->world, lock, &one);
        one.abandoned = lock->holder_gone && (key->ttl_ms == -1 || one.watchdog > 0);
    }
    offer(view, &one);
}

static bool is_key(const Snapshot *truth, uint64_t id)
{
    for (int i = 0; i < truth->key_count; i++)
        if (hash_string(HASH_START, truth->keys[i].name) == id) return true;
    return false;
}

/* Not among the keys: it is gone, or taken since they were looked at, or one of too many. */
static void offer_missing(LocksView *view, const LocksWatch *watch, const WatchedLock *lock,
                          const Snapshot *truth)
{
    LockView one = plain_view(watch->world, lock, LOCK_IN_REDIS);
    bool unseen = lock->taken_ns > truth->taken_ns || truth->keys_left_out > 0;
    if (lock->holder >= 0 && !lock->holder_gone && unseen) {
        one.count = 1;
        one.holder = actor_of(watch->world, lock->holder);
        one.ttl_ms = one.ttl_max_ms = lock->lease_ms;
    }
    offer(view, &one);
}

void locks_view_make(LocksView *view, const LocksWatch *watch, const Snapshot *truth, bool still)
{
    *view = (LocksView){0};
    for (int i = 0; truth->redis_ok && i < truth->key_count; i++) offer_key(view, watch, &truth->keys[i], still);
    for (long i = 0; i < watch->count; i++) {
        const WatchedLock *lock = &watch->lock[i];
        view->overlaps += lock->overlap.times;
        view->mis_deletes += lock->mis_delete.times;
        if (home_of(lock) != LOCK_IN_REDIS)
            offer_holders(view, watch, lock);
        else if (!is_key(truth, lock->id))
            offer_missing(view, watch, lock, truth);
    }
    qsort(view->lock, (size_t)view->locks, sizeof *view->lock, by_rank);
}

void locks_view_listeners(LocksView *view, const World *world)
{
    for (uint32_t i = 0; i < world->actors; i++) {
        uint64_t id = atomic_load(&world_slot(world, i)->waits_for_key);
        if (id == 0) continue;
        WaitView wait = {.waiter = (int)i, .holder = -1, .home = LOCK_IN_REDIS, .node = -1};
        text_clean(wait.on, sizeof wait.on, world_lock_name(world, id), strlen(world_lock_name(world, id)));
        for (int k = 0; k < view->locks; k++)
            if (view->lock[k].home == LOCK_IN_REDIS && strcmp(view->lock[k].name, wait.on) == 0)
                wait.holder = view->lock[k].count > 0 ? view->lock[k].holder.actor : -1;
        locks_view_wait(view, &wait);
    }
}

/* ---- who waits for whom ------------------------------------------------------------------------------------ */

void locks_view_wait(LocksView *view, const WaitView *wait)
{
    if (view->waits == WAIT_VIEWS)
        view->waits_left_out++;
    else
        view->wait[view->waits++] = *wait;
}

static void hand_out_waiters(LocksView *view)
{
    for (int i = 0; i < view->locks; i++) {
        LockView *lock = &view->lock[i];
        int listed = 0;
        for (int k = 0; k < view->waits; k++) {
            const WaitView *wait = &view->wait[k];
            if (wait->home != lock->home || wait->node != lock->node || strcmp(wait->on, lock->name) != 0)
                continue;
            if (listed < LOCK_WAITERS) lock->waiter[listed] = wait->waiter;
            listed++;
        }
        if (view->waits_left_out == 0 || listed > lock->waiters) lock->waiters = listed;
    }
}

static int waits_for(const LocksView *view, int actor)
{
    for (int i = 0; i < view->waits; i++)
        if (view->wait[i].waiter == actor) return view->wait[i].holder;
    return -1;
}

/* Follows one waiter: whoever comes back to where it began is in a cycle. */
static bool find_cycle(LocksView *view, int first)
{
    int at = first;
    for (int length = 0; at >= 0 && length < CYCLE_ACTORS; length++) {
        view->cycle[length] = at;
        at = waits_for(view, at);
        if (at != first) continue;
        view->cycle_length = length + 1;
        return true;
    }
    return false;
}

void locks_view_finish(LocksView *view)
{
    hand_out_waiters(view);
    view->cycle_length = 0;
    for (int i = 0; i < view->waits && !find_cycle(view, view->wait[i].waiter); i++) {
    }
}
