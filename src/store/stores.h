/* stores.h -- the two stores of one lab: the sandbox's, or the learner's own; their guards; and
 * the clean state that every run begins from.
 *
 * The tables of seckill_lab (times are UTC):
 *   tb_voucher          (id, title)
 *   tb_seckill_voucher  (voucher_id, stock, version, begin_time, end_time)
 *   tb_voucher_order    (id, user_id, voucher_id, create_time), index on (user_id, voucher_id)
 *   tb_order_0, _1      (id AUTO_INCREMENT, user_id, create_time)
 * and, on a server of the learner's own, lab_marker: a sign that they are ours. */
#ifndef STORE_STORES_H
#define STORE_STORES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/fleet.h"
#include "store/sandbox.h"

typedef struct Stores Stores;

/* Either URL may be NULL: that server then comes from the sandbox. Returns at once; connecting
 * comes with stores_wait(). A malformed URL fails here. */
Stores *stores_open(const char *redis_url, const char *sql_url, Error *error);
/* Waits for the servers, connects, and checks what must be true before anything is written:
 * Redis >= 5.0, MySQL >= 5.7 or MariaDB >= 10.2, the privileges needed, and that a Redis database
 * of the learner's own holds no key but ours (a marker key `seckill:lab` and the documented
 * names). Makes database `seckill_lab` and its tables. One clear line when it cannot. */
bool stores_wait(Stores *stores, int timeout_ms, Error *error);
/* Connects again after a server came back, and makes the tables anew. */
bool stores_reconnect(Stores *stores, Error *error);
/* Connects to one server again and touches nothing: for a server that came back in the middle of a run. */
bool stores_reopen(Stores *stores, ServerKind kind, Error *error);
void stores_status(Stores *stores, ServerStatus status[SERVER_COUNT]);
/* True for a server of the learner's own to which the connection is lost, or which does not answer a new one
 * within seconds: stores_status() knows nothing of those. */
bool stores_own_lost(Stores *stores, ServerKind kind);
/* Whether it is the learner's own. */
bool stores_own(const Stores *stores, ServerKind kind);
/* The fleet that the last setup asked for, NULL when it was none: private servers, whatever the two stores are.
 * It stays the stores'. *serial (may be NULL) differs between any two fleets. */
Fleet *stores_fleet_now(const Stores *stores, unsigned *serial);
Sandbox *stores_sandbox(Stores *stores); /* NULL when both servers are the learner's own */
void stores_addresses(const Stores *stores, RedisAddress *redis, SqlAddress *sql);
/* Drops what we made on the learner's own servers (database only if we created it; only our keys),
 * ends the sandbox. */
void stores_close(Stores *stores);

/* A Redis value that stands before the first step. */
typedef struct Preset {
    char key[64];
    char value[64];
} Preset;

enum { PRESETS = 8 };

/* How a sale begins that goes through stream.orders. */
typedef enum StreamSetup {
    STREAM_NONE,   /* it does not */
    STREAM_BARE,   /* no key, no group */
    STREAM_GROUP,  /* the stream is empty; group g1 reads it from its beginning */
    STREAM_POISON  /* the same, and the first entry is one that nobody can read */
} StreamSetup;

/* The clean state of one run. */
typedef struct ShopSetup {
    int64_t voucher;    /* id, 1 */
    long stock;         /* in the database */
    int64_t begin, end; /* sale window, seconds since 1970 */
    bool unique_order;  /* UNIQUE (user_id, voucher_id) on tb_voucher_order */
    bool redis_stock;   /* seckill:stock:{id} = stock as well */
    StreamSetup stream;
    Preset preset[PRESETS];
    int presets;
    FleetKind servers; /* the fleet that there is to be */
    bool link_cut;     /* ... whose replica does not hear its master */
} ShopSetup;

/* Brings the schema into the form the setup wants (once a variant), then the clean state.
 * Truncates only tables of `seckill_lab`, deletes only keys of ours. */
bool stores_prepare(Stores *stores, const ShopSetup *setup, Error *error);
/* The clean state alone: no table is made anew. */
bool stores_reset(Stores *stores, const ShopSetup *setup, Error *error);

/* What a run may have changed, as bits. */
enum {
    CLEAN_REDIS = 1,
    CLEAN_VOUCHER = 2, /* the row in tb_seckill_voucher */
    CLEAN_ORDERS = 4,  /* tb_voucher_order */
    CLEAN_NUMBERS = 8, /* tb_order_0 and _1, and their counters */
    CLEAN_SERVERS = 16, /* the fleet */
    CLEAN_ALL = 31
};
/* The clean state where only `parts` were touched since it was had last: for the thousands of runs
 * of an exploration. */
bool stores_reset_parts(Stores *stores, const ShopSetup *setup, unsigned parts, Error *error);

/* The links that the calls above use: for snapshots between runs, one thread at a time. */
RedisLink *stores_redis(Stores *stores);
SqlLink *stores_sql(Stores *stores);

#endif
