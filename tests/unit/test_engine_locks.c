/* test_engine_locks.c -- what locks did, told by made-up events: the judges, the watch that follows a
 * race, and the picture that the Locks panel shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "engine/locks_view.h"
#include "engine/referee_locks.h"
#include "engine/step_kind.h"

enum { USERS = 4, ROOM = 64, US = 1000 };

typedef struct Fixture {
    Spec spec;
    World *world;
    int fd;
    Snapshot truth;
    TraceEvent events[ROOM];
    long count;
    LocksWatch watch;
    LocksView view;
} Fixture;

static Fixture f;

/* Users A and C on node 1, B and D on node 2. */
static int setup(void **state)
{
    (void)state;
    Error error = {""};
    memset(&f, 0, sizeof f);
    f.spec = (Spec){.variant = variants, .users = USERS, .requests = 1, .nodes = 2, .stock = 1};
    f.world = world_create(&f.spec, MODE_RACE, &f.fd, &error);
    f.truth = (Snapshot){.sql_ok = true, .redis_ok = true, .taken_ns = 1000000 * US};
    return f.world && locks_watch_open(&f.watch, f.world) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    locks_watch_close(&f.watch);
    world_close(f.world);
    close(f.fd);
    return 0;
}

enum { A, B, C, D, CONSOLE };

static uint64_t id_of(const char *name)
{
    return hash_string(HASH_START, name);
}

/* Sent and replied to at these moments, in us; the trace has them by the reply. */
static TraceEvent *add(int actor, StepId step, const char *lock, int64_t value, int begin, int end)
{
    long at = f.count++;
    while (at > 0 && f.events[at - 1].event.end_ns > (uint64_t)end * US) {
        f.events[at] = f.events[at - 1];
        at--;
    }
    f.events[at] = (TraceEvent){.actor = (uint32_t)actor,
                                .event = {.kind = EVENT_STEP, .step = (uint16_t)step,
                                          .argument = lock ? (int64_t)id_of(lock) : 0, .value = value,
                                          .begin_ns = (uint64_t)begin * US, .end_ns = (uint64_t)end * US}};
    if (lock) world_name_lock(f.world, id_of(lock), lock);
    return &f.events[at];
}

static void take(int actor, StepId step, const char *lock, int at)
{
    add(actor, step, lock, 1, at - 1, at);
}

static void give(int actor, StepId step, const char *lock, int at)
{
    add(actor, step, lock, 1, at, at + 1);
}

static void answer(int actor, int at)
{
    TraceEvent *event = add(actor, STEP_NONE, NULL, 0, at, at);
    event->event.kind = EVENT_ANSWER;
    event->event.code = ANSWER_ORDERED;
}

static void console(ConsoleEvent code, const char *lock, int value, int at)
{
    TraceEvent *event = add(CONSOLE, STEP_NONE, lock, value, at, at);
    event->event.kind = EVENT_FAULT;
    event->event.code = code;
}

/* ---- the judges ---------------------------------------------------------------------------------- */

typedef void (*Judge)(const Case *judged, Verdict *verdict, Finding *finding);

static Finding judge(Judge of, VerdictState state, const char *detail)
{
    Case judged = {.spec = &f.spec, .world = f.world, .truth = &f.truth, .events = f.events,
                   .event_count = f.count, .complete = true};
    Verdict verdict = {0};
    Finding finding = {-1, -1, 0, 0};
    of(&judged, &verdict, &finding);
    assert_string_equal(verdict.detail, detail);
    assert_int_equal(verdict.state, state);
    return finding;
}

static void judge_exclusion(int times, int first, int second)
{
    char detail[60];
    snprintf(detail, sizeof detail, times == 1 ? "%d time two were inside" : "%d times two were inside", times);
    Finding finding = judge(judge_mutual_exclusion, times ? VERDICT_BROKEN : VERDICT_KEPT, detail);
    assert_int_equal(finding.actor, first);
    assert_int_equal(finding.other, second);
}

