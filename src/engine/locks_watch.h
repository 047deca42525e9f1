/* locks_watch.h -- follows the locks of a run by its events, while it goes on.
 *
 * A lock is known by its name, as in referee_locks.h: two mutexes with one name on two nodes are the
 * one lock that they are meant to be. An actor is inside from the reply that gave it the lock until it
 * begins to give it back, or until its request is answered or its node dies.
 *
 * Events may come out of order, since rings are read one after the other: those of the last moment are
 * kept back until the others are there. One thread. */
#ifndef ENGINE_LOCKS_WATCH_H
#define ENGINE_LOCKS_WATCH_H

#include "engine/trace.h"

enum { LOCK_INSIDE = 4 };

/* Who is inside. */
typedef struct LockHold {
    int actor;
    uint64_t since_ns;
    bool own_object; /* a local lock on an object that nobody else can have */
    bool shared;     /* a reader */
    bool overlapped; /* counted in `overlap`, since another one was inside */
} LockHold;

/* Two, where there should be one. */
typedef struct LockClash {
    long times;
    int first, second;  /* the first time: who was inside, or held it, and who came in, or deleted it */
    uint64_t at_ns;
} LockClash;

typedef struct WatchedLock {
    uint64_t id;        /* Event.argument of its steps */
    int step;           /* StepId that took it: says where it lives */
    LockHold inside[LOCK_INSIDE];
    int count;
    int holder;         /* who took it last and has not given it back; -1: nobody */
    uint64_t taken_ns;
    bool holder_gone;   /* its request is answered, or its node is dead */
    long lease_ms;      /* -1: none */
    LockClash overlap, mis_delete;
} WatchedLock;

typedef struct LocksWatch {
    const World *world;
    WatchedLock *lock;
    long count, room;
    uint32_t *index;    /* hash table of places in lock[] + 1 */
    uint32_t index_size;
    TraceEvent *late;   /* not taken in yet */
    long late_count, late_room;
    uint16_t *holds;     /* by actor: locks that it is inside of, and those whose holder it is */
    bool no_memory;     /* some locks are not followed */
} LocksWatch;

bool locks_watch_open(LocksWatch *watch, const World *world);
void locks_watch_close(LocksWatch *watch);
/* Events as they were read. */
void locks_watch_feed(LocksWatch *watch, const TraceEvent *events, long count);
/* Takes in what ended before `until_ns`, by time. UINT64_MAX: everything. */
void locks_watch_settle(LocksWatch *watch, uint64_t until_ns);
/* NULL: nobody took a lock of that id. */
WatchedLock *locks_watch_find(const LocksWatch *watch, uint64_t id);

#endif
