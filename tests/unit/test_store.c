/* test_store.c -- both servers in a sandbox: links, the clean state, the observer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "store/observe.h"
#include "store/stores.h"

enum { WAIT_MS = 60000 };

static const ShopSetup plain = {
    .voucher = 1, .stock = 100, .begin = 1700000000, .end = 4000000000, .redis_stock = true};

typedef struct World {
    Stores *stores;
    RedisLink *redis;
    SqlLink *sql;
} World;

static World world;

static int open_world(void **state)
{
    (void)state;
    Error error = {0};
    world.stores = stores_open(NULL, NULL, &error);
    if (!world.stores || !stores_wait(world.stores, WAIT_MS, &error)) {
        fprintf(stderr, "# %s\n", error.text);
        return -1;
    }
    world.redis = stores_redis(world.stores);
    world.sql = stores_sql(world.stores);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    stores_close(world.stores);
    return 0;
}

/* ---- help
 * ---------------------------------------------------------------------------------------- */

static void redis_does(const char *command)
{
    redisReply *reply;
    Error error;
    if (redis_link_command(world.redis, &reply, &error, command) != STORE_OK)
        fail_msg("%s: %s", command, error.text);
    freeReplyObject(reply);
}

static long redis_number(const char *command)
{
    redisReply *reply;
    Error error;
    if (redis_link_command(world.redis, &reply, &error, command) != STORE_OK)
        fail_msg("%s: %s", command, error.text);
    long number = reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer
                  : reply->str                       ? atol(reply->str)
                                                     : -1;
    freeReplyObject(reply);
    return number;
}

static void sql_does(const char *text)
{
    Error error;
    if (sql_link_text(world.sql, text, NULL, &error) != STORE_OK)
        fail_msg("%s: %s", text, error.text);
}

static long sql_number(const char *text)
{
    SqlResult result;
    Error error;
    if (sql_link_text(world.sql, text, &result, &error) != STORE_OK)
        fail_msg("%s: %s", text, error.text);
    return result.rows ? (long)result.value[0] : -1;
}

static void prepare(const ShopSetup *setup)
{
    Error error;
    if (!stores_prepare(world.stores, setup, &error)) fail_msg("%s", error.text);
}

static void reset(const ShopSetup *setup)
{
    Error error;
    if (!stores_reset(world.stores, setup, &error)) fail_msg("%s", error.text);
}

/* ---- links
 * ----------------------------------------------------------------------------------------- */

static void redis_says_no(void **state)
{
    (void)state;
    redisReply *reply;
    Error error = {0};
    prepare(&plain);
    assert_int_equal(redis_link_command(world.redis, &reply, &error, "SADD seckill:stock:1 a"),
                     STORE_REFUSED);
    assert_int_equal(reply->type, REDIS_REPLY_ERROR);
    assert_non_null(strstr(error.text, "WRONGTYPE"));
    freeReplyObject(reply);
    assert_int_equal(redis_number("GET seckill:stock:1"), 100);

    const char *words[] = {"DECR", "seckill:stock:1"};
    assert_int_equal(redis_link_send(world.redis, &error, 2, words, NULL), STORE_OK);
    assert_int_equal(redis_link_receive(world.redis, &reply, &error), STORE_OK);
    assert_int_equal(reply->integer, 99);
    freeReplyObject(reply);
}

