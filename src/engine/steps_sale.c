/* The steps of a sale that is decided in Redis: its counter, its set of buyers, MULTI and WATCH, and the
 * scripts that look and take in one. See steps.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/steps_core.h"

typedef struct SaleKeys {
    char stock[KEY_LENGTH], buyers[KEY_LENGTH], begin[KEY_LENGTH], end[KEY_LENGTH];
    char user[24];
} SaleKeys;

static void sale_keys(const Actor *me, VoucherId voucher, SaleKeys *keys)
{
    snprintf(keys->stock, sizeof keys->stock, "seckill:stock:%" PRId64, voucher);
    snprintf(keys->buyers, sizeof keys->buyers, "seckill:order:%" PRId64, voucher);
    snprintf(keys->begin, sizeof keys->begin, "seckill:begin:%" PRId64, voucher);
    snprintf(keys->end, sizeof keys->end, "seckill:end:%" PRId64, voucher);
    snprintf(keys->user, sizeof keys->user, "%" PRId64, me->user);
}

long basket_of(const Actor *me)
{
    return spec_basket(&me->world->spec, me->user);
}

/* ---- one command on one key ----------------------------------------------------------------------- */

/* Inside MULTI a command only joins the queue: it touches nothing before EXEC. */
static redisReply *key_command(Actor *me, StepCall *call, bool writes, int count, const char **words)
{
    Touch touch = {0};
    if (gate_steps(me) && !me->queues) touch_add(&touch, touch_key(call->key), writes);
    call->touch = &touch;
    return redis_step(me, call, count, words);
}

static int64_t key_number(Actor *me, StepCall *call, bool writes, int count, const char **words)
{
    redisReply *reply = key_command(me, call, writes, count, words);
    int64_t number = reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
    freeReplyObject(reply);
    return number;
}

long redis_decr_stock(Actor *me, VoucherId voucher)
{
    SaleKeys keys;
    sale_keys(me, voucher, &keys);
    StepCall call = {.step = me->queues ? STEP_QUEUE_DECR : STEP_DECR_STOCK, .key = keys.stock};
    return (long)key_number(me, &call, true, 2, (const char *[]){"DECR", keys.stock});
}

static int64_t change_by(Actor *me, StepId step, const char *command, VoucherId voucher, long many)
{
    SaleKeys keys;
    char number[24];
    sale_keys(me, voucher, &keys);
    snprintf(number, sizeof number, "%ld", many);
    StepCall call = {.step = step, .key = keys.stock, .second = many};
    return key_number(me, &call, true, 3, (const char *[]){command, keys.stock, number});
}

long redis_decrby_stock(Actor *me, VoucherId voucher, long many)
{
    return (long)change_by(me, STEP_DECRBY_STOCK, "DECRBY", voucher, many);
}

void redis_incrby_stock(Actor *me, VoucherId voucher, long many)
{
    change_by(me, STEP_INCRBY_STOCK, "INCRBY", voucher, many);
}

bool redis_load_stock(Actor *me, VoucherId voucher, long stock)
{
    SaleKeys keys;
    char number[24];
    sale_keys(me, voucher, &keys);
    snprintf(number, sizeof number, "%ld", stock);
    StepCall call = {.step = STEP_LOAD_STOCK, .key = keys.stock, .second = stock, .reply_is_ok = true};
    redisReply *reply = key_command(me, &call, true, 4, (const char *[]){"SET", keys.stock, number, "NX"});
    bool loaded = reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    return loaded;
}

bool redis_is_buyer(Actor *me, VoucherId voucher)
{
    SaleKeys keys;
    sale_keys(me, voucher, &keys);
    StepCall call = {.step = STEP_IS_BUYER, .key = keys.buyers, .second = me->user};
    return key_number(me, &call, false, 3, (const char *[]){"SISMEMBER", keys.buyers, keys.user}) == 1;
}

bool redis_add_buyer(Actor *me, VoucherId voucher)
{
    SaleKeys keys;
    sale_keys(me, voucher, &keys);
    StepCall call = {.step = me->queues ? STEP_QUEUE_SADD : STEP_ADD_BUYER, .key = keys.buyers,
                     .second = me->user};
    return key_number(me, &call, true, 3, (const char *[]){"SADD", keys.buyers, keys.user}) == 1;
}

/* ---- MULTI and WATCH -------------------------------------------------------------------------------- */

/* Both belong to the connection, so it stays with the actor until EXEC or UNWATCH. */
static void session_step(Actor *me, StepId step, const Touch *touch, const char *word)
{
    StepCall call = {.step = step, .touch = touch};
    freeReplyObject(redis_step(me, &call, 1, &word));
}

