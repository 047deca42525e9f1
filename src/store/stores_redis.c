/* stores_redis.c -- the Redis database of a lab: whose it is, and its clean state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "store/stores_private.h"

static const char marker[] = "seckill:lab";

/* The documented names. A trailing blank in the table means: this name alone. */
static const char *const our_names[] = {"seckill:", "lock:",  "icr:",     "stream.orders ",
                                        "stream.orders.dead ", "COUPON:",  "QUEUE:", "redisson_"};

bool stores_redis_ours(const char *key, size_t length)
{
    for (size_t i = 0; i < sizeof our_names / sizeof *our_names; i++) {
        size_t name = strlen(our_names[i]);
        bool whole = our_names[i][name - 1] == ' ';
        if (whole) name--;
        if (length < name || memcmp(key, our_names[i], name) != 0) continue;
        if (!whole || length == name) return true;
    }
    return false;
}

static bool is_marker(const redisReply *key)
{
    return key->len == sizeof marker - 1 && memcmp(key->str, marker, key->len) == 0;
}

/* ---- walking over all keys ----------------------------------------------------------------------
 */

/* Called for each key; false ends the walk. */
typedef bool (*KeyVisit)(void *data, const redisReply *key);

static bool scan_part(RedisLink *link, char cursor[24], KeyVisit visit, void *data, bool *more,
                      Error *error)
{
    redisReply *reply;
    if (redis_link_command(link, &reply, error, "SCAN %s COUNT 500", cursor) != STORE_OK) {
        if (reply) freeReplyObject(reply);
        return false;
    }
    snprintf(cursor, 24, "%s", reply->element[0]->str);
    const redisReply *keys = reply->element[1];
    for (size_t i = 0; *more && i < keys->elements; i++) *more = visit(data, keys->element[i]);
    freeReplyObject(reply);
    if (strcmp(cursor, "0") == 0) *more = false;
    return true;
}

static bool walk(RedisLink *link, KeyVisit visit, void *data, Error *error)
{
    char cursor[24] = "0";
    bool more = true;
    while (more)
        if (!scan_part(link, cursor, visit, data, &more, error)) return false;
    return true;
}

/* ---- the guard
 * ---------------------------------------------------------------------------------------- */

/* One command whose whole-number reply is wanted. */
static bool ask_number(RedisLink *link, long long *number, Error *error, const char *command)
{
    redisReply *reply;
    bool fine = redis_link_command(link, &reply, error, command) == STORE_OK;
    if (fine) *number = reply->integer;
    if (reply) freeReplyObject(reply);
    return fine;
}

static bool visit_foreign(void *data, const redisReply *key)
{
    if (stores_redis_ours(key->str, key->len)) return true;
    text_clean(data, 80, key->str, key->len);
    return false;
}

static bool visit_any(void *data, const redisReply *key)
{
    text_clean(data, 80, key->str, key->len);
    return false;
}

/* Without the marker no key can be ours; with it, the documented names are. */
static bool keys_are_ours(Stores *stores, Error *error)
{
    long long keys, marked;
    char foreign[80] = "", shown[320];
    if (!ask_number(stores->redis, &keys, error, "DBSIZE")) return false;
    if (!ask_number(stores->redis, &marked, error, "EXISTS seckill:lab")) return false;
    if (keys == 0) return true;
    if (!walk(stores->redis, marked ? visit_foreign : visit_any, foreign, error)) return false;
    if (!foreign[0]) return true;
    return error_set(
        error,
        _("%s holds keys that are not the lab's, such as \"%s\". Give an empty database: "
          "another number at the end of the URL."),
        redis_address_show(&stores->redis_address, shown, sizeof shown), foreign);
}

static bool set_marker(Stores *stores, Error *error)
{
    redisReply *reply;
    StoreStatus status = redis_link_command(stores->redis, &reply, error, "SET %s %s", marker,
                                            "this database belongs to seckill-lab");
    if (reply) freeReplyObject(reply);
    stores->marked_redis = status == STORE_OK;
    return status == STORE_OK;
}

/* The value behind "name:" in what INFO says; empty when it is not there. */
static void info_value(const char *info, const char *name, char *value, size_t size)
{
    const char *at = strstr(info, name);
    value[0] = 0;
    if (at)
        snprintf(value, size, "%.*s", (int)strcspn(at + strlen(name), "\r\n"), at + strlen(name));
}

static bool version_will_do(const Stores *stores, const char *info, Error *error)
{
    char version[32], mode[16], shown[320];
    redis_address_show(&stores->redis_address, shown, sizeof shown);
    info_value(info, "redis_version:", version, sizeof version);
    info_value(info, "redis_mode:", mode, sizeof mode);
    if (version[0] && atoi(version) < 5)
        return error_set(error, _("Redis at %s is version %s: the lab needs 5.0 or newer."), shown,
                         version);
    if (strcmp(mode, "cluster") == 0 || strcmp(mode, "sentinel") == 0)
        return error_set(error, _("Redis at %s runs in %s mode. Give a plain one."), shown, mode);
    return true;
}

