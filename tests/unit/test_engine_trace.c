/* test_engine_trace.c -- rings that are written faster than read, and writers that are killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/gate.h"
#include "engine/ring.h"
#include "engine/trace.h"

/* A world of so many actors in race mode, whose threads are the test itself. */
typedef struct Fixture {
    World *world;
    int fd;
    Actor actor[4];
} Fixture;

static void world_setup(Fixture *fixture, int users, int requests)
{
    Spec spec = {.variant = variants, .users = users, .requests = requests, .nodes = 1, .stock = 1};
    Error error;
    fixture->world = world_create(&spec, MODE_RACE, &fixture->fd, &error);
    assert_non_null(fixture->world);
    for (int i = 0; i < 4 && i < users; i++)
        fixture->actor[i] = (Actor){.world = fixture->world,
                                    .slot = world_slot(fixture->world, (unsigned)i),
                                    .ring = world_ring(fixture->world, (unsigned)i),
                                    .index = i,
                                    .user = i + 1,
                                    .random = 1};
}

static void world_teardown(Fixture *fixture)
{
    world_close(fixture->world);
    close(fixture->fd);
}

/* A step that "sees" the number `value`. */
static void step(Actor *me, int64_t value)
{
    static const Touch nothing = {0};
    StepCall call = {
        .step = STEP_DECREMENT, .argument = value * 2, .second = -value, .touch = &nothing};
    gate_enter(gate_at(me, (int)(value % 1000)), &call);
    gate_leave(me, &call, STORE_OK, value, 0);
}

static void check_step(const Event *event, int64_t value)
{
    assert_int_equal(event->value, value);
    assert_int_equal(event->argument, value * 2);
    assert_int_equal(event->second, -value);
    assert_int_equal(event->line, value % 1000);
    assert_int_equal(event->kind, EVENT_STEP);
    assert_int_equal(event->step, STEP_DECREMENT);
    assert_int_equal(event->status, STORE_OK);
    assert_true(event->begin_ns > 0 && event->begin_ns <= event->end_ns);
}

/* ---- order and contents ------------------------------------------------------------------- */

static void in_order(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    world_setup(&fixture, 3, 1);
    assert_true(trace_open(&trace, fixture.world));
    for (int i = 0; i < 300; i++) {
        step(&fixture.actor[i % 3], i);
        if (i % 70 == 0) trace_read(&trace, fixture.world);
    }
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.count, 300);
    assert_int_equal(trace.steps, 300);
    assert_int_equal(trace.lost, 0);
    assert_int_equal(trace.left_out, 0);
    trace_sort(&trace);
    for (int i = 0; i < 300; i++) {
        check_step(&trace.events[i].event, i);
        assert_int_equal(trace.events[i].actor, i % 3);
    }
    trace_read(&trace, fixture.world); /* nothing new */
    assert_int_equal(trace.count, 300);
    trace_close(&trace);
    world_teardown(&fixture);
}

/* ---- more than a ring holds --------------------------------------------------------------- */

static void overflow_is_counted(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    world_setup(&fixture, 2, 1);
    assert_true(trace_open(&trace, fixture.world));
    int64_t capacity = fixture.world->ring_capacity, written = 3 * capacity + 7;
    for (int64_t i = 0; i < written; i++) step(&fixture.actor[0], i);
    step(&fixture.actor[1], 5);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.count - 1 + trace.lost, written);
    assert_in_range(trace.count - 1, capacity - 1, capacity);
    assert_int_equal(trace.steps, trace.count);
    int64_t first = trace.events[0].event.value;
    assert_int_equal(first, written - (trace.count - 1));
    for (int64_t i = 0; i < trace.count - 1; i++) check_step(&trace.events[i].event, first + i);
    check_step(&trace.events[trace.count - 1].event, 5);
    assert_int_equal(trace.events[trace.count - 1].actor, 1);
    long lost = trace.lost;
    step(&fixture.actor[0], 42); /* from here on nothing is lost */
    trace_read(&trace, fixture.world);
    check_step(&trace.events[trace.count - 1].event, 42);
    assert_int_equal(trace.lost, lost);
    trace_close(&trace);
    world_teardown(&fixture);
}

/* What the console counts does not come from the ring. */
static void answers_survive_overflow(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    int requests = 40000;
    world_setup(&fixture, 1, requests);
    assert_true(trace_open(&trace, fixture.world));
    Actor *me = &fixture.actor[0];
    for (int i = 0; i < requests; i++) {
        step(me, i);
        gate_answer(me, i % 4 == 0 ? ordered(i + 1) : SOLD_OUT);
    }
    trace_read(&trace, fixture.world);
    assert_true(trace.lost > 0);
    assert_int_equal(trace.lost + trace.count, 2 * requests);
    assert_int_equal(atomic_load(&me->slot->answered), requests);
    assert_int_equal(atomic_load(&me->slot->answers[ANSWER_ORDERED]), requests / 4);
    assert_int_equal(atomic_load(&me->slot->answers[ANSWER_SOLD_OUT]), requests - requests / 4);
    assert_int_equal(atomic_load(&fixture.world->answer_count), requests / 4);
    for (int i = 0; i < requests / 4; i++) {
        const AnswerEntry *entry = &world_answers(fixture.world)[i];
        assert_int_equal(entry->id, 4 * i + 1);
        assert_int_equal(entry->kind, ANSWER_ORDERED + 1);
        assert_true(entry->asked_ns <= entry->told_ns);
    }
    uint64_t counted = 0;
    for (int i = 0; i < LATENCY_BUCKETS; i++)
        counted += atomic_load(&fixture.world->node[0].latency[i]);
    assert_int_equal(counted, requests);
    trace_close(&trace);
    world_teardown(&fixture);
}

