/* plain_step.h -- step mode as linear text: one line a move, in words. */
#ifndef TUI_PLAIN_STEP_H
#define TUI_PLAIN_STEP_H

#include "course/course.h"
#include "course/schedule_text.h"
#include "store/observe.h"

typedef struct PlainStep PlainStep;

/* Opens a small world, makes `moves` (may be empty) and tells all on the standard output. NULL, with a line: it
 * cannot be had. `lesson` and `variant` must stay; the stores are its own until plain_step_close(). */
PlainStep *plain_step_open(Stores *stores, Observer *observer, const Lesson *lesson, const LessonVariant *variant,
                           const Spec *spec, const Schedule *moves, Error *error);
void plain_step_close(PlainStep *step);
/* "A", "A B clk". What cannot be done is said, and ends it there. */
void plain_step_move(PlainStep *step, const char *moves);
/* One move back: the rest is run again from a clean state. */
void plain_step_undo(PlainStep *step);
void plain_step_restart(PlainStep *step);
/* Where everything stands, and the line that does it again. */
void plain_step_tell(PlainStep *step);

#endif
