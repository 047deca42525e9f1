/* ring.h -- an actor's events, in memory that outlives it: the last so many of them (world_ring_capacity).
 *
 * One writer, the actor's own thread; it never waits. Any number of readers, in any process. */
#ifndef ENGINE_RING_H
#define ENGINE_RING_H

#include "engine/world.h"

/* Appends an event. `capacity` is a power of two. */
void ring_put(RingSlot *ring, uint32_t capacity, Slot *slot, const Event *event);
/* How many events the actor has written so far; all of them can be looked for. */
uint64_t ring_written(const World *world, unsigned actor);
/* Copies event `number` (from 0). False when it is not written yet, or when the writer came round
 * and wrote over it, or may just be doing so. */
bool ring_get(const World *world, unsigned actor, uint64_t number, Event *event);

#endif
