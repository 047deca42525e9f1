/* The truth after a complete run, for the explorer: as few round trips as it takes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/mover.h"
#include "engine/referee.h"
#include "engine/stepper_private.h"
#include "store/abandoned.h"

enum { ORDER_ROOM = 256 };

typedef struct Reading {
    Snapshot *truth;
    OrderRow orders[ORDER_ROOM];
    long count;
    bool overfull;
} Reading;

static int64_t number(const char *text)
{
    return text ? strtoll(text, NULL, 10) : 0;
}

static bool read_row(void *data, long index, int columns, char **values)
{
    Reading *reading = data;
    if (index < 0 || columns < 4) return true;
    reading->truth->stock = (long)number(values[0]);
    reading->truth->version = (long)number(values[1]);
    if (!values[2]) return true; /* no order: the voucher's row alone */
    if (reading->count == ORDER_ROOM) {
        reading->overfull = true;
        return false;
    }
    reading->orders[reading->count++] = (OrderRow){.id = number(values[2]), .user = number(values[3]),
                                                   .voucher = 1};
    return true;
}

static int by_user(const void *left, const void *right)
{
    const OrderRow *a = left, *b = right;
    if (a->user != b->user) return a->user < b->user ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Sorted here: it is cheaper than by the server. */
static void sort_orders(Reading *reading)
{
    const OrderRow *orders = reading->orders;
    qsort(reading->orders, (size_t)reading->count, sizeof *orders, by_user);
    for (long i = 1; i < reading->count; i++) {
        bool first_double = i < 2 || orders[i - 2].user != orders[i].user;
        if (orders[i].user == orders[i - 1].user) reading->truth->duplicate_users += first_double;
    }
}

/* The voucher's row and all its orders in one query; none when no step has written there. */
static bool read_sql(Stepper *stepper, Reading *reading, Error *error)
{
    reading->truth->sql_ok = true;
    reading->truth->stock = stepper->setup.stock;
    if (!(stepper->dirty & (CLEAN_VOUCHER | CLEAN_ORDERS))) return true;
    char query[256];
    snprintf(query, sizeof query,
             "SELECT v.stock, v.version, o.id, o.user_id FROM tb_seckill_voucher v"
             " LEFT JOIN tb_voucher_order o ON o.voucher_id = v.voucher_id"
             " WHERE v.voucher_id = %" PRId64,
             stepper->setup.voucher);
    if (sql_link_rows(stepper->link, query, read_row, reading, error) != STORE_OK) return false;
    if (reading->overfull) return error_set(error, "%s", _("Too many orders for a small world."));
    reading->truth->orders = reading->count;
    sort_orders(reading);
    return true;
}

static bool ask_redis(Stepper *stepper, const char *command, const char *prefix, redisReply **reply, Error *error)
{
    char key[KEY_LENGTH];
    snprintf(key, sizeof key, "%s%" PRId64, prefix, stepper->setup.voucher);
    return redis_link_argv(stores_redis(stepper->stores), reply, error, 2, (const char *[]){command, key},
                           NULL) == STORE_OK;
}

/* The counter and the set of buyers; a set without members is no key. */
static bool read_redis(Stepper *stepper, Snapshot *truth, Error *error)
{
    redisReply *reply = NULL;
    truth->redis_ok = true;
    if (!stepper->spec.stock_in_redis) return true;
    if (!ask_redis(stepper, "GET", "seckill:stock:", &reply, error)) return false;
    truth->has_redis_stock = reply->type == REDIS_REPLY_STRING;
    if (truth->has_redis_stock) truth->redis_stock = (long)number(reply->str);
    freeReplyObject(reply);
    if (!ask_redis(stepper, "SCARD", "seckill:order:", &reply, error)) return false;
    truth->buyers = (long)reply->integer;
    truth->has_buyers = truth->buyers > 0;
    freeReplyObject(reply);
    return stepper->spec.stream == STREAM_NONE || stream_view_read(stores_redis(stepper->stores), &truth->stream, error);
}

/* Of users also when their node runs again: they take no part in the run any more. */
static bool was_killed(const World *world, unsigned actor)
{
    const Slot *slot = world_slot(world, actor);
    bool lost = slot->role == ROLE_USER && (atomic_load(&world->crashed) >> slot->node & 1);
    return lost || atomic_load(&slot->state) == ACTOR_DEAD;
}

static void write_outcome(const Stepper *stepper, const Snapshot *truth, char *text, int size)
{
    int used = 0;
    text[0] = '\0';
    if (stepper->spec.stock_in_sql)
        used += snprintf(text, (size_t)size, "stock=%ld ", truth->stock);
    if (truth->has_redis_stock && used < size)
        used += snprintf(text + used, (size_t)(size - used), "redis=%ld ", truth->redis_stock);
    if ((stepper->spec.stock_in_sql || stepper->spec.stock_in_redis) && used < size)
        used += snprintf(text + used, (size_t)(size - used), "orders=%ld ", truth->orders);
    if (truth->has_buyers && used < size)
        used += snprintf(text + used, (size_t)(size - used), "buyers=%ld ", truth->buyers);
    for (unsigned i = 0; i < stepper->world->actors && used < size; i++) {
        const Slot *slot = world_slot(stepper->world, i);
        uint32_t state = atomic_load(&slot->state);
        char name[12];
        if (was_killed(stepper->world, i))
            used += snprintf(text + used, (size_t)(size - used), "%s=killed ", mover_name(&stepper->spec, (int)i, name));
        else if (state != ACTOR_DONE && state != ACTOR_READY && i < stepper->world->users)
            used += snprintf(text + used, (size_t)(size - used), "%s=waits ", mover_name(&stepper->spec, (int)i, name));
        for (int kind = 0; kind < ANSWER_COUNT && used < size; kind++) {
            unsigned times = atomic_load(&slot->answers[kind]);
            char actor[12];
            if (times == 0) continue;
            used += snprintf(text + used, (size_t)(size - used), "%s=%s", mover_name(&stepper->spec, (int)i, actor),
                             answer_name((AnswerKind)kind));
            if (times > 1 && used < size)
                used += snprintf(text + used, (size_t)(size - used), "*%u", times);
            if (used < size) used += snprintf(text + used, (size_t)(size - used), " ");
        }
    }
    if (truth->abandoned_locks > 0 && used < size)
        used += snprintf(text + used, (size_t)(size - used), "abandoned=%ld ", truth->abandoned_locks);
    if (used > 0 && used < size) text[used - 1] = '\0';
}

static bool judges_locks(const Spec *spec)
{
    static const Invariant of_locks[] = {MUTUAL_EXCLUSION, OWNER_RELEASE, PROGRESS, FAIR_ORDER};
    for (unsigned i = 0; i < sizeof of_locks / sizeof of_locks[0]; i++)
        if (spec->breaks[of_locks[i]] || spec->keeps[of_locks[i]]) return true;
    return false;
}

bool stepper_judge(Stepper *stepper, Snapshot *truth, Verdict verdict[INVARIANT_COUNT], char *outcome,
                   int size, Error *error)
{
    Reading reading = {.truth = truth};
    memset(truth, 0, sizeof *truth);
    bool locks = judges_locks(&stepper->spec);
    if (!read_sql(stepper, &reading, error) || !read_redis(stepper, truth, error)) return false;
    if (locks && !abandoned_locks(stores_redis(stepper->stores), &truth->abandoned_locks, error)) return false;
    TraceEvent *events = NULL;
    Case judged = {.spec = &stepper->spec, .world = stepper->world, .truth = truth,
                   .orders = reading.orders, .order_count = reading.count,
                   .complete = !stepper->stuck && atomic_load(&stepper->world->crashed) == 0,
                   .stuck = stepper->stuck};
    QueuesView queues;
    queues_view_make(&queues, stepper->world, truth);
    judged.waiting = queues.waiting;
    if (locks) judged.event_count = stepper_events(stepper, &events);
    judged.events = events;
    referee_judge(&judged, verdict, NULL);
    free(events);
    write_outcome(stepper, truth, outcome, size);
    return true;
}
