/* Moves that no actor makes: a lease runs out, a node is killed. See stepper.h. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/ring.h"
#include "engine/step_port.h"
#include "engine/servers.h"
#include "engine/stepper_private.h"
#include "store/row_waits.h"

enum {
    LOOK_NS = 200000,
    SPIN_NS = 3000000, /* so long it is asked without a pause: most things are over by then */
    GIVE_UP_S = 60 /* on a busy machine a process takes its time */
};

/* Between two looks at something that began at `began_ns`. A short sleep may take long. */
static void rest(uint64_t began_ns)
{
    if (clock_now_ns() - began_ns > SPIN_NS) clock_sleep_ns(LOOK_NS);
}

/* ---- the clock ------------------------------------------------------------------------------ */

static bool ask_number(Stepper *stepper, long long *number, Error *error, int count, const char **words)
{
    redisReply *reply = NULL;
    StoreStatus status = redis_link_argv(stores_redis(stepper->stores), &reply, error, count, words, NULL);
    if (status == STORE_OK) *number = reply->integer;
    if (reply) freeReplyObject(reply);
    return status == STORE_OK;
}

/* The key runs out for real: PEXPIRE 1, then it is waited for until Redis has let it go. */
static bool end_lease(Stepper *stepper, Lease *lease, Error *error)
{
    long long number;
    if (!ask_number(stepper, &number, error, 3, (const char *[]){"PEXPIRE", lease->key, "1"})) return false;
    uint64_t began = clock_now_ns();
    for (number = 1; number != 0;) {
        if (!ask_number(stepper, &number, error, 2, (const char *[]){"EXISTS", lease->key})) return false;
        if (number) rest(began);
    }
    atomic_store(&lease->live, 0);
    lock_lease_ended(stepper->world, stores_redis(stepper->stores), lease->key);
    world_note(stepper->world, CONSOLE_EXPIRED, (int64_t)lease->id, 0);
    return true;
}

/* ---- a crash ---------------------------------------------------------------------------------- */

/* The connections that the node's actors used, as a list for SQL; "0" when there is none. */
static void list_connections(const Stepper *stepper, int node, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "0");
    for (uint32_t i = 0; i < stepper->world->actors && used < size; i++) {
        const Slot *slot = world_slot(stepper->world, i);
        if (slot->node == node && slot->sql_id != 0)
            used += (size_t)snprintf(text + used, size - used, ",%" PRIu64, slot->sql_id);
    }
}

static bool read_count(void *data, long index, int columns, char **values)
{
    if (index >= 0 && columns > 0 && values[0]) *(long *)data = strtol(values[0], NULL, 10);
    return true;
}

/* A statement that waits for a row goes on waiting, though nobody will read its reply: the server looks for
 * its client only afterwards. Here it is ended, so that the run does not depend on when the row comes free. */
static bool end_waiting(Stepper *stepper, int node, Error *error)
{
    RowWaits waits;
    if (!row_waits_read(stepper->link, &waits, error)) return false;
    for (uint32_t i = 0; i < stepper->world->actors; i++) {
        const Slot *slot = world_slot(stepper->world, i);
        if (slot->node != node || slot->sql_id == 0 || !row_waits_has(&waits, slot->sql_id)) continue;
        char query[40];
        snprintf(query, sizeof query, "KILL %" PRIu64, slot->sql_id);
        if (sql_link_text(stepper->link, query, NULL, error) == STORE_LOST) return false;
    }
    return true;
}

/* The server notices by itself that its client is gone; until then the dead one's transaction still
 * holds its row locks. */
