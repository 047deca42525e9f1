/* The steps of stream.orders: the script that adds to it, and the consumers of its group g1. See steps.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/refusal.h"
#include "engine/steps_core.h"

static const char stream[] = "stream.orders", group[] = "g1", dead[] = "stream.orders.dead";

/* In a race the server makes a consumer wait for so long at a time: then it looks whether the run is over. */
enum { SLICE_MS = 100 };

typedef struct ConsumerName {
    char text[16];
} ConsumerName;

/* Among the consumers, from 0. */
static int consumer_number(const Actor *me)
{
    int number;
    spec_role(&me->world->spec, me->index, &number);
    return number;
}

/* c1, c2, ...: the same after its node was started anew. */
static ConsumerName consumer_name(const Actor *me)
{
    ConsumerName name;
    snprintf(name.text, sizeof name.text, "c%d", consumer_number(me) + 1);
    return name;
}

/* ---- what comes back ------------------------------------------------------------------------------- */

static int64_t field(const redisReply *fields, const char *name)
{
    for (size_t i = 0; i + 1 < fields->elements; i += 2)
        if (strcmp(fields->element[i]->str, name) == 0) return strtoll(fields->element[i + 1]->str, NULL, 10);
    return 0;
}

/* [id, [field, value, ...]]; of an entry that was trimmed away, nil is all that is left. */
static Entry entry_from(const redisReply *reply)
{
    Entry entry = {.found = true};
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 2) return (Entry){0};
    snprintf(entry.id, sizeof entry.id, "%s", reply->element[0]->str);
    const redisReply *fields = reply->element[1];
    entry.gone = fields->type != REDIS_REPLY_ARRAY;
    if (entry.gone) return entry;
    entry.order = (Order){field(fields, "id"), field(fields, "user"), field(fields, "voucher")};
    return entry;
}

static const redisReply *first_of(const redisReply *list)
{
    return list && list->type == REDIS_REPLY_ARRAY && list->elements > 0 ? list->element[0] : NULL;
}

/* XREADGROUP: [[stream, [entry]]], or nil. */
static Entry entry_read(const redisReply *reply)
{
    const redisReply *of_stream = first_of(reply);
    bool fine = of_stream && of_stream->type == REDIS_REPLY_ARRAY && of_stream->elements == 2;
    const redisReply *entry = fine ? first_of(of_stream->element[1]) : NULL;
    return entry ? entry_from(entry) : (Entry){0};
}

/* XAUTOCLAIM: [where to go on, [entry], ...]. */
static Entry entry_claimed(const redisReply *reply)
{
    bool fine = reply && reply->type == REDIS_REPLY_ARRAY && reply->elements >= 2;
    const redisReply *entry = fine ? first_of(reply->element[1]) : NULL;
    return entry ? entry_from(entry) : (Entry){0};
}

static int64_t told(const Entry *entry)
{
    return entry->found ? entry->order.id : -1;
}

static int64_t tell_read(const redisReply *reply)
{
    Entry entry = entry_read(reply);
    return told(&entry);
}

static int64_t tell_claimed(const redisReply *reply)
{
    Entry entry = entry_claimed(reply);
    return told(&entry);
}

/* XPENDING: [[id, consumer, idle, deliveries]]. */
static int64_t tell_deliveries(const redisReply *reply)
{
    const redisReply *row = first_of(reply);
    bool fine = row && row->type == REDIS_REPLY_ARRAY && row->elements == 4;
    return fine ? row->element[3]->integer : 0;
}

/* ---- adding ------------------------------------------------------------------------------------------ */

/* How many entries were ever added, -1 when Redis does not say. A stream that is not there has none. */
static int64_t entries_added(const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ARRAY) return 0;
    for (size_t i = 0; i + 1 < reply->elements; i += 2)
        if (strcmp(reply->element[i]->str, "entries-added") == 0) return reply->element[i + 1]->integer;
    return -1;
}

/* A script may say no and have added one all the same; in step mode Redis is asked. Before Redis 7.0, and in a
 * race, its yes is believed. */
