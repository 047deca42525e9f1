#include "locks_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/sandbox.h"

enum { START_MS = 60000 };

RedisAddress address;
RedisPort *port_a, *port_b;
static Sandbox *sandbox;
static RedisLink *probe;

int fixture_open(void **state)
{
    (void)state;
    Error error = {""};
    sandbox = sandbox_start(true, false, &error);
    if (!sandbox || !sandbox_wait_ready(sandbox, START_MS, &error)) {
        fprintf(stderr, "# %s\n", error.text);
        return -1;
    }
    sandbox_addresses(sandbox, &address, NULL);
    probe = redis_link_open(&address, &error);
    port_a = port_redis_open(&address, NULL, &error);
    port_b = port_redis_open(&address, NULL, &error);
    return probe && port_a && port_b ? 0 : -1;
}

int fixture_close(void **state)
{
    (void)state;
    port_redis_close(port_a);
    port_redis_close(port_b);
    redis_link_close(probe);
    sandbox_stop(sandbox);
    return 0;
}

redisReply *ask(const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const char *words[16];
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word && count < 16; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    redisReply *reply = NULL;
    Error error = {""};
    redis_link_argv(probe, &reply, &error, count, words, NULL);
    if (!reply) fail_msg("%s", error.text);
    return reply;
}

long long number_and_free(redisReply *reply)
{
    long long number = reply->type == REDIS_REPLY_INTEGER ? reply->integer
                       : reply->str                       ? atoll(reply->str)
                                                          : -99;
    freeReplyObject(reply);
    return number;
}

bool is_text(redisReply *reply, const char *text)
{
    bool equal = reply->str && strcmp(reply->str, text) == 0;
    freeReplyObject(reply);
    return equal;
}

int fixture_clean(void **state)
{
    (void)state;
    freeReplyObject(ask("FLUSHALL"));
    return 0;
}

Lock make(RedisPort *port, LockKind kind, const char *owner)
{
    Lock lock;
    lock_init(&lock, port_redis_port(port), kind, "lock:order:7", owner);
    return lock;
}
