/* toy_explore.c -- see toy_explore.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "toy_explore.h"

Explorer *toy_explore(Toy *toy, ExploreOptions options)
{
    Runner runner = toy_runner(toy);
    Error error = {""};
    Explorer *explorer = explorer_open_on(&runner, NULL, &options, &error);
    assert_non_null(explorer);
    while (explorer_slice(explorer, 1000)) {
    }
    assert_string_equal(explorer_result(explorer)->error.text, "");
    return explorer;
}

static void check_same_cell(const Exploration *naive, long at, const Exploration *pruned,
                            long where)
{
    assert_int_equal(at >= 0, where >= 0);
    if (at < 0) return;
    const ExploreCell *one = &naive->cell[at], *other = &pruned->cell[where];
    assert_int_equal(one->count, other->count);
    assert_int_equal(one->preemptions, other->preemptions);
    assert_memory_equal(one->moves, other->moves, one->count);
    assert_int_equal(one->broken, other->broken);
}

static const ExploreOutcome *find_outcome(const Exploration *found, const ExploreOutcome *like)
{
    for (int i = 0; i < found->outcomes; i++)
        if (found->outcome[i].broken == like->broken &&
            strcmp(found->outcome[i].text, like->text) == 0)
            return &found->outcome[i];
    return NULL;
}

static void check_same_outcomes(const Exploration *naive, const Exploration *pruned)
{
    if (naive->outcomes_left_out > 0) return; /* too many to be kept */
    assert_int_equal(naive->outcomes, pruned->outcomes);
    for (int i = 0; i < naive->outcomes; i++) {
        const ExploreOutcome *same = find_outcome(pruned, &naive->outcome[i]);
        if (!same) fail_msg("no pruned run ends with %s", naive->outcome[i].text);
        assert_int_equal(naive->outcome[i].schedules, same->schedules);
    }
}

void check_same(const Exploration *naive, const Exploration *pruned)
{
    assert_true(naive->complete && pruned->complete);
    assert_true(pruned->counted);
    assert_int_equal(naive->runs, naive->unpruned);
    assert_int_equal(naive->unpruned, pruned->unpruned);
    assert_int_equal(naive->violating_any, pruned->violating_any);
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) {
        assert_int_equal(naive->by_preemptions[p], pruned->by_preemptions[p]);
        assert_int_equal(naive->violating_by_preemptions[p], pruned->violating_by_preemptions[p]);
    }
    check_same_outcomes(naive, pruned);
    check_same_cell(naive, naive->shortest, pruned, pruned->shortest);
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        assert_int_equal(naive->violating[i], pruned->violating[i]);
        check_same_cell(naive, naive->shortest_of[i], pruned, pruned->shortest_of[i]);
    }
}
