/* test_store_address.c -- URLs of the stores, and what may be typed at them. No server is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "store/observe_private.h"
#include "store/redis_link.h"
#include "store/sql_link.h"
#include "store/stores_private.h"

static int forget_passwords(void **state)
{
    (void)state;
    static const char *const names[] = {"SECKILL_LAB_REDIS_PASSWORD", "REDISCLI_AUTH",
                                        "SECKILL_LAB_MYSQL_PASSWORD", "MYSQL_PWD"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
    return 0;
}

/* ---- Redis -------------------------------------------------------------------------------------
 */

static RedisAddress redis_of(const char *url)
{
    RedisAddress address;
    Error error = {0};
    if (!redis_address_parse(url, &address, &error)) fail_msg("%s: %s", url, error.text);
    return address;
}

static void redis_urls(void **state)
{
    (void)state;
    RedisAddress address = redis_of("redis://localhost");
    assert_string_equal(address.host, "localhost");
    assert_int_equal(address.port, 6379);
    assert_int_equal(address.db, 0);
    assert_false(address.tls);
    assert_string_equal(address.password, "");

    address = redis_of("redis://ann:s%40c%2Fret@10.0.0.7:7000/3");
    assert_string_equal(address.host, "10.0.0.7");
    assert_int_equal(address.port, 7000);
    assert_int_equal(address.db, 3);
    assert_string_equal(address.user, "ann");
    assert_string_equal(address.password, "s@c/ret");

    address = redis_of("redis://:pw@[::1]:6380/");
    assert_string_equal(address.host, "::1");
    assert_int_equal(address.port, 6380);
    assert_string_equal(address.user, "");
    assert_string_equal(address.password, "pw");

    address = redis_of("unix:///run/my%20redis.sock?db=15");
    assert_string_equal(address.socket, "/run/my redis.sock");
    assert_int_equal(address.db, 15);
}

static void redis_password_of_environment(void **state)
{
    (void)state;
    setenv("REDISCLI_AUTH", "from-env", 1);
    assert_string_equal(redis_of("redis://h").password, "from-env");
    assert_string_equal(redis_of("redis://:own@h").password, "own");
    setenv("SECKILL_LAB_REDIS_PASSWORD", "first", 1);
    assert_string_equal(redis_of("redis://ann@h").password, "first");
    forget_passwords(NULL);
}

