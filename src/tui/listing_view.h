/* listing_view.h -- the listing where it fills the screen, and how far it is scrolled anywhere. */
#ifndef TUI_LISTING_VIEW_H
#define TUI_LISTING_VIEW_H

#include "tui/app.h"

void listing_full(bool full);
bool listing_is_full(void);
/* First line shown, for Scene.listing_top. Back to 0 with another variant. */
int listing_top(const App *app);
void listing_move(const App *app, Motion motion);
/* The code with its heading (file, variant, title) in the whole of `area`. */
void listing_draw(const App *app, const Scene *scene, const Area *area);

#endif
