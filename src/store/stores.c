#include "store/stores.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "store/stores_private.h"

/* ---- opening and closing
 * --------------------------------------------------------------------------- */

static bool take_urls(Stores *stores, const char *redis_url, const char *sql_url, Error *error)
{
    stores->redis_own = redis_url != NULL;
    stores->sql_own = sql_url != NULL;
    if (redis_url && !redis_address_parse(redis_url, &stores->redis_address, error)) return false;
    if (sql_url && !sql_address_parse(sql_url, &stores->sql_address, error)) return false;
    if (redis_url && sql_url) return true;
    stores->sandbox = sandbox_start(!redis_url, !sql_url, error);
    if (!stores->sandbox) return false;
    sandbox_addresses(stores->sandbox, redis_url ? NULL : &stores->redis_address,
                      sql_url ? NULL : &stores->sql_address);
    return true;
}

Stores *stores_open(const char *redis_url, const char *sql_url, Error *error)
{
    Stores *stores = calloc(1, sizeof *stores);
    if (!stores) {
        error_set(error, _("Out of memory."));
        return NULL;
    }
    if (take_urls(stores, redis_url, sql_url, error)) return stores;
    free(stores);
    return NULL;
}

static bool connect_redis(Stores *stores, Error *error)
{
    if (stores->redis) return redis_link_reopen(stores->redis, error);
    stores->redis = redis_link_open(&stores->redis_address, error);
    return stores->redis != NULL;
}

static bool connect_sql(Stores *stores, Error *error)
{
    if (stores->sql) return sql_link_reopen(stores->sql, error);
    stores->sql = sql_link_open(&stores->sql_address, false, error);
    return stores->sql != NULL;
}

/* A server that came back may be an empty one: everything is looked at again. */
bool stores_reconnect(Stores *stores, Error *error)
{
    return connect_redis(stores, error) && stores_redis_check(stores, error) &&
           connect_sql(stores, error) && stores_sql_check(stores, error);
}

bool stores_reopen(Stores *stores, ServerKind kind, Error *error)
{
    if (kind == SERVER_REDIS) return connect_redis(stores, error);
    return connect_sql(stores, error) &&
           sql_link_text(stores->sql, "USE seckill_lab", NULL, error) == STORE_OK;
}

bool stores_wait(Stores *stores, int timeout_ms, Error *error)
{
    if (stores->sandbox && !sandbox_wait_ready(stores->sandbox, timeout_ms, error)) return false;
    return stores_reconnect(stores, error);
}

void stores_close(Stores *stores)
{
    if (!stores) return;
    stores_redis_leave(stores);
    stores_sql_leave(stores);
    redis_link_close(stores->redis);
    sql_link_close(stores->sql);
    fleet_close(stores->fleet);
    sandbox_stop(stores->sandbox);
    free(stores);
}

/* ---- asking
 * ------------------------------------------------------------------------------------------- */

void stores_status(Stores *stores, ServerStatus status[SERVER_COUNT])
{
    memset(status, 0, SERVER_COUNT * sizeof *status); /* SERVER_ABSENT */
    if (stores->sandbox) sandbox_status(stores->sandbox, status);
}

bool stores_own(const Stores *stores, ServerKind kind)
{
    return kind == SERVER_REDIS ? stores->redis_own : stores->sql_own;
}

bool stores_own_lost(Stores *stores, ServerKind kind)
{
    if (!stores_own(stores, kind)) return false;
    if (kind == SERVER_REDIS) {
        if (!stores->redis || !redis_link_context(stores->redis)) return true;
        RedisLink *fresh = redis_link_open(&stores->redis_address, NULL);
        redis_link_close(fresh);
        return !fresh;
    }
    if (!stores->sql || !sql_link_alive(stores->sql)) return true;
    SqlLink *fresh = sql_link_open_within(&stores->sql_address, false, 3, NULL);
    sql_link_close(fresh);
    return !fresh;
}

Fleet *stores_fleet_now(const Stores *stores, unsigned *serial)
{
    if (serial) *serial = stores->fleet_serial;
    return stores->fleet;
}

Sandbox *stores_sandbox(Stores *stores)
{
    return stores->sandbox;
}

void stores_addresses(const Stores *stores, RedisAddress *redis, SqlAddress *sql)
{
    if (redis) *redis = stores->redis_address;
    if (sql) *sql = stores->sql_address;
}

RedisLink *stores_redis(Stores *stores)
{
    return stores->redis;
}

SqlLink *stores_sql(Stores *stores)
{
    return stores->sql;
}

/* ---- the clean state
 * ------------------------------------------------------------------------------------- */

/* The one at hand, cleaned, or another kind in its place. */
static bool prepare_fleet(Stores *stores, const ShopSetup *setup, Error *error)
{
    FleetState state;
    fleet_state(stores->fleet, &state);
    if (state.kind == setup->servers) {
        if (stores->fleet && !fleet_clean(stores->fleet, error)) return false;
    } else {
        fleet_close(stores->fleet);
        stores->fleet = setup->servers == FLEET_NONE ? NULL : fleet_open(setup->servers, error);
        stores->fleet_serial++;
        if (setup->servers != FLEET_NONE && !stores->fleet) return false;
    }
    return !stores->fleet || !setup->link_cut || fleet_cut(stores->fleet, error);
}

static bool connected(const Stores *stores, Error *error)
{
    if (stores->redis && stores->sql) return true;
    return error_set(error, _("The stores are not connected yet."));
}

bool stores_prepare(Stores *stores, const ShopSetup *setup, Error *error)
{
    return connected(stores, error) && stores_sql_prepare(stores, setup, error) &&
           stores_redis_clean(stores, setup, error) &&
           prepare_fleet(stores, setup, error);
}

bool stores_reset_parts(Stores *stores, const ShopSetup *setup, unsigned parts, Error *error)
{
    IndexForm wanted = setup->unique_order ? INDEX_UNIQUE : INDEX_PLAIN;
    if (stores->form != wanted) return stores_prepare(stores, setup, error);
    return connected(stores, error) && stores_sql_clean(stores, setup, parts, error) &&
           (!(parts & CLEAN_REDIS) || stores_redis_clean(stores, setup, error)) &&
           (!(parts & CLEAN_SERVERS) || prepare_fleet(stores, setup, error));
}

bool stores_reset(Stores *stores, const ShopSetup *setup, Error *error)
{
    return stores_reset_parts(stores, setup, CLEAN_ALL, error);
}