static void statements(void **state)
{
    (void)state;
    static const char select[] =
        "SELECT stock, version, UNIX_TIMESTAMP(begin_time), NULL FROM tb_seckill_voucher "
        "WHERE voucher_id = ?";
    static const char update[] = "UPDATE tb_seckill_voucher SET stock = ? WHERE voucher_id = ?";
    SqlResult result;
    Error error = {0};
    prepare(&plain);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(sql_link_run(world.sql, select, 1, (int64_t[]){1}, &result, &error),
                         STORE_OK);
        assert_int_equal(result.rows, 1);
        assert_int_equal(result.value[0], 100 - round);
        assert_int_equal(result.value[1], 0);
        assert_int_equal(result.value[2], 1700000000);
        assert_true(result.is_null[3]);
        assert_false(result.is_null[0]);
        assert_int_equal(sql_link_run(world.sql, select, 1, (int64_t[]){2}, &result, &error),
                         STORE_OK);
        assert_int_equal(result.rows, 0);
        assert_int_equal(
            sql_link_run(world.sql, update, 2, (int64_t[]){99 - round, 1}, &result, &error),
            STORE_OK);
        assert_int_equal(result.affected, 1);
    }
    /* Rows changed, not rows matched. */
    assert_int_equal(sql_link_run(world.sql, update, 2, (int64_t[]){97, 1}, &result, &error),
                     STORE_OK);
    assert_int_equal(result.affected, 0);
}

static void database_says_no(void **state)
{
    (void)state;
    static const char insert[] =
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (?, ?, 1)";
    ShopSetup unique = plain;
    unique.unique_order = true;
    SqlResult result;
    Error error = {0};
    prepare(&unique);
    assert_int_equal(sql_link_run(world.sql, insert, 2, (int64_t[]){1, 7}, &result, &error),
                     STORE_OK);
    assert_int_equal(sql_link_run(world.sql, insert, 2, (int64_t[]){2, 7}, &result, &error),
                     STORE_REFUSED);
    assert_int_equal(result.code, 1062);
    assert_non_null(strstr(error.text, "1062"));
    assert_int_equal(sql_link_run(world.sql, insert, 2, (int64_t[]){2, 8}, &result, &error),
                     STORE_OK);

    assert_int_equal(sql_link_run(world.sql, "SELECT nothing", 0, NULL, &result, &error),
                     STORE_REFUSED);
    assert_int_equal(result.code, 1054);
    assert_int_equal(sql_link_text(world.sql, "ROLL BACK", &result, &error), STORE_REFUSED);
    assert_int_equal(result.code, 1064);
    assert_int_equal(sql_link_run(world.sql, insert, 1, (int64_t[]){2}, &result, &error),
                     STORE_REFUSED);
    assert_int_equal(sql_number("SELECT COUNT(*) FROM tb_voucher_order"), 2);
}

static void auto_increment(void **state)
{
    (void)state;
    static const char insert[] = "INSERT INTO tb_order_0 (user_id) VALUES (?)";
    SqlResult result;
    prepare(&plain);
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(sql_link_run(world.sql, insert, 1, (int64_t[]){5}, &result, NULL),
                         STORE_OK);
        assert_int_equal(result.insert_id, i);
    }
    reset(&plain);
    assert_int_equal(sql_link_run(world.sql, insert, 1, (int64_t[]){5}, &result, NULL), STORE_OK);
    assert_int_equal(result.insert_id, 1);
}

static void session_settings(void **state)
{
    (void)state;
    SqlAddress address;
    Error error = {0};
    stores_addresses(world.stores, NULL, &address);
    SqlLink *link = sql_link_open(&address, true, &error);
    if (!link) fail_msg("%s", error.text);
    SqlResult result;
    assert_int_equal(sql_link_text(link,
                                   "SELECT CONNECTION_ID(), @@innodb_lock_wait_timeout, "
                                   "@@tx_isolation = 'REPEATABLE-READ', @@time_zone = '+00:00', "
                                   "DATABASE() = 'seckill_lab', @@autocommit",
                                   &result, &error),
                     STORE_OK);
    assert_int_equal(result.value[0], sql_link_id(link));
    assert_int_equal(result.value[1], 50);
    for (int i = 2; i < 6; i++) assert_int_equal(result.value[i], 1);
    if (sql_link_text(link, "SELECT @@innodb_snapshot_isolation", &result, &error) == STORE_OK)
        assert_int_equal(result.value[0], 0);
    sql_link_close(link);
}

