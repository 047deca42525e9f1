/* strikes.h -- moves that no actor makes: a lease runs out, a node is killed, started again or stands still,
 * something happens to a server. When each is possible, and what it changes. */
#ifndef ENGINE_STRIKES_H
#define ENGINE_STRIKES_H

#include "engine/world.h"

/* Can this mover (STEP_ACTORS or above, see world.h) move now? False of a number that is no mover. */
bool strike_can(const World *world, uint32_t mover);
/* All that can. */
ActorSet strikes_possible(const World *world);
/* What it reads and writes. */
Touch strike_touch(const World *world, uint32_t mover);

#endif
