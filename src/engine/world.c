#include "engine/world.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "engine/queue.h"
#include "engine/ring.h"

/* A ring holds what an actor does between two looks of the console. All rings together stay
 * within this many events, so that 10,000 actors fit. */
enum { ALL_EVENTS = 1 << 20, RING_MIN = 64, RING_MAX = 1 << 14, ANSWERS_MAX = 4 << 20 };

static uint32_t ring_capacity(int actors)
{
    uint32_t capacity = RING_MAX;
    while (capacity > RING_MIN && (uint64_t)capacity * (unsigned)actors > ALL_EVENTS) capacity /= 2;
    return capacity;
}

static size_t aligned(size_t size)
{
    return (size + 4095) & ~(size_t)4095;
}

World *world_create(const Spec *spec, Mode mode, int *fd, Error *error)
{
    unsigned actors = (unsigned)spec_actors(spec);
    uint32_t capacity = ring_capacity((int)actors);
    uint64_t answers = (uint64_t)spec->users * (uint64_t)spec->requests;
    if (answers > ANSWERS_MAX) answers = ANSWERS_MAX;

    size_t slots_at = aligned(sizeof(World));
    size_t rings_at = aligned(slots_at + (actors + 1) * sizeof(Slot));
    size_t users = (size_t)spec_user_actors(spec), others = actors + 1 - users;
    size_t answers_at = aligned(rings_at + (users * capacity + others * RING_MAX) * sizeof(RingSlot));
    size_t locks_at = aligned(answers_at + answers * sizeof(AnswerEntry));
    size_t signals_at = aligned(locks_at + LOCAL_LOCKS * sizeof(LocalLock));
    size_t queues_at = aligned(signals_at + SIGNALS * sizeof(Signal));
    size_t watched_at = aligned(queues_at + queues_size(spec));
    size_t size = aligned(watched_at + (size_t)actors * ACTOR_WATCHES * sizeof(Watched));

    *fd = memfd_create("seckill-lab world", MFD_CLOEXEC);
    if (*fd < 0 || ftruncate(*fd, (off_t)size) != 0) {
        error_set(error, _("Cannot make shared memory: %s. Free some memory and try again."),
                  strerror(errno));
        if (*fd >= 0) close(*fd);
        return NULL;
    }
    World *world = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *fd, 0);
    if (world == MAP_FAILED) {
        error_set(error, _("Cannot map shared memory: %s."), strerror(errno));
        close(*fd);
        return NULL;
    }
    world->size = size;
    world->actors = actors;
    world->ring_capacity = capacity;
    world->answer_capacity = (uint32_t)answers;
    world->slots_at = slots_at;
    world->rings_at = rings_at;
    world->answers_at = answers_at;
    world->locks_at = locks_at;
    world->signals_at = signals_at;
    world->queues_at = queues_at;
    world->watched_at = watched_at;
    world->users = (uint32_t)spec_user_actors(spec);
    world->mode = mode;
    world->variant = (int)(spec->variant - variants);
    world->spec = *spec;
    world->baton = BATON_SCHEDULER;
    world->pace_ms = (uint32_t)spec->pace_ms;
    for (int i = 0; i < spec->faults; i++) world_arm(world, &spec->fault[i]);
    for (unsigned i = 0; i < actors; i++) {
        world_slot(world, i)->user = spec_user(spec, (int)i);
        world_slot(world, i)->node = spec_node(spec, (int)i);
        world_slot(world, i)->role = spec_role(spec, (int)i, NULL);
    }
    world_open_queues(world);
    return world;
}

World *world_attach(int fd, Error *error)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || (size_t)status.st_size < sizeof(World)) {
        error_set(error, _("There is no world to join. Nodes are started by the console."));
        return NULL;
    }
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (memory == MAP_FAILED) {
        error_set(error, _("Cannot map shared memory: %s."), strerror(errno));
        return NULL;
    }
    return memory;
}