static void nobody_there(void **state)
{
    (void)state;
    RedisAddress redis = {.socket = "/nowhere/redis.sock"};
    SqlAddress sql = {.socket = "/nowhere/sql.sock", .user = "root"};
    Error error = {0};
    assert_null(redis_link_open(&redis, &error));
    assert_non_null(strstr(error.text, "unix:///nowhere/redis.sock"));
    assert_null(sql_link_open(&sql, true, &error));
    assert_non_null(strstr(error.text, "/nowhere/sql.sock"));
    assert_null(strchr(error.text, '\n'));
}

/* ---- the clean state
 * ---------------------------------------------------------------------------------- */

/* Everything that a run may leave behind. */
static void make_a_mess(void)
{
    redis_does("SET seckill:stock:1 3");
    redis_does("SADD seckill:order:1 7 8");
    redis_does("SET lock:order:7 x PX 100000");
    redis_does("XADD stream.orders * a b");
    sql_does("UPDATE tb_seckill_voucher SET stock = -4, version = 9, begin_time = '2020-01-01', "
             "end_time = '2020-01-02'");
    sql_does("INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (1, 7, 1), (2, 8, 1)");
    sql_does("INSERT INTO tb_order_0 (user_id) VALUES (1), (2)");
    sql_does("INSERT INTO tb_order_1 (user_id) VALUES (1)");
}

static void is_clean(const ShopSetup *setup)
{
    assert_int_equal(redis_number("DBSIZE"), setup->redis_stock + setup->presets);
    assert_int_equal(redis_number("GET seckill:stock:1"), setup->redis_stock ? setup->stock : -1);
    assert_int_equal(sql_number("SELECT COUNT(*) FROM tb_voucher"), 1);
    assert_int_equal(sql_number("SELECT COUNT(*) FROM tb_seckill_voucher"), 1);
    assert_int_equal(sql_number("SELECT stock FROM tb_seckill_voucher WHERE voucher_id = 1"),
                     setup->stock);
    assert_int_equal(sql_number("SELECT version FROM tb_seckill_voucher WHERE voucher_id = 1"), 0);
    assert_int_equal(
        sql_number(
            "SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', begin_time) FROM tb_seckill_voucher"),
        setup->begin);
    assert_int_equal(
        sql_number("SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', end_time) FROM tb_seckill_voucher"),
        setup->end);
    assert_int_equal(sql_number("SELECT COUNT(*) FROM tb_voucher_order"), 0);
    assert_int_equal(sql_number("SELECT COUNT(*) FROM tb_order_0"), 0);
    assert_int_equal(sql_number("SELECT COUNT(*) FROM tb_order_1"), 0);
    long unique = sql_number(
        "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = 'seckill_lab' "
        "AND table_name = 'tb_voucher_order' AND non_unique = 0 AND column_name = 'user_id'");
    long any = sql_number(
        "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = 'seckill_lab' "
        "AND table_name = 'tb_voucher_order' AND seq_in_index = 1 AND column_name = 'user_id'");
    assert_int_equal(any, 1);
    assert_int_equal(unique, setup->unique_order);
}

static void prepared_is_clean(void **state)
{
    (void)state;
    ShopSetup setup = plain;
    for (int round = 0; round < 4; round++) {
        setup.unique_order = round & 1;
        setup.redis_stock = round & 2;
        prepare(&setup);
        is_clean(&setup);
        make_a_mess();
    }
}

static void reset_is_clean(void **state)
{
    (void)state;
    ShopSetup setup = plain;
    setup.stock = 2;
    setup.presets = 2;
    setup.preset[0] = (Preset){"icr:order:2026:11:30", "4294967290"};
    setup.preset[1] = (Preset){"lock:order:1", "left over"};
    prepare(&setup);
    is_clean(&setup);
    for (int round = 0; round < 3; round++) {
        make_a_mess();
        reset(&setup);
        is_clean(&setup);
        assert_int_equal(redis_number("GET icr:order:2026:11:30"), 4294967290);
    }
    /* Another form of the index is a matter of prepare, which reset calls by itself. */
    setup.unique_order = true;
    make_a_mess();
    reset(&setup);
    is_clean(&setup);
}

