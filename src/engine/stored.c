#include "engine/stored.h"

#include <stdlib.h>

#include "engine/step_kind.h"
#include "store/status.h"

struct OpenSale {
    bool in_transaction, inserted;
    int64_t user; /* whose order was inserted */
};

typedef enum SalePart { SALE_NO_PART, SALE_BEGINS, SALE_INSERTS, SALE_COMMITS, SALE_ROLLS_BACK } SalePart;

static const uint8_t sale_parts[STEP_COUNT] = {
    [STEP_BEGIN] = SALE_BEGINS,          [STEP_INSERT_ORDER] = SALE_INSERTS,
    [STEP_INSERT_IGNORE] = SALE_INSERTS, [STEP_COMMIT] = SALE_COMMITS,
    [STEP_ROLLBACK] = SALE_ROLLS_BACK,
};

bool stored_start(StoredOrders *stored, uint32_t actors)
{
    *stored = (StoredOrders){.open = calloc(actors, sizeof *stored->open)};
    return stored->open != NULL;
}

void stored_end(StoredOrders *stored)
{
    free(stored->order);
    free(stored->open);
    *stored = (StoredOrders){0};
}

static void add(StoredOrders *stored, int64_t user, uint64_t at_ns)
{
    stored->all++;
    if (at_ns > stored->last_ns) stored->last_ns = at_ns;
    if (stored->count == stored->capacity) {
        long capacity = stored->capacity ? stored->capacity * 2 : 1024;
        StoredOrder *order = realloc(stored->order, (size_t)capacity * sizeof *order);
        if (!order) return;
        stored->order = order;
        stored->capacity = capacity;
    }
    stored->order[stored->count++] = (StoredOrder){user, at_ns};
}

void stored_note(StoredOrders *stored, const Event *event, uint32_t actor)
{
    SalePart part = sale_parts[event->step];
    OpenSale *open = &stored->open[actor];
    bool fine = event->status == STORE_OK;
    if (event->status == STORE_LOST && step_kinds[event->step].store == STEP_SQL) *open = (OpenSale){0}; /* rolled back */
    if (part == SALE_NO_PART) return;
    if (part == SALE_INSERTS) {
        if (!fine || event->value <= 0) return;
        if (open->in_transaction)
            *open = (OpenSale){true, true, event->second};
        else
            add(stored, event->second, event->end_ns);
        return;
    }
    if (part == SALE_COMMITS && fine && open->inserted) add(stored, open->user, event->end_ns);
    *open = (OpenSale){.in_transaction = part == SALE_BEGINS && fine};
}

/* ---- how long it took ------------------------------------------------------------------------- */

static int by_user(const void *left, const void *right)
{
    const StoredOrder *a = left, *b = right;
    return (a->user > b->user) - (a->user < b->user);
}

static int by_duration(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* When each user who was told "ordered" had asked. */
static StoredOrder *asked_list(const World *world, long *count)
{
    uint64_t told = atomic_load(&world->answer_count);
    if (told > world->answer_capacity) told = world->answer_capacity;
    StoredOrder *asked = malloc((size_t)(told + 1) * sizeof *asked);
    const AnswerEntry *entry = world_answers(world);
    *count = 0;
    for (uint64_t i = 0; asked && i < told; i++)
        if (atomic_load(&entry[i].kind) == ANSWER_ORDERED + 1)
            asked[(*count)++] = (StoredOrder){entry[i].user, entry[i].asked_ns};
    if (asked && *count > 1) qsort(asked, (size_t)*count, sizeof *asked, by_user);
    return asked;
}

static double ms_at(const uint64_t *duration, long count, double share)
{
    long at = (long)(share * (double)count);
    return (double)duration[at < count ? at : count - 1] / 1e6;
}

void stored_latency(const StoredOrders *stored, const World *world, double *p50_ms, double *p99_ms)
{
    long count, found = 0;
    StoredOrder *asked = asked_list(world, &count);
    uint64_t *duration = malloc((size_t)(stored->count + 1) * sizeof *duration);
    *p50_ms = *p99_ms = 0;
    for (long i = 0; asked && duration && count > 0 && i < stored->count; i++) {
        const StoredOrder *order = &stored->order[i];
        const StoredOrder *own = bsearch(order, asked, (size_t)count, sizeof *asked, by_user);
        if (own && order->at_ns >= own->at_ns) duration[found++] = order->at_ns - own->at_ns;
    }
    if (found > 0) {
        qsort(duration, (size_t)found, sizeof *duration, by_duration);
        *p50_ms = ms_at(duration, found, 0.50);
        *p99_ms = ms_at(duration, found, 0.99);
    }
    free(asked);
    free(duration);
}
