/* lab.h -- the engine as the console sees it: requests go in, copies of the state come out.
 *
 * The lab has one thread of its own that owns stores, races, step mode, exploring and the observer.
 * The console never waits for it: every call here returns at once, and a byte on lab_fd() says that
 * a new view is there. All functions are for the console's one thread. */
#ifndef ENGINE_LAB_H
#define ENGINE_LAB_H

#include "engine/compare.h"
#include "engine/crash_table.h"
#include "engine/exam.h"
#include "engine/explore.h"
#include "engine/lock_table.h"
#include "engine/race.h"
#include "engine/stepper.h"

typedef enum LabPhase {
    LAB_STARTING,  /* servers coming up */
    LAB_BROKEN,    /* a server cannot be had; `message` says why and what to do */
    LAB_IDLE,      /* ready, nothing has run for this spec yet */
    LAB_PREPARING,
    LAB_RACING,
    LAB_JUDGING,
    LAB_DONE       /* `report` holds the last race */
} LabPhase;

enum { HISTORY = 120 };

/* Step mode as it stands. */
typedef struct StepState {
    bool open;           /* a world is there to be moved; false: what follows is how it was left */
    bool playing;        /* moves are being made by themselves */
    bool broken;         /* a node or a server was lost: only opening it anew helps */
    Spec spec;
    int par;             /* preemptions of the shortest schedule that breaks something, -1: not known */
    int undone;          /* moves that redo can make again */
    int planned;         /* of a play: moves still to be made */
    Snapshot before;     /* the truth before the last move: to mark what changed */
    unsigned refused;    /* grows with every request that was not carried out */
    char refusal[400];   /* why: translated */
    StepView view;
} StepState;

/* Free races of a small world, to hold against the proof. */
typedef struct Luck {
    bool running;
    Spec spec;
    int wanted, races; /* 0 wanted: nothing was raced yet */
    int broke_any, broke[INVARIANT_COUNT];
} Luck;

/* Exploring as it stands. */
typedef struct ExploreState {
    bool running;
    bool stopped;      /* by the learner */
    unsigned serial;   /* grows with every exploration */
    Exploration result; /* result.cell is the view's own copy; cells only ever become more */
    Luck luck;
} ExploreState;

/* The crash table as it stands. */
typedef struct CrashState {
    bool running;
    bool stopped;    /* by the learner */
    unsigned serial; /* grows with every table */
    CrashTable table; /* table.row is the view's own copy; rows only ever become more */
    int row_room;
} CrashState;

/* The comparison as it stands. */
typedef struct CompareState {
    bool running;
    bool stopped;    /* by the learner */
    unsigned serial; /* grows with every comparison */
    Comparison result;
} CompareState;

/* The table of locks as it stands. */
typedef struct LockTableState {
    bool running;
    unsigned serial; /* grows with every table; 0: none was made yet */
    LockTable table;
} LockTableState;

/* The exam of the learner's script as it stands. */
typedef struct ExamState {
    bool running;
    bool stopped;    /* by the learner, or for something else */
    unsigned serial; /* grows with every exam */
    const OwnScript *own;
    const Variant *variant;
    int worlds;      /* to be explored */
    Exam exam;
} ExamState;

typedef struct LabView {
    LabPhase phase;
    char message[400];          /* one line, of the last trouble; empty */
    ServerStatus server[SERVER_COUNT];
    Snapshot snapshot;          /* of the shop that `spec` is about, and of no small world */
    bool has_snapshot;
    RaceProgress race;
    Spec spec;                  /* of the race on the screen */
    Verdict verdict[INVARIANT_COUNT];
    long stock_history[HISTORY], orders_history[HISTORY]; /* one point a snapshot, oldest first */
    long waiting_history[HISTORY]; /* orders in queues, of the same moments */
    int history;
    Report report;
    bool has_report;
    unsigned report_serial;     /* grows when `report` is new, or got its schedule */
    bool reproducing;           /* the report's story is being turned into a schedule */
    bool asking;                /* a :redis or :sql is on its way */
    unsigned answer_serial;     /* grows when `answer` is new */
    char *answer;               /* of :redis and :sql; owned by the view, see lab_view_free */
    unsigned step_serial;
    StepState *step;            /* owned by the view; NULL until step mode was used */
    unsigned explore_serial;
    ExploreState *explore;      /* owned by the view; NULL until something was explored */
    unsigned crash_serial;
    CrashState *crash;          /* owned by the view; NULL until a crash table was made */
    unsigned compare_serial;
    CompareState *compare;      /* owned by the view; NULL until something was compared */
    LockTableState lock_table;
    unsigned exam_serial;
    ExamState *exam;            /* owned by the view; NULL until a script was examined */
} LabView;

typedef struct Lab Lab;

/* Opens the stores and starts the thread. Fails only on a malformed URL or lack of memory: all
 * else is told in the view. */
