/* Which leases could run out now. See stepper.h. */
#include <string.h>

#include "engine/stepper_private.h"

void stepper_leases(const Stepper *stepper, StepView *view)
{
    World *world = stepper->world;
    view->leases = 0;
    if (!(view->enabled >> ACTOR_CLOCK & 1)) return;
    for (int i = 0; i < LEASES && world->lease[i].id != 0 && view->leases < STEP_LEASES; i++) {
        const Lease *lease = &world->lease[i];
        if (world_lease_due(world, lease->key) == lease) strcpy(view->lease[view->leases++], lease->key);
    }
}
