/* crash_table.h -- what one schedule comes to when a node is killed at each of its steps.
 *
 * The schedule is run once for each of its moves with the node of the one who moves killed before that step,
 * and once after it: the server has executed the step, and its reply is never acted upon. Then whoever is left
 * goes on, as the schedule says and to the end. Every run begins from a clean state, and its own schedule
 * can be stepped through again.
 *
 * One thread drives a table; what it has so far may be read between two rows. */
#ifndef ENGINE_CRASH_TABLE_H
#define ENGINE_CRASH_TABLE_H

#include "engine/stepper.h"

enum { CRASH_LOCKS = 4, CRASH_SCHEDULE = 1024, CRASH_ROWS = 2 * MAX_PLAN };

/* What an actor was told. */
typedef struct CrashTold {
    bool answered;     /* false: nothing */
    AnswerKind answer; /* the last one, where it asked several times */
    int answers;
    bool dead;         /* its node was killed */
} CrashTold;

typedef struct CrashRow {
    int move;          /* of the chosen schedule, from 0 */
    int actor;         /* who moves there */
    int64_t user;
    int node;          /* that was killed, 0-based */
    int step;          /* StepId */
    int line;          /* of the source file */
    char command[160], words[96]; /* of the step */
    bool after;        /* killed after the server had executed it */
    bool waits;        /* ... or, this: sent, and waiting for a row when it was killed */
    Snapshot truth;    /* at the end */
    LockView lock[CRASH_LOCKS]; /* those still held at the end */
    int locks;
    CrashTold told[STEP_ACTORS];
    bool unheard;      /* an order is there that nobody was told of: told nothing, yet it happened */
    bool stuck;        /* somebody who is left waits for ever */
    Verdict verdict[INVARIANT_COUNT];
    char schedule[CRASH_SCHEDULE]; /* of this run, as moves */
} CrashRow;

typedef struct CrashTable {
    Spec spec;
    int actors;
    Schedule schedule;     /* the chosen one, with all its moves */
    int wanted;            /* rows there will be */
    int rows;
    CrashRow *row;         /* `wanted` of them; the table's */
    int broken[INVARIANT_COUNT]; /* rows that break it */
    int broken_any, unheard;
    bool over;
    bool refused;          /* the given schedule cannot be walked, see `error`; there are no rows */
    bool failed;           /* a node or a server was lost, see `error` */
    Error error;
    double seconds;
} CrashTable;

typedef struct CrashTabler CrashTabler;

/* Runs the schedule once as it is, without a crash. `schedule` NULL: everyone in turn to the end. Of it
 * users and the clock may move; where it ends early, everyone in turn goes on. */
CrashTabler *crash_tabler_open(Stores *stores, const Spec *spec, const Schedule *schedule, Error *error);
/* Makes the next row. True while rows are left. */
bool crash_tabler_next(CrashTabler *tabler);
const CrashTable *crash_tabler_table(const CrashTabler *tabler);
void crash_tabler_close(CrashTabler *tabler);

/* True when no row breaks what the claim keeps. */
bool crash_table_as_claimed(const CrashTable *table);

#endif
