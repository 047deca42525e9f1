/* race_private.h -- shared by race.c and race_faults.c alone. */
#ifndef ENGINE_RACE_PRIVATE_H
#define ENGINE_RACE_PRIVATE_H

#include "engine/cluster.h"
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
    uint64_t over_ns;
    int nodes_lost;
    char trouble[240];
};

/* Lets nodes go on whose freeze is over; `all`: every one. */
void race_thaw(Race *race, bool all);

#endif
