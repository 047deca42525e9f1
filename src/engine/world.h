/* world.h -- the memory that the console and its node processes share.
 *
 * One memfd, mapped by all: the settings of the run, one slot an actor, one ring of events an
 * actor. It survives the SIGKILL of a node: whatever an actor wrote before it died can be read.
 *
 * Who writes what: the console writes the settings and the switches; an actor's own thread alone
 * writes its ring and (but for `grant`) its slot. All words that both sides use are atomic. */
#ifndef ENGINE_WORLD_H
#define ENGINE_WORLD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/answer.h"
#include "engine/spec.h"

enum {
    MAX_ACTORS = MAX_USERS + 64,
    MAX_TOUCHES = 8,
    KEY_LENGTH = 64,
    LATENCY_BUCKETS = 640, /* 16 to each power of two of ns */
    MAX_PLAN = 256
};

/* ---- what a step reads and writes: for pruning, and for the marks in the panels ------------- */

typedef struct Touch {
    uint64_t resource[MAX_TOUCHES]; /* hashes of a key or a row */
    uint8_t writes;                 /* bit i: resource i is written */
    uint8_t count;
    bool all_sql; /* reads a snapshot of the whole database, or publishes a transaction */
} Touch;

/* ---- events ----------------------------------------------------------------------------------- */

typedef enum EventKind {
    EVENT_STEP,
    EVENT_ANSWER, /* value = order id, code = AnswerKind, second = attempts */
    EVENT_FAULT   /* an injected stall, crash, ... that hit this actor */
} EventKind;

/* One cache line. Times are CLOCK_MONOTONIC in ns. */
typedef struct Event {
    uint64_t begin_ns; /* before the command was sent (of an answer: the request's first step) */
    uint64_t end_ns;   /* after the reply was read */
    int64_t value;     /* the reply */
    int64_t argument;
    int64_t second;
    uint32_t request;  /* number of the actor's request, from 0 */
    uint32_t code;     /* server's error number, or AnswerKind */
    uint16_t line;     /* of the source file */
    uint16_t step;     /* StepId */
    uint8_t kind;
    uint8_t status;    /* StoreStatus */
    uint8_t node;
    uint8_t spare[9];
} Event;
_Static_assert(sizeof(Event) == 64, "an event is one cache line");

/* An event as it lies in a ring. See ring.h. */
enum { RING_WORDS = sizeof(Event) / sizeof(uint64_t) };
typedef struct RingSlot {
    _Atomic uint64_t word[RING_WORDS];
} RingSlot;

/* ---- actors ------------------------------------------------------------------------------------ */

typedef enum ActorState {
    ACTOR_ABSENT,  /* its thread does not exist yet */
    ACTOR_READY,   /* waits for the start */
    ACTOR_RUNNING, /* between two gates: in a step, or in the few lines after it */
    ACTOR_AT_GATE, /* stepping: stands before its next step, waits for its turn */
    ACTOR_WAITING, /* stepping: its step was sent, and the server makes it wait (a row lock) */
    ACTOR_DONE,    /* all its requests are answered */
    ACTOR_DEAD     /* its node was killed, or could not serve it */
} ActorState;

/* The step an actor stands before: published before it asks for its turn. */
typedef struct NextStep {
    uint16_t step, line;
    int64_t argument, second;
    char key[KEY_LENGTH];
    Touch touch;
} NextStep;

typedef struct Slot {
    _Atomic uint32_t state;   /* ActorState */
    _Atomic uint32_t grant;   /* futex: grows by one with each turn given */
    _Atomic uint32_t line;    /* of the source file, where it stands */
    _Atomic uint32_t step;    /* StepId it stands at */
    _Atomic uint64_t written; /* events written to the ring so far */
    _Atomic uint32_t answered;
    _Atomic uint32_t answers[ANSWER_COUNT];
    _Atomic uint64_t sql_id;  /* CONNECTION_ID() in use, 0 when none */
    uint64_t started_ns;      /* when it passed the start of this run */
    int64_t user;
    int node;
    NextStep next;            /* valid in ACTOR_AT_GATE and ACTOR_WAITING */
    Touch held;               /* what its open transaction has written, as of the same moment */
} __attribute__((aligned(64))) Slot;

/* ---- nodes -------------------------------------------------------------------------------------- */

typedef enum NodeState { NODE_ABSENT, NODE_STARTING, NODE_READY, NODE_FAILED, NODE_GONE } NodeState;

