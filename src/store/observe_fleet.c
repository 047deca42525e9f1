/* observe_fleet.c -- the keys of each server of a fleet, side by side. See observe.h.
 *
 * Each server is looked at as the one Redis is, by an observer that has nothing but a link and a memory. A dead one
 * is not asked; links that a failover dropped are made anew. */
#include <stdlib.h>
#include <string.h>

#include "store/observe_private.h"
#include "store/stores_private.h"

enum { ANSWER_MS = 300 };

void observe_fleet_end(Observer *observer)
{
    for (int i = 0; i < FLEET_SERVERS; i++) {
        if (!observer->server[i]) continue;
        redis_link_close(observer->server[i]->redis);
        free(observer->server[i]);
        observer->server[i] = NULL;
    }
}

static bool connect_to(Observer *server, const Fleet *fleet, int number)
{
    RedisAddress address;
    fleet_address(fleet, number, &address);
    if (server->redis && redis_link_context(server->redis)) return true;
    if (server->redis && !redis_link_reopen(server->redis, NULL)) return false;
    if (!server->redis) server->redis = redis_link_open(&address, NULL);
    if (!server->redis) return false;
    /* A frozen one must not freeze whoever watches. */
    redisSetTimeout(redis_link_context(server->redis), (struct timeval){.tv_usec = ANSWER_MS * 1000});
    return true;
}

static bool read_keys(Observer *server, Snapshot *found)
{
    redisReply *size = NULL, *keys = NULL;
    bool asked = redis_link_command(server->redis, &size, NULL, "DBSIZE") == STORE_OK &&
                 redis_link_command(server->redis, &keys, NULL, "SCAN 0 COUNT 100") == STORE_OK;
    bool read = asked && observe_keys(server, 0, keys, (long)size->integer, found);
    if (size) freeReplyObject(size);
    if (keys) freeReplyObject(keys);
    return read;
}

static void take_server(Observer *observer, const Fleet *fleet, int number, FleetView *view)
{
    static const Snapshot nothing;
    Snapshot found = nothing;
    Observer **server = &observer->server[number];
    if (!*server) *server = calloc(1, sizeof **server);
    view->server[number].answers = false;
    if (!*server || view->state.role[number] == FLEET_DEAD) return;
    /* A second try: the link may be one of before the server's death. */
    for (int i = 0; i < 2 && !view->server[number].answers; i++)
        view->server[number].answers = connect_to(*server, fleet, number) && read_keys(*server, &found);
    int count = found.key_count < FLEET_KEYS ? found.key_count : FLEET_KEYS;
    memcpy(view->server[number].keys, found.keys, (size_t)count * sizeof found.keys[0]);
    view->server[number].key_count = count;
    view->server[number].left_out = found.keys_left_out + found.key_count - count;
}

void observe_fleet(Observer *observer, Snapshot *snapshot)
{
    unsigned serial;
    const Fleet *fleet = stores_fleet_now(observer->stores, &serial);
    FleetView *view = &snapshot->fleet;
    if (serial != observer->fleet_serial) observe_fleet_end(observer);
    observer->fleet_serial = serial;
    memset(view, 0, sizeof *view);
    fleet_state(fleet, &view->state);
    for (int i = 0; i < view->state.servers; i++) take_server(observer, fleet, i, view);
}
