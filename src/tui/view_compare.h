/* view_compare.h -- what of the comparison's view its actions have to know. */
#ifndef TUI_VIEW_COMPARE_H
#define TUI_VIEW_COMPARE_H

/* The first row is under the hand. */
void view_compare_start(void);
/* The number of the row under the hand. */
int view_compare_hand(void);

#endif
