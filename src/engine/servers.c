#include "engine/servers.h"

#include "base/i18n.h"
#include "engine/touch.h"

/* ---- what is possible --------------------------------------------------------------------------- */

static bool is_pair(const World *world)
{
    return world->spec.servers == FLEET_REPLICATED || world->spec.servers == FLEET_SENTINEL;
}

static bool is_dead(const World *world, int server)
{
    return atomic_load(&world->servers.dead) >> server & 1;
}

/* One that lives, and has or had a master. */
static bool has_replica(const World *world)
{
    int master = atomic_load(&world->servers.master);
    if (!is_pair(world)) return false;
    return master >= 0 ? !is_dead(world, 1 - master) : !is_dead(world, 0) || !is_dead(world, 1);
}

static bool is_linked(const World *world)
{
    return has_replica(world) && atomic_load(&world->servers.master) >= 0;
}

bool servers_could(const World *world, int move, Error *error)
{
    int server;
    bool cut = atomic_load(&world->servers.cut);
    ServerMove deed = server_move_deed(move, &server);
    if (world->servers.count == 0) return error_set(error, "%s", _("This world has one Redis only."));
    if (deed >= SERVER_DOES_KILL && server >= (int)world->servers.count)
        return error_set(error, _("There is no server %d: this world has %d."), server + 1,
                         (int)world->servers.count);
    switch (deed) {
    case SERVER_DOES_FAILOVER:
        return has_replica(world) ||
               error_set(error, "%s", _("There is no replica that could become the master."));
    case SERVER_DOES_CUT:
        return (is_linked(world) && !cut) ||
               error_set(error, "%s",
                         is_linked(world) ? _("The link is cut already.")
                                          : _("There is no link between a master and a replica here."));
    case SERVER_DOES_MEND:
        return (is_linked(world) && cut) || error_set(error, "%s", _("The link is not cut."));
    case SERVER_DOES_KILL:
        return !is_dead(world, server) || error_set(error, _("Server %d is dead already."), server + 1);
    default:
        return is_dead(world, server) || error_set(error, _("Server %d is running."), server + 1);
    }
}

/* A server comes back once, in one of the two ways. */
static unsigned kept_apart(ServerMove deed)
{
    unsigned back = 1u << SERVER_DOES_KEPT | 1u << SERVER_DOES_EMPTY;
    return deed == SERVER_DOES_KEPT || deed == SERVER_DOES_EMPTY ? back : 1u << deed;
}

bool servers_can(const World *world, int move)
{
    const Spec *spec = &world->spec;
    int server;
    if (move >= SERVER_MOVES) return false;
    ServerMove deed = server_move_deed(move, &server);
    if (!(spec->server_moves >> deed & 1) || (world->servers.happened & kept_apart(deed))) return false;
    if (deed >= SERVER_DOES_KILL && spec->server_victims && !(spec->server_victims >> server & 1)) return false;
    return servers_could(world, move, NULL);
}

Touch servers_touch(const World *world, int move)
{
    Touch touch = {0};
    int server;
    ServerMove deed = server_move_deed(move, &server);
    touch_add(&touch, touch_servers(), true);
    touch_add(&touch, touch_server(deed < SERVER_DOES_KILL || is_pair(world) ? 0 : server), true);
    return touch;
}

/* ---- carrying it out -------------------------------------------------------------------------------- */

void servers_publish(World *world, const Fleet *fleet)
{
    FleetState state;
    WorldServers *servers = &world->servers;
    uint32_t dead = 0;
    fleet_state(fleet, &state);
    servers->count = (uint32_t)state.servers;
    for (int i = 0; i < state.servers; i++) {
        fleet_address(fleet, i, &servers->address[i]);
        if (state.role[i] == FLEET_DEAD) dead |= 1u << i;
        atomic_store(&servers->life[i], state.life[i]);
    }
    atomic_store(&servers->dead, dead);
    atomic_store(&servers->cut, state.cut);
    atomic_store(&servers->master, state.master);
}

static bool carry_out(Fleet *fleet, ServerMove deed, int server, Error *error)
{
    switch (deed) {
    case SERVER_DOES_FAILOVER:
        return fleet_failover(fleet, error);
    case SERVER_DOES_CUT:
        return fleet_cut(fleet, error);
    case SERVER_DOES_MEND:
        return fleet_mend(fleet, error);
    case SERVER_DOES_KILL:
        return fleet_kill(fleet, server, error);
    default:
        return fleet_restart(fleet, server, deed == SERVER_DOES_EMPTY, error);
    }
}

bool servers_strike(World *world, Fleet *fleet, int move, Error *error)
{
    int server;
    ServerMove deed = server_move_deed(move, &server);
    if (!fleet) return error_set(error, "%s", _("This world has one Redis only."));
    bool done = carry_out(fleet, deed, server, error);
    world->servers.happened |= 1u << deed;
    servers_publish(world, fleet);
    if (done) world_note(world, CONSOLE_SERVER_MOVE, 0, move);
    return done;
}
