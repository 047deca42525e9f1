/* fleet_private.h -- shared by fleet.c, fleet_roles.c and fleet_sentinel.c alone. */
#ifndef STORE_FLEET_PRIVATE_H
#define STORE_FLEET_PRIVATE_H

#include "store/fleet.h"
#include "store/sandbox.h"

enum { SENTINELS = 3 };

_Static_assert(FLEET_SERVERS + SENTINELS <= EXTRA_SERVERS, "the keeper has room for all");

struct Fleet {
    FleetKind kind;
    int servers;
    Sandbox *sandbox;
    char password[48]; /* "" where there is no TCP */
    int port[EXTRA_SERVERS];
    RedisLink *link[EXTRA_SERVERS]; /* the sentinels come behind FLEET_SERVERS */
    FleetRole role[FLEET_SERVERS];
    unsigned life[FLEET_SERVERS];
    int master; /* -1: nobody is */
    bool cut;
    bool linked;  /* the replica follows the master, as far as we know */
    bool watched; /* the sentinels were told of the master since the last clean state */
};

/* Asks with the server's own link; opens it again when it broke. The reply is the caller's; NULL and a
 * line when the server did not answer or said no. `server` counts the sentinels from FLEET_SERVERS on. */
redisReply *fleet_ask(Fleet *fleet, int server, Error *error, int count, const char **words);
/* The same where only the yes or no counts. */
bool fleet_tell(Fleet *fleet, int server, Error *error, int count, const char **words);
/* True when `words` stands in what INFO replication says. */
bool fleet_reports(Fleet *fleet, int server, const char *words);
/* A number of INFO replication, -1 when it is not there. */
long long fleet_number(Fleet *fleet, int server, const char *name);
/* SIGKILL, without a look at what it holds. It must be alive. */
bool fleet_kill_now(Fleet *fleet, int server, Error *error);
/* Between two looks at something awaited since `began_ns`; false and a line after 10 s. */
bool fleet_wait_on(uint64_t began_ns, const char *what, Error *error);

/* ---- fleet_roles.c: master and replica ---- */
bool fleet_has_replica(const Fleet *fleet);
/* Server 1 the master, server 2 its replica, linked and caught up. Both run. */
bool fleet_restore_roles(Fleet *fleet, Error *error);
bool fleet_follow(Fleet *fleet, int server, int master, Error *error);

/* ---- fleet_sentinel.c ---- */
/* The sentinels forget the master, so that nothing we do to it makes them act. */
bool fleet_unwatch(Fleet *fleet, Error *error);
/* They are told of it, and it is waited for until each of them knows the replica and the others. */
bool fleet_watch(Fleet *fleet, Error *error);
/* The server that all who answer agree on, and they are more than half; -1: there is none. */
int fleet_agreed_master(Fleet *fleet);
/* More than half of them answer; else no waiting helps. */
bool fleet_can_vote(Fleet *fleet, Error *error);

#endif
