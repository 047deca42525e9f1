/* progress.h -- what the learner has done, kept in $XDG_STATE_HOME/seckill-lab/progress.json. */
#ifndef COURSE_PROGRESS_H
#define COURSE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress Progress;

/* Never fails: a missing or damaged file is an empty progress (the damaged one is kept beside). */
Progress *progress_load(void);
void progress_free(Progress *progress);
bool progress_read(const Progress *progress, const char *lesson); /* text opened */
bool progress_raced(const Progress *progress, const char *lesson, const char *variant);
void progress_note_read(Progress *progress, const char *lesson);
void progress_note_raced(Progress *progress, const char *lesson, const char *variant);
/* An exercise: has it ever been passed, how the last check of the learner's script went ("" never, "passed", or the name
 * of the check that failed: "loads", "runs", "sells", "explored"), and how many hints were asked for; the solution counts
 * as one more. Texts are the progress's. */
bool progress_solved(const Progress *progress, const char *lesson, const char *variant);
const char *progress_checked(const Progress *progress, const char *lesson, const char *variant);
int progress_hints(const Progress *progress, const char *lesson, const char *variant);
void progress_note_checked(Progress *progress, const char *lesson, const char *variant, const char *result);
void progress_note_hints(Progress *progress, const char *lesson, const char *variant, int hints);
/* The learner begins anew: hints and last check are forgotten, that it was solved once is not. */
void progress_note_reset(Progress *progress, const char *lesson, const char *variant);
/* Lesson on the screen when the console was left; NULL at the first start. */
const char *progress_last(const Progress *progress);
void progress_note_last(Progress *progress, const char *lesson, const char *variant);
const char *progress_last_variant(const Progress *progress);
/* Writes a temporary file and renames it. Called at every change of lesson and at the end. False: it is not kept. */
bool progress_save(const Progress *progress);
/* What to tell the learner then: translated. */
const char *progress_unkept(void);

#endif