static int given_by_script(Actor *me, const redisReply *said)
{
    redisReply *reply = NULL;
    World *world = me->world;
    bool yes = said->type == REDIS_REPLY_INTEGER && said->integer == YES;
    if (!gate_steps(me) || !redis_borrow(me, NULL)) return yes;
    StoreStatus status = redis_link_argv(me->redis, &reply, &me->error, 3,
                                         (const char *[]){"XINFO", "STREAM", stream}, NULL);
    redis_return(me, status);
    int64_t added = reply ? entries_added(reply) : -1;
    if (reply) freeReplyObject(reply);
    if (added < 0) return yes;
    int64_t known = (int64_t)atomic_exchange(&world->entries_added, (uint64_t)added);
    return added > known ? (int)(added - known) : 0;
}

long redis_eligible_xadd(Actor *me, const char *script, VoucherId voucher, OrderId id)
{
    char stock[KEY_LENGTH], buyers[KEY_LENGTH], user[24], voucher_text[24], id_text[24];
    snprintf(stock, sizeof stock, "seckill:stock:%" PRId64, voucher);
    snprintf(buyers, sizeof buyers, "seckill:order:%" PRId64, voucher);
    snprintf(user, sizeof user, "%" PRId64, me->user);
    snprintf(voucher_text, sizeof voucher_text, "%" PRId64, voucher);
    snprintf(id_text, sizeof id_text, "%" PRId64, id);
    Touch touch = {0};
    touch_add(&touch, touch_key(stock), true);
    touch_add(&touch, touch_key(buyers), true);
    touch_add(&touch, touch_entries(), true);
    StepCall call = {.step = STEP_ELIGIBLE_XADD, .key = script, .argument = voucher, .second = id, .touch = &touch,
                     .gives = world_stream_signal(me->world) + 1, .given = given_by_script};
    const char *words[] = {stock, buyers, stream, user, voucher_text, id_text};
    redisReply *reply = script_step(me, &call, script, 3, 6, words);
    long said = reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer : -1;
    freeReplyObject(reply);
    return said;
}

static int given_by_xadd(Actor *me, const redisReply *reply)
{
    (void)reply;
    atomic_fetch_add(&me->world->entries_added, 1);
    return 1;
}