static void prepares_what_was_dropped(void **state)
{
    (void)state;
    sql_does("DROP DATABASE seckill_lab");
    prepare(&plain);
    is_clean(&plain);
    sql_does("ALTER TABLE tb_voucher_order DROP INDEX idx_user_voucher");
    prepare(&plain);
    is_clean(&plain);
}

/* An open transaction of somebody: said within seconds, no hanging. */
static void locked_tables(void **state)
{
    (void)state;
    SqlAddress address;
    Error error = {0};
    prepare(&plain);
    stores_addresses(world.stores, NULL, &address);
    SqlLink *other = sql_link_open(&address, true, NULL);
    assert_int_equal(sql_link_text(other, "BEGIN", NULL, NULL), STORE_OK);
    assert_int_equal(
        sql_link_text(other, "SELECT * FROM tb_seckill_voucher FOR UPDATE", NULL, NULL), STORE_OK);
    assert_false(stores_prepare(world.stores, &plain, &error));
    assert_non_null(strstr(error.text, "locks"));
    sql_link_close(other);
    prepare(&plain);
    is_clean(&plain);
}

/* ---- the observer
 * ----------------------------------------------------------------------------------------- */

static const KeyView *key_named(const Snapshot *snapshot, const char *name)
{
    for (int i = 0; i < snapshot->key_count; i++)
        if (strcmp(snapshot->keys[i].name, name) == 0) return &snapshot->keys[i];
    return NULL;
}

static Observer *open_observer(void)
{
    Error error = {0};
    Observer *observer = observer_open(world.stores, &error);
    if (!observer) fail_msg("%s", error.text);
    return observer;
}

static void numbers_of_both(void **state)
{
    (void)state;
    Snapshot snapshot = {0};
    prepare(&plain);
    Observer *observer = open_observer();
    observer_take(observer, 1, &snapshot);
    assert_true(snapshot.sql_ok && snapshot.redis_ok);
    assert_int_equal(snapshot.stock, 100);
    assert_int_equal(snapshot.orders, 0);
    assert_int_equal(snapshot.duplicate_users, 0);
    assert_true(snapshot.has_redis_stock);
    assert_int_equal(snapshot.redis_stock, 100);
    assert_false(snapshot.has_buyers);
    assert_false(snapshot.has_queue);
    assert_int_equal(snapshot.key_count, 1);
    assert_false(snapshot.keys[0].changed);

    sql_does("UPDATE tb_seckill_voucher SET stock = -2, version = 5");
    sql_does("INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES "
             "(1,7,1),(2,7,1),(3,8,1),(4,9,2),(5,9,2)");
    redis_does("SET seckill:stock:1 42");
    redis_does("SADD seckill:order:1 7 8");
    redis_does("XGROUP CREATE stream.orders g1 0 MKSTREAM");
    redis_does("XADD stream.orders * user 7");
    redis_does("XADD stream.orders * user 8");
    redis_does("XREADGROUP GROUP g1 c1 COUNT 1 STREAMS stream.orders >");
    observer_take(observer, 1, &snapshot);
    assert_int_equal(snapshot.stock, -2);
    assert_int_equal(snapshot.version, 5);
    assert_int_equal(snapshot.orders, 3);
    assert_int_equal(snapshot.duplicate_users, 1);
    assert_int_equal(snapshot.redis_stock, 42);
    assert_int_equal(snapshot.buyers, 2);
    assert_int_equal(snapshot.queue_length, 2);
    assert_int_equal(snapshot.queue_pending, 1);
    observer_close(observer);
}

