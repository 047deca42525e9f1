/* test_stream_view.c -- what is told of stream.orders, held against what was done to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/observe.h"
#include "store/stores.h"

enum { WAIT_MS = 60000, MANY = 1000000 };

static Stores *stores;
static RedisLink *redis;

static int open_stores(void **state)
{
    (void)state;
    Error error = {0};
    stores = stores_open(NULL, NULL, &error);
    if (!stores || !stores_wait(stores, WAIT_MS, &error)) {
        fprintf(stderr, "# %s\n", error.text);
        return -1;
    }
    redis = stores_redis(stores);
    return 0;
}

static int close_stores(void **state)
{
    (void)state;
    stores_close(stores);
    return 0;
}

static void does(const char *command)
{
    redisReply *reply;
    Error error;
    if (redis_link_command(redis, &reply, &error, command) != STORE_OK) fail_msg("%s: %s", command, error.text);
    freeReplyObject(reply);
}

static void runs(const char *script)
{
    redisReply *reply;
    Error error;
    const char *words[] = {"EVAL", script, "0"};
    if (redis_link_argv(redis, &reply, &error, 3, words, NULL) != STORE_OK) fail_msg("%s: %s", script, error.text);
    freeReplyObject(reply);
}

static void begin(StreamSetup stream)
{
    Error error;
    const ShopSetup setup = {.voucher = 1, .stock = 1, .begin = 1700000000, .end = 4000000000, .stream = stream};
    if (!stores_prepare(stores, &setup, &error)) fail_msg("%s", error.text);
}

static StreamView look(void)
{
    StreamView view;
    Error error;
    if (!stream_view_read(redis, &view, &error)) fail_msg("%s", error.text);
    return view;
}

static void a_stream_that_is_not_there(void **state)
{
    (void)state;
    begin(STREAM_BARE);
    StreamView view = look();
    assert_false(view.exists || view.has_group || view.unread);
    assert_int_equal(stream_view_waiting(&view), 0);
    does("XADD stream.orders 1-1 user 1 id 7");
    view = look();
    assert_true(view.exists && !view.has_group && view.unread);
    assert_int_equal(stream_view_waiting(&view), 1); /* for whoever makes the group */
}

static void a_sale_begins_with_an_empty_stream_and_a_group(void **state)
{
    (void)state;
    begin(STREAM_GROUP);
    StreamView view = look();
    assert_true(view.exists && view.has_group && !view.unread);
    assert_int_equal(view.length, 0);
    begin(STREAM_POISON);
    view = look();
    assert_int_equal(view.length, 1);
    assert_int_equal(stream_view_waiting(&view), 1);
    begin(STREAM_NONE);
    assert_false(look().exists);
}

static void from_unread_to_acknowledged(void **state)
{
    (void)state;
    begin(STREAM_GROUP);
    for (int i = 0; i < 5; i++) does("XADD stream.orders * user 1 id 7");
    StreamView view = look();
    assert_int_equal(view.length, 5);
    assert_int_equal(view.lag, 5);
    assert_int_equal(stream_view_waiting(&view), 5);

    does("XREADGROUP GROUP g1 c1 COUNT 2 STREAMS stream.orders >");
    does("XREADGROUP GROUP g1 c2 COUNT 1 STREAMS stream.orders >");
    view = look();
    assert_int_equal(view.lag, 2);
    assert_int_equal(view.pending, 3);
    assert_int_equal(view.acked, 0);
    assert_int_equal(view.consumers, 2);
    assert_string_equal(view.consumer[0].name, "c1");
    assert_int_equal(view.consumer[0].pending, 2);
    assert_int_equal(view.consumer[0].deliveries, 1);
    assert_int_equal(view.consumer[1].pending, 1);
    assert_int_equal(stream_view_waiting(&view), 5);

    runs("local e = redis.call('XPENDING', 'stream.orders', 'g1', '-', '+', 2, 'c1')"
         " redis.call('XACK', 'stream.orders', 'g1', e[1][1], e[2][1])");
    view = look();
    assert_int_equal(view.pending, 1);
    assert_int_equal(view.acked, 2);
    assert_int_equal(view.consumer[0].pending, 0);
    assert_int_equal(stream_view_waiting(&view), 3);
}

