#include "engine/story_queue.h"

#include "engine/step_kind.h"
#include "store/status.h"

static bool takes(const Event *event)
{
    return event->kind == EVENT_STEP && step_kinds[event->step].result == RESULT_ENTRY &&
           event->status == STORE_OK && event->value >= 0; /* 0: an entry without an order */
}

long story_find_take(const Trace *trace, int64_t id)
{
    for (long i = trace->count - 1; i >= 0 && id > 0; i--) {
        if (takes(&trace->events[i].event) && trace->events[i].event.value == id) return i;
    }
    return -1;
}

/* From the end: what was taken last by the actor that stored nothing since. */
long story_find_failed(const Trace *trace)
{
    for (long i = trace->count - 1; i >= 0; i--) {
        const TraceEvent *taken = &trace->events[i];
        if (!takes(&taken->event)) continue;
        bool stored = false;
        for (long k = i + 1; k < trace->count && !stored; k++) {
            const TraceEvent *after = &trace->events[k];
            stored = after->actor == taken->actor && after->event.request == taken->event.request &&
                     after->event.step == STEP_COMMIT && after->event.status == STORE_OK;
        }
        if (!stored) return i;
    }
    return -1;
}

long story_find_refusal(const Trace *trace)
{
    for (long i = 0; i < trace->count; i++) {
        const Event *event = &trace->events[i].event;
        bool puts = event->kind == EVENT_STEP && step_kinds[event->step].result == RESULT_PUT;
        if (puts && event->value == 0) return i;
    }
    return -1;
}

int64_t story_user(const Spec *spec, const TraceEvent *event)
{
    bool names = event->event.step == STEP_INSERT_ORDER || event->event.step == STEP_COUNT_ORDERS;
    bool behind = spec_role(spec, (int)event->actor, NULL) != ROLE_USER;
    return behind && names ? event->event.second : spec_user(spec, (int)event->actor);
}

long story_find_told(const Trace *trace, const Spec *spec, int64_t user)
{
    for (long i = 0; i < trace->count; i++)
        if (trace->events[i].event.kind == EVENT_ANSWER && spec_user(spec, (int)trace->events[i].actor) == user)
            return i;
    return -1;
}
