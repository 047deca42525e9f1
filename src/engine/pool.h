/* pool.h -- a node's connection pool, like HikariCP's or Lettuce's: a link is borrowed for a step or
 * for a transaction, and never used by two actors at the same time. With no more actors than
 * links, an actor keeps the link it has. Thread-safe. */
#ifndef ENGINE_POOL_H
#define ENGINE_POOL_H

#include <stdbool.h>

#include "base/error.h"

typedef struct Pool Pool;
typedef void *(*PoolOpen)(const void *address, Error *error);
typedef void (*PoolClose)(void *link);

/* No link is opened yet. `address` must outlive the pool. */
Pool *pool_new(int capacity, PoolOpen open, PoolClose close, const void *address);
/* A free link, a new one, or, when all are out, the next that comes back (first come, first
 * served is not promised). NULL when a new one could not be opened. */
void *pool_take(Pool *pool, Error *error);
void pool_give(Pool *pool, void *link);
/* Gives back a link that is dead: it is closed, and its place is free. */
void pool_drop(Pool *pool, void *link);
/* Closes the free links. */
void pool_free(Pool *pool);

#endif
