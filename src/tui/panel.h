/* panel.h -- a panel shows one thing: the stock, the keys, what must hold.
 *
 * Each is one small file with one `const Panel`. update() takes in the state of this frame and says
 * how many rows would be good; draw() draws into what it was given, in a smaller form when
 * that is less. A panel that has nothing to show wants 0 rows and takes no room. */
#ifndef TUI_PANEL_H
#define TUI_PANEL_H

#include "tui/area.h"
#include "tui/scene.h"
#include "tui/view.h"

typedef struct Panel {
    const char *name;
    int rank;  /* who gives way first when rows are short: the highest */
    int least; /* with fewer rows it is left out */
    int (*update)(const Scene *scene, int columns);
    void (*draw)(const Scene *scene, const Area *area);
} Panel;

/* Stacks panels (NULL ends the list) from top to bottom within `rows`, a blank row between two. */
void panels_draw(const Panel *const *panels, const Scene *scene, const Area *area, int rows);
/* The rows that all of them would like. */
int panels_wanted(const Panel *const *panels, const Scene *scene, int columns);

/* A title in the first row; `right` (may be NULL) ends at the right edge. */
void panel_title(const Area *area, const char *title, const char *right);
/* "  label          12" in one row. */
void panel_number(const Area *area, int row, const char *label, Style style, const char *number);

/* Lines of the listing that the last frame had room for: to scroll it. */
int panel_code_rows(void);

/* The same of the timeline, and how many lines it has. */
int panel_timeline_rows(void);
int panel_timeline_lines(void);

/* What a click on an actor in step mode is. */
enum { HIT_ACTOR };

extern const Panel panel_faults, panel_servers, panel_locks;
extern const Panel panel_actors, panel_answers, panel_changes, panel_code, panel_holds, panel_ids,
    panel_invariants, panel_keys, panel_next, panel_numbers, panel_queue, panel_schedule, panel_stock,
    panel_story, panel_timeline, panel_told, panel_verdict;

#endif