Lab *lab_open(const char *redis_url, const char *sql_url, Error *error);
/* Ends everything: race, nodes, servers. */
void lab_close(Lab *lab);
int lab_fd(const Lab *lab);
/* Empties lab_fd() and copies the newest view; the large parts only when they are new. A view must
 * be zeroed before its first use. */
void lab_view(Lab *lab, LabView *view);
void lab_view_free(LabView *view);

/* Brings the shop into the clean state of `spec`, so that the panels show it before the race. */
void lab_prepare(Lab *lab, const Spec *spec);
void lab_race(Lab *lab, const Spec *spec);
void lab_pause(Lab *lab, bool pause);
void lab_pace(Lab *lab, int pace_ms);
void lab_stop_race(Lab *lab);
/* Turns the story of the last race into a schedule of a small world, shrunk, in view.report; see
 * reproduce.h. `small` is the variant's small world. Once for a report; the stores hold that small
 * world afterwards. */
void lab_reproduce(Lab *lab, const Spec *small);
void lab_redis(Lab *lab, const char *line);
void lab_sql(Lab *lab, const char *query);
/* Ends the query on its way; its answer says so. */
void lab_sql_cancel(Lab *lab);
/* Starts a server that is down again (sandbox) or connects again (the learner's own). */
void lab_restart(Lab *lab);

/* ---- what can go wrong, while a race runs. A request that cannot be carried out: view.message says why. ---- */

/* Armed faults stand in view.race.fault[], in their places. Those that a race shall begin with belong into
 * its spec. */
void lab_arm(Lab *lab, const Fault *fault);
void lab_disarm(Lab *lab, int place);
void lab_crash_node(Lab *lab, int node);
void lab_start_node(Lab *lab, int node);
void lab_freeze_node(Lab *lab, int node, int ms);
/* The key runs out now. */
void lab_expire(Lab *lab, const char *key);
/* Something happens to a server of the fleet: a number of server_move.h. */
void lab_server_move(Lab *lab, int move);
/* A private server is killed (SIGKILL), and started again: in the middle of a race, or without one. Redis
 * writes its data out just before; it comes back with them, or empty. The database keeps its own, and in a
 * race cannot come back empty. */
void lab_kill_server(Lab *lab, ServerKind kind);
void lab_start_server(Lab *lab, ServerKind kind, bool empty);

/* ---- step mode. A request that cannot be carried out changes nothing; view.step says why. ---- */

/* Opens the small world `spec`, walks `shortest` (NULL: none) to learn par, and makes `moves` (NULL:
 * none) at once. Ends what the lab did before, but for a race. Moves are written as in schedule.h. */
void lab_step_open(Lab *lab, const Spec *spec, const char *shortest, const char *moves);
/* One move, or several: "A", "A B clk". What was undone before is forgotten. */
void lab_step_move(Lab *lab, const char *moves);
/* One actor to its end, or until it has to wait. */
void lab_step_run_on(Lab *lab, int actor);
void lab_step_random(Lab *lab);
/* One move back or forth, back to the start: the rest is run again from a clean state. */
void lab_step_undo(Lab *lab);
void lab_step_redo(Lab *lab);
void lab_step_restart(Lab *lab);
/* From the start, a move every `pace_ms`; any other request of step mode ends it. */
void lab_step_play(Lab *lab, const char *moves, int pace_ms);
/* Ends a play where it is. */
void lab_step_stop(Lab *lab);
void lab_step_close(Lab *lab);

/* ---- exploring ---- */

void lab_explore(Lab *lab, const Spec *spec, const ExploreOptions *options);
/* Races the small world so many times, and counts what broke. */
void lab_luck(Lab *lab, const Spec *spec, int races);
/* Ends either of them with what it has. */
void lab_explore_stop(Lab *lab);

/* ---- the crash table ---- */

/* Runs one schedule of the small world with a node killed at each of its steps, see crash_table.h. `moves` (may
 * be NULL: everyone in turn) as in schedule.h. */
void lab_crash_table(Lab *lab, const Spec *spec, const char *moves);
/* Ends it with what it has. */
void lab_crash_stop(Lab *lab);

/* ---- the same sale, side by side ---- */

/* Races these worlds one after the other, see compare.h; 1 to COMPARE_ROWS of them, copied. */
void lab_compare(Lab *lab, const Spec *specs, int count);
/* Ends it; the rows that are complete stand. */
void lab_compare_stop(Lab *lab);

/* ---- kinds of locks and strategies ---- */

/* Tries them all, see lock_table.h. */
void lab_locks(Lab *lab);
/* Ends it; the rows that are complete stand. */
void lab_locks_stop(Lab *lab);

/* ---- exercises ---- */

/* Examines the learner's script, see exam.h. */
void lab_exam(Lab *lab, const ExamSpec *spec);
/* Ends it with what it has. */
void lab_exam_stop(Lab *lab);

#endif
