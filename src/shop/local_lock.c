/* local_lock.c -- lessons 05 and 06: synchronized, and where it
 * ends: at the edge of the transaction, and of the process. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* The rows of one order: count mine, take one, insert. */
static Answer write_order(Actor *me, VoucherId voucher)
{
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) return DUPLICATE;
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The same in a transaction: @Transactional. */
static Answer create_order(Actor *me, VoucherId voucher)
{
    sql_begin(me);
    Answer answer = write_order(me, voucher);
    sql_commit(me);
    return answer;
}

/* The lock is inside: it is given back before the commit, and
 * whoever comes next does not see the order yet. */
Answer buy_lock_inside_transaction(Actor *me, VoucherId voucher)
{
    sql_begin(me);
    Monitor user = monitor_of_user(me);
    local_lock(me, user);
    Answer answer = write_order(me, voucher);
    local_unlock(me, user);
    sql_commit(me);
    return answer;
}

/* A new object at each call: everybody has a lock, and nobody
 * is kept out by it. */
Answer buy_lock_new_object(Actor *me, VoucherId voucher)
{
    Monitor user = monitor_new(me);
    local_lock(me, user);
    Answer answer = create_order(me, voucher);
    local_unlock(me, user);
    return answer;
}

/* this.createOrder() does not pass the proxy: no transaction.
 * What was written before an error stays written. */
Answer buy_no_transaction(Actor *me, VoucherId voucher)
{
    Monitor user = monitor_of_user(me);
    local_lock(me, user);
    Answer answer = write_order(me, voucher);
    local_unlock(me, user);
    return answer;
}

/* synchronized on the method: right, and one lane for all. */
Answer buy_lock_whole_method(Actor *me, VoucherId voucher)
{
    Monitor service = monitor_of_service(me);
    local_lock(me, service);
    Answer answer = create_order(me, voucher);
    local_unlock(me, service);
    return answer;
}

/* One lock for each user, around the transaction. */
Answer buy_lock_per_user(Actor *me, VoucherId voucher)
{
    Monitor user = monitor_of_user(me);
    local_lock(me, user);
    Answer answer = create_order(me, voucher);
    local_unlock(me, user);
    return answer;
}
