/* view_explore.h -- the one thing of the explore view that an action changes. */
#ifndef TUI_VIEW_EXPLORE_H
#define TUI_VIEW_EXPLORE_H

#include "tui/app.h"

/* The next invariant whose breaking counts; behind the last: any. */
void view_explore_filter(App *app);

#endif
