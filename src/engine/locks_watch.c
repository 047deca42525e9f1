#include "engine/locks_watch.h"

#include <stdlib.h>
#include <string.h>

#include "engine/step_kind.h"
#include "store/status.h"

enum { FIRST_ROOM = 64 };

/* ---- the table ----------------------------------------------------------------------------------- */

bool locks_watch_open(LocksWatch *watch, const World *world)
{
    *watch = (LocksWatch){.world = world};
    watch->holds = calloc(world->actors + 1, sizeof *watch->holds);
    return watch->holds != NULL;
}

void locks_watch_close(LocksWatch *watch)
{
    free(watch->lock);
    free(watch->index);
    free(watch->late);
    free(watch->holds);
    *watch = (LocksWatch){0};
}

static uint32_t *place_of(const LocksWatch *watch, uint64_t id)
{
    uint32_t at = (uint32_t)(id ^ id >> 32) & (watch->index_size - 1);
    while (watch->index[at] != 0 && watch->lock[watch->index[at] - 1].id != id)
        at = (at + 1) & (watch->index_size - 1);
    return &watch->index[at];
}

WatchedLock *locks_watch_find(const LocksWatch *watch, uint64_t id)
{
    if (watch->count == 0) return NULL;
    uint32_t place = *place_of(watch, id);
    return place ? &watch->lock[place - 1] : NULL;
}

/* Twice as many locks, and an index that is half empty. */
static bool grow(LocksWatch *watch)
{
    long room = watch->room ? watch->room * 2 : FIRST_ROOM;
    WatchedLock *lock = realloc(watch->lock, (size_t)room * sizeof *lock);
    if (lock) watch->lock = lock;
    uint32_t *index = lock ? calloc((size_t)room * 2, sizeof *index) : NULL;
    if (!index) return false;
    free(watch->index);
    watch->index = index;
    watch->index_size = (uint32_t)room * 2;
    watch->room = room;
    for (long i = 0; i < watch->count; i++) *place_of(watch, lock[i].id) = (uint32_t)i + 1;
    return true;
}

static WatchedLock *make_lock(LocksWatch *watch, uint64_t id)
{
    WatchedLock *found = locks_watch_find(watch, id);
    if (found) return found;
    if (watch->count == watch->room && !grow(watch)) {
        watch->no_memory = true;
        return NULL;
    }
    WatchedLock *lock = &watch->lock[watch->count];
    *place_of(watch, id) = (uint32_t)++watch->count;
    *lock = (WatchedLock){.id = id, .holder = -1, .lease_ms = -1};
    return lock;
}

/* ---- going in and out ------------------------------------------------------------------------------ */

static void note_clash(LockClash *clash, int first, int second, uint64_t at_ns)
{
    if (clash->times++ > 0) return;
    clash->first = first;
    clash->second = second;
    clash->at_ns = at_ns;
}

/* Readers may share. -1: nobody. */
static int who_should_not_be_there(const WatchedLock *lock, const LockHold *hold)
{
    for (int i = 0; i < lock->count; i++)
        if (lock->inside[i].actor != hold->actor && !(hold->shared && lock->inside[i].shared))
            return lock->inside[i].actor;
    return -1;
}

static void go_in(LocksWatch *watch, WatchedLock *lock, const TraceEvent *event)
{
    LockHold hold = {.actor = (int)event->actor, .since_ns = event->event.end_ns,
                     .own_object = event->event.step == STEP_LOCK && event->event.second != 0};
    hold.shared = step_kinds[event->event.step].shares;
    int other = who_should_not_be_there(lock, &hold);
    hold.overlapped = other >= 0;
    if (hold.overlapped) note_clash(&lock->overlap, other, hold.actor, hold.since_ns);
    if (lock->count == LOCK_INSIDE) return;
    lock->inside[lock->count++] = hold;
    watch->holds[event->actor]++;
}

/* Told late that it had left before the others came: then they were not inside together. */
static void forgive(WatchedLock *lock, uint64_t left_ns)
{
    LockHold *next = lock->count > 1 ? &lock->inside[1] : NULL;
    if (!next || !next->overlapped || next->since_ns < left_ns) return;
    next->overlapped = false;
    lock->overlap.times--;
}

static void go_out(LocksWatch *watch, WatchedLock *lock, int actor, uint64_t at_ns)
{
    for (int i = lock->count - 1; i >= 0; i--) {
        if (lock->inside[i].actor != actor) continue;
        if (i == 0) forgive(lock, at_ns);
        lock->count--;
        memmove(&lock->inside[i], &lock->inside[i + 1],
                (size_t)(lock->count - i) * sizeof lock->inside[0]);
        watch->holds[actor]--;
        return;
    }
}

/* -1: nobody has it any more. */
static void set_holder(LocksWatch *watch, WatchedLock *lock, int actor)
{
    if (lock->holder >= 0 && !lock->holder_gone) watch->holds[lock->holder]--;
    if (actor >= 0) watch->holds[actor]++;
    lock->holder = actor;
    lock->holder_gone = false;
}

static void lose_holder(LocksWatch *watch, WatchedLock *lock)
{
    watch->holds[lock->holder]--;
    lock->holder_gone = true;
}

static bool ends_with_its_holder(const WatchedLock *lock)
{
    return lock->step == STEP_LOCK || lock->step == STEP_GET_LOCK;
}

/* Its request is over, or it is dead: it is inside of nothing any more. What it holds in Redis stays. */
static void leave_all(LocksWatch *watch, int actor, uint64_t at_ns)
{
    for (long i = 0; watch->holds[actor] > 0 && i < watch->count; i++) {
        WatchedLock *lock = &watch->lock[i];
        for (int k = 0; k < LOCK_INSIDE; k++) go_out(watch, lock, actor, at_ns); /* however often */
        if (lock->holder != actor || lock->holder_gone) continue;
        lose_holder(watch, lock);
        if (ends_with_its_holder(lock)) lock->holder = -1;
    }
}

