/* What the learner's script is examined in: the exercise's small worlds, and two races of its variant. */
#include <string.h>

#include "course/exercise.h"

_Static_assert((int)EXERCISE_WORLDS <= (int)EXAM_WORLDS, "every world of an exercise is explored");

enum { FEW = 20, MANY = 30 };

/* Faultless, at full speed, each user asks once for one: then it is known how much must be sold. */
static Spec race_of(const LessonVariant *variant, const OwnScript *own, int users, long stock)
{
    const Exercise *exercise = variant->exercise;
    Spec race = exercise->put_on ? exercise->shipped_race : variant->race;
    race.own = own;
    race.users = users;
    race.stock = stock;
    race.requests = 1;
    race.at_once = false;
    race.pace_ms = 0;
    race.baskets = 0;
    race.faults = 0;
    memcpy(race.keeps, exercise->world[0].keeps, sizeof race.keeps);
    memset(race.breaks, 0, sizeof race.breaks);
    return race;
}

void exercise_exam(const LessonVariant *variant, const OwnScript *own, ExamSpec *spec)
{
    const Exercise *exercise = variant->exercise;
    *spec = (ExamSpec){.worlds = exercise->worlds};
    for (int i = 0; i < exercise->worlds; i++) {
        spec->world[i] = exercise->world[i];
        spec->world[i].own = own;
    }
    spec->race[0] = race_of(variant, own, FEW, MANY);
    spec->race[1] = race_of(variant, own, MANY, FEW);
}
