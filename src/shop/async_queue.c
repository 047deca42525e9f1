/* async_queue.c -- lesson 15: the answer first, the order
 * later, through a queue in the node's memory. */
#define SECKILL_SHOP
#include "engine/steps.h"

enum { LEASE_SECONDS = 10 };

/* What a request still does: ask the script, draw the id, put
 * the order into the queue. No database. */
Answer buy_queued(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    Order order = {id, user_id(me), voucher};
    queue_add(me, order);
    return ordered(id);
}

/* Stores one order: count, take one, insert. */
static void store(Actor *me, Order order)
{
    sql_begin(me);
    long bought = sql_count_orders_of(me, order);
    long taken = 0;
    if (bought == 0)
        taken = sql_decrement_if_any(me, order.voucher);
    if (taken == 1)
        sql_store_order(me, order);
    sql_commit(me);
}

/* ---- the consumer catches too little ---- */

/* catch (InterruptedException e): any other error ends the
 * thread. From then on the queue only grows. */
void consume_until_error(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Order order = queue_take(me);
        store(me, order);
    }
}

/* ---- the proxy comes too late ---- */

/* First into the queue, then the reference that the consumer
 * needs. It may be quicker. */
Answer buy_proxy_late(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    Order order = {id, user_id(me), voucher};
    queue_add(me, order);
    share_proxy(me); /* proxy = AopContext.currentProxy() */
    return ordered(id);
}

/* proxy.createVoucherOrder(order): null, in the worst case. */
void consume_by_proxy(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Order order = queue_take(me);
        bool there = proxy_is_there(me);
        if (!there) throw_error(me); /* NullPointerException */
        store(me, order);
    }
}

/* ---- an error is caught, and the order forgotten ---- */

/* catch (Exception e) { log.error(...) }: the thread lives, and
 * this order is gone. Redis keeps its yes. */
void consume_and_log(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Order order = queue_take(me);
        attempt_order(me, store, order);
    }
}

/* ---- the user looks before the order is there ---- */

/* Told yes, he opens the page of his order at once. */
Answer buy_and_look(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    Order order = {id, user_id(me), voucher};
    queue_add(me, order);
    bool there = sql_find_order(me, order);
    return there ? ordered(id) : NOT_FOUND;
}

/* ---- the buyer is noted by whoever stores ---- */

/* The script looks for the buyer, and does not note him. */
Answer buy_unnoted(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible_unnoted.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    Order order = {id, user_id(me), voucher};
    queue_add(me, order);
    return ordered(id);
}

/* Once the order is stored, its user is a buyer. */
void consume_and_note(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Order order = queue_take(me);
        store(me, order);
        redis_note_buyer(me, order);
    }
}

/* ---- one failure closes the sale ---- */

/* Whatever went wrong, it must have been the stock. */
void consume_or_close(Actor *me, VoucherId voucher)
{
    for (;;) {
        Order order = queue_take(me);
        bool stored = attempt_order(me, store, order);
        if (!stored)
            redis_set_stock(me, voucher, 0);
    }
}

/* ---- a full queue is a no ---- */

/* What Redis has taken is given back, all of it. */
Answer buy_give_back(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    Order order = {id, user_id(me), voucher};
    bool queued = queue_offer(me, order);
    if (!queued) {
        redis_take_back(me, "take_back.lua", order);
        return BUSY;
    }
    return ordered(id);
}

/* ---- what can be mended in memory ---- */

/* A full queue makes the request wait. */
Answer buy_hardened(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    Order order = {id, user_id(me), voucher};
    queue_put(me, order);
    return ordered(id);
}

/* Behind the lock of its user: who else stores for him waits
 * outside. The lock is given back in any case. */
static bool store_locked(Actor *me, Order order)
{
    LockKey lock = order_lock_of(order);
    Owner mine = uuid_and_thread(me);
    bool locked = redis_set_nx_ex(me, lock, mine, LEASE_SECONDS);
    if (!locked) return false;
    bool stored = attempt_order(me, store, order);
    redis_unlock(me, lock, mine); /* unlock.lua */
    return stored;
}

/* Every error is caught, and the order tried again until it is
 * stored. */
void consume_hardened(Actor *me, VoucherId voucher)
{
    (void)voucher;
    for (;;) {
        Order order = queue_take(me);
        bool stored = false;
        while (!stored)
            stored = store_locked(me, order);
    }
}
