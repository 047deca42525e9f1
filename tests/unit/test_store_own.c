/* test_store_own.c -- the guards for servers of the learner's own. A sandbox plays the learner: its
 * servers are given to the stores by URL, as --redis and --mysql would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "store/observe.h"
#include "store/stores_private.h"

enum { WAIT_MS = 60000 };

static const ShopSetup plain = {
    .voucher = 1, .stock = 5, .begin = 1700000000, .end = 1900000000, .redis_stock = true};

static Sandbox *sandbox;
static RedisLink *redis; /* the learner's own connections */
static SqlLink *sql;
static char redis_url[200], sql_url[200], socket_of_sql[108], socket_of_redis[108];

static int open_world(void **state)
{
    (void)state;
    Error error = {0};
    RedisAddress redis_address;
    SqlAddress sql_address;
    sandbox = sandbox_start(true, true, &error);
    if (!sandbox || !sandbox_wait_ready(sandbox, WAIT_MS, &error)) {
        fprintf(stderr, "# %s\n", error.text);
        return -1;
    }
    sandbox_addresses(sandbox, &redis_address, &sql_address);
    snprintf(socket_of_redis, sizeof socket_of_redis, "%s", redis_address.socket);
    snprintf(socket_of_sql, sizeof socket_of_sql, "%s", sql_address.socket);
    snprintf(redis_url, sizeof redis_url, "unix://%s?db=3", redis_address.socket);
    snprintf(sql_url, sizeof sql_url, "mysql+unix://%s?user=root", sql_address.socket);
    redis = redis_link_open(&redis_address, &error);
    sql = sql_link_open(&sql_address, false, &error);
    return redis && sql ? 0 : -1;
}

static int close_world(void **state)
{
    (void)state;
    redis_link_close(redis);
    sql_link_close(sql);
    sandbox_stop(sandbox);
    return 0;
}

/* ---- help
 * ---------------------------------------------------------------------------------------- */

static void redis_does(const char *command)
{
    redisReply *reply;
    Error error;
    if (redis_link_command(redis, &reply, &error, command) != STORE_OK)
        fail_msg("%s: %s", command, error.text);
    freeReplyObject(reply);
}

static long redis_number(const char *command)
{
    redisReply *reply;
    Error error;
    if (redis_link_command(redis, &reply, &error, command) != STORE_OK)
        fail_msg("%s: %s", command, error.text);
    long number = reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer : -1;
    freeReplyObject(reply);
    return number;
}

static void sql_does(const char *text)
{
    Error error;
    if (sql_link_text(sql, text, NULL, &error) != STORE_OK) fail_msg("%s: %s", text, error.text);
}

static long sql_number(const char *text)
{
    SqlResult result;
    Error error;
    if (sql_link_text(sql, text, &result, &error) != STORE_OK) fail_msg("%s: %s", text, error.text);
    return (long)result.value[0];
}

static long tables(const char *condition)
{
    char query[300];
    snprintf(
        query, sizeof query,
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'seckill_lab' AND %s",
        condition);
    return sql_number(query);
}

static long databases(void)
{
    return sql_number(
        "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'seckill_lab'");
}

/* Each test begins on an empty Redis and without the database. */
static int empty_world(void **state)
{
    (void)state;
    redis_does("FLUSHALL");
    redis_does("SELECT 3");
    sql_does("DROP DATABASE IF EXISTS seckill_lab");
    return 0;
}

static Stores *open_stores(void)
{
    Error error = {0};
    Stores *stores = stores_open(redis_url, sql_url, &error);
    if (!stores || !stores_wait(stores, 1000, &error)) fail_msg("%s", error.text);
    return stores;
}

