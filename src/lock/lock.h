/* lock.h -- Redisson's locks, in C: re-entrant, fair, read, write, fenced, and several as one.
 *
 * A part that can stand alone. It knows nothing of connections, threads or clocks: all that it does
 * to the world goes through a LockPort, a handful of functions that the caller provides. One
 * port over hiredis comes with it (port_redis.h); the lab has another, whose every call is a step.
 *
 * The rules are Redisson's, as of its version 4.7: what is stored where, what each script answers,
 * how waiting works. The scripts are in lua/, one file each.
 *
 * Who holds a lock is said by an owner, "uuid:thread": the uuid is the process's, the thread the
 * caller's. A lock may be taken again by its owner, and must be given back as often.
 *
 * All times are in ms. A `Lock` belongs to one thread; two threads that want the same lock make a
 * `Lock` each, of the same name. What a function needs to block for, it blocks for in the port. */
#ifndef LOCK_LOCK_H
#define LOCK_LOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LOCK_NAME_LENGTH = 128,
    LOCK_OWNER_LENGTH = 80,
    LOCK_WATCHDOG_MS = 30000, /* the lease when none is given: renewed every third of it */
    LOCK_FAIR_WAIT_MS = 300000, /* how long a place in a fair queue is kept for its owner */
    LOCK_LATCH_MS = 30000     /* how long a repeated give-back is recognised */
};

/* ---- the world, as the locks see it ------------------------------------------------------------- */

typedef enum LockReplyKind {
    LOCK_REPLY_NIL,
    LOCK_REPLY_NUMBER,
    LOCK_REPLY_PAIR,  /* two numbers */
    LOCK_REPLY_ERROR, /* the server said no: WRONGTYPE where a plain SETNX lock has that name, ... */
    LOCK_REPLY_LOST   /* the connection broke: whether the script ran is not known */
} LockReplyKind;

typedef struct LockReply {
    LockReplyKind kind;
    int64_t number, second;
    char text[160]; /* of an error */
} LockReply;

typedef struct Lock Lock;

typedef struct LockPort {
    /* Runs the script lua/`script` with `keys` of the `count` words as KEYS, the rest as ARGV. */
    LockReply (*run)(void *data, const char *script, int keys, int count, const char **words);
    /* Deletes a key that is of no use any more. Nobody needs to know when. */
    void (*forget)(void *data, const char *key);
    /* Listens to a channel from now on; false when the connection broke. */
    bool (*listen)(void *data, const char *channel);
    /* Sleeps until a message comes on a channel that is listened to, at most `ms` (-1: no limit).
     * True: a message came, now or since the last wait. `last`: the time is the caller's own, who gives up
     * when nothing comes; else it is the lease of the one who has the lock. */
    bool (*wait)(void *data, const char *channel, int64_t ms, bool last);
    void (*unlisten)(void *data, const char *channel);
    /* A clock that goes forward, and the wall clock that the fair queue's deadlines are in. */
    int64_t (*now)(void *data);
    int64_t (*wall)(void *data);
    /* The lock of that name and owner is held without an explicit lease: it is to be renewed, by
     * lock_renew(), every LOCK_WATCHDOG_MS / 3, until `unwatch`. Both may be NULL: no watchdog. */
    void (*watch)(void *data, const Lock *lock);
    void (*unwatch)(void *data, const Lock *lock);
    void *data;
} LockPort;

/* ---- locks ----------------------------------------------------------------------------------------- */

typedef enum LockKind { LOCK_REENTRANT, LOCK_FAIR, LOCK_READER, LOCK_WRITER } LockKind;

struct Lock {
    LockPort *port;
    LockKind kind;
    char name[LOCK_NAME_LENGTH];
    char owner[LOCK_OWNER_LENGTH];
    int64_t watchdog_ms; /* LOCK_WATCHDOG_MS, or what a test wants */
    int64_t fair_wait_ms;
    uint64_t requests;   /* give-backs so far: each has a latch of its own */
    bool unleased;       /* the attempt at hand gives no lease: watch() will follow when it succeeds */
    int64_t token;       /* of the last lock_try_fenced(); -1: none */
};