/* ---- events ------------------------------------------------------------------------------------------ */

static LockRole role_of(const Event *event)
{
    if (event->kind != EVENT_STEP || event->status != STORE_OK) return LOCK_NO;
    return step_kinds[event->step].lock;
}

/* In ms; -1: none. */
static long lease_of(const Event *event)
{
    if (event->step == STEP_SET_NX_EX) return (long)event->second * 1000;
    bool counts_ms = step_kinds[event->step].store == STEP_REDIS && event->step != STEP_SETNX;
    return counts_ms ? (long)event->second : -1;
}

static void take(LocksWatch *watch, const TraceEvent *event)
{
    WatchedLock *lock = event->event.value == 1 ? make_lock(watch, (uint64_t)event->event.argument) : NULL;
    if (!lock) return;
    lock->step = event->event.step;
    go_in(watch, lock, event);
    set_holder(watch, lock, (int)event->actor);
    lock->taken_ns = event->event.end_ns;
    lock->lease_ms = lease_of(&event->event);
}

/* Sent after the other one had been told that it has the lock: so it is the other one's that is gone. */
static void give(LocksWatch *watch, const TraceEvent *event)
{
    WatchedLock *lock = locks_watch_find(watch, (uint64_t)event->event.argument);
    if (!lock) return;
    int actor = (int)event->actor;
    go_out(watch, lock, actor, event->event.begin_ns);
    if (event->event.value <= 0) return;
    if (lock->holder >= 0 && lock->holder != actor && lock->taken_ns <= event->event.begin_ns &&
        !ends_with_its_holder(lock) && !step_kinds[event->event.step].shares)
        note_clash(&lock->mis_delete, lock->holder, actor, event->event.end_ns);
    set_holder(watch, lock, -1);
}

static void set_lease(LocksWatch *watch, const Event *event)
{
    WatchedLock *lock = locks_watch_find(watch, (uint64_t)event->argument);
    if (!lock) return;
    lock->lease_ms = (long)event->second * 1000;
    if (event->second <= 0) set_holder(watch, lock, -1); /* EXPIRE 0 deletes at once */
}

static void bury_node(LocksWatch *watch, int node, uint64_t at_ns)
{
    for (uint32_t actor = 0; actor < watch->world->actors; actor++)
        if (world_slot(watch->world, actor)->node == node) leave_all(watch, (int)actor, at_ns);
}

static void take_in(LocksWatch *watch, const TraceEvent *event)
{
    const Event *what = &event->event;
    LockRole role = role_of(what);
    if (role == LOCK_TAKES)
        take(watch, event);
    else if (role == LOCK_GIVES)
        give(watch, event);
    else if (what->kind == EVENT_STEP && what->step == STEP_EXPIRE && what->status == STORE_OK)
        set_lease(watch, what);
    else if (what->kind == EVENT_ANSWER)
        leave_all(watch, (int)event->actor, what->end_ns);
    else if (what->kind == EVENT_FAULT && what->code == CONSOLE_EXPIRED) {
        WatchedLock *lock = locks_watch_find(watch, (uint64_t)what->argument);
        if (lock) set_holder(watch, lock, -1);
    } else if (what->kind == EVENT_FAULT && what->code == CONSOLE_CRASHED)
        bury_node(watch, (int)what->value, what->end_ns);
}

/* A lock is left when giving it back begins, and taken when that has been told. */
static uint64_t moment_of(const Event *event)
{
    return role_of(event) == LOCK_GIVES ? event->begin_ns : event->end_ns;
}

static int by_moment(const void *left, const void *right)
{
    uint64_t a = moment_of(&((const TraceEvent *)left)->event);
    uint64_t b = moment_of(&((const TraceEvent *)right)->event);
    return (a > b) - (a < b);
}

/* ---- feeding --------------------------------------------------------------------------------------------- */

static bool matters(const LocksWatch *watch, const Event *event)
{
    if (event->kind == EVENT_FAULT) return event->code >= CONSOLE_EXPIRED;
    if (event->kind == EVENT_ANSWER) return watch->count > 0 || watch->late_count > 0;
    return role_of(event) != LOCK_NO || event->step == STEP_EXPIRE;
}

static bool keep(LocksWatch *watch, const TraceEvent *event)
{
    if (watch->late_count == watch->late_room) {
        long room = watch->late_room ? watch->late_room * 2 : FIRST_ROOM;
        TraceEvent *late = realloc(watch->late, (size_t)room * sizeof *late);
        if (!late) return false;
        watch->late = late;
        watch->late_room = room;
    }
    watch->late[watch->late_count++] = *event;
    return true;
}

void locks_watch_feed(LocksWatch *watch, const TraceEvent *events, long count)
{
    for (long i = 0; i < count; i++)
        if (matters(watch, &events[i].event) && !keep(watch, &events[i])) watch->no_memory = true;
}

void locks_watch_settle(LocksWatch *watch, uint64_t until_ns)
{
    long taken = 0;
    if (watch->late_count == 0) return;
    qsort(watch->late, (size_t)watch->late_count, sizeof *watch->late, by_moment);
    while (taken < watch->late_count && moment_of(&watch->late[taken].event) <= until_ns)
        take_in(watch, &watch->late[taken++]);
    watch->late_count -= taken;
    memmove(watch->late, watch->late + taken, (size_t)watch->late_count * sizeof *watch->late);
}
