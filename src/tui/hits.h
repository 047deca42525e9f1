/* hits.h -- what a click on the screen means: filled while a frame is drawn, asked when the mouse
 * is pressed. */
#ifndef TUI_HITS_H
#define TUI_HITS_H

#include "tui/area.h"

/* What a view does with a click is its own affair: `what` is a number of the view's choosing. An
 * action's is its number in the table of actions plus HIT_ACTION. */
enum { HIT_ACTION = 10000 };

typedef struct Hit {
    int y, x, columns;
    int what, argument;
} Hit;

void hits_clear(void);
/* A row of `area`, `columns` wide. Rows that are scrolled away are left out. */
void hits_add(const Area *area, int row, int column, int columns, int what, int argument);
/* The newest hit that covers the cell; NULL: none. */
const Hit *hits_at(int y, int x);

#endif
