/* do_compare.h -- the comparison as the console asks for it. */
#ifndef TUI_DO_COMPARE_H
#define TUI_DO_COMPARE_H

#include "course/compare_choice.h"
#include "tui/app.h"

bool can_compare(const App *app);
bool can_compare_again(const App *app);
/* Opens the view: with what was compared last, or, the first time, with the usual variants. */
void do_compare(App *app, int ignored);
void do_compare_again(App *app, int ignored);
void command_compare(App *app, const char *argument, int ignored);
/* The row under the hand is opened as a lesson. */
void do_open_compared(App *app, int ignored);

/* The request that PENDING_COMPARE stands for; called when the lab is free. */
void compare_send(App *app);
/* What is, or will be, compared. */
const CompareChoice *compare_choice(void);
/* The rows of that choice; NULL while nothing has begun. */
const CompareState *compare_state(const App *app);
/* The world that all rows share. */
void compare_world(const App *app, Spec *spec);
bool compare_runs(const App *app);

#endif
