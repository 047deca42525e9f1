/* test_engine_classes.c -- what a run stands for, counted by classes.c and by writing down every
 * order one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "engine/classes.h"
#include "engine/touch.h"

enum { ACTORS = 4, MOVES = 9, NOBODY = -1, NEVER = -1 };

/* ---- made-up runs ------------------------------------------------------------------------- */

static uint64_t chance_state = 20261130;

static unsigned chance(unsigned below)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (unsigned)(chance_state >> 33) % below;
}

typedef struct Run {
    int count, actors;
    MoveEntry move[MOVES];
    int released_by[MOVES]; /* the move that ended the wait that this one began; NEVER: no wait */
} Run;

static Touch random_touch(void)
{
    Touch touch = {0};
    unsigned resources = chance(3);
    for (unsigned i = 0; i < resources; i++) touch_add(&touch, 1 + chance(3), chance(2) == 0);
    if (chance(12) == 0) touch.all_sql = true;
    return touch;
}

static int last_move_of(const Run *run, int actor)
{
    for (int i = run->count - 1; i >= 0; i--)
        if (run->move[i].actor == actor) return i;
    return NEVER;
}

/* Is the actor still inside the server before move `at` is made? */
static bool waits_at(const Run *run, int actor, int at)
{
    for (int i = 0; i < at; i++)
        if (run->move[i].actor == actor && run->released_by[i] != NEVER &&
            run->released_by[i] >= at)
            return true;
    return false;
}

/* Some move waits from here on, for a later move of another actor on the same resource. */
static void add_wait(Run *run)
{
    int begin = (int)chance((unsigned)run->count - 1), release = begin + 1 + (int)chance(3);
    if (release >= run->count || run->move[release].actor == run->move[begin].actor) return;
    for (int i = begin + 1; i <= release; i++)
        if (run->move[i].actor == run->move[begin].actor) return;
    if (waits_at(run, run->move[release].actor, release)) return;
    touch_add(&run->move[begin].touch, 1000, true);
    touch_add(&run->move[release].touch, 1000, true);
    run->released_by[begin] = release;
}

static void fill_states(Run *run)
{
    for (int at = 0; at < run->count; at++)
        for (int actor = 0; actor < run->actors; actor++) {
            if (waits_at(run, actor, at))
                run->move[at].waiting |= 1u << actor;
            else if (last_move_of(run, actor) >= at)
                run->move[at].enabled |= 1u << actor;
        }
}

static Run random_run(bool waits)
{
    Run run = {.count = 1 + (int)chance(MOVES), .actors = 2 + (int)chance(3)};
    for (int i = 0; i < run.count; i++) {
        run.move[i].actor = (uint16_t)chance((unsigned)run.actors);
        run.move[i].touch = random_touch();
        run.released_by[i] = NEVER;
    }
    if (waits && run.count > 2) add_wait(&run);
    fill_states(&run);
    return run;
}

/* ---- every order, one by one -------------------------------------------------------------- */

typedef struct Listing {
    const Run *run;
    int order[MOVES]; /* the moves in the order at hand */
    RunClass found;
} Listing;

static bool must_come_before(const Run *run, int first, int second)
{
    if (first >= second) return false;
    const MoveEntry *one = &run->move[first], *other = &run->move[second];
    if (one->actor == other->actor || touch_conflict(&one->touch, &other->touch)) return true;
    for (int i = 0; i < second; i++)
        if (run->move[i].actor == other->actor && run->released_by[i] == first) return true;
    return false;
}

static bool stands_before(const Listing *listing, int count, int move)
{
    for (int i = 0; i < count; i++)
        if (listing->order[i] == move) return true;
    return false;
}

static bool may_come(const Listing *listing, int count, int move)
{
    if (stands_before(listing, count, move)) return false;
    for (int i = 0; i < listing->run->count; i++)
        if (must_come_before(listing->run, i, move) && !stands_before(listing, count, i))
            return false;
    return true;
}

/* A switch away from an actor that has a move left and does not wait. */
static bool preempts(const Listing *listing, int at)
{
    const Run *run = listing->run;
    int before = listing->order[at - 1], actor = run->move[before].actor;
    if (run->move[listing->order[at]].actor == actor) return false;
    int release = run->released_by[before];
    if (release != NEVER && !stands_before(listing, at, release)) return false;
    for (int i = before + 1; i < run->count; i++)
        if (run->move[i].actor == actor) return true;
    return false;
}

