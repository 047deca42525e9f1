/* The steps on the servers of a fleet: lesson 11. See steps.h and servers.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "engine/steps_core.h"
#include "store/script.h"

enum {
    MASTER = -1,          /* in the place of a server's number: whoever it is when the step is sent */
    WAIT_MS = 100,        /* how long WAIT may take in a race */
    WAIT_STEP_MS = 10,    /* in step mode the link is whole, and all is there, or cut, and nothing comes */
    ARRIVE_MS = 3000
};

/* ---- links ---------------------------------------------------------------------------------------- */

static bool is_pair(const Actor *me)
{
    FleetKind kind = me->world->spec.servers;
    return kind == FLEET_REPLICATED || kind == FLEET_SENTINEL;
}

static void drop_server(Actor *me, int server)
{
    if (me->server[server]) pool_drop(me->server_pool[server], me->server[server]);
    me->server[server] = NULL;
}

/* A connection from before the server's last start is of no use: it is made anew, as clients do. */
static RedisLink *borrow_server(Actor *me, StepCall *call, int server)
{
    uint32_t life = atomic_load(&me->world->servers.life[server]);
    if (me->server[server] && me->server[server]->life != life) drop_server(me, server);
    while (!me->server[server]) {
        me->server[server] = pool_take(me->server_pool[server], &me->error);
        if (!me->server[server]) return NULL;
        if (me->server[server]->life != life) drop_server(me, server);
    }
    call->begin_ns = clock_now_ns();
    return me->server[server]->link;
}

static void return_server(Actor *me, int server, StoreStatus status)
{
    if (status == STORE_LOST) {
        drop_server(me, server);
    } else if (me->shares_links && !me->keeps_server && me->server[server]) {
        pool_give(me->server_pool[server], me->server[server]);
        me->server[server] = NULL;
    }
}

/* ---- one step --------------------------------------------------------------------------------------- */

typedef struct ServerStep {
    int server;           /* or MASTER */
    StepCall call;
    Touch touch;
    const char *script;   /* lua/SCRIPT with one key; NULL: a command */
    const char *sha;      /* ... or by this sha alone */
    int count;
    const char **words;
} ServerStep;

static uint64_t lock_id(const LockKey *key)
{
    return hash_string(HASH_START, key->text);
}

/* Each server has a key of that name. */
static void begin(Actor *me, ServerStep *step, StepId id, int server, const LockKey *key, int64_t second)
{
    *step = (ServerStep){.server = server};
    world_name_lock(me->world, lock_id(key), key->text);
    step->call = (StepCall){.step = id, .key = key->text, .argument = (int64_t)lock_id(key),
                            .second = second};
    if (!gate_steps(me)) return;
    char name[KEY_LENGTH + 16];
    int place = server == MASTER ? 0 : server;
    snprintf(name, sizeof name, "server %d %s", place, key->text);
    touch_add(&step->touch, touch_key(name), true);
    touch_add(&step->touch, touch_server(place), false);
}

/* Step mode: what was written has reached the replica before anything else happens, unless the link is cut. */
static void let_it_arrive(const Actor *me, RedisLink *link)
{
    char ms[16];
    const WorldServers *servers = &me->world->servers;
    if (!gate_steps(me) || !is_pair(me) || atomic_load(&servers->cut) || atomic_load(&servers->dead)) return;
    redisReply *reply = NULL;
    snprintf(ms, sizeof ms, "%d", ARRIVE_MS);
    redis_link_argv(link, &reply, NULL, 3, (const char *[]){"WAIT", "1", ms}, NULL);
    if (reply) freeReplyObject(reply);
}

static StoreStatus send_step(Actor *me, const ServerStep *step, RedisLink *link, redisReply **reply)
{
    if (step->script)
        return script_run(link, reply, &me->error, step->script, 1, step->count, step->words);
    if (step->sha)
        return script_run_sha(link, reply, &me->error, step->sha, 1, step->count, step->words);
    return redis_link_argv(link, reply, &me->error, step->count, step->words, NULL);
}

static int64_t told(const redisReply *reply)
{
    if (!reply) return 0;
    if (reply->type == REDIS_REPLY_INTEGER) return reply->integer;
    return reply->type == REDIS_REPLY_STATUS;
}

/* Through the gate, to the server, and back. Which one is the master is known when the step is sent. *value is
 * what the trace keeps. */
static StoreStatus run(Actor *me, ServerStep *step, int64_t *value)
{
    redisReply *reply = NULL;
    StoreStatus status = STORE_LOST;
    step->call.touch = &step->touch;
    gate_enter(me, &step->call);
    int server = step->server == MASTER ? atomic_load(&me->world->servers.master) : step->server;
    bool known = server >= 0 && server < (int)me->world->servers.count;
    RedisLink *link = known ? borrow_server(me, &step->call, server) : NULL;
    if (link) status = send_step(me, step, link, &reply);
    if (status == STORE_OK && step->call.step != STEP_MASTER_WAIT) let_it_arrive(me, link);
    *value = status == STORE_OK ? told(reply) : 0;
    if (step->call.step == STEP_SERVER_UNLOCK) *value = -*value; /* a part of the lock, not the lock */
    unsigned code = script_is_unknown(reply) ? CODE_NOSCRIPT : 0;
    if (reply) freeReplyObject(reply);
    if (known) return_server(me, server, status);
    gate_leave(me, &step->call, status, *value, code);
    return status;
}