static void keys_of_all_types(void **state)
{
    (void)state;
    Snapshot snapshot = {0};
    prepare(&plain);
    Observer *observer = open_observer();
    observer_take(observer, 1, &snapshot);
    redis_does("RPUSH COUPON:list a b c");
    redis_does("HSET QUEUE:hash f v g w");
    redis_does("ZADD other 1.5 m");
    redis_does("SADD seckill:order:1 7");
    redis_does("XADD stream.orders 5-1 user 7");
    redis_does("SET lock:order:7 me PX 60000");
    redis_does("SET seckill:stock:1 \x1b[31mred");
    observer_take(observer, 1, &snapshot);
    static const struct {
        const char *name, *type, *value;
        long size;
    } expected[] = {
        {"seckill:order:1", "set", "7", 1},
        {"seckill:stock:1", "string", "\\x1b[31mred", 8},
        {"stream.orders", "stream", "5-1 user=7", 1},
        {"COUPON:list", "list", "a, b, c", 3},
        {"QUEUE:hash", "hash", "f=v, g=w", 2},
        {"lock:order:7", "string", "me", 2},
        {"other", "zset", "m=1.5", 1},
    };
    assert_int_equal(snapshot.key_count, 7);
    assert_int_equal(snapshot.keys_left_out, 0);
    for (int i = 0; i < 7; i++) {
        const KeyView *view = &snapshot.keys[i];
        assert_string_equal(view->name, expected[i].name);
        assert_string_equal(view->type, expected[i].type);
        assert_string_equal(view->value, expected[i].value);
        assert_int_equal(view->size, expected[i].size);
        assert_true(view->changed);
    }
    assert_int_equal(snapshot.keys[0].ttl_ms, -1);
    long full = key_named(&snapshot, "lock:order:7")->ttl_ms;
    assert_in_range(full, 50000, 60000);
    redis_does("PEXPIRE lock:order:7 30000");
    observer_take(observer, 1, &snapshot);
    const KeyView *lock = key_named(&snapshot, "lock:order:7");
    assert_in_range(lock->ttl_ms, 20000, 30000);
    assert_int_equal(lock->ttl_max_ms, full);
    assert_false(lock->changed);
    redis_does("DEL lock:order:7");
    observer_take(observer, 1, &snapshot);
    assert_null(key_named(&snapshot, "lock:order:7"));
    observer_close(observer);
}

static void thousands_of_keys(void **state)
{
    (void)state;
    Snapshot snapshot = {0};
    prepare(&plain);
    redisReply *reply;
    assert_int_equal(
        redis_link_command(world.redis, &reply, NULL, "EVAL %s 0",
                           "for i = 1, 5000 do redis.call('SET', 'lock:order:' .. i, i) end"),
        STORE_OK);
    freeReplyObject(reply);
    Observer *observer = open_observer();
    observer_take(observer, 1, &snapshot);
    assert_int_equal(snapshot.key_count, SNAPSHOT_KEYS);
    assert_int_equal(snapshot.keys_left_out, 5001 - SNAPSHOT_KEYS);
    assert_string_equal(snapshot.keys[0].name, "seckill:stock:1");
    observer_close(observer);
}

static void all_orders(void **state)
{
    (void)state;
    Observer *observer = open_observer();
    OrderRow *rows;
    long count;
    Error error = {0};
    prepare(&plain);
    assert_true(observer_orders(observer, &rows, &count, &error));
    assert_int_equal(count, 0);
    free(rows);
    sql_does("INSERT INTO tb_voucher_order VALUES (9007199254740993, 8, 1, '2023-11-14 22:13:20'), "
             "(5, 7, 1, NOW())");
    assert_true(observer_orders(observer, &rows, &count, &error));
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].user, 7);
    assert_true(rows[1].id == 9007199254740993);
    assert_int_equal(rows[1].created, 1700000000);
    assert_true(llabs((long long)(rows[0].created - clock_wall_seconds())) < 60);
    free(rows);
    observer_close(observer);
}

static void answers(Observer *observer, bool sql, const char *line, const char *expected)
{
    char *answer = sql ? observer_sql(observer, line) : observer_redis(observer, line);
    assert_string_equal(answer, expected);
    free(answer);
}

