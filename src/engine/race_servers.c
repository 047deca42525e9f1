/* What happens to the servers of a fleet while a race runs. See race.h.
 *
 * Nothing here waits long: sentinels take a second or two, and the race goes on meanwhile. */
#include <stdio.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/i18n.h"
#include "engine/race_private.h"
#include "engine/servers.h"

enum { FAILOVER_S = 30 };

static Fleet *fleet_of(Race *race)
{
    return stores_fleet_now(race->stores, NULL);
}

/* Clients are told that there is no master for now. */
static bool begin_failover(Race *race, Fleet *fleet, int move, Error *error)
{
    if (!fleet_failover_begin(fleet, error)) return false;
    race->failing_over = move;
    race->failover_ns = clock_now_ns();
    servers_publish(race->world, fleet);
    return true;
}

bool race_server_move(Race *race, int move, Error *error)
{
    Fleet *fleet = fleet_of(race);
    if (race->failing_over >= 0) return error_set(error, "%s", _("A failover is under way: wait for its end."));
    if (!servers_could(race->world, move, error)) return false;
    if (move == SERVER_FAILOVER) return begin_failover(race, fleet, move, error);
    return servers_strike(race->world, fleet, move, error);
}

static void grant_wish(Race *race)
{
    atomic_store(&race->world->servers.wish, 0);
    futex_wake(&race->world->servers.wish, 1 << 30);
}

static void complain(Race *race, const Error *error)
{
    if (race->trouble[0] == '\0') snprintf(race->trouble, sizeof race->trouble, "%.230s", error->text);
}

static void look_after_failover(Race *race)
{
    Error error = {""};
    Fleet *fleet = fleet_of(race);
    bool over = fleet && fleet_failover_over(fleet, &error);
    bool late = clock_now_ns() - race->failover_ns > FAILOVER_S * 1000000000ull;
    if (!over && !late && !error.text[0]) return;
    if (!over && !error.text[0]) error_set(&error, "%s", _("The sentinels do not agree on a new master. Try again."));
    if (!over) complain(race, &error);
    servers_publish(race->world, fleet);
    if (over) world_note(race->world, CONSOLE_SERVER_MOVE, 0, race->failing_over);
    race->failing_over = -1;
}

/* One that cannot be granted is passed over: the actor must not stand there for ever. */
void race_look_after_servers(Race *race)
{
    if (race->world->servers.count == 0) return;
    if (race->failing_over >= 0) look_after_failover(race);
    uint32_t wish = atomic_load(&race->world->servers.wish);
    if (wish == 0 || race->failing_over >= 0) return;
    bool failed_over = race->granted && wish == SERVER_FAILOVER + 1;
    Error error = {""};
    if (!failed_over && !race_server_move(race, (int)wish - 1, &error)) complain(race, &error);
    race->granted = race->failing_over >= 0;
    if (!race->granted) grant_wish(race);
}
