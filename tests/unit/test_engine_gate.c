/* test_engine_gate.c -- pace, pause, stop and stalls at the gate of a race.
 *
 * Nothing here depends on how fast the machine is: an actor that would rest for an hour must wake
 * up, and one that must not move is given every chance to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "engine/gate.h"
#include "engine/ring.h"

enum { USERS = 4, HOUR_MS = 3600 * 1000, PATIENCE_S = 20 };

/* Users in threads of this process, each with a purchase of a few steps again and again. */
typedef struct Fixture {
    World *world;
    int fd;
    Actor actor[USERS];
    pthread_t thread[USERS];
} Fixture;

static void step(Actor *me, StepId id)
{
    static const Touch nothing = {0};
    StepCall call = {.step = id, .argument = 1, .touch = &nothing};
    gate_enter(gate_at(me, 7), &call);
    gate_leave(me, &call, STORE_OK, 1, 0);
}

static Answer purchase(Actor *me, VoucherId voucher)
{
    (void)voucher;
    step(me, STEP_SELECT_STOCK);
    step(me, STEP_DECREMENT);
    return ordered((int64_t)me->request + 1);
}

/* As a node serves its users. */
static void *live(void *data)
{
    Actor *me = data;
    World *world = me->world;
    for (uint32_t run = 0; (run = gate_start(me, run)) != 0;) {
        for (int i = 0; i < world->spec.requests && !atomic_load(&world->stop); i++) {
            Answer answer = attempt(me, purchase, 1);
            if (!atomic_load(&world->stop) || me->asked_ns != 0) gate_answer(me, answer);
        }
        gate_done(me);
    }
    return NULL;
}

static Fault stall(int actor, int node, StepId step, int ms)
{
    return (Fault){.kind = FAULT_STALL, .actor = actor, .node = node, .step = (int)step, .ms = ms};
}

static void open_race(Fixture *fixture, const Spec *extra)
{
    Spec spec = *extra;
    spec.variant = variants;
    spec.users = USERS;
    spec.nodes = 1;
    Error error;
    fixture->world = world_create(&spec, MODE_RACE, &fixture->fd, &error);
    assert_non_null(fixture->world);
    gate_look(fixture->world);
    for (int i = 0; i < USERS; i++) {
        Actor *me = &fixture->actor[i];
        *me = (Actor){.world = fixture->world,
                      .slot = world_slot(fixture->world, (unsigned)i),
                      .ring = world_ring(fixture->world, (unsigned)i),
                      .index = i,
                      .user = i + 1,
                      .random = (uint64_t)i + 1};
        pthread_create(&fixture->thread[i], NULL, live, me);
    }
    while (atomic_load(&fixture->world->ready) < USERS) clock_sleep_ns(100000);
}

static void release(Fixture *fixture)
{
    fixture->world->released_ns = clock_now_ns();
    futex_bump(&fixture->world->go);
}

static void close_race(Fixture *fixture)
{
    gate_stop(fixture->world);
    atomic_store(&fixture->world->quit, 1);
    futex_bump(&fixture->world->go);
    for (int i = 0; i < USERS; i++) pthread_join(fixture->thread[i], NULL);
    world_close(fixture->world);
    close(fixture->fd);
}

static uint64_t events(const Fixture *fixture)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < USERS; i++) sum += ring_written(fixture->world, i);
    return sum;
}

static uint32_t answered(const Fixture *fixture)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < USERS; i++)
        sum += atomic_load(&world_slot(fixture->world, i)->answered);
    return sum;
}

static bool all_done(const Fixture *fixture)
{
    return atomic_load(&fixture->world->done) == USERS;
}

static bool all_at_first_step(const Fixture *fixture)
{
    for (unsigned i = 0; i < USERS; i++)
        if (atomic_load(&world_slot(fixture->world, i)->step) != STEP_SELECT_STOCK) return false;
    return true;
}

