/* test_engine_explore.c -- exploring made-up programs whose counts are known beforehand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "toy_explore.h"

enum { VIEWS, STOCK, ORDERS };

/* INCR pv; GET stock; and when there is one: DECR stock; INCR orders. Else two steps of no effect,
 * so that everybody takes four. */
static const ToyProgram BUY_IN_REDIS = {{{.kind = TOY_ADD, .cell = VIEWS, .value = 1},
                                         {.kind = TOY_READ, .cell = STOCK},
                                         {.kind = TOY_KEEP},
                                         {.kind = TOY_UNLESS, .value = 1, .to = 7},
                                         {.kind = TOY_ADD, .cell = STOCK, .value = -1},
                                         {.kind = TOY_ADD, .cell = ORDERS, .value = 1},
                                         {.kind = TOY_END},
                                         {.kind = TOY_NOTHING},
                                         {.kind = TOY_NOTHING}}};

/* The same, but the steps are taken whatever was seen. */
static const ToyProgram BUY_BLINDLY = {{{.kind = TOY_ADD, .cell = VIEWS, .value = 1},
                                        {.kind = TOY_READ, .cell = STOCK},
                                        {.kind = TOY_KEEP},
                                        {.kind = TOY_ADD, .cell = STOCK, .value = -1},
                                        {.kind = TOY_ADD, .cell = ORDERS, .value = 1}}};

/* SELECT stock; UPDATE stock = stock - 1; INSERT order. */
static const ToyProgram BUY_IN_SQL = {{{.kind = TOY_READ, .cell = STOCK},
                                       {.kind = TOY_KEEP},
                                       {.kind = TOY_ADD, .cell = STOCK, .value = -1},
                                       {.kind = TOY_ADD, .cell = ORDERS, .value = 1}}};

/* The same, with the check that a program makes: sold out, and it goes home. */
static const ToyProgram BUY_IF_THERE_IS_ONE = {{{.kind = TOY_READ, .cell = STOCK},
                                                {.kind = TOY_KEEP},
                                                {.kind = TOY_UNLESS, .value = 1, .to = 5},
                                                {.kind = TOY_ADD, .cell = STOCK, .value = -1},
                                                {.kind = TOY_ADD, .cell = ORDERS, .value = 1},
                                                {.kind = TOY_END}}};

static const long ONE_IN_STOCK[TOY_CELLS] = {[STOCK] = 1};

static uint32_t judge_oversell(const Toy *toy)
{
    return toy_ordered(toy) > 1 ? 1u << NO_OVERSELL : 0;
}

static Explorer *explore(const ToyProgram *program, int actors, ExploreOptions options)
{
    ToyProgram programs[TOY_ACTORS];
    for (int i = 0; i < actors; i++) programs[i] = *program;
    return toy_explore(toy_open(actors, programs, ONE_IN_STOCK, judge_oversell), options);
}

static void check_counts(const Exploration *found, double all, double oversell)
{
    assert_true(found->complete);
    assert_true(found->over);
    assert_true(found->counted);
    assert_false(found->failed);
    assert_int_equal(found->unpruned, all);
    assert_int_equal(found->violating[NO_OVERSELL], oversell);
    assert_int_equal(found->violating_any, oversell);
    assert_int_equal(found->violating[NO_UNDERSELL], 0);
    assert_int_equal(found->runs, found->cells);
    assert_true(found->done_share == 1);
}

static void check_split(const Exploration *found, int preemptions, double up_to, double bad_up_to)
{
    double all = 0, bad = 0;
    for (int p = 0; p <= preemptions; p++) {
        all += found->by_preemptions[p];
        bad += found->violating_by_preemptions[p];
    }
    assert_int_equal(all, up_to);
    assert_int_equal(bad, bad_up_to);
}