void world_close(World *world)
{
    if (world) munmap(world, world->size);
}

Slot *world_slot(const World *world, unsigned actor)
{
    return (Slot *)((char *)world + world->slots_at) + actor;
}

RingSlot *world_ring(const World *world, unsigned actor)
{
    size_t users = actor < world->users ? actor : world->users;
    return (RingSlot *)((char *)world + world->rings_at) + users * world->ring_capacity + (actor - users) * RING_MAX;
}

uint32_t world_ring_capacity(const World *world, unsigned actor)
{
    return actor < world->users ? world->ring_capacity : RING_MAX;
}

AnswerEntry *world_answers(const World *world)
{
    return (AnswerEntry *)((char *)world + world->answers_at);
}

void world_enter_answer(World *world, uint32_t actor, Answer answer, uint64_t asked_ns)
{
    uint64_t index = atomic_fetch_add(&world->answer_count, 1);
    if (index >= world->answer_capacity) return;
    AnswerEntry *entry = &world_answers(world)[index];
    entry->user = world_slot(world, actor)->user;
    entry->id = answer.id;
    entry->actor = actor;
    entry->asked_ns = asked_ns;
    entry->told_ns = clock_now_ns();
    entry->kind = (uint32_t)answer.kind + 1;
}

Slot *world_console(const World *world)
{
    return world_slot(world, world->actors);
}

void world_note(World *world, ConsoleEvent code, int64_t argument, int64_t value)
{
    uint64_t now = clock_now_ns();
    Event event = {.begin_ns = now, .end_ns = now, .argument = argument, .value = value,
                   .code = (uint32_t)code, .kind = EVENT_FAULT};
    ring_put(world_ring(world, world->actors), world_ring_capacity(world, world->actors), world_console(world), &event);
}

/* ---- locks and faults ---------------------------------------------------------------------------- */

LocalLock *world_locks(const World *world)
{
    return (LocalLock *)((char *)world + world->locks_at);
}

/* Open addressing; two nodes have two places for one name, and never meet. */
LocalLock *world_local_lock(World *world, int node, uint64_t id, const char *name)
{
    LocalLock *locks = world_locks(world);
    uint64_t wanted = hash_number(id, node) | 1;
    for (uint32_t i = 0; i < LOCAL_LOCKS; i++) {
        LocalLock *lock = &locks[(wanted + i) & (LOCAL_LOCKS - 1)];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&lock->id, &found, wanted)) {
            atomic_fetch_add(&world->locks_made, 1);
            lock->node = node;
            snprintf(lock->name, sizeof lock->name, "%s", name);
            return lock;
        }
        if (found == wanted) return lock;
    }
    return NULL;
}

/* Names stand in the same table, as the locks of no node. */
enum { NO_NODE = -1 };

void world_name_lock(World *world, uint64_t id, const char *name)
{
    world_local_lock(world, NO_NODE, id, name);
}

LocalLock *world_find_lock(const World *world, int node, uint64_t id)
{
    LocalLock *locks = world_locks(world);
    uint64_t wanted = hash_number(id, node) | 1;
    for (uint32_t i = 0; i < LOCAL_LOCKS; i++) {
        LocalLock *lock = &locks[(wanted + i) & (LOCAL_LOCKS - 1)];
        uint64_t found = atomic_load(&lock->id);
        if (found == wanted) return lock;
        if (found == 0) return NULL;
    }
    return NULL;
}

const char *world_lock_name(const World *world, uint64_t id)
{
    const LocalLock *lock = world_find_lock(world, NO_NODE, id);
    return lock ? lock->name : "";
}

void world_lease(World *world, uint64_t id, const char *key, bool live, uint32_t holder)
{
    for (int i = 0; i < LEASES; i++) {
        Lease *lease = &world->lease[i];
        if (lease->id == 0) {
            if (!live) return;
            lease->id = id;
            snprintf(lease->key, sizeof lease->key, "%s", key);
        }
        if (lease->id != id) continue;
        lease->holder = holder;
        lease->watched = false;
        atomic_store(&lease->live, live);
        return;
    }
}

