/* test_lock.c -- Redisson's rules, one by one, on a real Redis. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "locks_fixture.h"

/* ---- names ------------------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    char text[LOCK_KEY_LENGTH];
    Lock lock = make(port_a, LOCK_REENTRANT, "u:1");
    assert_string_equal(lock_key_channel(&lock, text), "redisson_lock__channel:{lock:order:7}");
    assert_string_equal(lock_key_queue(&lock, text), "redisson_lock_queue:{lock:order:7}");
    assert_string_equal(lock_key_deadlines(&lock, text), "redisson_lock_timeout:{lock:order:7}");
    assert_string_equal(lock_key_token(&lock, text), "redisson_lock_token:{lock:order:7}");
    assert_string_equal(lock_key_holds(&lock, text), "{lock:order:7}:u:1:rwlock_timeout");
    assert_ptr_equal(strstr(lock_key_latch(&lock, text), "redisson_unlock_latch:{lock:order:7}:"), text);
    lock.kind = LOCK_WRITER;
    assert_string_equal(lock_key_channel(&lock, text), "redisson_rwlock:{lock:order:7}");
    lock.kind = LOCK_FAIR;
    assert_string_equal(lock_key_channel(&lock, text), "redisson_lock__channel:{lock:order:7}:u:1");
    lock_init(&lock, port_redis_port(port_a), LOCK_REENTRANT, "lock:{7}", "u:1");
    assert_string_equal(lock_key_channel(&lock, text), "redisson_lock__channel:lock:{7}");
}

/* ---- taking and giving back ------------------------------------------------------------------------------ */

static void test_take_and_take_again(void **state)
{
    (void)state;
    Lock lock = make(port_a, LOCK_REENTRANT, "u:1");
    assert_int_equal(lock_try(&lock, LEASE, NULL), LOCK_GOT);
    assert_int_equal(number_of("HGET lock:order:7 u:1"), 1);
    assert_near(number_of("PTTL lock:order:7"), LEASE);
    assert_int_equal(lock_try(&lock, LEASE, NULL), LOCK_GOT);
    assert_int_equal(number_of("HGET lock:order:7 u:1"), 2);
}

static void test_another_is_refused_and_told_how_long(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    int64_t left = 0;
    lock_try(&one, LEASE, NULL);
    assert_int_equal(lock_try(&other, LEASE, &left), LOCK_REFUSED);
    assert_near(left, LEASE);
    freeReplyObject(ask("PERSIST lock:order:7"));
    assert_int_equal(lock_try(&other, LEASE, &left), LOCK_REFUSED);
    assert_int_equal(left, -1);
}

static void test_no_lease_means_the_watchdogs(void **state)
{
    (void)state;
    Lock lock = make(port_a, LOCK_REENTRANT, "u:1");
    assert_int_equal(lock_try(&lock, -1, NULL), LOCK_GOT);
    assert_near(number_of("PTTL lock:order:7"), LOCK_WATCHDOG_MS);
}

static void test_a_plain_lock_of_that_name(void **state)
{
    (void)state;
    freeReplyObject(ask("SETNX lock:order:7 somebody"));
    for (LockKind kind = LOCK_REENTRANT; kind <= LOCK_WRITER; kind++) {
        Lock lock = make(port_a, kind, "u:1");
        assert_int_equal(lock_try(&lock, LEASE, NULL), LOCK_ERROR);
        assert_non_null(strstr(lock_error(), "WRONGTYPE"));
    }
}

static void test_give_back_by_levels(void **state)
{
    (void)state;
    Lock lock = make(port_a, LOCK_REENTRANT, "u:1");
    lock_try(&lock, 5000, NULL);
    lock_try(&lock, 5000, NULL);
    assert_int_equal(lock_give(&lock), LOCK_KEPT);
    assert_int_equal(number_of("HGET lock:order:7 u:1"), 1);
    assert_near(number_of("PTTL lock:order:7"), LOCK_WATCHDOG_MS);
    assert_int_equal(lock_give(&lock), LOCK_GOT);
    assert_int_equal(number_of("EXISTS lock:order:7"), 0);
    assert_int_equal(lock_give(&lock), LOCK_NOT_MINE);
}

