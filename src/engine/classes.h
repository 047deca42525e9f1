/* classes.h -- one explored run stands for many schedules: counting them without running them.
 *
 * Two schedules are equal in effect when one becomes the other by swapping neighbours that do not
 * conflict (Mazurkiewicz traces). A run therefore stands for every order of its moves that keeps
 * each actor's own order and the order of conflicting moves. Those orders are counted exactly, by
 * the number of preemptions, with a table over "how far has each actor come".
 *
 * A preemption is a switch away from an actor that could have moved on. */
#ifndef ENGINE_CLASSES_H
#define ENGINE_CLASSES_H

#include "engine/world.h"

enum { CLASS_MOVES = 64, CLASS_PREEMPTIONS = 32 };

typedef struct RunClass {
    int count;                               /* moves */
    double schedules;                        /* how many schedules it stands for */
    double by_preemptions[CLASS_PREEMPTIONS]; /* of them, with so many preemptions; the last: or more */
    int fewest;                              /* preemptions of the best of them */
    uint8_t best[CLASS_MOVES];               /* its actors: among the best the first by alphabet */
} RunClass;

/* `left`: one entry an actor, STEP_ACTORS of them; NULL when all came to their end. `first_life`: the same of the
 * moment when their node was killed, of those that went on after it was started again; NULL: none was. False when
 * the run is too long (CLASS_MOVES) or its world too large for the table. */
bool classes_count(const MoveEntry *moves, int count, const Left *left, const Left *first_life, RunClass *result);
/* Preemptions of the run exactly as it was made. */
int classes_preemptions(const MoveEntry *moves, int count);

#endif
