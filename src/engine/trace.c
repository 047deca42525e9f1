#include "engine/trace.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ring.h"

bool trace_open(Trace *trace, const World *world)
{
    *trace = (Trace){.actors = world->actors + 1}; /* the console's own ring is the last */
    trace->taken = calloc(world->actors + 1, sizeof *trace->taken);
    return stored_start(&trace->stored, world->actors + 1) && trace->taken != NULL;
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

static void take_step(Trace *trace, const Event *event, uint32_t actor)
{
    trace->steps++;
    trace->commands[step_kinds[event->step].store]++;
    stored_note(&trace->stored, event, actor);
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
    uint64_t from = trace->taken[actor], capacity = world_ring_capacity(world, actor);
    if (written - from > capacity) {
        trace->lost += (long)(written - capacity - from);
        from = written - capacity;
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
    stored_end(&trace->stored);
    *trace = (Trace){0};
}
