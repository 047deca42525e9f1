/* The lab's table of locks: it is made by threads of its own, and looked at a slice at a time. */
#include <stdlib.h>

#include "engine/lab_private.h"

struct LabLocks {
    LockTabler *tabler; /* NULL: none is at work */
    LockTableState now;
};

bool lab_locks_make(Lab *lab)
{
    lab->locks = calloc(1, sizeof *lab->locks);
    return lab->locks != NULL;
}

void lab_locks_free(Lab *lab)
{
    free(lab->locks);
    lab->locks = NULL;
}

static void publish_locks(Lab *lab)
{
    LabLocks *locks = lab->locks;
    if (locks->tabler) lock_tabler_look(locks->tabler, &locks->now.table);
    lab->draft.lock_table = locks->now;
    lab_publish(lab);
}

static void serve_locks(Lab *lab, const Request *request)
{
    (void)request;
    LabLocks *locks = lab->locks;
    RedisAddress redis;
    SqlAddress sql;
    Error error = {""};
    if (lab->race || !lab->ready) return;
    lab_clear_small(lab);
    stores_addresses(lab->stores, &redis, &sql);
    locks->now = (LockTableState){.serial = locks->now.serial + 1};
    locks->tabler = lock_tabler_open(&redis, &error);
    locks->now.running = locks->tabler != NULL;
    publish_locks(lab);
    if (!locks->tabler) lab_trouble(lab, &error);
}

void lab_locks_end(Lab *lab)
{
    LabLocks *locks = lab->locks;
    if (!locks->tabler) return;
    lock_tabler_look(locks->tabler, &locks->now.table);
    lock_tabler_close(locks->tabler);
    locks->tabler = NULL;
    locks->now.running = false;
    locks->now.table.stopped = !locks->now.table.over;
    publish_locks(lab);
}

void lab_locks_slice(Lab *lab)
{
    publish_locks(lab);
    if (lab->locks->now.table.over) lab_locks_end(lab);
}

bool lab_locks_runs(const Lab *lab)
{
    return lab->locks->tabler != NULL;
}

static void serve_stop(Lab *lab, const Request *request)
{
    (void)request;
    lab_locks_end(lab);
}

void lab_locks(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_locks});
}

void lab_locks_stop(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_stop});
}
