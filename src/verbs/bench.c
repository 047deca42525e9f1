/* bench.c -- what this machine and this program can do: the figures that need no terminal. Always
 * on the private servers, so that nobody else's are put under load. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "verbs/bench.h"
#include "verbs/json.h"
#include "verbs/verbs.h"

enum { SERVERS_MS = 60000, GATE_AIM_NS = 200 };
static const double rate_aim = 0.7;

static double ratio(double own, double rival)
{
    return rival > 0 ? own / rival : 0;
}

/* ---- for people: each as soon as it is known
 * ------------------------------------------------------ */

static void print_start(const Figures *figures)
{
    printf(_("start   Redis ready in %.0f ms, the database in %.0f ms; both, with the tables made, "
             "in %.0f ms\n"),
           figures->start.redis_ms, figures->start.sql_ms, figures->start.all_ms);
}

static void print_gate(const Figures *figures)
{
    printf(_("gate    %.0f ns a step, tracing on (aim: under %d); reading the clock, twice a step: "
             "%.0f ns each\n"),
           figures->gate.step_ns, GATE_AIM_NS, figures->gate.clock_ns);
}

static void print_rival(double own, double rival)
{
    if (rival > 0)
        printf(
            _("; redis-benchmark, as many connections: %.0f/s; ratio %.2f (aim: %.1f or more)\n"),
            rival, ratio(own, rival), rate_aim);
    else
        puts(_("; redis-benchmark is not installed, so there is nothing to compare with"));
}

static void print_redis(const Figures *figures)
{
    printf(_("redis   %.0f INCR/s by %d users of %d requests, tracing on"),
           figures->redis.per_second, figures->redis.users, figures->redis.requests);
    print_rival(figures->redis.per_second, figures->redis.rival_per_second);
}

static void print_script(const Figures *figures)
{
    printf(_("script  %.0f runs/s of eligible.lua by %d users of %d requests, tracing on"),
           figures->script.per_second, figures->script.users, figures->script.requests);
    print_rival(figures->script.per_second, figures->script.rival_per_second);
}

static void print_queue(const Figures *figures)
{
    printf(_("queue   %.0f orders/s stored by one consumer, tracing on; the same transactions in a bare loop: %.0f/s; ratio %.2f\n"),
           figures->queue.per_second, figures->queue.rival_per_second,
           ratio(figures->queue.per_second, figures->queue.rival_per_second));
}

static void print_locks(const Figures *figures)
{
    printf(_("locks   %.0f pairs/s of lock and unlock alone, %.0f with %d waiting; SET NX, compare and delete: %.0f and %.0f"),
           figures->locks.per_second, figures->locks.crowd_per_second, figures->locks.waiting,
           figures->locks.plain_per_second, figures->locks.plain_crowd_per_second);
    if (figures->locks.rival_per_second > 0)
        printf(_("; the scripts alone, by redis-benchmark: %.0f; ratio %.2f\n"), figures->locks.rival_per_second,
               ratio(figures->locks.per_second, figures->locks.rival_per_second));
    else
        puts(_("; redis-benchmark is not installed, so there is nothing to compare with"));
}

static void print_crowd(const Figures *figures)
{
    printf(
        _("crowd   %d users: ready in %.0f ms, all running %.0f ms after the signal; %ld answered "
          "in %.2f s\n"),
        figures->crowd.users, figures->crowd.ready_ms, figures->crowd.release_ms,
        figures->crowd.answered, figures->crowd.seconds);
    printf(_("memory  %ld MB for the lab and its node, %ld MB with both servers\n"),
           figures->crowd.lab_kb / 1024, figures->crowd.all_kb / 1024);
}

/* ---- for programs: the names are a contract: add, do not rename
 * ------------------------------------ */

static json_t *memory_json(long kb)
{
    return kb > 0 ? json_rounded((double)kb / 1024, 1) : json_null();
}

static json_t *rate_json(int users, int requests, double own, double rival)
{
    bool compared = rival > 0;
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:f}", "users", users, "requests", requests,
                     "throughput", json_rounded(own, 1), "redis_benchmark",
                     compared ? json_rounded(rival, 1) : json_null(), "ratio",
                     compared ? json_rounded(ratio(own, rival), 3) : json_null(), "aim_ratio",
                     rate_aim);
}

