/* small_world.h -- step mode and exploring as the console uses them: what was asked for, what is
 * under the hand, and what is asked next. The lab does the work. */
#ifndef TUI_SMALL_WORLD_H
#define TUI_SMALL_WORLD_H

#include "course/schedule_text.h"
#include "tui/scene.h"
#include "tui/wish.h"

typedef struct App App;

/* What a cell of the field is: a class of schedules equal in effect, or each schedule. */
typedef enum CellKind {
    CELLS_AUTO, /* each schedule where they are few enough, found out by exploring classes first */
    CELLS_CLASSES,
    CELLS_ORDERS
} CellKind;

typedef struct SmallWorld {
    Wish wish;                 /* where the learner wants it otherwise than the lesson */
    /* Step mode. */
    Spec spec;                 /* the world that was asked for */
    char moves[SCHEDULE_TEXT]; /* to be made as soon as it stands; empty: none */
    bool opening;              /* asked for, and not seen yet */
    unsigned asked;            /* view.step_serial when it was asked for */
    unsigned refused_seen;
    int hand;                  /* the actor under the hand */
    int lease;                 /* the lease that the clock ends next, among those that could run out */
    int side;                  /* the panel in the place of the timeline, where not all fit; 0: the timeline */
    int rows_seen;             /* of the timeline, when `back` was set */
    int back;                  /* lines scrolled back from its end */
    bool hint;                 /* is shown */
    /* Exploring. */
    CellKind cells;
    int bound;                 /* preemptions; -1: as the lesson has it */
    int races;                 /* free races to hold against the proof */
    unsigned explore_asked;    /* the exploration that was there when it was asked for */
    bool exploring;            /* asked for, and not seen to its end yet */
    bool lucky;                /* free races were asked for, for this exploration */
} SmallWorld;

void small_start(SmallWorld *small);
/* As the lesson has it again: another variant was opened. */
void small_forget(SmallWorld *small);
/* The open variant's small world, as wished. */
void small_spec(const App *app, Spec *spec);
/* One wish, while step mode or exploring is on the screen: the view begins anew. */
void small_wish(App *app, WishField field, const char *argument);

/* Opens a world in step mode, and the step view; `moves` (NULL: none) are made at once. */
void small_step(App *app, const Spec *spec, const char *moves);
/* Opens the step view: on the world as it was left, or a fresh one. */
void small_step_again(App *app);
/* Explores the open variant's small world, in the explore view. */
void small_explore(App *app, CellKind cells);
/* The request that app->pending stands for; called when the lab is free. */
void small_send_step(App *app);
void small_send_explore(App *app);
/* After a new view came in: tells what was refused, and asks for what comes next. */
void small_take(App *app);

/* The state of step mode, when it is about the open variant; else NULL. */
const StepState *small_step_state(const App *app);
/* What was explored of the open variant; NULL: nothing. */
const ExploreState *small_explore_state(const App *app);
/* There is a result for the world as it is wished now. */
bool small_is_explored(const App *app);
/* Free races of the world that was explored; NULL: none. */
const Luck *small_luck(const App *app);
/* False when there is nothing to show. */
bool small_scene(const App *app, Scene *scene);

/* The claimed shortest schedule for this world; NULL: none is known. */
const char *small_shortest(const App *app, const Spec *spec);
/* Something breaks that the variant claims to break; `*broken` says what (may be NULL). */
bool small_goal_reached(const StepState *step, Invariant *broken);
/* What was done so far as a pasteable line. Returns `text`. */
const char *small_line(const App *app, char text[SCHEDULE_TEXT]);
/* A world of step mode or exploring is on the screen. */
bool small_is_shown(const App *app);
/* Something goes on that can be stopped. */
bool small_runs(const App *app);
void small_stop(App *app);

#endif
