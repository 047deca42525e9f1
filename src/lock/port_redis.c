#include "lock/port_redis.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "store/script.h"

struct RedisPort {
    LockPort port;
    RedisAddress address;
    RedisLink *link;      /* scripts */
    RedisLink *listening; /* opened when something is listened to for the first time */
    Watchdog *watchdog;
};

/* ---- scripts --------------------------------------------------------------------------------------- */

static LockReply lost(const Error *error)
{
    LockReply result = {.kind = LOCK_REPLY_LOST};
    snprintf(result.text, sizeof result.text, "%.150s", error->text);
    return result;
}

static LockReply translate(const redisReply *reply)
{
    LockReply result = {.kind = LOCK_REPLY_ERROR};
    if (reply->type == REDIS_REPLY_NIL) {
        result.kind = LOCK_REPLY_NIL;
    } else if (reply->type == REDIS_REPLY_INTEGER) {
        result.kind = LOCK_REPLY_NUMBER;
        result.number = reply->integer;
    } else if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2) {
        result.kind = LOCK_REPLY_PAIR;
        result.number = reply->element[0]->integer;
        result.second = reply->element[1]->integer;
    } else {
        snprintf(result.text, sizeof result.text, "%.150s", reply->str ? reply->str : "unexpected reply");
    }
    return result;
}

static LockReply run(void *data, const char *script, int keys, int count, const char **words)
{
    RedisPort *port = data;
    Error error = {""};
    redisReply *reply = NULL;
    if (!redis_link_context(port->link) && !redis_link_reopen(port->link, &error)) return lost(&error);
    StoreStatus status = script_run(port->link, &reply, &error, script, keys, count, words);
    if (status == STORE_LOST) return lost(&error);
    LockReply result = {.kind = LOCK_REPLY_ERROR};
    if (reply)
        result = translate(reply);
    else
        snprintf(result.text, sizeof result.text, "%.150s", error.text);
    if (reply) freeReplyObject(reply);
    return result;
}

/* ---- listening -------------------------------------------------------------------------------------- */

static bool say(RedisPort *port, const char *verb, const char *channel)
{
    redisReply *reply = NULL;
    StoreStatus status =
        redis_link_argv(port->listening, &reply, NULL, 2, (const char *[]){verb, channel}, NULL);
    if (reply) freeReplyObject(reply);
    return status == STORE_OK;
}

static bool listen_to(void *data, const char *channel)
{
    RedisPort *port = data;
    if (!port->listening) port->listening = redis_link_open(&port->address, NULL);
    if (!port->listening) return false;
    if (!redis_link_context(port->listening) && !redis_link_reopen(port->listening, NULL)) return false;
    return say(port, "SUBSCRIBE", channel);
}

/* Messages that are still under way come before the answer to UNSUBSCRIBE: the connection is left
 * in a state that is known by closing it, when that answer is not the next one. */
static void stop_listening(void *data, const char *channel)
{
    RedisPort *port = data;
    if (!port->listening || !redis_link_context(port->listening)) return;
    redisReply *reply = NULL;
    bool known = redis_link_argv(port->listening, &reply, NULL, 2,
                                 (const char *[]){"UNSUBSCRIBE", channel}, NULL) == STORE_OK &&
                 reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 &&
                 strcasecmp(reply->element[0]->str, "unsubscribe") == 0;
    if (reply) freeReplyObject(reply);
    if (known) return;
    redis_link_close(port->listening);
    port->listening = NULL;
}

static bool is_message(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 && reply->element[0]->str &&
           strcasecmp(reply->element[0]->str, "message") == 0;
}

/* A reply that lies in hiredis' buffer, or comes within `ms`. False: none, or the connection broke. */
static bool next_reply(redisContext *context, int64_t ms, redisReply **reply)
{
    void *found = NULL;
    uint64_t until = clock_now_ns() + (uint64_t)(ms < 0 ? 0 : ms) * 1000000u;
    for (;;) {
        if (redisGetReplyFromReader(context, &found) != REDIS_OK) return false;
        if (found) {
            *reply = found;
            return true;
        }
        int left = -1;
        if (ms >= 0) {
            uint64_t now = clock_now_ns();
            if (now >= until) return false;
            left = (int)((until - now + 999999) / 1000000u);
        }
        struct pollfd waiting = {.fd = context->fd, .events = POLLIN};
        int ready = poll(&waiting, 1, left);
        if (ready < 0 && errno != EINTR) return false;
        if (ready > 0 && redisBufferRead(context) != REDIS_OK) return false;
    }
}

static bool wait_for_message(void *data, const char *channel, int64_t ms)
{
    (void)channel;
    RedisPort *port = data;
    redisContext *context = port->listening ? redis_link_context(port->listening) : NULL;
    redisReply *reply = NULL;
    if (!context || !next_reply(context, ms, &reply)) return false;
    bool message = is_message(reply);
    freeReplyObject(reply);
    return message;
}

/* ---- clocks and the watchdog --------------------------------------------------------------------------- */

static int64_t now_ms(void *data)
{
    (void)data;
    return (int64_t)(clock_now_ns() / 1000000u);
}

static int64_t wall_ms(void *data)
{
    (void)data;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void watch(void *data, const Lock *lock)
{
    RedisPort *port = data;
    if (port->watchdog) watchdog_add(port->watchdog, lock);
}

static void unwatch(void *data, const Lock *lock)
{
    RedisPort *port = data;
    if (port->watchdog) watchdog_remove(port->watchdog, lock);
}

RedisPort *port_redis_open(const RedisAddress *address, Watchdog *watchdog, Error *error)
{
    RedisPort *port = calloc(1, sizeof *port);
    if (!port) {
        error_set(error, "out of memory");
        return NULL;
    }
    port->address = *address;
    port->watchdog = watchdog;
    port->link = redis_link_open(address, error);
    if (!port->link) {
        free(port);
        return NULL;
    }
    port->port = (LockPort){.run = run, .listen = listen_to, .wait = wait_for_message,
                            .unlisten = stop_listening, .now = now_ms, .wall = wall_ms,
                            .watch = watch, .unwatch = unwatch, .data = port};
    return port;
}

void port_redis_close(RedisPort *port)
{
    if (!port) return;
    redis_link_close(port->link);
    if (port->listening) redis_link_close(port->listening);
    free(port);
}

LockPort *port_redis_port(RedisPort *port)
{
    return &port->port;
}
