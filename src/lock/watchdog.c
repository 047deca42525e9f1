/* The thread that keeps locks alive. See port_redis.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "lock/port_redis.h"

typedef struct Kept {
    Lock lock;
    int holds;       /* re-entry: renewed until it was given back as often */
    uint64_t due_ns;
} Kept;

struct Watchdog {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stop;
    RedisPort *port; /* of the thread alone */
    Kept *kept;
    long count, room, renewals;
};

/* ---- the list ---------------------------------------------------------------------------------- */

static bool same_lock(const Lock *one, const Lock *other)
{
    return one->kind == other->kind && strcmp(one->name, other->name) == 0 &&
           strcmp(one->owner, other->owner) == 0;
}

static Kept *find(Watchdog *watchdog, const Lock *lock)
{
    for (long i = 0; i < watchdog->count; i++)
        if (same_lock(&watchdog->kept[i].lock, lock)) return &watchdog->kept[i];
    return NULL;
}

static uint64_t next_due(const Lock *lock)
{
    return clock_now_ns() + (uint64_t)lock->watchdog_ms * 1000000u / 3;
}

static void drop(Watchdog *watchdog, Kept *kept)
{
    *kept = watchdog->kept[--watchdog->count];
}

void watchdog_add(Watchdog *watchdog, const Lock *lock)
{
    pthread_mutex_lock(&watchdog->mutex);
    Kept *kept = find(watchdog, lock);
    if (!kept && watchdog->count == watchdog->room) {
        long room = watchdog->room ? watchdog->room * 2 : 64;
        Kept *more = realloc(watchdog->kept, (size_t)room * sizeof *more);
        if (more) {
            watchdog->kept = more;
            watchdog->room = room;
        }
    }
    if (!kept && watchdog->count < watchdog->room) {
        kept = &watchdog->kept[watchdog->count++];
        *kept = (Kept){.lock = *lock, .due_ns = next_due(lock)};
    }
    if (kept) kept->holds++;
    pthread_cond_signal(&watchdog->changed);
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

static Kept *first_due(Watchdog *watchdog)
{
    Kept *first = NULL;
    for (long i = 0; i < watchdog->count; i++)
        if (!first || watchdog->kept[i].due_ns < first->due_ns) first = &watchdog->kept[i];
    return first;
}

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
    if (!ours && !lost) drop(watchdog, kept);
}

static void *watch_over(void *data)
{
    Watchdog *watchdog = data;
    pthread_mutex_lock(&watchdog->mutex);
    while (!watchdog->stop) {
        Kept *kept = first_due(watchdog);
        if (!kept)
            pthread_cond_wait(&watchdog->changed, &watchdog->mutex);
        else if (kept->due_ns > clock_now_ns())
            sleep_until(watchdog, kept->due_ns);
        else
            renew_one(watchdog, kept->lock);
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
    free(watchdog->kept);
    free(watchdog);
}
