/* The steps of the clock and of Redis. See steps.h. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/steps_core.h"

enum { ID_EPOCH = 1640995200 }; /* 2022-01-01T00:00:00Z */

static int64_t clock_step(Actor *me, int64_t epoch)
{
    Touch nothing = {0};
    StepCall call = {.step = STEP_CLOCK, .touch = &nothing};
    gate_enter(me, &call);
    int64_t seconds = steps_clock(me) - epoch;
    gate_leave(me, &call, STORE_OK, seconds, 0);
    return seconds;
}

int64_t clock_seconds(Actor *me)
{
    return clock_step(me, ID_EPOCH);
}

int64_t clock_now(Actor *me)
{
    return clock_step(me, 0);
}

/* One command whose reply is a number or does not matter. */
static redisReply *key_step(Actor *me, StepCall *call, bool writes, int count, const char **words)
{
    Touch touch = {0};
    if (gate_steps(me)) touch_add(&touch, touch_key(call->key), writes);
    call->touch = &touch;
    return redis_step(me, call, count, words);
}

static int64_t incr(Actor *me, StepId step, const char *key)
{
    StepCall call = {.step = step, .key = key};
    redisReply *reply = key_step(me, &call, true, 2, (const char *[]){"INCR", key});
    int64_t count = reply->integer;
    freeReplyObject(reply);
    return count;
}

int64_t redis_incr_counter(Actor *me)
{
    char key[KEY_LENGTH];
    return incr(me, STEP_INCR_COUNTER, counter_key(me, key));
}

OrderId next_order_id(Actor *me)
{
    char key[KEY_LENGTH];
    int64_t seconds = steps_clock(me) - ID_EPOCH;
    return seconds << 32 | incr(me, STEP_NEXT_ID, counter_key(me, key));
}

static const char *stock_key(VoucherId voucher, char key[KEY_LENGTH])
{
    snprintf(key, KEY_LENGTH, "seckill:stock:%" PRId64, voucher);
    return key;
}

long redis_get_stock(Actor *me, VoucherId voucher)
{
    char key[KEY_LENGTH];
    StepCall call = {.step = STEP_GET_STOCK, .key = stock_key(voucher, key)};
    redisReply *reply = key_step(me, &call, false, 2, (const char *[]){"GET", key});
    long stock = -1;
    if (reply->type == REDIS_REPLY_STRING) sscanf(reply->str, "%ld", &stock);
    freeReplyObject(reply);
    return stock;
}

void redis_set_stock(Actor *me, VoucherId voucher, long stock)
{
    char key[KEY_LENGTH], value[24];
    StepCall call = {.step = STEP_SET_STOCK, .key = stock_key(voucher, key), .second = stock};
    snprintf(value, sizeof value, "%ld", stock);
    freeReplyObject(key_step(me, &call, true, 3, (const char *[]){"SET", key, value}));
}
