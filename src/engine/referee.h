/* referee.h -- judges a run from its answers and from the final truth in both stores. */
#ifndef ENGINE_REFEREE_H
#define ENGINE_REFEREE_H

#include "engine/report.h"
#include "engine/trace.h"

/* All that a judgement is made of. Nothing is changed. */
typedef struct Case {
    const Spec *spec;
    const World *world;     /* answers, sale window */
    const Snapshot *truth;
    const OrderRow *orders; /* sorted by user; NULL when they could not be read */
    long order_count;
    bool complete;          /* every request was answered */
    bool stuck;             /* somebody can never move again */
    bool stopped;           /* the learner ended it, or its limit did: locks were left as they were */
    long waiting;           /* orders in a queue, or in the hand of a consumer, when it was over */
    long late;              /* so many had no answer when the time of a race was up */
    const TraceEvent *events; /* of all actors and of the console, by time: for the locks */
    long event_count;
} Case;

/* Where an invariant broke first, as far as it can be pinned down: for the story. */
typedef struct Finding {
    int actor, other; /* -1: none */
    int64_t user, id;
} Finding;

/* How many vouchers the users of this world want, all told. */
long referee_demand(const Spec *spec);
/* Judges every invariant that the spec's claim names; the others get VERDICT_NONE. `finding` may be
 * NULL; it has INVARIANT_COUNT entries. */
void referee_judge(const Case *judged, Verdict verdict[INVARIANT_COUNT], Finding *finding);
/* What a snapshot shows while the race still runs: BROKEN where it cannot be mended any more, else
 * UNKNOWN. */
void referee_glance(const Spec *spec, const Snapshot *now, Verdict verdict[INVARIANT_COUNT]);

#endif
