#include "engine/steps_core.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "engine/refusal.h"
#include "store/script.h"

_Noreturn void actor_throw(Actor *me, AnswerKind failure)
{
    me->failure = failure;
    longjmp(*me->catcher, 1);
}

int64_t user_id(const Actor *me)
{
    return me->user;
}

/* ---- links -------------------------------------------------------------------------------- */

/* Waiting for a free link is not part of the command: its time starts after it. */
RedisLink *redis_borrow(Actor *me, StepCall *call)
{
    if (me->redis) return me->redis;
    me->redis = pool_take(me->redis_pool, &me->error);
    if (call) call->begin_ns = clock_now_ns();
    return me->redis;
}

void redis_return(Actor *me, StoreStatus status)
{
    if (status == STORE_LOST) {
        if (me->redis) pool_drop(me->redis_pool, me->redis);
        me->keeps_redis = me->queues = false; /* the server has forgotten what was watched and queued */
    } else if (me->shares_links && !me->keeps_redis) {
        pool_give(me->redis_pool, me->redis);
    } else {
        return;
    }
    me->redis = NULL;
}

int64_t redis_aside(Actor *me, int count, const char **words)
{
    redisReply *reply = NULL;
    if (!redis_borrow(me, NULL)) return -1;
    StoreStatus status = redis_link_argv(me->redis, &reply, &me->error, count, words, NULL);
    redis_return(me, status);
    int64_t number = status == STORE_OK && reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
    if (reply) freeReplyObject(reply);
    return number;
}

static SqlLink *borrow_sql(Actor *me, StepCall *call)
{
    if (me->sql) return me->sql;
    me->sql = pool_take(me->sql_pool, &me->error);
    call->begin_ns = clock_now_ns();
    if (me->sql) atomic_store(&me->slot->sql_id, sql_link_id(me->sql));
    return me->sql;
}

static void return_sql(Actor *me, StoreStatus status)
{
    if (status == STORE_LOST) {
        if (me->sql) pool_drop(me->sql_pool, me->sql);
        me->in_transaction = me->keeps_sql = false; /* the server has rolled back and unlocked */
    } else if (me->shares_links && !me->in_transaction && !me->keeps_sql) {
        pool_give(me->sql_pool, me->sql);
    } else {
        return;
    }
    me->sql = NULL;
}

void sql_let_go(Actor *me)
{
    me->keeps_sql = false;
    if (me->sql) return_sql(me, STORE_OK);
}

void redis_let_go(Actor *me)
{
    me->keeps_redis = me->queues = false;
    if (me->redis) redis_return(me, STORE_OK);
}

static void throw_if_failed(Actor *me, StoreStatus status)
{
    if (status == STORE_REFUSED) actor_throw(me, ANSWER_ERROR);
    if (status == STORE_LOST) actor_throw(me, ANSWER_UNKNOWN);
}

/* ---- Redis -------------------------------------------------------------------------------------- */

static int64_t reply_number(const redisReply *reply)
{
    if (!reply) return 0;
    if (reply->type == REDIS_REPLY_INTEGER) return reply->integer;
    if (reply->type == REDIS_REPLY_STRING) return strtoll(reply->str, NULL, 10);
    return reply->type == REDIS_REPLY_NIL ? -1 : 0;
}

/* What the trace keeps of a reply. */
static int64_t told_value(const StepCall *call, const redisReply *reply)
{
    if (call->tell) return call->tell(reply);
    if (call->reply_is_ok)
        return reply && (reply->type == REDIS_REPLY_STATUS || reply->type == REDIS_REPLY_ARRAY);
    if (!call->owner) return reply_number(reply);
    if (!reply || reply->type != REDIS_REPLY_STRING) return OWNER_NOBODY;
    return strcmp(reply->str, call->owner) == 0 ? OWNER_ME : OWNER_OTHER;
}

static void give(Actor *me, const StepCall *call, const redisReply *reply)
{
    bool yes = reply->type == REDIS_REPLY_INTEGER && reply->integer == 0;
    int times = call->given ? call->given(me, reply) : yes;
    for (int i = 0; i < times; i++) gate_send(me, call->gives - 1);
}

/* The link has been given back. */
static redisReply *leave_with(Actor *me, StepCall *call, StoreStatus status, redisReply *reply)
{
    bool refused = reply && reply->type == REDIS_REPLY_ERROR;
    bool tolerable = refused && call->tolerates && strncmp(reply->str, call->tolerates, strlen(call->tolerates)) == 0;
    if (tolerable) status = STORE_OK;
    if (call->takes) gate_take(me, call);
    if (call->gives && status == STORE_OK) give(me, call, reply);
    gate_leave(me, call, status, told_value(call, reply), refused ? refusal_code(reply->str) : 0);
    if (status != STORE_OK && reply) freeReplyObject(reply);
    throw_if_failed(me, status);
    return reply;
}

