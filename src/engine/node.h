/* node.h -- a node: one app-server process of the cluster, with its threads and pools. */
#ifndef ENGINE_NODE_H
#define ENGINE_NODE_H

#include "engine/world.h"

/* The node's whole life: main calls it for the hidden verb `--node FD NUMBER`. */
int node_main(int argc, char **argv);

/* Starts node `number` of the world behind `fd` as a process of its own; its pid, or -1. It dies
 * with the calling thread (PR_SET_PDEATHSIG): call from a thread that outlives it. */
pid_t node_spawn(World *world, int fd, int number, Error *error);

/* Connections a node's pool holds, of each kind. */
enum { NODE_LINKS = 64 };

#endif
