#include "engine/step_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/hash.h"
#include "engine/steps_core.h"
#include "lock/port_redis.h"
#include "store/script.h"

enum {
    STILL_MS = 100000000,      /* added to every lease in step mode */
    STOP_LOOK_MS = 200,        /* a stop does not wake who waits at a socket */
    CLOCK_MS = 1000000
};

/* ---- names ---------------------------------------------------------------------------------------- */

void step_port_owner(const World *world, uint32_t actor, char owner[LOCK_OWNER_LENGTH])
{
    int node = world_slot(world, actor)->node;
    snprintf(owner, LOCK_OWNER_LENGTH, "%s:%u", world->node[node].uuid,
             actor / (unsigned)world->spec.nodes + 1);
}

int64_t step_port_lease(const Actor *me, int64_t lease_ms)
{
    return lease_ms > 0 && gate_steps(me) ? lease_ms + STILL_MS : lease_ms;
}

static uint32_t named_signal(World *world, const char *what, const char *key, const char *owner)
{
    uint64_t id = hash_string(hash_string(HASH_START, what), key);
    return world_signal(world, owner ? hash_string(id, owner) : id);
}

uint32_t lock_free_signal(World *world, const char *key, const char *owner)
{
    return named_signal(world, "free ", key, owner);
}

uint32_t lock_end_signal(World *world, const char *key, const char *owner)
{
    return named_signal(world, "end ", key, owner);
}

uint32_t lock_change_signal(World *world, const char *key)
{
    return named_signal(world, "change ", key, NULL);
}

uint32_t watch_signal(World *world, int node)
{
    return world_signal(world, touch_watch(node));
}

static uint64_t key_id(const Lock *lock)
{
    return hash_string(HASH_START, lock->name);
}

/* Whoever waits for a fair lock is woken by name. */
static const char *woken_as(const Lock *lock)
{
    return lock->kind == LOCK_FAIR ? lock->owner : NULL;
}

static uint32_t given(const World *world, uint32_t place)
{
    return atomic_load(&world_signal_at(world, place)->given);
}

/* ---- what each script is ------------------------------------------------------------------------------ */

static const struct {
    const char *script;
    StepId step;
} script_steps[] = {
    {"lock_take.lua", STEP_RLOCK_TAKE},   {"lock_take_fenced.lua", STEP_RLOCK_TAKE_FENCED},
    {"lock_give.lua", STEP_RLOCK_GIVE},   {"lock_renew.lua", STEP_RENEW},
    {"fair_take.lua", STEP_FAIR_TAKE},    {"fair_give.lua", STEP_FAIR_GIVE},
    {"fair_leave.lua", STEP_FAIR_LEAVE},  {"read_take.lua", STEP_READ_TAKE},
    {"read_give.lua", STEP_READ_GIVE},    {"read_renew.lua", STEP_RENEW},
    {"write_take.lua", STEP_WRITE_TAKE},  {"write_give.lua", STEP_WRITE_GIVE},
};

static StepId step_of_script(const char *script)
{
    for (unsigned i = 0; i < sizeof script_steps / sizeof script_steps[0]; i++)
        if (strcmp(script_steps[i].script, script) == 0) return script_steps[i].step;
    return STEP_NONE;
}

static bool takes(StepId step)
{
    return step_kinds[step].lock == LOCK_TAKES;
}

static bool gives(StepId step)
{
    return step_kinds[step].lock == LOCK_GIVES;
}

/* 1: taken. Of a give: 1 free, 0 taken more often, -1 not its own. */
static int64_t told(StepId step, const LockReply *reply)
{
    if (reply->kind == LOCK_REPLY_PAIR) return reply->second >= 0;
    if (takes(step)) return reply->kind == LOCK_REPLY_NIL;
    return reply->kind == LOCK_REPLY_NUMBER ? reply->number : -1;
}

/* All of a lock's keys are one thing: whoever takes it or gives it back writes all of them. Its channel is
 * another, so that those who only listen do not keep each other apart. */
