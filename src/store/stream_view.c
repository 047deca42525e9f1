#include "store/stream_view.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define OLDEST_TEXT "16"

/* ---- maps: name, value, name, value --------------------------------------------------------------- */

static const redisReply *value_of(const redisReply *map, const char *name)
{
    for (size_t i = 0; map->type == REDIS_REPLY_ARRAY && i + 1 < map->elements; i += 2)
        if (map->element[i]->str && strcmp(map->element[i]->str, name) == 0) return map->element[i + 1];
    return NULL;
}

static long number_of(const redisReply *map, const char *name, long otherwise)
{
    const redisReply *value = value_of(map, name);
    return value && value->type == REDIS_REPLY_INTEGER ? (long)value->integer : otherwise;
}

static void text_of(const redisReply *map, const char *name, char *text, size_t size)
{
    const redisReply *value = value_of(map, name);
    text[0] = '\0';
    if (value && value->str) text_clean(text, size, value->str, value->len);
}

/* ---- what the server says ------------------------------------------------------------------------- */

static void take_group(const redisReply *groups, StreamView *view, char last[32])
{
    for (size_t i = 0; groups->type == REDIS_REPLY_ARRAY && i < groups->elements; i++) {
        char name[24];
        const redisReply *group = groups->element[i];
        text_of(group, "name", name, sizeof name);
        if (strcmp(name, "g1") != 0) continue;
        view->has_group = true;
        view->pending = number_of(group, "pending", 0);
        view->lag = number_of(group, "lag", -1);
        long read = number_of(group, "entries-read", -1);
        view->acked = read >= 0 ? read - view->pending : -1;
        text_of(group, "last-delivered-id", last, 32);
    }
}

static void take_consumers(const redisReply *consumers, StreamView *view)
{
    for (size_t i = 0; consumers->type == REDIS_REPLY_ARRAY && i < consumers->elements; i++) {
        if (view->consumers == STREAM_CONSUMERS) return;
        StreamConsumer *consumer = &view->consumer[view->consumers++];
        text_of(consumers->element[i], "name", consumer->name, sizeof consumer->name);
        consumer->pending = number_of(consumers->element[i], "pending", 0);
        consumer->idle_ms = number_of(consumers->element[i], "idle", 0);
    }
}

static StreamConsumer *consumer_named(StreamView *view, const redisReply *name)
{
    for (int i = 0; i < view->consumers; i++)
        if (name->str && strcmp(view->consumer[i].name, name->str) == 0) return &view->consumer[i];
    return NULL;
}

/* [id, consumer, idle, deliveries] of each of the oldest. */
static void take_oldest(const redisReply *oldest, StreamView *view)
{
    for (size_t i = 0; oldest->type == REDIS_REPLY_ARRAY && i < oldest->elements; i++) {
        const redisReply *row = oldest->element[i];
        if (row->type != REDIS_REPLY_ARRAY || row->elements != 4) continue;
        StreamConsumer *consumer = consumer_named(view, row->element[1]);
        if (!consumer) continue;
        long idle = (long)row->element[2]->integer, deliveries = (long)row->element[3]->integer;
        if (idle > consumer->oldest_idle_ms) consumer->oldest_idle_ms = idle;
        if (deliveries > consumer->deliveries) consumer->deliveries = deliveries;
    }
}

static long integer_of(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer : 0;
}

/* ---- asking ------------------------------------------------------------------------------------------ */

enum { QUESTIONS = 6 };

static bool ask(RedisLink *link, redisReply *reply[QUESTIONS], Error *error)
{
    static const char *const questions[QUESTIONS] = {
        "EXISTS stream.orders",           "XLEN stream.orders",
        "XINFO GROUPS stream.orders",     "XINFO CONSUMERS stream.orders g1",
        "XPENDING stream.orders g1 - + " OLDEST_TEXT, "XLEN stream.orders.dead"};
    redisContext *context = redis_link_context(link);
    if (!context) return false;
    for (int i = 0; i < QUESTIONS; i++) redisAppendCommand(context, questions[i]);
    for (int i = 0; i < QUESTIONS; i++)
        if (redis_link_receive(link, &reply[i], error) == STORE_LOST) return false;
    return true;
}

static bool ask_unread(RedisLink *link, const char *last, StreamView *view, Error *error)
{
    redisReply *reply = NULL;
    StoreStatus status =
        redis_link_command(link, &reply, error, "XREAD COUNT 1 STREAMS stream.orders %s", last[0] ? last : "0");
    view->unread = status == STORE_OK && reply->type == REDIS_REPLY_ARRAY && reply->elements > 0;
    if (reply) freeReplyObject(reply);
    return status != STORE_LOST;
}

bool stream_view_read(RedisLink *link, StreamView *view, Error *error)
{
    char last[32] = "";
    redisReply *reply[QUESTIONS] = {NULL};
    *view = (StreamView){.lag = -1, .acked = -1};
    bool fine = ask(link, reply, error);
    if (fine) {
        view->exists = integer_of(reply[0]) > 0;
        view->length = integer_of(reply[1]);
        take_group(reply[2], view, last);
        take_consumers(reply[3], view);
        take_oldest(reply[4], view);
        view->set_aside = integer_of(reply[5]);
    }
    for (int i = 0; i < QUESTIONS; i++)
        if (reply[i]) freeReplyObject(reply[i]);
    return fine && (!view->exists || ask_unread(link, last, view, error));
}

long stream_view_waiting(const StreamView *view)
{
    if (!view->unread) return view->pending;
    if (!view->has_group) return view->length;
    return view->pending + (view->lag > 0 ? view->lag : 1);
}
