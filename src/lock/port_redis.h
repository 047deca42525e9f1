/* port_redis.h -- the locks' world over hiredis: one connection for scripts, one for listening, and a
 * thread that keeps what is held alive.
 *
 * A port belongs to one thread at a time, but for its watchdog, which has a connection of its own. */
#ifndef LOCK_PORT_REDIS_H
#define LOCK_PORT_REDIS_H

#include "base/error.h"
#include "lock/lock.h"
#include "store/redis_link.h"

typedef struct RedisPort RedisPort;
typedef struct Watchdog Watchdog;

/* `watchdog` may be NULL: then nothing is renewed. NULL with a reason when Redis cannot be reached. */
RedisPort *port_redis_open(const RedisAddress *address, Watchdog *watchdog, Error *error);
void port_redis_close(RedisPort *port);
LockPort *port_redis_port(RedisPort *port);

/* What a script said, for ports that send it themselves. */
LockReply port_redis_reply(const redisReply *reply);

/* One for a process: a thread that renews every lock it was told of, each LOCK's watchdog_ms / 3 after
 * it was taken or renewed, until it is told to stop. A renewal that the server refuses drops the
 * lock; one that is lost is tried again at the next third. It belongs to the process: a thread that
 * dies leaves its locks renewed for ever, a process that is frozen renews nothing. Thread-safe. */
Watchdog *watchdog_start(const RedisAddress *address, Error *error);
void watchdog_stop(Watchdog *watchdog);
void watchdog_add(Watchdog *watchdog, const Lock *lock);
void watchdog_remove(Watchdog *watchdog, const Lock *lock);
/* How many locks it keeps, and how many renewals it has made. */
long watchdog_count(Watchdog *watchdog, long *renewals);

#endif
