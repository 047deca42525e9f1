/* exercise_print.h -- what the check of an exercise came to, for people and as JSON. */
#ifndef VERBS_EXERCISE_PRINT_H
#define VERBS_EXERCISE_PRINT_H

#include "course/exercise.h"
#include "course/progress.h"
#include "course/schedule_text.h"
#include "verbs/json.h"

/* One check of one script. The script stands in the shipped one's place (exercise_put_on). */
typedef struct Checked {
    const Lesson *lesson;
    const LessonVariant *variant;
    const OwnScript *own;
    const char *path; /* where it was read from */
    const Exam *exam;
} Checked;

void exercise_print(const Checked *checked);
/* The names are a contract: add, do not rename. The caller's (json_decref); NULL without memory. */
json_t *exercise_json(const Checked *checked);

/* The schedule line of the counterexample; empty without one. Returns `text`. */
const char *exercise_shortest(const Checked *checked, char text[SCHEDULE_TEXT]);

void exercise_list_print(const Course *course, const Progress *progress);
json_t *exercise_list_json(const Course *course, const Progress *progress);

#endif
