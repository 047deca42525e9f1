/* test_random.c -- faults at random, from a seed: races of lessons 05 to 09 with some armed and some struck
 * by hand, nodes and servers killed and started again. Whatever happens, the lab lives, every process is
 * accounted for, and the report tells the truth about both stores, as counted by the test itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../claims/lab.h"
#include "base/clock.h"
#include "console.h"
#include "engine/step_kind.h"

enum { CASES = 10, CASES_LONG = 50, STRIKES = 4, LONGEST_MS = 150 };

static Console console;
static Text trouble;
static uint64_t state;

/* ---- chance ---------------------------------------------------------------------------------------- */

static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static void seed(uint64_t number)
{
    state = number * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < 8; i++) chance(2);
}

/* ---- a world and its faults ------------------------------------------------------------------------------ */

static const LessonVariant *any_variant(void)
{
    static const char *const lessons[] = {"05", "06", "07", "08", "09"};
    const Lesson *lesson = course_lesson(console.course, lessons[chance(5)]);
    return &lesson->variants[chance((uint64_t)lesson->variant_count)];
}

static StepId any_step(void)
{
    static const StepId steps[] = {STEP_BEGIN, STEP_COUNT_ORDERS, STEP_DECREMENT_ANY, STEP_NEXT_ID,
                                   STEP_INSERT_ORDER, STEP_COMMIT, STEP_LOCK, STEP_UNLOCK, STEP_SETNX,
                                   STEP_SET_NX_EX, STEP_EXPIRE, STEP_DELETE_LOCK, STEP_GET_OWNER,
                                   STEP_UNLOCK_SCRIPT, STEP_GET_LOCK};
    return steps[chance(sizeof steps / sizeof steps[0])];
}

static Fault any_fault(const Spec *spec)
{
    Fault fault = {.kind = (FaultKind)chance(FAULT_KINDS), .actor = -1, .node = -1, .step = any_step(),
                   .ms = 1 + (int)chance(LONGEST_MS)};
    bool of_node = fault.kind == FAULT_CRASH || fault.kind == FAULT_FREEZE || fault.kind == FAULT_SLOW;
    if (of_node)
        fault.node = (int)chance((uint64_t)spec->nodes);
    else if (fault.kind == FAULT_EXPIRE)
        snprintf(fault.key, sizeof fault.key, "lock:order:%d", 1 + (int)chance((uint64_t)spec->users));
    else if (chance(3) == 0)
        fault.every = true;
    else
        fault.actor = (int)chance((uint64_t)spec_actors(spec));
    if (fault.every || fault.kind == FAULT_SLOW) fault.ms = 1 + fault.ms % 5;
    if (fault.kind == FAULT_SLOW) {
        fault.step = STEP_NONE;
        fault.every = true;
    }
    if (fault.kind == FAULT_CRASH) fault.after = chance(2);
    return fault;
}

/* The variant's own faults stay, as far as they fit into a shorter race. */
static void keep_faults(Spec *spec)
{
    int kept = 0;
    for (int i = 0; i < spec->faults; i++) {
        Fault fault = spec->fault[i];
        if (fault.ms > LONGEST_MS) fault.ms = LONGEST_MS;
        if (fault.actor < spec_actors(spec)) spec->fault[kept++] = fault;
    }
    spec->faults = kept;
}

static Spec any_world(const LessonVariant **variant)
{
    *variant = any_variant();
    Spec spec = (*variant)->race;
    spec.users = 1 + (int)chance(12);
    spec.requests = 1 + (int)chance(3);
    spec.at_once = chance(2);
    spec.nodes = 1 + (int)chance(3);
    spec.stock = (long)chance(30);
    spec.pace_ms = (int)chance(6);
    spec.seed = state;
    keep_faults(&spec);
    for (int more = (int)chance(4); more > 0 && spec.faults < MAX_FAULTS; more--)
        spec.fault[spec.faults++] = any_fault(&spec);
    return spec;
}

/* ---- by hand ---------------------------------------------------------------------------------------------- */