/* Both ways; returns how many runs the pruned one took. */
static long check_program(const ToyProgram *program, int actors, double all, double oversell)
{
    Explorer *naive = explore(program, actors, NAIVE);
    Explorer *pruned = explore(program, actors, PRUNED);
    check_counts(explorer_result(naive), all, oversell);
    check_counts(explorer_result(pruned), all, oversell);
    assert_int_equal(explorer_result(naive)->runs, all);
    check_same(explorer_result(naive), explorer_result(pruned), "known counts");
    long runs = explorer_result(pruned)->runs;
    explorer_close(naive);
    explorer_close(pruned);
    return runs;
}

/* ---- two users ---------------------------------------------------------------------------- */

static void two_users_in_redis(void **state)
{
    (void)state;
    assert_in_range(check_program(&BUY_IN_REDIS, 2, 70, 36), 1, 20);
    Explorer *explorer = explore(&BUY_IN_REDIS, 2, PRUNED);
    const Exploration *found = explorer_result(explorer);
    check_split(found, 0, 2, 0);
    assert_true(found->shortest >= 0);
    const ExploreCell *shortest = &found->cell[found->shortest];
    assert_int_equal(shortest->preemptions, 1);
    Schedule schedule;
    char line[64];
    exploration_schedule(found, shortest, &schedule);
    assert_string_equal(schedule_write(&schedule, line, sizeof line), "A A B B B B A A");
    assert_int_equal(found->shortest_of[NO_OVERSELL], found->shortest);
    assert_int_equal(found->shortest_of[NO_UNDERSELL], -1);
    explorer_close(explorer);
}

static void two_users_in_sql(void **state)
{
    (void)state;
    assert_in_range(check_program(&BUY_IN_SQL, 2, 20, 12), 1, 12);
}

/* ---- three users -------------------------------------------------------------------------- */

static void three_users_in_sql(void **state)
{
    (void)state;
    check_program(&BUY_IN_SQL, 3, 1680, 1260);
}

static void check_three_in_redis(const Exploration *found)
{
    check_counts(found, 34650, 22680);
    check_split(found, 0, 6, 0);
    check_split(found, 1, 60, 12);
    check_split(found, 2, 402, 120);
    assert_int_equal(found->cell[found->shortest].preemptions, 1);
}

static void three_users_in_redis(void **state)
{
    (void)state;
    Explorer *naive = explore(&BUY_IN_REDIS, 3, NAIVE);
    Explorer *pruned = explore(&BUY_IN_REDIS, 3, PRUNED);
    check_three_in_redis(explorer_result(naive));
    check_three_in_redis(explorer_result(pruned));
    assert_int_equal(explorer_result(naive)->runs, 34650);
    assert_int_equal(explorer_result(pruned)->runs, 378); /* one a class, not one more */
    check_same(explorer_result(naive), explorer_result(pruned), "known counts");
    explorer_close(naive);
    explorer_close(pruned);
}

/* 3! orders of the first step, 3! of the last, and 36 of reads and writes of the stock. */
static void three_blind_users(void **state)
{
    (void)state;
    Explorer *explorer = explore(&BUY_BLINDLY, 3, PRUNED);
    check_counts(explorer_result(explorer), 34650, 22680);
    assert_int_equal(explorer_result(explorer)->runs, 6 * 36 * 6);
    explorer_close(explorer);
}

/* ---- a program that goes home early ------------------------------------------------------- */

static void early_return(void **state)
{
    (void)state;
    /* Both saw one: 12 of the 20 orders of three steps. One saw none: READ, ADD, (ADD) of the other
     * in front, its third step before or after the lone READ: 2 orders each. */
    check_program(&BUY_IF_THERE_IS_ONE, 2, 16, 12);
}

/* ---- bounds ------------------------------------------------------------------------------- */

static void check_bound(int preemptions, double all, double oversell)
{
    for (int prune = 0; prune < 2; prune++) {
        ExploreOptions options = {.prune = prune, .preemptions = preemptions};
        Explorer *explorer = explore(&BUY_IN_REDIS, 3, options);
        const Exploration *found = explorer_result(explorer);
        check_counts(found, all, oversell);
        assert_int_equal(found->runs, all);
        check_split(found, preemptions, all, oversell);
        assert_int_equal(found->shortest >= 0, oversell > 0);
        explorer_close(explorer);
    }
}

