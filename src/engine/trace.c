#include "engine/trace.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ring.h"

bool trace_open(Trace *trace, const World *world)
{
    *trace = (Trace){.actors = world->actors + 1}; /* the console's own ring is the last */
    trace->taken = calloc(world->actors + 1, sizeof *trace->taken);
    trace->sale = calloc(world->actors + 1, sizeof *trace->sale);
    return trace->taken != NULL && trace->sale != NULL;
}

static void keep(Trace *trace, const Event *event, uint32_t actor)
{
    if (trace->count == trace->capacity) {
        long capacity = trace->capacity ? trace->capacity * 2 : 4096;
        TraceEvent *events = capacity > TRACE_EVENTS
                                 ? NULL
                                 : realloc(trace->events, (size_t)capacity * sizeof *events);
        if (!events) {
            trace->left_out++;
            return;
        }
        trace->events = events;
        trace->capacity = capacity;
    }
    trace->events[trace->count++] = (TraceEvent){*event, actor};
    trace->sorted = false;
}

/* ---- when an order is stored -------------------------------------------------------------------- */

enum { SALE_IN_TRANSACTION = 1, SALE_INSERTED = 2 };

typedef enum SalePart { SALE_NO_PART, SALE_BEGINS, SALE_INSERTS, SALE_COMMITS, SALE_ROLLS_BACK } SalePart;

static const uint8_t sale_parts[STEP_COUNT] = {
    [STEP_BEGIN] = SALE_BEGINS,          [STEP_INSERT_ORDER] = SALE_INSERTS,
    [STEP_INSERT_IGNORE] = SALE_INSERTS, [STEP_COMMIT] = SALE_COMMITS,
    [STEP_ROLLBACK] = SALE_ROLLS_BACK,
};

static void note_stored(Trace *trace, const Event *event, uint32_t actor)
{
    SalePart part = sale_parts[event->step];
    uint8_t *sale = &trace->sale[actor];
    if (event->status == STORE_LOST && step_kinds[event->step].store == STEP_SQL) *sale = 0; /* rolled back */
    bool in_transaction = *sale & SALE_IN_TRANSACTION, inserted = *sale & SALE_INSERTED;
    if (part == SALE_NO_PART) return;
    if (part == SALE_INSERTS) {
        inserted = event->status == STORE_OK && event->value > 0;
        if (inserted && in_transaction) *sale |= SALE_INSERTED;
        if (!inserted || in_transaction) return;
    } else {
        /* A COMMIT whose reply was lost may have stored it, too: nobody can say. */
        bool committed = part == SALE_COMMITS && event->status == STORE_OK && inserted;
        *sale = part == SALE_BEGINS && event->status == STORE_OK ? SALE_IN_TRANSACTION : 0;
        if (!committed) return;
    }
    trace->stored++;
    if (event->end_ns > trace->stored_ns) trace->stored_ns = event->end_ns;
}

static void take_step(Trace *trace, const Event *event, uint32_t actor)
{
    trace->steps++;
    trace->commands[step_kinds[event->step].store]++;
    note_stored(trace, event, actor);
}

static void take_in(Trace *trace, const Event *event, uint32_t actor)
{
    if (event->kind == EVENT_STEP) take_step(trace, event, actor);
    if (event->kind == EVENT_ANSWER && event->code == ANSWER_ORDERED) {
        trace->orders++;
        trace->order_attempts += event->second;
        if (event->end_ns > trace->yes_ns) trace->yes_ns = event->end_ns;
        if (event->second > trace->attempts_max) trace->attempts_max = event->second;
    }
    keep(trace, event, actor);
}

static void read_ring(Trace *trace, const World *world, uint32_t actor)
{
    uint64_t written = ring_written(world, actor);
    uint64_t from = trace->taken[actor];
    if (written - from > world->ring_capacity) {
        trace->lost += (long)(written - world->ring_capacity - from);
        from = written - world->ring_capacity;
    }
    for (; from < written; from++) {
        Event event;
        if (ring_get(world, actor, from, &event))
            take_in(trace, &event, actor);
        else
            trace->lost++; /* the writer came round while this was read */
    }
    trace->taken[actor] = written;
}

void trace_read(Trace *trace, const World *world)
{
    for (uint32_t actor = 0; actor < trace->actors; actor++) {
        if (ring_written(world, actor) != trace->taken[actor]) read_ring(trace, world, actor);
    }
}

static int by_end(const void *left, const void *right)
{
    const TraceEvent *a = left, *b = right;
    if (a->event.end_ns != b->event.end_ns) return a->event.end_ns < b->event.end_ns ? -1 : 1;
    return (a->actor > b->actor) - (a->actor < b->actor);
}

void trace_sort(Trace *trace)
{
    if (trace->sorted || trace->count == 0) return;
    qsort(trace->events, (size_t)trace->count, sizeof *trace->events, by_end);
    trace->sorted = true;
}

void trace_close(Trace *trace)
{
    free(trace->events);
    free(trace->taken);
    free(trace->sale);
    *trace = (Trace){0};
}
