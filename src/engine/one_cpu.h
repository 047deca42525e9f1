/* one_cpu.h -- an exploration on one processor.
 *
 * Step mode is one long chain: an actor sends a command, a server answers, the next actor is woken.
 * Nothing runs at the same time, but spread over several processors each link of the chain is a
 * wake-up of an idle one; on the same processor it is a switch, several times cheaper in a virtual
 * machine. So the threads of the chain are put on one processor for as long as it takes: the
 * exploring thread, the nodes, and, in the sandbox, Redis and the database's threads that serve us.
 * It changes how long things take and nothing else; where it cannot be done, nothing happens. */
#ifndef ENGINE_ONE_CPU_H
#define ENGINE_ONE_CPU_H

#include "engine/world.h"

typedef struct OneCpu OneCpu;

/* Call from the exploring thread, when the nodes are up. NULL where it cannot be done. */
OneCpu *one_cpu_begin(Stores *stores, const World *world);
/* Gives every processor back. Same thread; before the nodes are closed. */
void one_cpu_end(OneCpu *one);

#endif
