/* view_exercise.h -- the exercise: task, checks, hints, and the learner's script. */
#ifndef TUI_VIEW_EXERCISE_H
#define TUI_VIEW_EXERCISE_H

/* To its first line. */
void view_exercise_start(void);
/* To what the check came to, or to the newest hint, at the next frame. */
void view_exercise_to_result(void);
void view_exercise_to_hints(void);

#endif