static redisReply *redis_reply(Actor *me, StepCall *call, StoreStatus status, redisReply *reply)
{
    redis_return(me, status);
    return leave_with(me, call, status, reply);
}

redisReply *redis_step(Actor *me, StepCall *call, int count, const char **words)
{
    redisReply *reply = NULL;
    gate_enter(me, call);
    StoreStatus status = STORE_LOST;
    if (redis_borrow(me, call))
        status = redis_link_argv(me->redis, &reply, &me->error, count, words, NULL);
    return redis_reply(me, call, status, reply);
}

/* What a script of this step is to return; a take-back is not looked at. */
static void look_at_own(Actor *me, const StepCall *call, const redisReply *reply)
{
    if (call->step == STEP_SELL_SCRIPT) own_run_returned(&me->world->own, OWN_SAYS_COUNT, reply);
    if (call->step == STEP_ELIGIBLE || call->step == STEP_ELIGIBLE_XADD)
        own_run_returned(&me->world->own, OWN_SAYS_ANSWER, reply);
}

/* The learner's own script, over a connection of its own user. Waiting for it is not part of the command. */
static redisReply *own_script_step(Actor *me, StepCall *call, const char *name, int keys, int count,
                                   const char **words)
{
    redisReply *reply = NULL;
    gate_enter(me, call);
    StoreStatus status = STORE_LOST;
    RedisLink *link = pool_take(me->script_pool, &me->error);
    call->begin_ns = clock_now_ns();
    if (link) status = script_run(link, &reply, &me->error, name, keys, count, words);
    if (link && status == STORE_LOST)
        pool_drop(me->script_pool, link);
    else if (link)
        pool_give(me->script_pool, link);
    if (status == STORE_REFUSED) own_run_note(&me->world->own, me->error.text);
    if (status == STORE_OK) look_at_own(me, call, reply);
    return leave_with(me, call, status, reply);
}

redisReply *script_step(Actor *me, StepCall *call, const char *name, int keys, int count,
                        const char **words)
{
    if (me->script_pool && strcmp(me->world->own.script.name, name) == 0)
        return own_script_step(me, call, name, keys, count, words);
    redisReply *reply = NULL;
    gate_enter(me, call);
    StoreStatus status = STORE_LOST;
    if (redis_borrow(me, call))
        status = script_run(me->redis, &reply, &me->error, name, keys, count, words);
    return redis_reply(me, call, status, reply);
}

/* ---- SQL ------------------------------------------------------------------------------------------ */

int64_t value_first(const SqlResult *result)
{
    return result->rows > 0 ? result->value[0] : -1;
}

int64_t value_affected(const SqlResult *result)
{
    return result->affected;
}

int64_t value_insert_id(const SqlResult *result)
{
    return (int64_t)result->insert_id;
}

SqlResult sql_step(Actor *me, StepCall *call, const char *statement, int count,
                   const int64_t *parameters, unsigned tolerated,
                   int64_t (*value_of)(const SqlResult *result))
{
    SqlResult result = {0};
    gate_enter(me, call);
    StoreStatus status = STORE_LOST;
    if (borrow_sql(me, call))
        status = sql_link_run(me->sql, statement, count, parameters, &result, &me->error);
    if (status != STORE_LOST && me->in_transaction && call->touch) /* refused, it may hold a lock */
        touch_add_writes(&me->written, call->touch);
    return_sql(me, status);
    bool tolerable = status == STORE_REFUSED && tolerated != 0 && result.code == tolerated;
    gate_leave(me, call, status, status == STORE_OK ? value_of(&result) : 0, result.code);
    if (!tolerable) throw_if_failed(me, status);
    return result;
}

void sql_text_step(Actor *me, StepCall *call, const char *text)
{
    SqlResult result = {0};
    gate_enter(me, call);
    StoreStatus status = STORE_LOST;
    if (borrow_sql(me, call)) status = sql_link_text(me->sql, text, &result, &me->error);
    me->in_transaction = call->step == STEP_BEGIN && status == STORE_OK;
    me->written = (Touch){0};
    return_sql(me, status);
    gate_leave(me, call, status, 0, result.code);
    throw_if_failed(me, status);
}

/* ---- the clock --------------------------------------------------------------------------------------- */

int64_t steps_clock(const Actor *me)
{
    return me->world->spec.clock ? me->world->spec.clock : clock_wall_seconds();
}

const char *counter_key(const Actor *me, char key[KEY_LENGTH])
{
    time_t seconds = (time_t)steps_clock(me);
    struct tm day;
    gmtime_r(&seconds, &day);
    strftime(key, KEY_LENGTH, "icr:order:%Y:%m:%d", &day);
    return key;
}
