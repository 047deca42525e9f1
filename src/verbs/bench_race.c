/* bench_race.c -- figures of whole races: a step of one round trip, and a large crowd. */
#include "base/clock.h"
#include "base/i18n.h"
#include "engine/race.h"
#include "store/script.h"
#include "verbs/bench.h"

enum {
    REDIS_USERS = 50,
    REDIS_REQUESTS = 4000,
    REDIS_ROUNDS = 3,
    CROWD_USERS = 10000,
    POLL_MS = 10,
    LOOKS_MS = 100 /* reading the memory of so many threads takes a while itself */
};

static bool race_of(const Course *course, const char *name, Spec *spec, Error *error)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    if (!course_find(course, name, &lesson, &variant, error)) return false;
    *spec = variant->race;
    spec->pace_ms = 0;
    return true;
}

static bool all_answered(const Report *report, Error *error)
{
    if (report->complete) return true;
    return error_set(error, _("%s Run it again."), report->trouble);
}

/* Both take turns, and the best round of each counts: whatever else this machine does only takes
 * away from it. */
bool bench_redis(Figures *figures, Stores *stores, const Course *course, Error *error)
{
    Spec spec;
    static Report report;
    if (!race_of(course, "global-id/redis-incr", &spec, error)) return false;
    spec.users = figures->redis.users = REDIS_USERS;
    spec.requests = figures->redis.requests = REDIS_REQUESTS;
    for (int i = 0; i < REDIS_ROUNDS; i++) {
        double rival = bench_rival(stores, REDIS_USERS, (long)REDIS_USERS * REDIS_REQUESTS);
        if (rival > figures->redis.rival_per_second) figures->redis.rival_per_second = rival;
        if (!race_run(stores, &spec, &report, error) || !all_answered(&report, error)) return false;
        if (report.throughput > figures->redis.per_second)
            figures->redis.per_second = report.throughput;
    }
    return true;
}

/* Stock for everybody: a user's first request gets one, all others hear "again", after both looks. The
 * race leaves the keys that redis-benchmark then asks for. */
bool bench_script(Figures *figures, Stores *stores, const Course *course, Error *error)
{
    Spec spec;
    char sha[SCRIPT_SHA];
    static Report report;
    if (!race_of(course, "lua-eligibility/request-path", &spec, error)) return false;
    spec.users = figures->script.users = REDIS_USERS;
    spec.requests = figures->script.requests = REDIS_REQUESTS;
    spec.at_once = false;
    spec.stock = 10 * REDIS_USERS;
    for (int i = 0; i < REDIS_ROUNDS; i++) {
        if (!race_run(stores, &spec, &report, error) || !all_answered(&report, error)) return false;
        if (report.throughput > figures->script.per_second) figures->script.per_second = report.throughput;
        if (script_load(stores_redis(stores), "eligible.lua", sha, error) != STORE_OK) return false;
        double rival = bench_rival_script(stores, sha, REDIS_USERS, (long)REDIS_USERS * REDIS_REQUESTS);
        if (rival > figures->script.rival_per_second) figures->script.rival_per_second = rival;
    }
    return true;
}

/* ---- the crowd ---------------------------------------------------------------------------------
 */

static void look_at_memory(Figures *figures, const Race *race, const ServerStatus *server)
{
    int pids[MAX_NODES], nodes = race_nodes(race, pids);
    long lab = bench_memory_kb(0);
    for (int i = 0; i < nodes; i++) lab += bench_memory_kb(pids[i]);
    long all = lab + bench_memory_kb(bench_parent(server[SERVER_REDIS].pid));
    for (int i = 0; i < SERVER_COUNT; i++) all += bench_memory_kb(server[i].pid);
    if (lab > figures->crowd.lab_kb) figures->crowd.lab_kb = lab;
    if (all > figures->crowd.all_kb) figures->crowd.all_kb = all;
}

static void watch(Figures *figures, Race *race, const ServerStatus *server)
{
    uint64_t next = 0;
    while (race_poll(race, NULL)) {
        uint64_t now = clock_now_ns();
        if (now >= next) {
            look_at_memory(figures, race, server);
            next = clock_now_ns() + LOOKS_MS * 1000000ull;
        }
        clock_sleep_ns(POLL_MS * 1000000ull);
    }
    look_at_memory(figures, race, server);
}

bool bench_crowd(Figures *figures, Stores *stores, const Course *course, Error *error)
{
    Spec spec;
    static Report report;
    ServerStatus server[SERVER_COUNT];
    if (!race_of(course, "oversell/check-then-update", &spec, error)) return false;
    spec.users = figures->crowd.users = CROWD_USERS;
    stores_status(stores, server);
    Observer *observer = observer_open(stores, error);
    if (!observer) return false;
    uint64_t begin = clock_now_ns();
    Race *race = race_open(stores, &spec, error);
    if (race) {
        figures->crowd.ready_ms = (double)(clock_now_ns() - begin) / 1e6;
        look_at_memory(figures, race, server);
        race_release(race);
        watch(figures, race, server);
        race_judge(race, observer, &report);
        look_at_memory(figures, race, server);
        race_close(race);
        figures->crowd.answered = report.answered;
        figures->crowd.release_ms = report.release_ms;
        figures->crowd.seconds = report.seconds;
    }
    observer_close(observer);
    return race != NULL;
}
