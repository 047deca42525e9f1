/* test_engine_pool.c -- a pool never gives more than it may, and never loses a place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/pool.h"

enum { CAPACITY = 8, THREADS = 64, ROUNDS = 400 };

/* A link that knows whether somebody uses it. */
typedef struct Link {
    _Atomic int users;
} Link;

static _Atomic int open_links, most_links, opened, failures, out, most_out;
static _Atomic int fail_every; /* every so many opens fail; 0: none */

static void note_most(_Atomic int *most, int now)
{
    int seen = atomic_load(most);
    while (now > seen && !atomic_compare_exchange_weak(most, &seen, now)) {
    }
}

static void *open_link(const void *address, Error *error)
{
    int number = atomic_fetch_add(&opened, 1) + 1, every = atomic_load(&fail_every);
    if (every && number % every == 0) {
        atomic_fetch_add(&failures, 1);
        error_set(error, "%s does not answer", (const char *)address);
        return NULL;
    }
    note_most(&most_links, atomic_fetch_add(&open_links, 1) + 1);
    return calloc(1, sizeof(Link));
}

static void close_link(void *link)
{
    atomic_fetch_sub(&open_links, 1);
    free(link);
}

static int reset(void **state)
{
    (void)state;
    atomic_store(&open_links, 0);
    atomic_store(&most_links, 0);
    atomic_store(&opened, 0);
    atomic_store(&failures, 0);
    atomic_store(&out, 0);
    atomic_store(&most_out, 0);
    atomic_store(&fail_every, 0);
    return 0;
}

static Pool *new_pool(int capacity)
{
    Pool *pool = pool_new(capacity, open_link, close_link, "the server");
    assert_non_null(pool);
    return pool;
}

/* ---- one thread --------------------------------------------------------------------------- */

static void opens_when_needed(void **state)
{
    (void)state;
    Pool *pool = new_pool(3);
    Error error;
    assert_int_equal(opened, 0);
    void *one = pool_take(pool, &error), *two = pool_take(pool, &error);
    assert_non_null(one);
    assert_non_null(two);
    assert_ptr_not_equal(one, two);
    assert_int_equal(opened, 2);
    pool_give(pool, one);
    assert_ptr_equal(pool_take(pool, &error), one); /* the one that came back, not a new one */
    assert_int_equal(opened, 2);
    pool_give(pool, one);
    pool_give(pool, two);
    pool_free(pool);
    assert_int_equal(open_links, 0);
}

static void drop_frees_a_place(void **state)
{
    (void)state;
    Pool *pool = new_pool(2);
    Error error;
    for (int i = 0; i < 10; i++) { /* would stop at the third if a place were lost */
        void *link = pool_take(pool, &error);
        assert_non_null(link);
        pool_drop(pool, link);
        assert_int_equal(open_links, 0);
    }
    assert_int_equal(opened, 10);
    pool_free(pool);
}

static void failing_open_leaves_the_place(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    Error error = {""};
    atomic_store(&fail_every, 1);
    for (int i = 0; i < 10; i++) assert_null(pool_take(pool, &error));
    assert_string_equal(error.text, "the server does not answer");
    atomic_store(&fail_every, 0);
    void *link = pool_take(pool, &error);
    assert_non_null(link);
    pool_give(pool, link);
    pool_free(pool);
    pool_free(NULL);
}

/* ---- threads that wait -------------------------------------------------------------------- */

typedef struct Waiter {
    Pool *pool;
    void *got;
    _Atomic bool begun;
} Waiter;

static void *wait_for_link(void *data)
{
    Waiter *waiter = data;
    atomic_store(&waiter->begun, true);
    waiter->got = pool_take(waiter->pool, NULL);
    return NULL;
}

static void start_waiter(Waiter *waiter, Pool *pool, pthread_t *thread)
{
    *waiter = (Waiter){.pool = pool};
    pthread_create(thread, NULL, wait_for_link, waiter);
    while (!atomic_load(&waiter->begun)) sched_yield();
}

