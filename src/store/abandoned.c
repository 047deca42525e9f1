#include "store/abandoned.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 64 };

/* PTTL -1: the key is there and has no TTL. */
static bool has_no_lease(RedisLink *link, const redisReply *name, bool *without, Error *error)
{
    redisReply *reply = NULL;
    const char *words[] = {"PTTL", name->str};
    const size_t lengths[] = {4, name->len};
    StoreStatus status = redis_link_argv(link, &reply, error, 2, words, lengths);
    *without = status == STORE_OK && reply->integer == -1;
    if (reply) freeReplyObject(reply);
    return status == STORE_OK;
}

bool abandoned_locks(RedisLink *link, long *count, Error *error)
{
    char cursor[24] = "0";
    *count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        redisReply *reply = NULL;
        StoreStatus status = redis_link_command(link, &reply, error, "SCAN %s MATCH lock:* COUNT 500", cursor);
        if (status != STORE_OK || reply->elements != 2) {
            if (reply) freeReplyObject(reply);
            return false;
        }
        snprintf(cursor, sizeof cursor, "%s", reply->element[0]->str);
        const redisReply *names = reply->element[1];
        bool ok = true;
        for (size_t i = 0; ok && i < names->elements; i++) {
            bool without;
            ok = has_no_lease(link, names->element[i], &without, error);
            *count += ok && without;
        }
        freeReplyObject(reply);
        if (!ok) return false;
        if (strcmp(cursor, "0") == 0) return true;
    }
    return true;
}
