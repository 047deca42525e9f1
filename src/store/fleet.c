/* fleet.c -- the servers of a fleet: started, killed, started again, cleaned. See fleet.h. */
#include "store/fleet.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "store/fleet_private.h"

enum {
    GIVE_UP_S = 10,
    SPIN_NS = 2000000, /* so long it is looked at without a pause */
    LOOK_NS = 300000,
    PORT_TRIES = 3
};

static const struct {
    const char *name;
    int servers, sentinels;
    bool tcp;
} kinds[FLEET_KINDS] = {
    [FLEET_NONE] = {"one", 0, 0, false},
    [FLEET_REPLICATED] = {"replicated", 2, 0, true},
    [FLEET_INDEPENDENT] = {"independent", 3, 0, false},
    [FLEET_SENTINEL] = {"sentinel", 2, SENTINELS, true},
};

FleetKind fleet_kind_find(const char *name)
{
    FleetKind kind = FLEET_NONE;
    while (kind < FLEET_KINDS && strcmp(kinds[kind].name, name) != 0) kind++;
    return kind;
}

const char *fleet_kind_name(FleetKind kind)
{
    return kinds[kind].name;
}

int fleet_kind_servers(FleetKind kind)
{
    return kinds[kind].servers;
}

bool fleet_has_replica(const Fleet *fleet)
{
    return fleet->kind == FLEET_REPLICATED || fleet->kind == FLEET_SENTINEL;
}

/* The place of the n-th process that belongs to the fleet: servers first, then sentinels. */
static int members(const Fleet *fleet)
{
    return kinds[fleet->kind].servers + kinds[fleet->kind].sentinels;
}

static int place_of(const Fleet *fleet, int member)
{
    return member < fleet->servers ? member : FLEET_SERVERS + member - fleet->servers;
}

/* ---- asking ----------------------------------------------------------------------------------- */

static void address_of(const Fleet *fleet, int server, RedisAddress *address)
{
    *address = (RedisAddress){.socket = ""};
    sandbox_extra_socket(fleet->sandbox, server, address->socket);
    snprintf(address->password, sizeof address->password, "%s", fleet->password);
}

static bool connect_to(Fleet *fleet, int server, Error *error)
{
    RedisLink **link = &fleet->link[server];
    if (*link && redis_link_context(*link)) return true;
    if (*link) return redis_link_reopen(*link, error);
    RedisAddress address;
    address_of(fleet, server, &address);
    *link = redis_link_open(&address, error);
    return *link != NULL;
}

redisReply *fleet_ask(Fleet *fleet, int server, Error *error, int count, const char **words)
{
    redisReply *reply = NULL;
    StoreStatus status = STORE_LOST;
    /* A promotion by sentinels drops all clients: one that was dropped comes again. */
    for (int attempt = 0; attempt < 2 && status == STORE_LOST; attempt++) {
        if (!connect_to(fleet, server, error)) return NULL;
        status = redis_link_argv(fleet->link[server], &reply, error, count, words, NULL);
    }
    if (status == STORE_OK) return reply;
    if (reply) freeReplyObject(reply);
    return NULL;
}

bool fleet_tell(Fleet *fleet, int server, Error *error, int count, const char **words)
{
    redisReply *reply = fleet_ask(fleet, server, error, count, words);
    if (reply) freeReplyObject(reply);
    return reply != NULL;
}

bool fleet_reports(Fleet *fleet, int server, const char *words)
{
    redisReply *reply = fleet_ask(fleet, server, NULL, 2, (const char *[]){"INFO", "replication"});
    bool said = reply && reply->str && strstr(reply->str, words);
    if (reply) freeReplyObject(reply);
    return said;
}