/* The stores cannot be had, and one clean line says why. */
static void refused(const char *redis_of, const char *sql_of, const char *told)
{
    Error error = {0};
    Stores *stores = stores_open(redis_of, sql_of, &error);
    if (stores) assert_false(stores_wait(stores, 1000, &error));
    stores_close(stores);
    if (!strstr(error.text, told)) fail_msg("instead of \"%s\": %s", told, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_null(strstr(error.text, "hunter2"));
}

/* ---- Redis
 * ------------------------------------------------------------------------------------------ */

static void foreign_keys(void **state)
{
    (void)state;
    redis_does("SET session:42 precious");
    refused(redis_url, sql_url, "session:42");
    assert_int_equal(redis_number("DBSIZE"), 1);
    assert_int_equal(redis_number("EXISTS session:42"), 1);
    redis_does("FLUSHDB");

    /* Even keys of the documented names are not ours without the marker. */
    redis_does("SET seckill:stock:1 7");
    refused(redis_url, sql_url, "seckill:stock:1");
    assert_int_equal(redis_number("DBSIZE"), 1);

    /* With it they are: a console was killed here. */
    redis_does("SET seckill:lab x");
    Stores *stores = open_stores();
    stores_close(stores);
    assert_int_equal(redis_number("DBSIZE"), 0);

    /* But a key of the learner's never is. */
    redis_does("SET seckill:lab x");
    redis_does("SET seckill:stock:1 7");
    redis_does("SET mine 1");
    refused(redis_url, sql_url, "\"mine\"");
    assert_int_equal(redis_number("DBSIZE"), 3);
}

static void only_our_keys_go(void **state)
{
    (void)state;
    redis_does("SELECT 0");
    redis_does("SET other:database 1");
    redis_does("SELECT 3");
    Stores *stores = open_stores();
    Error error = {0};
    assert_int_equal(redis_number("EXISTS seckill:lab"), 1);
    if (!stores_prepare(stores, &plain, &error)) fail_msg("%s", error.text);
    redis_does("SET meanwhile 1");
    redis_does("SADD seckill:order:1 7");
    redis_does("SET lock:order:7 x");
    redis_does("XADD stream.orders * a b");
    assert_true(stores_reset(stores, &plain, &error));
    assert_int_equal(redis_number("DBSIZE"), 3); /* the marker, the stock, and what is not ours */
    assert_int_equal(redis_number("EXISTS meanwhile seckill:lab seckill:stock:1"), 3);

    Observer *observer = observer_open(stores, &error);
    Snapshot snapshot = {0};
    observer_take(observer, 1, &snapshot);
    assert_int_equal(snapshot.key_count, 2); /* the marker is not shown */
    assert_int_equal(snapshot.keys_left_out, 0);
    char *answer = observer_redis(observer, "FLUSHDB");
    assert_non_null(strstr(answer, "your own server"));
    free(answer);
    answer = observer_sql(observer, "DROP TABLE tb_voucher");
    assert_non_null(strstr(answer, "your own server"));
    free(answer);
    observer_close(observer);

    stores_close(stores);
    assert_int_equal(redis_number("DBSIZE"), 1);
    assert_int_equal(redis_number("EXISTS meanwhile"), 1);
    redis_does("SELECT 0");
    assert_int_equal(redis_number("EXISTS other:database"), 1);
}

static void redis_passwords(void **state)
{
    (void)state;
    char url[260];
    redis_does("CONFIG SET requirepass hunter2");
    refused(redis_url, sql_url, "wants a password");
    snprintf(url, sizeof url, "unix://:wrong-hunter2@%s", socket_of_redis);
    refused(url, sql_url, "password");
    snprintf(url, sizeof url, "unix://:hunter2@%s?db=3", socket_of_redis);
    Error error = {0};
    Stores *stores = stores_open(url, sql_url, &error);
    if (!stores_wait(stores, 1000, &error)) fail_msg("%s", error.text);
    stores_close(stores);
    redis_does("ACL SETUSER default nopass");

    /* A server without a password does not mind being given one. */
    stores = stores_open(url, sql_url, &error);
    if (!stores_wait(stores, 1000, &error)) fail_msg("%s", error.text);
    stores_close(stores);
    snprintf(url, sizeof url, "unix://%s?db=99", socket_of_redis);
    refused(url, sql_url, "no database 99");
    refused("redis://127.0.0.1:1", sql_url, "redis://127.0.0.1:1/0");
    refused("redis://no-such-host.invalid", sql_url, "no-such-host.invalid");

    /* A user who may read but not write. */
    redis_does("ACL SETUSER ann on >hunter2 ~* +@read +ping +select +info +dbsize +scan +exists");
    snprintf(url, sizeof url, "unix://ann:hunter2@%s?db=3", socket_of_redis);
    refused(url, sql_url, "NOPERM");
    redis_does("ACL DELUSER ann");
}

/* A server that answers PING and INFO, and says that it is an old one. */
static void *old_redis(void *data)
{
    static const char info[] = "$24\r\nredis_version:4.0.9\r\nab:1\r\n";
    int client = accept(*(int *)data, NULL, NULL);
    char asked[512];
    while (read(client, asked, sizeof asked) > 0) {
        const char *answer = strncmp(asked + 4, "$4\r\nPING", 8) == 0 ? "+PONG\r\n" : info;
        if (write(client, answer, strlen(answer)) < 0) break;
    }
    close(client);
    return NULL;
}

static void redis_too_old(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char url[200];
    pthread_t thread;
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/seckill-test-old-%d", (int)getpid());
    snprintf(url, sizeof url, "unix://%s", address.sun_path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(address.sun_path);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(pthread_create(&thread, NULL, old_redis, &listener), 0);
    refused(url, sql_url, "4.0.9");
    pthread_join(thread, NULL);
    close(listener);
    unlink(address.sun_path);
}

/* ---- the database
 * -------------------------------------------------------------------------------------- */

static void made_and_dropped(void **state)
{
    (void)state;
    Error error = {0};
    Stores *stores = open_stores();
    if (!stores_prepare(stores, &plain, &error)) fail_msg("%s", error.text);
    assert_int_equal(tables("table_name LIKE 'tb\\_%'"), 5);
    assert_int_equal(tables("table_name = 'lab_marker'"), 1);
    refused(redis_url, sql_url, "Another seckill-lab");
    assert_int_equal(tables("table_name LIKE 'tb\\_%'"), 5);
    stores_close(stores);
    assert_int_equal(databases(), 0);
}

static void database_of_the_learner(void **state)
{
    (void)state;
    sql_does("CREATE DATABASE seckill_lab");
    sql_does("CREATE TABLE seckill_lab.mine (id INT)");
    stores_close(open_stores());
    assert_int_equal(databases(), 1);
    assert_int_equal(tables("1"), 1);
    assert_int_equal(tables("table_name = 'mine'"), 1);
    sql_does("DROP DATABASE seckill_lab");

    /* Made by us, but the learner put something in it. */
    Stores *stores = open_stores();
    sql_does("CREATE TABLE seckill_lab.mine (id INT)");
    stores_close(stores);
    assert_int_equal(tables("1"), 1);
    sql_does("DROP DATABASE seckill_lab");

    /* Empty, from somebody with more rights: stays. */
    sql_does("CREATE DATABASE seckill_lab");
    stores_close(open_stores());
    assert_int_equal(databases(), 1);
    assert_int_equal(tables("1"), 0);
}

static void tables_of_the_learner(void **state)
{
    (void)state;
    sql_does("CREATE DATABASE seckill_lab");
    sql_does("CREATE TABLE seckill_lab.tb_voucher_order (precious INT)");
    sql_does("INSERT INTO seckill_lab.tb_voucher_order VALUES (1)");
    refused(redis_url, sql_url, "tb_voucher_order");
    assert_int_equal(sql_number("SELECT precious FROM seckill_lab.tb_voucher_order"), 1);
    assert_int_equal(redis_number("DBSIZE"), 0);
}

static void left_by_a_killed_console(void **state)
{
    (void)state;
    Error error = {0};
    Stores *stores = open_stores();
    assert_true(stores_prepare(stores, &plain, &error));
    stores->marked_sql = stores->marked_redis = false; /* as if it had no chance to tidy up */
    stores_close(stores);
    assert_int_equal(tables("table_name = 'lab_marker'"), 1);
    stores_close(open_stores());
    assert_int_equal(databases(), 0);
    assert_int_equal(redis_number("DBSIZE"), 0);
}

static void database_passwords_and_rights(void **state)
{
    (void)state;
    char url[260];
    Error error = {0};
    sql_does("CREATE OR REPLACE USER ann@localhost IDENTIFIED BY 'hunter2'");
    snprintf(url, sizeof url, "mysql+unix://ann:wrong-hunter2@%s", socket_of_sql);
    refused(redis_url, url, "password");
    snprintf(url, sizeof url, "mysql+unix://%s?user=nobody", socket_of_sql);
    refused(redis_url, url, "nobody");
    snprintf(url, sizeof url, "mysql+unix://ann:hunter2@%s", socket_of_sql);
    refused(redis_url, url, "GRANT ALL ON seckill_lab.*");
    assert_int_equal(databases(), 0);
    refused(redis_url, "mysql://ann:hunter2@127.0.0.1:1", "mysql://127.0.0.1:1");
    refused(redis_url, "mysql+unix:///nowhere/at.all?user=ann", "/nowhere/at.all");

    sql_does("GRANT ALL ON seckill_lab.* TO ann@localhost");
    Stores *stores = stores_open(redis_url, url, &error);
    if (!stores_wait(stores, 1000, &error) || !stores_prepare(stores, &plain, &error))
        fail_msg("%s", error.text);
    stores_close(stores);
    assert_int_equal(databases(), 0);
    setenv("SECKILL_LAB_MYSQL_PASSWORD", "hunter2", 1);
    snprintf(url, sizeof url, "mysql+unix://%s?user=ann", socket_of_sql);
    stores = stores_open(redis_url, url, &error);
    unsetenv("SECKILL_LAB_MYSQL_PASSWORD");
    if (!stores_wait(stores, 1000, &error)) fail_msg("%s", error.text);
    stores_close(stores);
    sql_does("DROP USER ann@localhost");
}

static void versions(void **state)
{
    (void)state;
    static const char *const good[] = {"10.2.0-MariaDB",
                                       "10.11.6-MariaDB-1:deb",
                                       "5.5.5-10.3.1-MariaDB",
                                       "11.4.2-MariaDB",
                                       "5.7.44",
                                       "8.0.36-0ubuntu",
                                       "9.1.0"};
    static const char *const old[] = {"10.1.48-MariaDB", "5.5.68-MariaDB", "5.5.5-10.0.3-MariaDB",
                                      "5.6.51-log", "5.1.73"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!stores_sql_new_enough(good[i])) fail_msg("%s", good[i]);
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (stores_sql_new_enough(old[i])) fail_msg("%s", old[i]);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0) return sandbox_keeper_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(foreign_keys, empty_world),
        cmocka_unit_test_setup(only_our_keys_go, empty_world),
        cmocka_unit_test_setup(redis_passwords, empty_world),
        cmocka_unit_test_setup(redis_too_old, empty_world),
        cmocka_unit_test_setup(made_and_dropped, empty_world),
        cmocka_unit_test_setup(database_of_the_learner, empty_world),
        cmocka_unit_test_setup(tables_of_the_learner, empty_world),
        cmocka_unit_test_setup(left_by_a_killed_console, empty_world),
        cmocka_unit_test_setup(database_passwords_and_rights, empty_world),
        cmocka_unit_test(versions),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
