/* chart.h -- numbers over time as columns, for the panels. */
#ifndef TUI_CHART_H
#define TUI_CHART_H

#include "tui/area.h"

/* The rows a large chart takes; in one row it fits behind a title. */
enum { CHART_ROWS = 4 };

/* `count` points, the oldest first, into `rows` x `columns` cells from (row, column) on, as parts of `top` or of the
 * largest of them. Fewer points than columns stand at the left; of more, several share a column. What is below zero is
 * marked broken. */
void chart_draw(const Area *area, int row, int rows, int column, int columns, const long *points, int count, long top);

#endif