long long fleet_number(Fleet *fleet, int server, const char *name)
{
    redisReply *reply = fleet_ask(fleet, server, NULL, 2, (const char *[]){"INFO", "replication"});
    const char *at = reply && reply->str ? strstr(reply->str, name) : NULL;
    long long number = at ? strtoll(at + strlen(name), NULL, 10) : -1;
    if (reply) freeReplyObject(reply);
    return number;
}

bool fleet_wait_on(uint64_t began_ns, const char *what, Error *error)
{
    uint64_t waited = clock_now_ns() - began_ns;
    if (waited > GIVE_UP_S * 1000000000ull) return error_set(error, "%s", what);
    if (waited > SPIN_NS) clock_sleep_ns(LOOK_NS);
    return true;
}

/* ---- ports and a password --------------------------------------------------------------------- */

/* Below the ports that the kernel gives to outgoing connections: one that is left free for a moment, while
 * its server is dead, must not be taken by a client. */
enum { PORT_FIRST = 11000, PORT_COUNT = 20000 };

static bool port_is_free(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    bool is_free = bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    return is_free;
}

static unsigned random_number(void)
{
    unsigned number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = (unsigned)(clock_now_ns() * 2654435761u);
    return number;
}

static void pick_port(Fleet *fleet, int place)
{
    enum { TRIES = 200 };
    for (int i = 0; i < TRIES; i++) {
        fleet->port[place] = PORT_FIRST + (int)(random_number() % PORT_COUNT);
        bool twice = false;
        for (int other = 0; other < place; other++) twice |= fleet->port[other] == fleet->port[place];
        if (!twice && port_is_free(fleet->port[place])) return;
    }
}

static void make_password(Fleet *fleet)
{
    for (int i = 0; i < 5; i++)
        snprintf(fleet->password + 8 * i, sizeof fleet->password - 8 * (size_t)i, "%08x", random_number());
}

/* ---- starting ---------------------------------------------------------------------------------- */

static void order_start(Fleet *fleet, int place, bool empty)
{
    ExtraPlan plan = {.port = fleet->port[place], .sentinel = place >= FLEET_SERVERS,
                      .appends = !fleet_has_replica(fleet)};
    snprintf(plan.password, sizeof plan.password, "%s", fleet->password);
    if (place < FLEET_SERVERS) fleet->life[place]++;
    sandbox_extra_start(fleet->sandbox, place, &plan, empty);
}

/* 1: it serves; 0: not yet; -1: it cannot be had. */
static int looks(Fleet *fleet, int place, Error *error)
{
    ServerStatus status;
    sandbox_extra_status(fleet->sandbox, place, &status);
    if (status.state == SERVER_FAILED || status.state == SERVER_DOWN) {
        error_set(error, "%s", status.message);
        return -1;
    }
    return status.state == SERVER_READY && connect_to(fleet, place, error);
}

/* The keeper's word wakes us: nothing is looked at in between. */
static void listen_a_while(Fleet *fleet)
{
    enum { SLICE_MS = 20 };
    struct pollfd wait = {.fd = sandbox_fd(fleet->sandbox), .events = POLLIN};
    poll(&wait, 1, SLICE_MS);
}

static bool wait_up(Fleet *fleet, int place, Error *error)
{
    uint64_t limit = clock_now_ns() + GIVE_UP_S * 1000000000ull;
    for (;;) {
        int up = looks(fleet, place, error);
        if (up != 0) return up > 0;
        if (clock_now_ns() > limit)
            return error_set(error, _("Redis server %d does not start. Try again."), place + 1);
        listen_a_while(fleet);
    }
}

static bool start_all(Fleet *fleet, Error *error)
{
    for (int i = 0; i < members(fleet); i++) {
        int place = place_of(fleet, i);
        if (kinds[fleet->kind].tcp) pick_port(fleet, place);
        order_start(fleet, place, true);
    }
    for (int i = 0; i < members(fleet); i++)
        if (!wait_up(fleet, place_of(fleet, i), error)) return false;
    for (int i = 0; i < fleet->servers; i++) fleet->role[i] = FLEET_MASTER;
    return true;
}

