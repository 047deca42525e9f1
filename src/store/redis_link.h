/* redis_link.h -- one connection to one Redis server, over hiredis.
 *
 * A link belongs to one thread at a time. After STORE_LOST the link is dead until
 * redis_link_reopen() succeeds. Passwords are kept in the address only, never printed. */
#ifndef STORE_REDIS_LINK_H
#define STORE_REDIS_LINK_H

#include <hiredis/hiredis.h>
#include <stdbool.h>

#include "base/error.h"
#include "store/status.h"

/* redis://[user:pass@]host[:port][/db], rediss://... (TLS), unix:///path/to.sock[?db=N] */
typedef struct RedisAddress {
    char socket[108]; /* a unix socket when not empty, else host and port */
    char host[256];
    int port;
    int db;
    bool tls;
    char user[64];
    char password[256];
} RedisAddress;

/* Reads a URL. A wrong one: false, and one line that shows the right form, without the password. */
bool redis_address_parse(const char *url, RedisAddress *address, Error *error);
/* The address for people: no user, no password. Returns `text`. */
const char *redis_address_show(const RedisAddress *address, char *text, int size);

typedef struct RedisLink RedisLink;

/* Connects (within 3 s), logs in, selects the database. NULL and one clear line when it cannot. */
RedisLink *redis_link_open(const RedisAddress *address, Error *error);
bool redis_link_reopen(RedisLink *link, Error *error);
void redis_link_close(RedisLink *link);

/* Sends one command, reads its reply. *reply is the caller's (freeReplyObject), also for
 * STORE_REFUSED, where it is an error reply; NULL for STORE_LOST. `error` has the text of both. */
StoreStatus redis_link_command(RedisLink *link, redisReply **reply, Error *error,
                               const char *format, ...);
StoreStatus redis_link_argv(RedisLink *link, redisReply **reply, Error *error, int count,
                            const char **words, const size_t *lengths);
/* The two halves of a command, for a process that may be killed between them: the command is
 * written out to the server; then its reply is waited for. */
StoreStatus redis_link_send(RedisLink *link, Error *error, int count, const char **words,
                            const size_t *lengths);
StoreStatus redis_link_receive(RedisLink *link, redisReply **reply, Error *error);

/* The hiredis context, for pipelines and pub/sub; NULL when dead. Stays the link's. */
redisContext *redis_link_context(RedisLink *link);

#endif
