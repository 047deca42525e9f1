/* test_live.c -- faults as the console gives them, while a race runs: each does what it says, each can be
 * refused, and servers that go away and come back are used again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../claims/lab.h"
#include "base/clock.h"
#include "console.h"

static Console console;
static Text trouble;

/* ---- saying what is wrong ------------------------------------------------------------------------ */

static bool expect(bool fine, const char *what)
{
    if (!fine) text_format(&trouble, "%s\n", what);
    return fine;
}

static void expect_number(const char *what, long got, long wanted)
{
    if (got != wanted) text_format(&trouble, "%s: %ld, not %ld\n", what, got, wanted);
}

static const char *awaited;

static bool message_has(const Console *from)
{
    return strstr(from->view.message, awaited) != NULL;
}

static void expect_message(const char *part)
{
    awaited = part;
    if (console_until(&console, message_has)) return;
    text_format(&trouble, "the message is \"%s\", not \"... %s ...\"\n", console.view.message, part);
}

/* ---- a race that lasts until it is told to end ------------------------------------------------------ */

/* Two nodes, four users who ask again and again, about ten steps a second each. */
static Spec endless(void)
{
    Spec spec = console_race_spec(&console, "07/set-nx-ex");
    spec.users = 4;
    spec.requests = 20000;
    spec.at_once = false;
    spec.stock = 1000000;
    spec.nodes = 2;
    spec.faults = 0;
    spec.pace_ms = 5;
    return spec;
}

static bool has_answers(const Console *from)
{
    return from->view.phase == LAB_RACING && from->view.race.answered >= 8;
}

static bool start(const Spec *spec)
{
    console_race(&console, spec);
    return expect(console_until(&console, has_answers), "the race does not start");
}

static void finish(void)
{
    lab_stop_race(console.lab);
    expect(console_until(&console, is_over), "the race does not end when it is stopped");
}

static long answered_before;

static bool has_more_answers(const Console *from)
{
    return from->view.phase != LAB_RACING || from->view.race.answered >= answered_before + 4;
}

static void goes_on(const char *after)
{
    answered_before = console.view.race.answered;
    expect(console_until(&console, has_more_answers) && is_racing(&console), after);
}

/* ---- armed faults ------------------------------------------------------------------------------------ */

static bool fault_has_fired(const Console *from)
{
    return from->view.race.faults > 0 && from->view.race.fault[0].fired > 0;
}

static bool fault_is_listed(const Console *from)
{
    return from->view.race.faults > 0;
}

static bool fault_is_taken_back(const Console *from)
{
    return from->view.race.faults > 0 && !from->view.race.fault[0].armed;
}

static void armed_faults_fire_and_are_counted(void)
{
    Spec spec = endless();
    Fault fault;
    if (!start(&spec)) return;
    expect(fault_parse(FAULT_ERROR, "A@begin", &fault, NULL), "no fault");
    lab_arm(console.lab, &fault);
    expect(console_until(&console, fault_has_fired), "the error does not hit");
    goes_on("nothing goes on after an error");
    finish();
    const Report *report = &console.view.report;
    expect_number("faults in the report", report->faults, 1);
    expect_number("times it hit", report->fault[0].fired, 1);
    expect_number("users told of an error", report->answers[ANSWER_ERROR], 1);
}

static void an_armed_fault_can_be_taken_back(void)
{
    Spec spec = endless();
    Fault fault;
    if (!start(&spec)) return;
    expect(fault_parse(FAULT_STALL, "A@select-stock=60000", &fault, NULL), "no fault");
    lab_arm(console.lab, &fault); /* a step that never comes here */
    expect(console_until(&console, fault_is_listed) && console.view.race.fault[0].armed, "it is not listed");
    lab_disarm(console.lab, 0);
    expect(console_until(&console, fault_is_taken_back), "it is not taken back");
    finish();
    expect_number("times it hit", console.view.report.fault[0].fired, 0);
}

static bool has_message(const Console *from)
{
    return from->view.message[0] != '\0';
}

