/* story_queue.h -- who dealt with an order that was queued. Private to story.c. */
#ifndef ENGINE_STORY_QUEUE_H
#define ENGINE_STORY_QUEUE_H

#include "engine/spec.h"
#include "engine/trace.h"

/* Where somebody last took the order of that id from a queue or a stream; -1: nobody did. */
long story_find_take(const Trace *trace, int64_t id);
/* Where an entry was taken of which nobody stored an order; -1: every one that was taken was stored. */
long story_find_failed(const Trace *trace);
/* Where an order was first refused by a full queue; -1: none was. */
long story_find_refusal(const Trace *trace);
/* Whose order an event stores or looks for: the actor's own user, or, of a consumer, the one it names. */
int64_t story_user(const Spec *spec, const TraceEvent *event);
/* The user's first answer; -1: none. */
long story_find_told(const Trace *trace, const Spec *spec, int64_t user);

#endif