static void test_not_the_holder(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    lock_try(&one, LEASE, NULL);
    assert_int_equal(lock_give(&other), LOCK_NOT_MINE);
    assert_int_equal(number_of("EXISTS lock:order:7"), 1);
}

/* The script ran, and its reply did not come. */
static LockReply run_and_lose(void *data, const char *script, int keys, int count, const char **words)
{
    LockPort *port = port_redis_port(port_a);
    port->run(data, script, keys, count, words);
    return (LockReply){.kind = LOCK_REPLY_LOST};
}

/* The reply was lost, somebody else has the lock by now: the same request changes nothing. */
static void test_the_same_give_back_again(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    LockPort loses = *port_redis_port(port_a);
    loses.run = run_and_lose;
    char latch[LOCK_KEY_LENGTH], question[LOCK_KEY_LENGTH + 8];
    lock_try(&one, LEASE, NULL);
    one.port = &loses;
    assert_int_equal(lock_give(&one), LOCK_LOST);
    one.port = port_redis_port(port_a);
    snprintf(question, sizeof question, "EXISTS %s", lock_key_latch(&one, latch));
    assert_int_equal(number_of(question), 1);
    lock_try(&other, LEASE, NULL);
    assert_int_equal(lock_give_again(&one), LOCK_GOT);
    assert_int_equal(number_of("HGET lock:order:7 u:2"), 1);
}

/* Once the answer is here, nobody will ask again. */
static void test_the_latch_is_dropped(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1");
    char latch[LOCK_KEY_LENGTH], question[LOCK_KEY_LENGTH + 8];
    lock_try(&one, LEASE, NULL);
    lock_try(&one, LEASE, NULL);
    for (int level = 1; level >= 0; level--) {
        assert_int_equal(lock_give(&one), level ? LOCK_KEPT : LOCK_GOT);
        assert_false(lock_renew(&one, NULL) != (level == 1)); /* on the same connection, so the DEL is through */
        snprintf(question, sizeof question, "EXISTS %s", lock_key_latch(&one, latch));
        assert_int_equal(number_of(question), 0);
    }
}

static void test_renew(void **state)
{
    (void)state;
    bool lost = true;
    Lock lock = make(port_a, LOCK_REENTRANT, "u:1");
    lock_try(&lock, 5000, NULL);
    assert_true(lock_renew(&lock, &lost));
    assert_false(lost);
    assert_near(number_of("PTTL lock:order:7"), LOCK_WATCHDOG_MS);
    lock_give(&lock);
    assert_false(lock_renew(&lock, &lost));
    assert_false(lost);
}

static void test_fencing(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    int64_t left = 0;
    assert_int_equal(lock_try_fenced(&one, LEASE, &left), LOCK_GOT);
    assert_int_equal(one.token, 1);
    assert_int_equal(lock_try_fenced(&other, LEASE, &left), LOCK_REFUSED);
    assert_near(left, LEASE);
    assert_int_equal(other.token, -1);
    lock_give(&one);
    assert_int_equal(lock_try_fenced(&other, LEASE, &left), LOCK_GOT);
    assert_int_equal(other.token, 2);
}

/* ---- waiting ----------------------------------------------------------------------------------------------- */

typedef struct Waiter {
    Lock lock;
    LockResult result;
    double seconds;
} Waiter;

static void *wait_for_it(void *data)
{
    Waiter *waiter = data;
    uint64_t began = clock_now_ns();
    waiter->result = lock_try_for(&waiter->lock, 20000, LEASE);
    waiter->seconds = (double)(clock_now_ns() - began) / 1e9;
    return NULL;
}

