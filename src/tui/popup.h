/* popup.h -- the answer of a command, over the lower part of a view, until it is put away. */
#ifndef TUI_POPUP_H
#define TUI_POPUP_H

#include <stdbool.h>

#include "tui/view.h"

/* Shows `text` (lines; clean of control bytes, copied) under `title`. */
void popup_open(const char *title, const char *text);
void popup_close(void);
bool popup_is_open(void);
/* Over the lower part of `area`. */
void popup_draw(const Area *area);
/* False when `move` is nothing for a pop-up. */
bool popup_move(Move move);

#endif
