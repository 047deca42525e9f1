/* stores_private.h -- what the sources of stores and observe share. Inside src/store only. */
#ifndef STORE_STORES_PRIVATE_H
#define STORE_STORES_PRIVATE_H

#include "store/stores.h"

typedef enum IndexForm { INDEX_UNKNOWN, INDEX_PLAIN, INDEX_UNIQUE } IndexForm;

struct Stores {
    RedisAddress redis_address;
    SqlAddress sql_address;
    bool redis_own, sql_own; /* the learner's own servers: every guard is up */
    Sandbox *sandbox;        /* NULL when both are the learner's own */
    RedisLink *redis;
    SqlLink *sql;
    Fleet *fleet; /* NULL: no world has asked for one */
    unsigned fleet_serial;
    IndexForm form;                /* of tb_voucher_order, as far as we know */
    bool marked_redis, marked_sql; /* our marker is set: there is something to tidy up */
};

/* ---- Redis ------------------------------------------------------------------------------------
 */

/* Version, mode and, on the learner's own server, whose keys there are; sets the marker. */
bool stores_redis_check(Stores *stores, Error *error);
/* Deletes our keys and sets those of the setup. */
bool stores_redis_clean(Stores *stores, const ShopSetup *setup, Error *error);
/* On the learner's own server: our keys and the marker go. */
void stores_redis_leave(Stores *stores);
/* True for a name that the lab uses. */
bool stores_redis_ours(const char *key, size_t length);

/* ---- the database
 * --------------------------------------------------------------------------------- */

/* Version, privileges, whose database it is; makes it and its tables where they are missing. */
bool stores_sql_check(Stores *stores, Error *error);
/* "10.11.6-MariaDB", "8.0.36", or "5.5.5-10.11.6-MariaDB" as old clients see it. */
bool stores_sql_new_enough(const char *version);
/* Makes missing tables, gives tb_voucher_order the wanted index, empties all. */
bool stores_sql_prepare(Stores *stores, const ShopSetup *setup, Error *error);
/* Cleans the tables among `parts` (CLEAN_...). */
bool stores_sql_clean(Stores *stores, const ShopSetup *setup, unsigned parts, Error *error);
/* On the learner's own server: our tables go, and the database if we made it and nothing else is
 * in it. */
void stores_sql_leave(Stores *stores);

#endif