static void typed_commands(void **state)
{
    (void)state;
    prepare(&plain);
    Observer *observer = open_observer();
    answers(observer, false, "GET seckill:stock:1", "\"100\"");
    answers(observer, false, "set k \"a\\x1b\\\"\\\\\\xe4\\xbd\\xa0\"", "OK");
    answers(observer, false, "get k", "\"a\\x1b\\\"\\\\你\"");
    answers(observer, false, "get none", "(nil)");
    answers(observer, false, "INCR seckill:stock:1", "(integer) 101");
    answers(observer, false, "LPUSH k 1",
            "(error) WRONGTYPE Operation against a key holding the wrong kind of value");
    answers(observer, false, "EVAL \"return {1, {2, 'x'}, {}}\" 0",
            "1) (integer) 1\n2) 1) (integer) 2\n   2) \"x\"\n3) (empty array)");
    answers(observer, false, "MULTI", "OK");
    Snapshot snapshot = {0};
    observer_take(observer, 1, &snapshot); /* does not get into the learner's transaction */
    assert_true(snapshot.redis_ok);
    answers(observer, false, "INCR n", "QUEUED");
    answers(observer, false, "EXEC", "1) (integer) 1");
    char *info = observer_redis(observer, "INFO server");
    assert_non_null(strstr(info, "\nredis_version:"));
    assert_null(strchr(info, '\r'));
    free(info);
    char *refused = observer_redis(observer, "BLPOP q 0");
    assert_non_null(strstr(refused, "waits"));
    free(refused);
    observer_close(observer);
}

static void typed_queries(void **state)
{
    (void)state;
    prepare(&plain);
    Observer *observer = open_observer();
    answers(observer, true, "SELECT voucher_id, stock FROM tb_seckill_voucher;",
            "voucher_id | stock\n-----------+------\n         1 |   100\n(1 row)");
    answers(observer, true, "UPDATE tb_voucher SET title = '秒杀\tx'", "OK, 1 row changed");
    answers(observer, true, "SELECT title, 'ab' AS t FROM tb_voucher",
            "title   | t\n--------+---\n秒杀\\tx | ab\n(1 row)");
    answers(observer, true, "SELECT 1 AS n FROM tb_voucher WHERE 0", "n\n-\n(0 rows)");
    answers(observer, true, "BEGIN", "OK, 0 rows changed");
    answers(observer, true, "ROLLBACK", "OK, 0 rows changed");
    char *answer = observer_sql(observer, "SELECT * FROM nothing");
    assert_memory_equal(answer, "ERROR 1146 ", 11);
    free(answer);
    answer = observer_sql(observer, "SELECT seq FROM seq_1_to_500");
    assert_non_null(strstr(answer, "\n200\n"));
    assert_null(strstr(answer, "\n201\n"));
    assert_non_null(strstr(answer, "200 rows"));
    free(answer);
    answer = observer_sql(observer, "SHUTDOWN");
    assert_non_null(strstr(answer, "end the server"));
    free(answer);
    assert_int_equal(sql_number("SELECT 1"), 1);
    observer_close(observer);
}

/* ---- servers that die
 * ------------------------------------------------------------------------------------------ */

static void wait_for(ServerKind kind, ServerState wanted, ServerStatus *found)
{
    uint64_t end = clock_now_ns() + WAIT_MS * 1000000ull;
    for (;;) {
        ServerStatus status[SERVER_COUNT];
        stores_status(world.stores, status);
        *found = status[kind];
        if (found->state == wanted) return;
        if (clock_now_ns() > end)
            fail_msg("server %d stays in state %d: %s", kind, found->state, found->message);
        clock_sleep_ns(2000000);
    }
}

