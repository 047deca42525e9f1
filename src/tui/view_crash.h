/* view_crash.h -- what of the crash table's view its actions have to know. */
#ifndef TUI_VIEW_CRASH_H
#define TUI_VIEW_CRASH_H

#include "tui/app.h"

/* The first row is under the hand. */
void view_crash_start(void);
/* The row under the hand; NULL: there is none. */
const CrashRow *view_crash_chosen(const App *app);

#endif
