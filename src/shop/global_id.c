/* global_id.c -- lesson 01: four ways to number orders.
 * They hand out a number and sell nothing. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* A number is asked for without a voucher. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Orders are split over two tables,
 * and each table counts for itself. */
Answer issue_auto_increment(Actor *me, VoucherId voucher)
{
    int table = user_id(me) % 2;
    OrderId id = sql_insert_auto_increment(me, table);
    return issued(id);
}

/* The second of the request, and nothing else. */
Answer issue_clock_only(Actor *me, VoucherId voucher)
{
    int64_t seconds = clock_seconds(me);
    return issued(seconds << 32);
}

/* 31 bits of seconds, then 32 bits of a counter
 * that Redis keeps for the day. */
Answer issue_redis_incr(Actor *me, VoucherId voucher)
{
    int64_t seconds = clock_seconds(me);
    int64_t count = redis_incr_counter(me);
    return issued(seconds << 32 | count);
}

/* The same recipe, late on a day of 4,294,967,294 orders:
 * the next but one needs 33 bits. */
Answer issue_counter_overflow(Actor *me, VoucherId voucher)
{
    int64_t seconds = clock_seconds(me);
    int64_t count = redis_incr_counter(me);
    return issued(seconds << 32 | count);
}
