/* bench_locks.c -- taking and giving back Redisson's lock, beside a plain SET NX and beside what the scripts alone
 * cost. One Redis, one run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "lock/port_redis.h"
#include "store/script.h"
#include "verbs/bench.h"

enum { CROWD = 17, ROUNDS = 3, MEASURE_MS = 400, LEASE_MS = 30000, PAUSE_NS = 1000000, RIVAL_REQUESTS = 20000 };

/* ---- one thread of many ------------------------------------------------------------------------------ */

typedef struct Work Work;

typedef struct Worker {
    pthread_t thread;
    Work *work;
    RedisPort *port;
    RedisLink *link; /* of the plain lock */
    char owner[32];
    long pairs;
} Worker;

struct Work {
    bool (*pair)(Worker *worker); /* takes it and gives it back; false: the run is over */
    atomic_bool stop;
    int workers;
    Worker worker[CROWD];
};

/* The lock as it is used: waits for a message when it is taken. */
static bool redisson_pair(Worker *worker)
{
    Lock lock;
    lock_init(&lock, port_redis_port(worker->port), LOCK_REENTRANT, "lock:bench", worker->owner);
    lock.requests = (uint64_t)worker->pairs;
    return lock_take(&lock, LEASE_MS) == LOCK_GOT && lock_give(&lock) == LOCK_GOT;
}

/* One command or script, told as a yes or a no. */
static bool says_yes(StoreStatus status, redisReply *reply)
{
    bool yes = status == STORE_OK && (reply->type == REDIS_REPLY_STATUS || reply->integer == 1);
    if (reply) freeReplyObject(reply);
    return yes;
}

static bool plain_take(Worker *worker)
{
    redisReply *reply = NULL;
    const char *words[] = {"SET", "lock:bench:plain", worker->owner, "NX", "PX", "30000"};
    StoreStatus status = redis_link_argv(worker->link, &reply, NULL, 6, words, NULL);
    return says_yes(status, reply);
}

/* Again after a ms when it is taken; compare and delete. */
static bool plain_pair(Worker *worker)
{
    redisReply *reply = NULL;
    for (; !plain_take(worker); clock_sleep_ns(PAUSE_NS))
        if (atomic_load(&worker->work->stop)) return false;
    const char *words[] = {"lock:bench:plain", worker->owner};
    StoreStatus status = script_run(worker->link, &reply, NULL, "unlock.lua", 1, 2, words);
    return says_yes(status, reply);
}

static void *work_on(void *data)
{
    Worker *worker = data;
    while (!atomic_load(&worker->work->stop) && worker->work->pair(worker)) worker->pairs++;
    return NULL;
}

static void close_workers(Work *work)
{
    for (int i = 0; i < work->workers; i++) {
        port_redis_close(work->worker[i].port);
        redis_link_close(work->worker[i].link);
    }
}

static bool open_workers(Work *work, int count, const RedisAddress *address, Error *error)
{
    for (; work->workers < count; work->workers++) {
        Worker *worker = &work->worker[work->workers];
        worker->work = work;
        worker->port = port_redis_open(address, NULL, error);
        if (!worker->port) return false;
        worker->link = redis_link_open(address, error);
        if (!worker->link) {
            port_redis_close(worker->port);
            return false;
        }
        snprintf(worker->owner, sizeof worker->owner, "bench:%d", work->workers);
    }
    return true;
}

/* Pairs a second of `count` threads on one lock; *rate is the best so far. */
static bool measure_pairs(bool (*pair)(Worker *), int count, const RedisAddress *address, double *rate,
                          Error *error)
{
    Work work = {.pair = pair};
    bool ok = open_workers(&work, count, address, error);
    int started = 0;
    uint64_t began = clock_now_ns();
    for (; ok && started < count; started++)
        ok = pthread_create(&work.worker[started].thread, NULL, work_on, &work.worker[started]) == 0;
    if (ok) clock_sleep_ns(MEASURE_MS * 1000000ull);
    double seconds = (double)(clock_now_ns() - began) / 1e9;
    long pairs = 0;
    for (int i = 0; i < started; i++) pairs += work.worker[i].pairs;
    atomic_store(&work.stop, true);
    for (int i = 0; i < started; i++) pthread_join(work.worker[i].thread, NULL);
    close_workers(&work);
    if ((double)pairs / seconds > *rate) *rate = (double)pairs / seconds;
    return ok || error_set(error, "%s", _("Out of memory."));
}

/* ---- what the scripts cost by themselves ---------------------------------------------------------------- */

/* Pairs a second that redis-benchmark makes of them, over one connection; 0: not installed. A lock that is taken
 * again and again, and given back as often, so that each run does its work. */
static double rival_pairs(Stores *stores, Error *error)
{
    char take[SCRIPT_SHA], give[SCRIPT_SHA];
    RedisLink *link = stores_redis(stores);
    if (script_load(link, "lock_take.lua", take, error) != STORE_OK ||
        script_load(link, "lock_give.lua", give, error) != STORE_OK)
        return 0;
    const char *const taking[] = {"EVALSHA", take, "1", "lock:bench", "30000", "bench:0", NULL};
    const char *const giving[] = {"EVALSHA", give, "3", "lock:bench", "lock:bench:channel",
                                  "lock:bench:latch:__rand_int__", "30000", "bench:0", "1", NULL};
    double taken = bench_rival_command(stores, 1, RIVAL_REQUESTS, taking);
    double given = taken > 0 ? bench_rival_command(stores, 1, RIVAL_REQUESTS, giving) : 0;
    redisReply *reply = NULL;
    redis_link_command(link, &reply, NULL, "DEL lock:bench lock:bench:plain");
    if (reply) freeReplyObject(reply);
    return given > 0 ? 1 / (1 / taken + 1 / given) : 0;
}

bool bench_locks(Figures *figures, Stores *stores, Error *error)
{
    RedisAddress address;
    stores_addresses(stores, &address, NULL);
    figures->locks.waiting = CROWD - 1;
    bool ok = true;
    for (int i = 0; ok && i < ROUNDS; i++) {
        double rival = rival_pairs(stores, error);
        if (rival > figures->locks.rival_per_second) figures->locks.rival_per_second = rival;
        ok = measure_pairs(redisson_pair, 1, &address, &figures->locks.per_second, error) &&
             measure_pairs(redisson_pair, CROWD, &address, &figures->locks.crowd_per_second, error) &&
             measure_pairs(plain_pair, 1, &address, &figures->locks.plain_per_second, error) &&
             measure_pairs(plain_pair, CROWD, &address, &figures->locks.plain_crowd_per_second, error);
    }
    return ok;
}