static uint64_t touch_channel(const Lock *lock)
{
    return hash_string(touch_key(lock->name), "channel");
}

static void touch_script(const StepPort *port, StepId step, Touch *touch)
{
    const Spec *spec = &port->me->world->spec;
    touch_add(touch, touch_key(port->lock.name), true);
    if (gives(step)) touch_add(touch, touch_channel(&port->lock), true);
    if (spec->fault_clk || spec->fault_freeze) touch_add(touch, touch_leases(), true);
    if (spec->watchdogs && step != STEP_FAIR_LEAVE) touch_add(touch, touch_watch(port->me->node), true);
}

/* ---- what a script's outcome means to others ----------------------------------------------------------- */

static void note_taken(const StepPort *port)
{
    World *world = port->me->world;
    const Lock *lock = &port->lock;
    world_lease(world, key_id(lock), lock->name, true, (uint32_t)port->me->index);
    world_lease_nature(world, key_id(lock), false, lock->kind == LOCK_FAIR);
    if (lock->kind == LOCK_FAIR) gate_send(port->me, lock_change_signal(world, lock->name));
}

/* The head of a fair lock's queue, who is told when it comes free. */
static bool queue_head(RedisLink *link, const char *key, char owner[LOCK_OWNER_LENGTH])
{
    char queue[LOCK_KEY_LENGTH];
    Lock named;
    redisReply *reply = NULL;
    lock_init(&named, NULL, LOCK_FAIR, key, "");
    const char *words[] = {"LINDEX", lock_key_queue(&named, queue), "0"};
    StoreStatus status = redis_link_argv(link, &reply, NULL, 3, words, NULL);
    bool found = status == STORE_OK && reply->type == REDIS_REPLY_STRING;
    if (found) snprintf(owner, LOCK_OWNER_LENGTH, "%s", reply->str);
    if (reply) freeReplyObject(reply);
    return found;
}

static bool told_head(Actor *me, const Lock *lock, char owner[LOCK_OWNER_LENGTH])
{
    bool found = redis_borrow(me, NULL) && queue_head(me->redis, lock->name, owner);
    if (me->redis) redis_return(me, STORE_OK);
    return found;
}

/* Whoever waited for as long as the lease would last wakes up; in a queue that is the first. */
void lock_lease_ended(World *world, RedisLink *link, const char *key)
{
    char head[LOCK_OWNER_LENGTH];
    const char *owner = NULL;
    if (world->mode != MODE_STEP) return;
    if (world_lease_is_fair(world, hash_string(HASH_START, key))) {
        if (!queue_head(link, key, head)) return;
        owner = head;
    }
    uint32_t place = lock_free_signal(world, key, owner);
    world_give_signal(world, lock_end_signal(world, key, owner));
    world_note_signal(world, place);
    world_give_signal(world, place);
}

static void note_given(const StepPort *port, int64_t value)
{
    Actor *me = port->me;
    const Lock *lock = &port->lock;
    char head[LOCK_OWNER_LENGTH];
    if (redis_aside(me, 2, (const char *[]){"EXISTS", lock->name}) != 0) return;
    world_lease(me->world, key_id(lock), lock->name, false, 0);
    if (lock->kind == LOCK_FAIR) {
        if (told_head(me, lock, head)) gate_send(me, lock_free_signal(me->world, lock->name, head));
    } else if (value == 1) {
        gate_send(me, lock_free_signal(me->world, lock->name, NULL));
    }
}

/* What the attempt just made has seen of the lock's past. */
static void note_attempt(const StepPort *port)
{
    Actor *me = port->me;
    const Lock *lock = &port->lock;
    me->ends_seen = given(me->world, lock_end_signal(me->world, lock->name, woken_as(lock)));
    me->changes_seen = given(me->world, lock_change_signal(me->world, lock->name));
}

