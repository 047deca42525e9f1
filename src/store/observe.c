#include "store/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "store/observe_private.h"
#include "store/stores_private.h"

enum { ANSWER_SECONDS = 5, RETRY_MS = 500 };

/* ---- opening and closing ----------------------------------------------------------------------
 */

/* A frozen server must not freeze whoever watches. */
static void limit_patience(RedisLink *link)
{
    redisContext *context = redis_link_context(link);
    if (context) redisSetTimeout(context, (struct timeval){.tv_sec = ANSWER_SECONDS});
}

Observer *observer_open(const Stores *stores, Error *error)
{
    Observer *observer = calloc(1, sizeof *observer);
    if (!observer) {
        error_set(error, _("Out of memory."));
        return NULL;
    }
    observer->stores = stores;
    observer->redis_own = stores->redis_own;
    observer->sql_own = stores->sql_own;
    stores_addresses(stores, &observer->redis_address, &observer->sql_address);
    observer->redis = redis_link_open(&observer->redis_address, error);
    observer->sql = observer->redis
                        ? sql_link_open_within(&observer->sql_address, true, ANSWER_SECONDS, error)
                        : NULL;
    if (!observer->sql) {
        observer_close(observer);
        return NULL;
    }
    limit_patience(observer->redis);
    return observer;
}

void observer_close(Observer *observer)
{
    if (!observer) return;
    observe_fleet_end(observer);
    redis_link_close(observer->redis);
    redis_link_close(observer->typed_redis);
    sql_link_close(observer->sql);
    sql_link_close(observer->typed_sql);
    free(observer);
}

bool retry_due(Retry *retry)
{
    uint64_t now = clock_now_ns();
    if (now < retry->not_before_ns) return false;
    retry->not_before_ns = now + RETRY_MS * 1000000ull;
    return true;
}

/* ---- the database
 * -------------------------------------------------------------------------------- */

/* One statement is one read view: stock and orders belong to the same moment. */
static const char count_everything[] =
    "SELECT (SELECT stock FROM tb_seckill_voucher WHERE voucher_id = ?),"
    " (SELECT version FROM tb_seckill_voucher WHERE voucher_id = ?),"
    " CAST(IFNULL(SUM(n), 0) AS SIGNED), CAST(IFNULL(SUM(n > 1), 0) AS SIGNED)"
    " FROM (SELECT COUNT(*) AS n FROM tb_voucher_order WHERE voucher_id = ? GROUP BY user_id) AS "
    "buyers";

static bool ask_sql(Observer *observer, int64_t voucher, SqlResult *result)
{
    int64_t parameters[] = {voucher, voucher, voucher};
    StoreStatus status = sql_link_run(observer->sql, count_everything, 3, parameters, result, NULL);
    if (status != STORE_LOST) return status == STORE_OK;
    if (!retry_due(&observer->sql_retry) || !sql_link_reopen(observer->sql, NULL)) return false;
    return sql_link_run(observer->sql, count_everything, 3, parameters, result, NULL) == STORE_OK;
}

static void take_sql(Observer *observer, int64_t voucher, Snapshot *snapshot)
{
    SqlResult result;
    snapshot->sql_ok = ask_sql(observer, voucher, &result) && result.rows == 1;
    if (!snapshot->sql_ok) return;
    snapshot->stock = (long)result.value[0];
    snapshot->version = (long)result.value[1];
    snapshot->orders = (long)result.value[2];
    snapshot->duplicate_users = (long)result.value[3];
}

/* ---- Redis
 * ------------------------------------------------------------------------------------------ */

enum { IN_EXEC = 5, BEFORE_EXEC = 1 + IN_EXEC };

/* The counters stand in one MULTI, so that they too belong to one moment; the rest follows in the
 * same write. */
static bool append_questions(redisContext *context, long long voucher)
{
    redisAppendCommand(context, "MULTI");
    redisAppendCommand(context, "GET seckill:stock:%lld", voucher);
    redisAppendCommand(context, "SCARD seckill:order:%lld", voucher);
    redisAppendCommand(context, "EXISTS seckill:order:%lld", voucher);
    redisAppendCommand(context, "XLEN stream.orders");
    redisAppendCommand(context, "EXISTS stream.orders");
    redisAppendCommand(context, "EXEC");
    redisAppendCommand(context, "XPENDING stream.orders g1");
    redisAppendCommand(context, "DBSIZE");
    return redisAppendCommand(context, "SCAN 0 COUNT 200") == REDIS_OK;
}

/* The next reply, of whatever kind; NULL when the connection broke. */
static redisReply *next_reply(RedisLink *link)
{
    redisReply *reply;
    redis_link_receive(link, &reply, NULL);
    return reply;
}

static long reply_number(const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER) return (long)reply->integer;
    return reply->type == REDIS_REPLY_STRING ? strtol(reply->str, NULL, 10) : 0;
}

