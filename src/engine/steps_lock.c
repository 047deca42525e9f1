/* The steps on locks in Redis and MySQL, and on scripts. See steps.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/hash.h"
#include "store/script.h"
#include "engine/step_port.h"
#include "engine/steps_core.h"

/* ---- names -------------------------------------------------------------------------------------- */

LockKey order_lock(const Actor *me)
{
    LockKey key;
    snprintf(key.text, sizeof key.text, "lock:order:%" PRId64, me->user);
    return key;
}

/* Threads are numbered from 1 in each node: two nodes have a thread 1 each. */
static int number_of_thread(const Actor *me)
{
    const Spec *spec = &me->world->spec;
    int number, nodes = spec->nodes;
    Role role = spec_role(spec, me->index, &number);
    int before = role == ROLE_USER ? 0 : (spec_user_actors(spec) + nodes - 1) / nodes;
    if (role == ROLE_WATCHDOG) before += spec->consumers;
    return before + number / nodes + 1;
}

Owner thread_number(const Actor *me)
{
    Owner owner;
    snprintf(owner.text, sizeof owner.text, "%d", number_of_thread(me));
    return owner;
}

Owner uuid_and_thread(const Actor *me)
{
    Owner owner;
    snprintf(owner.text, sizeof owner.text, "%s-%d", me->world->node[me->node].uuid,
             number_of_thread(me));
    return owner;
}

bool same_owner(Owner one, Owner other)
{
    return strcmp(one.text, other.text) == 0;
}

/* ---- one command on a lock's key --------------------------------------------------------------- */

static uint64_t lock_id(const LockKey *key)
{
    return hash_string(HASH_START, key->text);
}

static StepCall lock_call(Actor *me, StepId step, const LockKey *key, int64_t second, Touch *touch)
{
    *touch = (Touch){0};
    world_name_lock(me->world, lock_id(key), key->text);
    if (gate_steps(me)) {
        touch_add(touch, touch_key(key->text), step != STEP_GET_OWNER);
        if (me->world->spec.fault_clk || me->world->spec.fault_freeze) touch_add(touch, touch_leases(), step != STEP_GET_OWNER);
    }
    return (StepCall){.step = step, .key = key->text, .argument = (int64_t)lock_id(key),
                      .second = second, .touch = touch};
}

/* In step mode a lease does not run out by itself: there it is so long that only the clock's own
 * move can end it. */
static void lease_text(const Actor *me, int seconds, char *text, size_t size)
{
    snprintf(text, size, "%d", gate_steps(me) && seconds > 0 ? 100000 + seconds : seconds);
}

static void note_lease(Actor *me, const LockKey *key, bool live)
{
    if (gate_steps(me)) world_lease(me->world, lock_id(key), key->text, live, (uint32_t)me->index);
}

/* ---- trying again later: in step mode, after the key is gone ------------------------------------- */

static void note_attempt(Actor *me, const LockKey *key)
{
    if (!gate_steps(me)) return;
    uint32_t place = lock_free_signal(me->world, key->text, NULL);
    me->heard = atomic_load(&world_signal_at(me->world, place)->given);
}

static void note_gone(Actor *me, const LockKey *key)
{
    note_lease(me, key, false);
    if (gate_steps(me)) gate_send(me, lock_free_signal(me->world, key->text, NULL));
}

static void sleep_for(World *world, int ms)
{
    uint64_t until = clock_now_ns() + (uint64_t)ms * 1000000u;
    for (uint64_t now; (now = clock_now_ns()) < until && !atomic_load(&world->stop);)
        futex_wait(&world->stop, 0, until - now);
}

void redis_sleep(Actor *me, LockKey key, int ms)
{
    Touch touch = {0};
    StepCall call = {.step = STEP_SLEEP, .key = key.text, .argument = (int64_t)lock_id(&key), .second = ms,
                     .touch = &touch};
    if (gate_steps(me)) {
        touch_add(&touch, touch_key(key.text), false);
        if (me->world->spec.fault_clk || me->world->spec.fault_freeze) touch_add(&touch, touch_leases(), false);
        call.signal = lock_free_signal(me->world, key.text, NULL) + 1;
        call.seen = me->heard;
    }
    gate_enter(me, &call);
    if (!gate_steps(me)) sleep_for(me->world, ms);
    gate_leave(me, &call, STORE_OK, 0, 0);
}

bool redis_setnx(Actor *me, LockKey key, Owner owner)
{
    Touch touch;
    StepCall call = lock_call(me, STEP_SETNX, &key, 0, &touch);
    redisReply *reply = redis_step(me, &call, 3, (const char *[]){"SETNX", key.text, owner.text});
    bool got = reply->integer == 1;
    freeReplyObject(reply);
    note_attempt(me, &key);
    return got;
}

void redis_expire(Actor *me, LockKey key, int seconds)
{
    Touch touch;
    char text[16];
    StepCall call = lock_call(me, STEP_EXPIRE, &key, seconds, &touch);
    lease_text(me, seconds, text, sizeof text);
    redisReply *reply = redis_step(me, &call, 3, (const char *[]){"EXPIRE", key.text, text});
    if (reply->integer == 1) note_lease(me, &key, seconds > 0);
    freeReplyObject(reply);
}

