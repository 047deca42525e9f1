/* stepper.h -- a small world in step mode: its threads stay alive, runs are repeated from a clean
 * state, and one actor moves at a time. The base of the step view, of replay and of exploring.
 *
 * One thread drives a stepper. Its node processes die with that thread. */
#ifndef ENGINE_STEPPER_H
#define ENGINE_STEPPER_H

#include "engine/locks_view.h"
#include "engine/queues_view.h"
#include "engine/report.h"
#include "engine/schedule.h"
#include "engine/world.h"

enum { STEP_LEASES = 8 };

typedef struct Stepper Stepper;

/* A move as it came out: one row of the timeline. */
typedef struct StepRow {
    int actor;            /* a mover of world.h; of one that is no actor: only command, words, result */
    char name[12];        /* "A", "c1", "w1"; "" when it is no actor */
    int64_t user;
    int step;             /* StepId */
    int line;             /* of the source file */
    char command[160];    /* "UPDATE stock = stock - 1" */
    char words[96];       /* translated: "takes one" */
    char result[96];      /* translated: "1 row"; "waits" while it does */
    bool waits;           /* its step was sent, and the server has not answered yet */
    int waited_until;     /* row at which its reply came, -1: at once, or not yet */
    int64_t value;
    int status;           /* StoreStatus */
    unsigned code;
    bool answered;        /* with this move the actor's request came to its answer */
    AnswerKind answer;
    int64_t answer_id;
} StepRow;

/* Where an actor stands. */
typedef struct StepActor {
    int state;            /* ActorState */
    char name[12];        /* "A", "c1", "w1" */
    int role;             /* Role */
    int64_t user;
    int node;
    int line;             /* of its next step (or, waiting, of the one it waits in) */
    int step;
    char command[160];    /* of its next step */
    char words[96];
    int waits_for;        /* actor whose lock it waits for, -1: none or not known */
    char waits_for_name[12]; /* its name */
    char waiting_on[96];  /* translated: "row of tb_seckill_voucher" */
    char waiting_table[64]; /* of that row, "" when it is none, or not known */
    bool answered;
    AnswerKind answer;
    int64_t answer_id;
} StepActor;

typedef struct StepView {
    int actors;
    StepActor actor[STEP_ACTORS];
    int rows;
    StepRow row[MAX_PLAN];
    int preemptions;      /* so far */
    bool over;            /* every actor is done, or nobody can ever move again */
    bool stuck;           /* the latter */
    int leases;           /* that could run out now; "clk" takes the first, "clk:KEY" that of the key */
    char lease[STEP_LEASES][KEY_LENGTH];
    ActorSet enabled;     /* who can move, as bits: see baton_enabled() */
    Snapshot truth;
    Verdict verdict[INVARIANT_COUNT]; /* judged as if the run ended here; UNKNOWN until it can be said */
    char schedule[1024];
    LocksView locks;
    QueuesView queues;
} StepView;

/* Makes the world (at most STEP_ACTORS actors) and its nodes, every actor waiting at the start. */
Stepper *stepper_open(Stores *stores, const Spec *spec, Error *error);
void stepper_close(Stepper *stepper);

/* A node or a server was lost: nothing can be run any more. */
bool stepper_broken(const Stepper *stepper);

/* Gives up the run at hand, cleans the stores, and brings every actor to its first gate. */
bool stepper_reset(Stepper *stepper, Error *error);

typedef enum MoveResult {
    MOVE_DONE,
    MOVE_WAITS,      /* sent, and the server makes the actor wait */
    MOVE_IMPOSSIBLE, /* that actor cannot move now; nothing was done; the error says why */
    MOVE_FAILED      /* the world broke (a node died, a server was lost); the error says how */
} MoveResult;

MoveResult stepper_move(Stepper *stepper, const Move *move, Error *error);
/* Everything there is to show. Asks both stores. */
void stepper_view(Stepper *stepper, Observer *observer, StepView *view);

/* ---- for the explorer: whole runs at full speed ---- */

/* Resets, walks the plan, then goes on with whoever can move (but not with sleepers). The world's
 * moves tell what happened. */
typedef enum RunEnd {
    RUN_COMPLETE,
    RUN_STUCK,      /* somebody is left who can never move again: judged like a complete one */
    RUN_REPETITION, /* only sleepers could move */
    RUN_IMPOSSIBLE, /* the plan asked for an actor that could not move */
    RUN_FAILED
} RunEnd;
RunEnd stepper_run(Stepper *stepper, const uint16_t *plan, int length, bool prune, ActorSet sleeping,
                   Error *error);
const World *stepper_world(const Stepper *stepper);
/* The truth of the stores after a complete run, in as few round trips as it takes, and the verdicts
 * on it. `outcome` gets one short line that two equal outcomes share. */
bool stepper_judge(Stepper *stepper, Snapshot *truth, Verdict verdict[INVARIANT_COUNT], char *outcome,
                   int size, Error *error);

#endif
