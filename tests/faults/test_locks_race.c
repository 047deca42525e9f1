/* test_locks_race.c -- Redisson's lock under faults from a seed: 16 users, some seconds; with $SECKILL_LAB_LONG two
 * minutes each. $SECKILL_LAB_SEED chooses other faults.
 *
 * Calm faults (stalls longer than the lease, a node killed and started again) must never let two inside: judged from
 * the trace of a race. Rough ones (a process that stands still, a lease that ends early) do let two inside; then it is
 * the database that must refuse the late one: judged from its rows, beside a control without a fence. */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "course/course.h"
#include "engine/race.h"
#include "lab.h"
#include "lock/port_redis.h"

enum { USERS = 16, NODES = 2, SHORT_S = 8, LONG_S = 120, LEASE_MS = 300 };

static uint64_t dice;

static long chance(long below)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (long)(dice % (uint64_t)below);
}

static int seconds_wanted(void)
{
    return lab_long() ? LONG_S : SHORT_S;
}

static void start_dice(const char *what)
{
    const char *seed = getenv("SECKILL_LAB_SEED");
    dice = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15ull + 1;
    printf("# %s: seed %s, %d s\n", what, seed ? seed : "1", seconds_wanted());
    fflush(stdout);
}

/* ---- calm: a race ------------------------------------------------------------------------------------------ */

static void stall_somebody(Race *race)
{
    static const StepId steps[] = {STEP_RLOCK_TAKE, STEP_SUBSCRIBE, STEP_AWAIT_LOCK, STEP_COUNT_ORDERS, STEP_ROLLBACK,
                                   STEP_RLOCK_GIVE};
    Fault fault = {.kind = FAULT_STALL, .actor = (int)chance(USERS), .node = -1, .ms = 1 + (int)(chance(8) ? chance(40) : chance(1500)),
                   .step = steps[chance(sizeof steps / sizeof steps[0])], .after = chance(2)};
    race_arm(race, &fault, NULL);
}

/* At most one node is dead at a time; it comes back with the next strike. */
static void strike(Race *race, int *dead)
{
    if (*dead >= 0) {
        if (race_start_node(race, *dead, NULL)) *dead = -1;
    } else if (chance(30) == 0) {
        *dead = (int)chance(NODES);
        race_crash_node(race, *dead, NULL);
    } else {
        stall_somebody(race);
    }
}

static void run_race(Race *race)
{
    uint64_t end = clock_now_ns() + (uint64_t)seconds_wanted() * 1000000000u, next = 0;
    int dead = -1;
    race_release(race);
    for (bool stopped = false; race_poll(race, NULL); clock_sleep_ns(5000000)) {
        uint64_t now = clock_now_ns();
        if (!stopped && now >= end) {
            race_stop(race);
            stopped = true;
        }
        if (stopped || now < next) continue;
        strike(race, &dead);
        next = now + (uint64_t)(20 + chance(200)) * 1000000u;
    }
}

static void judge(const Report *report, Text *trouble)
{
    static const Invariant kept[] = {MUTUAL_EXCLUSION, OWNER_RELEASE, ONE_PER_USER, NO_OVERSELL, BOOKS_BALANCE};
    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (report->verdict[kept[i]].state != VERDICT_KEPT)
            text_format(trouble, "%s: %s\n", invariant_name(kept[i]), report->verdict[kept[i]].detail);
    if (report->answered < USERS) text_format(trouble, "only %ld requests were answered\n", report->answered);
    if (report->trace_lost > 0) text_format(trouble, "%ld events were lost\n", report->trace_lost);
    printf("# %ld answers, %ld steps, %d nodes lost\n", report->answered, report->steps, report->nodes_lost);
}

/* lock() and unlock() around an order; whoever has one already is told so, and comes again. */
static void never_two_inside(const Course *course, Text *trouble)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    static Report report;
    Error error = {""};
    start_dice("stalls and crashes");
    if (!course_find(course, "redisson/thread-dies", &lesson, &variant, &error)) {
        text_format(trouble, "%s\n", error.text);
        return;
    }
    Spec spec = variant->race;
    spec.users = USERS;
    spec.nodes = NODES;
    spec.stock = USERS;
    spec.requests = MAX_REQUESTS / USERS;
    spec.limit_s = spec.faults = 0;
    spec.pace_ms = 4;
    memset(spec.breaks, 0, sizeof spec.breaks);
    memset(spec.keeps, true, sizeof spec.keeps);
    Observer *observer = observer_open(lab_stores(), &error);
    Race *race = observer ? race_open(lab_stores(), &spec, &error) : NULL;
    if (race) {
        run_race(race);
        race_judge(race, observer, &report);
        judge(&report, trouble);
        race_close(race);
    } else {
        text_format(trouble, "%s\n", error.text);
    }
    observer_close(observer);
}