static void judge_release(int times, int first, int second)
{
    Finding finding = judge(judge_owner_release, times ? VERDICT_BROKEN : VERDICT_KEPT,
                            times == 1   ? "1 lock was deleted by another than its holder"
                            : times == 0 ? "0 locks were deleted by another than their holder"
                                         : "2 locks were deleted by another than their holder");
    assert_int_equal(finding.actor, first);
    assert_int_equal(finding.other, second);
}

static void one_after_the_other_is_kept(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "user 1", 10);
    give(A, STEP_UNLOCK, "user 1", 20);
    take(B, STEP_LOCK, "user 1", 30);
    give(B, STEP_UNLOCK, "user 1", 40);
    judge_exclusion(0, -1, -1);
    judge_release(0, -1, -1);
}

static void two_locks_of_two_names_are_no_overlap(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "user 1", 10);
    take(B, STEP_LOCK, "user 2", 15);
    give(A, STEP_UNLOCK, "user 1", 20);
    give(B, STEP_UNLOCK, "user 2", 25);
    judge_exclusion(0, -1, -1);
}

static void a_refused_lock_lets_nobody_in(void **state)
{
    (void)state;
    take(A, STEP_SETNX, "lock:order:1", 10);
    add(B, STEP_SETNX, "lock:order:1", 0, 11, 12);
    add(C, STEP_SETNX, "lock:order:1", 1, 13, 14)->event.status = STORE_LOST;
    give(A, STEP_DELETE_LOCK, "lock:order:1", 20);
    judge_exclusion(0, -1, -1);
    judge_release(0, -1, -1);
}

static void two_inside_are_found(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "user 1", 10);
    take(B, STEP_LOCK, "user 1", 15); /* the same name, on the other node */
    give(A, STEP_UNLOCK, "user 1", 20);
    take(C, STEP_LOCK, "user 1", 22); /* B is still inside */
    give(B, STEP_UNLOCK, "user 1", 25);
    give(C, STEP_UNLOCK, "user 1", 30);
    judge_exclusion(2, A, B);
}

/* The holder leaves when it begins to give the lock back, not when it hears that it has. */
static void an_unlock_that_is_told_late_is_no_overlap(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "user 1", 10);
    add(A, STEP_UNLOCK, "user 1", 1, 20, 50);
    take(B, STEP_LOCK, "user 1", 22);
    give(B, STEP_UNLOCK, "user 1", 60);
    judge_exclusion(0, -1, -1);
}

static void answers_and_crashes_end_a_section(void **state)
{
    (void)state;
    take(A, STEP_SETNX, "lock:order:1", 10);
    answer(A, 20);
    take(B, STEP_SETNX, "lock:order:1", 30);
    console(CONSOLE_CRASHED, NULL, 1, 40);
    take(C, STEP_SETNX, "lock:order:1", 50);
    judge_exclusion(0, -1, -1);
}

static void a_lease_that_runs_out_does_not_end_a_section(void **state)
{
    (void)state;
    take(A, STEP_SET_NX_EX, "lock:order:1", 10);
    console(CONSOLE_EXPIRED, "lock:order:1", 0, 20);
    take(B, STEP_SET_NX_EX, "lock:order:1", 30);
    judge_exclusion(1, A, B);
}

static void anothers_lock_deleted_is_found(void **state)
{
    (void)state;
    take(A, STEP_SET_NX_EX, "lock:order:1", 10);
    console(CONSOLE_EXPIRED, "lock:order:1", 0, 20);
    take(B, STEP_SET_NX_EX, "lock:order:1", 30);
    give(A, STEP_DELETE_LOCK, "lock:order:1", 40);
    take(C, STEP_SET_NX_EX, "lock:order:1", 50);
    give(B, STEP_DELETE_LOCK, "lock:order:1", 60);
    judge_release(2, B, A);
}