static void test_a_message_wakes(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1");
    Waiter waiter = {.lock = make(port_b, LOCK_REENTRANT, "u:2")};
    char channel[LOCK_KEY_LENGTH];
    pthread_t thread;
    lock_try(&one, LEASE, NULL);
    pthread_create(&thread, NULL, wait_for_it, &waiter);
    lock_key_channel(&one, channel);
    for (bool listening = false; !listening; clock_sleep_ns(1000000)) {
        redisReply *reply = ask("PUBSUB NUMSUB %s", channel);
        listening = reply->element[1]->integer == 1;
        freeReplyObject(reply);
    }
    assert_int_equal(lock_give(&one), LOCK_GOT);
    pthread_join(thread, NULL);
    assert_int_equal(waiter.result, LOCK_GOT);
    assert_true(waiter.seconds < 10); /* neither the lease nor the budget: the message */
    assert_int_equal(number_of("HGET lock:order:7 u:2"), 1);
}

/* The holder gives the lock back between the first try and the listening. */
static Lock *gives_too_early;

static bool listen_too_late(void *data, const char *channel)
{
    lock_give(gives_too_early);
    return port_redis_port(port_b)->listen(data, channel);
}

static void test_a_missed_message_is_made_up_for(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    LockPort late = *port_redis_port(port_b);
    late.listen = listen_too_late;
    other.port = &late;
    gives_too_early = &one;
    lock_try(&one, LEASE, NULL);
    uint64_t began = clock_now_ns();
    assert_int_equal(lock_try_for(&other, 20000, LEASE), LOCK_GOT);
    assert_true(clock_now_ns() - began < 10000000000ull);
}

static void test_time_is_up(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    lock_try(&one, LEASE, NULL);
    uint64_t began = clock_now_ns();
    assert_int_equal(lock_try_for(&other, 150, LEASE), LOCK_REFUSED);
    assert_true(clock_now_ns() - began >= 149000000u); /* it counts whole ms, the first may be begun */
}

static void test_a_lease_that_ends_frees(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    lock_try(&one, 100, NULL);
    assert_int_equal(lock_try_for(&other, 20000, LEASE), LOCK_GOT);
    assert_int_equal(lock_give(&one), LOCK_NOT_MINE);
}

/* ---- fair ----------------------------------------------------------------------------------------------------- */

static int64_t wall_at_a_million(void *data)
{
    (void)data;
    return 1000000;
}

/* The example that was measured: now 1,000,000, a lease of about 30 s, a wait of 300 s. */
static void test_fair_deadlines(void **state)
{
    (void)state;
    LockPort still = *port_redis_port(port_a);
    still.wall = wall_at_a_million;
    Lock a = make(port_a, LOCK_FAIR, "u:1"), b = make(port_a, LOCK_FAIR, "u:2"), c = make(port_a, LOCK_FAIR, "u:3");
    a.port = b.port = c.port = &still;
    assert_int_equal(lock_try(&a, 30000, NULL), LOCK_GOT);
    /* A try that waits queues; told apart from the port's own waiting by a wait that is over at once. */
    lock_try_for(&b, 1, LEASE);
    assert_int_equal(number_of("LLEN redisson_lock_queue:{lock:order:7}"), 0); /* it gave up, and left */

    const char *take[] = {"lock:order:7", "redisson_lock_queue:{lock:order:7}",
                          "redisson_lock_timeout:{lock:order:7}", "30000", "u:2", "300000", "1000000", "1"};
    LockReply told_b = still.run(still.data, "fair_take.lua", 3, 8, take);
    assert_near(told_b.number, 30000);
    assert_int_equal(number_of("ZSCORE redisson_lock_timeout:{lock:order:7} u:2"),
                     told_b.number + 300000 + 1000000);
    take[4] = "u:3";
    LockReply told_c = still.run(still.data, "fair_take.lua", 3, 8, take);
    assert_int_equal(told_c.number, told_b.number + 300000);
    long long score_c = number_of("ZSCORE redisson_lock_timeout:{lock:order:7} u:3");
    assert_int_equal(score_c, told_c.number + 300000 + 1000000);

    assert_int_equal(lock_give(&a), LOCK_GOT);
    assert_int_equal(lock_try(&c, LEASE, NULL), LOCK_REFUSED); /* not its turn */
    assert_int_equal(lock_try(&b, LEASE, NULL), LOCK_GOT);
    assert_int_equal(number_of("ZSCORE redisson_lock_timeout:{lock:order:7} u:3"), score_c - 300000);
    assert_int_equal(number_of("LLEN redisson_lock_queue:{lock:order:7}"), 1);
}

