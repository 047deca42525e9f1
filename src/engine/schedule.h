/* schedule.h -- an order of moves, written as a line: "A A B clk B !n1 A".
 *
 * A..Z are actors 1..26 (`u27` beyond), `c1` consumers, `w1` watchdogs, `clk` or `clk:KEY` the
 * clock, `!n1` and `^n1` the end and the new start of node 1, `~n1` a stop of it for longer than its leases, `A*3` three moves of A.
 * Where there are several Redis servers: `failover`, `cut` and `mend` the link from master to replica, `!s2` the
 * end of server 2, `^s2` its return with its data, `^s2:empty` without. */
#ifndef ENGINE_SCHEDULE_H
#define ENGINE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/fault.h"

enum { SCHEDULE_MOVES = 256, SCHEDULE_KEY = 64 };

typedef enum MoveKind {
    MOVE_USER,     /* number: 0-based actor */
    MOVE_CONSUMER, /* number: 0-based */
    MOVE_WATCHDOG, /* number: 0-based */
    MOVE_CLOCK,    /* key: which lease runs out; empty: the only one */
    MOVE_CRASH,    /* number: 0-based node */
    MOVE_START,    /* number: 0-based node */
    MOVE_FREEZE,   /* number: 0-based node */
    MOVE_FAILOVER,
    MOVE_CUT,
    MOVE_MEND,
    MOVE_SERVER_KILL,  /* number: 0-based server */
    MOVE_SERVER_KEPT,  /* number: 0-based server; comes back with its data */
    MOVE_SERVER_EMPTY  /* the same without */
} MoveKind;

typedef struct Move {
    MoveKind kind;
    int number;
    char key[SCHEDULE_KEY];
} Move;

typedef struct Schedule {
    int count;
    Move move[SCHEDULE_MOVES];
} Schedule;

/* Reads moves. A wrong one: false, and a line that names it and what is allowed. */
bool schedule_parse(const char *text, Schedule *schedule, Error *error);
/* Writes them, runs of one move as `A A A` (never folded: it is read aloud). Cut, with "...", when
 * `size` is short. Returns `text`. */
const char *schedule_write(const Schedule *schedule, char *text, int size);
void schedule_add_user(Schedule *schedule, int actor);
/* "A".."Z", "u27", for the screen and for schedules. Returns `text` (at least 12 bytes). */
const char *schedule_actor(int actor, char *text);

/* The pasteable form: "LESSON/VARIANT@HASH users=2 stock=1 : A A B". Errors that are not the lesson's own
 * stand in it, too: "error=A@insert-order". */
enum { SCHEDULE_ERRORS = 4 };
typedef struct ScheduleLine {
    char lesson[48], variant[48];
    uint64_t hash;
    int users, requests, nodes; /* 0: not given */
    long stock;                 /* -1: not given */
    Fault error[SCHEDULE_ERRORS];
    int errors;
    Schedule schedule;
} ScheduleLine;

bool schedule_line_parse(const char *text, ScheduleLine *line, Error *error);
const char *schedule_line_write(const ScheduleLine *line, char *text, int size);

#endif