static Fleet *make(FleetKind kind, Error *error)
{
    Fleet *fleet = calloc(1, sizeof *fleet);
    if (!fleet) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    fleet->kind = kind;
    fleet->servers = kinds[kind].servers;
    if (kinds[kind].tcp) make_password(fleet);
    fleet->sandbox = sandbox_start(false, false, error);
    if (fleet->sandbox) return fleet;
    free(fleet);
    return NULL;
}

Fleet *fleet_open(FleetKind kind, Error *error)
{
    Fleet *fleet = make(kind, error);
    if (!fleet) return NULL;
    /* A port may be taken between our look and the server's: then all is begun anew with others. */
    bool up = false;
    for (int i = 0; i < PORT_TRIES && !up; i++) up = start_all(fleet, error);
    if (up && fleet_clean(fleet, error)) return fleet;
    fleet_close(fleet);
    return NULL;
}

void fleet_close(Fleet *fleet)
{
    if (!fleet) return;
    for (int i = 0; i < EXTRA_SERVERS; i++) redis_link_close(fleet->link[i]);
    sandbox_stop(fleet->sandbox);
    free(fleet);
}

/* ---- what there is ----------------------------------------------------------------------------- */

void fleet_state(const Fleet *fleet, FleetState *state)
{
    *state = (FleetState){.kind = FLEET_NONE, .master = -1};
    if (!fleet) return;
    *state = (FleetState){.kind = fleet->kind, .servers = fleet->servers, .master = fleet->master,
                          .cut = fleet->cut};
    memcpy(state->role, fleet->role, sizeof state->role);
    memcpy(state->life, fleet->life, sizeof state->life);
}

void fleet_address(const Fleet *fleet, int server, RedisAddress *address)
{
    address_of(fleet, server, address);
}

RedisLink *fleet_link(Fleet *fleet, int server)
{
    if (fleet->role[server] == FLEET_DEAD || !connect_to(fleet, server, NULL)) return NULL;
    return fleet->link[server];
}

/* ---- killing, starting again -------------------------------------------------------------------- */

static bool there_is(const Fleet *fleet, int server, Error *error)
{
    if (server >= 0 && server < fleet->servers) return true;
    return error_set(error, _("There is no server %d: this world has %d."), server + 1, fleet->servers);
}

/* While a copy for a replica is under way the server says no to SAVE. */
static void write_out(Fleet *fleet, int server)
{
    uint64_t began = clock_now_ns();
    while (!fleet_tell(fleet, server, NULL, 1, (const char *[]){"SAVE"}))
        if (!fleet_wait_on(began, "", NULL)) return;
}

/* A replica would write its append-only file anew after each full copy: a pair has none, and what it holds is
 * written out before one of them is killed by itself. */
bool fleet_kill(Fleet *fleet, int server, Error *error)
{
    if (!there_is(fleet, server, error)) return false;
    if (fleet->role[server] == FLEET_DEAD) return error_set(error, _("Server %d is dead already."), server + 1);
    if (fleet_has_replica(fleet)) write_out(fleet, server);
    return fleet_kill_now(fleet, server, error);
}

bool fleet_kill_now(Fleet *fleet, int server, Error *error)
{
    uint64_t began = clock_now_ns();
    ServerStatus status;
    sandbox_extra_kill(fleet->sandbox, server);
    for (;;) {
        sandbox_extra_status(fleet->sandbox, server, &status);
        if (status.state != SERVER_READY && status.pid == 0) break;
        if (clock_now_ns() - began > GIVE_UP_S * 1000000000ull)
            return error_set(error, _("Server %d does not end."), server + 1);
        listen_a_while(fleet);
    }
    redis_link_close(fleet->link[server]);
    fleet->link[server] = NULL;
    fleet->role[server] = FLEET_DEAD;
    fleet->linked = fleet->watched = false;
    if (fleet->master == server) fleet->master = -1;
    return true;
}

