/* cluster.h -- a world with its node processes: started, watched, and ended by their own ids. */
#ifndef ENGINE_CLUSTER_H
#define ENGINE_CLUSTER_H

#include "engine/warden.h"
#include "engine/world.h"

typedef struct Cluster {
    World *world;
    int fd; /* the world's memfd */
    int nodes;
    Warden *warden; /* of a world with a script of the learner's; else NULL */
} Cluster;

/* Makes the world of `spec`, starts its nodes and waits until every actor stands at the start. The
 * stores must be in their clean state. On failure nothing is left over. Call from a thread that
 * outlives the cluster: its nodes die with it. */
bool cluster_open(Cluster *cluster, Stores *stores, const Spec *spec, Mode mode, Error *error);
/* A node that died since the last call: its number, its actors marked ACTOR_DEAD. -1: none. */
int cluster_bury(Cluster *cluster);
/* Kills a node by its own id and marks its actors ACTOR_DEAD; what they were about to be told counts as
 * unknown. False when it is dead already. */
bool cluster_kill(Cluster *cluster, int node);
/* Starts a dead node again; its actors are ready when cluster_wait_ready() says so. */
bool cluster_start(Cluster *cluster, int node, Error *error);
/* What the world knows of a node whose process is gone: no process, dead actors, no mutex held. */
void cluster_mark_dead(World *world, int node);
/* Waits until every actor stands at the start again; false when a node died. */
bool cluster_wait_ready(Cluster *cluster, Error *error);
/* Asks the nodes to end; one that hangs in a server is killed after 1.5 s. */
void cluster_close(Cluster *cluster);

#endif