static void command(Actor *me, StepId step, StoreStatus status, int64_t value)
{
    static const Touch nothing = {0};
    StepCall call = {.step = step, .touch = &nothing};
    gate_enter(gate_at(me, 1), &call);
    gate_leave(me, &call, status, value, 0);
}

/* An order counts as stored when it is there for good, and at that moment. */
static void orders_are_stored(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    world_setup(&fixture, 2, 1);
    assert_true(trace_open(&trace, fixture.world));
    Actor *me = &fixture.actor[0], *other = &fixture.actor[1];
    command(me, STEP_INSERT_ORDER, STORE_OK, 1); /* autocommit */
    command(me, STEP_INSERT_ORDER, STORE_REFUSED, 0); /* 1062 */
    command(me, STEP_INSERT_IGNORE, STORE_OK, 0); /* ignored */
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.stored.all, 1);
    assert_int_equal(trace.stored.last_ns, trace.events[0].event.end_ns);

    command(me, STEP_BEGIN, STORE_OK, 0);
    command(me, STEP_INSERT_ORDER, STORE_OK, 1);
    trace_read(&trace, fixture.world); /* in the middle of a transaction */
    command(other, STEP_COMMIT, STORE_OK, 0); /* not its own */
    command(me, STEP_NEXT_ID, STORE_OK, 7);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.stored.all, 1);
    command(me, STEP_COMMIT, STORE_OK, 0);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.stored.all, 2);
    assert_int_equal(trace.stored.last_ns, trace.events[trace.count - 1].event.end_ns);

    command(me, STEP_BEGIN, STORE_OK, 0);
    command(me, STEP_INSERT_ORDER, STORE_OK, 1);
    command(me, STEP_ROLLBACK, STORE_OK, 0);
    command(me, STEP_BEGIN, STORE_OK, 0);
    command(me, STEP_COMMIT, STORE_OK, 0); /* of nothing */
    command(me, STEP_BEGIN, STORE_OK, 0);
    command(me, STEP_INSERT_ORDER, STORE_OK, 1);
    command(me, STEP_COMMIT, STORE_LOST, 0); /* nobody knows */
    command(me, STEP_COMMIT, STORE_OK, 0);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.stored.all, 2);
    assert_int_equal(trace.commands[STEP_SQL], 16);
    assert_int_equal(trace.commands[STEP_REDIS], 1);
    assert_int_equal(trace.commands[STEP_LOCAL], 0);
    gate_answer(other, ordered(3));
    gate_answer(me, SOLD_OUT);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.yes_ns, trace.events[trace.count - 2].actor == 1 ? trace.events[trace.count - 2].event.end_ns
                                                                            : trace.events[trace.count - 1].event.end_ns);
    trace_close(&trace);
    world_teardown(&fixture);
}

static void attempts_are_summed(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    world_setup(&fixture, 1, 3);
    assert_true(trace_open(&trace, fixture.world));
    Actor *me = &fixture.actor[0];
    for (int i = 0; i < 3; i++) step(me, i); /* a DECREMENT is an attempt */
    gate_answer(me, ordered(1));
    step(me, 3);
    gate_answer(me, ordered(2));
    for (int i = 0; i < 9; i++) step(me, i);
    gate_answer(me, SOLD_OUT);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.orders, 2);
    assert_int_equal(trace.order_attempts, 4);
    assert_int_equal(trace.attempts_max, 3);
    assert_int_equal(trace.steps, 13);
    assert_int_equal(trace.count, 16);
    assert_int_equal(trace.events[3].event.kind, EVENT_ANSWER);
    assert_int_equal(trace.events[3].event.second, 3);
    assert_int_equal(trace.events[4].event.request, 1);
    trace_close(&trace);
    world_teardown(&fixture);
}

/* The first events are kept, the rest are counted. */
static void keeps_the_first(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    world_setup(&fixture, 1, 1);
    assert_true(trace_open(&trace, fixture.world));
    for (int64_t i = 0; i < TRACE_EVENTS + 500; i++) {
        step(&fixture.actor[0], i);
        if (i % 1000 == 999) trace_read(&trace, fixture.world);
    }
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.count, TRACE_EVENTS);
    assert_int_equal(trace.left_out, 500);
    assert_int_equal(trace.lost, 0);
    assert_int_equal(trace.steps, TRACE_EVENTS + 500);
    check_step(&trace.events[0].event, 0);
    check_step(&trace.events[TRACE_EVENTS - 1].event, TRACE_EVENTS - 1);
    trace_close(&trace);
    world_teardown(&fixture);
}

