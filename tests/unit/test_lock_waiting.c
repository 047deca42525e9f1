/* test_lock_waiting.c -- how locks wait, whom they wake, and what keeps them alive: with a made-up world where
 * times must be exact, else on a real Redis. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "lock/listener.h"
#include "locks_fixture.h"

/* ---- a made-up world: everything takes its time, and is written down ------------------------------------- */

enum { ATTEMPT_MS = 10, LISTEN_MS = 50, OTHERS_LEASE = 5000, MOST = 16 };

typedef struct Toy {
    LockPort port;
    int64_t now;
    int refusals;          /* attempts that are refused before one succeeds */
    int64_t left;          /* what a refused attempt is told */
    bool message;          /* what a wait ends with */
    int attempts, listens, unlistens, waits, watched, unwatched;
    int64_t wait_ms[MOST];
    bool wait_last[MOST];
    int64_t lease[MOST];   /* of each attempt */
    int64_t renewed;       /* to what a renewal set it */
} Toy;

static LockReply toy_run(void *data, const char *script, int keys, int count, const char **words)
{
    Toy *toy = data;
    (void)count;
    if (strstr(script, "give")) return (LockReply){.kind = LOCK_REPLY_NUMBER, .number = 1};
    if (strstr(script, "renew")) {
        toy->renewed = atoll(words[keys]);
        return (LockReply){.kind = LOCK_REPLY_NUMBER, .number = 1};
    }
    toy->now += ATTEMPT_MS;
    if (toy->attempts < MOST) toy->lease[toy->attempts] = atoll(words[keys]);
    if (toy->attempts++ < toy->refusals) return (LockReply){.kind = LOCK_REPLY_NUMBER, .number = toy->left};
    return (LockReply){.kind = LOCK_REPLY_NIL};
}

static bool toy_listen(void *data, const char *channel)
{
    Toy *toy = data;
    (void)channel;
    toy->now += LISTEN_MS;
    toy->listens++;
    return true;
}

static void toy_unlisten(void *data, const char *channel)
{
    Toy *toy = data;
    (void)channel;
    toy->unlistens++;
}

static bool toy_wait(void *data, const char *channel, int64_t ms, bool last)
{
    Toy *toy = data;
    (void)channel;
    if (toy->waits < MOST) {
        toy->wait_ms[toy->waits] = ms;
        toy->wait_last[toy->waits] = last;
    }
    toy->waits++;
    toy->now += toy->message ? 1 : ms;
    return toy->message;
}

static void toy_forget(void *data, const char *key)
{
    (void)data;
    (void)key;
}

static int64_t toy_now(void *data)
{
    return ((Toy *)data)->now;
}

static void toy_watch(void *data, const Lock *lock)
{
    (void)lock;
    ((Toy *)data)->watched++;
}

static void toy_unwatch(void *data, const Lock *lock)
{
    (void)lock;
    ((Toy *)data)->unwatched++;
}

static void toy_open(Toy *toy, int refusals, int64_t left)
{
    *toy = (Toy){.refusals = refusals, .left = left};
    toy->port = (LockPort){.run = toy_run, .forget = toy_forget, .listen = toy_listen, .wait = toy_wait,
                           .unlisten = toy_unlisten, .now = toy_now, .wall = toy_now,
                           .watch = toy_watch, .unwatch = toy_unwatch, .data = toy};
}

static Lock toy_lock(Toy *toy, LockKind kind, const char *name)
{
    Lock lock;
    lock_init(&lock, &toy->port, kind, name, "u:1");
    return lock;
}

static void test_one_attempt_never_listens(void **state)
{
    (void)state;
    Toy toy;
    toy_open(&toy, MOST, OTHERS_LEASE);
    Lock lock = toy_lock(&toy, LOCK_REENTRANT, "a");
    assert_int_equal(lock_try(&lock, LEASE, NULL), LOCK_REFUSED);
    assert_int_equal(lock_try_for(&lock, 0, LEASE), LOCK_REFUSED);
    assert_int_equal(toy.attempts, 2);
    assert_int_equal(toy.listens + toy.waits, 0);
}

