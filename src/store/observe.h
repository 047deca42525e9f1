/* observe.h -- what both stores hold now: for the panels while a race runs, and as the final truth
 * that the referee judges. Everything textual is clean of control bytes when it leaves here. */
#ifndef STORE_OBSERVE_H
#define STORE_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/stores.h"
#include "store/stream_view.h"

typedef struct KeyView {
    char name[64];
    char type[12];   /* Redis' own word: string, hash, list, set, zset, stream */
    char value[96];  /* a string's value; the first members of the others */
    long size;       /* length or number of members */
    long ttl_ms;     /* -1: no TTL */
    long ttl_max_ms; /* the longest TTL seen for this key: the full length of its bar */
    bool changed;    /* differs from the snapshot before */
} KeyView;

enum { SNAPSHOT_KEYS = 24, FLEET_KEYS = 6 };

/* The keys of each server of a fleet. */
typedef struct FleetView {
    FleetState state; /* .servers is 0 when there is none */
    struct {
        bool answers;
        KeyView keys[FLEET_KEYS];
        int key_count;
        long left_out;
    } server[FLEET_SERVERS];
} FleetView;

typedef struct Snapshot {
    uint64_t taken_ns;
    bool sql_ok, redis_ok; /* false: this store could not be asked; its numbers are the old ones */
    long stock, version;   /* tb_seckill_voucher */
    long orders;           /* rows of tb_voucher_order for the voucher */
    long duplicate_users;  /* users with more than one order for the voucher */
    bool has_redis_stock;
    long redis_stock; /* seckill:stock:{id} */
    bool has_buyers;
    long buyers; /* SCARD seckill:order:{id} */
    long abandoned_locks; /* lock:* keys without a lease: in a final truth only; -1: could not be asked */
    bool has_queue;
    long queue_length, queue_pending; /* stream.orders, group g1 */
    StreamView stream; /* the same, in full */
    KeyView keys[SNAPSHOT_KEYS];
    int key_count;
    long keys_left_out; /* keys beyond those shown */
    FleetView fleet;
} Snapshot;

/* An observer has links of its own, so that watching never holds a lock the race needs. */
typedef struct Observer Observer;
Observer *observer_open(const Stores *stores, Error *error);
void observer_close(Observer *observer);
/* Reads both stores; a dead link is opened again. `snapshot` keeps its old numbers where a store
 * does not answer. One thread at a time. */
void observer_take(Observer *observer, int64_t voucher, Snapshot *snapshot);

/* One row of tb_voucher_order, for the referee. */
typedef struct OrderRow {
    int64_t id, user, voucher;
    int64_t created; /* seconds since 1970; 0: not read */
} OrderRow;
/* All orders, ordered by user. *rows is the caller's (free), never NULL on success. */
bool observer_orders(Observer *observer, OrderRow **rows, long *count, Error *error);

/* One command typed by the learner, its answer as cleaned lines of text (the caller's, free).
 * FLUSHALL, FLUSHDB, SHUTDOWN, CONFIG, DEBUG and the like are refused on the learner's own servers.
 */
char *observer_redis(Observer *observer, const char *line);
char *observer_sql(Observer *observer, const char *query);
/* Ends the query that observer_sql() is busy with, soon. From any thread; returns at once. */
void observer_sql_cancel(Observer *observer);

#endif