/* The reply is there, and its thread does not get to read it for longer than the lease: the watchdog knows of the lock
 * all the same. */
static void renewed_from_the_reply_on(const Course *course, Text *trouble)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    static Report report;
    Error error = {""};
    if (!course_find(course, "redisson/watchdog", &lesson, &variant, &error)) {
        text_format(trouble, "%s\n", error.text);
        return;
    }
    Spec spec = variant->race;
    spec.faults = 2;
    spec.fault[0] = (Fault){.kind = FAULT_STALL, .actor = 0, .node = -1, .step = STEP_RLOCK_TAKE, .after = true, .ms = 1500};
    spec.fault[1] = (Fault){.kind = FAULT_STALL, .actor = 1, .node = -1, .step = STEP_RLOCK_TAKE, .ms = 1200};
    if (!race_run(lab_stores(), &spec, &report, &error))
        text_format(trouble, "%s\n", error.text);
    else if (report.answers[ANSWER_BUSY] != 1 || report.verdict[MUTUAL_EXCLUSION].state != VERDICT_KEPT)
        text_format(trouble, "%u are busy; %s\n", (unsigned)report.answers[ANSWER_BUSY],
                    report.verdict[MUTUAL_EXCLUSION].detail);
}

/* ---- rough: processes of our own, and a table ------------------------------------------------------------------ */

typedef struct Shared {
    atomic_bool stop;
    atomic_long written, refused, busy;
} Shared;

static Shared *shared;
static RedisAddress redis;
static SqlAddress sql;
static bool fenced;

typedef struct Worker {
    pthread_t thread;
    RedisPort *port;
    SqlLink *link;
    char owner[48];
} Worker;

static bool says(SqlLink *link, const char *text)
{
    return sql_link_text(link, text, NULL, NULL) == STORE_OK;
}

/* True: nobody with a greater number has been here. */
static bool is_let_in(SqlLink *link, int64_t token)
{
    SqlResult result;
    const int64_t numbers[] = {token, token};
    if (sql_link_run(link, "UPDATE lab_fence SET token = ? WHERE token < ?", 2, numbers, &result, NULL) != STORE_OK)
        return false;
    return result.affected == 1;
}

/* The row of the fence is locked until the commit, so that rows are numbered in the order of their commits. */
static void write_row(SqlLink *link, int64_t token)
{
    SqlResult result;
    clock_sleep_ns((uint64_t)(token * 7919 % 20) * 1000000u); /* the work, before anything is written */
    if (!says(link, "START TRANSACTION")) return;
    bool in = !fenced || is_let_in(link, token);
    in = in && sql_link_run(link, "INSERT INTO lab_written (token) VALUES (?)", 1, &token, &result, NULL) == STORE_OK;
    if (!says(link, in ? "COMMIT" : "ROLLBACK")) in = false;
    atomic_fetch_add(in ? &shared->written : &shared->refused, 1);
}

static void *work(void *data)
{
    Worker *worker = data;
    for (long round = 0; !atomic_load(&shared->stop); round++) {
        Lock lock;
        lock_init(&lock, port_redis_port(worker->port), LOCK_REENTRANT, "lock:rough", worker->owner);
        lock.watchdog_ms = LEASE_MS;
        lock.requests = (uint64_t)round;
        if (lock_try_fenced(&lock, -1, NULL) == LOCK_GOT) {
            write_row(worker->link, lock.token);
            lock_give(&lock);
        } else {
            atomic_fetch_add(&shared->busy, 1);
            clock_sleep_ns(2000000);
        }
    }
    return NULL;
}

static _Noreturn void live(int life)
{
    static Worker worker[USERS / NODES];
    Error error = {""};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Watchdog *watchdog = watchdog_start(&redis, &error);
    for (int i = 0; i < USERS / NODES; i++) {
        worker[i].port = watchdog ? port_redis_open(&redis, watchdog, &error) : NULL;
        worker[i].link = sql_link_open(&sql, true, &error);
        if (!worker[i].port || !worker[i].link) _exit(1);
        snprintf(worker[i].owner, sizeof worker[i].owner, "rough-%d:%d", life, i);
    }
    for (int i = 0; i < USERS / NODES; i++) pthread_create(&worker[i].thread, NULL, work, &worker[i]);
    for (int i = 0; i < USERS / NODES; i++) pthread_join(worker[i].thread, NULL);
    _exit(0);
}

static pid_t start_life(int *life)
{
    pid_t pid = fork();
    if (pid == 0) live(++*life);
    ++*life;
    return pid;
}

static void end_lease(RedisLink *link)
{
    redisReply *reply = NULL;
    redis_link_command(link, &reply, NULL, "DEL lock:rough");
    if (reply) freeReplyObject(reply);
}

