/* queues_view.h -- what the Queue panel shows: the queues in the nodes' memory, the stream, and what became of
 * what the users were told.
 *
 * Made of world memory and of a snapshot of the stores; costs the same however much is in a queue. */
#ifndef ENGINE_QUEUES_VIEW_H
#define ENGINE_QUEUES_VIEW_H

#include "engine/world.h"
#include "store/observe.h"

/* The queue of one node. */
typedef struct QueueView {
    long depth, capacity;
    long in_hand;        /* taken by a consumer, and not yet dealt with */
    long put, refused;   /* refused: it was full */
    long dropped;        /* in the hand of a consumer that an error ended */
    long lost;           /* gone with the memory of a killed process */
    int consumers;       /* that are alive */
    bool dead;           /* the node is: nothing is in its memory */
} QueueView;

typedef struct QueuesView {
    bool in_memory;      /* orders go through the nodes' queues */
    bool in_stream;      /* orders go through stream.orders: see Snapshot.stream */
    QueueView node[MAX_NODES];
    int nodes;
    int consumers, consumers_alive; /* of all nodes */
    long told;           /* users told "ordered" */
    long waiting;        /* orders in a queue or in the hand of a consumer */
    long stored;         /* rows of tb_voucher_order */
    long set_aside;      /* entries of stream.orders.dead */
    long lost;           /* told, and neither stored nor waiting nor set aside */
} QueuesView;

void queues_view_make(QueuesView *view, const World *world, const Snapshot *truth);

#endif
