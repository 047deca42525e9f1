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
enum { PLAINS = 2, ROW = PLAINS, ROWS = 2 };

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

/* What programs are made of, and what may go wrong. */
typedef struct Flavour {
    const char *name;
    bool rows, mutexes, leases, messages, queues;
    bool clock, after_crash, crash;
} Flavour;

/* A transaction with plain steps in it. */
static void put_transaction(Writer *writer, int steps)
{
    put_lock_step(writer);
    while (writer->steps < steps - 1) {
        if (chance(2) == 0)
            put_lock_step(writer);
        else
            put_plain_step(writer);
    }
    put(writer, (ToyStatement){.kind = chance(4) == 0 ? TOY_ROLLBACK : TOY_COMMIT});
}

/* Two mutexes at most, taken in any order, given back (or forgotten) at the end. */
static void put_critical_section(Writer *writer, int steps)
{
    int first = (int)chance(2);
    bool both = steps >= 5 && chance(2) == 0;
    put(writer, (ToyStatement){.kind = TOY_TAKE, .cell = first});
    if (both) put(writer, (ToyStatement){.kind = TOY_TAKE, .cell = 1 - first});
    while (writer->steps < steps - 1 - both) put_plain_step(writer);
    if (both) put(writer, (ToyStatement){.kind = TOY_GIVE, .cell = 1 - first});
    if (chance(6) > 0) put(writer, (ToyStatement){.kind = TOY_GIVE, .cell = first});
}

/* SET NX EX, and when it was had: a step or two, and DEL; now and then without looking. */
static void put_leased_section(Writer *writer, int steps)
{
    int cell = TOY_LEASES + (int)chance(2);
    put(writer, (ToyStatement){.kind = TOY_LEASE, .cell = cell});
    int jump = writer->count;
    put(writer, (ToyStatement){.kind = TOY_UNLESS, .value = 1});
    while (writer->steps < steps - 1) put_plain_step(writer);
    if (chance(3) == 0) put(writer, (ToyStatement){.kind = TOY_READ, .cell = cell});
    if (chance(5) > 0) put(writer, (ToyStatement){.kind = TOY_DELETE, .cell = cell});
    writer->program->statement[jump].to = writer->count;
}

/* Sends a message or two, or waits for one; sometimes both, and sometimes for ever. */
static void put_messages(Writer *writer, int steps)
{
    while (writer->steps < steps - 1) {
        if (chance(2) == 0)
            put_plain_step(writer);
        else
            put(writer, (ToyStatement){.kind = chance(3) > 0 ? TOY_SEND : TOY_AWAIT,
                                       .cell = (int)chance(PLAINS),
                                       .value = (long)chance(3) - 1});
    }
    put(writer, (ToyStatement){.kind = chance(2) == 0 ? TOY_SEND : TOY_AWAIT, .cell = (int)chance(PLAINS), .value = 1});
}

/* The same with a queue: what is put into it is taken once. Some programs put more than they take. */
static void put_queue_steps(Writer *writer, int steps)
{
    bool consumes = chance(2) == 0;
    while (writer->steps < steps) {
        if (chance(2) == 0)
            put_plain_step(writer);
        else
            put(writer, (ToyStatement){.kind = consumes && chance(4) > 0 ? TOY_FETCH : TOY_SEND,
                                       .cell = (int)chance(PLAINS),
                                       .value = (long)chance(3) - 1});
    }
}

static ToyProgram random_program(const Flavour *flavour, int steps)
{
    ToyProgram program = {0};
    Writer writer = {.program = &program};
    bool special = chance(4) > 0;
    if (special && steps > 3 && chance(3) == 0) put_plain_step(&writer);
    if (special && flavour->rows)
        put_transaction(&writer, steps);
    else if (special && flavour->mutexes)
        put_critical_section(&writer, steps);
    else if (special && flavour->leases)
        put_leased_section(&writer, steps);
    else if (special && flavour->messages)
        put_messages(&writer, steps);
    else if (special && flavour->queues)
        put_queue_steps(&writer, steps);
    while (writer.steps < steps) put_plain_step(&writer);
    put(&writer, (ToyStatement){.kind = TOY_KEEP});
    return program;
}

/* ---- holding both against each other ------------------------------------------------------ */

static Toy *random_toy(uint64_t seed, const Flavour *flavour)
{
    chance_seed(seed);
    ToyProgram programs[TOY_ACTORS];
    Spec world = {.users = 2 + (int)chance(2),
                  .nodes = 1,
                  .stock = 1,
                  .fault_clk = flavour->clock,
                  .clk_after_crash = flavour->after_crash,
                  .stream = flavour->queues ? STREAM_GROUP : STREAM_NONE,
                  .fault_crash = flavour->crash};
    /* The clock and crashes multiply everything: fewer users, fewer steps. */
    bool small = flavour->clock || flavour->crash;
    if (small) world.users = 2;
    if (flavour->crash || flavour->mutexes) world.nodes = 1 + (int)chance(2);
    for (int i = 0; i < world.users; i++) {
        int steps = world.users == 2 && !flavour->crash ? 3 + (int)chance(small ? 2 : 3)
                                                        : 2 + (int)chance(2);
        programs[i] = random_program(flavour, steps);
    }
    return toy_open_world(&world, programs, START, judge_anything);
}

