#include "engine/queue.h"

#include <stdio.h>

#include "base/hash.h"

static size_t queue_size(const Spec *spec)
{
    size_t capacity = spec->queue > 0 ? (size_t)spec->queue : QUEUE_CAPACITY;
    return (sizeof(Queue) + capacity * sizeof(QueueEntry) + 63) & ~(size_t)63;
}

size_t queues_size(const Spec *spec)
{
    return spec->consumers > 0 ? (size_t)spec->nodes * queue_size(spec) : 0;
}

Queue *world_queue(const World *world, int node)
{
    return (Queue *)((char *)world + world->queues_at + (size_t)node * queue_size(&world->spec));
}

static QueueEntry *entry_at(Queue *queue, uint64_t number)
{
    return (QueueEntry *)(queue + 1) + number % queue->capacity;
}

void queue_open(World *world, int node)
{
    if (world->spec.consumers == 0) return;
    Queue *queue = world_queue(world, node);
    pthread_mutex_init(&queue->mutex, NULL);
    queue->capacity = world->spec.queue > 0 ? (uint32_t)world->spec.queue : QUEUE_CAPACITY;
    atomic_store(&queue->put, 0);
    atomic_store(&queue->taken, 0);
    atomic_store(&queue->refused, 0);
    atomic_store(&queue->in_hand, 0);
    atomic_store(&queue->dropped, 0);
    Signal *room = world_signal_at(world, queue_room(world, node));
    atomic_store(&room->given, queue->capacity);
    atomic_store(&room->taken, 0);
}

long queue_depth(const Queue *queue)
{
    uint64_t taken = atomic_load(&queue->taken); /* first: what is taken was put before */
    return (long)(atomic_load(&queue->put) - taken);
}

bool queue_push(World *world, int node, const QueueEntry *entry)
{
    Queue *queue = world_queue(world, node);
    pthread_mutex_lock(&queue->mutex);
    bool room = queue_depth(queue) < (long)queue->capacity;
    if (room) {
        *entry_at(queue, atomic_load(&queue->put)) = *entry;
        atomic_fetch_add(&queue->put, 1);
    }
    pthread_mutex_unlock(&queue->mutex);
    return room;
}

bool queue_pull(World *world, int node, QueueEntry *entry)
{
    Queue *queue = world_queue(world, node);
    pthread_mutex_lock(&queue->mutex);
    bool any = queue_depth(queue) > 0;
    if (any) {
        *entry = *entry_at(queue, atomic_load(&queue->taken));
        atomic_fetch_add(&queue->in_hand, 1);
        atomic_fetch_add(&queue->taken, 1);
    }
    pthread_mutex_unlock(&queue->mutex);
    return any;
}

void queue_lose(World *world, int node)
{
    if (world->spec.consumers == 0) return;
    Queue *queue = world_queue(world, node);
    Signal *signal = world_signal_at(world, queue_signal(world, node));
    uint64_t gone = (uint64_t)queue_depth(queue) + atomic_load(&queue->in_hand);
    atomic_fetch_add(&queue->lost, gone);
    queue_open(world, node);
    atomic_store(&signal->taken, atomic_load(&signal->given));
}

uint32_t queue_room(World *world, int node)
{
    return world_signal(world, hash_number(hash_string(HASH_START, "room "), node));
}

uint32_t queue_signal(World *world, int node)
{
    return world_signal(world, hash_number(hash_string(HASH_START, "queue "), node));
}