static void nothing_deleted_is_nobodys_fault(void **state)
{
    (void)state;
    take(A, STEP_SET_NX_EX, "lock:order:1", 10);
    console(CONSOLE_EXPIRED, "lock:order:1", 0, 20);
    give(A, STEP_DELETE_LOCK, "lock:order:1", 25); /* of nobody: it had run out */
    f.events[f.count - 1].event.value = 0;
    take(B, STEP_SET_NX_EX, "lock:order:1", 30);
    add(A, STEP_UNLOCK_SCRIPT, "lock:order:1", 0, 40, 41); /* not its own: left alone */
    give(B, STEP_DELETE_LOCK, "lock:order:1", 50);
    judge_release(0, -1, -1);
}

/* B took the lock that A's delete had freed, and was told so before A was. */
static void a_delete_that_is_told_late_is_its_own(void **state)
{
    (void)state;
    take(A, STEP_SET_NX_EX, "lock:order:1", 10);
    add(A, STEP_DELETE_LOCK, "lock:order:1", 1, 20, 50);
    take(B, STEP_SET_NX_EX, "lock:order:1", 25);
    give(B, STEP_DELETE_LOCK, "lock:order:1", 60);
    judge_release(0, -1, -1);
    judge_exclusion(0, -1, -1);
}

static void progress_is_everybodys_end(void **state)
{
    (void)state;
    judge(judge_progress, VERDICT_KEPT, "every lock came free");
    f.truth.abandoned_locks = 1;
    judge(judge_progress, VERDICT_BROKEN, "1 lock is abandoned: nobody holds it, and it has no lease");
    f.truth.abandoned_locks = 2;
    judge(judge_progress, VERDICT_BROKEN, "2 locks are abandoned: nobody holds them, and they have no lease");

    Verdict verdict;
    Case judged = {.spec = &f.spec, .world = f.world, .truth = &f.truth, .stuck = true};
    atomic_store(&world_slot(f.world, A)->state, ACTOR_DONE);
    atomic_store(&world_slot(f.world, B)->state, ACTOR_AT_GATE);
    atomic_store(&world_slot(f.world, C)->state, ACTOR_WAITING);
    atomic_store(&world_slot(f.world, D)->state, ACTOR_DEAD);
    judge_progress(&judged, &verdict, NULL);
    assert_int_equal(verdict.state, VERDICT_BROKEN);
    assert_string_equal(verdict.detail, "2 wait for ever");
}

/* ---- the picture --------------------------------------------------------------------------------------- */

static void show_key(const char *name, const char *value, long ttl_ms)
{
    KeyView *key = &f.truth.keys[f.truth.key_count++];
    *key = (KeyView){.ttl_ms = ttl_ms, .ttl_max_ms = ttl_ms};
    strcpy(key->name, name);
    strcpy(key->type, "string");
    strcpy(key->value, value);
}

static const LockView *look_at(const char *name, int node)
{
    for (int i = 0; i < f.view.locks; i++)
        if (strcmp(f.view.lock[i].name, name) == 0 && f.view.lock[i].node == node) return &f.view.lock[i];
    fail_msg("no lock %s of node %d is shown", name, node);
    return NULL;
}

static void look(bool still)
{
    locks_watch_feed(&f.watch, f.events, f.count);
    f.count = 0;
    locks_watch_settle(&f.watch, UINT64_MAX);
    locks_view_make(&f.view, &f.watch, &f.truth, still);
    locks_view_finish(&f.view);
}

