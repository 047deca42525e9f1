#include "engine/cluster.h"

#include <limits.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/i18n.h"
#include "engine/gate.h"
#include "engine/node.h"
#include "engine/queue.h"
#include "engine/servers.h"

enum { READY_TIMEOUT_S = 60, END_TIMEOUT_MS = 1500, LOOK_NS = 20000000 };

/* ---- starting ----------------------------------------------------------------------------- */

/* Looked at, not counted up: a node that dies takes its actors out in one moment. */
static bool all_ready(const World *world)
{
    for (uint32_t i = 0; i < world->actors; i++)
        if (!atomic_load(&world_slot(world, i)->at_start)) return false;
    return true;
}

/* A node that says why it failed, or died without a word. */
static bool node_failed(Cluster *cluster, Error *error)
{
    for (int i = 0; i < cluster->nodes; i++) {
        NodeSlot *node = &cluster->world->node[i];
        bool died = node->pid > 0 && waitpid(node->pid, NULL, WNOHANG) == node->pid;
        if (died) node->pid = 0;
        if (atomic_load(&node->state) == NODE_FAILED) return !error_set(error, "%s", node->message);
        if (died)
            return !error_set(error, _("Node %d died while it started. Run seckill-lab doctor."), i + 1);
    }
    return false;
}

bool cluster_wait_ready(Cluster *cluster, Error *error)
{
    World *world = cluster->world;
    uint64_t limit = clock_now_ns() + READY_TIMEOUT_S * 1000000000ull;
    for (;;) {
        uint32_t arrivals = atomic_load(&world->arrivals);
        if (all_ready(world)) return true;
        if (node_failed(cluster, error)) return false;
        if (clock_now_ns() > limit)
            return error_set(error, _("The users were not ready within %d s. Try fewer users."),
                             READY_TIMEOUT_S);
        futex_wait(&world->arrivals, arrivals, LOOK_NS);
    }
}

bool cluster_open(Cluster *cluster, Stores *stores, const Spec *spec, Mode mode, Error *error)
{
    ShopSetup setup;
    *cluster = (Cluster){.fd = -1, .nodes = spec->nodes};
    cluster->world = world_create(spec, mode, &cluster->fd, error);
    if (!cluster->world) return false;
    spec_setup(spec, &setup);
    cluster->world->voucher = setup.voucher;
    cluster->world->begin = setup.begin;
    cluster->world->end = setup.end;
    stores_addresses(stores, &cluster->world->redis, &cluster->world->sql);
    servers_publish(cluster->world, stores_fleet_now(stores, NULL));
    bool ok = true;
    if (spec->own)
        ok = (cluster->warden = warden_open(stores, spec->own, &cluster->world->own, error)) != NULL;
    for (int i = 0; ok && i < cluster->nodes; i++)
        ok = node_spawn(cluster->world, cluster->fd, i, error) > 0;
    ok = ok && cluster_wait_ready(cluster, error);
    if (!ok) cluster_close(cluster);
    return ok;
}

/* ---- watching ------------------------------------------------------------------------------ */

/* A dead process holds no mutex. */
static void free_local_locks(World *world, int node)
{
    LocalLock *locks = world_locks(world);
    for (uint32_t i = 0; i < LOCAL_LOCKS; i++)
        if (locks[i].node == node) atomic_store(&locks[i].holder, 0);
}

/* It answers no more. Whoever was being served is left without an answer. */
static void bury_actor(World *world, uint32_t actor)
{
    Slot *slot = world_slot(world, actor);
    uint32_t state = atomic_exchange(&slot->state, ACTOR_DEAD);
    atomic_store(&slot->at_start, 0);
    if (state == ACTOR_WAITING) atomic_fetch_sub(&world->waiting, 1);
    /* In step mode, ready means: started anew, and not part of this run. In a race it has yet to wake. */
    if (state == ACTOR_DONE || (state == ACTOR_READY && world->mode == MODE_STEP)) return;
    if (slot->role != ROLE_USER) return;
    atomic_fetch_add(&world->done, 1);
    world_enter_answer(world, actor, (Answer){ANSWER_UNKNOWN, 0}, slot->started_ns);
}

void cluster_mark_dead(World *world, int number)
{
    atomic_store(&world->node[number].state, NODE_GONE);
    world->node[number].pid = 0;
    atomic_fetch_or(&world->crashed, 1u << number);
    atomic_store(&world->crashed_ns, clock_now_ns());
    atomic_store(&world->node[number].shared, 0);
    queue_lose(world, number);
    world_note(world, CONSOLE_CRASHED, 0, number);
    free_local_locks(world, number);
    world_forget_watched(world, number);
    for (uint32_t i = 0; i < world->actors; i++)
        if (world_slot(world, i)->node == number) bury_actor(world, i);
}

bool cluster_kill(Cluster *cluster, int node)
{
    pid_t pid = cluster->world->node[node].pid;
    if (pid <= 0) return false;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    cluster_mark_dead(cluster->world, node);
    return true;
}

bool cluster_start(Cluster *cluster, int node, Error *error)
{
    return node_spawn(cluster->world, cluster->fd, node, error) > 0;
}

int cluster_bury(Cluster *cluster)
{
    for (int i = 0; i < cluster->nodes; i++) {
        pid_t pid = cluster->world->node[i].pid;
        if (pid <= 0 || waitpid(pid, NULL, WNOHANG) != pid) continue;
        cluster_mark_dead(cluster->world, i);
        return i;
    }
    return -1;
}

/* ---- ending ----------------------------------------------------------------------------------- */

static void wake_everybody(World *world)
{
    gate_stop(world);
    futex_wake(&world->quit, INT_MAX);
    futex_bump(&world->go);
    for (uint32_t i = 0; world->mode == MODE_STEP && i < world->actors; i++)
        futex_bump(&world_slot(world, i)->grant);
}

void cluster_close(Cluster *cluster)
{
    World *world = cluster->world;
    if (!world) return;
    atomic_store(&world->quit, 1);
    wake_everybody(world);
    uint64_t limit = clock_now_ns() + END_TIMEOUT_MS * 1000000ull;
    for (int i = 0; i < cluster->nodes; i++) {
        pid_t pid = world->node[i].pid;
        if (pid <= 0) continue;
        while (waitpid(pid, NULL, WNOHANG) == 0) {
            if (clock_now_ns() > limit) kill(pid, SIGKILL);
            clock_sleep_ns(1000000);
        }
        world->node[i].pid = 0;
    }
    warden_close(cluster->warden);
    world_close(world);
    close(cluster->fd);
    *cluster = (Cluster){.fd = -1};
}
