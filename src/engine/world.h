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
    MAX_PLAN = 256,
    LOCAL_LOCKS = 1 << 15, /* places in the table of local locks; a power of two */
    LOCK_NAME = 48,
    LEASES = 16,
    AGED_MS = 600000, /* step mode: how old a crash makes the pending entries of the node's consumers */
    ACTOR_WATCHES = 4,     /* locks of one actor that its node's watchdog renews at a time */
    SIGNALS = 1 << 15 /* places in the table of signals; a power of two */
};

/* ---- who can move in step mode ------------------------------------------------------------------ */

/* Actors of the world come first; behind them, moves that no actor makes. */
enum {
    STEP_ACTORS = 26,                       /* actors of a world in step mode */
    ACTOR_CLOCK = STEP_ACTORS,              /* "the lease runs out" */
    ACTOR_CRASH,                            /* + node: "the node is killed" */
    ACTOR_START = ACTOR_CRASH + MAX_NODES,  /* + node: "and is started again" */
    ACTOR_FREEZE = ACTOR_START + MAX_NODES, /* + node: "stands still for longer than its leases" */
    ACTOR_SERVER = ACTOR_FREEZE + MAX_NODES, /* + number: something happens to a server */
    MOVERS = 64
};

typedef uint64_t ActorSet; /* of movers, as bits */

static inline ActorSet actor_bit(unsigned mover)
{
    return (ActorSet)1 << mover;
}

static inline bool actor_in(ActorSet set, unsigned mover)
{
    return set >> mover & 1;
}

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
    EVENT_FAULT   /* injected: code = FaultKind, value = ms; or, by the console, a FaultEvent */
} EventKind;

