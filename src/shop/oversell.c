/* oversell.c -- lesson 02: look first, act later,
 * and what comes in between. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* Read the stock. If there is any, take one away. */
Answer buy_check_then_update(Actor *me, VoucherId voucher)
{
    long stock = sql_select_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    sql_decrement_stock(me, voucher);
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* Read the stock, work out the new one here,
 * and write it back: SET stock = n. */
Answer buy_absolute_update(Actor *me, VoucherId voucher)
{
    long stock = sql_select_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    sql_set_stock(me, voucher, stock - 1);
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The same with the stock in Redis. Each command is atomic;
 * the pair of them is not. */
Answer buy_redis_get_set(Actor *me, VoucherId voucher)
{
    long stock = redis_get_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    redis_set_stock(me, voucher, stock - 1);
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The sale has a begin and an end. Looking at them
 * keeps the hours; it does not keep the stock. */
Answer buy_window_checked(Actor *me, VoucherId voucher)
{
    VoucherRow row = sql_select_voucher(me, voucher);
    int64_t now = clock_now(me);
    if (now < row.begin) return NOT_BEGUN;
    if (now >= row.end) return ENDED;
    if (row.stock < 1) return SOLD_OUT;
    sql_decrement_stock(me, voucher);
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}
