/* explore_field.h -- the field of cells: every run of an exploration, grouped by preemptions. */
#ifndef TUI_EXPLORE_FIELD_H
#define TUI_EXPLORE_FIELD_H

#include "engine/lab.h"
#include "tui/area.h"
#include "tui/view.h"

/* What clicks in the explore view are. */
enum { HIT_CELL, HIT_FILTER };

/* The hand goes to the shortest schedule that breaks something, and stays there while better ones
 * are found, until the learner moves it. */
void explore_field_follow(void);
/* Puts the cells in order; those that came since the last call are sorted in. `filter` is the
 * invariant whose breaking counts, INVARIANT_COUNT: any. */
void explore_field_take(const ExploreState *explore, Invariant filter);
void explore_field_draw(const ExploreState *explore, const Area *area);
void explore_field_move(const ExploreState *explore, Motion motion);
/* Puts the hand on this cell. True when it was there already. */
bool explore_field_point(long cell);
/* The cell under the hand; NULL: there is none. */
const ExploreCell *explore_field_hand(const ExploreState *explore);
/* Cells that are kept, and broken, by the filter. */
void explore_field_count(long *kept, long *broken);

#endif
