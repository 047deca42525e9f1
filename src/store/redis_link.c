#include "store/redis_link.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "store/redis_tls.h"

static const struct timeval connect_patience = {.tv_sec = 3};

struct RedisLink {
    redisContext *context; /* NULL when dead */
    RedisAddress address;
};

/* hiredis writes without MSG_NOSIGNAL: a server that goes away must be an error, not the end. */
static void ignore_broken_pipe(void)
{
    struct sigaction now;
    if (sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
}

/* ---- opening ------------------------------------------------------------------------------- */

static redisContext *connect_to(const RedisAddress *address, Error *error)
{
    redisContext *context =
        address->socket[0]
            ? redisConnectUnixWithTimeout(address->socket, connect_patience)
            : redisConnectWithTimeout(address->host, address->port, connect_patience);
    if (context && !context->err) return context;
    char shown[320];
    error_set(
        error,
        _("Redis at %s cannot be reached: %s. Check that it runs and that the address is right."),
        redis_address_show(address, shown, sizeof shown),
        context ? context->errstr : _("out of memory"));
    if (context) redisFree(context);
    return NULL;
}

/* Words of a server, made fit for one line. */
static bool told_no(const redisReply *reply, const RedisAddress *address, Error *error)
{
    char shown[320], said[200];
    redis_address_show(address, shown, sizeof shown);
    text_clean(said, sizeof said, reply->str, reply->len);
    if (strncmp(said, "NOAUTH", 6) == 0)
        return error_set(error,
                         _("Redis at %s wants a password: write redis://:PASSWORD@host, or set "
                           "REDISCLI_AUTH."),
                         shown);
    if (strncmp(said, "WRONGPASS", 9) == 0 || strstr(said, "invalid password"))
        return error_set(error, _("Redis at %s refuses the user or the password. Check both."),
                         shown);
    if (strstr(said, "DB index"))
        return error_set(error,
                         _("Redis at %s has no database %d. Give a smaller number in the URL."),
                         shown, address->db);
    return error_set(error, _("Redis at %s refuses the connection: %s"), shown, said);
}

/* One reply of the log-in; a server that needs no password does not mind being given one. */
static bool log_in_reply(redisContext *context, const RedisAddress *address, bool forgiving,
                         Error *error)
{
    redisReply *reply;
    if (redisGetReply(context, (void **)&reply) != REDIS_OK) {
        char shown[320];
        return error_set(error, _("%s does not answer as a Redis does: %s. Check host and port."),
                         redis_address_show(address, shown, sizeof shown), context->errstr);
    }
    bool fine = reply->type != REDIS_REPLY_ERROR ||
                (forgiving && strstr(reply->str, "without any password"));
    if (!fine) told_no(reply, address, error);
    freeReplyObject(reply);
    return fine;
}

/* AUTH, SELECT and PING go out together: one round trip. */
static bool log_in(redisContext *context, const RedisAddress *address, Error *error)
{
    bool auth = address->password[0], select = address->db != 0;
    if (auth && address->user[0])
        redisAppendCommand(context, "AUTH %s %s", address->user, address->password);
    else if (auth)
        redisAppendCommand(context, "AUTH %s", address->password);
    if (select) redisAppendCommand(context, "SELECT %d", address->db);
    redisAppendCommand(context, "PING");
    if (auth && !log_in_reply(context, address, true, error)) return false;
    if (select && !log_in_reply(context, address, false, error)) return false;
    return log_in_reply(context, address, false, error);
}

static bool start_session(redisContext *context, const RedisAddress *address, Error *error)
{
    /* A frozen server accepts connections and stays silent: the log-in must not wait for ever. */
    redisSetTimeout(context, connect_patience);
    if (address->tls && !redis_tls_start(context, address, error)) return false;
    if (!log_in(context, address, error)) return false;
    redisSetTimeout(context, (struct timeval){0});
    if (!address->socket[0]) redisEnableKeepAlive(context);
    return true;
}

static void drop(RedisLink *link)
{
    if (link->context) redisFree(link->context);
    link->context = NULL;
}

bool redis_link_reopen(RedisLink *link, Error *error)
{
    drop(link);
    redisContext *context = connect_to(&link->address, error);
    if (!context) return false;
    if (!start_session(context, &link->address, error)) {
        redisFree(context);
        return false;
    }
    link->context = context;
    return true;
}

RedisLink *redis_link_open(const RedisAddress *address, Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ignore_broken_pipe);
    RedisLink *link = calloc(1, sizeof *link);
    if (!link) {
        error_set(error, _("Out of memory."));
        return NULL;
    }
    link->address = *address;
    if (redis_link_reopen(link, error)) return link;
    free(link);
    return NULL;
}

void redis_link_close(RedisLink *link)
{
    if (!link) return;
    drop(link);
    free(link);
}

redisContext *redis_link_context(RedisLink *link)
{
    return link->context;
}

/* ---- commands ------------------------------------------------------------------------------- */

static StoreStatus lost(RedisLink *link, Error *error)
{
    char shown[320];
    redis_address_show(&link->address, shown, sizeof shown);
    if (link->context && link->context->errstr[0])
        error_set(error, _("The connection to Redis at %s broke: %s"), shown,
                  link->context->errstr);
    else
        error_set(error, _("The connection to Redis at %s is broken."), shown);
    drop(link);
    return STORE_LOST;
}

StoreStatus redis_link_send(RedisLink *link, Error *error, int count, const char **words,
                            const size_t *lengths)
{
    if (!link->context) return lost(link, error);
    int done = 0;
    if (redisAppendCommandArgv(link->context, count, words, lengths) != REDIS_OK)
        return lost(link, error);
    while (!done)
        if (redisBufferWrite(link->context, &done) != REDIS_OK) return lost(link, error);
    return STORE_OK;
}

StoreStatus redis_link_receive(RedisLink *link, redisReply **reply, Error *error)
{
    *reply = NULL;
    if (!link->context) return lost(link, error);
    if (redisGetReply(link->context, (void **)reply) != REDIS_OK) {
        *reply = NULL;
        return lost(link, error);
    }
    if ((*reply)->type != REDIS_REPLY_ERROR) return STORE_OK;
    if (error) text_clean(error->text, sizeof error->text, (*reply)->str, (*reply)->len);
    return STORE_REFUSED;
}

StoreStatus redis_link_argv(RedisLink *link, redisReply **reply, Error *error, int count,
                            const char **words, const size_t *lengths)
{
    *reply = NULL;
    if (!link->context) return lost(link, error);
    if (redisAppendCommandArgv(link->context, count, words, lengths) != REDIS_OK)
        return lost(link, error);
    return redis_link_receive(link, reply, error);
}

StoreStatus redis_link_command(RedisLink *link, redisReply **reply, Error *error,
                               const char *format, ...)
{
    *reply = NULL;
    if (!link->context) return lost(link, error);
    va_list arguments;
    va_start(arguments, format);
    int appended = redisvAppendCommand(link->context, format, arguments);
    va_end(arguments);
    if (appended != REDIS_OK) return lost(link, error);
    return redis_link_receive(link, reply, error);
}
