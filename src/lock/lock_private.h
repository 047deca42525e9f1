/* lock_private.h -- shared by the sources of lock/ alone. */
#ifndef LOCK_LOCK_PRIVATE_H
#define LOCK_LOCK_PRIVATE_H

#include "lock/lock.h"

/* Keeps an error's text for lock_error(), and says which result it is. */
LockResult lock_trouble(const LockReply *reply);
/* What each kind sends. `queue`: a fair lock takes its place in the queue when it is refused. */
LockReply lock_send_take(Lock *lock, int64_t lease_ms, bool queue);
LockReply lock_send_give(Lock *lock);
LockReply lock_send_renew(Lock *lock);
/* A fair lock's owner gives up its place. */
void lock_send_leave(Lock *lock);
LockReply lock_send_take_fenced(Lock *lock, int64_t lease_ms);

#endif
