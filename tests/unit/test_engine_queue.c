/* test_engine_queue.c -- the queue in a node's memory: bounded, in order, waited for, and gone with its node.
 *
 * Users and consumers are threads of this process; a node's death is what cluster_mark_dead() makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "engine/cluster.h"
#include "engine/gate.h"
#include "engine/queue.h"
#include "engine/queues_view.h"

enum { USERS = 4, CONSUMERS = 2, EACH = 2000, SMALL = 3, PATIENCE_S = 20 };

/* ---- the queue alone ------------------------------------------------------------------------------- */

static World *open_world(const Spec *extra, int *fd)
{
    Error error;
    Spec spec = *extra;
    spec.variant = variants;
    spec.requests = 1;
    if (spec.nodes == 0) spec.nodes = 1;
    if (spec.users == 0) spec.users = 1;
    World *world = world_create(&spec, MODE_RACE, fd, &error);
    assert_non_null(world);
    for (int i = 0; i < spec.nodes; i++) world->node[i].pid = getpid();
    return world;
}

static void close_world(World *world, int fd)
{
    world_close(world);
    close(fd);
}

static void it_holds_so_many_and_gives_them_in_order(void **state)
{
    (void)state;
    int fd;
    World *world = open_world(&(Spec){.consumers = 1, .queue = SMALL}, &fd);
    QueueEntry entry = {0};
    for (int round = 0; round < 3; round++) {
        for (int i = 1; i <= SMALL; i++) assert_true(queue_push(world, 0, &(QueueEntry){.id = 10 * round + i}));
        assert_false(queue_push(world, 0, &(QueueEntry){.id = 99}));
        assert_int_equal(queue_depth(world_queue(world, 0)), SMALL);
        for (int i = 1; i <= SMALL; i++) {
            assert_true(queue_pull(world, 0, &entry));
            assert_int_equal(entry.id, 10 * round + i);
        }
        assert_false(queue_pull(world, 0, &entry));
    }
    close_world(world, fd);
}

static void its_usual_size_is_a_million(void **state)
{
    (void)state;
    int fd;
    World *world = open_world(&(Spec){.consumers = 1}, &fd);
    QueueEntry entry = {0};
    for (int i = 0; i < QUEUE_CAPACITY; i++) assert_true(queue_push(world, 0, &(QueueEntry){.id = i}));
    assert_false(queue_push(world, 0, &entry));
    assert_true(queue_pull(world, 0, &entry));
    assert_int_equal(entry.id, 0);
    close_world(world, fd);
}

/* Each node has its own. */
static void a_dead_node_takes_its_queue_along(void **state)
{
    (void)state;
    int fd;
    World *world = open_world(&(Spec){.consumers = 1, .nodes = 2}, &fd);
    QueueEntry entry;
    for (int i = 0; i < 5; i++)
        for (int node = 0; node < 2; node++) queue_push(world, node, &(QueueEntry){.id = i});
    assert_true(queue_pull(world, 0, &entry)); /* in the hand of a consumer: lost likewise */
    cluster_mark_dead(world, 0);
    QueuesView view;
    static const Snapshot nothing;
    queues_view_make(&view, world, &nothing);
    assert_true(view.in_memory && view.node[0].dead && !view.node[1].dead);
    assert_int_equal(view.node[0].lost, 5);
    assert_int_equal(view.node[0].depth, 0);
    assert_int_equal(view.node[1].lost, 0);
    assert_int_equal(view.node[1].depth, 5);
    assert_int_equal(view.waiting, 5);
    assert_false(queue_pull(world, 0, &entry));
    close_world(world, fd);
}

static void what_became_of_every_yes(void **state)
{
    (void)state;
    int fd;
    World *world = open_world(&(Spec){.users = 2, .consumers = 1}, &fd);
    atomic_store(&world_slot(world, 0)->answers[ANSWER_ORDERED], 6);
    atomic_store(&world_slot(world, 1)->answers[ANSWER_ORDERED], 4);
    for (int i = 0; i < 3; i++) queue_push(world, 0, &(QueueEntry){.id = i});
    QueuesView view;
    queues_view_make(&view, world, &(Snapshot){.orders = 5});
    assert_int_equal(view.told, 10);
    assert_int_equal(view.waiting, 3);
    assert_int_equal(view.stored, 5);
    assert_int_equal(view.lost, 2);
    queues_view_make(&view, world, &(Snapshot){.orders = 9}); /* told a moment later */
    assert_int_equal(view.lost, 0);
    close_world(world, fd);
}