static void no_redis(const char *url, const char *told)
{
    RedisAddress address;
    Error error = {0};
    assert_false(redis_address_parse(url, &address, &error));
    if (!strstr(error.text, told)) fail_msg("%s: %s", url, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_null(strstr(error.text, "hunter2"));
}

static void wrong_redis_urls(void **state)
{
    (void)state;
    no_redis("", "redis://");
    no_redis("localhost:6379", "redis://");
    no_redis("http://localhost", "redis://");
    no_redis("redis://", "redis://");
    no_redis("redis://:hunter2@", "redis://");
    no_redis("redis://:hunter2@host:99999", "redis://");
    no_redis("redis://:hunter2@host:hunter2", "redis://");
    no_redis("redis://:hunter2%4@host", "redis://");
    no_redis("redis://:hunter2%0a@host", "redis://");
    no_redis("redis://:hunter2@host/hunter2", "number");
    no_redis("redis://:hunter2@host/-1", "number");
    no_redis("redis://:hunter2@host?db=1", "redis://");
    no_redis("redis://ann@host", "no password");
    no_redis("unix://host/path", "unix:///path");
    no_redis("unix:///", "unix:///path");
    no_redis("unix:///a.sock?db=one", "number");
    no_redis("unix:///a.sock?database=1", "unix:///path");
    char deep[300] = "unix:///";
    memset(deep + 8, 'x', 150);
    no_redis(deep, "too long");
#ifndef HAVE_HIREDIS_SSL
    no_redis("rediss://:hunter2@host", "TLS");
#endif
}

static void addresses_without_secrets(void **state)
{
    (void)state;
    char text[300];
    RedisAddress redis = redis_of("redis://ann:hunter2@h:1/2");
    assert_string_equal(redis_address_show(&redis, text, sizeof text), "redis://h:1/2");
    redis = redis_of("redis://:hunter2@[::1]");
    assert_string_equal(redis_address_show(&redis, text, sizeof text), "redis://[::1]:6379/0");
    redis = redis_of("unix:///a.sock?db=2");
    assert_string_equal(redis_address_show(&redis, text, sizeof text), "unix:///a.sock?db=2");

    SqlAddress sql;
    assert_true(sql_address_parse("mysql://ann:hunter2@h:33", &sql, NULL));
    assert_string_equal(sql_address_show(&sql, text, sizeof text), "mysql://h:33");
    assert_true(sql_address_parse("mysql+unix:///a.sock?user=ann", &sql, NULL));
    assert_string_equal(sql_address_show(&sql, text, sizeof text), "mysql+unix:///a.sock");
}

/* ---- MySQL
 * ------------------------------------------------------------------------------------------ */

static SqlAddress sql_of(const char *url)
{
    SqlAddress address;
    Error error = {0};
    if (!sql_address_parse(url, &address, &error)) fail_msg("%s: %s", url, error.text);
    return address;
}

static void sql_urls(void **state)
{
    (void)state;
    SqlAddress address = sql_of("mysql://root@db.example");
    assert_string_equal(address.host, "db.example");
    assert_int_equal(address.port, 0);
    assert_string_equal(address.user, "root");
    assert_string_equal(address.password, "");
    assert_true(address.option_files);

    address = sql_of("mysql://ann:p%3Aw@h:3307");
    assert_int_equal(address.port, 3307);
    assert_string_equal(address.password, "p:w");
    assert_int_equal(sql_of("mysql://ann:@h/").port, 0);
    assert_int_equal(sql_of("mysql://ann@h/seckill_lab").port, 0);

    address = sql_of("mysql+unix:///run/mysqld/mysqld.sock?user=ann");
    assert_string_equal(address.socket, "/run/mysqld/mysqld.sock");
    assert_string_equal(address.user, "ann");
}

static void sql_password_of_environment(void **state)
{
    (void)state;
    setenv("MYSQL_PWD", "from-env", 1);
    assert_string_equal(sql_of("mysql://ann@h").password, "from-env");
    assert_string_equal(sql_of("mysql://ann:@h").password, "");
    setenv("SECKILL_LAB_MYSQL_PASSWORD", "first", 1);
    assert_string_equal(sql_of("mysql+unix:///s?user=ann").password, "first");
    forget_passwords(NULL);
}

static void no_sql(const char *url, const char *told)
{
    SqlAddress address;
    Error error = {0};
    assert_false(sql_address_parse(url, &address, &error));
    if (!strstr(error.text, told)) fail_msg("%s: %s", url, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_null(strstr(error.text, "hunter2"));
}

static void wrong_sql_urls(void **state)
{
    (void)state;
    no_sql("localhost", "mysql://");
    no_sql("postgres://ann:hunter2@h", "mysql://");
    no_sql("mysql://h", "no user");
    no_sql("mysql://:hunter2@h", "no user");
    no_sql("mysql://ann:hunter2@h:0", "mysql://");
    no_sql("mysql://ann:hunter2@h/shop", "seckill_lab");
    no_sql("mysql://ann:hunter2@h?x=hunter2", "mysql://");
    no_sql("mysql+unix:///a.sock", "no user");
    no_sql("mysql+unix:///a.sock?name=ann", "mysql+unix:///");
    no_sql("mysql+unix://", "mysql+unix:///");
}

/* ---- typed lines
 * ---------------------------------------------------------------------------------------- */

static void words_of_a_line(void **state)
{
    (void)state;
    Words words;
    assert_true(words_split("  SET  k \"a b\\n\\x41\\\"\" 'c \\'d' ", &words));
    assert_int_equal(words.count, 4);
    assert_string_equal(words.word[0], "SET");
    assert_string_equal(words.word[2], "a b\nA\"");
    assert_int_equal(words.length[2], 6);
    assert_string_equal(words.word[3], "c 'd");
    words_free(&words);
    assert_true(words_split("", &words));
    assert_int_equal(words.count, 0);
    assert_true(words_split("SET k \"\"", &words));
    assert_int_equal(words.count, 3);
    assert_int_equal(words.length[2], 0);
    words_free(&words);
    assert_false(words_split("SET k \"open", &words));
    assert_false(words_split("SET k 'open", &words));
    assert_false(words_split("SET k \"a\"b", &words));
}

static bool sent(const char *line, bool own)
{
    Words words;
    assert_true(words_split(line, &words));
    bool refused = observe_redis_refusal(&words, own) != NULL;
    words_free(&words);
    return !refused;
}

static void redis_commands_refused(void **state)
{
    (void)state;
    static const char *const never[] = {"shutdown",
                                        "SUBSCRIBE a",
                                        "MONITOR",
                                        "blpop q 0",
                                        "XREAD BLOCK 0 STREAMS s $",
                                        "xreadgroup group g c block 5 streams s >",
                                        "DEBUG SLEEP 5",
                                        "client pause 9",
                                        "HELLO 3",
                                        "wait 1 0"};
    static const char *const in_sandbox[] = {"FLUSHALL",     "flushdb",
                                             "CONFIG GET *", "SELECT 1",
                                             "script flush", "EVAL \"redis.call('FlushAll')\" 0"};
    static const char *const always[] = {"GET k",       "XREAD STREAMS block 0",
                                         "set block 1", "EVAL \"return 1\" 0",
                                         "KEYS *",      "INFO",
                                         "client list"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) assert_false(sent(never[i], false));
    for (size_t i = 0; i < sizeof in_sandbox / sizeof *in_sandbox; i++) {
        assert_true(sent(in_sandbox[i], false));
        assert_false(sent(in_sandbox[i], true));
    }
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) assert_true(sent(always[i], true));
}

static void queries_refused(void **state)
{
    (void)state;
    static const char *const foreign[] = {
        "DROP DATABASE shop",
        "drop table tb_voucher",
        "CREATE USER x",
        "SET GLOBAL a = 1",
        "GRANT ALL ON *.* TO x",
        "UPDATE shop.orders SET a = 1",
        "DELETE FROM `shop`.orders",
        "INSERT INTO shop . t VALUES (1)",
        "USE shop",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "/*! DROP TABLE t */",
        "UPDATE tb_voucher, shop.t SET a = 1",
        "WITH x AS (SELECT 1) DELETE FROM y",
        "UPDATE tb_voucher SET title = (SELECT x FROM/**/shop.t)"};
    static const char *const fine[] = {
        "SELECT * FROM shop.orders",
        "show tables",
        "BEGIN",
        "commit",
        "UPDATE tb_seckill_voucher SET stock = 5",
        "INSERT INTO seckill_lab.tb_voucher VALUES (7, 'a.b')",
        "UPDATE tb_voucher SET title = 'shop.x'",
        "DELETE FROM tb_voucher_order WHERE tb_voucher_order.id = 1.5",
        "explain SELECT 'outfile'"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (!observe_sql_refusal(foreign[i], true)) fail_msg("sent: %s", foreign[i]);
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (observe_sql_refusal(fine[i], true)) fail_msg("refused: %s", fine[i]);
    assert_null(observe_sql_refusal("DROP TABLE tb_voucher", false));
    assert_non_null(observe_sql_refusal(" shutdown", false));
}

static void names_of_ours(void **state)
{
    (void)state;
    static const char *const ours[] = {"seckill:stock:1",       "lock:order:7",
                                       "icr:order:2026:11:30",  "stream.orders",
                                       "COUPON:SEIZE:LIST:1_1", "QUEUE:COUPON:SEIZE:SYNC:1",
                                       "redisson_lock__channel"};
    static const char *const foreign[] = {
        "", "seckill", "session:1", "stream.orders2", "stream.order", "Lock:order:1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(stores_redis_ours(ours[i], strlen(ours[i])));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_false(stores_redis_ours(foreign[i], strlen(foreign[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redis_urls),
        cmocka_unit_test(redis_password_of_environment),
        cmocka_unit_test(wrong_redis_urls),
        cmocka_unit_test(addresses_without_secrets),
        cmocka_unit_test(sql_urls),
        cmocka_unit_test(sql_password_of_environment),
        cmocka_unit_test(wrong_sql_urls),
        cmocka_unit_test(words_of_a_line),
        cmocka_unit_test(redis_commands_refused),
        cmocka_unit_test(queries_refused),
        cmocka_unit_test(names_of_ours),
    };
    return cmocka_run_group_tests(tests, forget_passwords, NULL);
}