/* 100 ms, of which two attempts and the listening take 70. */
static void test_every_leg_is_taken_off(void **state)
{
    (void)state;
    Toy toy;
    toy_open(&toy, MOST, OTHERS_LEASE);
    Lock lock = toy_lock(&toy, LOCK_REENTRANT, "a");
    assert_int_equal(lock_try_for(&lock, 100, LEASE), LOCK_REFUSED);
    assert_int_equal(toy.attempts, 2);
    assert_int_equal(toy.waits, 1);
    assert_int_equal(toy.wait_ms[0], 100 - 2 * ATTEMPT_MS - LISTEN_MS);
    assert_true(toy.wait_last[0]);
    assert_int_equal(toy.unlistens, 1);

    toy_open(&toy, MOST, OTHERS_LEASE); /* used up before it could sleep */
    assert_int_equal(lock_try_for(&lock, 2 * ATTEMPT_MS + LISTEN_MS, LEASE), LOCK_REFUSED);
    assert_int_equal(toy.waits, 0);
    assert_int_equal(toy.unlistens, 1);
}

static void test_sleeps_for_the_others_lease_at_most(void **state)
{
    (void)state;
    Toy toy;
    toy_open(&toy, 2, 300);
    Lock lock = toy_lock(&toy, LOCK_REENTRANT, "a");
    assert_int_equal(lock_try_for(&lock, 10000, LEASE), LOCK_GOT);
    assert_int_equal(toy.attempts, 3);
    assert_int_equal(toy.wait_ms[0], 300);
    assert_false(toy.wait_last[0]);
    assert_int_equal(toy.unlistens, 1);

    toy_open(&toy, 2, -1); /* a lock without a lease: its message alone */
    toy.message = true;
    assert_int_equal(lock_take(&lock, LEASE), LOCK_GOT);
    assert_int_equal(toy.wait_ms[0], -1);
}

static void test_a_message_is_no_grant(void **state)
{
    (void)state;
    Toy toy;
    toy_open(&toy, 5, OTHERS_LEASE);
    toy.message = true;
    Lock lock = toy_lock(&toy, LOCK_REENTRANT, "a");
    assert_int_equal(lock_take(&lock, LEASE), LOCK_GOT);
    assert_int_equal(toy.waits, 4); /* between the second try and the last, each refused */
}

static void test_who_is_watched(void **state)
{
    (void)state;
    Toy toy;
    toy_open(&toy, 0, 0);
    Lock lock = toy_lock(&toy, LOCK_REENTRANT, "a");
    lock_try(&lock, LEASE, NULL);
    assert_int_equal(toy.watched, 0);
    lock_try(&lock, -1, NULL);
    lock_try_for(&lock, 100, -1);
    lock_take(&lock, -1);
    assert_int_equal(toy.watched, 3);
    assert_int_equal(toy.lease[0], LEASE);
    assert_int_equal(toy.lease[1], LOCK_WATCHDOG_MS);
    lock_give(&lock);
    assert_int_equal(toy.unwatched, 1);
}

static void fill_set(LockSet *set, Lock lock[3], Toy toy[3], bool majority)
{
    *set = (LockSet){.count = 3, .majority = majority};
    for (int i = 0; i < 3; i++) {
        toy_open(&toy[i], 0, OTHERS_LEASE);
        lock[i] = toy_lock(&toy[i], LOCK_REENTRANT, "a");
        set->lock[i] = &lock[i];
    }
}

/* A MultiLock gives each lock all that is left; a RedLock its share. */
static void test_time_for_each_of_several(void **state)
{
    (void)state;
    Toy toy[3];
    Lock lock[3];
    LockSet set;
    fill_set(&set, lock, toy, false);
    toy[0].refusals = MOST;
    assert_int_equal(lock_set_try_for(&set, 900, LEASE), LOCK_REFUSED);
    assert_int_equal(toy[0].wait_ms[0], 900 - 2 * ATTEMPT_MS - LISTEN_MS);

    fill_set(&set, lock, toy, true);
    toy[0].refusals = MOST;
    assert_int_equal(lock_set_try_for(&set, 900, LEASE), LOCK_GOT);
    assert_int_equal(toy[0].wait_ms[0], 300 - 2 * ATTEMPT_MS - LISTEN_MS);
    assert_false(set.held[0]);
    assert_true(set.held[1] && set.held[2]);
}

