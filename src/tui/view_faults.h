/* view_faults.h -- what of the faults view an action has to know. */
#ifndef TUI_VIEW_FAULTS_H
#define TUI_VIEW_FAULTS_H

#include "tui/app.h"

/* The place of the fault under the hand, else of the last one; -1: there is none. */
int view_faults_chosen(const App *app);

#endif
