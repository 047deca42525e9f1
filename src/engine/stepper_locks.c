/* The locks of a small world, as the Locks panel shows them. See stepper.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/baton.h"
#include "engine/stepper_private.h"

static void add_wait(const Stepper *stepper, int actor, const StepActor *view, LocksView *locks)
{
    const Slot *slot = world_slot(stepper->world, (unsigned)actor);
    if (view->state != ACTOR_WAITING || slot->role == ROLE_WATCHDOG || atomic_load(&slot->waits_for_key)) return;
    WaitView wait = {.waiter = actor, .holder = view->waits_for, .home = LOCK_ON_ROW, .node = -1};
    if (baton_locked_out(stepper->world) >> actor & 1) {
        const NextStep *next = &world_slot(stepper->world, (unsigned)actor)->next;
        wait.home = LOCK_IN_NODE;
        wait.node = view->node;
        snprintf(wait.on, sizeof wait.on, "%s", next->key);
    } else {
        snprintf(wait.on, sizeof wait.on, "%s", view->waiting_table);
    }
    locks_view_wait(locks, &wait);
}

/* Here a lease stands still until the clock moves: its key's own TTL, which is long enough to last, means
 * nothing. */
static void still_keys(const LocksView *locks, Snapshot *truth)
{
    for (int i = 0; i < truth->key_count; i++) {
        KeyView *key = &truth->keys[i];
        for (int k = 0; k < locks->locks; k++) {
            const LockView *lock = &locks->lock[k];
            if (lock->home != LOCK_IN_REDIS || !lock->still || strcmp(lock->name, key->name) != 0) continue;
            key->ttl_ms = lock->ttl_ms;
            key->ttl_max_ms = lock->ttl_max_ms;
        }
    }
}

void stepper_locks(const Stepper *stepper, StepView *view)
{
    LocksWatch watch;
    TraceEvent *events = NULL;
    view->locks = (LocksView){0};
    if (!locks_watch_open(&watch, stepper->world)) return;
    long count = stepper_events(stepper, &events);
    locks_watch_feed(&watch, events, count);
    locks_watch_settle(&watch, UINT64_MAX);
    free(events);
    locks_view_make(&view->locks, &watch, &view->truth, true);
    locks_watch_close(&watch);
    for (int i = 0; i < view->actors; i++) add_wait(stepper, i, &view->actor[i], &view->locks);
    locks_view_listeners(&view->locks, stepper->world);
    locks_view_finish(&view->locks);
    still_keys(&view->locks, &view->truth);
}
