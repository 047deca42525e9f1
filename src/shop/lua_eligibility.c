/* lua_eligibility.c -- lesson 14: one script says who may buy.
 * It says 0, yes; 1, sold out; 2, again. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* The script has decided. Who is in gets an order. */
static Answer finish(Actor *me, VoucherId voucher, long said)
{
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    if (said == TOO_EARLY) return NOT_BEGUN;
    if (said == TOO_LATE) return ENDED;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The script as it was first written. It has never said yes. */
Answer buy_as_written(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible_as_written.lua",
                               voucher);
    return finish(me, voucher, said);
}

/* Mended. A missing key counts as sold out. */
Answer buy_eligible(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    return finish(me, voucher, said);
}

/* The script of lesson 13. It believes that there is a key. */
Answer buy_nil_stock(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "sell.lua", voucher);
    return finish(me, voucher, said);
}

/* A missing key is no stock of 0: load it and ask once more. */
Answer buy_load_on_miss(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible_or_missing.lua",
                               voucher);
    if (said == NOT_LOADED) {
        long stock = sql_select_stock(me, voucher);
        redis_load_stock(me, voucher, stock);
        said = redis_eligible(me, "eligible_or_missing.lua",
                              voucher);
    }
    return finish(me, voucher, said);
}

/* One character: the stock may be 0 and still be sold. */
Answer buy_at_least_zero(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible_at_zero.lua",
                               voucher);
    return finish(me, voucher, said);
}

/* The opening hours stand in Redis next to the stock, and the
 * script looks at its own server's clock. */
Answer buy_window_in_script(Actor *me, VoucherId voucher)
{
    long said = redis_eligible_in_window(me,
                                         "eligible_window.lua",
                                         voucher);
    return finish(me, voucher, said);
}

/* The script hands the order's id on, as a number. */
Answer buy_id_as_number(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    id = redis_sell_with_id(me, "sell_id_number.lua", voucher,
                            id);
    if (id == 0) return SOLD_OUT;
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The same, as the text it came in. */
Answer buy_id_as_text(Actor *me, VoucherId voucher)
{
    OrderId id = next_order_id(me);
    id = redis_sell_with_id(me, "sell_id_text.lua", voucher,
                            id);
    if (id == 0) return SOLD_OUT;
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The same question in four commands. */
Answer buy_split_in_four(Actor *me, VoucherId voucher)
{
    long stock = redis_get_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    bool bought = redis_is_buyer(me, voucher);
    if (bought) return DUPLICATE;
    redis_decr_stock(me, voucher);
    redis_add_buyer(me, voucher);
    return finish(me, voucher, YES);
}

/* What the user waits for when the order is written later: the
 * script, and a number to ask with. The database rests. */
Answer buy_request_path(Actor *me, VoucherId voucher)
{
    long said = redis_eligible(me, "eligible.lua", voucher);
    if (said == NONE_LEFT) return SOLD_OUT;
    if (said == AGAIN) return DUPLICATE;
    OrderId id = next_order_id(me);
    return issued(id);
}