static void bounded_by_preemptions(void **state)
{
    (void)state;
    check_bound(0, 6, 0);
    check_bound(1, 60, 12);
    check_bound(2, 402, 120);
}

static void limited_in_runs(void **state)
{
    (void)state;
    Explorer *explorer =
        explore(&BUY_IN_REDIS, 2, (ExploreOptions){.preemptions = -1, .limit = 10});
    const Exploration *found = explorer_result(explorer);
    assert_int_equal(found->runs, 10);
    assert_true(found->over);
    assert_false(found->complete);
    assert_false(exploration_as_claimed(found, NULL, 0));
    assert_false(explorer_slice(explorer, 1000));
    assert_int_equal(found->runs, 10);
    explorer_close(explorer);
}

static void read_between_slices(void **state)
{
    (void)state;
    ToyProgram programs[2] = {BUY_IN_REDIS, BUY_IN_REDIS};
    Runner runner = toy_runner(toy_open(2, programs, ONE_IN_STOCK, judge_oversell));
    Error error;
    Explorer *explorer = explorer_open_on(&runner, NULL, &NAIVE, &error);
    assert_non_null(explorer);
    const Exploration *found = explorer_result(explorer);
    long runs = 0;
    double share = 0;
    while (explorer_slice(explorer, 0)) {
        assert_int_equal(found->runs, ++runs);
        assert_false(found->complete);
        assert_true(found->done_share >= share && found->done_share < 1);
        share = found->done_share;
    }
    assert_int_equal(runs, 69);
    check_counts(found, 70, 36);
    explorer_close(explorer);
}

/* ---- a world that now and then goes the other way, as InnoDB may in a deadlock --------------- */

static Runner steady;
static int moods, mood;

static RunEnd moody_run(void *data, const uint16_t *plan, int length, bool prune, ActorSet sleeping, Error *error)
{
    if (++mood % moods != 0) return RUN_IMPOSSIBLE;
    return steady.run(data, plan, length, prune, sleeping, error);
}

static Explorer *explore_moody(int of)
{
    ToyProgram programs[2] = {BUY_IN_REDIS, BUY_IN_REDIS};
    Error error;
    steady = toy_runner(toy_open(2, programs, ONE_IN_STOCK, judge_oversell));
    Runner runner = steady;
    runner.run = moody_run;
    moods = of;
    mood = 0;
    Explorer *explorer = explorer_open_on(&runner, NULL, &NAIVE, &error);
    assert_non_null(explorer);
    while (explorer_slice(explorer, 1000)) {
    }
    return explorer;
}

static void a_run_is_tried_again(void **state)
{
    (void)state;
    Explorer *explorer = explore_moody(3);
    check_counts(explorer_result(explorer), 70, 36);
    explorer_close(explorer);
}

static void a_run_is_not_tried_for_ever(void **state)
{
    (void)state;
    Explorer *explorer = explore_moody(1000);
    assert_true(explorer_result(explorer)->failed);
    assert_non_null(strstr(explorer_result(explorer)->error.text, "did not repeat itself"));
    explorer_close(explorer);
}

/* ---- programs that cannot be explored ----------------------------------------------------- */

static void check_fails(const ToyProgram *programs, const char *why)
{
    Runner runner = toy_runner(toy_open(2, programs, ONE_IN_STOCK, judge_oversell));
    Error error;
    Explorer *explorer = explorer_open_on(&runner, NULL, &PRUNED, &error);
    assert_non_null(explorer);
    while (explorer_slice(explorer, 1000)) {
    }
    const Exploration *found = explorer_result(explorer);
    assert_true(found->failed && found->over);
    assert_false(found->complete);
    assert_string_equal(found->error.text, why);
    assert_int_equal(found->runs, 0);
    explorer_close(explorer);
}

/* A waits for B by asking again and again: a run in which only A moves has no end. */
static void a_run_without_an_end(void **state)
{
    (void)state;
    ToyProgram programs[] = {
        {{{.kind = TOY_READ, .cell = ORDERS}, {.kind = TOY_UNLESS, .value = 1, .to = 0}}},
        {{{.kind = TOY_ADD, .cell = ORDERS, .value = 1}}}};
    check_fails(programs, "too long");
}

