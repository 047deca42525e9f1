/* do_small.h -- what the actions and commands of step mode and exploring do. */
#ifndef TUI_DO_SMALL_H
#define TUI_DO_SMALL_H

#include "tui/app.h"

/* ---- when they are there ---- */
bool can_step(const App *app);    /* no race is on */
bool can_move(const App *app);    /* a world stands in step mode */
bool has_hint(const App *app);
bool can_begin(const App *app);   /* no server is down */
bool can_open_cell(const App *app);
bool shows_classes(const App *app);
bool shows_orders(const App *app);

/* ---- actions ---- */
void do_step(App *app, int ignored);
void do_undo(App *app, int ignored);
void do_redo(App *app, int ignored);
void do_random(App *app, int ignored);
void do_to_start(App *app, int ignored);
void do_show_me(App *app, int ignored);
void do_hint(App *app, int ignored);
void do_explore(App *app, int ignored);
void do_explore_again(App *app, int cells); /* CellKind; -1: as before */
void do_open_cell(App *app, int ignored);
void do_filter(App *app, int ignored);
void do_shortest(App *app, int ignored);

/* ---- commands ---- */
void command_step(App *app, const char *argument, int ignored);
void command_moves(App *app, const char *argument, int ignored);
void command_replay(App *app, const char *argument, int ignored);
void command_explore(App *app, const char *argument, int ignored);
void command_luck(App *app, const char *argument, int ignored);
void command_line_shown(App *app, const char *argument, int ignored);

#endif
