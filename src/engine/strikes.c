#include "engine/strikes.h"

#include "engine/servers.h"
#include "engine/touch.h"

/* ---- the clock ------------------------------------------------------------------------------ */

static bool clock_can_move(const World *world, int number)
{
    (void)number;
    return world->spec.fault_clk && world_lease_due((World *)world, NULL) != NULL;
}

static Touch clock_touch(const World *world, int number)
{
    (void)world, (void)number;
    Touch touch = {0};
    touch_add(&touch, touch_leases(), true);
    return touch;
}

/* ---- a crash ---------------------------------------------------------------------------------- */

/* Whoever works behind the users has nothing to lose while what it waits for has not come. */
static bool has_work(const World *world, uint32_t actor)
{
    const Slot *slot = world_slot(world, actor);
    uint32_t state = atomic_load(&slot->state);
    if (state != ACTOR_AT_GATE && state != ACTOR_WAITING) return false;
    return actor < world->users || !world_waits_in_vain(world, &slot->next.wait);
}

/* One crash in a run, of a node that still serves somebody. */
static bool node_can_crash(const World *world, int node)
{
    if (!world->spec.fault_crash || node >= world->spec.nodes || atomic_load(&world->crashed)) return false;
    for (uint32_t i = 0; i < world->actors; i++)
        if (world_slot(world, i)->node == node && has_work(world, i)) return true;
    return false;
}

/* Time passes, and what the node's consumers were given others may take over. */
static void touch_pending_of(Touch *touch, const World *world, int node)
{
    touch_add(touch, touch_late(), true);
    for (int i = 0; i < world->spec.nodes * world->spec.consumers; i++)
        if (spec_node(&world->spec, spec_actor(&world->spec, ROLE_CONSUMER, i)) == node)
            touch_add(touch, touch_pending(i), true);
}

static Touch crash_touch(const World *world, int node)
{
    Touch touch = {0};
    touch_add(&touch, touch_node(node), true);
    if (world->spec.stream) touch_pending_of(&touch, world, node);
    touch.all_sql = true; /* its transactions are rolled back, its locks in MySQL fall */
    return touch;
}

/* ---- a new start, and a stop ---------------------------------------------------------------------- */

static bool node_can_start(const World *world, int node)
{
    uint32_t down = atomic_load(&world->crashed) & ~world->restarted;
    return world->spec.fault_restart && node < world->spec.nodes && (down >> node & 1);
}

static Touch start_touch(const World *world, int node)
{
    (void)world;
    Touch touch = {0};
    touch_add(&touch, touch_node(node), true);
    return touch;
}

/* One stop in a run, of a node with a lease that runs out meanwhile. */
static bool node_can_freeze(const World *world, int node)
{
    if (!world->spec.fault_freeze || node >= world->spec.nodes || world->frozen) return false;
    for (int i = 0; i < LEASES && world->lease[i].id != 0; i++) {
        const Lease *lease = &world->lease[i];
        if (atomic_load(&lease->live) && world_slot(world, lease->holder)->node == node) return true;
    }
    return false;
}

static Touch freeze_touch(const World *world, int node)
{
    Touch touch = clock_touch(world, 0);
    if (world->spec.watchdogs) touch_add(&touch, touch_watch(node), true);
    return touch;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

/* In the order of their movers: each kind reaches up to the next one's first. */
static const struct StrikeKind {
    uint32_t first;
    bool (*can)(const World *world, int number);
    Touch (*touch)(const World *world, int number);
} kinds[] = {
    {ACTOR_CLOCK, clock_can_move, clock_touch},
    {ACTOR_CRASH, node_can_crash, crash_touch},
    {ACTOR_START, node_can_start, start_touch},
    {ACTOR_FREEZE, node_can_freeze, freeze_touch},
    {ACTOR_SERVER, servers_can, servers_touch},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const struct StrikeKind *kind_of(uint32_t mover)
{
    int kind = 0;
    while (kind + 1 < KINDS && mover >= kinds[kind + 1].first) kind++;
    return &kinds[kind];
}

bool strike_can(const World *world, uint32_t mover)
{
    if (mover < STEP_ACTORS || mover >= MOVERS) return false;
    const struct StrikeKind *kind = kind_of(mover);
    return kind->can(world, (int)(mover - kind->first));
}

Touch strike_touch(const World *world, uint32_t mover)
{
    const struct StrikeKind *kind = kind_of(mover);
    return kind->touch(world, (int)(mover - kind->first));
}

/* Most worlds have none, and are asked at each move. */
ActorSet strikes_possible(const World *world)
{
    const Spec *spec = &world->spec;
    ActorSet possible = 0;
    if (!spec->fault_clk && !spec->fault_crash && !spec->fault_freeze && !spec->server_moves) return 0;
    for (uint32_t mover = STEP_ACTORS; mover < MOVERS; mover++)
        if (strike_can(world, mover)) possible |= actor_bit(mover);
    return possible;
}