static void note_order(Listing *listing)
{
    RunClass *found = &listing->found;
    uint8_t actors[MOVES];
    int preemptions = 0, count = listing->run->count;
    for (int i = 1; i < count; i++) preemptions += preempts(listing, i);
    for (int i = 0; i < count; i++)
        actors[i] = (uint8_t)listing->run->move[listing->order[i]].actor;
    bool better = found->schedules == 0 || preemptions < found->fewest ||
                  (preemptions == found->fewest && memcmp(actors, found->best, (size_t)count) < 0);
    if (better) {
        found->fewest = preemptions;
        memcpy(found->best, actors, (size_t)count);
    }
    found->schedules++;
    found->by_preemptions[preemptions]++;
}

static void list_orders(Listing *listing, int count)
{
    if (count == listing->run->count) {
        note_order(listing);
        return;
    }
    for (int move = 0; move < listing->run->count; move++) {
        if (!may_come(listing, count, move)) continue;
        listing->order[count] = move;
        list_orders(listing, count + 1);
    }
}

static void check_run(const Run *run)
{
    Listing listing = {.run = run};
    RunClass counted;
    list_orders(&listing, 0);
    assert_true(classes_count(run->move, run->count, NULL, NULL, &counted));
    assert_int_equal(counted.count, run->count);
    assert_int_equal(counted.schedules, listing.found.schedules);
    for (int p = 0; p < CLASS_PREEMPTIONS; p++)
        assert_int_equal(counted.by_preemptions[p], listing.found.by_preemptions[p]);
    assert_int_equal(counted.fewest, listing.found.fewest);
    assert_memory_equal(counted.best, listing.found.best, run->count);
}

static void random_runs(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        Run run = random_run(false);
        check_run(&run);
    }
}

static void random_runs_with_waits(void **state)
{
    (void)state;
    int waits = 0;
    for (int i = 0; i < 3000; i++) {
        Run run = random_run(true);
        for (int k = 0; k < run.count; k++) waits += run.released_by[k] != NEVER;
        check_run(&run);
    }
    assert_true(waits > 500);
}

/* ---- known counts ------------------------------------------------------------------------- */

/* `count` moves of each of `actors`, one actor after the other, that touch nothing. */
static int independent_moves(MoveEntry *moves, int actors, int count)
{
    memset(moves, 0, sizeof *moves * (size_t)(actors * count));
    for (int i = 0; i < actors * count; i++) {
        moves[i].actor = (uint16_t)(i / count);
        for (int actor = moves[i].actor; actor < actors; actor++) moves[i].enabled |= 1u << actor;
    }
    return actors * count;
}

static void independent_actors(void **state)
{
    (void)state;
    MoveEntry moves[12];
    RunClass class;
    assert_true(classes_count(moves, independent_moves(moves, 2, 4), NULL, NULL, &class));
    assert_int_equal(class.schedules, 70);
    assert_int_equal(class.by_preemptions[0], 2);
    assert_int_equal(class.fewest, 0);
    int count = independent_moves(moves, 3, 4);
    assert_true(classes_count(moves, count, NULL, NULL, &class));
    assert_int_equal(class.schedules, 34650);
    assert_int_equal(class.by_preemptions[0], 6);
    assert_int_equal(class.by_preemptions[0] + class.by_preemptions[1], 60);
    assert_int_equal(class.by_preemptions[0] + class.by_preemptions[1] + class.by_preemptions[2],
                     402);
    assert_memory_equal(class.best, "\0\0\0\0\1\1\1\1\2\2\2\2", 12);
    assert_int_equal(classes_preemptions(moves, count), 0);
}

static void preemptions_of_a_run(void **state)
{
    (void)state;
    /* A B A, B waits, A B: the switch away from B that waits is none. */
    MoveEntry moves[] = {{.actor = 0, .enabled = 3},
                         {.actor = 1, .enabled = 3},
                         {.actor = 0, .enabled = 3},
                         {.actor = 1, .enabled = 3},
                         {.actor = 0, .enabled = 1, .waiting = 2},
                         {.actor = 1, .enabled = 2}};
    assert_int_equal(classes_preemptions(moves, 6), 3);
    assert_int_equal(classes_preemptions(moves, 1), 0);
    assert_int_equal(classes_preemptions(moves, 0), 0);
}