static void a_lock_has_a_name_a_place_and_a_holder(void **state)
{
    (void)state;
    take(B, STEP_LOCK, "user 2", 10);
    take(C, STEP_GET_LOCK, "lock:order:3", 20);
    add(D, STEP_SET_NX_EX, "lock:order:4", 1, 29, 30)->event.second = 1;
    show_key("lock:order:4", "uuid-2", 700);
    show_key("seckill:stock:1", "5", -1);
    look(false);
    assert_int_equal(f.view.locks, 3);

    const LockView *lock = look_at("user 2", 1);
    assert_int_equal(lock->home, LOCK_IN_NODE);
    assert_int_equal(lock->holder.actor, B);
    assert_int_equal(lock->holder.user, 2);
    assert_int_equal(lock->holder.node, 1);
    assert_int_equal(lock->count, 1);
    assert_int_equal(lock->ttl_ms, -1);

    lock = look_at("lock:order:3", -1);
    assert_int_equal(lock->home, LOCK_IN_SQL);
    assert_int_equal(lock->holder.actor, C);
    assert_false(lock->abandoned);

    lock = look_at("lock:order:4", -1);
    assert_int_equal(lock->home, LOCK_IN_REDIS);
    assert_int_equal(lock->holder.actor, D);
    assert_string_equal(lock->owner, "uuid-2");
    assert_int_equal(lock->ttl_ms, 700);
    assert_int_equal(lock->ttl_max_ms, 1000);
    assert_false(lock->still);
    assert_int_equal(f.view.overlaps + f.view.mis_deletes + f.view.abandoned, 0);

    give(B, STEP_UNLOCK, "user 2", 40);
    give(C, STEP_RELEASE_LOCK, "lock:order:3", 41);
    give(D, STEP_DELETE_LOCK, "lock:order:4", 42);
    f.truth.key_count = 0;
    look(false);
    assert_int_equal(f.view.locks, 0);
}

static void in_step_mode_leases_stand_still(void **state)
{
    (void)state;
    add(A, STEP_SET_NX_EX, "lock:order:1", 1, 9, 10)->event.second = 1;
    show_key("lock:order:1", "1", 100000900);
    look(true);
    const LockView *lock = look_at("lock:order:1", -1);
    assert_true(lock->still);
    assert_int_equal(lock->ttl_ms, 1000);
    assert_int_equal(lock->ttl_max_ms, 1000);
}

static void an_overlap_is_kept_with_both_names(void **state)
{
    (void)state;
    f.world->released_ns = 5 * US;
    take(A, STEP_LOCK, "user 1", 10);
    take(B, STEP_LOCK, "user 1", 15);
    look(false);
    assert_int_equal(f.view.locks, 2); /* two locks with one name, one a node */
    assert_int_equal(look_at("user 1", 0)->holder.actor, A);
    assert_int_equal(look_at("user 1", 1)->holder.actor, B);

    give(A, STEP_UNLOCK, "user 1", 20);
    give(B, STEP_UNLOCK, "user 1", 25);
    look(false);
    assert_int_equal(f.view.locks, 1); /* free, and still marked */
    const LockView *lock = look_at("user 1", 0);
    assert_int_equal(lock->count, 0);
    assert_int_equal(lock->overlap.times, 1);
    assert_int_equal(lock->overlap.first.actor, A);
    assert_int_equal(lock->overlap.second.actor, B);
    assert_int_equal(lock->overlap.second.node, 1);
    assert_int_equal(lock->overlap.at_ns, 10 * US);
    assert_int_equal(f.view.overlaps, 1);
}

static void a_lock_on_a_new_object_keeps_nobody_out(void **state)
{
    (void)state;
    add(A, STEP_LOCK, "user 1", 1, 9, 10)->event.second = 1;
    add(C, STEP_LOCK, "user 1", 1, 14, 15)->event.second = 1; /* on the same node */
    look(false);
    assert_int_equal(f.view.locks, 2);
    assert_true(f.view.lock[0].own_object && f.view.lock[1].own_object);
    assert_int_equal(f.view.overlaps, 1);
}

