/* view_locks.h -- what of the view of kinds and strategies its actions have to know. */
#ifndef TUI_VIEW_LOCKS_H
#define TUI_VIEW_LOCKS_H

/* From the first row on. */
void view_locks_start(void);

#endif