static void test_fair_without_waiting_does_not_queue(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_FAIR, "u:1"), other = make(port_b, LOCK_FAIR, "u:2");
    lock_try(&one, LEASE, NULL);
    assert_int_equal(lock_try(&other, LEASE, NULL), LOCK_REFUSED);
    assert_int_equal(number_of("EXISTS redisson_lock_queue:{lock:order:7}"), 0);
    assert_int_equal(lock_try(&one, LEASE, NULL), LOCK_GOT); /* re-entry */
    assert_int_equal(lock_give(&one), LOCK_KEPT);
    assert_int_equal(lock_give(&one), LOCK_GOT);
}

static void test_fair_dead_heads_are_dropped(void **state)
{
    (void)state;
    freeReplyObject(ask("RPUSH redisson_lock_queue:{lock:order:7} u:9"));
    freeReplyObject(ask("ZADD redisson_lock_timeout:{lock:order:7} 5 u:9"));
    Lock lock = make(port_a, LOCK_FAIR, "u:1");
    assert_int_equal(lock_try(&lock, LEASE, NULL), LOCK_GOT);
    assert_int_equal(number_of("EXISTS redisson_lock_queue:{lock:order:7}"), 0);
}

static void test_fair_leaving_moves_others_up(void **state)
{
    (void)state;
    freeReplyObject(ask("RPUSH q u:1 u:2 u:3"));
    freeReplyObject(ask("ZADD d 100 u:1 200 u:2 300 u:3"));
    LockPort *port = port_redis_port(port_a);
    LockReply reply = port->run(port->data, "fair_leave.lua", 2, 4, (const char *[]){"q", "d", "u:2", "50"});
    assert_int_equal(reply.number, 1);
    assert_int_equal(number_of("ZSCORE d u:1"), 100);
    assert_int_equal(number_of("ZSCORE d u:3"), 250);
    assert_int_equal(number_of("LLEN q"), 2);
}

/* ---- read and write --------------------------------------------------------------------------------------------- */

static void test_readers_share(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_READER, "u:1"), other = make(port_b, LOCK_READER, "u:2");
    Lock writer = make(port_b, LOCK_WRITER, "u:3");
    assert_int_equal(lock_try(&one, LEASE, NULL), LOCK_GOT);
    assert_true(is_text(ask("HGET lock:order:7 mode"), "read"));
    assert_near(number_of("PTTL {lock:order:7}:u:1:rwlock_timeout:1"), LEASE);
    assert_int_equal(lock_try(&other, 2 * LEASE, NULL), LOCK_GOT);
    assert_near(number_of("PTTL lock:order:7"), 2 * LEASE);
    assert_int_equal(lock_try(&writer, LEASE, NULL), LOCK_REFUSED);
    assert_int_equal(lock_give(&other), LOCK_KEPT);
    assert_near(number_of("PTTL lock:order:7"), LEASE); /* the longest hold that is left */
    assert_int_equal(lock_give(&one), LOCK_GOT);
    assert_int_equal(number_of("EXISTS lock:order:7"), 0);
    assert_int_equal(lock_give(&one), LOCK_NOT_MINE);
}

