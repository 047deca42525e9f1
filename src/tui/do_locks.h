/* do_locks.h -- the table of locks as the console asks for it. */
#ifndef TUI_DO_LOCKS_H
#define TUI_DO_LOCKS_H

#include "tui/app.h"

/* The open lesson is about them, and no race is on. */
bool can_locks(const App *app);
bool can_locks_again(const App *app);
/* Opens the view, with the last table; the first time one is made. */
void do_locks(App *app, int ignored);
void do_locks_again(App *app, int ignored);
void command_locks(App *app, const char *argument, int ignored);

/* The request that PENDING_LOCKS stands for; called when the lab is free. */
void locks_send(App *app);
/* The table of the last request; NULL while it has not begun. */
const LockTableState *locks_state(const App *app);
bool locks_run(const App *app);

#endif
