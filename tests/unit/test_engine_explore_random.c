/* test_engine_explore_random.c -- random programs: pruning must not change what is found.
 *
 * Each seed makes a small program for two or three actors, with jumps that depend on what was read.
 * Some of them lock rows, wait for each other, and fall into deadlocks. All are explored naively
 * and pruned; every number must agree. A seed that fails is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

#include "toy_explore.h"

/* Cells that programs write freely, and rows that they lock. */
enum { PLAINS = 2, ROW = PLAINS, ROWS = 2, SEEDS = 150 };

static const long START[TOY_CELLS] = {1, 0, 1, 0};

/* ---- chance ------------------------------------------------------------------------------- */

static uint64_t chance_state;

static unsigned chance(unsigned below)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (unsigned)(chance_state >> 33) % below;
}

static void chance_seed(uint64_t seed)
{
    chance_state = seed * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < 8; i++) chance(2);
}

/* ---- programs ----------------------------------------------------------------------------- */

/* Any condition on what programs leave behind will do. */
static uint32_t judge_anything(const Toy *toy)
{
    uint32_t broken = 0;
    if (toy->row[0].value > toy->row[1].value) broken |= 1u << NO_OVERSELL;
    if (toy_ordered(toy) > 1) broken |= 1u << ONE_PER_USER;
    if (toy->row[2].value == 2 || toy->row[3].value < 0) broken |= 1u << BOOKS_BALANCE;
    return broken;
}

typedef struct Writer {
    ToyProgram *program;
    int count, steps;
} Writer;

static void put(Writer *writer, ToyStatement statement)
{
    writer->program->statement[writer->count++] = statement;
    writer->steps += statement.kind != TOY_UNLESS && statement.kind != TOY_KEEP;
}

/* A step that cannot wait; now and then a jump over it. */
static void put_plain_step(Writer *writer)
{
    static const ToyKind kinds[] = {TOY_READ, TOY_READ, TOY_ADD, TOY_ADD,
                                    TOY_PUT,  TOY_SWAP, TOY_SUM, TOY_NOTHING};
    if (chance(3) == 0)
        put(writer,
            (ToyStatement){.kind = TOY_UNLESS, .value = (long)chance(3), .to = writer->count + 2});
    ToyKind kind = kinds[chance(8)];
    int cells = kind == TOY_READ ? PLAINS + ROWS : PLAINS;
    put(writer, (ToyStatement){.kind = kind,
                               .cell = (int)chance((unsigned)cells),
                               .value = (long)chance(3) - 1});
    if (chance(3) == 0) put(writer, (ToyStatement){.kind = TOY_KEEP});
}

static void put_lock_step(Writer *writer)
{
    put(writer, (ToyStatement){.kind = TOY_LOCK_ADD,
                               .cell = ROW + (int)chance(ROWS),
                               .value = (long)chance(3) - 1});
}

static void end_transaction(Writer *writer)
{
    put(writer, (ToyStatement){.kind = chance(4) == 0 ? TOY_ROLLBACK : TOY_COMMIT});
}

static ToyProgram plain_program(int steps)
{
    ToyProgram program = {0};
    Writer writer = {.program = &program};
    while (writer.steps < steps) put_plain_step(&writer);
    put(&writer, (ToyStatement){.kind = TOY_KEEP});
    return program;
}

/* A transaction with plain steps around and in it. */
static ToyProgram locking_program(int steps)
{
    ToyProgram program = {0};
    Writer writer = {.program = &program};
    if (steps > 3 && chance(3) == 0) put_plain_step(&writer);
    put_lock_step(&writer);
    while (writer.steps < steps - 1) {
        if (chance(2) == 0)
            put_lock_step(&writer);
        else
            put_plain_step(&writer);
    }
    end_transaction(&writer);
    put(&writer, (ToyStatement){.kind = TOY_KEEP});
    return program;
}

/* ---- holding both against each other ------------------------------------------------------ */

static Toy *random_toy(uint64_t seed, bool locks)
{
    chance_seed(seed);
    ToyProgram programs[TOY_ACTORS];
    int actors = 2 + (int)chance(2);
    for (int i = 0; i < actors; i++) {
        int steps = actors == 2 ? 3 + (int)chance(3) : 2 + (int)chance(2);
        programs[i] = locks && chance(4) > 0 ? locking_program(steps) : plain_program(steps);
    }
    return toy_open(actors, programs, START, judge_anything);
}

typedef struct Tally {
    double schedules;
    long runs, waits, deadlocks, violating;
} Tally;

static void check_bound(uint64_t seed, bool locks, const Exploration *naive, int preemptions)
{
    ExploreOptions options = {.prune = true, .preemptions = preemptions};
    Explorer *bounded = toy_explore(random_toy(seed, locks), options);
    const Exploration *found = explorer_result(bounded);
    double all = 0, bad = 0;
    for (int p = 0; p <= preemptions; p++) {
        all += naive->by_preemptions[p];
        bad += naive->violating_by_preemptions[p];
    }
    assert_true(found->complete);
    assert_int_equal(found->unpruned, all);
    assert_int_equal(found->violating_any, bad);
    explorer_close(bounded);
}

static void check_seed(uint64_t seed, bool locks, Tally *tally)
{
    Toy *toy = random_toy(seed, locks);
    Explorer *naive = toy_explore(toy, NAIVE);
    tally->waits += toy->waits;
    tally->deadlocks += toy->deadlocks;
    Explorer *pruned = toy_explore(random_toy(seed, locks), PRUNED);
    const Exploration *found = explorer_result(pruned);
    char name[64];
    snprintf(name, sizeof name, "seed %llu%s", (unsigned long long)seed,
             locks ? " with locks" : "");
    check_same(explorer_result(naive), found, name);
    check_bound(seed, locks, explorer_result(naive), (int)(seed % 3));
    tally->schedules += found->unpruned;
    tally->runs += found->runs;
    tally->violating += found->violating_any > 0;
    explorer_close(naive);
    explorer_close(pruned);
}

static void without_locks(void **state)
{
    (void)state;
    Tally tally = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) check_seed(seed, false, &tally);
    assert_true(tally.violating > 50);                     /* the programs are worth exploring */
    assert_true((double)tally.runs < tally.schedules / 2); /* and the pruning is worth having */
    assert_int_equal(tally.waits, 0);
}

static void with_locks(void **state)
{
    (void)state;
    Tally tally = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) check_seed(seed, true, &tally);
    assert_true(tally.violating > 50);
    assert_true((double)tally.runs < tally.schedules);
    assert_true(tally.waits > 1000);
    assert_true(tally.deadlocks > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_locks),
        cmocka_unit_test(with_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
