/* stream_view.h -- stream.orders and its group g1, as Redis tells of them.
 *
 * However many entries there are, they are not read: it is asked for numbers, and for the oldest few that
 * are pending. */
#ifndef STORE_STREAM_VIEW_H
#define STORE_STREAM_VIEW_H

#include "store/redis_link.h"

enum { STREAM_CONSUMERS = 8 };

typedef struct StreamConsumer {
    char name[24];         /* clean */
    long pending;          /* entries it was given and has not acknowledged */
    long idle_ms;          /* since it was last heard of */
    long oldest_idle_ms;   /* since its oldest pending entry was delivered; 0: none is pending */
    long deliveries;       /* the most that one of its pending entries was delivered, of those looked at */
} StreamConsumer;

typedef struct StreamView {
    bool exists, has_group;
    long length;           /* entries in it, read or not */
    long lag;              /* entries that the group has not been given; -1: Redis cannot say (before 7.0) */
    long pending;          /* given, not acknowledged */
    long acked;            /* -1: Redis cannot say */
    bool unread;           /* there is an entry that the group has not been given */
    long set_aside;        /* entries of stream.orders.dead */
    StreamConsumer consumer[STREAM_CONSUMERS];
    int consumers;         /* at most as many as have room */
} StreamView;

/* Asks. False when the connection is lost; a stream or group that is not there is no error. */
bool stream_view_read(RedisLink *link, StreamView *view, Error *error);
/* Entries that somebody still has to deal with, as far as it is known. */
long stream_view_waiting(const StreamView *view);

#endif
