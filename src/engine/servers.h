/* servers.h -- what can happen to the Redis servers of a fleet (see store/fleet.h), as moves.
 *
 * In step mode each kind may happen once in a run, at any moment, also after the last answer: so a run in which
 * it matters to nobody is explored once. While the link from master to replica is whole, everything a step wrote has
 * reached the replica before the next step: a cut link is the moment in which it has not, as wide as one likes. */
#ifndef ENGINE_SERVERS_H
#define ENGINE_SERVERS_H

#include "engine/server_move.h"
#include "engine/world.h"

_Static_assert((int)ACTOR_SERVER + (int)SERVER_MOVES <= (int)MOVERS, "room in a set of movers");

/* ---- in world memory ---- */

/* The spec allows it, it has not happened in this run, and the servers are so that it can. */
bool servers_can(const World *world, int move);
/* The servers are so that it can; the reason when not. */
bool servers_could(const World *world, int move, Error *error);
Touch servers_touch(const World *world, int move);

/* ---- for the process that owns the fleet ---- */

/* Tells the world where the servers are and how they stand. `fleet` may be NULL. */
void servers_publish(World *world, const Fleet *fleet);
/* Carries it out, waits until it is so, and publishes and notes it. */
bool servers_strike(World *world, Fleet *fleet, int move, Error *error);

#endif