bool redis_set_nx_ex(Actor *me, LockKey key, Owner owner, int seconds)
{
    Touch touch;
    char text[16];
    StepCall call = lock_call(me, STEP_SET_NX_EX, &key, seconds, &touch);
    call.reply_is_ok = true;
    lease_text(me, seconds, text, sizeof text);
    redisReply *reply = redis_step(
        me, &call, 6, (const char *[]){"SET", key.text, owner.text, "NX", "EX", text});
    bool got = reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    if (got) note_lease(me, &key, true);
    note_attempt(me, &key);
    return got;
}

Owner redis_get_owner(Actor *me, LockKey key)
{
    Touch touch;
    StepCall call = lock_call(me, STEP_GET_OWNER, &key, 0, &touch);
    Owner mine = uuid_and_thread(me), found = {""};
    call.owner = mine.text;
    redisReply *reply = redis_step(me, &call, 2, (const char *[]){"GET", key.text});
    if (reply->type == REDIS_REPLY_STRING) snprintf(found.text, sizeof found.text, "%s", reply->str);
    freeReplyObject(reply);
    return found;
}

void redis_delete_lock(Actor *me, LockKey key)
{
    Touch touch;
    StepCall call = lock_call(me, STEP_DELETE_LOCK, &key, 0, &touch);
    freeReplyObject(redis_step(me, &call, 2, (const char *[]){"DEL", key.text}));
    note_gone(me, &key);
}

bool redis_unlock(Actor *me, LockKey key, Owner owner)
{
    Touch touch;
    StepCall call = lock_call(me, STEP_UNLOCK_SCRIPT, &key, 0, &touch);
    redisReply *reply = script_step(me, &call, "unlock.lua", 1, 2, (const char *[]){key.text, owner.text});
    bool gone = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
    freeReplyObject(reply);
    if (gone) note_gone(me, &key);
    return gone;
}

/* ---- scripts ---------------------------------------------------------------------------------------- */

/* Conservative: a script may write all its keys. */
long redis_sell(Actor *me, const char *script, VoucherId voucher)
{
    char stock[KEY_LENGTH], buyers[KEY_LENGTH], user[24];
    snprintf(stock, sizeof stock, "seckill:stock:%" PRId64, voucher);
    snprintf(buyers, sizeof buyers, "seckill:order:%" PRId64, voucher);
    snprintf(user, sizeof user, "%" PRId64, me->user);
    Touch touch = {0};
    if (gate_steps(me)) {
        touch_add(&touch, touch_key(stock), true);
        touch_add(&touch, touch_key(buyers), true);
    }
    StepCall call = {.step = STEP_SELL_SCRIPT, .key = script, .argument = voucher, .touch = &touch};
    redisReply *reply = script_step(me, &call, script, 2, 3, (const char *[]){stock, buyers, user});
    long number = reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer : -1;
    freeReplyObject(reply);
    return number;
}

/* ---- GET_LOCK ----------------------------------------------------------------------------------------- */

/* The lock belongs to the connection, so the connection stays with the actor while it has it. The
 * name goes as a number, since steps send numbers only. */
static int64_t mysql_lock(Actor *me, StepId step, LockKey key, const char *statement)
{
    Touch touch;
    StepCall call = lock_call(me, step, &key, 0, &touch);
    return sql_step(me, &call, statement, 1, &me->user, 0, value_first).value[0];
}

bool sql_get_lock(Actor *me, LockKey key)
{
    me->keeps_sql = true;
    bool got = mysql_lock(me, STEP_GET_LOCK, key, "SELECT GET_LOCK(CONCAT('lock:order:', ?), 0)") == 1;
    if (!got) sql_let_go(me);
    return got;
}

void sql_release_lock(Actor *me, LockKey key)
{
    me->keeps_sql = false;
    mysql_lock(me, STEP_RELEASE_LOCK, key, "SELECT RELEASE_LOCK(CONCAT('lock:order:', ?))");
}

/* ---- a key that runs out ---------------------------------------------------------------------------- */

static bool is_there(RedisLink *link, const char *key)
{
    redisReply *reply = NULL;
    redis_link_argv(link, &reply, NULL, 2, (const char *[]){"EXISTS", key}, NULL);
    bool there = reply && reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
    if (reply) freeReplyObject(reply);
    return there;
}

static bool end_key(RedisLink *link, const char *key)
{
    redisReply *reply = NULL;
    redis_link_argv(link, &reply, NULL, 3, (const char *[]){"PEXPIRE", key, "1"}, NULL);
    bool ended = reply && reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
    if (reply) freeReplyObject(reply);
    while (ended && is_there(link, key)) clock_sleep_ns(500000);
    return ended;
}

bool actor_expire_key(Actor *me, const char *key)
{
    RedisLink *own = me->redis ? NULL : redis_link_open(&me->world->redis, NULL);
    RedisLink *link = me->redis ? me->redis : own;
    bool ended = link && end_key(link, key);
    if (ended) {
        world_lease(me->world, hash_string(HASH_START, key), key, false, 0);
        lock_lease_ended(me->world, link, key);
    }
    redis_link_close(own);
    return ended;
}
