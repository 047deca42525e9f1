/* frame.h -- one whole screen: the first line, the view, the state, and the last line. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "tui/app.h"

/* Draws everything and sends what changed to the terminal. */
void frame_draw(App *app);
/* When the screen has to be drawn again though nothing came in (something moves); 0: never. */
uint64_t frame_next(const App *app);
/* Writes the screen as it is to `path`, as text. */
bool frame_save(const char *path, Error *error);

#endif
