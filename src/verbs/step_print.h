/* step_print.h -- a schedule carried out move by move, for people and as JSON. */
#ifndef VERBS_STEP_PRINT_H
#define VERBS_STEP_PRINT_H

#include "course/course.h"
#include "course/schedule_text.h"
#include "engine/stepper.h"
#include "verbs/json.h"
#include "verbs/options.h"

typedef struct StepRun {
    const Lesson *lesson;
    const LessonVariant *variant;
    const Spec *spec;
    char line[SCHEDULE_TEXT];   /* the pasteable line of what was done */
    const char *state[MAX_PLAN]; /* of the actor after its move: "ready", "waiting", "done", "dead";
                                    NULL: the move was the clock's, or a crash */
    StepView view;              /* after the last move */
} StepRun;

/* Carries a schedule out and tells it: the common part of step and replay. Every move must be of
 * an actor of the world. Returns the exit status. */
int step_schedule(const Options *options, const Lesson *lesson, const LessonVariant *variant,
                  const Spec *spec, const Schedule *schedule);

void step_print(const StepRun *run);
/* The names are a contract: add, do not rename. The caller's (json_decref); NULL without memory. */
json_t *step_json(const StepRun *run);
/* Nothing broke that the variant claims to keep. */
bool step_as_claimed(const StepRun *run);

#endif
