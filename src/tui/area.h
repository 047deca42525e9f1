/* area.h -- a rectangle of the screen that something draws in.
 *
 * Rows and columns count from the area's own corner. Whatever does not fit is left out (rows) or
 * cut with an ellipsis (columns), so that nothing ever draws into its neighbour. An area may be
 * higher than the window through which it is seen. */
#ifndef TUI_AREA_H
#define TUI_AREA_H

#include "tui/theme.h"

typedef struct Area {
    int y, x, rows, columns; /* y may lie above the window */
    int first, behind;       /* the window: screen rows [first, behind) */
} Area;

Area area_make(int y, int x, int rows, int columns);
/* The part of `area` that begins at (row, column); not larger than what is left of it. */
Area area_part(const Area *area, int row, int column, int rows, int columns);
/* An area of `rows` rows seen through `area`, scrolled up by `top` rows. */
Area area_scrolled(const Area *area, int rows, int top);
bool area_visible(const Area *area, int row);

/* Writes `text` at (row, column), within `columns` cells (0 or less: to the right edge).
 * Returns the column behind it. */
int area_put(const Area *area, int row, int column, int columns, Style style, const char *text);
/* The same, ending at column `end` (which is not written to): numbers line up on the right. */
void area_put_right(const Area *area, int row, int end, int columns, Style style, const char *text);
int area_format(const Area *area, int row, int column, Style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Nothing but blanks. */
void area_blank(const Area *area);
/* A vertical rule over all rows. */
void area_rule(const Area *area, int column);
/* A horizontal line over all columns. */
void area_line(const Area *area, int row);
/* A bar of `columns` cells, `part` of `whole` filled. */
void area_bar(const Area *area, int row, int column, int columns, Style style, long part,
              long whole);

/* 2604 -> "2,604". `size` of 32 is enough. Returns `text`. */
char *number_grouped(char *text, int size, long number);

#endif
