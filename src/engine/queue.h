/* queue.h -- the bounded queue in the memory of a node, like the ArrayBlockingQueue of a JVM.
 *
 * It lies in the world's memory, so that the console sees how full it is. Only threads of its node put and
 * take; the queue dies with the node's process, and the next one begins with an empty one. */
#ifndef ENGINE_QUEUE_H
#define ENGINE_QUEUE_H

#include <pthread.h>

#include "engine/world.h"

typedef struct QueueEntry {
    int64_t id, user, voucher;
} QueueEntry;

/* Counters grow for the whole of a run; all but `lost` from zero again when the node is started anew. */
typedef struct Queue {
    pthread_mutex_t mutex;
    uint32_t capacity;
    _Atomic uint64_t put, taken; /* put - taken: how many are in it */
    _Atomic uint64_t refused;    /* it was full */
    _Atomic uint32_t in_hand;    /* taken, and still being worked on */
    _Atomic uint64_t dropped;    /* in the hand of a thread that an error ended */
    _Atomic uint64_t lost;       /* gone with the memory of a killed process */
} Queue;

/* Bytes that the queues of such a world take. Of a queue that is never filled, most of them are never used. */
size_t queues_size(const Spec *spec);
Queue *world_queue(const World *world, int node);
/* An empty queue. Nobody must be using it. */
void queue_open(World *world, int node);
/* False: it is full. */
bool queue_push(World *world, int node, const QueueEntry *entry);
/* False: there is nothing in it. */
bool queue_pull(World *world, int node, QueueEntry *entry);
long queue_depth(const Queue *queue);
/* The process is gone, and what was in its memory with it. Nobody waits for it any more. */
void queue_lose(World *world, int node);
/* Whoever took an entry is ended by an error, and the entry with it. Defined with the steps. */
void queue_drop_hand(Actor *me);
/* Given with every entry that is taken, and for each place in an empty queue. */
uint32_t queue_room(World *world, int node);
/* Given with every entry that is put. */
uint32_t queue_signal(World *world, int node);

#endif
