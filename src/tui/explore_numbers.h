/* explore_numbers.h -- what an exploration says in numbers, beside and below its field of cells. */
#ifndef TUI_EXPLORE_NUMBERS_H
#define TUI_EXPLORE_NUMBERS_H

#include "tui/app.h"

/* "1,234", or "1.2e+12" beyond what a long holds. Returns `text`. */
char *count_text(double count, char *text, int size);

/* By invariant (`filter` is marked), and by outcome: as much as there is room for. */
void explore_numbers_draw(const ExploreState *explore, Invariant filter, const Area *area);

enum { LUCK_ROWS = 2 };
/* Luck beside proof, in two rows. */
void explore_luck_draw(const App *app, const ExploreState *explore, Invariant filter,
                       const Area *area);
/* The cell under the hand: its schedule, what it breaks, what came of it. Two rows, or one. */
void explore_cell_draw(const App *app, const ExploreState *explore, const Area *area);

#endif