static bool revive(Fleet *fleet, int server, bool empty, Error *error)
{
    order_start(fleet, server, empty);
    if (!wait_up(fleet, server, error)) return false;
    fleet->role[server] = FLEET_MASTER;
    return true;
}

/* Who had a master to follow before its end follows it again; a master that nobody replaced is the
 * master again, and its replica comes back to it by itself, with whatever it brings. */
bool fleet_restart(Fleet *fleet, int server, bool empty, Error *error)
{
    if (!there_is(fleet, server, error)) return false;
    if (fleet->role[server] != FLEET_DEAD) return error_set(error, _("Server %d is running."), server + 1);
    if (!revive(fleet, server, empty, error)) return false;
    if (!fleet_has_replica(fleet)) return true;
    if (fleet->master >= 0) return fleet_follow(fleet, server, fleet->master, error);
    fleet->master = server;
    int other = 1 - server;
    if (fleet->role[other] != FLEET_REPLICA || fleet->cut) return true;
    return fleet_follow(fleet, other, server, error);
}

/* ---- the clean state ------------------------------------------------------------------------------ */

static bool is_up(Fleet *fleet, int place)
{
    ServerStatus status;
    sandbox_extra_status(fleet->sandbox, place, &status);
    return status.state == SERVER_READY;
}

/* Also of those that died without our doing, or with their keeper. */
static void notice_dead(Fleet *fleet)
{
    for (int i = 0; i < members(fleet); i++) {
        int place = place_of(fleet, i);
        if (is_up(fleet, place)) continue;
        fleet->linked = fleet->watched = false;
        if (place < FLEET_SERVERS) fleet->role[place] = FLEET_DEAD;
    }
}

static bool revive_dead(Fleet *fleet, Error *error)
{
    for (int i = 0; i < members(fleet); i++)
        if (!is_up(fleet, place_of(fleet, i))) order_start(fleet, place_of(fleet, i), true);
    for (int i = 0; i < members(fleet); i++)
        if (!wait_up(fleet, place_of(fleet, i), error)) return false;
    for (int i = 0; i < fleet->servers; i++)
        if (fleet->role[i] == FLEET_DEAD) fleet->role[i] = FLEET_MASTER;
    return true;
}

/* A replica is emptied by its master. Scripts are each server's own. */
static bool empty_servers(Fleet *fleet, Error *error)
{
    for (int i = 0; i < fleet->servers; i++) {
        if (fleet->role[i] == FLEET_MASTER &&
            !fleet_tell(fleet, i, error, 1, (const char *[]){"FLUSHALL"}))
            return false;
        if (!fleet_tell(fleet, i, error, 2, (const char *[]){"SCRIPT", "FLUSH"})) return false;
    }
    return true;
}

static bool clean_once(Fleet *fleet, Error *error)
{
    notice_dead(fleet);
    bool replica = fleet_has_replica(fleet);
    bool as_made = replica && fleet->linked && !fleet->cut && fleet->master == 0;
    if (fleet->kind == FLEET_SENTINEL && !(as_made && fleet->watched) && !fleet_unwatch(fleet, error)) return false;
    if (!revive_dead(fleet, error)) return false;
    if (replica && !as_made && !fleet_restore_roles(fleet, error)) return false;
    if (!empty_servers(fleet, error) || !fleet_catch_up(fleet, error)) return false;
    return fleet->kind != FLEET_SENTINEL || fleet->watched || fleet_watch(fleet, error);
}

/* A server that has only just died is known to be dead when its keeper has told: then it is there again. */
bool fleet_clean(Fleet *fleet, Error *error)
{
    enum { TRIES = 3 };
    for (int i = 1; i < TRIES; i++) {
        if (clean_once(fleet, error)) return true;
        listen_a_while(fleet);
    }
    return clean_once(fleet, error);
}