static void what_cannot_be_is_refused_in_a_line(void)
{
    Fault fault;
    fault_parse(FAULT_ERROR, "A@begin", &fault, NULL);
    lab_arm(console.lab, &fault);
    expect_message("start one first");

    Spec spec = endless();
    if (!start(&spec)) return;
    fault_parse(FAULT_CRASH, "n3@begin", &fault, NULL);
    lab_arm(console.lab, &fault);
    expect_message("There is no node 3");
    fault_parse(FAULT_ERROR, "u999@begin", &fault, NULL);
    lab_arm(console.lab, &fault);
    expect_message("there is no user 999");
    lab_expire(console.lab, "lock:order:99");
    expect_message("There is no key lock:order:99 now");
    lab_start_node(console.lab, 0);
    expect_message("Node 1 is running");
    lab_crash_node(console.lab, 7);
    expect_message("There is no node 8");
    finish();
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static bool node_is_dead(const Console *from)
{
    return from->view.race.node_state[0] == NODE_GONE;
}

static bool node_serves(const Console *from)
{
    return from->view.race.node_state[0] == NODE_READY && from->view.race.answered >= answered_before + 4;
}

static void a_node_is_killed_and_started_again(void)
{
    Spec spec = endless();
    if (!start(&spec)) return;
    lab_crash_node(console.lab, 0);
    expect(console_until(&console, node_is_dead), "the node lives");
    goes_on("the other node does not go on");
    lab_start_node(console.lab, 0);
    answered_before = console.view.race.answered;
    expect(console_until(&console, node_serves), "the node does not serve again");
    long dead = 0;
    for (int i = 0; i < console.view.race.actor_views; i++)
        dead += console.view.race.actor[i].state == ACTOR_DEAD;
    expect_number("dead users", dead, 0);
    finish();
    expect_number("nodes lost", console.view.report.nodes_lost, 1);
    expect_number("children", console_children(), 1);
}

static bool node_is_frozen(const Console *from)
{
    return from->view.race.frozen[0];
}

static bool node_is_not_frozen(const Console *from)
{
    return !from->view.race.frozen[0];
}

static void a_frozen_node_stands_still_and_goes_on(void)
{
    Spec spec = endless();
    if (!start(&spec)) return;
    uint64_t began = clock_now_ns();
    lab_freeze_node(console.lab, 0, 300);
    expect(console_until(&console, node_is_frozen), "the node is not frozen");
    expect(console_until(&console, node_is_not_frozen), "the node stays frozen");
    expect(clock_now_ns() - began >= 290000000u, "it was not frozen that long");
    goes_on("nothing goes on after a freeze");
    finish();
}

/* ---- leases ------------------------------------------------------------------------------------------------- */

static bool lock_is_shown(const Console *from)
{
    const LocksView *locks = &from->view.race.locks;
    for (int i = 0; is_racing(from) && i < locks->locks; i++)
        if (strcmp(locks->lock[i].name, "lock:order:1") == 0 && locks->lock[i].count > 0 &&
            locks->lock[i].ttl_ms > 0 && locks->lock[i].holder.actor == 0)
            return true;
    return false;
}

static bool overlap_is_shown(const Console *from)
{
    return from->view.race.locks.overlaps > 0;
}

/* A is stalled with the lock in its hand; the key is ended by hand; B takes the lock, too. */
static void a_lease_ended_by_hand_lets_two_in(void)
{
    Spec spec = endless();
    spec.users = 1;
    spec.requests = 2;
    spec.at_once = true;
    spec.pace_ms = 0;
    fault_parse(FAULT_STALL, "A@insert-order=2000", &spec.fault[spec.faults++], NULL);
    fault_parse(FAULT_STALL, "B@set-nx-ex=1000", &spec.fault[spec.faults++], NULL);
    console_race(&console, &spec);
    expect(console_until(&console, lock_is_shown), "the lock is not shown with its holder and its lease");
    lab_expire(console.lab, "lock:order:1");
    expect(console_until(&console, is_over), "the race does not end");
    expect(overlap_is_shown(&console), "the overlap is not shown");
    const LocksView *locks = &console.view.race.locks;
    for (int i = 0; i < locks->locks; i++) {
        if (locks->lock[i].overlap.times == 0) continue;
        expect_number("who was inside", locks->lock[i].overlap.first.actor, 0);
        expect_number("who came in", locks->lock[i].overlap.second.actor, 1);
    }
    expect_number("two inside", console.view.report.verdict[MUTUAL_EXCLUSION].state, VERDICT_BROKEN);
}

/* ---- who waits for whom ------------------------------------------------------------------------------------- */

static bool mutex_wait_is_shown(const Console *from)
{
    const LocksView *locks = &from->view.race.locks;
    for (int i = 0; is_racing(from) && i < locks->waits; i++)
        if (locks->wait[i].waiter == 1 && locks->wait[i].holder == 0 &&
            locks->wait[i].home == LOCK_IN_NODE && strcmp(locks->wait[i].on, "user 1") == 0)
            return true;
    return false;
}

static void whoever_waits_for_a_mutex_is_shown(void)
{
    Spec spec = console_race_spec(&console, "05/lock-per-user");
    spec.users = 1;
    spec.stock = 2;
    fault_parse(FAULT_STALL, "A@insert-order=1500", &spec.fault[spec.faults++], NULL);
    fault_parse(FAULT_STALL, "B@lock=300", &spec.fault[spec.faults++], NULL);
    console_race(&console, &spec);
    expect(console_until(&console, mutex_wait_is_shown), "B is not shown waiting for A");
    expect_number("no deadlock", console.view.race.locks.cycle_length, 0);
    expect(console_until(&console, is_over), "the race does not end");
    expect_number("waits at the end", console.view.race.locks.waits, 0);
}

static bool row_wait_is_shown(const Console *from)
{
    const LocksView *locks = &from->view.race.locks;
    for (int i = 0; is_racing(from) && i < locks->waits; i++)
        if (locks->wait[i].waiter == 1 && locks->wait[i].holder == 0 && locks->wait[i].home == LOCK_ON_ROW &&
            strcmp(locks->wait[i].on, "tb_seckill_voucher") == 0)
            return true;
    return false;
}

/* A has taken one from the stock and sleeps in its transaction; B, another user, wants one. */
static void whoever_waits_for_a_row_is_shown(void)
{
    Spec spec = console_race_spec(&console, "05/lock-per-user");
    spec.users = 2;
    spec.requests = 1;
    spec.stock = 2;
    fault_parse(FAULT_STALL, "A@insert-order=2500", &spec.fault[spec.faults++], NULL);
    fault_parse(FAULT_STALL, "B@decrement-if-any=300", &spec.fault[spec.faults++], NULL);
    console_race(&console, &spec);
    expect(console_until(&console, row_wait_is_shown), "B is not shown waiting for A's row");
    expect(console_until(&console, is_over), "the race does not end");
}

/* ---- servers -------------------------------------------------------------------------------------------------- */

static ServerKind the_server;

static bool server_is_down(const Console *from)
{
    return from->view.server[the_server].state == SERVER_DOWN;
}

static bool server_is_back(const Console *from)
{
    return from->view.server[the_server].state == SERVER_READY;
}

static long ordered_before;

static bool orders_again(const Console *from)
{
    return from->view.phase != LAB_RACING || from->view.race.answers[ANSWER_ORDERED] > ordered_before;
}

static bool has_unknown(const Console *from)
{
    return from->view.race.answers[ANSWER_UNKNOWN] > 0;
}

/* The same with a variant that lets a user buy again and again. */
static Spec reordering(void)
{
    Spec spec = console_race_spec(&console, "02/check-then-update");
    spec.users = 4;
    spec.requests = 20000;
    spec.stock = 1000000;
    spec.nodes = 2;
    spec.pace_ms = 5;
    return spec;
}

static void compare_with_own_count(void)
{
    Count count;
    console_count(&console, &count);
    const Snapshot *truth = &console.view.report.truth;
    expect(count.sql && truth->sql_ok, "the database does not answer");
    expect(count.redis && truth->redis_ok, "Redis does not answer");
    expect_number("stock in the report", truth->stock, count.stock);
    expect_number("orders in the report", truth->orders, count.orders);
    expect_number("users with two orders in the report", truth->duplicate_users, count.duplicate_users);
}

static void a_server_goes_and_comes_back(ServerKind kind, bool empty)
{
    Spec spec = reordering();
    the_server = kind;
    if (!start(&spec)) return;
    lab_kill_server(console.lab, kind);
    expect(console_until(&console, server_is_down), "the server is not down");
    expect(console_until(&console, has_unknown), "nobody is told that the connection broke");
    expect(is_racing(&console), "the race did not go on without the server");
    lab_start_server(console.lab, kind, empty);
    expect(console_until(&console, server_is_back), "the server does not come back");
    ordered_before = console.view.race.answers[ANSWER_ORDERED];
    expect(console_until(&console, orders_again) && is_racing(&console), "nothing is sold after the server came back");
    finish();
    compare_with_own_count();
    expect(console.view.phase == LAB_DONE, "the lab is not ready for the next race");
}

static void redis_goes_and_comes_back_with_its_data(void)
{
    a_server_goes_and_comes_back(SERVER_REDIS, false);
}

static void redis_goes_and_comes_back_empty(void)
{
    a_server_goes_and_comes_back(SERVER_REDIS, true);
}

static void the_database_goes_and_comes_back(void)
{
    a_server_goes_and_comes_back(SERVER_SQL, false);
}

/* What Redis held before is there again, or is not. */
static void redis_keeps_its_data_or_not(void)
{
    Spec spec = console_race_spec(&console, "02/redis-get-set");
    the_server = SERVER_REDIS;
    for (int empty = 0; empty < 2; empty++) {
        Count count;
        lab_prepare(console.lab, &spec);
        while (console.view.spec.variant != spec.variant) console_look(&console, 100);
        lab_kill_server(console.lab, SERVER_REDIS);
        expect(console_until(&console, server_is_down), "the server is not down");
        lab_start_server(console.lab, SERVER_REDIS, empty);
        expect(console_until(&console, server_is_back), "the server does not come back");
        console_count(&console, &count);
        expect_number(empty ? "a stock in an empty Redis" : "a stock in Redis", count.has_redis_stock, !empty);
        if (!empty) expect_number("the stock in Redis", count.redis_stock, spec.stock);
        console.view.spec.variant = NULL;
    }
}

static void a_race_that_ends_without_a_server_says_so(void)
{
    Spec spec = endless();
    the_server = SERVER_SQL;
    if (!start(&spec)) return;
    lab_kill_server(console.lab, SERVER_SQL);
    expect(console_until(&console, server_is_down), "the server is not down");
    finish();
    expect(!console.view.report.truth.sql_ok, "the report pretends to know the database");
    expect(console.view.report.verdict[BOOKS_BALANCE].state == VERDICT_UNKNOWN, "books were judged without books");
    expect(console.view.phase == LAB_BROKEN && has_message(&console), "it is not said that a server is gone");
    lab_start_server(console.lab, SERVER_SQL, false);
    expect(console_until(&console, is_ready), "the server does not come back");
}

static void a_running_server_is_not_started(void)
{
    while (console.view.phase == LAB_STARTING) console_look(&console, 100);
    lab_start_server(console.lab, SERVER_REDIS, false);
    expect_message("That server is running");
}

/* ---- the locks of a small world -------------------------------------------------------------------- */

static const Spec *world_wanted;
static const char *moves_wanted;

static bool stands_there(const Console *from)
{
    const StepState *step = from->view.step;
    return step && step->open && step->spec.variant == world_wanted->variant &&
           strcmp(step->view.schedule, moves_wanted) == 0;
}

/* The picture after these moves; NULL when they cannot be made. */
static const LocksView *locks_after(const char *name, const char *moves)
{
    Error error;
    const Lesson *lesson;
    const LessonVariant *variant;
    if (!course_find(console.course, name, &lesson, &variant, &error)) return NULL;
    lab_step_open(console.lab, &variant->small, NULL, moves);
    world_wanted = &variant->small;
    moves_wanted = moves;
    if (!expect(console_until(&console, stands_there), "the moves cannot be made")) return NULL;
    return &console.view.step->view.locks;
}

static const LockView *lock_named(const LocksView *locks, const char *name, int node)
{
    for (int i = 0; locks && i < locks->locks; i++)
        if (strcmp(locks->lock[i].name, name) == 0 && locks->lock[i].node == node) return &locks->lock[i];
    text_format(&trouble, "no lock %s of node %d is shown\n", name, node);
    return NULL;
}

static void the_locks_of_a_small_world_are_shown(void)
{
    const LocksView *locks = locks_after("05/lock-per-user", "A");
    const LockView *lock = lock_named(locks, "user 1", 0);
    if (!lock) return;
    expect_number("holder", lock->holder.actor, 0);
    expect_number("waiters", lock->waiters, 1);
    expect_number("who waits", lock->waiter[0], 1);
    expect_number("waits", locks->waits, 1);

    locks = locks_after("06/two-nodes", "A B");
    lock = lock_named(locks, "user 1", 0);
    const LockView *other = lock_named(locks, "user 1", 1);
    if (!lock || !other) return;
    expect_number("overlaps", lock->overlap.times, 1);
    expect_number("who was inside", lock->overlap.first.actor, 0);
    expect_number("who came in", lock->overlap.second.actor, 1);
    expect_number("holder of the other", other->holder.actor, 1);

    locks = locks_after("08/delete-blind", "A");
    lock = lock_named(locks, "lock:order:1", -1);
    if (!lock) return;
    expect(lock->still && lock->ttl_ms > 0 && lock->ttl_ms == lock->ttl_max_ms && lock->ttl_ms < 60000,
           "the lease does not stand still at its full length");
    const Snapshot *truth = &console.view.step->view.truth;
    for (int i = 0; i < truth->key_count; i++)
        if (strcmp(truth->keys[i].name, "lock:order:1") == 0)
            expect_number("the key's TTL", truth->keys[i].ttl_ms, lock->ttl_ms);

    locks = locks_after("08/delete-blind", "A clk B A A A A A A A");
    lock = lock_named(locks, "lock:order:1", -1);
    if (!lock) return;
    expect_number("deleted by another", lock->mis_delete.times, 1);
    expect_number("whose it was", lock->mis_delete.first.actor, 1);
    expect_number("who deleted it", lock->mis_delete.second.actor, 0);
    expect_number("it is free", lock->count, 0);

    locks = locks_after("07/setnx-expire", "A !n1");
    lock = lock_named(locks, "lock:order:1", -1);
    if (!lock) return;
    expect(lock->abandoned && lock->holder_gone && lock->ttl_ms == -1, "the lock is not named as abandoned");
    lab_step_close(console.lab);
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"an armed fault fires and is counted", armed_faults_fire_and_are_counted},
    {"an armed fault can be taken back", an_armed_fault_can_be_taken_back},
    {"what cannot be is refused in a line", what_cannot_be_is_refused_in_a_line},
    {"a node is killed and started again", a_node_is_killed_and_started_again},
    {"a frozen node stands still and goes on", a_frozen_node_stands_still_and_goes_on},
    {"a lease ended by hand lets two in", a_lease_ended_by_hand_lets_two_in},
    {"whoever waits for a mutex is shown", whoever_waits_for_a_mutex_is_shown},
    {"whoever waits for a row is shown", whoever_waits_for_a_row_is_shown},
    {"the locks of a small world are shown", the_locks_of_a_small_world_are_shown},
    {"Redis goes and comes back with its data", redis_goes_and_comes_back_with_its_data},
    {"Redis goes and comes back empty", redis_goes_and_comes_back_empty},
    {"the database goes and comes back", the_database_goes_and_comes_back},
    {"Redis keeps its data or not, as wanted", redis_keeps_its_data_or_not},
    {"a race that ends without a server says so", a_race_that_ends_without_a_server_says_so},
    {"a running server is not started", a_running_server_is_not_started},
};

int main(int argc, char **argv)
{
    console_open(&console);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (argc > 1 && !strstr(tests[i].name, argv[1])) continue;
        tests[i].run();
        lab_case(tests[i].name, &trouble);
        trouble = (Text){0};
    }
    console_close(&console);
    return lab_done();
}
