/* popup.h -- the answer of a command, over the lower part of a view, until it is put away. */
#ifndef TUI_POPUP_H
#define TUI_POPUP_H

#include <stdbool.h>

#include "tui/view.h"

/* Shows `text` (clean of control bytes but for newlines, copied) under `title`. Lines stand as they
 * are; `prose` is broken between words. */
void popup_open(const char *title, const char *text, bool prose);
void popup_close(void);
bool popup_is_open(void);
/* Over the lower part of `area`. */
void popup_draw(const Area *area);
/* False when no pop-up is open to be moved. */
bool popup_move(Move move);

#endif
