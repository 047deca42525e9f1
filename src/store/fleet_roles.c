/* fleet_roles.c -- a master and its replica: following, the cut, the failover. See fleet.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "store/fleet_private.h"

/* ---- following ------------------------------------------------------------------------------------ */

static bool caught_up(Fleet *fleet, int master, int replica)
{
    long long has = fleet_number(fleet, replica, "slave_repl_offset:");
    return has >= 0 && has == fleet_number(fleet, master, "\r\nmaster_repl_offset:");
}

static bool wait_linked(Fleet *fleet, int server, Error *error)
{
    uint64_t began = clock_now_ns();
    while (!fleet_reports(fleet, server, "master_link_status:up"))
        if (!fleet_wait_on(began, _("The replica does not find its master. Try again."), error)) return false;
    return true;
}

/* After a full copy the master holds its stream back until the replica says that it has loaded it. It says so at
 * once, and then once a second; a master that has not noticed yet that its copying child is done does not listen
 * the first time. A connection made anew needs no copy any more, and its stream flows at once. */
static bool connect_anew(Fleet *fleet, int server, Error *error)
{
    return fleet_tell(fleet, server, error, 4, (const char *[]){"CLIENT", "KILL", "TYPE", "master"}) &&
           wait_linked(fleet, server, error);
}

/* REPLICAOF NO ONE first: to the same master again it would be nothing new, and the server would come
 * back at its own pace, once a second. */
bool fleet_follow(Fleet *fleet, int server, int master, Error *error)
{
    char port[16];
    snprintf(port, sizeof port, "%d", fleet->port[master]);
    if (!fleet_tell(fleet, server, error, 3, (const char *[]){"REPLICAOF", "NO", "ONE"}) ||
        !fleet_tell(fleet, server, error, 3, (const char *[]){"REPLICAOF", "127.0.0.1", port}) ||
        !wait_linked(fleet, server, error) || !connect_anew(fleet, server, error))
        return false;
    fleet->role[server] = FLEET_REPLICA;
    fleet->linked = true;
    return fleet_catch_up(fleet, error);
}

bool fleet_catch_up(Fleet *fleet, Error *error)
{
    if (!fleet_has_replica(fleet) || fleet->cut || !fleet->linked || fleet->master < 0) return true;
    uint64_t began = clock_now_ns();
    while (!caught_up(fleet, fleet->master, 1 - fleet->master))
        if (!fleet_wait_on(began, _("The replica does not catch up with its master. Try again."), error))
            return false;
    return true;
}

/* ---- the link ---------------------------------------------------------------------------------------- */

static bool set_password(Fleet *fleet, int replica, const char *password, Error *error)
{
    return fleet_tell(fleet, replica, error, 4,
                      (const char *[]){"CONFIG", "SET", "masterauth", password});
}

static int replica_of(const Fleet *fleet)
{
    for (int i = 0; fleet_has_replica(fleet) && i < fleet->servers; i++)
        if (fleet->role[i] == FLEET_REPLICA) return i;
    return -1;
}

/* The password first: when the master drops the connection, the replica must not come back. */
bool fleet_cut(Fleet *fleet, Error *error)
{
    int replica = replica_of(fleet);
    if (replica < 0 || fleet->master < 0)
        return error_set(error, "%s", _("There is no link between a master and a replica here."));
    if (fleet->cut) return error_set(error, "%s", _("The link is cut already."));
    if (!set_password(fleet, replica, "cut", error) ||
        !fleet_tell(fleet, fleet->master, error, 4, (const char *[]){"CLIENT", "KILL", "TYPE", "replica"}))
        return false;
    fleet->cut = true;
    fleet->linked = false;
    uint64_t began = clock_now_ns();
    while (!fleet_reports(fleet, replica, "master_link_status:down"))
        if (!fleet_wait_on(began, _("The link cannot be cut. Try again."), error)) return false;
    return true;
}

bool fleet_mend(Fleet *fleet, Error *error)
{
    int replica = replica_of(fleet);
    if (replica < 0 || !fleet->cut) return error_set(error, "%s", _("The link is not cut."));
    if (!set_password(fleet, replica, fleet->password, error)) return false;
    fleet->cut = false;
    if (fleet->master < 0) return true; /* nobody to follow; it will find whoever comes back */
    return fleet_follow(fleet, replica, fleet->master, error);
}

/* ---- a new master -------------------------------------------------------------------------------------- */

bool fleet_failover_begin(Fleet *fleet, Error *error)
{
    if (replica_of(fleet) < 0)
        return error_set(error, "%s", _("There is no replica that could become the master."));
    return fleet->master < 0 || fleet_kill_now(fleet, fleet->master, error);
}

/* Whom the sentinels promote, all its clients are dropped from. */
static bool sentinels_agree(Fleet *fleet, int replica)
{
    if (fleet_agreed_master(fleet) != replica) return false;
    fleet->watched = false; /* of another master than the clean state's */
    redis_link_close(fleet->link[replica]);
    fleet->link[replica] = NULL;
    return true;
}

bool fleet_failover_over(Fleet *fleet, Error *error)
{
    int replica = replica_of(fleet);
    if (error) error->text[0] = '\0';
    if (replica < 0) return fleet->master >= 0;
    bool done = fleet->kind == FLEET_SENTINEL
                    ? sentinels_agree(fleet, replica)
                    : fleet_tell(fleet, replica, error, 3, (const char *[]){"REPLICAOF", "NO", "ONE"});
    if (!done && fleet->kind == FLEET_SENTINEL && !fleet_can_vote(fleet, error)) return false;
    if (!done) return false;
    fleet->role[replica] = FLEET_MASTER;
    fleet->master = replica;
    fleet->life[replica]++;
    return true;
}

bool fleet_failover(Fleet *fleet, Error *error)
{
    enum { PATIENCE_S = 30 }; /* a vote may have to be repeated */
    if (!fleet_failover_begin(fleet, error)) return false;
    uint64_t began = clock_now_ns();
    while (!fleet_failover_over(fleet, error)) {
        if (error && error->text[0]) return false;
        if (clock_now_ns() - began > PATIENCE_S * 1000000000ull)
            return error_set(error, "%s", _("The sentinels do not agree on a new master. Try again."));
        clock_sleep_ns(1000000);
    }
    return true;
}

bool fleet_restore_roles(Fleet *fleet, Error *error)
{
    if (fleet->role[0] == FLEET_REPLICA &&
        !fleet_tell(fleet, 0, error, 3, (const char *[]){"REPLICAOF", "NO", "ONE"}))
        return false;
    if (!set_password(fleet, 1, fleet->password, error)) return false;
    fleet->role[0] = FLEET_MASTER;
    fleet->master = 0;
    fleet->cut = false;
    return fleet_follow(fleet, 1, 0, error);
}
