#include "engine/queues_view.h"

#include "engine/queue.h"

static void fill_node(const World *world, int node, QueueView *view)
{
    const Queue *queue = world_queue(world, node);
    view->depth = queue_depth(queue);
    view->capacity = (long)queue->capacity;
    view->in_hand = (long)atomic_load(&queue->in_hand);
    view->put = (long)atomic_load(&queue->put);
    view->refused = (long)atomic_load(&queue->refused);
    view->dropped = (long)atomic_load(&queue->dropped);
    view->lost = (long)atomic_load(&queue->lost);
    view->dead = world->node[node].pid <= 0;
}

/* A consumer that is done while users still ask was ended by an error. */
static void count_consumers(const World *world, QueuesView *view)
{
    for (uint32_t i = world->users; i < world->actors; i++) {
        const Slot *slot = world_slot(world, i);
        if (slot->role != ROLE_CONSUMER) continue;
        uint32_t state = atomic_load(&slot->state);
        bool alive = state != ACTOR_DONE && state != ACTOR_DEAD;
        view->consumers++;
        view->consumers_alive += alive;
        view->node[slot->node].consumers += alive;
    }
}

static void count_told(const World *world, QueuesView *view)
{
    for (uint32_t i = 0; i < world->users; i++)
        view->told += (long)atomic_load_explicit(&world_slot(world, i)->answers[ANSWER_ORDERED],
                                                 memory_order_relaxed);
}

void queues_view_make(QueuesView *view, const World *world, const Snapshot *truth)
{
    const Spec *spec = &world->spec;
    *view = (QueuesView){.in_stream = spec->stream != STREAM_NONE, .nodes = spec->nodes};
    view->in_memory = spec->consumers > 0 && !view->in_stream;
    for (int i = 0; view->in_memory && i < view->nodes; i++) {
        fill_node(world, i, &view->node[i]);
        view->waiting += view->node[i].depth + view->node[i].in_hand;
    }
    if (view->in_stream) {
        view->waiting += stream_view_waiting(&truth->stream);
        view->set_aside = truth->stream.set_aside;
    }
    count_consumers(world, view);
    count_told(world, view);
    view->stored = truth->orders;
    view->lost = view->told - view->stored - view->waiting - view->set_aside;
    if (view->lost < 0) view->lost = 0; /* stored, and not yet told or not yet acknowledged */
}