/* More preemptions than there are columns for: the last column holds them all, and none is lost. */
static void many_preemptions(void **state)
{
    (void)state;
    MoveEntry moves[60];
    RunClass class;
    assert_true(classes_count(moves, independent_moves(moves, 2, 30), NULL, NULL, &class));
    double sum = 0, exact = 1; /* 60 over 30 */
    for (int i = 1; i <= 30; i++) exact = exact * (30 + i) / i;
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) sum += class.by_preemptions[p];
    assert_true(sum == class.schedules);
    assert_true(class.schedules > exact * 0.999999 && class.schedules < exact * 1.000001);
    assert_true(class.by_preemptions[CLASS_PREEMPTIONS - 1] >
                class.by_preemptions[CLASS_PREEMPTIONS - 2]);
}

static void too_large(void **state)
{
    (void)state;
    MoveEntry moves[CLASS_MOVES + 1];
    RunClass class;
    assert_false(classes_count(moves, independent_moves(moves, 1, CLASS_MOVES + 1), NULL, NULL, &class));
    assert_true(classes_count(moves, independent_moves(moves, 1, CLASS_MOVES), NULL, NULL, &class));
    assert_int_equal(class.schedules, 1);
    assert_false(classes_count(moves, independent_moves(moves, 9, 2), NULL, NULL, &class)); /* nine actors */
    assert_false(classes_count(moves, independent_moves(moves, 8, 7), NULL, NULL, &class)); /* 8^8 states */
    assert_true(classes_count(moves, 0, NULL, NULL, &class));
    assert_int_equal(class.schedules, 1);
}

/* ---- footprints --------------------------------------------------------------------------- */

static void footprints(void **state)
{
    (void)state;
    Touch nothing = {0}, reads = {0}, writes = {0}, elsewhere = {0}, snapshot = {.all_sql = true};
    touch_add(&reads, 1, false);
    touch_add(&writes, 1, true);
    touch_add(&elsewhere, 2, true);
    assert_false(touch_conflict(&nothing, &writes));
    assert_false(touch_conflict(&reads, &reads));
    assert_true(touch_conflict(&reads, &writes));
    assert_true(touch_conflict(&writes, &writes));
    assert_false(touch_conflict(&writes, &elsewhere));
    assert_false(touch_conflict(&snapshot, &reads));
    assert_false(touch_conflict(&snapshot, &snapshot));
    assert_true(touch_conflict(&snapshot, &elsewhere));
    touch_add(&reads, 1, true); /* read, then written: one resource */
    assert_int_equal(reads.count, 1);
    assert_true(touch_conflict(&reads, &reads));
    Touch copy = {0};
    touch_add(&copy, 3, false);
    touch_add_writes(&copy, &writes);
    assert_int_equal(copy.count, 2);
    assert_true(touch_conflict(&copy, &writes));
}

/* A footprint that has no room left conflicts with all it may have lost. */
static void full_footprint(void **state)
{
    (void)state;
    Touch full = {0}, lost = {0}, reader = {0}, nothing = {0};
    for (uint64_t i = 1; i <= MAX_TOUCHES + 1; i++) touch_add(&full, i, true);
    touch_add(&lost, MAX_TOUCHES + 1, true);
    touch_add(&reader, MAX_TOUCHES + 1, false);
    assert_true(touch_conflict(&full, &lost));
    assert_true(touch_conflict(&lost, &full));
    assert_true(touch_conflict(&full, &reader));
    assert_true(touch_conflict(&reader, &full));
    assert_true(touch_conflict(&full, &full));
    assert_false(touch_conflict(&full, &nothing));
    Touch many_reads = {0};
    for (uint64_t i = 1; i <= MAX_TOUCHES + 1; i++) touch_add(&many_reads, i, false);
    assert_true(touch_conflict(&many_reads, &lost));
    assert_false(touch_conflict(&many_reads, &reader));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs),        cmocka_unit_test(random_runs_with_waits),
        cmocka_unit_test(independent_actors), cmocka_unit_test(preemptions_of_a_run),
        cmocka_unit_test(many_preemptions),   cmocka_unit_test(too_large),
        cmocka_unit_test(footprints),         cmocka_unit_test(full_footprint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