static bool wait_for_server(Stepper *stepper, int node, Error *error)
{
    char list[400], query[512];
    list_connections(stepper, node, list, sizeof list);
    snprintf(query, sizeof query, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID IN (%s)", list);
    if (!end_waiting(stepper, node, error)) return false;
    uint64_t began = clock_now_ns();
    for (long open = 1; open != 0;) {
        if (sql_link_rows(stepper->link, query, read_count, &open, error) != STORE_OK) return false;
        if (open && clock_now_ns() - began > GIVE_UP_S * 1000000000ull)
            return error_set(error, "%s", _("The database still holds the dead node's connections."));
        if (open) rest(began);
    }
    for (uint32_t i = 0; i < stepper->world->actors; i++)
        if (world_slot(stepper->world, i)->node == node) world_slot(stepper->world, i)->sql_id = 0;
    return true;
}

static bool strike_clock(Stepper *stepper, const char *key, Error *error)
{
    Lease *lease = world_lease_due(stepper->world, key);
    if (!lease) return error_set(error, "%s", _("No lease is left that could run out."));
    return end_lease(stepper, lease, error);
}

/* ---- a process that stands still ------------------------------------------------------------------ */

/* Stopped for real; all that its actors hold runs out; then it goes on, and knows nothing of it. */
static bool strike_freeze(Stepper *stepper, int node, Error *error)
{
    World *world = stepper->world;
    pid_t pid = world->node[node].pid;
    if (pid <= 0 || kill(pid, SIGSTOP) != 0) return error_set(error, _("Node %d is dead."), node + 1);
    world->frozen |= 1u << node;
    world_note(world, CONSOLE_FROZE, 0, node);
    bool ok = true;
    for (int i = 0; ok && i < LEASES && world->lease[i].id != 0; i++) {
        Lease *lease = &world->lease[i];
        if (atomic_load(&lease->live) && world_slot(world, lease->holder)->node == node)
            ok = end_lease(stepper, lease, error);
    }
    kill(pid, SIGCONT);
    world_note(world, CONSOLE_THAWED, 0, node);
    return ok;
}

/* So much time passes after a crash that what the dead consumer was given lies too long with it: its
 * pending entries are made that old. */
static bool age_pending_of(Stepper *stepper, int consumer, Error *error)
{
    static const char age[] =
        "for _, entry in ipairs(redis.call('XPENDING', KEYS[1], 'g1', '-', '+', 1000, ARGV[1])) do"
        " redis.call('XCLAIM', KEYS[1], 'g1', ARGV[1], 0, entry[1], 'IDLE', ARGV[2], 'JUSTID') end";
    char name[16], idle[16];
    snprintf(name, sizeof name, "c%d", consumer + 1);
    snprintf(idle, sizeof idle, "%d", AGED_MS);
    redisReply *reply = NULL;
    const char *words[] = {"EVAL", age, "1", "stream.orders", name, idle};
    StoreStatus status = redis_link_argv(stores_redis(stepper->stores), &reply, error, 6, words, NULL);
    if (reply) freeReplyObject(reply);
    return status != STORE_LOST; /* refused: there is no such group */
}

/* Limited waits are over then. */
static bool let_time_pass(Stepper *stepper, int node, Error *error)
{
    World *world = stepper->world;
    if (world->spec.stream == STREAM_NONE) return true;
    for (uint32_t i = world->users; i < world->actors; i++) {
        int number;
        bool consumes = spec_role(&world->spec, (int)i, &number) == ROLE_CONSUMER;
        if (consumes && world_slot(world, i)->node == node && !age_pending_of(stepper, number, error)) return false;
    }
    uint32_t moves = atomic_load(&world->move_count);
    if (moves > 0 && moves <= MAX_PLAN) world->moves[moves - 1].sends = world_late(world) + 1;
    world_give_signal(world, world_late(world));
    return true;
}

static void note_first_life(World *world, int node)
{
    Left left[STEP_ACTORS];
    baton_left(world, left);
    for (uint32_t i = 0; i < STEP_ACTORS; i++) {
        world->first_life[i] = (Left){0};
        if (i >= world->actors || world_slot(world, i)->node != node) continue;
        world->first_life[i] = left[i];
        world->first_life[i].killed = true;
    }
}

static bool strike_node(Stepper *stepper, int node, Error *error)
{
    note_first_life(stepper->world, node);
    if (!cluster_kill(&stepper->cluster, node))
        return error_set(error, _("Node %d is dead already."), node + 1);
    return wait_for_server(stepper, node, error) && let_time_pass(stepper, node, error);
}

/* Whoever works behind the users takes part in the run at hand from the node's new start on; the run is not
 * at rest before it has come to its first gate. */
static void expect_consumers(World *world, int node)
{
    for (uint32_t i = world->users; i < world->actors; i++)
        if (world_slot(world, i)->node == node) atomic_store(&world_slot(world, i)->state, ACTOR_RUNNING);
}

bool stepper_start_node(Stepper *stepper, int node, Error *error)
{
    World *world = stepper->world;
    world->restarted |= 1u << node;
    expect_consumers(world, node);
    if (!cluster_start(&stepper->cluster, node, error)) return false;
    uint64_t limit = clock_now_ns() + GIVE_UP_S * 1000000000ull;
    while (atomic_load(&world->node[node].state) != NODE_READY) {
        if (atomic_load(&world->node[node].state) == NODE_FAILED)
            return error_set(error, "%s", world->node[node].message);
        if (cluster_bury(&stepper->cluster) == node || clock_now_ns() > limit)
            return error_set(error, _("Node %d does not start."), node + 1);
        clock_sleep_ns(LOOK_NS);
    }
    world_note(world, CONSOLE_STARTED, 0, node);
    return true;
}

bool stepper_strike(Stepper *stepper, uint32_t move, const char *key, Error *error)
{
    if (!baton_note(stepper->world, move))
        return error_set(error, "%s", _("That cannot happen here."));
    if (move == ACTOR_CLOCK) return strike_clock(stepper, key, error);
    if (move >= ACTOR_SERVER)
        return servers_strike(stepper->world, stores_fleet_now(stepper->stores, NULL), (int)move - ACTOR_SERVER,
                              error);
    if (move >= ACTOR_FREEZE) return strike_freeze(stepper, (int)move - ACTOR_FREEZE, error);
    if (move >= ACTOR_START) return stepper_start_node(stepper, (int)move - ACTOR_START, error);
    return strike_node(stepper, (int)move - ACTOR_CRASH, error);
}

/* ---- the run so far, by time ------------------------------------------------------------------- */

static void take_ring(const World *world, uint32_t actor, uint64_t from, TraceEvent **at)
{
    for (; from < ring_written(world, actor); from++) {
        (*at)->actor = actor;
        if (ring_get(world, actor, from, &(*at)->event)) (*at)++;
    }
}

static int by_end(const void *left, const void *right)
{
    const Event *a = &((const TraceEvent *)left)->event, *b = &((const TraceEvent *)right)->event;
    return (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

long stepper_events(const Stepper *stepper, TraceEvent **events)
{
    const World *world = stepper->world;
    uint64_t room = 1;
    for (uint32_t i = 0; i < world->actors; i++)
        room += ring_written(world, i) - stepper->first_event[i];
    room += ring_written(world, world->actors) - stepper->first_console_event;
    *events = malloc(room * sizeof **events);
    if (!*events) return 0;
    TraceEvent *at = *events;
    for (uint32_t i = 0; i < world->actors; i++) take_ring(world, i, stepper->first_event[i], &at);
    take_ring(world, world->actors, stepper->first_console_event, &at);
    qsort(*events, (size_t)(at - *events), sizeof **events, by_end);
    return at - *events;
}
