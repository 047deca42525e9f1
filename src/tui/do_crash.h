/* do_crash.h -- the crash table as the console asks for it. */
#ifndef TUI_DO_CRASH_H
#define TUI_DO_CRASH_H

#include "tui/app.h"

/* The variant's small world is about crashes, and no race is on. */
bool can_crash_table(const App *app);
bool can_crash_again(const App *app);
bool can_open_crash(const App *app);
/* Of the schedule on the screen: the one stepped through, the chosen cell, else the shortest. */
void do_crash_table(App *app, int ignored);
void do_crash_again(App *app, int ignored);
/* The chosen row's own run, in step mode. */
void do_open_crash(App *app, int ignored);
void command_crash_table(App *app, const char *argument, int ignored);

/* Makes the table of the variant on the screen anew: another variant was opened, or another world is wished. */
void crash_anew(App *app);
/* The request that PENDING_CRASH stands for; called when the lab is free. */
void crash_send(App *app);
/* The table when it is about the open variant, and not asked for anew; else NULL. */
const CrashState *crash_state(const App *app);
bool crash_runs(const App *app);

#endif