static bool says_yes(Actor *me, ServerStep *step)
{
    int64_t value;
    return run(me, step, &value) == STORE_OK && value > 0;
}

/* ---- locks -------------------------------------------------------------------------------------------- */

/* In step mode no lease runs out by itself. */
static bool set_lock(Actor *me, StepId id, int server, LockKey key, Owner owner, int seconds, int64_t second)
{
    char lease[16];
    ServerStep step;
    snprintf(lease, sizeof lease, "%d", gate_steps(me) ? 100000 + seconds : seconds);
    begin(me, &step, id, server, &key, second);
    step.words = (const char *[]){"SET", key.text, owner.text, "NX", "EX", lease};
    step.count = 6;
    return says_yes(me, &step);
}

static bool give_lock(Actor *me, StepId id, int server, LockKey key, Owner owner, int64_t second)
{
    ServerStep step;
    begin(me, &step, id, server, &key, second);
    step.script = "unlock.lua";
    step.words = (const char *[]){key.text, owner.text};
    step.count = 2;
    int64_t value;
    return run(me, &step, &value) == STORE_OK && value != 0;
}

bool master_lock(Actor *me, LockKey key, Owner owner, int seconds)
{
    return set_lock(me, STEP_MASTER_LOCK, MASTER, key, owner, seconds, seconds);
}

bool master_ask(Actor *me, LockKey key, Owner owner, int seconds)
{
    me->keeps_server = true;
    bool asked = set_lock(me, STEP_MASTER_ASK, MASTER, key, owner, seconds, seconds);
    if (!asked) me->keeps_server = false;
    return asked;
}

/* WAIT answers how many; the trace keeps whether they are enough. */
bool master_wait(Actor *me, LockKey key, int replicas)
{
    char number[16], ms[16];
    ServerStep step;
    snprintf(number, sizeof number, "%d", replicas);
    snprintf(ms, sizeof ms, "%d", gate_steps(me) ? WAIT_STEP_MS : WAIT_MS);
    begin(me, &step, STEP_MASTER_WAIT, MASTER, &key, replicas);
    step.words = (const char *[]){"WAIT", number, ms};
    step.count = 3;
    me->keeps_server = false;
    return says_yes(me, &step);
}

bool master_unlock(Actor *me, LockKey key, Owner owner)
{
    return give_lock(me, STEP_MASTER_UNLOCK, MASTER, key, owner, 0);
}

bool server_lock(Actor *me, int server, LockKey key, Owner owner, int seconds)
{
    return set_lock(me, STEP_SERVER_LOCK, server - 1, key, owner, seconds, server);
}

bool server_unlock(Actor *me, int server, LockKey key, Owner owner)
{
    return give_lock(me, STEP_SERVER_UNLOCK, server - 1, key, owner, server);
}

bool enough(Actor *me, LockKey key, int yes, int needed)
{
    Touch touch = {0};
    touch_add(&touch, touch_key(key.text), true);
    StepCall call = {.step = STEP_ENOUGH, .key = key.text, .argument = (int64_t)lock_id(&key),
                     .second = yes, .touch = &touch};
    gate_enter(me, &call);
    gate_leave(me, &call, STORE_OK, yes >= needed, 0);
    return yes >= needed;
}

/* ---- a script known by its sha alone --------------------------------------------------------------------- */

/* Whether the master knows a script decides what becomes of a call by its sha. */
static uint64_t touch_scripts(void)
{
    return touch_key("scripts of the servers");
}

Sha master_load_script(Actor *me, const char *script)
{
    Sha sha = {""};
    Touch touch = {0};
    touch_add(&touch, touch_server(0), false);
    touch_add(&touch, touch_scripts(), true);
    StepCall call = {.step = STEP_LOAD_SCRIPT, .key = script, .touch = &touch};
    gate_enter(me, &call);
    int server = atomic_load(&me->world->servers.master);
    RedisLink *link = server >= 0 ? borrow_server(me, &call, server) : NULL;
    StoreStatus status = link ? script_load(link, script, sha.text, &me->error) : STORE_LOST;
    if (server >= 0) return_server(me, server, status);
    gate_leave(me, &call, status, 0, 0);
    if (status != STORE_OK) actor_throw(me, status == STORE_LOST ? ANSWER_UNKNOWN : ANSWER_ERROR);
    return sha;
}

bool master_unlock_sha(Actor *me, Sha sha, LockKey key, Owner owner)
{
    int64_t value;
    ServerStep step;
    begin(me, &step, STEP_MASTER_UNLOCK_SHA, MASTER, &key, 0);
    touch_add(&step.touch, touch_scripts(), false);
    step.sha = sha.text;
    step.words = (const char *[]){key.text, owner.text};
    step.count = 2;
    StoreStatus status = run(me, &step, &value);
    if (status == STORE_REFUSED) actor_throw(me, ANSWER_ERROR);
    return status == STORE_OK && value > 0;
}
