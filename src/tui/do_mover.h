/* do_mover.h -- who moves in step mode: users by their letters; behind them consumers by the letters that no user has,
 * watchdogs; and what can happen to a node or a server. */
#ifndef TUI_DO_MOVER_H
#define TUI_DO_MOVER_H

#include "tui/app.h"

/* ---- when they are there ---- */
bool can_move_a(const App *app); /* a world stands in step mode, and has this user */
bool can_move_b(const App *app);
bool can_move_c(const App *app);
bool can_move_d(const App *app);
bool can_consume_c(const App *app);  /* c is no user: it is the first consumer */
bool can_consume_d(const App *app);  /* c is a user, d is none: d is the first consumer */
bool can_consume_d2(const App *app); /* c is the first consumer: d is the second */
bool can_watchdog(const App *app);
bool can_clock(const App *app);
bool can_crash(const App *app);
bool can_start_again(const App *app);
bool can_freeze(const App *app);
bool can_fail_over(const App *app);
bool can_cut(const App *app);
bool can_mend(const App *app);
bool can_strike_1(const App *app);
bool can_strike_2(const App *app);
bool can_strike_3(const App *app);
bool can_raise_1(const App *app); /* a dead server comes back, empty or with its data: as the world has it */
bool can_raise_2(const App *app);
bool can_raise_3(const App *app);
bool has_strikes(const App *app); /* 1 2 3 are servers here, no lessons, also when nothing can happen to them */

/* ---- actions ---- */
void do_actor(App *app, int actor);
void do_consumer(App *app, int number);
void do_watchdog(App *app, int ignored); /* one that can move; else the first */
void do_run_on(App *app, int actor);     /* -1: the one under the hand */
void do_run_on_consumer(App *app, int number);
void do_run_on_watchdog(App *app, int ignored);
void do_clock(App *app, int ignored);
/* Of several leases that could run out: the next one is chosen. */
bool can_choose_lease(const App *app);
void do_lease(App *app, int ignored);
/* The next panel in the place of the timeline. */
void do_side(App *app, int ignored);
/* Of several nodes: the one that serves the actor under the hand, else the first that can. */
void do_crash(App *app, int ignored);
void do_start_again(App *app, int ignored);
void do_freeze(App *app, int ignored);
/* The first of these server moves that can be made now: see server_move.h. */
void do_fail_over(App *app, int ignored);
void do_cut(App *app, int ignored);
void do_mend(App *app, int ignored);
void do_strike_server(App *app, int server);
void do_raise_server(App *app, int server);
void do_no_strike(App *app, int ignored);

#endif
