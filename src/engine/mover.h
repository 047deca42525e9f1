/* mover.h -- who moves in step mode: between its number in world memory and its move in a schedule. */
#ifndef ENGINE_MOVER_H
#define ENGINE_MOVER_H

#include "engine/schedule.h"
#include "engine/world.h"

/* The move of a mover (see world.h) in the world of that spec, and the other way round: -1, there is
 * none. An actor's name is written as its move is: "A", "c1", "w1". Returns `text` (12 bytes). */
Move mover_move(const Spec *spec, int mover);
int mover_of_move(const Spec *spec, const Move *move);
const char *mover_name(const Spec *spec, int actor, char *text);

#endif