static void a_mis_delete_is_kept_with_both_names(void **state)
{
    (void)state;
    take(A, STEP_SET_NX_EX, "lock:order:1", 10);
    take(B, STEP_SET_NX_EX, "lock:order:1", 30); /* A's has run out by itself */
    give(A, STEP_DELETE_LOCK, "lock:order:1", 40);
    look(false);
    const LockView *lock = look_at("lock:order:1", -1);
    assert_int_equal(lock->count, 0);
    assert_int_equal(lock->holder.actor, -1);
    assert_int_equal(lock->mis_delete.times, 1);
    assert_int_equal(lock->mis_delete.first.actor, B);
    assert_int_equal(lock->mis_delete.second.actor, A);
    assert_int_equal(f.view.mis_deletes, 1);
    assert_int_equal(f.view.overlaps, 1);
}

/* Rings are read one after the other: the delete comes in when the other's lock was known already. */
static void what_is_told_late_is_taken_back(void **state)
{
    (void)state;
    take(A, STEP_SET_NX_EX, "lock:order:1", 10);
    take(B, STEP_SET_NX_EX, "lock:order:1", 25);
    look(false);
    assert_int_equal(f.view.overlaps, 1);
    add(A, STEP_DELETE_LOCK, "lock:order:1", 1, 20, 50);
    look(false);
    assert_int_equal(f.view.overlaps, 0);
    assert_int_equal(f.view.mis_deletes, 0);
}

static void a_lock_without_lease_is_abandoned_with_its_holder(void **state)
{
    (void)state;
    take(A, STEP_SETNX, "lock:order:1", 10);
    show_key("lock:order:1", "1", -1);
    look(false);
    assert_false(look_at("lock:order:1", -1)->abandoned);
    console(CONSOLE_CRASHED, NULL, 0, 20);
    look(false);
    const LockView *lock = look_at("lock:order:1", -1);
    assert_true(lock->abandoned);
    assert_true(lock->holder_gone);
    assert_int_equal(lock->holder.actor, A);
    assert_int_equal(f.view.abandoned, 1);

    f.truth.keys[0].ttl_ms = 500; /* with a lease it comes free by itself */
    look(false);
    assert_false(look_at("lock:order:1", -1)->abandoned);
    assert_true(look_at("lock:order:1", -1)->holder_gone);
}

static void locks_of_the_dead_end_with_their_process(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "user 1", 10);
    take(C, STEP_GET_LOCK, "lock:order:3", 11);
    take(B, STEP_LOCK, "user 2", 12);
    console(CONSOLE_CRASHED, NULL, 0, 20);
    look(false);
    assert_int_equal(f.view.locks, 1);
    assert_int_equal(look_at("user 2", 1)->holder.actor, B);
}

static void the_last_moment_is_kept_back(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "user 1", 10);
    take(B, STEP_LOCK, "user 2", 20);
    locks_watch_feed(&f.watch, f.events, f.count);
    locks_watch_settle(&f.watch, 15 * US);
    assert_non_null(locks_watch_find(&f.watch, id_of("user 1")));
    assert_null(locks_watch_find(&f.watch, id_of("user 2")));
    locks_watch_settle(&f.watch, 20 * US);
    assert_non_null(locks_watch_find(&f.watch, id_of("user 2")));
}

static void what_went_wrong_comes_first_and_the_rest_is_counted(void **state)
{
    (void)state;
    char name[20];
    for (int i = 0; i < LOCK_VIEWS + 5; i++) {
        snprintf(name, sizeof name, "user %d", i + 1);
        take(A, STEP_LOCK, name, 10 + i);
    }
    take(B, STEP_LOCK, "user 17", 90);
    look(false);
    assert_int_equal(f.view.locks, LOCK_VIEWS);
    assert_int_equal(f.view.left_out, 6);
    assert_string_equal(f.view.lock[0].name, "user 17");
    assert_int_equal(f.view.lock[0].overlap.times, 1);
    assert_string_equal(f.view.lock[1].name, "user 17");
    assert_string_equal(f.view.lock[2].name, "user 1");
}

