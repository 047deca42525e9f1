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
/* Lesson on the screen when the console was left; NULL at the first start. */
const char *progress_last(const Progress *progress);
void progress_note_last(Progress *progress, const char *lesson, const char *variant);
const char *progress_last_variant(const Progress *progress);
/* Writes a temporary file and renames it. Called at every change of lesson and at the end. */
bool progress_save(const Progress *progress);

#endif
