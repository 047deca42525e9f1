/* view.h -- what fills the screen between the first line and the last two.
 *
 * A new view is one file with its `const View`, and one line in VIEWS below. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/area.h"
#include "tui/hits.h"

typedef struct App App;

#define VIEWS(V)                                                                                   \
    V(COURSE, course)                                                                              \
    V(LESSON, lesson)                                                                              \
    V(RACE, race)                                                                                  \
    V(REPORT, report)                                                                              \
    V(STEP, step)                                                                                  \
    V(EXPLORE, explore)                                                                            \
    V(FAULTS, faults)                                                                              \
    V(CRASH, crash)                                                                                \
    V(COMPARE, compare)                                                                            \
    V(LOCKS, locks)                                                                                \
    V(EXERCISE, exercise)                                                                          \
    V(HELP, help)

#define VIEW_ID(id, name) VIEW_##id,
typedef enum ViewId { VIEWS(VIEW_ID) VIEW_COUNT } ViewId;
#undef VIEW_ID

/* In masks: the views an action works in. */
#define IN(id) (1u << VIEW_##id)
#define IN_ALL (~0u)

typedef enum Motion {
    MOTION_UP,
    MOTION_DOWN,
    MOTION_LEFT,
    MOTION_RIGHT,
    MOTION_PAGE_UP,
    MOTION_PAGE_DOWN,
    MOTION_HOME,
    MOTION_END,
    MOTION_TAB,
    MOTION_CHOOSE
} Motion;

typedef struct View {
    const char *name;  /* for :commands and tests */
    const char *title; /* N_() */
    void (*draw)(App *app, const Area *area);
    void (*move)(App *app, Motion motion);       /* NULL: nothing moves */
    void (*click)(App *app, const Hit *hit); /* NULL: nothing to click */
    /* How things stand, in the line above the last; NULL: as the last race left them. */
    void (*state)(const App *app, const Area *line);
} View;

#define VIEW_DECLARE(id, name) extern const View view_##name;
VIEWS(VIEW_DECLARE)
#undef VIEW_DECLARE

extern const View *const views[VIEW_COUNT];

/* Moves a scroll position by what `motion` says, in a window of `rows` over `lines`. */
int scroll_moved(int top, Motion motion, int rows, int lines);
/* Keeps it within the text. */
int scroll_kept(int top, int rows, int lines);
/* Signs at the right edge where there is more above or below. */
void scroll_marks(const Area *area, int top, int lines);

#endif
