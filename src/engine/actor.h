/* actor.h -- one actor, seen from its own node process. Private to engine/. */
#ifndef ENGINE_ACTOR_H
#define ENGINE_ACTOR_H

#include <setjmp.h>

#include "lock/listener.h"
#include "lock/lock.h"
#include "engine/pool.h"
#include "engine/steps.h"
#include "engine/world.h"

enum { ACTOR_LOCKS = 4 };

/* A connection to a server of a fleet, and how often that server had been started by then. */
typedef struct ServerLink {
    RedisLink *link;
    uint32_t life;
} ServerLink;

/* What a pool opens it with. */
typedef struct ServerPlace {
    World *world;
    int server;
} ServerPlace;

struct Actor {
    World *world;
    Slot *slot;
    RingSlot *ring;
    int index, node;
    int64_t user;

    Pool *redis_pool, *sql_pool;
    Pool *script_pool; /* for the learner's own script; NULL: there is none */
    bool shares_links; /* more actors than links: give each back after its step */
    RedisLink *redis; /* borrowed, NULL between steps when links are shared */
    SqlLink *sql;
    Pool *const *server_pool;         /* one a server of the fleet */
    ServerLink *server[FLEET_SERVERS]; /* like `redis` */
    bool keeps_server;                /* ... until the next step there: WAIT speaks of its own connection */
    bool in_transaction; /* the SQL link stays with the actor until commit or rollback */
    bool keeps_sql;      /* ... or until a lock of MySQL is released */
    bool keeps_redis;    /* the Redis link stays with the actor until EXEC or UNWATCH */
    bool queues;         /* between MULTI and EXEC: commands are queued, not executed */

    bool in_hand;        /* a consumer: it works on an entry of its node's queue */
    RedisLink *waiting_redis; /* a consumer's own, in a race: the server makes it wait there */

    uint32_t line;
    uint32_t request;
    uint32_t attempts; /* in this request */
    uint32_t turns;    /* turns taken: what slot->grant was at the last one */
    bool waited;       /* in the step just made, seen by the scheduler; until the next gate */
    uint64_t asked_ns; /* when this request passed its first gate */
    uint64_t came_ns;  /* in a race: when it came to its first gate, where it may have to rest; its latency begins */
    uint64_t random;
    Touch written;     /* by the open transaction: published by its commit */

    LocalLock *held[ACTOR_LOCKS]; /* local locks, in the order they were taken; NULL: of a new object */
    Monitor monitor[ACTOR_LOCKS];
    int held_count;

    /* Waiting for a lock in Redis, see step_port.c. */
    Listener *listener;      /* made when it waits for the first time */
    char channel[LOCK_KEY_LENGTH]; /* that it listens to; "": none */
    uint32_t heard;          /* step mode: messages published there so far that it has taken, or never could */
    uint32_t ends_seen, changes_seen; /* ... and what its last attempt knew: leases ended, locks taken */
    int64_t later_ms;        /* step mode: its clock stands still but for waits that came to their end */
    uint64_t give_backs;     /* each has a latch of its own */

    jmp_buf *catcher;    /* where an error goes */
    AnswerKind failure;  /* ERROR or UNKNOWN */
    Error error;
};

/* Gives back the local locks beyond the first `down_to`, as an error does that leaves their blocks. */
void locals_unwind(Actor *me, int down_to);

/* Listens to nothing any more; without a step, for the end of a request. */
void actor_stop_listening(Actor *me);

/* Makes a key run out now, over the actor's own link: PEXPIRE 1, then waits until it is gone. False:
 * there is no such key. */
bool actor_expire_key(Actor *me, const char *key);

/* Leaves the purchase, as an exception would. */
_Noreturn void actor_throw(Actor *me, AnswerKind failure);

#endif
