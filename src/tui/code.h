/* code.h -- one line of a listing: comments quiet, steps strong, the rest plain. */
#ifndef TUI_CODE_H
#define TUI_CODE_H

#include "tui/area.h"

void code_draw(const Area *area, int row, int column, int columns, const char *text);

#endif