static void strike_processes(pid_t pid[NODES], int *life, RedisLink *link)
{
    int node = (int)chance(NODES);
    switch (chance(24)) {
    case 0: /* for longer than the lease, or not quite */
        kill(pid[node], SIGSTOP);
        clock_sleep_ns((uint64_t)(LEASE_MS / 2 + chance(LEASE_MS)) * 1000000u);
        kill(pid[node], SIGCONT);
        break;
    case 1:
        kill(pid[node], SIGKILL);
        waitpid(pid[node], NULL, 0);
        pid[node] = start_life(life);
        break;
    default:
        end_lease(link);
        break;
    }
}

static void run_processes(RedisLink *link)
{
    pid_t pid[NODES];
    int life = 0;
    uint64_t end = clock_now_ns() + (uint64_t)seconds_wanted() * 1000000000u;
    for (int i = 0; i < NODES; i++) pid[i] = start_life(&life);
    while (clock_now_ns() < end) {
        clock_sleep_ns((uint64_t)(2 + chance(20)) * 1000000u);
        strike_processes(pid, &life, link);
    }
    atomic_store(&shared->stop, true);
    for (int i = 0; i < NODES; i++) waitpid(pid[i], NULL, 0);
}

typedef struct Rows {
    int64_t last;
    long count, late;
} Rows;

static bool read_token(void *data, long index, int columns, char **values)
{
    Rows *rows = data;
    if (index < 0 || columns < 1) return true;
    int64_t token = strtoll(values[0], NULL, 10);
    rows->late += token <= rows->last;
    if (token > rows->last) rows->last = token;
    rows->count++;
    return true;
}

/* How many rows were written by one who had been overtaken. */
static Rows rough_run(bool with_fence, Text *trouble)
{
    Rows rows = {0};
    Error error = {""};
    SqlLink *link = stores_sql(lab_stores());
    fenced = with_fence;
    start_dice(with_fence ? "freezes and early ends, fenced" : "the same without a fence");
    bool ready = says(link, "CREATE OR REPLACE TABLE lab_fence (token BIGINT NOT NULL) ENGINE = InnoDB") &&
                 says(link, "CREATE OR REPLACE TABLE lab_written (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, "
                            "token BIGINT NOT NULL) ENGINE = InnoDB") &&
                 says(link, "INSERT INTO lab_fence VALUES (0)");
    *shared = (Shared){0};
    end_lease(stores_redis(lab_stores()));
    if (ready) run_processes(stores_redis(lab_stores()));
    if (!ready || sql_link_rows(link, "SELECT token FROM lab_written ORDER BY id", read_token, &rows, &error) != STORE_OK)
        text_format(trouble, "the table cannot be used: %s\n", error.text);
    says(link, "DROP TABLE lab_fence, lab_written");
    printf("# %ld rows, %ld of them by one who was overtaken; %ld refused, %ld found it taken\n", rows.count, rows.late,
           atomic_load(&shared->refused), atomic_load(&shared->busy));
    return rows;
}

static void the_late_one_is_refused(Text *trouble)
{
    Rows rows = rough_run(true, trouble);
    if (rows.late > 0) text_format(trouble, "%ld of %ld rows were written by one who was overtaken\n", rows.late, rows.count);
    if (rows.count < 50) text_format(trouble, "only %ld rows were written\n", rows.count);
    if (atomic_load(&shared->refused) == 0) text_append(trouble, "nobody was ever too late: nothing was proved\n");
}

/* Else the test above would prove nothing. */
static void without_a_fence_it_is_not(Text *trouble)
{
    Rows rows = rough_run(false, trouble);
    if (rows.late == 0) text_format(trouble, "none of %ld rows came too late\n", rows.count);
}

int main(int argc, char **argv)
{
    int status;
    Error error = {""};
    if (lab_child(argc, argv, &status)) return status;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stores_addresses(lab_stores(), &redis, &sql);
    Course *course = course_load(&error);
    if (!course || shared == MAP_FAILED) {
        printf("Bail out! %s\n", error.text);
        return 1;
    }
    Text trouble = {0};
    the_late_one_is_refused(&trouble);
    lab_case("an overtaken holder writes nothing, whatever stands still or ends early", &trouble);
    trouble = (Text){0};
    without_a_fence_it_is_not(&trouble);
    lab_case("without the fence it would", &trouble);
    trouble = (Text){0};
    renewed_from_the_reply_on(course, &trouble);
    lab_case("a lock is renewed from its reply on", &trouble);
    trouble = (Text){0};
    never_two_inside(course, &trouble);
    lab_case("never two inside, whoever stalls or dies", &trouble);
    course_free(course);
    return lab_done();
}
