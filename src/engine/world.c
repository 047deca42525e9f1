#include "engine/world.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/i18n.h"

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
    size_t rings_at = aligned(slots_at + actors * sizeof(Slot));
    size_t answers_at = aligned(rings_at + (size_t)actors * capacity * sizeof(RingSlot));
    size_t size = aligned(answers_at + answers * sizeof(AnswerEntry));

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
    world->mode = mode;
    world->variant = (int)(spec->variant - variants);
    world->spec = *spec;
    world->baton = BATON_SCHEDULER;
    world->pace_ms = (uint32_t)spec->pace_ms;
    for (unsigned i = 0; i < actors; i++) {
        world_slot(world, i)->user = spec_user(spec, (int)i);
        world_slot(world, i)->node = spec_node(spec, (int)i);
    }
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
    return (RingSlot *)((char *)world + world->rings_at) + (size_t)actor * world->ring_capacity;
}

AnswerEntry *world_answers(const World *world)
{
    return (AnswerEntry *)((char *)world + world->answers_at);
}

int spec_actors(const Spec *spec)
{
    return spec->at_once ? spec->users * spec->requests : spec->users;
}

int64_t spec_user(const Spec *spec, int actor)
{
    return spec->at_once ? actor / spec->requests + 1 : actor + 1;
}

int spec_node(const Spec *spec, int actor)
{
    return actor % spec->nodes;
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
