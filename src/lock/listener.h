/* listener.h -- one connection that hears what is published on a channel.
 *
 * A listener belongs to one thread at a time. A connection that broke is opened again by the next
 * listener_begin(); what was published in between is lost, as with every subscriber of Redis. */
#ifndef LOCK_LISTENER_H
#define LOCK_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "store/redis_link.h"

typedef struct Listener Listener;

/* Nothing is connected yet. NULL: out of memory. */
Listener *listener_new(const RedisAddress *address);
void listener_free(Listener *listener);

/* SUBSCRIBE, and its confirmation: what is published from now on is heard. False: the connection broke. */
bool listener_begin(Listener *listener, const char *channel);
/* UNSUBSCRIBE. Messages that are still under way are read and forgotten. */
void listener_end(Listener *listener, const char *channel);
/* Sleeps until a message on that channel is there, at most `ms` (-1: no limit). False: none came, or the
 * connection broke. */
bool listener_wait(Listener *listener, const char *channel, int64_t ms);
/* The number of messages that were published on that channel and not been waited for yet; none can be under
 * way: the server is asked. They are taken. -1: the connection broke. */
int listener_collect(Listener *listener, const char *channel);

#endif