typedef struct NodeSlot {
    _Atomic uint32_t state;
    pid_t pid;
    char message[240]; /* why it failed */
    _Atomic uint64_t latency[LATENCY_BUCKETS]; /* requests by duration */
    _Atomic uint64_t steps;
} NodeSlot;

/* ---- step mode: every move that was made ------------------------------------------------------- */

/* Written by whoever gives the turn, before it is given. Actors are bits: at most 32. */
typedef struct MoveEntry {
    uint16_t actor, step;
    uint32_t enabled; /* actors that could have moved, this one included */
    uint32_t sleeping; /* of them, those whose move from here was explored already */
    uint32_t waiting; /* actors that waited inside a server at this moment */
    Touch touch;
} MoveEntry;

enum { STEP_ACTORS = 26 };

/* ---- answers worth remembering: every "yes" and every "unknown" ------------------------------- */

typedef struct AnswerEntry {
    int64_t user, id;
    uint32_t actor;
    _Atomic uint32_t kind; /* AnswerKind + 1, written last; 0: the writer died in the middle */
    uint64_t asked_ns, told_ns;
} AnswerEntry;

/* ---- the whole ------------------------------------------------------------------------------------ */

typedef enum Mode { MODE_RACE, MODE_STEP } Mode;

typedef struct World {
    uint64_t size;
    uint32_t actors, ring_capacity, answer_capacity;
    size_t slots_at, rings_at, answers_at; /* offsets from the World */
    uint32_t mode; /* Mode */
    int variant;   /* index in variants[] */
    Spec spec;     /* spec.variant means nothing here: see `variant` */
    int64_t voucher;
    int64_t begin, end; /* sale window, seconds since 1970 */
    RedisAddress redis;
    SqlAddress sql;

    /* Switches. `attention` is not 0 when a gate must look at any of the others. */
    _Atomic uint32_t attention;
    _Atomic uint32_t go;      /* futex: number of the run; actors wait for it to grow */
    _Atomic uint32_t paused;  /* futex */
    _Atomic uint32_t pace_ms;
    _Atomic uint32_t stop;    /* no new request, and waiting actors give up */
    _Atomic uint32_t quit;    /* nodes end */
    uint64_t released_ns;

    _Atomic uint32_t arrivals; /* futex: grows when an actor becomes ready, waits or is done */
    _Atomic uint32_t ready;    /* actors waiting for the start */
    _Atomic uint32_t done;     /* actors done or dead */

    /* Step mode: one actor at a time has the baton and decides, by the plan, who is next; see
     * baton.h. These words are written by the holder of the baton alone. */
    uint16_t plan[MAX_PLAN];
    uint32_t plan_length, position;
    uint32_t run_on;         /* past the plan: go on with whoever can move and does not sleep */
    uint32_t prune;          /* keep the sleep set up to date */
    uint32_t sleeping;       /* the sleep set, from the end of the plan on */
    uint32_t blocked_by_sleep; /* nobody can move but sleepers: this run is a repetition */
    MoveEntry moves[MAX_PLAN];
    _Atomic uint32_t move_count;
    _Atomic uint32_t waiting;  /* actors that wait, or come from there and are not at a gate yet: then
                                  every baton goes to the scheduler */
    _Atomic uint32_t baton;    /* BATON_SCHEDULER or the number of the actor that has it */
    _Atomic uint32_t starting; /* actors that have not come to their first gate yet */
    _Atomic uint32_t suspect;  /* the last move may have to wait for a row: ask the server soon */

    _Atomic uint64_t answer_count;
    NodeSlot node[MAX_NODES];
} World;

#define BATON_SCHEDULER 0xffffffffu
#define BATON_NOBODY 0xfffffffeu /* the run begins: who comes last to its first gate passes it on */

/* Makes a world for `spec` and maps it; *fd is to be passed on to the nodes. NULL with a reason. */
World *world_create(const Spec *spec, Mode mode, int *fd, Error *error);
/* Maps a world made by another process. */
World *world_attach(int fd, Error *error);
void world_close(World *world);

Slot *world_slot(const World *world, unsigned actor);
RingSlot *world_ring(const World *world, unsigned actor);
AnswerEntry *world_answers(const World *world);

/* Number of the user and of the node that actor `actor` belongs to. */
int64_t spec_user(const Spec *spec, int actor);
int spec_node(const Spec *spec, int actor);

/* Latency buckets: index of a duration, and the upper end of a bucket, in ns. */
int latency_bucket(uint64_t ns);
uint64_t latency_bucket_ns(int bucket);

#endif