static char done[600]; /* what was done in this case, for the diagnosis */
static bool killed[SERVER_COUNT]; /* in this case */

static void note(const char *what, int number)
{
    size_t used = strlen(done);
    snprintf(done + used, sizeof done - used, " %s %d", what, number);
}

static void strike(const Spec *spec)
{
    char key[32];
    int node = (int)chance((uint64_t)spec->nodes), user = 1 + (int)chance((uint64_t)spec->users);
    ServerKind server = (ServerKind)chance(SERVER_COUNT);
    switch (chance(6)) {
    case 0:
        note("crash node", node);
        lab_crash_node(console.lab, node);
        break;
    case 1:
        note("start node", node);
        lab_start_node(console.lab, node);
        break;
    case 2:
        note("freeze node", node);
        lab_freeze_node(console.lab, node, 1 + (int)chance(LONGEST_MS));
        break;
    case 3:
        note("expire the lock of user", user);
        snprintf(key, sizeof key, "lock:order:%d", user);
        lab_expire(console.lab, key);
        break;
    case 4:
        note("kill server", (int)server);
        killed[server] = true;
        lab_kill_server(console.lab, server);
        break;
    default:
        note("start server", (int)server);
        lab_start_server(console.lab, server, chance(2));
        break;
    }
}

/* Some strikes, at moments that differ from case to case. */
static void strike_while_it_races(const Spec *spec)
{
    for (int left = (int)chance(STRIKES + 1); left > 0; left--) {
        for (int looks = (int)chance(6); looks > 0 && !is_over(&console); looks--) console_look(&console, 20);
        if (!is_over(&console)) strike(spec);
    }
}

/* ---- the truth ----------------------------------------------------------------------------------------------- */

static void expect(bool fine, const char *what)
{
    if (!fine) text_format(&trouble, "%s\n", what);
}

static void same(const char *what, long told, long counted)
{
    if (told != counted) text_format(&trouble, "%s: the report says %ld, counted %ld\n", what, told, counted);
}

static bool says_broken(const Report *report, Invariant invariant)
{
    return report->verdict[invariant].state == VERDICT_BROKEN;
}

static bool is_judged(const Report *report, Invariant invariant)
{
    return report->verdict[invariant].state == VERDICT_BROKEN || report->verdict[invariant].state == VERDICT_KEPT;
}

/* What a count alone decides must be what the referee says. */
static void check_verdicts(const Report *report, const Count *count)
{
    const Spec *spec = &report->spec;
    if (is_judged(report, ONE_PER_USER))
        same("one-per-user is broken", says_broken(report, ONE_PER_USER), count->duplicate_users > 0);
    if (is_judged(report, NO_OVERSELL) && spec->stock_in_sql)
        same("no-oversell is broken", says_broken(report, NO_OVERSELL),
             count->orders > spec->stock || count->stock < 0);
    if (is_judged(report, BOOKS_BALANCE) && spec->stock_in_sql && !spec->stock_in_redis)
        same("books-balance is broken", says_broken(report, BOOKS_BALANCE),
             count->stock + count->orders != spec->stock);
    if (is_judged(report, PROGRESS) && report->complete)
        same("progress is broken", says_broken(report, PROGRESS), count->abandoned > 0);
}

static void check_report(const Report *report)
{
    Count count;
    const Snapshot *truth = &report->truth;
    console_count(&console, &count);
    /* One that is killed may go between the judge's look and ours. */
    if (!killed[SERVER_SQL]) same("the database answers", truth->sql_ok, count.sql);
    if (!killed[SERVER_REDIS]) same("Redis answers", truth->redis_ok, count.redis);
    if (truth->sql_ok && count.sql) {
        same("stock", truth->stock, count.stock);
        same("orders", truth->orders, count.orders);
        same("users with two orders", truth->duplicate_users, count.duplicate_users);
    }
    if (truth->redis_ok && count.redis && count.has_redis_stock)
        same("stock in Redis", truth->redis_stock, count.redis_stock);
    if (!truth->sql_ok || !truth->redis_ok) {
        expect(!says_broken(report, BOOKS_BALANCE) || truth->sql_ok, "books judged without the database");
        expect(report->trouble[0] || console.view.message[0], "nothing is said of a lost server");
    } else if (count.sql && count.redis) {
        check_verdicts(report, &count);
    }
}

