/* What can be made to go wrong while a race runs. See race.h. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "engine/race_private.h"

enum { EXPIRE_LOOKS = 400, LOOK_NS = 500000 };

/* ---- armed ones ------------------------------------------------------------------------------ */

bool race_arm(Race *race, const Fault *fault, Error *error)
{
    if (fault->node >= race->spec.nodes)
        return error_set(error, _("There is no node %d: this race has %d."), fault->node + 1,
                         race->spec.nodes);
    if (fault->actor >= spec_user_actors(&race->spec)) {
        char text[200];
        fault_write(fault, text, sizeof text);
        return spec_refuse_user(&race->spec, fault->actor, text, error);
    }
    if (!world_arm(race->world, fault))
        return error_set(error, _("%d faults are armed already. Take one back first."), MAX_FAULTS);
    return true;
}

void race_disarm(Race *race, int place)
{
    if (place >= 0 && place < (int)atomic_load(&race->world->fault_count))
        atomic_store(&race->world->fault[place].armed, 0);
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static bool node_lives(const Race *race, int node, Error *error)
{
    if (node < 0 || node >= race->spec.nodes)
        return error_set(error, _("There is no node %d: this race has %d."), node + 1, race->spec.nodes);
    if (race->world->node[node].pid > 0) return true;
    return error_set(error, _("Node %d is dead."), node + 1);
}

bool race_crash_node(Race *race, int node, Error *error)
{
    if (!node_lives(race, node, error)) return false;
    kill(race->world->node[node].pid, SIGKILL); /* race_poll() buries it */
    return true;
}

/* What the dead had not begun is asked again; what was lost in the middle stays lost. */
bool race_start_node(Race *race, int node, Error *error)
{
    World *world = race->world;
    if (node < 0 || node >= race->spec.nodes || world->node[node].pid > 0)
        return error_set(error, _("Node %d is running."), node + 1);
    for (uint32_t i = 0; i < world->actors; i++) {
        Slot *slot = world_slot(world, i);
        if (slot->node != node || atomic_load(&slot->state) != ACTOR_DEAD) continue;
        atomic_store(&slot->state, ACTOR_ABSENT);
        if (slot->role == ROLE_USER) atomic_fetch_sub(&world->done, 1);
    }
    if (!cluster_start(&race->cluster, node, error)) return false;
    world_note(world, CONSOLE_STARTED, 0, node);
    return true;
}

bool race_freeze_node(Race *race, int node, int ms, Error *error)
{
    if (!node_lives(race, node, error)) return false;
    atomic_store(&race->world->frozen_until_ns[node], clock_now_ns() + (uint64_t)ms * 1000000u);
    kill(race->world->node[node].pid, SIGSTOP);
    world_note(race->world, CONSOLE_FROZE, 0, node);
    return true;
}

void race_thaw(Race *race, bool all)
{
    World *world = race->world;
    uint64_t now = clock_now_ns();
    for (int i = 0; i < race->spec.nodes; i++) {
        uint64_t until = atomic_load(&world->frozen_until_ns[i]);
        if (until == 0 || (!all && until > now)) continue;
        atomic_store(&world->frozen_until_ns[i], 0);
        if (world->node[i].pid <= 0) continue;
        kill(world->node[i].pid, SIGCONT);
        world_note(world, CONSOLE_THAWED, 0, i);
    }
}

/* ---- keys and servers ------------------------------------------------------------------------------- */

static long long ask_number(Race *race, int count, const char **words, Error *error)
{
    redisReply *reply = NULL;
    StoreStatus status = redis_link_argv(stores_redis(race->stores), &reply, error, count, words, NULL);
    long long number = status == STORE_OK && reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
    if (reply) freeReplyObject(reply);
    return number;
}

bool race_expire_key(Race *race, const char *key, Error *error)
{
    long long found = ask_number(race, 3, (const char *[]){"PEXPIRE", key, "1"}, error);
    if (found < 0) return false;
    if (found == 0) return error_set(error, _("There is no key %s now."), key);
    for (int i = 0; i < EXPIRE_LOOKS; i++) {
        if (ask_number(race, 2, (const char *[]){"EXISTS", key}, error) == 0) break;
        clock_sleep_ns(LOOK_NS);
    }
    world_note(race->world, CONSOLE_EXPIRED, (int64_t)hash_string(HASH_START, key), 0);
    return true;
}

void race_note_server(Race *race, ServerKind kind, bool up)
{
    world_note(race->world, up ? CONSOLE_SERVER_UP : CONSOLE_SERVER_DOWN, 0, kind);
}