/* Waits for a condition; only a broken gate makes it wait long. */
#define WAIT_FOR(condition)                                                                        \
    for (uint64_t limit_ = clock_now_ns() + PATIENCE_S * 1000000000ull; !(condition);) {           \
        if (clock_now_ns() > limit_) fail_msg("still not so: %s", #condition);                     \
        clock_sleep_ns(100000);                                                                    \
    }

/* While another race is run from start to end, whoever is able to move would have moved. */
static void run_another_race(void)
{
    Fixture other;
    open_race(&other, &(Spec){.requests = 3000});
    release(&other);
    WAIT_FOR(all_done(&other));
    close_race(&other);
}

/* ---- full speed --------------------------------------------------------------------------- */

static void runs_to_the_end(void **state)
{
    (void)state;
    Fixture fixture;
    open_race(&fixture, &(Spec){.requests = 50});
    run_another_race();
    assert_int_equal(events(&fixture), 0); /* nobody before the start */
    for (unsigned i = 0; i < USERS; i++)
        assert_int_equal(atomic_load(&world_slot(fixture.world, i)->state), ACTOR_READY);
    release(&fixture);
    WAIT_FOR(all_done(&fixture));
    assert_int_equal(answered(&fixture), USERS * 50);
    assert_int_equal(events(&fixture), USERS * 50 * 3);
    assert_int_equal(atomic_load(&fixture.world->answer_count), USERS * 50);
    WAIT_FOR(atomic_load(&fixture.world->ready) == 2 * USERS); /* at the start of the next run, */
    for (unsigned i = 0; i < USERS; i++)                       /* and still done with this one */
        assert_int_equal(atomic_load(&world_slot(fixture.world, i)->state), ACTOR_DONE);
    close_race(&fixture);
}

/* ---- pace --------------------------------------------------------------------------------- */

static void rests_before_each_step(void **state)
{
    (void)state;
    Fixture fixture;
    open_race(&fixture, &(Spec){.requests = 2, .pace_ms = 20});
    uint64_t begin = clock_now_ns();
    release(&fixture);
    WAIT_FOR(all_done(&fixture));
    assert_true(clock_now_ns() - begin >= 4 * 15000000ull); /* four rests of 15 to 25 ms */
    for (unsigned i = 0; i < USERS; i++) {
        Event one, two;
        assert_true(ring_get(fixture.world, i, 0, &one) && ring_get(fixture.world, i, 1, &two));
        assert_true(two.begin_ns - one.end_ns >= 15000000u);
    }
    close_race(&fixture);
}

static void new_pace_wakes(void **state)
{
    (void)state;
    Fixture fixture;
    open_race(&fixture, &(Spec){.requests = 3, .pace_ms = HOUR_MS});
    release(&fixture);
    WAIT_FOR(all_at_first_step(&fixture));
    run_another_race();
    assert_int_equal(events(&fixture), 0);
    gate_pace(fixture.world, 0);
    WAIT_FOR(all_done(&fixture));
    assert_int_equal(answered(&fixture), USERS * 3);
    assert_int_equal(atomic_load(&fixture.world->attention), 0);
    close_race(&fixture);
}

/* ---- pause -------------------------------------------------------------------------------- */

static void pause_holds(void **state)
{
    (void)state;
    Fixture fixture;
    open_race(&fixture, &(Spec){.requests = MAX_REQUESTS});
    release(&fixture);
    WAIT_FOR(events(&fixture) > 100);
    gate_pause(fixture.world, true);
    uint64_t before;
    do { /* steps on their way come to their end */
        before = events(&fixture);
        run_another_race();
    } while (events(&fixture) != before);
    run_another_race();
    assert_int_equal(events(&fixture), before);
    gate_pause(fixture.world, false);
    WAIT_FOR(events(&fixture) > before + 100);
    assert_int_equal(atomic_load(&fixture.world->attention), 0);
    close_race(&fixture);
}

/* ---- stop --------------------------------------------------------------------------------- */

/* What was begun is answered "unknown"; what was not is not answered at all. */
static void check_stopped(Fixture *fixture, uint32_t begun)
{
    WAIT_FOR(all_done(fixture));
    assert_int_equal(answered(fixture), begun);
    for (unsigned i = 0; i < USERS; i++)
        assert_int_equal(atomic_load(&world_slot(fixture->world, i)->answers[ANSWER_ORDERED]), 0);
}

static void stop_wakes_those_who_rest(void **state)
{
    (void)state;
    Fixture fixture;
    open_race(&fixture, &(Spec){.requests = 3, .pace_ms = HOUR_MS});
    release(&fixture);
    WAIT_FOR(all_at_first_step(&fixture));
    gate_stop(fixture.world);
    check_stopped(&fixture, 0);
    close_race(&fixture);
}

static void stop_wakes_those_who_pause(void **state)
{
    (void)state;
    Fixture fixture;
    open_race(&fixture, &(Spec){.requests = 3});
    gate_pause(fixture.world, true);
    release(&fixture);
    WAIT_FOR(all_at_first_step(&fixture));
    run_another_race();
    assert_int_equal(events(&fixture), 0);
    gate_stop(fixture.world);
    check_stopped(&fixture, 0);
    close_race(&fixture);
}

static bool all_at_second_step(const Fixture *fixture)
{
    for (unsigned i = 0; i < USERS; i++)
        if (atomic_load(&world_slot(fixture->world, i)->step) != STEP_DECREMENT) return false;
    return true;
}

static void stop_wakes_the_stalled(void **state)
{
    (void)state;
    Fixture fixture;
    Spec spec = {.requests = 3, .faults = 1};
    spec.fault[0] = stall(-1, -1, STEP_DECREMENT, HOUR_MS);
    spec.fault[0].every = true;
    open_race(&fixture, &spec);
    release(&fixture);
    WAIT_FOR(all_at_second_step(&fixture));
    run_another_race();
    gate_stop(fixture.world);
    check_stopped(&fixture, USERS);
    for (unsigned i = 0; i < USERS; i++)
        assert_int_equal(atomic_load(&world_slot(fixture.world, i)->answers[ANSWER_UNKNOWN]), 1);
    close_race(&fixture);
}

/* Thrown at any moment, no switch is missed: an actor that fell asleep for an hour would be seen.
 */
static void no_wake_is_missed(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        Fixture fixture;
        open_race(&fixture, &(Spec){.requests = MAX_REQUESTS});
        release(&fixture);
        for (int i = 0; i < round; i++) {
            gate_pace(fixture.world, HOUR_MS + i);
            gate_pause(fixture.world, i % 2 == 0);
            if (i % 3 == 0) gate_pace(fixture.world, 0);
        }
        gate_stop(fixture.world);
        WAIT_FOR(all_done(&fixture));
        close_race(&fixture);
    }
}