typedef struct Tally {
    double schedules;
    long runs, waits, deadlocks, stuck, violating;
} Tally;

static void check_bound(uint64_t seed, const Flavour *flavour, const Exploration *naive,
                        int preemptions)
{
    ExploreOptions options = {.prune = true, .preemptions = preemptions};
    Explorer *bounded = toy_explore(random_toy(seed, flavour), options);
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

static void check_seed(uint64_t seed, const Flavour *flavour, Tally *tally)
{
    Toy *toy = random_toy(seed, flavour);
    Explorer *naive = toy_explore(toy, NAIVE);
    tally->waits += toy->waits;
    tally->deadlocks += toy->deadlocks;
    tally->stuck += toy->stuck;
    Explorer *pruned = toy_explore(random_toy(seed, flavour), PRUNED);
    const Exploration *found = explorer_result(pruned);
    char name[64];
    snprintf(name, sizeof name, "%s, seed %llu", flavour->name, (unsigned long long)seed);
    check_same(explorer_result(naive), found, name);
    check_bound(seed, flavour, explorer_result(naive), (int)(seed % 3));
    tally->schedules += found->unpruned;
    tally->runs += found->runs;
    tally->violating += found->violating_any > 0;
    explorer_close(naive);
    explorer_close(pruned);
}

/* The sanitizer of threads makes everything many times as slow. */
#if defined(__SANITIZE_THREAD__)
enum { SHARE = 10 };
#else
enum { SHARE = 1 };
#endif

/* The programs must be worth exploring, and the pruning worth having. */
static Tally check_flavour(const Flavour *flavour, uint64_t seeds)
{
    Tally tally = {0};
    seeds /= SHARE;
    for (uint64_t seed = 1; seed <= seeds; seed++) check_seed(seed, flavour, &tally);
    assert_true(tally.violating > (long)seeds / 3);
    assert_true((double)tally.runs < tally.schedules / 2);
    return tally;
}

static const Flavour PLAIN = {.name = "plain steps"};
static const Flavour ROWS_LOCKED = {.name = "row locks", .rows = true};
static const Flavour MUTEXES = {.name = "mutexes", .mutexes = true};
static const Flavour MESSAGES = {.name = "messages", .messages = true};
static const Flavour CRASHED_MESSAGES = {
    .name = "crashes and messages", .messages = true, .crash = true};
static const Flavour QUEUES = {.name = "queues", .queues = true};
static const Flavour CRASHED_QUEUES = {.name = "crashes and queues", .queues = true, .crash = true};
static const Flavour CLOCK = {.name = "leases and the clock", .leases = true, .clock = true};
static const Flavour CRASHES = {.name = "crashes", .rows = true, .crash = true};
static const Flavour CRASHED_MUTEXES = {
    .name = "crashes and mutexes", .mutexes = true, .crash = true};
static const Flavour CRASHED_LEASES = {.name = "crashes and leases",
                                       .leases = true,
                                       .clock = true,
                                       .after_crash = true,
                                       .crash = true};

static void plain_steps(void **state)
{
    (void)state;
    Tally tally = check_flavour(&PLAIN, 150);
    assert_int_equal(tally.waits + tally.stuck, 0);
}

static void row_locks(void **state)
{
    (void)state;
    Tally tally = check_flavour(&ROWS_LOCKED, 150);
    assert_true(tally.waits > 1000 / SHARE);
    assert_true(tally.deadlocks > 50 / SHARE);
}

static void mutexes(void **state)
{
    (void)state;
    Tally tally = check_flavour(&MUTEXES, 150);
    assert_true(tally.stuck > 100 / SHARE);
}

static void messages(void **state)
{
    (void)state;
    Tally tally = check_flavour(&MESSAGES, 150);
    assert_true(tally.stuck > 100 / SHARE);
    check_flavour(&CRASHED_MESSAGES, 40);
}

static void queues(void **state)
{
    (void)state;
    Tally tally = check_flavour(&QUEUES, 200);
    assert_true(tally.stuck > 100 / SHARE);
    check_flavour(&CRASHED_QUEUES, 60);
}

static void leases(void **state)
{
    (void)state;
    check_flavour(&CLOCK, 100);
}

static void crashes(void **state)
{
    (void)state;
    check_flavour(&CRASHES, 40);
    check_flavour(&CRASHED_MUTEXES, 40);
    check_flavour(&CRASHED_LEASES, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_steps), cmocka_unit_test(row_locks), cmocka_unit_test(mutexes), cmocka_unit_test(messages),
        cmocka_unit_test(queues),
        cmocka_unit_test(leases),      cmocka_unit_test(crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