static void test_interim_lease_of_several(void **state)
{
    (void)state;
    Toy toy[3];
    Lock lock[3];
    LockSet set;
    fill_set(&set, lock, toy, false);
    assert_int_equal(lock_set_try_for(&set, 400, LEASE), LOCK_GOT);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(toy[i].lease[0], 800);
        assert_int_equal(toy[i].renewed, LEASE);
    }
    fill_set(&set, lock, toy, false); /* no time to wait: the lease from the start */
    assert_int_equal(lock_set_try_for(&set, 0, LEASE), LOCK_GOT);
    assert_int_equal(toy[0].lease[0], LEASE);
    assert_int_equal(toy[0].renewed, 0);
}

/* ---- on a real Redis: who is told ------------------------------------------------------------------------- */

static void test_nobody_listens_afterwards(void **state)
{
    (void)state;
    Lock one = make(port_a, LOCK_REENTRANT, "u:1"), other = make(port_b, LOCK_REENTRANT, "u:2");
    lock_try(&one, 100, NULL);
    for (int i = 0; i < 2; i++) { /* refused; then granted, since the first lease is over */
        assert_int_equal(lock_try_for(&other, i ? 20000 : 20, LEASE), i ? LOCK_GOT : LOCK_REFUSED);
        redisReply *reply = ask("PUBSUB NUMSUB redisson_lock__channel:{lock:order:7}");
        assert_int_equal(reply->element[1]->integer, 0);
        freeReplyObject(reply);
    }
}

static Listener *listen_to(const char *channel)
{
    Listener *listener = listener_new(&address);
    assert_non_null(listener);
    assert_true(listener_begin(listener, channel));
    return listener;
}

static void test_a_listener_counts(void **state)
{
    (void)state;
    Listener *listener = listen_to("news");
    assert_int_equal(listener_collect(listener, "news"), 0);
    number_of("PUBLISH news 1");
    number_of("PUBLISH news 2");
    number_of("PUBLISH other 3");
    assert_int_equal(listener_collect(listener, "news"), 2);
    assert_int_equal(listener_collect(listener, "news"), 0);
    assert_false(listener_wait(listener, "news", 1));
    number_of("PUBLISH news 4");
    assert_true(listener_wait(listener, "news", 20000));
    number_of("PUBLISH news 5");
    listener_end(listener, "news"); /* with a message under way */
    assert_true(listener_begin(listener, "news"));
    assert_int_equal(listener_collect(listener, "news"), 0);
    listener_free(listener);
}

/* A fair lock wakes the first in its queue, and nobody else. */
static void test_fair_wakes_the_head(void **state)
{
    (void)state;
    Lock holder = make(port_a, LOCK_FAIR, "u:1");
    LockPort *port = port_redis_port(port_a);
    Listener *head = listen_to("redisson_lock__channel:{lock:order:7}:u:2");
    Listener *second = listen_to("redisson_lock__channel:{lock:order:7}:u:3");
    lock_try(&holder, LEASE, NULL);
    const char *take[] = {"lock:order:7", "redisson_lock_queue:{lock:order:7}",
                          "redisson_lock_timeout:{lock:order:7}", "30000", "u:2", "300000", "1000000000000000", "1"};
    port->run(port->data, "fair_take.lua", 3, 8, take);
    LockReply again = port->run(port->data, "fair_take.lua", 3, 8, take);
    assert_near(again.number, LEASE); /* queued already: the lock's own time */
    assert_int_equal(number_of("LLEN redisson_lock_queue:{lock:order:7}"), 1);
    take[4] = "u:3";
    port->run(port->data, "fair_take.lua", 3, 8, take);
    assert_int_equal(lock_give(&holder), LOCK_GOT);
    assert_int_equal(listener_collect(head, "redisson_lock__channel:{lock:order:7}:u:2"), 1);
    assert_int_equal(listener_collect(second, "redisson_lock__channel:{lock:order:7}:u:3"), 0);
    again = port->run(port->data, "fair_take.lua", 3, 8, take);
    assert_int_equal(again.number, 0); /* free, and not its turn: at once again */
    listener_free(head);
    listener_free(second);
}

