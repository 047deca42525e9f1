/* bench_locks.c -- a fair lock: a thousand grants in the order of asking; a watchdog: ten thousand locks kept. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "lab.h"
#include "lock/port_redis.h"

/* ---- the fair lock ------------------------------------------------------------------------------------- */

enum { GRANTS = 1000, THREADS = 20, LEASE_MS = 30000 };

static RedisAddress address;
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static long asked, granted, overtaken;
static double waited_ms[GRANTS];

typedef struct Asker {
    pthread_t thread;
    RedisPort *port;
    LockPort own;      /* the port, with a run() that numbers the first attempt */
    char owner[32];
    long ticket;       /* -1: it has not asked yet */
    uint64_t asked_ns;
} Asker;

/* Who asks is numbered in the order in which Redis puts them into the queue. */
static LockReply run_numbered(void *data, const char *script, int keys, int count, const char **words)
{
    Asker *asker = data;
    LockPort *port = port_redis_port(asker->port);
    if (asker->ticket >= 0 || strcmp(script, "fair_take.lua") != 0)
        return port->run(port->data, script, keys, count, words);
    pthread_mutex_lock(&asking);
    LockReply reply = port->run(port->data, script, keys, count, words);
    asker->ticket = asked++;
    asker->asked_ns = clock_now_ns();
    pthread_mutex_unlock(&asking);
    return reply;
}

static void forget(void *data, const char *key)
{
    LockPort *port = port_redis_port(((Asker *)data)->port);
    port->forget(port->data, key);
}

static bool listen_to(void *data, const char *channel)
{
    LockPort *port = port_redis_port(((Asker *)data)->port);
    return port->listen(port->data, channel);
}

static bool wait_for(void *data, const char *channel, int64_t ms, bool last)
{
    LockPort *port = port_redis_port(((Asker *)data)->port);
    return port->wait(port->data, channel, ms, last);
}

static void unlisten(void *data, const char *channel)
{
    LockPort *port = port_redis_port(((Asker *)data)->port);
    port->unlisten(port->data, channel);
}

static void *ask_often(void *data)
{
    Asker *asker = data;
    for (bool more = true; more;) {
        Lock lock;
        lock_init(&lock, &asker->own, LOCK_FAIR, "lock:fair", asker->owner);
        asker->ticket = -1;
        if (lock_take(&lock, LEASE_MS) != LOCK_GOT) return NULL;
        long number = granted++; /* the lock guards it */
        overtaken += number != asker->ticket;
        if (number < GRANTS) waited_ms[number] = (double)(clock_now_ns() - asker->asked_ns) / 1e6;
        more = number + 1 < GRANTS;
        lock_give(&lock);
    }
    return NULL;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool bench_fair(void)
{
    static Asker asker[THREADS];
    Error error = {""};
    uint64_t began = clock_now_ns();
    for (int i = 0; i < THREADS; i++) {
        asker[i].port = port_redis_open(&address, NULL, &error);
        if (!asker[i].port) return false;
        asker[i].own = *port_redis_port(asker[i].port);
        asker[i].own.run = run_numbered;
        asker[i].own.forget = forget;
        asker[i].own.listen = listen_to;
        asker[i].own.wait = wait_for;
        asker[i].own.unlisten = unlisten;
        asker[i].own.watch = asker[i].own.unwatch = NULL;
        asker[i].own.data = &asker[i];
        snprintf(asker[i].owner, sizeof asker[i].owner, "bench:%d", i);
    }
    for (int i = 0; i < THREADS; i++) pthread_create(&asker[i].thread, NULL, ask_often, &asker[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(asker[i].thread, NULL);
    double seconds = (double)(clock_now_ns() - began) / 1e9;
    for (int i = 0; i < THREADS; i++) port_redis_close(asker[i].port);
    qsort(waited_ms, GRANTS, sizeof waited_ms[0], by_size);
    printf("fair    %ld grants to %d threads in %.2f s, %ld out of the order of asking; waited p50 %.1f ms, p99 %.1f ms, "
           "most %.1f ms\n",
           granted, THREADS, seconds, overtaken, waited_ms[GRANTS / 2], waited_ms[GRANTS * 99 / 100],
           waited_ms[GRANTS - 1]);
    return granted >= GRANTS && overtaken == 0;
}

/* ---- the watchdog --------------------------------------------------------------------------------------------- */

enum { HELD = 10000, WATCH_S = 20 };

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* What Redis itself has used: INFO cpu. */
static double redis_cpu_seconds(RedisLink *link)
{
    redisReply *reply = NULL;
    double seconds = 0;
    if (redis_link_command(link, &reply, NULL, "INFO cpu") == STORE_OK)
        for (int i = 0; i < 2; i++) {
            static const char *const names[] = {"used_cpu_user:", "used_cpu_sys:"};
            const char *at = strstr(reply->str, names[i]);
            if (at) seconds += strtod(at + strlen(names[i]), NULL);
        }
    if (reply) freeReplyObject(reply);
    return seconds;
}

static long count_keys(RedisLink *link)
{
    redisReply *reply = NULL;
    long count = redis_link_command(link, &reply, NULL, "DBSIZE") == STORE_OK ? (long)reply->integer : -1;
    if (reply) freeReplyObject(reply);
    return count;
}

/* Leases of 30 s, as Redisson has them: each is renewed every 10 s. */
static bool bench_watchdog(RedisLink *link)
{
    Error error = {""};
    Watchdog *watchdog = watchdog_start(&address, &error);
    RedisPort *port = watchdog ? port_redis_open(&address, watchdog, &error) : NULL;
    if (!port) return false;
    long before = count_keys(link), renewals;
    for (int i = 0; i < HELD; i++) {
        Lock lock;
        char name[32];
        snprintf(name, sizeof name, "lock:held:%d", i);
        lock_init(&lock, port_redis_port(port), LOCK_REENTRANT, name, "bench:1");
        if (lock_try(&lock, -1, NULL) != LOCK_GOT) return false;
    }
    watchdog_count(watchdog, &renewals);
    long renewed = renewals;
    double own = cpu_seconds(), redis = redis_cpu_seconds(link);
    uint64_t began = clock_now_ns();
    clock_sleep_ns(WATCH_S * 1000000000ull);
    double seconds = (double)(clock_now_ns() - began) / 1e9;
    watchdog_count(watchdog, &renewals);
    long left = count_keys(link) - before;
    printf("watch   %d locks held, %.0f renewals/s over %.0f s: %.1f %% of a core here, %.1f %% in Redis; %ld still held\n",
           HELD, (double)(renewals - renewed) / seconds, seconds, 100 * (cpu_seconds() - own) / seconds,
           100 * (redis_cpu_seconds(link) - redis) / seconds, left);
    port_redis_close(port);
    watchdog_stop(watchdog);
    return left == HELD;
}

int main(int argc, char **argv)
{
    int status;
    if (lab_child(argc, argv, &status)) return status;
    Stores *stores = lab_stores();
    stores_addresses(stores, &address, NULL);
    bool ok = bench_fair();
    ok = bench_watchdog(stores_redis(stores)) && ok;
    stores_close(stores);
    return ok ? 0 : 1;
}