static void drop_wakes_a_waiter(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    Waiter waiter;
    pthread_t thread;
    void *link = pool_take(pool, NULL);
    start_waiter(&waiter, pool, &thread);
    pool_drop(pool, link);
    pthread_join(thread, NULL);
    assert_non_null(waiter.got);
    assert_int_equal(opened, 2);
    pool_give(pool, waiter.got);
    pool_free(pool);
    assert_int_equal(open_links, 0);
}

static void give_wakes_a_waiter(void **state)
{
    (void)state;
    Pool *pool = new_pool(1);
    Waiter waiter;
    pthread_t thread;
    void *link = pool_take(pool, NULL);
    start_waiter(&waiter, pool, &thread);
    pool_give(pool, link);
    pthread_join(thread, NULL);
    assert_ptr_equal(waiter.got, link);
    assert_int_equal(opened, 1);
    pool_give(pool, link);
    pool_free(pool);
}

/* ---- a crowd ------------------------------------------------------------------------------ */

typedef struct Worker {
    Pool *pool;
    unsigned chance;
    int served, refused;
    bool shared; /* saw a link that somebody else used, too */
} Worker;

static void use(Worker *worker, Link *link)
{
    note_most(&most_out, atomic_fetch_add(&out, 1) + 1);
    if (atomic_fetch_add(&link->users, 1) != 0) worker->shared = true;
    sched_yield();
    atomic_fetch_sub(&link->users, 1);
    atomic_fetch_sub(&out, 1);
    worker->served++;
}

static void *work(void *data)
{
    Worker *worker = data;
    for (int i = 0; i < ROUNDS; i++) {
        Error error;
        Link *link = pool_take(worker->pool, &error);
        if (!link) {
            worker->refused++;
            continue;
        }
        use(worker, link);
        if (rand_r(&worker->chance) % 5 == 0)
            pool_drop(worker->pool, link);
        else
            pool_give(worker->pool, link);
    }
    return NULL;
}

static void crowd(int every)
{
    static Worker worker[THREADS];
    pthread_t thread[THREADS];
    Pool *pool = new_pool(CAPACITY);
    atomic_store(&fail_every, every);
    for (int i = 0; i < THREADS; i++) {
        worker[i] = (Worker){.pool = pool, .chance = (unsigned)i};
        pthread_create(&thread[i], NULL, work, &worker[i]);
    }
    int served = 0, refused = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_false(worker[i].shared);
        served += worker[i].served;
        refused += worker[i].refused;
    }
    assert_int_equal(served + refused, THREADS * ROUNDS);
    assert_int_equal(refused, atomic_load(&failures));
    assert_in_range(atomic_load(&most_out), 1, CAPACITY);
    assert_in_range(atomic_load(&most_links), 1, CAPACITY);
    /* Every place is still there: all can be out at once. */
    void *link[CAPACITY];
    atomic_store(&fail_every, 0);
    for (int i = 0; i < CAPACITY; i++) assert_non_null(link[i] = pool_take(pool, NULL));
    assert_int_equal(open_links, CAPACITY);
    for (int i = 0; i < CAPACITY; i++) pool_give(pool, link[i]);
    pool_free(pool);
    assert_int_equal(open_links, 0);
}

static void capacity_holds(void **state)
{
    (void)state;
    crowd(0);
    assert_int_equal(failures, 0);
}

static void capacity_holds_with_failures(void **state)
{
    (void)state;
    crowd(3);
    assert_true(atomic_load(&failures) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(opens_when_needed, reset),
        cmocka_unit_test_setup(drop_frees_a_place, reset),
        cmocka_unit_test_setup(failing_open_leaves_the_place, reset),
        cmocka_unit_test_setup(drop_wakes_a_waiter, reset),
        cmocka_unit_test_setup(give_wakes_a_waiter, reset),
        cmocka_unit_test_setup(capacity_holds, reset),
        cmocka_unit_test_setup(capacity_holds_with_failures, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
