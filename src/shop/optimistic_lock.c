/* optimistic_lock.c -- lesson 03: take one only if nobody
 * has been here since I looked. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* The row carries a version that grows with each sale.
 * WHERE version = the one I saw. */
Answer buy_version(Actor *me, VoucherId voucher)
{
    VoucherRow row = sql_select_voucher(me, voucher);
    if (row.stock < 1) return SOLD_OUT;
    long taken = sql_decrement_if_version(me, voucher, row.version);
    if (taken == 0) return BUSY;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The stock itself is the version.
 * WHERE stock = the one I saw. */
Answer buy_cas_stock(Actor *me, VoucherId voucher)
{
    long stock = sql_select_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    long taken = sql_decrement_if_stock(me, voucher, stock);
    if (taken == 0) return BUSY;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* Whoever comes too late looks again and tries again,
 * until it works or nothing is left. */
Answer buy_cas_retry(Actor *me, VoucherId voucher)
{
    long stock, taken;
    do {
        stock = sql_select_stock(me, voucher);
        if (stock < 1) return SOLD_OUT;
        taken = sql_decrement_if_stock(me, voucher, stock);
    } while (taken == 0);
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* It does not matter whether somebody has been here.
 * It matters that one is left: WHERE stock > 0. */
Answer buy_stock_gt_0(Actor *me, VoucherId voucher)
{
    long stock = sql_select_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}