/* A lock that comes free is told about; one that is only turned from writing into reading is not. */
static void test_who_tells_readers_and_writers(void **state)
{
    (void)state;
    static const char channel[] = "redisson_rwlock:{lock:order:7}";
    Listener *listener = listen_to(channel);
    Lock write = make(port_a, LOCK_WRITER, "u:1"), read = make(port_a, LOCK_READER, "u:1");
    lock_try(&write, LEASE, NULL);
    lock_try(&read, LEASE, NULL);
    assert_int_equal(lock_give(&write), LOCK_GOT);
    assert_int_equal(listener_collect(listener, channel), 0);
    assert_int_equal(lock_give(&read), LOCK_GOT);
    assert_int_equal(listener_collect(listener, channel), 1);
    lock_try(&write, LEASE, NULL);
    assert_int_equal(lock_give(&write), LOCK_GOT);
    assert_int_equal(listener_collect(listener, channel), 1);
    assert_int_equal(lock_give(&write), LOCK_NOT_MINE);
    listener_free(listener);
}

/* ---- the watchdog ------------------------------------------------------------------------------------------ */

enum { SHORT_LEASE = 300 };

static void wait_until(bool (*is_so)(void *data), void *data)
{
    for (int i = 0; i < 20000; i++) {
        if (is_so(data)) return;
        clock_sleep_ns(1000000);
    }
    fail_msg("it did not come about");
}

static bool has_renewed_often(void *data)
{
    long renewals;
    watchdog_count(data, &renewals);
    return renewals >= 6; /* two leases' time */
}

static bool is_gone(void *data)
{
    return number_of("EXISTS %s", (const char *)data) == 0;
}

typedef struct Dog {
    Watchdog *watchdog;
    RedisPort *port;
    Lock lock;
} Dog;

static void dog_open(Dog *dog)
{
    Error error = {""};
    dog->watchdog = watchdog_start(&address, &error);
    dog->port = port_redis_open(&address, dog->watchdog, &error);
    if (!dog->watchdog || !dog->port) fail_msg("%s", error.text);
    dog->lock = make(dog->port, LOCK_REENTRANT, "u:1");
    dog->lock.watchdog_ms = SHORT_LEASE;
}

static void dog_close(Dog *dog)
{
    port_redis_close(dog->port);
    watchdog_stop(dog->watchdog);
}

static void *take_and_die(void *data)
{
    Dog *dog = data;
    lock_try(&dog->lock, -1, NULL);
    return NULL;
}

typedef struct Pack {
    Watchdog *watchdog;
    long wanted;
} Pack;

static bool has_renewed(void *data)
{
    const Pack *pack = data;
    long renewals;
    watchdog_count(pack->watchdog, &renewals);
    return renewals >= pack->wanted;
}

/* Of different leases, entered and given back in no order: those that are left live on, each in its time. */
static void test_many_are_renewed(void **state)
{
    (void)state;
    enum { LOCKS = 200, LEFT = LOCKS - LOCKS / 4 };
    static Lock lock[LOCKS];
    Dog dog;
    dog_open(&dog);
    for (int i = 0; i < LOCKS; i++) {
        char name[32];
        snprintf(name, sizeof name, "lock:%d", i * 7919 % LOCKS);
        lock_init(&lock[i], port_redis_port(dog.port), i % 2 ? LOCK_REENTRANT : LOCK_WRITER, name, "u:1");
        lock[i].watchdog_ms = 600 + i * 104729 % LOCKS * 5;
        assert_int_equal(lock_try(&lock[i], -1, NULL), LOCK_GOT);
    }
    for (int i = 0; i < LOCKS; i += 4) assert_int_equal(lock_give(&lock[i]), LOCK_GOT);
    assert_int_equal(watchdog_count(dog.watchdog, NULL), LEFT);
    wait_until(has_renewed, &(Pack){dog.watchdog, 6 * LEFT}); /* twice the time of the longest lease, about */
    for (int i = 0; i < LOCKS; i++) assert_int_equal(number_of("EXISTS %s", lock[i].name), i % 4 != 0);
    for (int i = 0; i < LOCKS; i++)
        if (i % 4) assert_int_equal(lock_give(&lock[i]), LOCK_GOT);
    assert_int_equal(watchdog_count(dog.watchdog, NULL), 0);
    dog_close(&dog);
}

