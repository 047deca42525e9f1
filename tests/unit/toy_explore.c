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

/* Numbers are compared as text, so that a failure shows both and says where. */
static void same(const char *what, const char *part, double naive, double pruned)
{
    if (naive != pruned) fail_msg("%s: %s: %.0f naive, %.0f pruned", what, part, naive, pruned);
}

static void same_cell(const char *what, const Exploration *naive, long at,
                      const Exploration *pruned, long where)
{
    same(what, "there is a shortest", at >= 0, where >= 0);
    if (at < 0) return;
    char one[1024], other[1024];
    Schedule schedule;
    exploration_schedule(naive, &naive->cell[at], &schedule);
    schedule_write(&schedule, one, sizeof one);
    exploration_schedule(pruned, &pruned->cell[where], &schedule);
    schedule_write(&schedule, other, sizeof other);
    if (strcmp(one, other) != 0) fail_msg("%s: shortest: %s naive, %s pruned", what, one, other);
    same(what, "preemptions", naive->cell[at].preemptions, pruned->cell[where].preemptions);
    same(what, "broken by the shortest", naive->cell[at].broken, pruned->cell[where].broken);
}

static const ExploreOutcome *find_outcome(const Exploration *found, const ExploreOutcome *like)
{
    for (int i = 0; i < found->outcomes; i++)
        if (found->outcome[i].broken == like->broken &&
            strcmp(found->outcome[i].text, like->text) == 0)
            return &found->outcome[i];
    return NULL;
}

static void same_outcomes(const char *what, const Exploration *naive, const Exploration *pruned)
{
    if (naive->outcomes_left_out > 0) return; /* too many to be kept */
    same(what, "outcomes", naive->outcomes, pruned->outcomes);
    for (int i = 0; i < naive->outcomes; i++) {
        const ExploreOutcome *like = find_outcome(pruned, &naive->outcome[i]);
        if (!like) fail_msg("%s: no pruned run ends with %s", what, naive->outcome[i].text);
        same(what, like->text, naive->outcome[i].schedules, like->schedules);
    }
}

void check_same(const Exploration *naive, const Exploration *pruned, const char *what)
{
    assert_true(naive->complete && pruned->complete);
    assert_true(pruned->counted);
    same(what, "runs", (double)naive->runs, naive->unpruned);
    same_outcomes(what, naive, pruned);
    same(what, "schedules", naive->unpruned, pruned->unpruned);
    same(what, "violating any", naive->violating_any, pruned->violating_any);
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) {
        same(what, "with so many preemptions", naive->by_preemptions[p], pruned->by_preemptions[p]);
        same(what, "violating with so many preemptions", naive->violating_by_preemptions[p],
             pruned->violating_by_preemptions[p]);
    }
    same_cell(what, naive, naive->shortest, pruned, pruned->shortest);
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        same(what, invariant_name((Invariant)i), naive->violating[i], pruned->violating[i]);
        same_cell(what, naive, naive->shortest_of[i], pruned, pruned->shortest_of[i]);
    }
}
