/* race_private.h -- shared by race.c and race_faults.c alone. */
#ifndef ENGINE_RACE_PRIVATE_H
#define ENGINE_RACE_PRIVATE_H

#include "engine/cluster.h"
#include "engine/locks_watch.h"
#include "engine/race.h"
#include "engine/trace.h"

struct Race {
    Stores *stores;
    Spec spec;
    Cluster cluster;
    World *world; /* the cluster's */
    Trace trace;
    bool released;
    bool over;
    bool stopped;
    bool timed_out;  /* ended by its limit, with somebody unanswered */
    long late;       /* how many */
    uint64_t over_ns;
    uint64_t answered_ns; /* when all users were seen to be done; consumers may still be at work */
    int nodes_lost;
    char trouble[240];

    /* For the Locks panel, see race_locks.c. */
    LocksWatch watch;
    long fed;              /* events of the trace that the watch has been given */
    LocksView locks;       /* as of the last look */
    QueuesView queues;     /* likewise */
    int failing_over;      /* the move that is under way: a failover that is waited for, -1: none */
    bool granted;          /* the wish at hand is carried out, and waits for the end of that failover */
    uint64_t failover_ns;  /* since when */
    uint64_t quiet_ns;     /* since when all wait, with no step made: see is_over(); 0: they do not */
    long quiet_steps;      /* steps made by then */
    SqlLink *rows_link;    /* for asking who waits for a row; NULL: not open */
    uint64_t rows_due_ns;
    WaitView row_wait[WAIT_VIEWS];
    int row_waits;
};

/* Lets nodes go on whose freeze is over; `all`: every one. */
void race_thaw(Race *race, bool all);

/* Carries out what actors wish for, and sees a failover to its end. */
void race_look_after_servers(Race *race);
/* How long orders took to be stored. The trace is sorted. */
void race_fill_stored(const Race *race, Report *report);

bool race_locks_open(Race *race);
void race_locks_close(Race *race);

#endif
