#include "lock/port_redis.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "lock/listener.h"
#include "store/script.h"

struct RedisPort {
    LockPort port;
    RedisAddress address;
    RedisLink *link;      /* scripts */
    Listener *listener;   /* made when something is listened to for the first time */
    int owed;             /* replies to DELs that nobody waits for */
    Watchdog *watchdog;
};

/* ---- scripts --------------------------------------------------------------------------------------- */

static LockReply lost(const Error *error)
{
    LockReply result = {.kind = LOCK_REPLY_LOST};
    snprintf(result.text, sizeof result.text, "%.150s", error->text);
    return result;
}

LockReply port_redis_reply(const redisReply *reply)
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

/* The replies of what was sent and not waited for come first. */
static bool read_owed(RedisPort *port, Error *error)
{
    while (port->owed > 0) {
        redisReply *reply = NULL;
        StoreStatus status = redis_link_receive(port->link, &reply, error);
        if (reply) freeReplyObject(reply);
        if (status == STORE_LOST) return false;
        port->owed--;
    }
    return true;
}

static bool is_connected(RedisPort *port, Error *error)
{
    if (redis_link_context(port->link) && read_owed(port, error)) return true;
    port->owed = 0;
    return redis_link_reopen(port->link, error);
}

static LockReply run(void *data, const char *script, int keys, int count, const char **words)
{
    RedisPort *port = data;
    Error error = {""};
    redisReply *reply = NULL;
    if (!is_connected(port, &error)) return lost(&error);
    StoreStatus status = script_run(port->link, &reply, &error, script, keys, count, words);
    if (status == STORE_LOST) return lost(&error);
    LockReply result = {.kind = LOCK_REPLY_ERROR};
    if (reply)
        result = port_redis_reply(reply);
    else
        snprintf(result.text, sizeof result.text, "%.150s", error.text);
    if (reply) freeReplyObject(reply);
    return result;
}

/* Sent, and not waited for: whoever gives a lock back does not care when its latch goes. */
static void forget(void *data, const char *key)
{
    RedisPort *port = data;
    if (!redis_link_context(port->link)) return;
    const char *words[] = {"DEL", key};
    if (redis_link_send(port->link, NULL, 2, words, NULL) == STORE_OK) port->owed++;
}

/* ---- listening -------------------------------------------------------------------------------------- */

static bool listen_to(void *data, const char *channel)
{
    RedisPort *port = data;
    if (!port->listener) port->listener = listener_new(&port->address);
    return port->listener && listener_begin(port->listener, channel);
}

static void stop_listening(void *data, const char *channel)
{
    RedisPort *port = data;
    if (port->listener) listener_end(port->listener, channel);
}

static bool wait_for_message(void *data, const char *channel, int64_t ms, bool last)
{
    (void)last;
    RedisPort *port = data;
    return port->listener && listener_wait(port->listener, channel, ms);
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
    port->port = (LockPort){.run = run, .forget = forget, .listen = listen_to, .wait = wait_for_message,
                            .unlisten = stop_listening, .now = now_ms, .wall = wall_ms,
                            .watch = watch, .unwatch = unwatch, .data = port};
    return port;
}

void port_redis_close(RedisPort *port)
{
    if (!port) return;
    redis_link_close(port->link);
    listener_free(port->listener);
    free(port);
}

LockPort *port_redis_port(RedisPort *port)
{
    return &port->port;
}
