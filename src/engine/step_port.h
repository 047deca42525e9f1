/* step_port.h -- the world of lock/lock.h where every call is a step: scripts, listening, waiting.
 * Private to engine/.
 *
 * In step mode leases do not run out by themselves, so they are sent much longer than they are told; and a wait
 * cannot be chosen before there is something to wake up for: a message, or the end of the lease that is waited
 * for. A wait with a limit of the caller's own may end at any moment; then the caller's clock is past the limit. */
#ifndef ENGINE_STEP_PORT_H
#define ENGINE_STEP_PORT_H

#include "engine/gate.h"
#include "lock/lock.h"

typedef struct StepPort {
    Actor *me;
    LockPort port;
    Lock lock;     /* uses `port`; both must stay where they are */
    int server;    /* which Redis, 0: the lab's */
    bool watched;  /* the watchdog was told of the attempt at hand */
    bool renewing; /* a watchdog's, inside a step already */
} StepPort;

/* The lock of that kind and name, held (or wanted) by `owner`. */
void step_port_open(StepPort *port, Actor *me, LockKind kind, const char *key, const char *owner, int server);
/* A lease as it is sent. -1 stays -1: none is given. */
int64_t step_port_lease(const Actor *me, int64_t lease_ms);

/* "uuid:thread" of that actor. */
void step_port_owner(const World *world, uint32_t actor, char owner[LOCK_OWNER_LENGTH]);

/* The signals around a lock's key: that it came free (of a fair lock: to that owner, else NULL), how often its
 * lease has ended, and that a fair lock changed hands. They are places of world_signal(). */
uint32_t lock_free_signal(World *world, const char *key, const char *owner);
uint32_t lock_end_signal(World *world, const char *key, const char *owner);
uint32_t lock_change_signal(World *world, const char *key);
/* Step mode: that lock's lease has just ended, by the move at hand. `link`: any to its Redis. */
void lock_lease_ended(World *world, RedisLink *link, const char *key);
/* A node's watchdog has one more lock to renew. */
uint32_t watch_signal(World *world, int node);

/* What a watchdog's thread does. Returns when the run is over. */
void watchdog_work(Actor *me);

#endif