typedef enum LockResult {
    LOCK_GOT,      /* taken; given back */
    LOCK_KEPT,     /* given back once, and still held: it was taken more often */
    LOCK_REFUSED,  /* another one has it, and the time is up */
    LOCK_NOT_MINE, /* given back by one who does not hold it (IllegalMonitorStateException in Java) */
    LOCK_LOST,     /* the connection broke */
    LOCK_ERROR     /* the server said no; see lock_error() */
} LockResult;

/* Fills in a lock. Nothing is sent. */
void lock_init(Lock *lock, LockPort *port, LockKind kind, const char *name, const char *owner);

/* One attempt; never listens. lease_ms -1: the watchdog keeps it alive; > 0: it ends by itself and
 * is not renewed. *left (may be NULL): ms until it may come free, when it is refused. */
LockResult lock_try(Lock *lock, int64_t lease_ms, int64_t *left);
/* Tries for `wait_ms`: an attempt, then listening, then another attempt (what was published in between
 * is not missed), then sleeping for at most the other's lease or the rest of the time, and again. Every
 * leg is taken off the budget. wait_ms <= 0 is one attempt. A fair lock leaves the queue when it
 * gives up. */
LockResult lock_try_for(Lock *lock, int64_t wait_ms, int64_t lease_ms);
/* The same without an end. */
LockResult lock_take(Lock *lock, int64_t lease_ms);
/* Gives it back once. Renewal ends, whatever the answer. A give-back whose reply was lost may be
 * repeated with lock_give_again(): its latch knows whether it was carried out. */
LockResult lock_give(Lock *lock);
LockResult lock_give_again(Lock *lock);
/* What a watchdog does. False: it is not ours any more, or the server did not answer (*lost, may be
 * NULL, tells: then it is to be tried again at the next third). */
bool lock_renew(Lock *lock, bool *lost);
/* lock_try() of a re-entrant lock, with a number that grows with each holder: lock->token. Whoever is
 * given the number of an older one is too late, however sure it is that it holds the lock. */
LockResult lock_try_fenced(Lock *lock, int64_t lease_ms, int64_t *left);

/* The text of the last LOCK_ERROR of this thread. Never NULL. */
const char *lock_error(void);

/* ---- several as one ------------------------------------------------------------------------------------ */

enum { LOCK_SET_MOST = 8 };

/* MultiLock: all of them. RedLock: more than half, so that one of three masters may be dead. Each
 * lock has the port of its own server. */
typedef struct LockSet {
    Lock *lock[LOCK_SET_MOST];
    int count;
    bool majority;            /* RedLock */
    bool held[LOCK_SET_MOST];
} LockSet;

/* Takes them in order. For one lock a MultiLock waits for all that is left of the time, a RedLock for
 * its share of it. With both times given, each is held for 2 x wait_ms until all are, and for lease_ms
 * from then on. Too many failures: all are given back, and it begins anew until the time is up.
 * wait_ms <= 0 is one round, and no failure by itself. */
LockResult lock_set_try_for(LockSet *set, int64_t wait_ms, int64_t lease_ms);
/* Gives back those that are held. */
void lock_set_give(LockSet *set);
int lock_set_tolerated(const LockSet *set);

/* ---- names, as Redisson gives them ---------------------------------------------------------------------- */

/* "redisson_lock__channel:{name}" and the like; a name that has a hash tag keeps it. `text` holds
 * LOCK_KEY_LENGTH bytes and is returned. */
enum { LOCK_KEY_LENGTH = 320 };
const char *lock_key_channel(const Lock *lock, char *text);
const char *lock_key_latch(const Lock *lock, char *text);
const char *lock_key_queue(const Lock *lock, char *text);
const char *lock_key_deadlines(const Lock *lock, char *text);
const char *lock_key_token(const Lock *lock, char *text);
const char *lock_key_holds(const Lock *lock, char *text); /* "{name}:owner:rwlock_timeout" */

#endif
