/* stepper_private.h -- shared by stepper.c, stepper_moves.c and stepper_judge.c alone. */
#ifndef ENGINE_STEPPER_PRIVATE_H
#define ENGINE_STEPPER_PRIVATE_H

#include "engine/cluster.h"
#include "engine/stepper.h"
#include "engine/trace.h"

struct Stepper {
    Stores *stores;
    Spec spec;
    ShopSetup setup;
    Cluster cluster;
    World *world;    /* the cluster's */
    SqlLink *link;   /* for asking the server who waits, and for the truth */
    unsigned dirty;  /* parts of the stores that are not in the clean state: CLEAN_... */
    bool running;    /* a run was begun and not all actors are done */
    bool stuck;      /* somebody can never move again */
    bool broken;     /* a node or a server was lost */
    bool known_waiting[STEP_ACTORS]; /* as the server said after the last move */
    uint64_t first_event[STEP_ACTORS]; /* of this run, in each ring */
    uint64_t first_console_event;

    /* The timeline of the moves made one by one. */
    int rows;
    StepRow row[MAX_PLAN];
    Move made[MAX_PLAN];
    uint64_t row_event[MAX_PLAN]; /* number of the event in its actor's ring */
};

/* How a run goes on from its first gates. All zero: every actor waits there for its move. */
typedef struct RunPlan {
    const uint16_t *plan;
    int length;
    bool run_on, prune;
    ActorSet sleeping;
} RunPlan;

/* Gives up the run at hand if there is one, cleans the stores, starts a new run, and waits until
 * the world is at rest. */
bool stepper_begin(Stepper *stepper, const RunPlan *plan, Error *error);
bool stepper_settle(Stepper *stepper, Error *error);
/* At rest, and nobody can ever move again, though not everybody is done. */
bool stepper_is_stuck(const Stepper *stepper);
/* Carries out a move that no actor makes: ACTOR_CLOCK (with `key`, or NULL for any lease) or
 * ACTOR_CRASH + node. It must be possible. */
bool stepper_strike(Stepper *stepper, uint32_t move, const char *key, Error *error);
/* Brings a killed node back. Its users stand at the start and take no part in this run; its consumers and
 * its watchdog go on. */
bool stepper_start_node(Stepper *stepper, int node, Error *error);
/* Fills view->lease; view->enabled must be there. */
void stepper_leases(const Stepper *stepper, StepView *view);
/* Fills view->locks; the rest of the view must be there. */
void stepper_locks(const Stepper *stepper, StepView *view);
/* The events of this run, of all actors and of the console, by time. *events is the caller's. */
long stepper_events(const Stepper *stepper, TraceEvent **events);

#endif