/* ---- read while it is written ------------------------------------------------------------- */

enum { FAST_STEPS = 400000 };

static void *write_fast(void *data)
{
    for (int64_t i = 0; i < FAST_STEPS; i++) step(data, i);
    return NULL;
}

static void read_while_written(void **state)
{
    (void)state;
    Fixture fixture;
    Trace trace;
    pthread_t writer;
    world_setup(&fixture, 2000, 1); /* small rings */
    assert_true(fixture.world->ring_capacity < 1024);
    assert_true(trace_open(&trace, fixture.world));
    pthread_create(&writer, NULL, write_fast, &fixture.actor[0]);
    while (ring_written(fixture.world, 0) < FAST_STEPS) trace_read(&trace, fixture.world);
    pthread_join(writer, NULL);
    trace_read(&trace, fixture.world);
    assert_int_equal(trace.count + trace.lost, FAST_STEPS);
    assert_true(trace.count > 0);
    int64_t before = -1;
    for (long i = 0; i < trace.count; i++) { /* gaps, but nothing torn and nothing out of order */
        const Event *event = &trace.events[i].event;
        assert_true(event->value > before);
        check_step(event, event->value);
        before = event->value;
    }
    trace_close(&trace);
    world_teardown(&fixture);
}

/* ---- a node that is killed ---------------------------------------------------------------- */

/* Writes for ever, in a process of its own that maps the world anew. */
static _Noreturn void be_a_node(int fd)
{
    Error error;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    World *world = world_attach(fd, &error);
    if (!world) _exit(1);
    Actor me = {.world = world,
                .slot = world_slot(world, 0),
                .ring = world_ring(world, 0),
                .user = 1,
                .random = 1};
    for (int64_t i = 0;; i++) {
        step(&me, i);
        if (i % 8 == 7) gate_answer(&me, ordered(i));
    }
}

static void survives_sigkill(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        Fixture fixture;
        Trace trace;
        world_setup(&fixture, 1, 1000000);
        pid_t node = fork();
        if (node == 0) be_a_node(fixture.fd);
        assert_true(node > 0);
        uint64_t enough = 100 + (uint64_t)round * 977;
        while (ring_written(fixture.world, 0) < enough) clock_sleep_ns(20000);
        kill(node, SIGKILL);
        int status;
        assert_int_equal(waitpid(node, &status, 0), node);
        assert_true(WIFSIGNALED(status));

        assert_true(trace_open(&trace, fixture.world));
        trace_read(&trace, fixture.world);
        int64_t written = (int64_t)ring_written(fixture.world, 0);
        assert_true(written >= (int64_t)enough);
        assert_int_equal(trace.count + trace.lost, written);
        for (int64_t i = 0; i < trace.count; i++) {
            int64_t number = written - trace.count + i;
            const Event *event = &trace.events[i].event;
            if (number % 9 == 8) {
                assert_int_equal(event->kind, EVENT_ANSWER);
                assert_int_equal(event->value, number / 9 * 8 + 7);
            } else {
                check_step(event, number / 9 * 8 + number % 9);
            }
        }
        uint64_t answers = atomic_load(&fixture.world->answer_count);
        assert_in_range(answers, (uint64_t)written / 9, (uint64_t)written / 9 + 1);
        for (uint64_t i = 0; i < answers && i < fixture.world->answer_capacity; i++) {
            const AnswerEntry *entry = &world_answers(fixture.world)[i];
            if (entry->kind == 0)
                assert_int_equal(i, answers - 1); /* died in the middle of it */
            else
                assert_int_equal(entry->id, i * 8 + 7);
        }
        trace_close(&trace);
        world_teardown(&fixture);
    }
}

/* ---- the durations ------------------------------------------------------------------------ */

static void latency_buckets(void **state)
{
    (void)state;
    int before = -1;
    for (uint64_t ns = 0; ns < 5000000000u; ns += 1 + ns / 97) {
        int bucket = latency_bucket(ns);
        assert_true(bucket >= before && bucket < LATENCY_BUCKETS);
        assert_true(latency_bucket_ns(bucket) >= ns);
        assert_true(latency_bucket_ns(bucket) <= ns + ns / 16 + 1);
        if (bucket > 0) assert_true(latency_bucket_ns(bucket - 1) < ns);
        before = bucket;
    }
    assert_in_range(latency_bucket(UINT64_MAX), 0, LATENCY_BUCKETS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order),
        cmocka_unit_test(overflow_is_counted),
        cmocka_unit_test(answers_survive_overflow),
        cmocka_unit_test(orders_are_stored),
        cmocka_unit_test(attempts_are_summed),
        cmocka_unit_test(keeps_the_first),
        cmocka_unit_test(read_while_written),
        cmocka_unit_test(survives_sigkill),
        cmocka_unit_test(latency_buckets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
