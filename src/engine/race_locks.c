/* The locks of a race, as the Locks panel shows them. See race.h. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "engine/race_private.h"
#include "store/row_pairs.h"

enum {
    EVENTS_LATE_NS = 2000000,  /* an actor may have read a reply and not have recorded it yet */
    ROWS_PERIOD_NS = 250000000,
    ROWS_SECONDS = 2           /* a database that says nothing must not hold up the race's driver */
};

bool race_locks_open(Race *race)
{
    return locks_watch_open(&race->watch, race->world);
}

void race_locks_close(Race *race)
{
    locks_watch_close(&race->watch);
    sql_link_close(race->rows_link);
    race->rows_link = NULL;
}

/* ---- who waits for a lock of a node ------------------------------------------------------------ */

static void add_local_waits(const Race *race, LocksView *view)
{
    const World *world = race->world;
    for (uint32_t i = 0; i < world->actors; i++) {
        const Slot *slot = world_slot(world, i);
        uint32_t place = atomic_load(&slot->waits_for_lock);
        if (place == 0 || place > LOCAL_LOCKS || atomic_load(&slot->state) != ACTOR_RUNNING) continue;
        const LocalLock *lock = &world_locks(world)[place - 1];
        WaitView wait = {.waiter = (int)i, .holder = (int)atomic_load(&lock->holder) - 1,
                         .home = LOCK_IN_NODE, .node = lock->node};
        snprintf(wait.on, sizeof wait.on, "%s", lock->name);
        locks_view_wait(view, &wait);
    }
}

/* ---- who waits for a row --------------------------------------------------------------------------- */

static int actor_of_connection(const World *world, uint64_t connection)
{
    for (uint32_t i = 0; connection != 0 && i < world->actors; i++)
        if (atomic_load(&world_slot(world, i)->sql_id) == connection) return (int)i;
    return -1;
}

static void add_pair(Race *race, const RowPair *pair)
{
    int waiter = actor_of_connection(race->world, pair->waiter);
    for (int i = 0; i < race->row_waits; i++)
        if (race->row_wait[i].waiter == waiter) return; /* it waits for several: one is enough */
    if (waiter < 0 || race->row_waits == WAIT_VIEWS) return;
    WaitView *wait = &race->row_wait[race->row_waits++];
    *wait = (WaitView){.waiter = waiter, .holder = actor_of_connection(race->world, pair->blocker),
                       .home = LOCK_ON_ROW, .node = -1};
    snprintf(wait->on, sizeof wait->on, "%s", pair->table);
}

static bool rows_link_is_there(Race *race)
{
    if (race->rows_link) return sql_link_id(race->rows_link) != 0 || sql_link_reopen(race->rows_link, NULL);
    SqlAddress address;
    stores_addresses(race->stores, NULL, &address);
    race->rows_link = sql_link_open_within(&address, true, ROWS_SECONDS, NULL);
    return race->rows_link != NULL;
}

static void ask_for_row_waits(Race *race)
{
    RowPair pair[WAIT_VIEWS];
    uint64_t now = clock_now_ns();
    if (now < race->rows_due_ns) return;
    race->row_waits = 0;
    int pairs = rows_link_is_there(race) ? row_pairs_read(race->rows_link, pair, WAIT_VIEWS) : 0;
    for (int i = 0; i < pairs; i++) add_pair(race, &pair[i]);
    race->rows_due_ns = clock_now_ns() + ROWS_PERIOD_NS;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void feed_watch(Race *race)
{
    uint64_t now = clock_now_ns();
    if (!race->over) trace_read(&race->trace, race->world);
    long count = race->trace.count - race->fed;
    if (count > 0) locks_watch_feed(&race->watch, &race->trace.events[race->fed], count);
    race->fed = race->trace.count;
    locks_watch_settle(&race->watch, race->over ? UINT64_MAX : now - EVENTS_LATE_NS);
}

void race_locks(Race *race, const Snapshot *truth)
{
    LocksView *view = &race->locks;
    feed_watch(race);
    locks_view_make(view, &race->watch, truth, false);
    if (!race->over) {
        if (truth->sql_ok) ask_for_row_waits(race);
        add_local_waits(race, view);
        locks_view_listeners(view, race->world);
        for (int i = 0; i < race->row_waits; i++) locks_view_wait(view, &race->row_wait[i]);
    }
    locks_view_finish(view);
}
