/* atomic_redis.c -- lesson 13: the sale is decided in Redis. Each
 * command is atomic; what counts is what stands between two. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* Who is in may have an order written. */
static Answer write_order(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* GET, SISMEMBER, DECR, SADD: four atomic commands, and three
 * gaps between them. */
Answer buy_four_commands(Actor *me, VoucherId voucher)
{
    long stock = redis_get_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    bool bought = redis_is_buyer(me, voucher);
    if (bought) return DUPLICATE;
    redis_decr_stock(me, voucher);
    redis_add_buyer(me, voucher);
    return write_order(me, voucher);
}

/* Takes first, and looks then who it is. A repeat buyer is sent
 * away; what he took stays taken. */
Answer buy_decr_before_check(Actor *me, VoucherId voucher)
{
    long left = redis_decrby_stock(me, voucher, 1);
    if (left < 0) {
        redis_incrby_stock(me, voucher, 1);
        return SOLD_OUT;
    }
    bool is_new = redis_add_buyer(me, voucher);
    if (!is_new) return DUPLICATE;
    return write_order(me, voucher);
}

/* Takes the whole basket, and gives it back when there was not
 * enough. In between, the counter is lower than the stock. */
Answer buy_decr_and_give_back(Actor *me, VoucherId voucher)
{
    long many = basket_of(me);
    long left = redis_decrby_stock(me, voucher, many);
    if (left < 0) {
        redis_incrby_stock(me, voucher, many);
        return SOLD_OUT;
    }
    return write_order(me, voucher);
}

/* MULTI ... EXEC runs the queue in one piece. But it is a queue:
 * the ifs are outside, and looked before it began. */
Answer buy_multi_exec(Actor *me, VoucherId voucher)
{
    long stock = redis_get_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    bool bought = redis_is_buyer(me, voucher);
    if (bought) return DUPLICATE;
    redis_multi(me);
    redis_decr_stock(me, voucher);
    redis_add_buyer(me, voucher);
    redis_exec(me, voucher);
    return write_order(me, voucher);
}

/* WATCH: EXEC does nothing if what was read has changed since.
 * Then all begins anew. */
Answer buy_watch(Actor *me, VoucherId voucher)
{
    bool done = false;
    while (!done) {
        redis_watch(me, voucher);
        long stock = redis_get_stock(me, voucher);
        if (stock < 1) {
            redis_unwatch(me);
            return SOLD_OUT;
        }
        bool bought = redis_is_buyer(me, voucher);
        if (bought) {
            redis_unwatch(me);
            return DUPLICATE;
        }
        redis_multi(me);
        redis_decr_stock(me, voucher);
        redis_add_buyer(me, voucher);
        done = redis_exec(me, voucher);
    }
    return write_order(me, voucher);
}

/* Looks and takes in one script: nothing comes between. */
Answer buy_lua(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "sell.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    return write_order(me, voucher);
}

/* Nothing comes between, and it is wrong all the same: what was
 * taken in vain is not given back. */
Answer buy_lua_take_first(Actor *me, VoucherId voucher)
{
    long many = basket_of(me);
    long said = redis_eligible_basket(me, "sell_take_first.lua",
                                      voucher, many);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    return write_order(me, voucher);
}

/* The basket again. The script takes it only if it is there, so
 * nothing has to be given back. */
Answer buy_lua_basket(Actor *me, VoucherId voucher)
{
    long many = basket_of(me);
    long said = redis_eligible_basket(me, "sell_basket.lua",
                                      voucher, many);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    return write_order(me, voucher);
}