void world_lease_nature(World *world, uint64_t id, bool watched, bool fair)
{
    for (int i = 0; i < LEASES && world->lease[i].id != 0; i++) {
        if (world->lease[i].id != id) continue;
        world->lease[i].watched = watched;
        world->lease[i].fair = fair;
    }
}

bool world_lease_is_fair(const World *world, uint64_t id)
{
    for (int i = 0; i < LEASES && world->lease[i].id != 0; i++)
        if (world->lease[i].id == id) return world->lease[i].fair;
    return false;
}

/* A watchdog belongs to the process: it renews as long as that lives, whatever becomes of the holder. */
static bool is_renewed(const World *world, const Lease *lease)
{
    int node = world_slot(world, lease->holder)->node;
    return lease->watched && !(atomic_load(&world->crashed) >> node & 1);
}

static bool is_due(const World *world, const Lease *lease)
{
    if (!atomic_load(&lease->live) || is_renewed(world, lease)) return false;
    if (!world->spec.clk_after_crash) return true;
    return atomic_load(&world_slot(world, lease->holder)->state) == ACTOR_DEAD;
}

Lease *world_lease_due(World *world, const char *key)
{
    for (int i = 0; i < LEASES && world->lease[i].id != 0; i++) {
        Lease *lease = &world->lease[i];
        bool wanted = !key || !key[0] || strcmp(lease->key, key) == 0;
        if (wanted && is_due(world, lease)) return lease;
    }
    return NULL;
}

/* ---- what watchdogs renew ------------------------------------------------------------------------- */

Watched *world_watched(const World *world, uint32_t actor)
{
    return (Watched *)((char *)world + world->watched_at) + (size_t)actor * ACTOR_WATCHES;
}

int world_watchdog(const World *world, int node)
{
    for (uint32_t i = world->users; i < world->actors; i++) {
        const Slot *slot = world_slot(world, i);
        if (slot->role == ROLE_WATCHDOG && slot->node == node) return (int)i;
    }
    return -1;
}

long world_watched_for_ever(const World *world)
{
    long count = 0;
    for (uint32_t i = 0; world->spec.watchdogs && i < world->users; i++) {
        if (atomic_load(&world_slot(world, i)->state) != ACTOR_DONE) continue;
        const Watched *watched = world_watched(world, i);
        for (int k = 0; k < ACTOR_WATCHES; k++) count += atomic_load(&watched[k].live) != 0;
    }
    return count;
}

void world_forget_watched(World *world, int node)
{
    for (uint32_t i = 0; world->spec.watchdogs && i < world->actors; i++) {
        if (node >= 0 && world_slot(world, i)->node != node) continue;
        Watched *watched = world_watched(world, i);
        for (int k = 0; k < ACTOR_WATCHES; k++) atomic_store(&watched[k].live, 0);
    }
}

/* ---- faults ----------------------------------------------------------------------------------------- */

static uint32_t place_for_fault(const World *world)
{
    uint32_t count = atomic_load(&world->fault_count);
    if (count < MAX_FAULTS) return count;
    uint32_t place = 0;
    while (place < MAX_FAULTS && atomic_load(&world->fault[place].armed)) place++;
    return place;
}

bool world_arm(World *world, const Fault *fault)
{
    uint32_t place = place_for_fault(world);
    if (place == MAX_FAULTS) return false;
    world->fault[place].fault = *fault;
    atomic_store(&world->fault[place].fired, 0);
    atomic_store(&world->fault[place].armed, 1);
    if (place == atomic_load(&world->fault_count)) atomic_store(&world->fault_count, place + 1);
    atomic_store(&world->attention, 1);
    return true;
}

/* ---- signals -------------------------------------------------------------------------------------- */

Signal *world_signal_at(const World *world, uint32_t place)
{
    return (Signal *)((char *)world + world->signals_at) + place;
}