/* In step mode alone: there the others must be told who may move. */
static void note_outcome(const StepPort *port, StepId step, int64_t value)
{
    if (takes(step)) {
        note_attempt(port);
        if (value == 1) note_taken(port);
    } else if (gives(step)) {
        note_given(port, value);
    } else if (step == STEP_FAIR_LEAVE) {
        gate_send(port->me, lock_change_signal(port->me->world, port->lock.name));
    }
}

/* ---- scripts --------------------------------------------------------------------------------------------- */

static LockReply refused(const Actor *me, StoreStatus status)
{
    LockReply reply = {.kind = status == STORE_LOST ? LOCK_REPLY_LOST : LOCK_REPLY_ERROR};
    snprintf(reply.text, sizeof reply.text, "%.150s", me->error.text);
    return reply;
}

static LockReply send_script(Actor *me, StepCall *call, StoreStatus *status, const char *script, int keys,
                             int count, const char **words)
{
    redisReply *reply = NULL;
    *status = STORE_LOST;
    if (redis_borrow(me, call)) *status = script_run(me->redis, &reply, &me->error, script, keys, count, words);
    redis_return(me, *status);
    LockReply result = *status == STORE_OK ? port_redis_reply(reply) : refused(me, *status);
    if (reply) freeReplyObject(reply);
    return result;
}

static void watch(void *data, const Lock *lock);

/* Whoever reads the reply tells the watchdog, as Redisson's network thread does: a thread that is stalled from
 * then on has its lock renewed all the same. */
static void watch_at_once(StepPort *port, StepId step, int64_t value)
{
    if (!takes(step) || value != 1 || !port->lock.unleased) return;
    watch(port, &port->lock);
    port->watched = true;
}

/* A watchdog is inside its step already: see watchdog_actor.c. */
static LockReply run(void *data, const char *script, int keys, int count, const char **words)
{
    StepPort *port = data;
    Actor *me = port->me;
    StepId step = step_of_script(script);
    StoreStatus status;
    if (port->renewing) return send_script(me, NULL, &status, script, keys, count, words);
    Touch touch = {0};
    if (gate_steps(me)) touch_script(port, step, &touch);
    world_name_lock(me->world, key_id(&port->lock), port->lock.name);
    StepCall call = {.step = step, .key = port->lock.name, .argument = (int64_t)key_id(&port->lock),
                     .second = takes(step) ? atoll(words[keys]) % STILL_MS : 0, .touch = &touch};
    gate_enter(me, &call);
    LockReply reply = send_script(me, &call, &status, script, keys, count, words);
    int64_t value = status == STORE_OK ? told(step, &reply) : 0;
    if (gate_steps(me) && status == STORE_OK) note_outcome(port, step, value);
    if (status == STORE_OK) watch_at_once(port, step, value);
    gate_leave(me, &call, status, value, 0);
    return reply;
}

/* Part of the step that gave the lock back. */
static void forget(void *data, const char *key)
{
    StepPort *port = data;
    redis_aside(port->me, 2, (const char *[]){"DEL", key});
}

/* ---- listening --------------------------------------------------------------------------------------------- */

/* How many messages that could wake this one have been published so far. */
static uint32_t messages(const StepPort *port)
{
    World *world = port->me->world;
    const Lock *lock = &port->lock;
    return given(world, lock_free_signal(world, lock->name, woken_as(lock))) -
           given(world, lock_end_signal(world, lock->name, woken_as(lock)));
}

static StepCall channel_call(const StepPort *port, StepId step, Touch *touch)
{
    *touch = (Touch){0};
    if (gate_steps(port->me)) touch_add(touch, touch_channel(&port->lock), false);
    return (StepCall){.step = step, .key = port->lock.name, .argument = (int64_t)key_id(&port->lock),
                      .touch = touch};
}

