/* reproduce.h -- from a race that broke something to a schedule that breaks it every time.
 *
 * The story of a race names one or two actors and the order of their steps. That order is run again
 * in step mode, in a world of just these actors. When the same invariant breaks, all schedules of
 * that world are explored for the one with the fewest preemptions. */
#ifndef ENGINE_REPRODUCE_H
#define ENGINE_REPRODUCE_H

#include "engine/report.h"

/* Fills the report's schedule, its world, and the note that says how it went. `small` is the
 * variant's small world. Nothing broke: does nothing. The stores are left as the last schedule left
 * them: call when the race is closed and its truth was read, from a thread that outlives the call.
 * False: a server or a node was lost; the report has no schedule then. */
bool reproduce_race(Stores *stores, const Spec *small, Report *report, Error *error);

#endif
