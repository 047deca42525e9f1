/* do_fault.h -- what the actions and commands do that make something go wrong. */
#ifndef TUI_DO_FAULT_H
#define TUI_DO_FAULT_H

#include "tui/app.h"

/* What the keys of the faults view stand for. */
typedef enum FaultDeed {
    DEED_STALL,
    DEED_FREEZE,
    DEED_ERROR,
    DEED_CRASH,
    DEED_START,
    DEED_EXPIRE,
    DEED_SLOW,
    DEED_TWICE,
    DEED_KILL_REDIS,
    DEED_KILL_SQL,
    DEED_UP,
    DEED_UP_EMPTY,
    DEED_TAKE_BACK,
    DEED_COUNT
} FaultDeed;

/* ---- actions ---- */
void do_faults(App *app, int ignored); /* opens the view */
/* At once where nothing is to be chosen; else the line is begun, to be changed and sent. */
void do_deed(App *app, int deed);

/* ---- commands; what is wrong changes nothing and is said in one line ---- */
void command_fault(App *app, const char *argument, int kind); /* FaultKind; armed, or at once */
void command_server_move(App *app, const char *argument, int kind);
void command_start(App *app, const char *argument, int ignored);
void command_disarm(App *app, const char *argument, int ignored);
void command_kill(App *app, const char *argument, int ignored);
void command_up(App *app, const char *argument, int ignored);
void command_twice(App *app, const char *argument, int ignored);

/* Completion: see CommandWords. */
const char *words_fault(const App *app, int n);
const char *words_servers(const App *app, int n);

/* Faults of the race that is on, or of the next one. */
int fault_count(const App *app);
/* After a new view came in: says what the lab could not carry out. */
void fault_take(App *app);

/* One row of the list of faults, see panel_faults.c. */
void fault_row_draw(const Scene *scene, const Area *area, int row, int place, bool hand);

#endif