static bool start_listening(void *data, const char *channel)
{
    StepPort *port = data;
    Actor *me = port->me;
    Touch touch;
    StepCall call = channel_call(port, STEP_SUBSCRIBE, &touch);
    gate_enter(me, &call);
    if (!me->listener) me->listener = listener_new(&me->world->redis);
    bool listens = me->listener && listener_begin(me->listener, channel);
    if (listens) snprintf(me->channel, sizeof me->channel, "%s", channel);
    me->heard = messages(port);
    if (listens) atomic_store(&me->slot->waits_for_key, key_id(&port->lock));
    gate_leave(me, &call, listens ? STORE_OK : STORE_LOST, 0, 0);
    return listens;
}

void actor_stop_listening(Actor *me)
{
    atomic_store(&me->slot->waits_for_key, 0);
    if (me->channel[0]) listener_end(me->listener, me->channel);
    me->channel[0] = '\0';
}

static void stop_listening(void *data, const char *channel)
{
    (void)channel;
    StepPort *port = data;
    Touch touch;
    StepCall call = channel_call(port, STEP_UNSUBSCRIBE, &touch);
    gate_enter(port->me, &call);
    actor_stop_listening(port->me);
    gate_leave(port->me, &call, STORE_OK, 0, 0);
}

/* ---- waiting ------------------------------------------------------------------------------------------------- */

/* Real time: a message or the limit, whichever comes first. */
static bool wait_in_race(Actor *me, const char *channel, int64_t ms)
{
    uint64_t until = clock_now_ns() + (uint64_t)(ms < 0 ? 0 : ms) * CLOCK_MS;
    for (;;) {
        int64_t part = STOP_LOOK_MS;
        if (ms >= 0) {
            uint64_t now = clock_now_ns();
            int64_t left = now >= until ? 0 : (int64_t)((until - now + CLOCK_MS - 1) / CLOCK_MS);
            if (left < part) part = left;
        }
        if (listener_wait(me->listener, channel, part)) return true;
        if (atomic_load(&me->world->stop)) actor_throw(me, ANSWER_UNKNOWN);
        if (part < STOP_LOOK_MS) return false;
    }
}

/* It could be chosen, so there is something to wake up for; or the caller's own time is up. */
static bool wait_in_step(StepPort *port, const char *channel, int64_t ms, bool last)
{
    Actor *me = port->me;
    int came = listener_collect(me->listener, channel);
    if (came > 0) me->heard += (uint32_t)came;
    if (came <= 0 && last) me->later_ms += ms;
    return came > 0;
}

/* A wait of 0 ms is the next attempt at once, as long as the head of the queue has not taken what is its own:
 * nothing comes of it before the lock has changed hands. */
static void describe_wait(const StepPort *port, int64_t ms, bool last, StepCall *call, Touch *touch)
{
    Actor *me = port->me;
    World *world = me->world;
    const Lock *lock = &port->lock;
    bool spins = ms == 0 && !last;
    call->signal = 1 + (spins ? lock_change_signal(world, lock->name)
                              : lock_free_signal(world, lock->name, woken_as(lock)));
    call->seen = spins ? me->changes_seen : me->heard + me->ends_seen;
    call->may_end = last;
    if (spins) touch_add(touch, touch_key(lock->name), false);
    if (world->spec.fault_clk || world->spec.fault_freeze) touch_add(touch, touch_leases(), false);
}

static bool wait_for_message(void *data, const char *channel, int64_t ms, bool last)
{
    StepPort *port = data;
    Actor *me = port->me;
    Touch touch;
    StepCall call = channel_call(port, STEP_AWAIT_LOCK, &touch);
    if (gate_steps(me)) describe_wait(port, ms, last, &call, &touch);
    gate_enter(me, &call);
    bool came = gate_steps(me) ? wait_in_step(port, channel, ms, last) : wait_in_race(me, channel, ms);
    gate_leave(me, &call, STORE_OK, came, 0);
    return came;
}

static int64_t now_ms(void *data)
{
    const StepPort *port = data;
    if (gate_steps(port->me)) return port->me->later_ms;
    return (int64_t)(clock_now_ns() / CLOCK_MS);
}

