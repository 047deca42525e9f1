/* stream_queue.c -- lesson 16: the order goes into a stream of
 * Redis, and stays there until somebody has stored it. */
#define SECKILL_SHOP
#include "engine/steps.h"

enum {
    BLOCK_MS = 500, /* a look around, twice a second */
    DEAD_MS = 1000, /* an entry that lay so long is nobody's */
    ENOUGH = 3,     /* deliveries, then people look at it */
    TRIES = 5
};

/* ---- the request ---- */

/* The id first, then one script: it looks, takes one, notes the
 * buyer and adds the order to the stream. All or nothing. */
Answer buy_streamed(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    long said = redis_eligible_xadd(me, "sell_stream.lua",
                                    voucher, id);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    return ordered(id);
}

/* The script without its last line, and XADD from here. Between
 * the two, a node may die. */
Answer buy_xadd_apart(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    Order order = {id, user_id(me), voucher};
    stream_add(me, order);
    return ordered(id);
}

/* The script adds to the stream, and looks then. */
Answer buy_xadd_first(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    long said = redis_eligible_xadd(me, "sell_stream_first.lua",
                                    voucher, id);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    return ordered(id);
}

/* The stream may hold one entry: MAXLEN. What is too many goes,
 * read or not. */
Answer buy_trimmed(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    long said = redis_eligible_xadd(me, "sell_stream_maxlen.lua",
                                    voucher, id);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    return ordered(id);
}

/* ---- storing ---- */

/* Whoever comes a second time finds the id taken: INSERT says
 * no, and nothing is counted down again. */
static void store(Actor *me, Order order)
{
    sql_begin(me);
    bool stored = sql_store_order(me, order);
    if (stored)
        sql_decrement_if_any(me, order.voucher);
    sql_commit(me);
}

/* 0: what this consumer was given and has not acknowledged.
 * If there is none, >: what nobody was given. */
static Entry next_entry(Actor *me)
{
    Entry entry = stream_read_pending(me);
    if (entry.found) return entry;
    return stream_read_new(me, FOREVER);
}

/* ---- when to acknowledge ---- */

/* XACK, then the work. What is acknowledged is in no list. */
void consume_ack_first(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_entry(me);
        stream_ack(me, entry);
        Order order = order_in(me, entry);
        store(me, order);
    }
}

/* The work, then XACK. What is not acknowledged is read again. */
void consume_ack_after(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_entry(me);
        Order order = order_in(me, entry);
        store(me, order);
        stream_ack(me, entry);
    }
}

/* XACK at the right place, and nobody reads the list of what is
 * pending. */
void consume_new_only(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = stream_read_new(me, FOREVER);
        Order order = order_in(me, entry);
        store(me, order);
        stream_ack(me, entry);
    }
}

/* ---- what a dead consumer was given ---- */

/* One's own, then a new one, and when there is none for a while:
 * what lies with somebody who does not come back. */
static Entry next_of_all(Actor *me)
{
    Entry entry = stream_read_pending(me);
    if (entry.found) return entry;
    entry = stream_read_new(me, BLOCK_MS);
    if (entry.found) return entry;
    return stream_claim(me, DEAD_MS);
}

void consume_and_recover(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_of_all(me);
        if (!entry.found) continue;
        Order order = order_in(me, entry);
        store(me, order);
        stream_ack(me, entry);
    }
}

/* ---- delivered twice ---- */

/* The log says: duplicate key. So the id is taken; draw another
 * one. */
static void store_anyhow(Actor *me, Order order)
{
    sql_begin(me);
    bool stored = sql_store_order(me, order);
    if (!stored) {
        order.id = next_order_id(me);
        sql_store_order(me, order);
    }
    sql_decrement_if_any(me, order.voucher);
    sql_commit(me);
}

void consume_not_idempotent(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_of_all(me);
        if (!entry.found) continue;
        Order order = order_in(me, entry);
        store_anyhow(me, order);
        stream_ack(me, entry);
    }
}

/* The order is stored once, whatever comes. The stock is not
 * asked. */
static void store_and_count(Actor *me, Order order)
{
    sql_begin(me);
    sql_decrement_if_any(me, order.voucher);
    sql_store_order(me, order);
    sql_commit(me);
}

void consume_and_count(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_of_all(me);
        if (!entry.found) continue;
        Order order = order_in(me, entry);
        store_and_count(me, order);
        stream_ack(me, entry);
    }
}

/* ---- an entry that cannot be read ---- */

/* What has no user cannot be stored. */
static void check_and_store(Actor *me, Order order)
{
    if (order.user == 0) throw_error(me);
    store(me, order);
}

/* After so many deliveries it will not get better: to the others
 * of its kind, and out of the way. */
void consume_and_set_aside(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_entry(me);
        bool done = attempt_order(me, check_and_store,
                                  entry.order);
        long times = 0;
        if (!done)
            times = stream_deliveries(me, entry);
        if (times >= ENOUGH)
            stream_set_aside(me, entry);
        if (done || times >= ENOUGH)
            stream_ack(me, entry);
    }
}

/* ---- the group ---- */

/* $: from now on. What came earlier is for nobody. */
void consume_from_now_on(Actor *me, VoucherId voucher)
{
    stream_create_group(me, "$");
    consume_ack_after(me, voucher);
}

/* 0: from the first entry. If the group is there already, its
 * place in the stream is kept. */
void consume_from_the_start(Actor *me, VoucherId voucher)
{
    stream_create_group(me, "0");
    consume_ack_after(me, voucher);
}

/* After an error, leave the group and come back as new. What was
 * pending goes with the one who left. */
void consume_and_leave(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Entry entry = next_entry(me);
        Order order = order_in(me, entry);
        bool stored = attempt_order(me, store, order);
        if (!stored)
            stream_delete_consumer(me);
        else
            stream_ack(me, entry);
    }
}

/* One round. */
static Answer work(Actor *me, VoucherId voucher)
{
    (void)voucher;
    Entry entry = next_entry(me);
    Order order = order_in(me, entry);
    store(me, order);
    stream_ack(me, entry);
    return ordered(order.id);
}

/* NOGROUP: log it, and try again at once. Five tries are over
 * before anybody has read the first line. */
void consume_in_a_storm(Actor *me, VoucherId voucher)
{
    int failed = 0;
    while (failed < TRIES) {
        Answer answer = attempt(me, work, voucher);
        failed++;
        if (answer.kind == ANSWER_ORDERED) failed = 0;
    }
}

/* ---- all of it ---- */

/* The group from the first entry on; one's own and those of the
 * dead; stored once, however often it is delivered; acknowledged
 * at the end; what nobody can read is set aside. */
void consume_for_good(Actor *me, VoucherId voucher)
{
    (void)voucher;
    stream_create_group(me, "0");
    for (;;) {
        Entry entry = next_of_all(me);
        if (!entry.found) continue;
        bool done = attempt_order(me, check_and_store,
                                  entry.order);
        long times = 0;
        if (!done)
            times = stream_deliveries(me, entry);
        if (times >= ENOUGH)
            stream_set_aside(me, entry);
        if (done || times >= ENOUGH)
            stream_ack(me, entry);
    }
}
