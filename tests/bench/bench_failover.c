/* bench_failover.c -- how long nobody can take a lock when a master dies: promoted by a command, and by sentinels.
 *
 * A client takes and gives back a lock all the time. The gap is from its last lock before the SIGKILL to its first
 * one on the new master, which it is sent to as soon as the promotion is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "store/fleet.h"
#include "store/sandbox.h"

enum { TIMES = 7, BEFORE = 200, LOOK_NS = 1000000 };

static void give_up(const Error *error)
{
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

/* SET NX and DEL. False: no answer. */
static bool lock_once(Fleet *fleet, int server)
{
    redisReply *reply = NULL;
    RedisLink *link = fleet_link(fleet, server);
    if (!link) return false;
    bool got = redis_link_command(link, &reply, NULL, "SET lock:order:1 me NX EX 10") == STORE_OK &&
               reply->type == REDIS_REPLY_STATUS;
    if (reply) freeReplyObject(reply);
    if (got && redis_link_command(link, &reply, NULL, "DEL lock:order:1") != STORE_OK) got = false;
    if (got) freeReplyObject(reply);
    return got;
}

static double gap(Fleet *fleet)
{
    Error error = {""};
    FleetState state;
    for (int i = 0; i < BEFORE; i++)
        if (!lock_once(fleet, 0)) give_up(&(Error){"the master does not answer"});
    uint64_t last = clock_now_ns();
    if (!fleet_failover_begin(fleet, &error)) give_up(&error);
    while (!fleet_failover_over(fleet, &error)) {
        if (error.text[0]) give_up(&error);
        clock_sleep_ns(LOOK_NS);
    }
    fleet_state(fleet, &state);
    while (!lock_once(fleet, state.master)) clock_sleep_ns(LOOK_NS);
    return (double)(clock_now_ns() - last) / 1e9;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(FleetKind kind, const char *what)
{
    Error error = {""};
    double gaps[TIMES], cleaning = 0;
    Fleet *fleet = fleet_open(kind, &error);
    if (!fleet) give_up(&error);
    for (int i = 0; i < TIMES; i++) {
        gaps[i] = gap(fleet);
        uint64_t began = clock_now_ns();
        if (!fleet_clean(fleet, &error)) give_up(&error);
        cleaning += (double)(clock_now_ns() - began) / 1e6 / TIMES;
    }
    fleet_close(fleet);
    qsort(gaps, TIMES, sizeof *gaps, by_size);
    printf("%s: %.3f s without a lock service (of %d: %.3f to %.3f); a clean state again in %.0f ms\n", what,
           gaps[TIMES / 2], TIMES, gaps[0], gaps[TIMES - 1], cleaning);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0) return sandbox_keeper_main(argc, argv);
    i18n_start("en");
    measure(FLEET_REPLICATED, "promoted by a command");
    measure(FLEET_SENTINEL, "promoted by sentinels (a master is down after 400 ms)");
    return 0;
}