static bool check_version(Stores *stores, Error *error)
{
    redisReply *reply;
    StoreStatus status = redis_link_command(stores->redis, &reply, error, "INFO server");
    bool fine = status == STORE_OK && version_will_do(stores, reply->str, error);
    if (reply) freeReplyObject(reply);
    return fine;
}

/* What the server said, put in place: which server, and that it is its no. */
static bool with_address(const Stores *stores, Error *error)
{
    char shown[320], said[200];
    snprintf(said, sizeof said, "%.199s", error->text);
    return error_set(error, _("Redis at %s refuses what the lab needs: %s"),
                     redis_address_show(&stores->redis_address, shown, sizeof shown), said);
}

bool stores_redis_check(Stores *stores, Error *error)
{
    Error unwanted;
    if (!error) error = &unwanted;
    error->text[0] = 0;
    if (!stores->redis_own) return true; /* started by ourselves, empty */
    if (check_version(stores, error) && keys_are_ours(stores, error) && set_marker(stores, error))
        return true;
    /* A sentence of ours ends with a full stop; a server's reply like "NOPERM ..." begins with its
     * code in capitals. */
    if (strspn(error->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") >= 3) return with_address(stores, error);
    return false;
}

/* ---- the clean state
 * -------------------------------------------------------------------------------------- */

typedef struct Pipeline {
    redisContext *context;
    int waiting;
} Pipeline;

static bool visit_delete(void *data, const redisReply *key)
{
    Pipeline *pipeline = data;
    if (!stores_redis_ours(key->str, key->len) || is_marker(key)) return true;
    redisAppendCommand(pipeline->context, "DEL %b", key->str, key->len);
    pipeline->waiting++;
    return true;
}

/* Reads the replies of all that was appended; the first refusal is told. */
static bool drain(Stores *stores, Pipeline *pipeline, Error *error)
{
    bool fine = true;
    while (pipeline->waiting > 0) {
        redisReply *reply;
        Error said;
        StoreStatus status = redis_link_receive(stores->redis, &reply, &said);
        pipeline->waiting--;
        if (reply) freeReplyObject(reply);
        if (status != STORE_OK && fine) fine = error_set(error, "%s", said.text);
        if (status == STORE_LOST) return false;
    }
    return fine;
}

/* Our own server: all of the database. The learner's: key by key, and only names of ours. */
static bool append_emptying(Stores *stores, Pipeline *pipeline, Error *error)
{
    if (stores->redis_own) {
        Pipeline found = {.context = pipeline->context};
        char cursor[24] = "0";
        bool more = true;
        while (more) {
            /* Each part is deleted before the next is asked for: replies come in order. */
            if (!scan_part(stores->redis, cursor, visit_delete, &found, &more, error)) return false;
            if (!drain(stores, &found, error)) return false;
        }
        return true;
    }
    redisAppendCommand(pipeline->context, "FLUSHDB");
    pipeline->waiting++;
    return true;
}

static void append_values(Pipeline *pipeline, const ShopSetup *setup)
{
    if (setup->redis_stock) {
        redisAppendCommand(pipeline->context, "SET seckill:stock:%lld %lld",
                           (long long)setup->voucher, (long long)setup->stock);
        pipeline->waiting++;
    }
    if (setup->stream == STREAM_GROUP || setup->stream == STREAM_POISON) {
        redisAppendCommand(pipeline->context, "XGROUP CREATE stream.orders g1 0 MKSTREAM");
        pipeline->waiting++;
    }
    if (setup->stream == STREAM_POISON) {
        redisAppendCommand(pipeline->context, "XADD stream.orders * user nobody voucher %lld",
                           (long long)setup->voucher);
        pipeline->waiting++;
    }
    for (int i = 0; i < setup->presets && i < PRESETS; i++) {
        redisAppendCommand(pipeline->context, "SET %s %s", setup->preset[i].key,
                           setup->preset[i].value);
        pipeline->waiting++;
    }
}

bool stores_redis_clean(Stores *stores, const ShopSetup *setup, Error *error)
{
    Pipeline pipeline = {.context = redis_link_context(stores->redis)};
    if (!pipeline.context)
        return error_set(
            error, _("The connection to Redis is broken. Start it again, then connect again."));
    if (!append_emptying(stores, &pipeline, error)) return false;
    append_values(&pipeline, setup);
    return drain(stores, &pipeline, error);
}

void stores_redis_leave(Stores *stores)
{
    static const ShopSetup nothing;
    if (!stores->redis_own || !stores->marked_redis || !stores->redis) return;
    redisReply *reply = NULL;
    if (stores_redis_clean(stores, &nothing, NULL))
        redis_link_command(stores->redis, &reply, NULL, "DEL %s", marker);
    if (reply) freeReplyObject(reply);
    stores->marked_redis = false;
}
