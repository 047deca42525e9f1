/* do_small.h -- what the actions and commands of step mode and exploring do. */
#ifndef TUI_DO_SMALL_H
#define TUI_DO_SMALL_H

#include "tui/app.h"

/* ---- when they are there ---- */
bool can_step(const App *app);    /* no race is on */
bool can_move(const App *app);    /* a world stands in step mode */
bool can_move_a(const App *app);  /* and has this actor */
bool can_move_b(const App *app);
bool can_move_c(const App *app);
bool can_move_d(const App *app);
bool can_clock(const App *app);
bool can_crash(const App *app);
bool can_fail_over(const App *app);
bool can_cut(const App *app);  /* ... or mend */
bool can_strike_1(const App *app);
bool can_strike_2(const App *app);
bool can_strike_3(const App *app);
bool has_hint(const App *app);
bool can_begin(const App *app);   /* no server is down */
bool can_open_cell(const App *app);
bool shows_classes(const App *app);
bool shows_orders(const App *app);

/* ---- actions ---- */
void do_step(App *app, int ignored);
void do_actor(App *app, int actor);
void do_run_on(App *app, int actor); /* -1: the one under the hand */
void do_clock(App *app, int ignored);
void do_crash(App *app, int node);
/* The first of these server moves that can be made now: see server_move.h. */
void do_fail_over(App *app, int ignored);
void do_cut(App *app, int ignored);
void do_strike_server(App *app, int server);
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