void stream_add(Actor *me, Order order)
{
    char user[24], voucher[24], id[24];
    Touch touch = {0};
    touch_add(&touch, touch_entries(), true);
    snprintf(user, sizeof user, "%" PRId64, order.user);
    snprintf(voucher, sizeof voucher, "%" PRId64, order.voucher);
    snprintf(id, sizeof id, "%" PRId64, order.id);
    StepCall call = {.step = STEP_STREAM_ADD, .key = stream, .argument = order.voucher, .second = order.user,
                     .touch = &touch, .gives = world_stream_signal(me->world) + 1, .given = given_by_xadd};
    const char *words[] = {"XADD", stream, "*", "user", user, "voucher", voucher, "id", id};
    freeReplyObject(redis_step(me, &call, 9, words));
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Entries that are given become the consumer's own. */
static Touch touch_reading(const Actor *me, bool new)
{
    Touch touch = {0};
    touch_add(&touch, touch_entries(), false);
    if (new) touch_add(&touch, touch_group(), true);
    touch_add(&touch, touch_pending(consumer_number(me)), true);
    return touch;
}

/* Whoever takes over looks at what everybody was given. */
static Touch touch_claiming(const Actor *me)
{
    Touch touch = {0};
    const Spec *spec = &me->world->spec;
    touch_add(&touch, touch_entries(), false);
    for (int i = 0; i < spec->nodes * spec->consumers; i++) touch_add(&touch, touch_pending(i), true);
    return touch;
}

/* A wait of its own connection, since the server serves nobody else on it meanwhile. */
static StoreStatus read_and_wait(Actor *me, int ms, const char *consumer, redisReply **reply)
{
    char block[16];
    snprintf(block, sizeof block, "%d", ms);
    if (!me->waiting_redis) me->waiting_redis = redis_link_open(&me->world->redis, &me->error);
    if (!me->waiting_redis) return STORE_LOST;
    const char *words[] = {"XREADGROUP", "GROUP", group, consumer, "COUNT", "1", "BLOCK", block, "STREAMS", stream, ">"};
    StoreStatus status = redis_link_argv(me->waiting_redis, reply, &me->error, 11, words, NULL);
    if (status == STORE_LOST) {
        redis_link_close(me->waiting_redis);
        me->waiting_redis = NULL;
    }
    return status;
}

/* A race. `ms` 0: without a limit. */
static Entry wait_for_entry(Actor *me, StepCall *call, int ms, const char *consumer)
{
    redisReply *reply = NULL;
    StoreStatus status = STORE_OK;
    uint64_t until = clock_now_ns() + (uint64_t)ms * 1000000u;
    if (ms > 0) atomic_store(&me->slot->looks, 1);
    gate_enter(me, call);
    gate_idle(me, call);
    while (!reply && status == STORE_OK && !atomic_load(&me->world->stop)) {
        status = read_and_wait(me, SLICE_MS, consumer, &reply);
        bool nothing = status == STORE_OK && reply->type == REDIS_REPLY_NIL;
        if (!nothing) break;
        freeReplyObject(reply);
        reply = NULL;
        if (ms > 0 && clock_now_ns() >= until) break;
    }
    gate_busy(me);
    bool got = status == STORE_OK && reply;
    if (got || status == STORE_REFUSED) gate_take(me, call);
    Entry entry = got ? entry_read(reply) : (Entry){0};
    unsigned code = status == STORE_REFUSED && reply ? refusal_code(reply->str) : 0;
    if (reply) freeReplyObject(reply);
    gate_leave(me, call, status, told(&entry), code);
    if (atomic_load(&me->world->stop) || status == STORE_LOST) actor_throw(me, ANSWER_UNKNOWN);
    if (status == STORE_REFUSED) actor_throw(me, ANSWER_ERROR);
    return entry;
}

/* Step mode: made when there is an entry, or when the wait is over. Without a group Redis refuses at once. */
static Entry read_when_given(Actor *me, StepCall *call)
{
    if (!atomic_load(&me->world->has_group)) {
        call->takes = false;
        call->signal = call->late = 0;
    }
    const char *words[] = {"XREADGROUP", "GROUP", group, call->key, "COUNT", "1", "STREAMS", stream, ">"};
    call->tell = tell_read;
    redisReply *reply = redis_step(me, call, 9, words);
    Entry entry = entry_read(reply);
    freeReplyObject(reply);
    return entry;
}

/* What was added may be gone, or of before the group's time: then a wait without a limit goes on. */
Entry stream_read_new(Actor *me, int block_ms)
{
    Touch touch = touch_reading(me, true);
    if (block_ms > 0) touch_add(&touch, touch_late(), true);
    ConsumerName name = consumer_name(me);
    StepCall call = {.step = STEP_READ_NEW, .key = name.text, .touch = &touch, .takes = true,
                     .signal = world_stream_signal(me->world) + 1,
                     .seen = me->world->spec.stream == STREAM_POISON,
                     .late = block_ms > 0 ? world_late(me->world) + 1 : 0};
    if (!gate_steps(me)) return wait_for_entry(me, &call, block_ms, name.text);
    Entry entry = read_when_given(me, &call);
    while (!entry.found && block_ms == FOREVER) entry = read_when_given(me, &call);
    return entry;
}

static Entry entry_step(Actor *me, StepCall *call, Entry (*from)(const redisReply *), int count, const char **words)
{
    redisReply *reply = redis_step(me, call, count, words);
    Entry entry = from(reply);
    freeReplyObject(reply);
    return entry;
}

Entry stream_read_pending(Actor *me)
{
    Touch touch = touch_reading(me, false);
    ConsumerName name = consumer_name(me);
    StepCall call = {.step = STEP_READ_PENDING, .key = name.text, .touch = &touch, .tell = tell_read};
    const char *words[] = {"XREADGROUP", "GROUP", group, name.text, "COUNT", "1", "STREAMS", stream, "0"};
    return entry_step(me, &call, entry_read, 9, words);
}

/* It has looked for everything that the dead left behind, when even the last of it was old enough. */
static void note_look(Actor *me, int idle_ms)
{
    uint64_t now = clock_now_ns(), crashed = atomic_load(&me->world->crashed_ns);
    if (now >= crashed + (uint64_t)idle_ms * 1000000u) atomic_store(&me->slot->looked_ns, now);
}

Entry stream_claim(Actor *me, int idle_ms)
{
    char idle[16];
    Touch touch = touch_claiming(me);
    ConsumerName name = consumer_name(me);
    StepCall call = {.step = STEP_CLAIM, .key = name.text, .second = idle_ms, .touch = &touch, .tell = tell_claimed};
    snprintf(idle, sizeof idle, "%d", gate_steps(me) ? AGED_MS / 2 : idle_ms);
    const char *words[] = {"XAUTOCLAIM", stream, group, name.text, idle, "0-0", "COUNT", "1"};
    uint64_t crashed = atomic_load(&me->world->crashed_ns);
    Entry entry = entry_step(me, &call, entry_claimed, 8, words);
    if (!entry.found && crashed == atomic_load(&me->world->crashed_ns)) note_look(me, idle_ms);
    return entry;
}

Order order_in(Actor *me, Entry entry)
{
    if (entry.order.user == 0) actor_throw(me, ANSWER_ERROR);
    return entry.order;
}

/* ---- what is done with an entry ---------------------------------------------------------------------- */

static redisReply *pending_step(Actor *me, StepCall *call, bool writes, int count, const char **words)
{
    Touch touch = {0};
    touch_add(&touch, touch_pending(consumer_number(me)), writes);
    call->touch = &touch;
    return redis_step(me, call, count, words);
}

void stream_ack(Actor *me, Entry entry)
{
    StepCall call = {.step = STEP_ACK, .key = entry.id, .second = entry.order.user};
    freeReplyObject(pending_step(me, &call, true, 4, (const char *[]){"XACK", stream, group, entry.id}));
}

long stream_deliveries(Actor *me, Entry entry)
{
    StepCall call = {.step = STEP_DELIVERIES, .key = entry.id, .tell = tell_deliveries};
    const char *words[] = {"XPENDING", stream, group, entry.id, entry.id, "1"};
    redisReply *reply = pending_step(me, &call, false, 6, words);
    long deliveries = (long)tell_deliveries(reply);
    freeReplyObject(reply);
    return deliveries;
}

void stream_set_aside(Actor *me, Entry entry)
{
    char user[24], id[24];
    Touch touch = {0};
    touch_add(&touch, touch_key(dead), true);
    snprintf(user, sizeof user, "%" PRId64, entry.order.user);
    snprintf(id, sizeof id, "%" PRId64, entry.order.id);
    StepCall call = {.step = STEP_SET_ASIDE, .key = entry.id, .second = entry.order.user, .touch = &touch,
                     .reply_is_ok = true};
    const char *words[] = {"XADD", dead, "*", "entry", entry.id, "user", user, "id", id};
    freeReplyObject(redis_step(me, &call, 9, words));
}

/* ---- the group ----------------------------------------------------------------------------------------- */

bool stream_create_group(Actor *me, const char *from)
{
    Touch touch = {0};
    touch_add(&touch, touch_entries(), false);
    touch_add(&touch, touch_group(), true);
    StepCall call = {.step = STEP_CREATE_GROUP, .key = from, .touch = &touch, .reply_is_ok = true,
                     .tolerates = "BUSYGROUP"};
    const char *words[] = {"XGROUP", "CREATE", stream, group, from, "MKSTREAM"};
    redisReply *reply = redis_step(me, &call, 6, words);
    bool made = reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    atomic_store(&me->world->has_group, 1);
    return made;
}

long stream_delete_consumer(Actor *me)
{
    ConsumerName name = consumer_name(me);
    StepCall call = {.step = STEP_DELETE_CONSUMER, .key = name.text};
    const char *words[] = {"XGROUP", "DELCONSUMER", stream, group, name.text};
    redisReply *reply = pending_step(me, &call, true, 5, words);
    long pending = (long)reply->integer;
    freeReplyObject(reply);
    return pending;
}