/* B waits for the row that A keeps, and A never comes to its end. */
static void a_wait_without_an_end(void **state)
{
    (void)state;
    ToyProgram programs[] = {{{{.kind = TOY_READ, .cell = STOCK},
                               {.kind = TOY_LOCK_ADD, .cell = ORDERS},
                               {.kind = TOY_READ, .cell = STOCK},
                               {.kind = TOY_UNLESS, .value = 2, .to = 2}}},
                             {{{.kind = TOY_LOCK_ADD, .cell = ORDERS},
                               {.kind = TOY_ADD, .cell = STOCK, .value = 1},
                               {.kind = TOY_COMMIT}}}};
    check_fails(programs, "too long");
}

/* More moves than classes.c can count: explored all the same, and said so. */
static void too_long_to_be_counted(void **state)
{
    (void)state;
    ToyProgram programs[] = {{{{.kind = TOY_ADD, .cell = VIEWS, .value = 1},
                               {.kind = TOY_UNLESS, .value = 40, .to = 0}}},
                             {{{.kind = TOY_ADD, .cell = ORDERS, .value = 1},
                               {.kind = TOY_UNLESS, .value = 40, .to = 0}}}};
    Explorer *explorer = toy_explore(toy_open(2, programs, ONE_IN_STOCK, judge_oversell), PRUNED);
    const Exploration *found = explorer_result(explorer);
    assert_true(found->complete);
    assert_false(found->counted);
    assert_int_equal(found->runs, 1); /* nothing conflicts: one class */
    explorer_close(explorer);
}

/* ---- the claim ---------------------------------------------------------------------------- */

static void held_against_its_claim(void **state)
{
    (void)state;
    ToyProgram programs[2] = {BUY_IN_SQL, BUY_IN_SQL};
    Runner runner = toy_runner(toy_open(2, programs, ONE_IN_STOCK, judge_oversell));
    Spec spec = {.users = 2, .requests = 1, .stock = 1, .nodes = 1};
    Error error;
    Explorer *explorer = explorer_open_on(&runner, &spec, &PRUNED, &error);
    assert_non_null(explorer);
    while (explorer_slice(explorer, 1000)) {
    }
    Exploration found = *explorer_result(explorer);
    char why[160];
    found.spec.breaks[NO_OVERSELL] = true;
    found.spec.keeps[NO_UNDERSELL] = true;
    assert_true(exploration_as_claimed(&found, why, sizeof why));
    assert_string_equal(why, "");
    found.spec.breaks[NO_UNDERSELL] = true;
    assert_false(exploration_as_claimed(&found, why, sizeof why));
    assert_string_equal(why, "no-undersell is claimed to break, and was kept by all 20 schedules");
    found.spec.breaks[NO_UNDERSELL] = found.spec.breaks[NO_OVERSELL] = false;
    found.spec.keeps[NO_OVERSELL] = true;
    assert_false(exploration_as_claimed(&found, why, sizeof why));
    assert_string_equal(why, "no-oversell is claimed to be kept, and broke in 12 of 20 schedules");
    explorer_close(explorer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_an_end),   cmocka_unit_test(a_wait_without_an_end),
        cmocka_unit_test(too_long_to_be_counted), cmocka_unit_test(two_users_in_redis),
        cmocka_unit_test(two_users_in_sql),       cmocka_unit_test(three_users_in_sql),
        cmocka_unit_test(three_users_in_redis),   cmocka_unit_test(three_blind_users),
        cmocka_unit_test(early_return),           cmocka_unit_test(bounded_by_preemptions),
        cmocka_unit_test(limited_in_runs),        cmocka_unit_test(read_between_slices),
        cmocka_unit_test(a_run_is_tried_again),
        cmocka_unit_test(a_run_is_not_tried_for_ever),
        cmocka_unit_test(held_against_its_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