static void a_redelivery_is_counted_and_idle_times_are_the_servers(void **state)
{
    (void)state;
    begin(STREAM_GROUP);
    does("XADD stream.orders 5-1 user 1 id 7");
    does("XREADGROUP GROUP g1 c1 COUNT 1 STREAMS stream.orders >");
    does("XREADGROUP GROUP g1 c1 COUNT 1 STREAMS stream.orders 0");
    does("XCLAIM stream.orders g1 c1 0 5-1 IDLE 90000 JUSTID");
    StreamView view = look();
    assert_int_equal(view.consumer[0].deliveries, 2);
    assert_in_range(view.consumer[0].oldest_idle_ms, 90000, 150000);
    assert_in_range(view.consumer[0].idle_ms, 0, 60000);
}

static void what_was_set_aside_is_counted(void **state)
{
    (void)state;
    begin(STREAM_GROUP);
    does("XADD stream.orders.dead * entry 5-1");
    does("XADD stream.orders.dead * entry 5-2");
    assert_int_equal(look().set_aside, 2);
    begin(STREAM_GROUP); /* it belongs to the clean state, too */
    assert_int_equal(look().set_aside, 0);
}

/* Nobody waits for what was trimmed away. */
static void a_trimmed_entry_does_not_wait(void **state)
{
    (void)state;
    begin(STREAM_GROUP);
    for (int i = 0; i < 3; i++) does("XADD stream.orders MAXLEN 1 * user 1 id 7");
    does("XREADGROUP GROUP g1 c1 COUNT 1 STREAMS stream.orders >");
    StreamView view = look();
    assert_false(view.unread);
    assert_int_equal(stream_view_waiting(&view), 1);
}

/* How many commands it takes does not depend on how much there is; nor does the server read it all: every
 * reply is short, and none of its commands stands in the list of those that took longer than 100 ms. */
static void a_million_entries_cost_nothing(void **state)
{
    (void)state;
    begin(STREAM_GROUP);
    for (int i = 0; i < 10; i++)
        runs("for i = 1, 100000 do redis.call('XADD', 'stream.orders', '*', 'user', i, 'voucher', 1, 'id', i) end");
    for (int i = 0; i < 10; i++) does("XREADGROUP GROUP g1 c1 COUNT 10000 STREAMS stream.orders >");
    does("CONFIG SET slowlog-log-slower-than 100000");
    does("SLOWLOG RESET");
    StreamView view = look();
    assert_int_equal(view.length, MANY);
    assert_int_equal(view.pending, 100000);
    assert_int_equal(view.lag, MANY - 100000);
    Error error;
    Observer *observer = observer_open(stores, &error);
    assert_non_null(observer);
    static Snapshot snapshot;
    observer_take(observer, 1, &snapshot);
    assert_true(snapshot.redis_ok && snapshot.has_queue);
    assert_int_equal(snapshot.queue_length, MANY);
    assert_int_equal(snapshot.stream.pending, 100000);
    observer_close(observer);
    redisReply *reply;
    assert_int_equal(redis_link_command(redis, &reply, &error, "SLOWLOG LEN"), STORE_OK);
    assert_int_equal(reply->integer, 0);
    freeReplyObject(reply);
    begin(STREAM_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_that_is_not_there),
        cmocka_unit_test(a_sale_begins_with_an_empty_stream_and_a_group),
        cmocka_unit_test(from_unread_to_acknowledged),
        cmocka_unit_test(a_redelivery_is_counted_and_idle_times_are_the_servers),
        cmocka_unit_test(what_was_set_aside_is_counted),
        cmocka_unit_test(a_trimmed_entry_does_not_wait),
        cmocka_unit_test(a_million_entries_cost_nothing),
    };
    return cmocka_run_group_tests(tests, open_stores, close_stores);
}
