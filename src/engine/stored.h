/* stored.h -- when each order was in the database for good, found in the events as they are read.
 *
 * That is when its INSERT was answered, or, inside a transaction, the COMMIT behind it. A COMMIT whose reply was lost may
 * have stored it, too: nobody can say, and it does not count. One thread. */
#ifndef ENGINE_STORED_H
#define ENGINE_STORED_H

#include "engine/world.h"

typedef struct StoredOrder {
    int64_t user;
    uint64_t at_ns;
} StoredOrder;

typedef struct OpenSale OpenSale;

typedef struct StoredOrders {
    StoredOrder *order;
    long count, capacity;
    long all;         /* count, and those that there was no memory for */
    uint64_t last_ns; /* the newest at_ns; 0: none */
    OpenSale *open;   /* of each actor: its transaction */
} StoredOrders;

bool stored_start(StoredOrders *stored, uint32_t actors);
/* The events of one actor in their order. */
void stored_note(StoredOrders *stored, const Event *event, uint32_t actor);
/* From a request's first step until its order was stored, ms: of the orders whose user was told "ordered". Both 0:
 * there is none. */
void stored_latency(const StoredOrders *stored, const World *world, double *p50_ms, double *p99_ms);
void stored_end(StoredOrders *stored);

#endif