static void check_answers(const Report *report)
{
    long sum = 0, total = (long)report->spec.users * report->spec.requests;
    for (int i = 0; i < ANSWER_COUNT; i++) sum += report->answers[i];
    same("answers in all", sum, report->answered);
    expect(sum <= total, "more answers than requests");
    if (report->nodes_lost == 0 && !report->stopped) same("requests answered", report->answered, total);
    same("complete", report->complete, report->answered == total);
}

static bool servers_are_as_told(const Console *from)
{
    int up = 0;
    for (int i = 0; i < SERVER_COUNT; i++) up += from->view.server[i].pid > 0;
    return up == console_servers(from);
}

static void check_processes(void)
{
    same("children: the keeper alone", 1, console_children());
    expect(console_until(&console, servers_are_as_told), "a server is told to live, and does not");
}

/* ---- one case ------------------------------------------------------------------------------------------------ */

static unsigned answers_before;

static bool is_answered(const Console *from)
{
    return from->view.answer_serial != answers_before;
}

/* Requests are served one after the other: when this is answered, all strikes have struck or been refused. */
static void settle(void)
{
    answers_before = console.view.answer_serial;
    lab_sql(console.lab, "SELECT 1");
    expect(console_until(&console, is_answered), "the lab does not answer");
}

static bool can_race(const Console *from)
{
    bool gone = false;
    for (int i = 0; i < SERVER_COUNT; i++) {
        ServerState server = from->view.server[i].state;
        gone |= server == SERVER_DOWN || server == SERVER_FAILED;
    }
    if (gone && from->view.phase != LAB_STARTING) lab_restart(from->lab);
    return is_ready(from) && console_servers(from) == SERVER_COUNT &&
           (from->view.phase == LAB_IDLE || from->view.phase == LAB_DONE);
}

/* As a learner does who presses R until all is well. */
static void bring_servers_back(void)
{
    lab_restart(console.lab);
    settle();
    if (console_until(&console, can_race)) return;
    const LabView *view = &console.view;
    text_format(&trouble, "the servers do not come back: phase %d, Redis %d, database %d, %d live; %s\n", view->phase,
                view->server[SERVER_REDIS].state, view->server[SERVER_SQL].state, console_servers(&console),
                view->message);
}

static void describe(const LessonVariant *variant, const Spec *spec)
{
    char fault[200];
    text_format(&trouble, "%s: users %d, requests %d%s, stock %ld, nodes %d, pace %d;%s\n", variant->name,
                spec->users, spec->requests, spec->at_once ? " at once" : "", spec->stock, spec->nodes,
                spec->pace_ms, done);
    for (int i = 0; i < spec->faults; i++)
        text_format(&trouble, "  %s\n", fault_write(&spec->fault[i], fault, sizeof fault));
}

static void run_case(int number)
{
    const LessonVariant *variant;
    char name[120];
    done[0] = '\0';
    memset(killed, 0, sizeof killed);
    seed((uint64_t)number);
    Spec spec = any_world(&variant);
    console_race(&console, &spec);
    strike_while_it_races(&spec);
    bool over = console_until(&console, is_over);
    expect(over, "the race has no end");
    settle();
    if (!over) lab_stop_race(console.lab);
    if (over) {
        check_report(&console.view.report);
        check_answers(&console.view.report);
        check_processes();
    }
    bring_servers_back();
    if (trouble.length > 0) describe(variant, &spec);
    snprintf(name, sizeof name, "random faults %d: %s", number, variant->name);
    lab_case(name, &trouble);
    trouble = (Text){0};
}

int main(int argc, char **argv)
{
    console_open(&console);
    int first = argc > 1 ? atoi(argv[1]) : 1;
    int last = argc > 1 ? first : lab_long() ? CASES_LONG : CASES;
    for (int number = first; number <= last; number++) run_case(number);
    console_close(&console);
    return lab_done();
}
