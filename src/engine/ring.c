#include "engine/ring.h"

#include <string.h>

/* A reader may come while the writer, a round further on, is writing over the same place. So the words
 * are atomic: what a reader saw of a newer event it also sees in `written`, and then drops it. On
 * the usual machines this costs nothing. */

void ring_put(RingSlot *ring, uint32_t capacity, Slot *slot, const Event *event)
{
    uint64_t written = atomic_load_explicit(&slot->written, memory_order_relaxed);
    RingSlot *place = &ring[written & (capacity - 1)];
    uint64_t word[RING_WORDS];
    memcpy(word, event, sizeof word);
    for (int i = 0; i < RING_WORDS; i++)
        atomic_store_explicit(&place->word[i], word[i], memory_order_release);
    atomic_store_explicit(&slot->written, written + 1, memory_order_release);
}

uint64_t ring_written(const World *world, unsigned actor)
{
    return atomic_load_explicit(&world_slot(world, actor)->written, memory_order_acquire);
}

bool ring_get(const World *world, unsigned actor, uint64_t number, Event *event)
{
    uint64_t written = ring_written(world, actor), capacity = world_ring_capacity(world, actor);
    if (number >= written || written - number >= capacity) return false;
    const RingSlot *place = &world_ring(world, actor)[number & (capacity - 1)];
    uint64_t word[RING_WORDS];
    for (int i = 0; i < RING_WORDS; i++)
        word[i] = atomic_load_explicit(&place->word[i], memory_order_acquire);
    if (ring_written(world, actor) - number >= capacity) return false;
    memcpy(event, word, sizeof word);
    return true;
}
