/* fleet_sentinel.c -- three real sentinels: told of the master, asked for it. See fleet.h.
 *
 * They are given short times, so that a learner sees them act: a master that is silent for 400 ms is down.
 * The rest of their habits is made quick with SENTINEL DEBUG, which Redis has from 7.0 on; an older one
 * is only slower. PING's period must not be too short: a fifth of how old the last word of a replica may
 * be for it to be chosen, and it is asked once a second while its master is away. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "store/fleet_private.h"

#define MASTER_NAME "seckill"

static int place(int sentinel)
{
    return FLEET_SERVERS + sentinel;
}

/* ---- what a sentinel says: an array of names and values --------------------------------------------- */

static const char *value_of(const redisReply *list, const char *name)
{
    if (!list || list->type != REDIS_REPLY_ARRAY) return "";
    for (size_t i = 0; i + 1 < list->elements; i += 2)
        if (list->element[i]->str && strcmp(list->element[i]->str, name) == 0)
            return list->element[i + 1]->str ? list->element[i + 1]->str : "";
    return "";
}

static bool is(const redisReply *list, const char *name, const char *value)
{
    return strcmp(value_of(list, name), value) == 0;
}

static bool knows_the_house(Fleet *fleet, int sentinel)
{
    redisReply *master = fleet_ask(fleet, place(sentinel), NULL, 3,
                                   (const char *[]){"SENTINEL", "MASTER", MASTER_NAME});
    bool known = is(master, "flags", "master") && is(master, "num-slaves", "1") &&
                 is(master, "num-other-sentinels", "2");
    if (master) freeReplyObject(master);
    return known;
}

static bool knows_the_replica(Fleet *fleet, int sentinel)
{
    redisReply *replicas = fleet_ask(fleet, place(sentinel), NULL, 3,
                                     (const char *[]){"SENTINEL", "REPLICAS", MASTER_NAME});
    bool known = replicas && replicas->type == REDIS_REPLY_ARRAY && replicas->elements == 1 &&
                 is(replicas->element[0], "flags", "slave") &&
                 is(replicas->element[0], "master-link-status", "ok");
    if (replicas) freeReplyObject(replicas);
    return known;
}

/* ---- telling them --------------------------------------------------------------------------------------- */

bool fleet_unwatch(Fleet *fleet, Error *error)
{
    (void)error;
    /* One that has no such master says no: that is what is wanted. */
    for (int i = 0; i < SENTINELS; i++)
        fleet_tell(fleet, place(i), NULL, 3, (const char *[]){"SENTINEL", "REMOVE", MASTER_NAME});
    fleet->watched = false;
    return true;
}

static void make_quick(Fleet *fleet, int sentinel)
{
    static const char *const habits[] = {"info-period", "50",  "ping-period",      "250",
                                         "ask-period",  "50",  "publish-period",   "50",
                                         "min-link-reconnect-period", "50", "election-timeout", "500"};
    const char *words[2 + sizeof habits / sizeof *habits] = {"SENTINEL", "DEBUG"};
    memcpy(words + 2, habits, sizeof habits);
    fleet_tell(fleet, place(sentinel), NULL, (int)(sizeof words / sizeof *words), words);
}

static bool monitor(Fleet *fleet, int sentinel, Error *error)
{
    char port[16];
    snprintf(port, sizeof port, "%d", fleet->port[0]);
    make_quick(fleet, sentinel);
    return fleet_tell(fleet, place(sentinel), error, 6,
                      (const char *[]){"SENTINEL", "MONITOR", MASTER_NAME, "127.0.0.1", port, "2"}) &&
           fleet_tell(fleet, place(sentinel), error, 9,
                      (const char *[]){"SENTINEL", "SET", MASTER_NAME, "auth-pass", fleet->password,
                                       "down-after-milliseconds", "400", "failover-timeout", "1000"});
}

bool fleet_watch(Fleet *fleet, Error *error)
{
    if (!fleet_unwatch(fleet, error)) return false;
    for (int i = 0; i < SENTINELS; i++)
        if (!monitor(fleet, i, error)) return false;
    uint64_t began = clock_now_ns();
    for (int i = 0; i < SENTINELS; i++)
        while (!knows_the_house(fleet, i) || !knows_the_replica(fleet, i))
            if (!fleet_wait_on(began, _("The sentinels do not find each other. Try again."), error)) return false;
    fleet->watched = true;
    return true;
}

/* ---- asking them ------------------------------------------------------------------------------------------ */

enum { SILENT = -2 }; /* it does not answer */

static int master_by(Fleet *fleet, int sentinel)
{
    redisReply *reply = fleet_ask(fleet, place(sentinel), NULL, 3,
                                  (const char *[]){"SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME});
    int server = reply ? -1 : SILENT;
    if (reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2)
        for (int i = 0; i < fleet->servers; i++)
            if (atoi(reply->element[1]->str) == fleet->port[i]) server = i;
    if (reply) freeReplyObject(reply);
    return server;
}

int fleet_agreed_master(Fleet *fleet)
{
    int agreed = SILENT, answering = 0;
    for (int i = 0; i < SENTINELS; i++) {
        int master = master_by(fleet, i);
        if (master == SILENT) continue;
        if (answering++ > 0 && master != agreed) return -1;
        agreed = master;
    }
    return answering > SENTINELS / 2 ? agreed : -1;
}

bool fleet_can_vote(Fleet *fleet, Error *error)
{
    int answering = 0;
    for (int i = 0; i < SENTINELS; i++) answering += fleet_tell(fleet, place(i), NULL, 1, (const char *[]){"PING"});
    if (answering > SENTINELS / 2) return true;
    return error_set(error, _("%d of the %d sentinels answer: too few to choose a new master."), answering, SENTINELS);
}
