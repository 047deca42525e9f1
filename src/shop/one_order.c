/* one_order.c -- lesson 04: one voucher a user,
 * though the user presses the button twice. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* Count my orders. If there is none, make one. */
Answer buy_check_then_insert(Actor *me, VoucherId voucher)
{
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) return DUPLICATE;
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The same inside one transaction, REPEATABLE READ. It makes
 * everything undone together; it keeps nobody out of the count. */
Answer buy_check_in_transaction(Actor *me, VoucherId voucher)
{
    sql_begin(me);
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) {
        sql_rollback(me);
        return DUPLICATE;
    }
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) {
        sql_rollback(me);
        return SOLD_OUT;
    }
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    sql_commit(me);
    return ordered(id);
}

/* UNIQUE (user_id, voucher_id): the database itself refuses the
 * second order. Whoever is refused gives the stock back, by
 * rolling back. */
Answer buy_unique_index(Actor *me, VoucherId voucher)
{
    sql_begin(me);
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) {
        sql_rollback(me);
        return DUPLICATE;
    }
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

/* The same index, without a transaction: each command is final by
 * itself. The one who is refused has taken from the stock already,
 * and nothing gives that back. */
Answer buy_unique_index_no_rollback(Actor *me, VoucherId voucher)
{
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) return DUPLICATE;
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    bool written = sql_insert_order(me, voucher, id);
    if (!written) return DUPLICATE;
    return ordered(id);
}

/* INSERT IGNORE makes no noise when the index refuses the row.
 * How many rows went in is its answer, and nobody reads it. */
Answer buy_insert_ignore_unread(Actor *me, VoucherId voucher)
{
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) return DUPLICATE;
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    sql_insert_ignore_order(me, voucher, id);
    return ordered(id);
}

/* The order first, then the stock: whoever bought already is
 * refused before it waits for the voucher's row. With nothing
 * left, roll back: and then two others may want the same place. */
Answer buy_insert_first(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    sql_begin(me);
    bool written = sql_insert_order(me, voucher, id);
    if (!written) {
        sql_rollback(me);
        return DUPLICATE;
    }
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) {
        sql_rollback(me);
        return SOLD_OUT;
    }
    sql_commit(me);
    return ordered(id);
}
