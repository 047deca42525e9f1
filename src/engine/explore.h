/* explore.h -- all schedules of a small world, on real stores.
 *
 * Depth first: a schedule is run from a clean state, then the last move that can be chosen otherwise
 * is. With pruning (sleep sets, see baton.h) one schedule of each class of equal ones is run; what
 * the class stands for is counted exactly (classes.h), so that all numbers speak of all schedules
 * in both modes. One thread drives an exploration; its results may be read between slices. */
#ifndef ENGINE_EXPLORE_H
#define ENGINE_EXPLORE_H

#include "engine/classes.h"
#include "engine/stepper.h"

typedef struct ExploreOptions {
    bool prune;
    int preemptions; /* only schedules with at most so many; -1: all. A bound switches pruning off,
                        since a pruned schedule may be the only one of its class within the bound */
    long limit;      /* stop after so many runs; 0: no limit */
} ExploreOptions;

enum { OUTCOMES = 32, OUTCOME_LENGTH = 160 };

/* Runs of which the moves are kept: hours of exploring must not eat the memory. */
enum { CELLS_MAX = 1 << 20 };

/* One run: a schedule, or a class of them. */
typedef struct ExploreCell {
    uint32_t broken;    /* bit i: Invariant i is broken */
    uint16_t outcome;   /* index in outcomes[] */
    uint8_t preemptions; /* of its best schedule */
    uint8_t count;      /* moves */
    uint8_t moves[CLASS_MOVES]; /* actors, in the order with the fewest preemptions */
    double schedules;   /* how many it stands for */
} ExploreCell;

typedef struct ExploreOutcome {
    char text[OUTCOME_LENGTH]; /* "stock=-1 orders=2 A=ordered B=ordered" */
    double schedules;
    uint32_t broken;
} ExploreOutcome;

typedef struct Exploration {
    Spec spec;
    ExploreOptions options;
    long runs;          /* carried out to the end */
    long repetitions;   /* given up by the sleep set */
    double unpruned;    /* schedules that the runs stand for */
    double violating[INVARIANT_COUNT]; /* of them, those that break it */
    double violating_any;
    double by_preemptions[CLASS_PREEMPTIONS], violating_by_preemptions[CLASS_PREEMPTIONS];
    ExploreOutcome outcome[OUTCOMES];
    int outcomes;
    long outcomes_left_out;
    ExploreCell *cell;  /* one a run, in the order they were made, the first CELLS_MAX; the
                           exploration's */
    long cells, cell_room;
    long cells_left_out; /* runs that are counted everywhere, and have no cell */
    ExploreCell best;   /* the violating one with the fewest preemptions; .schedules is 0: none */
    ExploreCell best_of[INVARIANT_COUNT];
    long shortest;      /* index of `best` in cell[], -1: there is none, or it has no cell */
    long shortest_of[INVARIANT_COUNT];
    bool counted;       /* false: a run was too long for classes.h; then unpruned is a lower bound */
    bool over;          /* nothing is left to run, or it was stopped or failed */
    bool complete;      /* every schedule within the options was run or pruned */
    bool failed;
    Error error;
    double seconds;
    double done_share;  /* how much of the tree is behind us, 0..1: for the time left */
} Exploration;

/* Who carries out the runs: a stepper on real stores, or a test's made-up program. */
typedef struct Runner {
    RunEnd (*run)(void *data, const uint16_t *plan, int length, bool prune, ActorSet sleeping,
                  Error *error);
    /* After a complete run: which invariants broke, as bits, and the outcome in one line. */
    bool (*judge)(void *data, uint32_t *broken, char *outcome, int size, Error *error);
    void (*close)(void *data);
    const World *world;
    void *data;
} Runner;

typedef struct Explorer Explorer;

/* Explores whatever the runner runs; the runner is closed with the explorer. `spec` may be NULL. */
Explorer *explorer_open_on(const Runner *runner, const Spec *spec, const ExploreOptions *options,
                           Error *error);
/* Starts node processes and takes the first clean state. */
Explorer *explorer_open(Stores *stores, const Spec *spec, const ExploreOptions *options, Error *error);
/* Explores for about `ms` (at least one run). True while something is left. */
bool explorer_slice(Explorer *explorer, int ms);
const Exploration *explorer_result(const Explorer *explorer);
const World *explorer_world(const Explorer *explorer);
void explorer_close(Explorer *explorer);

/* True when exactly what the claim says broke, and it was complete. `why` (may be NULL) says how it
 * is not. */
bool exploration_as_claimed(const Exploration *exploration, char *why, int size);
/* "2 users, stock 1, 1 node, no faults, at most 2 preemptions": what the result covers. Translated. */
void exploration_covers(const Exploration *exploration, char *text, int size);
/* A cell's moves as a schedule. */
void exploration_schedule(const Exploration *exploration, const ExploreCell *cell, Schedule *schedule);

#endif
