/* do.h -- what the actions do. */
#ifndef TUI_DO_H
#define TUI_DO_H

#include "tui/app.h"

void do_move(App *app, int motion); /* Motion */
void do_race(App *app, int ignored);
void do_pause(App *app, int pause);
void do_stop(App *app, int ignored);
bool can_stop(const App *app); /* a race, an exploration, a play */
void do_pace(App *app, int direction); /* > 0: faster */
void do_restart(App *app, int ignored);
void do_variant(App *app, int step); /* 1: the next, -1: the one before */
void do_lesson(App *app, int step);
void do_show(App *app, int view); /* ViewId */
void do_text(App *app, int ignored);
void do_listing(App *app, int ignored);
void do_back(App *app, int ignored);
void do_language(App *app, int ignored);
void do_redraw(App *app, int ignored);
void do_interrupt(App *app, int ignored);
void do_suspend(App *app, int ignored);
void do_prompt(App *app, int ignored);
void do_quit(App *app, int ignored);

#endif
