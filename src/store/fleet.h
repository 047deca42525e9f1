/* fleet.h -- several real Redis servers for the lessons that need them, started when a world asks.
 *
 *   replicated   server 1 is the master, server 2 its replica
 *   independent  three masters that know nothing of each other
 *   sentinel     as replicated, and three real sentinels that watch the master and promote the replica
 *
 * The servers are the keeper's: they die with the console, however it ends. Each listens on a unix
 * socket in a 0700 directory. Replication and sentinels need TCP: there they also listen on 127.0.0.1, at
 * ports picked at random, behind a random password.
 *
 * Servers are numbered from 0 here, from 1 wherever people see them. Every function but those that say
 * so waits until what it does is true, and returns false with one line when it cannot be had. A
 * fleet belongs to one thread. */
#ifndef STORE_FLEET_H
#define STORE_FLEET_H

#include "base/error.h"
#include "store/redis_link.h"

typedef enum FleetKind {
    FLEET_NONE,
    FLEET_REPLICATED,
    FLEET_INDEPENDENT,
    FLEET_SENTINEL,
    FLEET_KINDS
} FleetKind;

enum { FLEET_SERVERS = 3 }; /* at most, sentinels not counted */

typedef enum FleetRole { FLEET_DEAD, FLEET_MASTER, FLEET_REPLICA } FleetRole;

/* What a fleet looks like now; a plain copy. */
typedef struct FleetState {
    FleetKind kind;
    int servers; /* 0 when there is no fleet */
    int master;  /* of a replicated pair: whom clients are sent to, -1: nobody */
    bool cut;    /* the replica does not hear its master */
    FleetRole role[FLEET_SERVERS];
    unsigned life[FLEET_SERVERS]; /* grows when connections made before are of no use any more */
} FleetState;

typedef struct Fleet Fleet;

/* "replicated", "independent", "sentinel"; FLEET_KINDS when there is none of that name. */
FleetKind fleet_kind_find(const char *name);
const char *fleet_kind_name(FleetKind kind);
/* How many servers such a fleet has, without its sentinels. Needs no fleet. */
int fleet_kind_servers(FleetKind kind);

/* Starts the servers and brings them into the clean state. NULL with a reason. */
Fleet *fleet_open(FleetKind kind, Error *error);
/* Ends the servers and removes their directory. NULL is allowed. */
void fleet_close(Fleet *fleet);

/* The clean state every run begins with: every server runs, no keys, no scripts; where there is a
 * replica, server 1 is the master, server 2 follows and has caught up; the sentinels know both and each
 * other. A few ms when nothing happened since, some 20 ms after a failover, some 300 with sentinels. */
bool fleet_clean(Fleet *fleet, Error *error);

void fleet_state(const Fleet *fleet, FleetState *state);
/* Where server `server` listens. Valid while the fleet is open, also while the server is dead. */
void fleet_address(const Fleet *fleet, int server, RedisAddress *address);
/* A link to the server, for questions between runs; NULL when it is dead. Stays the fleet's. */
RedisLink *fleet_link(Fleet *fleet, int server);

/* SIGKILL. Returns when the process is gone. */
bool fleet_kill(Fleet *fleet, int server, Error *error);
/* Starts a dead one again: `empty`, or with the data it had. It comes back as
 * a master, except where a replica of the present master is needed: then it follows that one. */
bool fleet_restart(Fleet *fleet, int server, bool empty, Error *error);
/* Cuts the link from master to replica, for real: the replica's password for its master is made a wrong one,
 * and the master drops the connection. Nothing reaches the replica until it is mended; both can be asked
 * all the time. */
bool fleet_cut(Fleet *fleet, Error *error);
/* Returns when the replica has caught up. */
bool fleet_mend(Fleet *fleet, Error *error);
/* The master is killed, if it still lives, and the replica becomes the master: by REPLICAOF NO ONE, or, with
 * sentinels, when they have found out by themselves and agree. */
bool fleet_failover(Fleet *fleet, Error *error);
/* The same in two halves, for whoever must not wait so long: the first kills the master; the second is asked
 * again and again, and is true once the new one is there. */
bool fleet_failover_begin(Fleet *fleet, Error *error);
bool fleet_failover_over(Fleet *fleet, Error *error);
/* Waits until the replica has all that the master has. At once when there is none, or the link is cut. */
bool fleet_catch_up(Fleet *fleet, Error *error);

#endif