static void test_a_reader_twice(void **state)
{
    (void)state;
    Lock lock = make(port_a, LOCK_READER, "u:1");
    lock_try(&lock, LEASE, NULL);
    lock_try(&lock, LEASE, NULL);
    assert_int_equal(number_of("EXISTS {lock:order:7}:u:1:rwlock_timeout:2"), 1);
    assert_int_equal(lock_give(&lock), LOCK_KEPT);
    assert_int_equal(number_of("EXISTS {lock:order:7}:u:1:rwlock_timeout:2"), 0);
    assert_int_equal(number_of("HGET lock:order:7 u:1"), 1);
    assert_true(lock_renew(&lock, NULL));
    assert_int_equal(lock_give(&lock), LOCK_GOT);
}

static void test_writer_alone_and_downgrade(void **state)
{
    (void)state;
    Lock write = make(port_a, LOCK_WRITER, "u:1"), read = make(port_a, LOCK_READER, "u:1");
    Lock other = make(port_b, LOCK_READER, "u:2");
    assert_int_equal(lock_try(&write, LEASE, NULL), LOCK_GOT);
    assert_int_equal(number_of("HGET lock:order:7 u:1:write"), 1);
    assert_int_equal(lock_try(&other, LEASE, NULL), LOCK_REFUSED);
    assert_int_equal(lock_try(&write, LEASE, NULL), LOCK_GOT);
    assert_near(number_of("PTTL lock:order:7"), 2 * LEASE);
    assert_int_equal(lock_give(&write), LOCK_KEPT);
    assert_int_equal(lock_try(&read, LEASE, NULL), LOCK_GOT); /* the writer may read */
    assert_int_equal(lock_give(&write), LOCK_GOT);
    assert_true(is_text(ask("HGET lock:order:7 mode"), "read"));
    assert_int_equal(lock_try(&other, LEASE, NULL), LOCK_GOT);
}

static void test_no_upgrade(void **state)
{
    (void)state;
    Lock read = make(port_a, LOCK_READER, "u:1"), write = make(port_a, LOCK_WRITER, "u:1");
    lock_try(&read, LEASE, NULL);
    assert_int_equal(lock_try(&write, LEASE, NULL), LOCK_REFUSED);
}

/* ---- several as one -------------------------------------------------------------------------------------------- */

static void make_set(LockSet *set, Lock lock[3], bool majority, const char *owner)
{
    static const char *const names[] = {"a", "b", "c"};
    *set = (LockSet){.count = 3, .majority = majority};
    for (int i = 0; i < 3; i++) {
        lock_init(&lock[i], port_redis_port(port_a), LOCK_REENTRANT, names[i], owner);
        set->lock[i] = &lock[i];
    }
}

static void test_multi_needs_all(void **state)
{
    (void)state;
    Lock lock[3], taken;
    LockSet set;
    make_set(&set, lock, false, "u:1");
    lock_init(&taken, port_redis_port(port_b), LOCK_REENTRANT, "b", "u:2");
    lock_try(&taken, LEASE, NULL);
    assert_int_equal(lock_set_tolerated(&set), 0);
    assert_int_equal(lock_set_try_for(&set, 0, LEASE), LOCK_REFUSED);
    assert_int_equal(number_of("EXISTS a c"), 0);
    assert_int_equal(lock_set_try_for(&set, 120, LEASE), LOCK_REFUSED);
    assert_int_equal(number_of("EXISTS a c"), 0);
    lock_give(&taken);
    assert_int_equal(lock_set_try_for(&set, 1000, LEASE), LOCK_GOT);
    assert_int_equal(number_of("EXISTS a b c"), 3);
    assert_near(number_of("PTTL a"), LEASE); /* not 2 x wait any more */
    lock_set_give(&set);
    assert_int_equal(number_of("EXISTS a b c"), 0);
}