/* The thread is gone; its process lives, and so does the lock. */
static void test_a_dead_threads_lock_is_renewed(void **state)
{
    (void)state;
    Dog dog;
    pthread_t thread;
    dog_open(&dog);
    pthread_create(&thread, NULL, take_and_die, &dog);
    pthread_join(thread, NULL);
    wait_until(has_renewed_often, dog.watchdog);
    assert_int_equal(number_of("EXISTS lock:order:7"), 1);
    dog_close(&dog);
}

static void test_giving_back_ends_renewal_in_any_case(void **state)
{
    (void)state;
    Dog dog;
    dog_open(&dog);
    lock_try(&dog.lock, -1, NULL);
    assert_int_equal(watchdog_count(dog.watchdog, NULL), 1);
    freeReplyObject(ask("DEL lock:order:7"));
    assert_int_equal(lock_give(&dog.lock), LOCK_NOT_MINE);
    assert_int_equal(watchdog_count(dog.watchdog, NULL), 0);
    dog_close(&dog);
}

/* A renewal that fails is none that is refused: it is tried again. */
static void test_a_failed_renewal_is_tried_again(void **state)
{
    (void)state;
    Dog dog;
    bool lost = false;
    dog_open(&dog);
    lock_try(&dog.lock, -1, NULL);
    freeReplyObject(ask("RENAME lock:order:7 aside"));
    freeReplyObject(ask("PERSIST aside"));
    freeReplyObject(ask("SET lock:order:7 text"));
    assert_false(lock_renew(&dog.lock, &lost)); /* WRONGTYPE, for a while */
    assert_true(lost);
    freeReplyObject(ask("RENAME aside lock:order:7"));
    wait_until(has_renewed_often, dog.watchdog);
    assert_in_range(number_of("PTTL lock:order:7"), 1, SHORT_LEASE);
    dog_close(&dog);
}

/* A lease that grows was renewed. */
typedef struct Growth {
    long long before;
    int times;
} Growth;

static bool has_grown_twice(void *data)
{
    Growth *growth = data;
    long long left = number_of("PTTL lock:order:7");
    growth->times += left > growth->before;
    growth->before = left;
    return growth->times >= 2;
}

static void live_as_another_process(int tell)
{
    Dog dog;
    Error error = {""};
    dog.watchdog = watchdog_start(&address, &error);
    dog.port = port_redis_open(&address, dog.watchdog, &error);
    if (!dog.watchdog || !dog.port) _exit(1);
    dog.lock = make(dog.port, LOCK_REENTRANT, "other:1");
    dog.lock.watchdog_ms = SHORT_LEASE;
    char ok = lock_try(&dog.lock, -1, NULL) == LOCK_GOT;
    if (write(tell, &ok, 1) != 1) _exit(1);
    for (;;) pause();
}

/* Whoever stands still renews nothing; whoever is gone, neither. */
static void test_a_process_that_stands_still(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        int ends[2];
        char ok = 0;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) live_as_another_process(ends[1]);
        assert_int_equal(read(ends[0], &ok, 1), 1);
        assert_true(ok);
        wait_until(has_grown_twice, &(Growth){.before = SHORT_LEASE}); /* it lives: so does the lock */
        kill(child, round ? SIGKILL : SIGSTOP);
        wait_until(is_gone, "lock:order:7");
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(ends[0]);
        close(ends[1]);
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup(name, fixture_clean)
    const struct CMUnitTest tests[] = {
        CASE(test_one_attempt_never_listens),
        CASE(test_every_leg_is_taken_off),
        CASE(test_sleeps_for_the_others_lease_at_most),
        CASE(test_a_message_is_no_grant),
        CASE(test_who_is_watched),
        CASE(test_time_for_each_of_several),
        CASE(test_interim_lease_of_several),
        CASE(test_nobody_listens_afterwards),
        CASE(test_a_listener_counts),
        CASE(test_fair_wakes_the_head),
        CASE(test_who_tells_readers_and_writers),
        CASE(test_many_are_renewed),
        CASE(test_a_dead_threads_lock_is_renewed),
        CASE(test_giving_back_ends_renewal_in_any_case),
        CASE(test_a_failed_renewal_is_tried_again),
        CASE(test_a_process_that_stands_still),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
