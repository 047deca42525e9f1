/* The thread that keeps locks alive. See port_redis.h.
 *
 * The locks lie in a heap, the one that is due first on top, and in a table by their hash, so that ten thousand
 * cost no more each than ten do. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "lock/port_redis.h"

typedef struct Kept Kept;
struct Kept {
    Lock lock;
    int holds;       /* re-entry: renewed until it was given back as often */
    uint64_t due_ns;
    uint64_t hash;
    long place;      /* in the heap */
    Kept *next;      /* of the same chain */
};

struct Watchdog {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stop;
    RedisPort *port; /* of the thread alone */
    Kept **heap;
    long count, room, renewals;
    Kept **chain;    /* `room` of them */
};

/* ---- the heap --------------------------------------------------------------------------------------- */

static void put(Watchdog *watchdog, long place, Kept *kept)
{
    watchdog->heap[place] = kept;
    kept->place = place;
}

/* Moves to where it belongs, after its time has changed. */
static void settle(Watchdog *watchdog, Kept *kept)
{
    long place = kept->place;
    for (; place > 0; place = (place - 1) / 2) {
        Kept *above = watchdog->heap[(place - 1) / 2];
        if (above->due_ns <= kept->due_ns) break;
        put(watchdog, place, above);
    }
    for (long below = 2 * place + 1; below < watchdog->count; below = 2 * place + 1) {
        if (below + 1 < watchdog->count && watchdog->heap[below + 1]->due_ns < watchdog->heap[below]->due_ns) below++;
        if (watchdog->heap[below]->due_ns >= kept->due_ns) break;
        put(watchdog, place, watchdog->heap[below]);
        place = below;
    }
    put(watchdog, place, kept);
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static uint64_t hash_of(const Lock *lock)
{
    uint64_t hash = hash_number(HASH_START, (int64_t)lock->kind);
    return hash_string(hash_string(hash, lock->name), lock->owner);
}

static bool same_lock(const Lock *one, const Lock *other)
{
    return one->kind == other->kind && strcmp(one->name, other->name) == 0 &&
           strcmp(one->owner, other->owner) == 0;
}

/* Where it stands in its chain, or would be added. NULL: there is no table yet. */
static Kept **link_to(const Watchdog *watchdog, const Lock *lock)
{
    if (watchdog->room == 0) return NULL;
    uint64_t hash = hash_of(lock);
    Kept **link = &watchdog->chain[hash % (uint64_t)watchdog->room];
    while (*link && !((*link)->hash == hash && same_lock(&(*link)->lock, lock))) link = &(*link)->next;
    return link;
}

static Kept *find(const Watchdog *watchdog, const Lock *lock)
{
    Kept **link = link_to(watchdog, lock);
    return link ? *link : NULL;
}

/* Twice as many places. False: out of memory. */
static bool grow(Watchdog *watchdog)
{
    long room = watchdog->room ? watchdog->room * 2 : 64;
    Kept **heap = realloc(watchdog->heap, (size_t)room * sizeof *heap);
    if (heap) watchdog->heap = heap;
    Kept **chain = heap ? calloc((size_t)room, sizeof *chain) : NULL;
    if (!chain) return false;
    free(watchdog->chain);
    watchdog->chain = chain;
    watchdog->room = room;
    for (long i = 0; i < watchdog->count; i++) {
        Kept **head = &chain[heap[i]->hash % (uint64_t)room];
        heap[i]->next = *head;
        *head = heap[i];
    }
    return true;
}

static uint64_t next_due(const Lock *lock)
{
    return clock_now_ns() + (uint64_t)lock->watchdog_ms * 1000000u / 3;
}

static Kept *enter(Watchdog *watchdog, const Lock *lock)
{
    if (watchdog->count == watchdog->room && !grow(watchdog)) return NULL;
    Kept *kept = calloc(1, sizeof *kept);
    if (!kept) return NULL;
    *kept = (Kept){.lock = *lock, .due_ns = next_due(lock), .hash = hash_of(lock), .place = watchdog->count};
    *link_to(watchdog, lock) = kept;
    watchdog->heap[watchdog->count++] = kept;
    settle(watchdog, kept);
    return kept;
}

static void drop(Watchdog *watchdog, Kept *kept)
{
    Kept **link = link_to(watchdog, &kept->lock);
    *link = kept->next;
    Kept *last = watchdog->heap[--watchdog->count];
    if (last != kept) {
        last->place = kept->place;
        settle(watchdog, last);
    }
    free(kept);
}

/* ---- for those who take and give back ------------------------------------------------------------------ */

void watchdog_add(Watchdog *watchdog, const Lock *lock)
{
    pthread_mutex_lock(&watchdog->mutex);
    Kept *kept = find(watchdog, lock);
    if (!kept) kept = enter(watchdog, lock);
    if (kept) kept->holds++;
    if (kept && kept->place == 0) pthread_cond_signal(&watchdog->changed); /* due before all others */
    pthread_mutex_unlock(&watchdog->mutex);
}

void watchdog_remove(Watchdog *watchdog, const Lock *lock)
{
    pthread_mutex_lock(&watchdog->mutex);
    Kept *kept = find(watchdog, lock);
    if (kept && --kept->holds <= 0) drop(watchdog, kept);
    pthread_mutex_unlock(&watchdog->mutex);
}

long watchdog_count(Watchdog *watchdog, long *renewals)
{
    pthread_mutex_lock(&watchdog->mutex);
    long count = watchdog->count;
    if (renewals) *renewals = watchdog->renewals;
    pthread_mutex_unlock(&watchdog->mutex);
    return count;
}

/* ---- the thread ----------------------------------------------------------------------------------- */

static void sleep_until(Watchdog *watchdog, uint64_t due_ns)
{
    struct timespec until = {.tv_sec = (time_t)(due_ns / 1000000000u), .tv_nsec = (long)(due_ns % 1000000000u)};
    pthread_cond_timedwait(&watchdog->changed, &watchdog->mutex, &until);
}

/* The mutex is free while Redis answers: a lock may be given back in the meantime. */
static void renew_one(Watchdog *watchdog, Lock lock)
{
    bool lost = false;
    lock.port = port_redis_port(watchdog->port);
    pthread_mutex_unlock(&watchdog->mutex);
    bool ours = lock_renew(&lock, &lost);
    pthread_mutex_lock(&watchdog->mutex);
    Kept *kept = find(watchdog, &lock);
    if (!kept) return;
    watchdog->renewals += ours;
    kept->due_ns = next_due(&lock);
    settle(watchdog, kept);
    if (!ours && !lost) drop(watchdog, kept);
}

static void *watch_over(void *data)
{
    Watchdog *watchdog = data;
    pthread_mutex_lock(&watchdog->mutex);
    while (!watchdog->stop) {
        if (watchdog->count == 0)
            pthread_cond_wait(&watchdog->changed, &watchdog->mutex);
        else if (watchdog->heap[0]->due_ns > clock_now_ns())
            sleep_until(watchdog, watchdog->heap[0]->due_ns);
        else
            renew_one(watchdog, watchdog->heap[0]->lock);
    }
    pthread_mutex_unlock(&watchdog->mutex);
    return NULL;
}

Watchdog *watchdog_start(const RedisAddress *address, Error *error)
{
    Watchdog *watchdog = calloc(1, sizeof *watchdog);
    if (!watchdog || !(watchdog->port = port_redis_open(address, NULL, error))) {
        free(watchdog);
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&watchdog->mutex, NULL);
    if (pthread_create(&watchdog->thread, NULL, watch_over, watchdog) == 0) return watchdog;
    error_set(error, "cannot start the watchdog's thread");
    port_redis_close(watchdog->port);
    free(watchdog);
    return NULL;
}

void watchdog_stop(Watchdog *watchdog)
{
    if (!watchdog) return;
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->stop = true;
    pthread_cond_signal(&watchdog->changed);
    pthread_mutex_unlock(&watchdog->mutex);
    pthread_join(watchdog->thread, NULL);
    port_redis_close(watchdog->port);
    pthread_cond_destroy(&watchdog->changed);
    pthread_mutex_destroy(&watchdog->mutex);
    for (long i = 0; i < watchdog->count; i++) free(watchdog->heap[i]);
    free(watchdog->heap);
    free(watchdog->chain);
    free(watchdog);
}
