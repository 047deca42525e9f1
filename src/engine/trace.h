/* trace.h -- the recorded steps of a run: read out of the rings while it goes on.
 *
 * Keeps at most TRACE_EVENTS events, the first ones: the first violation is what a story is about.
 * Numbers that must not be lost (answers, attempts) are summed while reading. One thread. */
#ifndef ENGINE_TRACE_H
#define ENGINE_TRACE_H

#include <stdbool.h>

#include "engine/step_kind.h"
#include "engine/stored.h"
#include "engine/world.h"

enum { TRACE_EVENTS = 1 << 20 };

typedef struct TraceEvent {
    Event event;
    uint32_t actor;
} TraceEvent;

typedef struct Trace {
    TraceEvent *events;
    long count, capacity;
    bool sorted;
    long lost;           /* overwritten in a ring before they were read */
    long left_out;       /* read, but beyond TRACE_EVENTS */
    long steps;          /* all steps read */
    long order_attempts; /* attempts of the requests that ended in an order */
    long orders, attempts_max;
    uint64_t yes_ns;     /* when the last user was told "ordered" */
    long commands[STEP_STORES]; /* sent to each StepStore, by everybody */
    StoredOrders stored;
    uint64_t *taken;     /* events taken of each actor's ring */
    uint32_t actors;
} Trace;

bool trace_open(Trace *trace, const World *world);
/* Takes what is new in every ring. */
void trace_read(Trace *trace, const World *world);
/* By the time the reply was read; equal times by actor. */
void trace_sort(Trace *trace);
void trace_close(Trace *trace);

#endif