/* ---- faults ------------------------------------------------------------------------------- */

static int count_faults(const Fixture *fixture, unsigned actor, Event *last)
{
    int faults = 0;
    for (uint64_t i = 0; i < ring_written(fixture->world, actor); i++) {
        Event event;
        assert_true(ring_get(fixture->world, actor, i, &event));
        if (event.kind != EVENT_FAULT) continue;
        *last = event;
        faults++;
    }
    return faults;
}

static void faults_are_recorded(void **state)
{
    (void)state;
    Fixture fixture;
    Spec spec = {.requests = 2, .faults = 4};
    spec.fault[0] = stall(1, -1, STEP_DECREMENT, 15);
    spec.fault[1] = stall(-1, 3, STEP_SELECT_STOCK, HOUR_MS); /* nobody is on that node */
    spec.fault[2] = stall(2, 0, STEP_SELECT_STOCK, 5);
    spec.fault[2].every = true;
    spec.fault[3] = (Fault){.kind = FAULT_ERROR, .actor = 3, .node = -1, .step = STEP_DECREMENT};
    open_race(&fixture, &spec);
    release(&fixture);
    WAIT_FOR(all_done(&fixture));
    assert_int_equal(answered(&fixture), USERS * 2);
    Event fault, next;
    assert_int_equal(count_faults(&fixture, 0, &fault), 0);
    assert_int_equal(count_faults(&fixture, 2, &fault), 2);
    assert_int_equal(fault.step, STEP_SELECT_STOCK);
    assert_int_equal(fault.value, 5);
    assert_int_equal(count_faults(&fixture, 3, &fault), 1);
    assert_int_equal(fault.code, FAULT_ERROR);
    assert_int_equal(atomic_load(&world_slot(fixture.world, 3)->answers[ANSWER_ERROR]), 1);
    assert_int_equal(atomic_load(&world_slot(fixture.world, 3)->answers[ANSWER_ORDERED]), 1);
    assert_int_equal(count_faults(&fixture, 1, &fault), 1); /* hits once */
    assert_int_equal(fault.code, FAULT_STALL);
    assert_int_equal(fault.step, STEP_DECREMENT);
    assert_int_equal(fault.value, 15);
    assert_int_equal(fault.line, 7);
    assert_true(fault.end_ns - fault.begin_ns >= 15000000u);
    /* The stall comes before the command, and is no part of it. */
    assert_true(ring_get(fixture.world, 1, 1, &fault) && ring_get(fixture.world, 1, 2, &next));
    assert_int_equal(fault.kind, EVENT_FAULT);
    assert_int_equal(next.kind, EVENT_STEP);
    assert_int_equal(next.step, STEP_DECREMENT);
    assert_true(next.begin_ns >= fault.end_ns);
    close_race(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_to_the_end),
        cmocka_unit_test(rests_before_each_step),
        cmocka_unit_test(new_pace_wakes),
        cmocka_unit_test(pause_holds),
        cmocka_unit_test(stop_wakes_those_who_rest),
        cmocka_unit_test(stop_wakes_those_who_pause),
        cmocka_unit_test(stop_wakes_the_stalled),
        cmocka_unit_test(no_wake_is_missed),
        cmocka_unit_test(faults_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