/* Never more than half full, so that looking for a free place stays short. */
uint32_t world_signal(World *world, uint64_t id)
{
    uint64_t wanted = id | 1;
    uint32_t place = (uint32_t)(wanted >> 1) & (SIGNALS - 1);
    for (;; place = (place + 1) & (SIGNALS - 1)) {
        Signal *signal = world_signal_at(world, place);
        uint64_t found = atomic_load(&signal->id);
        if (found == wanted) return place;
        if (found != 0) continue;
        if (atomic_load(&world->signals_made) >= SIGNALS / 2) return 0;
        if (!atomic_compare_exchange_strong(&signal->id, &found, wanted)) {
            if (found == wanted) return place;
            continue;
        }
        atomic_fetch_add(&world->signals_made, 1);
        return place;
    }
}

void world_give_signal(World *world, uint32_t place)
{
    Signal *signal = world_signal_at(world, place);
    atomic_fetch_add(&signal->given, 1);
    if (atomic_load(&signal->waiters) > 0) futex_wake(&signal->given, INT_MAX);
}

void world_note_signal(World *world, uint32_t place)
{
    uint32_t moves = atomic_load(&world->move_count);
    if (moves == 0 || moves > MAX_PLAN) return;
    MoveEntry *move = &world->moves[moves - 1];
    if (move->sends == 0)
        move->sends = place + 1;
    else
        move->sends_too = place + 1;
}

void world_forget_signals(World *world)
{
    uint32_t left = atomic_load(&world->signals_made);
    for (uint32_t i = 0; left > 0 && i < SIGNALS; i++) {
        Signal *signal = world_signal_at(world, i);
        if (atomic_load(&signal->id) == 0) continue;
        atomic_store(&signal->given, 0);
        atomic_store(&signal->taken, 0);
        left--;
    }
}

uint32_t world_stream_signal(World *world)
{
    return world_signal(world, hash_string(HASH_START, "stream.orders"));
}

void world_open_queues(World *world)
{
    for (int node = 0; node < world->spec.nodes; node++) {
        atomic_store(&world->node[node].shared, 0);
        queue_open(world, node);
        if (world->spec.consumers > 0) atomic_store(&world_queue(world, node)->lost, 0);
    }
    bool poison = world->spec.stream == STREAM_POISON;
    if (poison) world_give_signal(world, world_stream_signal(world));
    atomic_store(&world->entries_added, poison);
    atomic_store(&world->has_group, world->spec.stream != STREAM_BARE);
}

static bool is_left(const World *world, uint32_t place, bool takes, uint32_t seen)
{
    const Signal *signal = world_signal_at(world, place - 1);
    uint32_t gone = takes ? atomic_load(&signal->taken) : seen;
    return (int32_t)(atomic_load(&signal->given) - gone) > 0; /* it may be taken before it is known as given */
}

bool world_waits_in_vain(const World *world, const Wait *wait)
{
    if (wait->signal == 0 || is_left(world, wait->signal, wait->takes, wait->seen)) return false;
    return wait->late == 0 || !is_left(world, wait->late, true, 0);
}

uint32_t world_take_signal(World *world, const Wait *wait)
{
    bool late = wait->late != 0 && !is_left(world, wait->signal, true, 0);
    uint32_t place = late ? wait->late : wait->signal;
    atomic_fetch_add(&world_signal_at(world, place - 1)->taken, 1);
    return place;
}

uint32_t world_late(World *world)
{
    return world_signal(world, hash_string(HASH_START, "late"));
}

/* A node was killed, and this one has not yet looked for what that left. */
static bool will_look(const World *world, const Slot *slot)
{
    uint64_t crashed = atomic_load(&world->crashed_ns);
    return crashed != 0 && atomic_load(&slot->looks) && atomic_load(&slot->looked_ns) < crashed;
}

