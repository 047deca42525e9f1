/* touch.h -- what a step reads and writes, and when two steps can change places. */
#ifndef ENGINE_TOUCH_H
#define ENGINE_TOUCH_H

#include "engine/world.h"

/* A key of Redis, a row of the voucher table, the orders of one user, a whole table. */
uint64_t touch_key(const char *key);
uint64_t touch_voucher(int64_t voucher);
uint64_t touch_orders(int64_t voucher, int64_t user);
uint64_t touch_table(int number);
/* All leases: the clock's move ends one of them. A node: its end touches all that its actors do. */
uint64_t touch_leases(void);
uint64_t touch_node(int number);
/* The entries of stream.orders; how far its group has come; what consumer `consumer` (from 0) was given and has not
 * acknowledged. */
uint64_t touch_entries(void);
uint64_t touch_group(void);
uint64_t touch_pending(int consumer);
/* Whether limited waits are over: a crash lets time pass. */
uint64_t touch_late(void);
/* What a node's threads share in its memory: its queue; a reference. */
uint64_t touch_queue(int node);
uint64_t touch_shared(int node);
/* What a node's watchdog renews. */
uint64_t touch_watch(int node);
/* A Redis server of a fleet: whether it lives, is the master, hears its master. And what happens to any of
 * them, which is done one after the other. */
uint64_t touch_server(int number);
uint64_t touch_servers(void);
/* Which request was asked for before which other one was told its answer. */
uint64_t touch_order_of_asking(void);

void touch_add(Touch *touch, uint64_t resource, bool writes);
/* Adds everything that `from` writes, as writes. */
void touch_add_writes(Touch *touch, const Touch *from);

/* True when the two may give another result in the other order: they share a resource that one of
 * them writes, or one reads a snapshot of everything and the other writes something. */
bool touch_conflict(const Touch *a, const Touch *b);
/* True when both write the same resource. */
bool touch_both_write(const Touch *a, const Touch *b);

#endif