/* ---- waited for by threads ------------------------------------------------------------------------- */

typedef struct Fixture {
    World *world;
    int fd;
    Actor actor[USERS + CONSUMERS];
    pthread_t thread[USERS + CONSUMERS];
    int64_t last[CONSUMERS][USERS]; /* the last of each user's that the consumer took */
    long taken[CONSUMERS];
    _Atomic long out_of_order;
} Fixture;

static Fixture *fixture;

static Answer put_many(Actor *me, VoucherId voucher)
{
    for (int i = 1; i <= EACH; i++) queue_put(me, (Order){i, me->user, voucher});
    return ordered(1);
}

static Answer take_on(Actor *me, VoucherId voucher)
{
    int self = me->index - USERS;
    while (!atomic_load(&me->world->stop)) {
        Order order = queue_take(me);
        if (order.id <= fixture->last[self][order.user - 1] || order.voucher != voucher)
            atomic_fetch_add(&fixture->out_of_order, 1);
        fixture->last[self][order.user - 1] = order.id;
        fixture->taken[self]++;
    }
    return SOLD_OUT;
}

static void *live(void *data)
{
    Actor *me = data;
    bool user = me->slot->role == ROLE_USER;
    gate_start(me, 0);
    Answer answer = attempt(me, user ? put_many : take_on, 1);
    if (user) gate_answer(me, answer);
    gate_done(me);
    return NULL;
}

static void start_threads(void)
{
    for (int i = 0; i < USERS + CONSUMERS; i++) {
        Actor *me = &fixture->actor[i];
        *me = (Actor){.world = fixture->world,
                      .slot = world_slot(fixture->world, (unsigned)i),
                      .ring = world_ring(fixture->world, (unsigned)i),
                      .index = i,
                      .user = i + 1,
                      .random = (uint64_t)i + 1};
        pthread_create(&fixture->thread[i], NULL, live, me);
    }
}

static void wait_until_over(void)
{
    uint64_t limit = clock_now_ns() + PATIENCE_S * 1000000000ull;
    while (!world_is_over(fixture->world)) {
        if (clock_now_ns() > limit) fail_msg("the race does not come to its end");
        clock_sleep_ns(100000);
    }
}

/* Users wait for room, consumers for orders; the race is over when all users are done and the queue is empty. */
static void race_through_a_queue(int capacity)
{
    Fixture here = {0};
    fixture = &here;
    here.world = open_world(&(Spec){.users = USERS, .consumers = CONSUMERS, .queue = capacity}, &here.fd);
    start_threads();
    futex_bump(&here.world->go);
    wait_until_over();
    assert_int_equal(here.taken[0] + here.taken[1], USERS * EACH);
    assert_int_equal(atomic_load(&here.out_of_order), 0);
    assert_int_equal(queue_depth(world_queue(here.world, 0)), 0);
    assert_int_equal(atomic_load(&world_queue(here.world, 0)->in_hand), 0);
    gate_stop(here.world); /* wakes the consumers, which wait for more */
    for (int i = 0; i < USERS + CONSUMERS; i++) pthread_join(here.thread[i], NULL);
    close_world(here.world, here.fd);
}

static void nothing_is_lost_between_threads(void **state)
{
    (void)state;
    race_through_a_queue(1);
    race_through_a_queue(SMALL);
    race_through_a_queue(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_holds_so_many_and_gives_them_in_order),
        cmocka_unit_test(its_usual_size_is_a_million),
        cmocka_unit_test(a_dead_node_takes_its_queue_along),
        cmocka_unit_test(what_became_of_every_yes),
        cmocka_unit_test(nothing_is_lost_between_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