/* In step mode, where a run may last as long as a lesson, a moment of it. */
static int64_t wall_ms(void *data)
{
    const StepPort *port = data;
    if (gate_steps(port->me)) return (int64_t)(port->me->world->released_ns / CLOCK_MS);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / CLOCK_MS;
}

/* ---- what the watchdog is told ------------------------------------------------------------------------------- */

static Watched *find_watched(const StepPort *port)
{
    Watched *watched = world_watched(port->me->world, (uint32_t)port->me->index);
    for (int i = 0; i < ACTOR_WATCHES; i++) {
        bool same = watched[i].id == key_id(&port->lock) && watched[i].kind == (int)port->lock.kind &&
                    watched[i].server == port->server;
        if (atomic_load(&watched[i].live) && same) return &watched[i];
    }
    return NULL;
}

static Watched *free_place(const StepPort *port)
{
    Watched *watched = world_watched(port->me->world, (uint32_t)port->me->index);
    for (int i = 0; i < ACTOR_WATCHES; i++)
        if (!atomic_load(&watched[i].live)) return &watched[i];
    return NULL;
}

/* The watchdog sleeps until the first lease it knows of is due: wake it when this one is sooner. */
static void tell_watchdog(const StepPort *port, uint64_t due_ns)
{
    World *world = port->me->world;
    NodeSlot *node = &world->node[port->me->node];
    uint32_t place = watch_signal(world, port->me->node);
    if (gate_steps(port->me))
        gate_send(port->me, place);
    else if (due_ns < atomic_load(&node->watch_wakes_ns))
        world_give_signal(world, place);
}

static void watch(void *data, const Lock *lock)
{
    StepPort *port = data;
    World *world = port->me->world;
    bool told_already = port->watched;
    port->watched = false;
    if (told_already || world_watchdog(world, port->me->node) < 0) return;
    world_lease_nature(world, key_id(lock), true, lock->kind == LOCK_FAIR);
    Watched *watched = find_watched(port);
    if (watched) {
        watched->holds++;
        return;
    }
    if (!(watched = free_place(port))) return;
    uint64_t due_ns = clock_now_ns() + (uint64_t)lock->watchdog_ms * CLOCK_MS / 3;
    watched->holds = 1;
    watched->kind = (int)lock->kind;
    watched->server = port->server;
    watched->lease_ms = lock->watchdog_ms;
    watched->id = key_id(lock);
    snprintf(watched->key, sizeof watched->key, "%.*s", (int)sizeof watched->key - 1, lock->name);
    atomic_store(&watched->renewals, 0);
    atomic_store(&watched->due_ns, due_ns);
    atomic_store(&watched->live, 1);
    tell_watchdog(port, due_ns);
}

/* In step mode, one that was not renewed in time is not to be renewed any more: as if the watchdog had seen it. */
static void unwatch(void *data, const Lock *lock)
{
    (void)lock;
    StepPort *port = data;
    World *world = port->me->world;
    Watched *watched = find_watched(port);
    if (!watched || --watched->holds > 0) return;
    atomic_store(&watched->live, 0);
    if (gate_steps(port->me) && atomic_load(&watched->renewals) == 0)
        world_slot(world, (uint32_t)world_watchdog(world, port->me->node))->next.wait.seen++;
}

/* ---- opening one ------------------------------------------------------------------------------------------------ */

void step_port_open(StepPort *port, Actor *me, LockKind kind, const char *key, const char *owner, int server)
{
    *port = (StepPort){.me = me, .server = server};
    port->port = (LockPort){.run = run, .forget = forget, .listen = start_listening, .wait = wait_for_message,
                            .unlisten = stop_listening, .now = now_ms, .wall = wall_ms,
                            .watch = watch, .unwatch = unwatch, .data = port};
    lock_init(&port->lock, &port->port, kind, key, owner);
}