static void redis_dies(void **state)
{
    (void)state;
    Snapshot snapshot = {0};
    ServerStatus status;
    Error error = {0};
    redisReply *reply;
    prepare(&plain);
    Observer *observer = open_observer();
    observer_take(observer, 1, &snapshot);
    wait_for(SERVER_REDIS, SERVER_READY, &status);
    unsigned starts = status.starts;
    sandbox_kill(stores_sandbox(world.stores), SERVER_REDIS);
    wait_for(SERVER_REDIS, SERVER_DOWN, &status);
    assert_non_null(strstr(status.message, "SIGKILL"));
    assert_int_equal(redis_link_command(world.redis, &reply, &error, "PING"), STORE_LOST);
    assert_null(reply);
    assert_true(error.text[0]);
    assert_int_equal(redis_link_command(world.redis, &reply, &error, "PING"), STORE_LOST);
    observer_take(observer, 1, &snapshot);
    assert_false(snapshot.redis_ok);
    assert_true(snapshot.sql_ok);
    assert_int_equal(snapshot.redis_stock, 100); /* the old number */
    assert_false(stores_prepare(world.stores, &plain, &error));

    sandbox_restart(stores_sandbox(world.stores), SERVER_REDIS, false);
    assert_true(sandbox_wait_ready(stores_sandbox(world.stores), WAIT_MS, &error));
    wait_for(SERVER_REDIS, SERVER_READY, &status);
    assert_int_equal(status.starts, starts + 1);
    assert_true(stores_reconnect(world.stores, &error));
    prepare(&plain);
    is_clean(&plain);
    observer_close(observer);
}

/* What was committed is there again: a killed server loses nothing. */
static void database_dies(void **state)
{
    (void)state;
    ServerStatus status;
    Error error = {0};
    SqlResult result;
    prepare(&plain);
    sql_does("INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (1, 7, 1)");
    sql_does("BEGIN");
    sql_does("INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (2, 8, 1)");
    sandbox_kill(stores_sandbox(world.stores), SERVER_SQL);
    wait_for(SERVER_SQL, SERVER_DOWN, &status);
    assert_int_equal(sql_link_text(world.sql, "SELECT 1", &result, &error), STORE_LOST);
    assert_int_equal(sql_link_run(world.sql, "SELECT 2", 0, NULL, &result, &error), STORE_LOST);
    assert_int_equal(sql_link_id(world.sql), 0);

    sandbox_restart(stores_sandbox(world.stores), SERVER_SQL, false);
    if (!sandbox_wait_ready(stores_sandbox(world.stores), WAIT_MS, &error))
        fail_msg("%s", error.text);
    assert_true(sql_link_reopen(world.sql, &error));
    assert_int_equal(sql_number("SELECT COUNT(*) FROM seckill_lab.tb_voucher_order"), 1);
    assert_true(stores_reconnect(world.stores, &error));
    prepare(&plain);
    is_clean(&plain);
}

static void database_begins_anew(void **state)
{
    (void)state;
    Error error = {0};
    sql_does("CREATE TABLE mine (id INT)");
    sandbox_restart(stores_sandbox(world.stores), SERVER_SQL, true);
    if (!sandbox_wait_ready(stores_sandbox(world.stores), WAIT_MS, &error))
        fail_msg("%s", error.text);
    assert_true(stores_reconnect(world.stores, &error));
    assert_int_equal(
        sql_number("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'mine'"), 0);
    prepare(&plain);
    is_clean(&plain);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0) return sandbox_keeper_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redis_says_no),
        cmocka_unit_test(statements),
        cmocka_unit_test(database_says_no),
        cmocka_unit_test(auto_increment),
        cmocka_unit_test(session_settings),
        cmocka_unit_test(nobody_there),
        cmocka_unit_test(prepared_is_clean),
        cmocka_unit_test(reset_is_clean),
        cmocka_unit_test(prepares_what_was_dropped),
        cmocka_unit_test(locked_tables),
        cmocka_unit_test(numbers_of_both),
        cmocka_unit_test(keys_of_all_types),
        cmocka_unit_test(thousands_of_keys),
        cmocka_unit_test(all_orders),
        cmocka_unit_test(typed_commands),
        cmocka_unit_test(typed_queries),
        cmocka_unit_test(redis_dies),
        cmocka_unit_test(database_dies),
        cmocka_unit_test(database_begins_anew),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
