#include "lock/listener.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

struct Listener {
    RedisAddress address;
    RedisLink *link;
};

Listener *listener_new(const RedisAddress *address)
{
    Listener *listener = calloc(1, sizeof *listener);
    if (listener) listener->address = *address;
    return listener;
}

void listener_free(Listener *listener)
{
    if (!listener) return;
    redis_link_close(listener->link);
    free(listener);
}

static redisContext *context_of(const Listener *listener)
{
    return listener->link ? redis_link_context(listener->link) : NULL;
}

static void hang_up(Listener *listener)
{
    redis_link_close(listener->link);
    listener->link = NULL;
}

/* ---- replies: those to our own commands, and messages ------------------------------------------- */

/* ["message", channel, text], ["subscribe", channel, count], ["pong", text]. */
static bool is_reply(const redisReply *reply, const char *kind, const char *channel)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 2 || !reply->element[0]->str) return false;
    if (strcasecmp(reply->element[0]->str, kind) != 0) return false;
    return !channel || (reply->element[1]->str && strcmp(reply->element[1]->str, channel) == 0);
}

/* How long poll() may sleep; 0 when the time is up. */
static int poll_ms(int64_t ms, uint64_t until)
{
    enum { LONGEST = 1 << 30 };
    if (ms < 0) return -1;
    uint64_t now = clock_now_ns();
    if (now >= until) return 0;
    uint64_t left = (until - now + 999999) / 1000000u;
    return left < LONGEST ? (int)left : LONGEST;
}

/* A reply that lies in hiredis' buffer, or comes within `ms`. NULL: none, or the connection broke. */
static redisReply *next_reply(redisContext *context, int64_t ms)
{
    uint64_t until = clock_now_ns() + (uint64_t)(ms < 0 ? 0 : ms) * 1000000u;
    for (;;) {
        void *found = NULL;
        if (redisGetReplyFromReader(context, &found) != REDIS_OK) return NULL;
        if (found) return found;
        int patience = poll_ms(ms, until);
        if (patience == 0) return NULL;
        struct pollfd waiting = {.fd = context->fd, .events = POLLIN};
        int ready = poll(&waiting, 1, patience);
        if (ready < 0 && errno != EINTR) return NULL;
        if (ready > 0 && redisBufferRead(context) != REDIS_OK) return NULL;
    }
}

enum { CONFIRM_MS = 3000 };

/* Sends a command and reads until it is confirmed; messages on the channel that come before are counted.
 * -1: the connection broke. */
static int say(Listener *listener, int count, const char **words, const char *confirmation,
               const char *channel)
{
    redisContext *context = context_of(listener);
    if (!context || redis_link_send(listener->link, NULL, count, words, NULL) != STORE_OK) return -1;
    for (int messages = 0;;) {
        redisReply *reply = next_reply(context, CONFIRM_MS);
        if (!reply) return -1;
        bool confirmed = is_reply(reply, confirmation, NULL);
        messages += is_reply(reply, "message", channel);
        freeReplyObject(reply);
        if (confirmed) return messages;
    }
}

/* ---- listening -------------------------------------------------------------------------------------- */

bool listener_begin(Listener *listener, const char *channel)
{
    if (!context_of(listener)) {
        hang_up(listener);
        listener->link = redis_link_open(&listener->address, NULL);
    }
    if (say(listener, 2, (const char *[]){"SUBSCRIBE", channel}, "subscribe", channel) >= 0) return true;
    hang_up(listener);
    return false;
}

void listener_end(Listener *listener, const char *channel)
{
    if (!context_of(listener)) return;
    if (say(listener, 2, (const char *[]){"UNSUBSCRIBE", channel}, "unsubscribe", channel) < 0)
        hang_up(listener);
}

bool listener_wait(Listener *listener, const char *channel, int64_t ms)
{
    redisContext *context = context_of(listener);
    uint64_t until = clock_now_ns() + (uint64_t)(ms < 0 ? 0 : ms) * 1000000u;
    while (context) {
        int64_t left = ms < 0 ? -1 : poll_ms(ms, until);
        redisReply *reply = next_reply(context, left);
        if (!reply) return false;
        bool message = is_reply(reply, "message", channel);
        freeReplyObject(reply);
        if (message) return true;
    }
    return false;
}

/* The server answers commands and publishes in one order: what it published before the PING is here before
 * the answer to it. */
int listener_collect(Listener *listener, const char *channel)
{
    return say(listener, 1, (const char *[]){"PING"}, "pong", channel);
}