static json_t *figures_json(const Figures *figures)
{
    json_t *start = json_pack(
        "{s:o, s:o, s:o}", "redis_ms", json_rounded(figures->start.redis_ms, 1), "db_ms",
        json_rounded(figures->start.sql_ms, 1), "all_ms", json_rounded(figures->start.all_ms, 1));
    json_t *gate =
        json_pack("{s:o, s:o, s:i}", "ns_per_step", json_rounded(figures->gate.step_ns, 1),
                  "ns_per_clock", json_rounded(figures->gate.clock_ns, 1), "aim_ns", GATE_AIM_NS);
    json_t *redis = rate_json(figures->redis.users, figures->redis.requests,
                              figures->redis.per_second, figures->redis.rival_per_second);
    json_t *script = rate_json(figures->script.users, figures->script.requests,
                               figures->script.per_second, figures->script.rival_per_second);
    json_t *crowd = json_pack(
        "{s:i, s:i, s:I, s:o, s:o, s:o, s:o, s:o}", "users", figures->crowd.users, "requests", 1,
        "answered", (json_int_t)figures->crowd.answered, "ready_ms",
        json_rounded(figures->crowd.ready_ms, 1), "release_ms",
        json_rounded(figures->crowd.release_ms, 1), "seconds",
        json_rounded(figures->crowd.seconds, 3), "memory_mb", memory_json(figures->crowd.lab_kb),
        "memory_with_servers_mb", memory_json(figures->crowd.all_kb));
    json_t *queue = json_pack(
        "{s:i, s:o, s:o, s:o}", "orders", figures->queue.orders, "per_second",
        json_rounded(figures->queue.per_second, 1), "bare_loop", json_rounded(figures->queue.rival_per_second, 1),
        "ratio", json_rounded(ratio(figures->queue.per_second, figures->queue.rival_per_second), 3));
    bool compared = figures->locks.rival_per_second > 0;
    json_t *locks = json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "waiting", figures->locks.waiting, "pairs",
        json_rounded(figures->locks.per_second, 1), "pairs_with_waiting",
        json_rounded(figures->locks.crowd_per_second, 1), "plain", json_rounded(figures->locks.plain_per_second, 1),
        "plain_with_waiting", json_rounded(figures->locks.plain_crowd_per_second, 1), "redis_benchmark",
        compared ? json_rounded(figures->locks.rival_per_second, 1) : json_null(), "ratio",
        compared ? json_rounded(ratio(figures->locks.per_second, figures->locks.rival_per_second), 3) : json_null());
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "start", start, "gate", gate, "redis", redis,
                     "script", script, "queue", queue, "locks", locks, "crowd", crowd);
}

/* ---- measuring
 * ------------------------------------------------------------------------------------ */

static Stores *bench_start(Figures *figures, Error *error)
{
    ServerStatus server[SERVER_COUNT];
    uint64_t begin = clock_now_ns();
    Stores *stores = stores_open(NULL, NULL, error);
    if (!stores) return NULL;
    if (!stores_wait(stores, SERVERS_MS, error)) {
        stores_close(stores);
        return NULL;
    }
    figures->start.all_ms = (double)(clock_now_ns() - begin) / 1e6;
    stores_status(stores, server);
    figures->start.redis_ms = server[SERVER_REDIS].seconds * 1e3;
    figures->start.sql_ms = server[SERVER_SQL].seconds * 1e3;
    return stores;
}

static void tell(const Figures *figures, bool aloud, void (*print)(const Figures *figures))
{
    if (!aloud) return;
    print(figures);
    fflush(stdout);
}

static bool measure(Figures *figures, const Course *course, bool aloud, Error *error)
{
    Stores *stores = bench_start(figures, error);
    if (!stores) return false;
    tell(figures, aloud, print_start);
    bool ok = bench_gate(figures, error);
    if (ok) tell(figures, aloud, print_gate);
    ok = ok && bench_redis(figures, stores, course, error);
    if (ok) tell(figures, aloud, print_redis);
    ok = ok && bench_script(figures, stores, course, error);
    if (ok) tell(figures, aloud, print_script);
    ok = ok && bench_queue(figures, stores, course, error);
    if (ok) tell(figures, aloud, print_queue);
    ok = ok && bench_locks(figures, stores, error);
    if (ok) tell(figures, aloud, print_locks);
    ok = ok && bench_crowd(figures, stores, course, error);
    if (ok) tell(figures, aloud, print_crowd);
    stores_close(stores);
    return ok;
}

int verb_bench(const Options *options)
{
    Error error;
    Figures figures = {0};
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    bool json = options->given[OPTION_JSON];
    int status = EXIT_AS_CLAIMED;
    if (!measure(&figures, course, !json, &error))
        status = verb_fail(EXIT_NO_SERVER, "%s", error.text);
    else if (json)
        status = json_print(figures_json(&figures));
    if (status == EXIT_AS_CLAIMED && figures.crowd.answered < figures.crowd.users)
        status = EXIT_NOT_AS_CLAIMED;
    course_free(course);
    return status;
}
