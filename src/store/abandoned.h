/* abandoned.h -- locks that nothing will ever end: `lock:*` keys without a lease. */
#ifndef STORE_ABANDONED_H
#define STORE_ABANDONED_H

#include "store/redis_link.h"

/* Counts them; false when Redis does not answer. Looks at a few thousand keys at the most. */
bool abandoned_locks(RedisLink *link, long *count, Error *error);

#endif
