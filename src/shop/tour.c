/* tour.c -- lesson 00: one purchase, done right.
 * The lessons after it say why each line is there. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* Look at the window and the stock. Then take one, if any is
 * left, and write the order: both, or neither. The unique index
 * on (user, voucher) refuses a second order of the same user. */
Answer buy_mended(Actor *me, VoucherId voucher)
{
    VoucherRow row = sql_select_voucher(me, voucher);
    int64_t now = clock_now(me);
    if (now < row.begin) return NOT_BEGUN;
    if (now >= row.end) return ENDED;
    if (row.stock < 1) return SOLD_OUT;

    sql_begin(me);
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) {
        sql_rollback(me);
        return SOLD_OUT;
    }
    OrderId id = next_order_id(me);
    bool written = sql_insert_order(me, voucher, id);
    if (!written) {
        sql_rollback(me);
        return DUPLICATE;
    }
    sql_commit(me);
    return ordered(id);
}