void redis_watch(Actor *me, VoucherId voucher)
{
    SaleKeys keys;
    Touch touch = {0};
    sale_keys(me, voucher, &keys);
    if (gate_steps(me)) {
        touch_add(&touch, touch_key(keys.stock), false);
        touch_add(&touch, touch_key(keys.buyers), false);
    }
    me->keeps_redis = true;
    StepCall call = {.step = STEP_WATCH, .key = keys.stock, .argument = voucher, .touch = &touch};
    freeReplyObject(redis_step(me, &call, 3, (const char *[]){"WATCH", keys.stock, keys.buyers}));
}

void redis_unwatch(Actor *me)
{
    static const Touch nothing;
    session_step(me, STEP_UNWATCH, &nothing, "UNWATCH");
    redis_let_go(me);
}

void redis_multi(Actor *me)
{
    static const Touch nothing;
    me->keeps_redis = true;
    session_step(me, STEP_MULTI, &nothing, "MULTI");
    me->queues = true;
}

bool redis_exec(Actor *me, VoucherId voucher)
{
    SaleKeys keys;
    Touch touch = {0};
    sale_keys(me, voucher, &keys);
    if (gate_steps(me)) {
        touch_add(&touch, touch_key(keys.stock), true);
        touch_add(&touch, touch_key(keys.buyers), true);
    }
    StepCall call = {.step = STEP_EXEC, .touch = &touch, .reply_is_ok = true};
    redisReply *reply = redis_step(me, &call, 1, (const char *[]){"EXEC"});
    bool executed = reply->type == REDIS_REPLY_ARRAY;
    freeReplyObject(reply);
    redis_let_go(me);
    return executed;
}

/* ---- scripts that look and take in one -------------------------------------------------------------- */

/* Conservative: a script may write all its keys. `words` begins with the keys. */
static redisReply *sale_script(Actor *me, StepCall *call, const char *script, int keys, int count,
                               const char **words)
{
    Touch touch = {0};
    for (int i = 0; i < keys && gate_steps(me); i++) touch_add(&touch, touch_key(words[i]), true);
    call->key = script;
    call->touch = &touch;
    return script_step(me, call, script, keys, count, words);
}

/* What the script says; -1 when it says no number. */
static long script_says(Actor *me, StepCall *call, const char *script, int keys, int count,
                        const char **words)
{
    redisReply *reply = sale_script(me, call, script, keys, count, words);
    long said = reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer : -1;
    freeReplyObject(reply);
    return said;
}

long redis_eligible(Actor *me, const char *script, VoucherId voucher)
{
    SaleKeys keys;
    sale_keys(me, voucher, &keys);
    StepCall call = {.step = STEP_ELIGIBLE, .argument = voucher};
    return script_says(me, &call, script, 2, 3, (const char *[]){keys.stock, keys.buyers, keys.user});
}

long redis_eligible_basket(Actor *me, const char *script, VoucherId voucher, long many)
{
    SaleKeys keys;
    char number[24];
    sale_keys(me, voucher, &keys);
    snprintf(number, sizeof number, "%ld", many);
    StepCall call = {.step = STEP_ELIGIBLE, .argument = voucher, .second = many};
    return script_says(me, &call, script, 2, 4,
                       (const char *[]){keys.stock, keys.buyers, keys.user, number});
}

long redis_eligible_in_window(Actor *me, const char *script, VoucherId voucher)
{
    SaleKeys keys;
    sale_keys(me, voucher, &keys);
    StepCall call = {.step = STEP_ELIGIBLE, .argument = voucher};
    return script_says(me, &call, script, 4, 5,
                       (const char *[]){keys.stock, keys.buyers, keys.begin, keys.end, keys.user});
}

OrderId redis_sell_with_id(Actor *me, const char *script, VoucherId voucher, OrderId id)
{
    SaleKeys keys;
    char number[24];
    sale_keys(me, voucher, &keys);
    snprintf(number, sizeof number, "%" PRId64, id);
    StepCall call = {.step = STEP_SELL_WITH_ID, .argument = voucher};
    redisReply *reply = sale_script(me, &call, script, 2, 4,
                                    (const char *[]){keys.stock, keys.buyers, keys.user, number});
    OrderId told = 0;
    if (reply->type == REDIS_REPLY_INTEGER) told = reply->integer;
    if (reply->type == REDIS_REPLY_STRING) told = strtoll(reply->str, NULL, 10);
    freeReplyObject(reply);
    return told;
}