/* One cache line. Times are CLOCK_MONOTONIC in ns. */
typedef struct Event {
    uint64_t begin_ns; /* before the command was sent (of an answer: when the request was asked) */
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

/* What the console itself did, in its own ring (the slot behind the last actor). */
typedef enum ConsoleEvent {
    CONSOLE_EXPIRED = 100, /* argument = lock id of the key that ran out */
    CONSOLE_CRASHED,       /* value = node */
    CONSOLE_STARTED,
    CONSOLE_FROZE,
    CONSOLE_THAWED,
    CONSOLE_SERVER_DOWN,   /* value = ServerKind */
    CONSOLE_SERVER_UP,
    CONSOLE_SERVER_MOVE    /* value = server move, see servers.h */
} ConsoleEvent;

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

/* What a step waits for. It can be made when `signal` was given more often than `seen`; or, where it
 * takes one of what is given (an entry of a queue), when more was given than taken; then `seen` says how often
 * it was given before the first step of the run. `late`, too, is taken from:
 * it is given when so much time has passed that a limited wait is over. */
typedef struct Wait {
    uint32_t signal; /* place + 1, 0: none */
    uint32_t seen;
    bool takes;
    uint32_t late;   /* place + 1 of another signal that ends the wait, 0: none */
} Wait;

/* The step an actor stands before: published before it asks for its turn. */
typedef struct NextStep {
    uint16_t step, line;
    int64_t argument, second;
    char key[KEY_LENGTH];
    Touch touch;
    uint32_t lock;    /* place + 1 of the local lock that it takes or gives back, 0: none */
    int8_t lock_move; /* +1 takes it, -1 gives it back */
    Wait wait;        /* what it waits for */
} NextStep;

/* An actor that, at the end of the run or of its first life, was left in front of a step it never made. */
typedef struct Left {
    bool stands;
    bool killed;   /* with its node */
    uint32_t lock; /* place + 1 of the mutex that the step would take, 0: none */
    Wait wait;     /* what the step waits for */
} Left;

typedef struct Slot {
    int role;                 /* Role */
    _Atomic uint32_t state;   /* ActorState */
    _Atomic uint32_t grant;   /* futex: grows by one with each turn given */
    _Atomic uint32_t line;    /* of the source file, where it stands */
    _Atomic uint32_t step;    /* StepId it stands at */
    _Atomic uint64_t written; /* events written to the ring so far */
    _Atomic uint32_t at_start; /* its thread waits for the next run */
    _Atomic uint32_t begun;   /* requests begun, so that a new life of the node does not repeat them */
    _Atomic uint32_t answered;
    _Atomic uint32_t answers[ANSWER_COUNT];
    _Atomic uint64_t sql_id;  /* CONNECTION_ID() in use, 0 when none */
    _Atomic uint32_t idle_signal; /* in a race, while it waits for a signal: place + 1, else 0 */
    _Atomic uint32_t idle_seen;   /* ... how often that had been given when it began to wait */
    _Atomic uint32_t idle_takes;  /* ... or it waits for more to be given than was taken */
    _Atomic uint32_t looks;       /* a consumer whose waits end after a limit: it looks for what dead ones left */
    _Atomic uint64_t looked_ns;   /* when it has last done so, when everything left was old enough */
    _Atomic uint32_t waits_for_lock; /* in a race: place + 1 of the local lock it waits for, 0: none */
    _Atomic uint64_t waits_for_key; /* hash of the lock in Redis whose channel it listens to, 0: none */
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
    char uuid[40];     /* made when the node starts, as a JVM's static UUID is */
    char message[240]; /* why it failed */
    _Atomic uint32_t shared; /* a reference that one thread of the node hands to the others: see share_proxy() */
    _Atomic uint64_t latency[LATENCY_BUCKETS]; /* requests by duration */
    _Atomic uint64_t steps;
    _Atomic uint64_t watch_wakes_ns; /* race: until when its watchdog sleeps */
} NodeSlot;

/* ---- step mode: every move that was made ------------------------------------------------------- */

/* Written by whoever gives the turn, before it is given; `sends` by the actor, in its step. */
typedef struct MoveEntry {
    uint16_t actor, step;
    ActorSet enabled;  /* movers that could have moved, this one included */
    ActorSet sleeping; /* of them, those whose move from here was explored already */
    ActorSet waiting;  /* actors that waited inside a server at this moment */
    ActorSet locked_out; /* actors at a gate whose next step takes a mutex that another one held, or
                            waits for a signal that had not come */
    uint32_t lock;     /* local lock, see NextStep */
    int8_t lock_move;
    Wait wait;
    uint32_t sends, sends_too; /* places + 1 of the signals that it gave, 0: none */
    uint32_t took;     /* place + 1 of the signal that it took from, 0: none */
    Touch touch;
} MoveEntry;

/* ---- several Redis servers, as the console last made them ----------------------------------------- */

typedef struct WorldServers {
    uint32_t count; /* 0: this world has none */
    RedisAddress address[FLEET_SERVERS];
    _Atomic int32_t master; /* whom clients were told is the master, -1: nobody */
    _Atomic uint32_t dead;  /* as bits */
    _Atomic uint32_t cut;   /* the link from master to replica */
    _Atomic uint32_t life[FLEET_SERVERS]; /* grows when connections made before are of no use any more */
    uint32_t happened;      /* step mode: ServerMove that were made in this run, as bits */
    _Atomic uint32_t wish;  /* futex. A race: the server move + 1 that an actor stands and waits for, 0: none */
} WorldServers;

/* ---- locks ---------------------------------------------------------------------------------------- */

/* A mutex of one node, like a monitor of one JVM. In world memory, so that the console sees who
 * holds it; taken and given back by compare-and-swap, waited for by futex. */
typedef struct LocalLock {
    _Atomic uint64_t id;      /* of name and node; 0: this place is free */
    _Atomic uint32_t holder;  /* futex: actor + 1, 0 when free */
    _Atomic uint32_t waiters;
    int node;
    char name[LOCK_NAME];
} LocalLock;

/* A lock in Redis that somebody took and that has a lease: kept in step mode, so that the clock's
 * move is known to be possible without asking. */
typedef struct Lease {
    uint64_t id; /* hash of the key; 0: this place is free */
    _Atomic uint32_t live;
    uint32_t holder; /* the actor that took it */
    bool watched;    /* its node's watchdog renews it: while the node lives, it does not run out */
    bool fair;       /* its end wakes the first in its queue, else all who wait */
    char key[KEY_LENGTH];
} Lease;

/* A lock that a watchdog renews for the actor that holds it. Written by that actor's thread and by the
 * watchdog of the same node; it dies with the node. */
typedef struct Watched {
    _Atomic uint32_t live;     /* 0: this place is free, or the hold is over */
    _Atomic uint32_t renewals; /* of this hold */
    _Atomic uint64_t due_ns;   /* race: when it is to be renewed next */
    uint32_t holds;            /* re-entry: taken so often */
    int kind;                  /* LockKind of lock/lock.h */
    int server;                /* which Redis, 0: the lab's */
    int64_t lease_ms;
    uint64_t id;               /* hash of the key */
    char key[KEY_LENGTH];
} Watched;

/* Something that can be waited for: a message on a channel, an entry in a queue. It counts how often
 * it was given; who waits says how often it has seen it given. The message itself is read from
 * where it is: the store, or the queue. */
typedef struct Signal {
    _Atomic uint64_t id;    /* 0: this place is free */
    _Atomic uint32_t given; /* futex */
    _Atomic uint32_t taken; /* by steps that take what is given */
    _Atomic uint32_t waiters;
} Signal;

typedef struct ArmedFault {
    Fault fault;
    _Atomic uint32_t armed; /* 0: taken back, or used up */
    _Atomic uint32_t fired; /* how often it hit */
} ArmedFault;

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
    uint32_t users; /* of the actors: those that are users */
    size_t slots_at, rings_at, answers_at, locks_at, signals_at, queues_at, watched_at; /* offsets from the World */
    uint32_t mode; /* Mode */
    int variant;   /* index in variants[] */
    Spec spec;     /* its pointers mean nothing here: see `variant` and `own` */
    int64_t voucher;
    int64_t begin, end; /* sale window, seconds since 1970 */
    RedisAddress redis;
    SqlAddress sql;
    WorldServers servers;

    /* Switches. `attention` is not 0 when a gate must look at any of the others. */
    _Atomic uint32_t attention;
    _Atomic uint32_t go;      /* futex: number of the run; actors wait for it to grow */
    _Atomic uint32_t paused;  /* futex */
    _Atomic uint32_t pace_ms;
    _Atomic uint32_t stop;    /* no new request, and waiting actors give up */
    _Atomic uint32_t quit;    /* nodes end */
    uint64_t released_ns;

    /* Faults: armed by the console at any time, looked at by every gate. */
    ArmedFault fault[MAX_FAULTS];
    _Atomic uint32_t fault_count;
    _Atomic uint64_t frozen_until_ns[MAX_NODES]; /* the node stopped itself; the console lets it go on */

    Lease lease[LEASES];
    _Atomic uint32_t locks_made; /* places in the table of local locks that are taken */
    _Atomic uint32_t signals_made; /* the same of signals */
    uint32_t frozen;    /* step mode: nodes that stood still in this run, as bits */
    uint32_t restarted; /* step mode: crashed nodes that were started again in this run, as bits */
    _Atomic uint32_t crashed; /* nodes that were killed in this run, as bits */
    _Atomic uint64_t crashed_ns; /* when the last of them was */

    _Atomic uint32_t arrivals; /* futex: grows when an actor becomes ready, waits or is done */
    _Atomic uint32_t ready;    /* actors waiting for the start */
    _Atomic uint32_t done;     /* users done or dead */

    /* Step mode: one actor at a time has the baton and decides, by the plan, who is next; see
     * baton.h. These words are written by the holder of the baton alone. */
    uint16_t plan[MAX_PLAN];
    uint32_t plan_length, position;
    uint32_t run_on;         /* past the plan: go on with whoever can move and does not sleep */
    uint32_t prune;          /* keep the sleep set up to date */
    ActorSet sleeping;       /* the sleep set, from the end of the plan on */
    uint32_t blocked_by_sleep; /* nobody can move but sleepers: this run is a repetition */
    Left first_life[STEP_ACTORS]; /* where the actors of a killed node stood then */
    uint32_t wanted;         /* ACTOR_CLOCK or ACTOR_CRASH + n: a move only the scheduler can make */
    MoveEntry moves[MAX_PLAN];
    _Atomic uint32_t move_count;
    _Atomic uint32_t waiting;  /* actors that wait, or come from there and are not at a gate yet: then
                                  every baton goes to the scheduler */
    _Atomic uint32_t baton;    /* BATON_SCHEDULER or the number of the actor that has it */
    _Atomic uint32_t starting; /* actors that have not come to their first gate yet */
    _Atomic uint32_t suspect;  /* the last move may have to wait for a row: ask the server soon */

    OwnRun own; /* of spec.own, where there is one */

    _Atomic uint32_t has_group;     /* stream.orders has group g1: before, nobody can wait for an entry */
    _Atomic uint64_t entries_added; /* step mode: to stream.orders, as far as signals were given for them */

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
/* How many events it holds. One that works behind many users does in a moment what each of them does once. */
uint32_t world_ring_capacity(const World *world, unsigned actor);
AnswerEntry *world_answers(const World *world);
/* Enters an answer into the list that the referee reads. Thread-safe. */
void world_enter_answer(World *world, uint32_t actor, Answer answer, uint64_t asked_ns);
/* The ring behind the last actor's is the console's own. */
Slot *world_console(const World *world);
void world_note(World *world, ConsoleEvent code, int64_t argument, int64_t value);
LocalLock *world_locks(const World *world);
/* The place of the node's lock of that id, made when it is new; NULL when the table is full. */
LocalLock *world_local_lock(World *world, int node, uint64_t id, const char *name);
/* The names of all locks that were asked for, by the id in their events. "" when it is not known. */
void world_name_lock(World *world, uint64_t id, const char *name);
const char *world_lock_name(const World *world, uint64_t id);
/* The node's lock of that id, NULL when nobody has asked for it. */
LocalLock *world_find_lock(const World *world, int node, uint64_t id);
/* Notes that the key of that id has, or has no more, a lease that can run out. */
void world_lease(World *world, uint64_t id, const char *key, bool live, uint32_t holder);
/* What else is known of the lease of that id: see Lease. */
void world_lease_nature(World *world, uint64_t id, bool watched, bool fair);
bool world_lease_is_fair(const World *world, uint64_t id);
/* A lease that may run out now: any live one, or, with clk_after_crash, one whose holder is dead.
 * NULL: none. `key` NULL or empty: any. */
Lease *world_lease_due(World *world, const char *key);
/* The actor's places in the table of watched locks: ACTOR_WATCHES of them. */
Watched *world_watched(const World *world, uint32_t actor);
/* The watchdog of that node, -1: none. */
int world_watchdog(const World *world, int node);
/* Locks that are renewed for ever: their holder is done and its node's watchdog lives. */
long world_watched_for_ever(const World *world);
/* Nothing is watched on that node (-1: anywhere). */
void world_forget_watched(World *world, int node);
/* The place of the signal of that id, made when it is new. Places are shared when the table is full:
 * then somebody wakes for nothing. */
uint32_t world_signal(World *world, uint64_t id);
Signal *world_signal_at(const World *world, uint32_t place);
/* Gives it once: whoever waits for it wakes up. Any process. */
void world_give_signal(World *world, uint32_t place);
/* Nothing is there of what the wait is for. */
bool world_waits_in_vain(const World *world, const Wait *wait);
/* Takes one of what the wait is for: of its signal, else of what says that it is late. Returns place + 1 of
 * the one taken from. */
uint32_t world_take_signal(World *world, const Wait *wait);
/* What waits end with when time passes: given with each crash. */
uint32_t world_late(World *world);
/* The queues of all nodes are empty, and so is stream.orders but for what it begins with. */
void world_open_queues(World *world);
/* Given with every entry of stream.orders. */
uint32_t world_stream_signal(World *world);
/* Step mode: the move that is just being made gives it. A move has room for two. */
void world_note_signal(World *world, uint32_t place);
/* Step mode: none was given yet. Nobody must be waiting. */
void world_forget_signals(World *world);
/* All users are done or dead, and whoever works behind them has nothing left to do: it has ended, or
 * waits for a signal that was not given. */
bool world_is_over(const World *world);
/* A race: all users are done, and whoever works behind them has ended or waits, for whatever it may be. */
bool world_all_wait(const World *world);
/* Arms one more; false when MAX_FAULTS stand already. */
bool world_arm(World *world, const Fault *fault);

/* Number of the user and of the node that actor `actor` belongs to. */
int64_t spec_user(const Spec *spec, int actor);
int spec_node(const Spec *spec, int actor);

/* Latency buckets: index of a duration, and the upper end of a bucket, in ns. */
int latency_bucket(uint64_t ns);
uint64_t latency_bucket_ns(int bucket);

#endif
