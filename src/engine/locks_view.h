/* locks_view.h -- what the Locks panel shows: each lock with its holder, its lease and who waits, what
 * went wrong with it, and who waits for whom.
 *
 * Made of the locks' events (locks_watch.h), of world memory and of a snapshot of the stores. */
#ifndef ENGINE_LOCKS_VIEW_H
#define ENGINE_LOCKS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/locks_watch.h"
#include "store/observe.h"

enum { LOCK_VIEWS = 12, LOCK_WAITERS = 8, WAIT_VIEWS = 16, CYCLE_ACTORS = 8 };

typedef enum LockHome { LOCK_IN_NODE, LOCK_IN_REDIS, LOCK_IN_SQL, LOCK_ON_ROW } LockHome;

/* An actor, as the screen names it. */
typedef struct LockActor {
    int actor; /* -1: nobody, or not known */
    int64_t user;
    int node;
} LockActor;

/* The first time that two were where there should be one; kept when it is long over. */
typedef struct ClashView {
    long times;       /* 0: it has not happened */
    LockActor first;  /* who was inside; or whose lock it was */
    LockActor second; /* who came in too; or who deleted it */
    uint64_t at_ns;   /* since the start of the run */
} ClashView;

typedef struct LockView {
    LockHome home;
    int node;          /* of a lock in a node, 0-based; else -1 */
    char name[KEY_LENGTH]; /* clean */
    int count;         /* how often its holder has it; 0: it is free */
    LockActor holder;
    bool holder_gone;  /* its request is answered, or its node is dead: it will not give it back */
    bool own_object;   /* a lock on an object of its own: it keeps nobody out */
    char owner[96];    /* the value in Redis, clean; "" elsewhere */
    long ttl_ms, ttl_max_ms; /* of its lease; -1: it has none */
    bool still;        /* the lease stands still until the clock's own move: step mode */
    int waiters;       /* may be more than have room below */
    int waiter[LOCK_WAITERS]; /* actors */
    int watchdog;      /* number of the watchdog that renews it, from 1; 0: none */
    long renewals;     /* of this hold, so far */
    bool abandoned;    /* nobody will ever free it: it has no lease, or a watchdog renews it for one who is gone */
    ClashView overlap, mis_delete;
} LockView;

/* One waits for another. */
typedef struct WaitView {
    int waiter;        /* actor */
    int holder;        /* actor, -1: not known */
    LockHome home;
    int node;          /* of a lock in a node, else -1 */
    char on[KEY_LENGTH]; /* the lock's name, or the table of the row */
} WaitView;

typedef struct LocksView {
    LockView lock[LOCK_VIEWS]; /* those that went wrong first, then those that are held */
    int locks;
    long left_out;     /* held ones for which there was no room */
    long overlaps, mis_deletes, abandoned; /* in all */
    WaitView wait[WAIT_VIEWS];
    int waits;
    long waits_left_out;
    int cycle[CYCLE_ACTORS]; /* a deadlock: each waits for the next, the last for the first */
    int cycle_length;  /* 0: there is none */
} LocksView;

/* The locks. `still`: step mode, where leases stand still. Names come from what the snapshot shows and
 * from world memory. */
void locks_view_make(LocksView *view, const LocksWatch *watch, const Snapshot *truth, bool still);
/* Those who listen to a lock's channel in Redis, as waits. */
void locks_view_listeners(LocksView *view, const World *world);
/* One more who waits; first all of these, then locks_view_finish(). */
void locks_view_wait(LocksView *view, const WaitView *wait);
/* Hands the waiters to their locks, and looks for a cycle. */
void locks_view_finish(LocksView *view);

#endif