static void many_locks_are_all_followed(void **state)
{
    (void)state;
    char name[24];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "lock:order:%d", i);
        f.count = 0;
        take(i % USERS, STEP_SET_NX_EX, name, 10 + i);
        locks_watch_feed(&f.watch, f.events, f.count);
    }
    locks_watch_settle(&f.watch, UINT64_MAX);
    assert_int_equal(f.watch.count, 1000);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "lock:order:%d", i);
        const WatchedLock *lock = locks_watch_find(&f.watch, id_of(name));
        assert_non_null(lock);
        assert_int_equal(lock->holder, i % USERS);
    }
}

/* ---- who waits for whom ---------------------------------------------------------------------------------- */

static void wait_for(int waiter, int holder, LockHome home, int node, const char *on)
{
    WaitView wait = {.waiter = waiter, .holder = holder, .home = home, .node = node};
    strcpy(wait.on, on);
    locks_view_wait(&f.view, &wait);
}

static void waiters_stand_at_their_lock(void **state)
{
    (void)state;
    take(A, STEP_LOCK, "this", 10);
    take(B, STEP_LOCK, "this", 12);
    look(false);
    wait_for(C, A, LOCK_IN_NODE, 0, "this");
    wait_for(D, B, LOCK_IN_NODE, 1, "this");
    locks_view_finish(&f.view);
    assert_int_equal(look_at("this", 0)->waiters, 1);
    assert_int_equal(look_at("this", 0)->waiter[0], C);
    assert_int_equal(look_at("this", 1)->waiter[0], D);
    assert_int_equal(f.view.cycle_length, 0);
}

static void a_cycle_through_lock_and_row_is_named(void **state)
{
    (void)state;
    look(false);
    wait_for(D, A, LOCK_IN_NODE, 0, "this");
    wait_for(A, B, LOCK_ON_ROW, -1, "tb_seckill_voucher");
    wait_for(B, C, LOCK_IN_REDIS, -1, "lock:order:1");
    locks_view_finish(&f.view);
    assert_int_equal(f.view.cycle_length, 0);
    wait_for(C, A, LOCK_IN_NODE, 0, "this");
    locks_view_finish(&f.view);
    assert_int_equal(f.view.cycle_length, 3); /* D waits for them, and is no part of it */
    assert_int_equal(f.view.cycle[0], A);
    assert_int_equal(f.view.cycle[1], B);
    assert_int_equal(f.view.cycle[2], C);
}