static void test_red_needs_more_than_half(void **state)
{
    (void)state;
    Lock lock[3], first, second;
    LockSet set;
    make_set(&set, lock, true, "u:1");
    lock_init(&first, port_redis_port(port_b), LOCK_REENTRANT, "b", "u:2");
    lock_init(&second, port_redis_port(port_b), LOCK_REENTRANT, "c", "u:2");
    assert_int_equal(lock_set_tolerated(&set), 1);
    lock_try(&first, LEASE, NULL);
    assert_int_equal(lock_set_try_for(&set, 0, LEASE), LOCK_GOT);
    lock_set_give(&set);
    assert_int_equal(number_of("HGET b u:2"), 1);
    lock_try(&second, LEASE, NULL);
    assert_int_equal(lock_set_try_for(&set, 0, LEASE), LOCK_REFUSED);
    assert_int_equal(number_of("EXISTS a"), 0);
}

/* ---- the watchdog -------------------------------------------------------------------------------------------------- */

static void wait_for_renewals(Watchdog *watchdog, long wanted)
{
    long renewals = 0;
    for (int i = 0; i < 20000 && renewals < wanted; i++) {
        watchdog_count(watchdog, &renewals);
        clock_sleep_ns(1000000);
    }
    assert_true(renewals >= wanted);
}

static void test_watchdog(void **state)
{
    (void)state;
    Error error = {""};
    Watchdog *watchdog = watchdog_start(&address, &error);
    RedisPort *port = port_redis_open(&address, watchdog, &error);
    assert_non_null(watchdog);
    assert_non_null(port);
    Lock lock = make(port, LOCK_REENTRANT, "u:1"), given = make(port, LOCK_REENTRANT, "u:2");
    snprintf(given.name, sizeof given.name, "other");
    lock.watchdog_ms = 600;
    assert_int_equal(lock_try(&lock, -1, NULL), LOCK_GOT);
    assert_int_equal(lock_try(&given, 5000, NULL), LOCK_GOT);
    assert_int_equal(watchdog_count(watchdog, NULL), 1); /* a lease that was given is not renewed */
    wait_for_renewals(watchdog, 5); /* five thirds: without renewal it would be gone */
    assert_int_equal(number_of("EXISTS lock:order:7"), 1);

    assert_int_equal(lock_try(&lock, -1, NULL), LOCK_GOT);
    assert_int_equal(lock_give(&lock), LOCK_KEPT);
    assert_int_equal(watchdog_count(watchdog, NULL), 1);
    assert_int_equal(lock_give(&lock), LOCK_GOT);
    assert_int_equal(watchdog_count(watchdog, NULL), 0);

    lock_try(&lock, -1, NULL);
    freeReplyObject(ask("DEL lock:order:7"));
    for (int i = 0; i < 20000 && watchdog_count(watchdog, NULL) > 0; i++) clock_sleep_ns(1000000);
    assert_int_equal(watchdog_count(watchdog, NULL), 0); /* refused: dropped */
    port_redis_close(port);
    watchdog_stop(watchdog);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup(name, fixture_clean)
    const struct CMUnitTest tests[] = {
        CASE(test_names),
        CASE(test_take_and_take_again),
        CASE(test_another_is_refused_and_told_how_long),
        CASE(test_no_lease_means_the_watchdogs),
        CASE(test_a_plain_lock_of_that_name),
        CASE(test_give_back_by_levels),
        CASE(test_not_the_holder),
        CASE(test_the_same_give_back_again),
        CASE(test_the_latch_is_dropped),
        CASE(test_renew),
        CASE(test_fencing),
        CASE(test_a_message_wakes),
        CASE(test_a_missed_message_is_made_up_for),
        CASE(test_time_is_up),
        CASE(test_a_lease_that_ends_frees),
        CASE(test_fair_deadlines),
        CASE(test_fair_without_waiting_does_not_queue),
        CASE(test_fair_dead_heads_are_dropped),
        CASE(test_fair_leaving_moves_others_up),
        CASE(test_readers_share),
        CASE(test_a_reader_twice),
        CASE(test_writer_alone_and_downgrade),
        CASE(test_no_upgrade),
        CASE(test_multi_needs_all),
        CASE(test_red_needs_more_than_half),
        CASE(test_watchdog),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