static bool is_idle(const World *world, const Slot *slot)
{
    uint32_t state = atomic_load(&slot->state);
    if (state == ACTOR_DONE || state == ACTOR_DEAD) return true;
    if (world->mode == MODE_STEP)
        return state == ACTOR_AT_GATE && world_waits_in_vain(world, &slot->next.wait);
    if (slot->role == ROLE_WATCHDOG) return true; /* it works for whoever is left, not for the run */
    Wait wait = {.signal = atomic_load(&slot->idle_signal), .seen = atomic_load(&slot->idle_seen),
                 .takes = atomic_load(&slot->idle_takes)};
    return world_waits_in_vain(world, &wait) && !will_look(world, slot);
}

bool world_is_over(const World *world)
{
    if (atomic_load(&world->done) < world->users) return false;
    for (uint32_t i = world->users; i < world->actors; i++)
        if (!is_idle(world, world_slot(world, i))) return false;
    return true;
}

bool world_all_wait(const World *world)
{
    if (atomic_load(&world->done) < world->users) return false;
    for (uint32_t i = world->users; i < world->actors; i++) {
        const Slot *slot = world_slot(world, i);
        uint32_t state = atomic_load(&slot->state);
        if (state == ACTOR_DONE || state == ACTOR_DEAD || slot->role == ROLE_WATCHDOG) continue;
        if (atomic_load(&slot->idle_signal) == 0 || will_look(world, slot)) return false;
    }
    return true;
}

/* ---- who is who ------------------------------------------------------------------------------------ */

int spec_user_actors(const Spec *spec)
{
    return spec->at_once ? spec->users * spec->requests : spec->users;
}

bool spec_refuse_user(const Spec *spec, int actor, const char *text, Error *error)
{
    if (spec->at_once && spec->requests > 1)
        return error_set(error, _("%s: there is no actor %d, the last is %d (users: %d, requests at once of each: %d)."),
                         text, actor + 1, spec_user_actors(spec), spec->users, spec->requests);
    return error_set(error,
                     ngettext("%s: there is no user %d, there is %d.",
                              "%s: there is no user %d, there are %d.", (unsigned long)spec->users),
                     text, actor + 1, spec->users);
}

int spec_actors(const Spec *spec)
{
    return spec_user_actors(spec) + spec->nodes * (spec->consumers + spec->watchdogs);
}

Role spec_role(const Spec *spec, int actor, int *number)
{
    int first[ROLE_COUNT + 1] = {0, spec_user_actors(spec)};
    first[ROLE_WATCHDOG] = first[ROLE_CONSUMER] + spec->nodes * spec->consumers;
    first[ROLE_COUNT] = first[ROLE_WATCHDOG] + spec->nodes * spec->watchdogs;
    Role role = ROLE_USER;
    while (role + 1 < ROLE_COUNT && actor >= first[role + 1]) role++;
    if (number) *number = actor - first[role];
    return role;
}

int spec_actor(const Spec *spec, Role role, int number)
{
    for (int actor = 0; number >= 0 && actor < spec_actors(spec); actor++) {
        int own;
        if (spec_role(spec, actor, &own) == role && own == number) return actor;
    }
    return -1;
}

/* Whoever works behind the users acts for none of them: user 0. */
int64_t spec_user(const Spec *spec, int actor)
{
    if (actor >= spec_user_actors(spec)) return 0;
    return spec->at_once ? actor / spec->requests + 1 : actor + 1;
}

int spec_node(const Spec *spec, int actor)
{
    int number;
    spec_role(spec, actor, &number);
    return number % spec->nodes;
}

int latency_bucket(uint64_t ns)
{
    if (ns < 16) return (int)ns;
    int power = 63 - __builtin_clzll(ns);
    int bucket = (power - 3) * 16 + (int)((ns >> (power - 4)) & 15);
    return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

uint64_t latency_bucket_ns(int bucket)
{
    if (bucket < 16) return (uint64_t)bucket;
    int power = bucket / 16 + 3;
    return ((uint64_t)(bucket % 16 + 17) << (power - 4)) - 1;
}