static void whoever_waits_for_itself_is_a_cycle(void **state)
{
    (void)state;
    look(false);
    wait_for(B, B, LOCK_IN_NODE, 1, "this");
    locks_view_finish(&f.view);
    assert_int_equal(f.view.cycle_length, 1);
    assert_int_equal(f.view.cycle[0], B);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* ---- Redisson's: re-entry, readers, queues, watchdogs ---------------------------------------------------- */

static void whoever_takes_it_again_is_inside_until_the_last(void **state)
{
    (void)state;
    take(A, STEP_RLOCK_TAKE, "lock:order:1", 10);
    take(A, STEP_RLOCK_TAKE, "lock:order:1", 20);
    add(A, STEP_RLOCK_GIVE, "lock:order:1", 0, 30, 31); /* one level less */
    take(B, STEP_RLOCK_TAKE, "lock:order:1", 40);
    give(A, STEP_RLOCK_GIVE, "lock:order:1", 50);
    give(B, STEP_RLOCK_GIVE, "lock:order:1", 60);
    judge_exclusion(1, A, B);
}

static void readers_may_share(void **state)
{
    (void)state;
    take(A, STEP_READ_TAKE, "lock:v", 10);
    take(B, STEP_READ_TAKE, "lock:v", 20);
    add(A, STEP_READ_GIVE, "lock:v", 0, 30, 31);
    give(B, STEP_READ_GIVE, "lock:v", 40); /* the last of them frees it, whoever came first */
    judge_exclusion(0, -1, -1);
    judge_release(0, -1, -1);
    take(C, STEP_READ_TAKE, "lock:v", 50);
    take(A, STEP_READ_TAKE, "lock:v", 52);
    give(A, STEP_READ_GIVE, "lock:v", 54);
    take(D, STEP_WRITE_TAKE, "lock:v", 60); /* C still reads */
    take(B, STEP_READ_TAKE, "lock:v", 70);  /* and D still writes */
    judge_exclusion(2, C, D);
    look(false);
    assert_int_equal(f.view.overlaps, 2);
}

static void judge_order(long overtaken, int first, int second)
{
    char detail[60];
    snprintf(detail, sizeof detail, overtaken == 1 ? "%ld was overtaken by one who had asked later"
                                                   : "%ld were overtaken by one who had asked later", overtaken);
    Finding finding = judge(judge_fair_order, overtaken ? VERDICT_BROKEN : VERDICT_KEPT, detail);
    assert_int_equal(finding.actor, first);
    assert_int_equal(finding.other, second);
}

static void granted_in_the_order_of_asking(void **state)
{
    (void)state;
    take(A, STEP_FAIR_TAKE, "lock:v", 10);
    add(B, STEP_FAIR_TAKE, "lock:v", 0, 11, 12);
    add(C, STEP_FAIR_TAKE, "lock:v", 0, 13, 14);
    add(D, STEP_FAIR_TAKE, "lock:v", 0, 15, 16);
    answer(D, 17); /* gives up: it is not overtaken by anybody */
    give(A, STEP_FAIR_GIVE, "lock:v", 20);
    take(B, STEP_FAIR_TAKE, "lock:v", 30);
    give(B, STEP_FAIR_GIVE, "lock:v", 40);
    take(C, STEP_FAIR_TAKE, "lock:v", 50);
    take(C, STEP_FAIR_TAKE, "lock:v", 55); /* again: that was not asked for */
    judge_order(0, -1, -1);
}

static void who_is_overtaken_is_found(void **state)
{
    (void)state;
    take(A, STEP_RLOCK_TAKE, "lock:v", 10);
    add(B, STEP_RLOCK_TAKE, "lock:v", 0, 11, 12);
    add(C, STEP_RLOCK_TAKE, "lock:v", 0, 13, 14);
    give(A, STEP_RLOCK_GIVE, "lock:v", 20);
    take(C, STEP_RLOCK_TAKE, "lock:v", 30);
    give(C, STEP_RLOCK_GIVE, "lock:v", 40);
    take(B, STEP_RLOCK_TAKE, "lock:v", 50);
    judge_order(1, B, C);
}

/* Sent one before the other and answered the other way round: who came first is not known. */
static void what_is_uncertain_is_not_held_against_anybody(void **state)
{
    (void)state;
    take(A, STEP_RLOCK_TAKE, "lock:v", 10);
    add(B, STEP_RLOCK_TAKE, "lock:v", 0, 11, 15);
    add(C, STEP_RLOCK_TAKE, "lock:v", 0, 12, 14);
    give(A, STEP_RLOCK_GIVE, "lock:v", 20);
    take(C, STEP_RLOCK_TAKE, "lock:v", 30);
    give(C, STEP_RLOCK_GIVE, "lock:v", 40);
    take(B, STEP_RLOCK_TAKE, "lock:v", 50);
    judge_order(0, -1, -1);
}

static void watch_for(int actor, const char *lock, uint32_t renewals)
{
    Watched *watched = world_watched(f.world, (uint32_t)actor);
    f.world->spec.watchdogs = true;
    watched->id = id_of(lock);
    watched->renewals = renewals;
    watched->live = 1;
}

static void a_watched_lock_of_one_who_is_done_never_comes_free(void **state)
{
    (void)state;
    watch_for(B, "lock:v", 3);
    judge(judge_progress, VERDICT_KEPT, "every lock came free");
    take(B, STEP_RLOCK_TAKE, "lock:v", 10);
    answer(B, 20);
    world_slot(f.world, B)->state = ACTOR_DONE;
    judge(judge_progress, VERDICT_BROKEN, "1 lock is renewed for ever: its holder is gone, its process lives");
    show_key("lock:v", "uuid:1=1", 600);
    look(false);
    const LockView *lock = look_at("lock:v", -1);
    assert_true(lock->abandoned);
    assert_int_equal(lock->watchdog, 2);
    assert_int_equal(lock->renewals, 3);
    world_forget_watched(f.world, 1); /* the node dies, and its watchdog with it */
    judge(judge_progress, VERDICT_KEPT, "every lock came free");
}

static void who_has_no_answer_when_the_time_is_up_waits_for_ever(void **state)
{
    (void)state;
    Case judged = {.spec = &f.spec, .world = f.world, .truth = &f.truth, .late = 2, .stopped = true};
    Verdict verdict = {0};
    Finding finding;
    judge_progress(&judged, &verdict, &finding);
    assert_int_equal(verdict.state, VERDICT_BROKEN);
    assert_string_equal(verdict.detail, "2 still waited when the time was up");
}

static void who_listens_stands_at_the_lock(void **state)
{
    (void)state;
    add(A, STEP_RLOCK_TAKE, "lock:v", 1, 9, 10)->event.second = 900;
    show_key("lock:v", "uuid:1=2", 700);
    strcpy(f.truth.keys[0].type, "hash");
    world_slot(f.world, D)->waits_for_key = id_of("lock:v");
    locks_watch_feed(&f.watch, f.events, f.count);
    locks_watch_settle(&f.watch, UINT64_MAX);
    locks_view_make(&f.view, &f.watch, &f.truth, false);
    locks_view_listeners(&f.view, f.world);
    locks_view_finish(&f.view);
    const LockView *lock = look_at("lock:v", -1);
    assert_int_equal(lock->count, 2);
    assert_int_equal(lock->ttl_max_ms, 900);
    assert_int_equal(lock->waiters, 1);
    assert_int_equal(lock->waiter[0], D);
    assert_int_equal(f.view.wait[0].holder, A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_after_the_other_is_kept),
        TEST(two_locks_of_two_names_are_no_overlap),
        TEST(a_refused_lock_lets_nobody_in),
        TEST(two_inside_are_found),
        TEST(an_unlock_that_is_told_late_is_no_overlap),
        TEST(answers_and_crashes_end_a_section),
        TEST(a_lease_that_runs_out_does_not_end_a_section),
        TEST(anothers_lock_deleted_is_found),
        TEST(nothing_deleted_is_nobodys_fault),
        TEST(a_delete_that_is_told_late_is_its_own),
        TEST(progress_is_everybodys_end),
        TEST(a_lock_has_a_name_a_place_and_a_holder),
        TEST(in_step_mode_leases_stand_still),
        TEST(an_overlap_is_kept_with_both_names),
        TEST(a_lock_on_a_new_object_keeps_nobody_out),
        TEST(a_mis_delete_is_kept_with_both_names),
        TEST(what_is_told_late_is_taken_back),
        TEST(a_lock_without_lease_is_abandoned_with_its_holder),
        TEST(locks_of_the_dead_end_with_their_process),
        TEST(the_last_moment_is_kept_back),
        TEST(what_went_wrong_comes_first_and_the_rest_is_counted),
        TEST(many_locks_are_all_followed),
        TEST(waiters_stand_at_their_lock),
        TEST(a_cycle_through_lock_and_row_is_named),
        TEST(whoever_waits_for_itself_is_a_cycle),
        TEST(whoever_takes_it_again_is_inside_until_the_last),
        TEST(readers_may_share),
        TEST(granted_in_the_order_of_asking),
        TEST(who_is_overtaken_is_found),
        TEST(what_is_uncertain_is_not_held_against_anybody),
        TEST(a_watched_lock_of_one_who_is_done_never_comes_free),
        TEST(who_has_no_answer_when_the_time_is_up_waits_for_ever),
        TEST(who_listens_stands_at_the_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
