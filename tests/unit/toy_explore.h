/* toy_explore.h -- exploring a toy to its end, and holding two explorations against each other. */
#ifndef TESTS_TOY_EXPLORE_H
#define TESTS_TOY_EXPLORE_H

#include "toy.h"

static const ExploreOptions NAIVE = {.prune = false, .preemptions = -1};
static const ExploreOptions PRUNED = {.prune = true, .preemptions = -1};

/* Runs until nothing is left; the toy is closed with the explorer. */
Explorer *toy_explore(Toy *toy, ExploreOptions options);
/* Both speak of the same schedules: totals, splits, outcomes and the shortest of each. A failure is
 * reported under the name `what`. */
void check_same(const Exploration *naive, const Exploration *pruned, const char *what);

#endif