static void take_counters(const redisReply *counters, Snapshot *snapshot)
{
    if (counters->type != REDIS_REPLY_ARRAY || counters->elements != IN_EXEC) return;
    redisReply **element = counters->element;
    snapshot->has_redis_stock = element[0]->type == REDIS_REPLY_STRING;
    snapshot->redis_stock = snapshot->has_redis_stock ? reply_number(element[0]) : 0;
    snapshot->buyers = reply_number(element[1]);
    snapshot->has_buyers = reply_number(element[2]) > 0;
    snapshot->queue_length = reply_number(element[3]);
    snapshot->has_queue = reply_number(element[4]) > 0;
}

/* XPENDING in its short form begins with the number of pending entries. */
static void take_pending(const redisReply *pending, Snapshot *snapshot)
{
    bool told = pending->type == REDIS_REPLY_ARRAY && pending->elements > 0;
    snapshot->queue_pending = told ? reply_number(pending->element[0]) : 0;
}

/* One round trip more, where there is a stream. */
static bool take_stream(RedisLink *link, Snapshot *snapshot)
{
    if (snapshot->has_queue) return stream_view_read(link, &snapshot->stream, NULL);
    snapshot->stream = (StreamView){.lag = -1, .acked = -1};
    return true;
}

static bool take_answers(Observer *observer, int64_t voucher, Snapshot *snapshot)
{
    RedisLink *link = observer->redis;
    for (int i = 0; i < BEFORE_EXEC; i++) {
        redisReply *queued = next_reply(link);
        if (!queued) return false;
        freeReplyObject(queued);
    }
    redisReply *counters = next_reply(link), *pending = counters ? next_reply(link) : NULL;
    redisReply *size = pending ? next_reply(link) : NULL, *keys = size ? next_reply(link) : NULL;
    bool fine = keys && keys->type == REDIS_REPLY_ARRAY;
    if (fine) {
        take_counters(counters, snapshot);
        take_pending(pending, snapshot);
        fine = take_stream(link, snapshot) && observe_keys(observer, voucher, keys, reply_number(size), snapshot);
    }
    redisReply *all[] = {counters, pending, size, keys};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]) freeReplyObject(all[i]);
    return fine;
}

static bool ask_redis(Observer *observer, int64_t voucher, Snapshot *snapshot)
{
    redisContext *context = redis_link_context(observer->redis);
    return context && append_questions(context, voucher) &&
           take_answers(observer, voucher, snapshot);
}

static void forget_changes(Snapshot *snapshot)
{
    for (int i = 0; i < snapshot->key_count; i++) snapshot->keys[i].changed = false;
}

static void take_redis(Observer *observer, int64_t voucher, Snapshot *snapshot)
{
    snapshot->redis_ok = ask_redis(observer, voucher, snapshot);
    if (snapshot->redis_ok) return;
    if (!redis_link_context(observer->redis) && retry_due(&observer->redis_retry) &&
        redis_link_reopen(observer->redis, NULL)) {
        limit_patience(observer->redis);
        snapshot->redis_ok = ask_redis(observer, voucher, snapshot);
    }
    if (!snapshot->redis_ok) forget_changes(snapshot);
}

void observer_take(Observer *observer, int64_t voucher, Snapshot *snapshot)
{
    snapshot->taken_ns = clock_now_ns();
    take_sql(observer, voucher, snapshot);
    take_redis(observer, voucher, snapshot);
    observe_fleet(observer, snapshot);
}

/* ---- all orders
 * ------------------------------------------------------------------------------------------ */

typedef struct Gathered {
    OrderRow *rows;
    long count, room;
    bool no_memory;
} Gathered;

static bool gather(void *data, long index, int columns, char **values)
{
    Gathered *gathered = data;
    if (index < 0) return true;
    if (gathered->count == gathered->room) {
        long room = gathered->room ? gathered->room * 2 : 256;
        OrderRow *rows = realloc(gathered->rows, (size_t)room * sizeof *rows);
        gathered->no_memory = rows == NULL;
        if (!rows) return false;
        gathered->rows = rows;
        gathered->room = room;
    }
    int64_t number[4] = {0};
    for (int i = 0; i < columns && i < 4; i++)
        number[i] = values[i] ? strtoll(values[i], NULL, 10) : 0;
    gathered->rows[gathered->count++] = (OrderRow){number[0], number[1], number[2], number[3]};
    return true;
}

bool observer_orders(Observer *observer, OrderRow **rows, long *count, Error *error)
{
    static const char query[] = "SELECT id, user_id, voucher_id, UNIX_TIMESTAMP(create_time) "
                                "FROM tb_voucher_order ORDER BY user_id, id";
    Gathered gathered = {0};
    StoreStatus status = sql_link_rows(observer->sql, query, gather, &gathered, error);
    if (status == STORE_LOST && sql_link_reopen(observer->sql, error)) {
        gathered.count = 0;
        status = sql_link_rows(observer->sql, query, gather, &gathered, error);
    }
    /* No orders are an answer too: NULL is kept for "could not be read". */
    if (!gathered.rows) gathered.rows = calloc(1, sizeof *gathered.rows);
    if (!gathered.rows) gathered.no_memory = true;
    *rows = gathered.rows;
    *count = gathered.count;
    if (status == STORE_OK && !gathered.no_memory) return true;
    if (gathered.no_memory) error_set(error, _("Out of memory."));
    free(gathered.rows);
    *rows = NULL;
    *count = 0;
    return false;
}
