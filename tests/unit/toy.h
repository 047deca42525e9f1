/* toy.h -- a world for tests: small made-up programs on plain memory, run by threads of this
 * process through the real gate and baton, as a node runs purchases.
 *
 * A program is a table of statements. Most are steps; cells are plain keys, except for those that
 * programs lock: a locked cell is a row, with a draft until the commit, and a queue of waiters.
 * From TOY_LEASES on, cells are keys with a lease. */
#ifndef TESTS_TOY_H
#define TESTS_TOY_H

#include <pthread.h>

#include "engine/explore.h"
#include "engine/gate.h"

enum { TOY_CELLS = 6, TOY_LEASES = 4, TOY_MUTEXES = 2, TOY_ACTORS = 4, TOY_STATEMENTS = 16 };

typedef enum ToyKind {
    TOY_END,
    TOY_NOTHING,  /* a step that reads and writes nothing */
    TOY_READ,     /* seen = cell, as it is committed */
    TOY_SUM,      /* seen = all cells together, in one snapshot */
    TOY_ADD,      /* cell += value; seen = cell */
    TOY_PUT,      /* cell = seen + value */
    TOY_SWAP,     /* if cell == seen then cell += value and seen = 1, else seen = 0 */
    TOY_LOCK_ADD, /* waits for the row, then its draft += value; seen = draft */
    TOY_COMMIT,   /* publishes the drafts and frees the rows */
    TOY_ROLLBACK, /* drops the drafts and frees the rows */
    TOY_TAKE,     /* takes the node's mutex of that number; cannot be chosen while another has it */
    TOY_GIVE,     /* gives it back */
    TOY_LEASE,    /* if cell == 0 then cell = own number, with a lease; seen = 1 when it did */
    TOY_DELETE,   /* cell = 0, and its lease is gone */
    TOY_SEND,     /* cell += value, and a message about it goes out */
    TOY_AWAIT,    /* cannot be chosen until one more message about the cell has come than it has awaited
                     so far; seen = cell */
    TOY_FETCH,    /* cannot be chosen until a message about the cell has come that nobody has fetched, or
                     a node was killed; fetches it; seen = 1 when there was one, else 0 */
    TOY_UNLESS,   /* no step: goes to statement `to` unless seen >= value */
    TOY_KEEP,     /* no step: what is seen now is what the answer tells */
} ToyKind;

typedef struct ToyStatement {
    ToyKind kind;
    int cell;
    long value;
    int to;
} ToyStatement;

/* An answer is ORDERED when what it tells is at least 1, else SOLD_OUT; a deadlock's is ERROR. */
typedef struct ToyProgram {
    ToyStatement statement[TOY_STATEMENTS];
} ToyProgram;

typedef struct ToyRow {
    long value, draft;
    int owner, waiters; /* owner -1: free */
    int waiter[TOY_ACTORS];
} ToyRow;

typedef struct Toy Toy;

typedef struct ToyActor {
    Actor actor; /* first: an Actor is cast to its ToyActor */
    Toy *toy;
    pthread_t thread;
    ToyProgram program;
    long seen, told;
    uint32_t awaited[TOY_CELLS];
    bool blocked; /* waits for a row */
    bool failed;  /* by a deadlock */
    bool killed;  /* with its node; its thread is parked until the next run */
    bool parked;
} ToyActor;

/* Which invariants the final state breaks, as bits. */
typedef uint32_t (*ToyJudge)(const Toy *toy);

struct Toy {
    World *world;
    int fd, actors;
    ToyActor actor[TOY_ACTORS];
    long start[TOY_CELLS];
    ToyJudge judge;
    pthread_mutex_t mutex; /* over everything below, and over the actors' `blocked` */
    pthread_cond_t changed;
    ToyRow row[TOY_CELLS];
    bool running;
    long waits, deadlocks, stuck; /* over all runs */
};

/* Starts the threads. `start` are the cells' first values. Of the world, its users, nodes, and what
 * may go wrong at any step count. */
Toy *toy_open_world(const Spec *world, const ToyProgram *programs, const long start[TOY_CELLS],
                    ToyJudge judge);
/* The same with one node and no faults. */
Toy *toy_open(int actors, const ToyProgram *programs, const long start[TOY_CELLS], ToyJudge judge);
/* Carries out the runs of an explorer, which then owns the toy. */
Runner toy_runner(Toy *toy);
void toy_close(Toy *toy);
/* How many actors were told that they have one. */
int toy_ordered(const Toy *toy);

/* ---- between toy.c and toy_run.c ---------------------------------------------------------- */

enum { TOY_KEY = 24 };
const char *toy_cell_key(int cell, char key[TOY_KEY]);
/* Everybody at the start, memory as before the first run. */
void toy_clean(Toy *toy);
/* Ends the actor's transaction; the caller has the mutex. */
void toy_free_rows(Toy *toy, int actor, bool publish);

#endif
