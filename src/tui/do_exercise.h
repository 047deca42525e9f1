/* do_exercise.h -- exercises as the console does them: the learner's script stands in the shipped one's place while the
 * exercise is open, and in step mode and exploring that were begun there. */
#ifndef TUI_DO_EXERCISE_H
#define TUI_DO_EXERCISE_H

#include "course/exercise.h"
#include "tui/app.h"

/* ---- when they are there ---- */
bool can_exercise(const App *app); /* the open variant has one */
bool can_edit(const App *app);
bool can_check(const App *app);
bool has_more_hints(const App *app);
bool has_solution(const App *app); /* all hints were asked for, and the solution was not */
bool has_counterexample(const App *app);
bool can_step_script(const App *app); /* there is none, but it can be stepped through all the same */

/* ---- actions ---- */
void do_exercise(App *app, int ignored);
void do_edit(App *app, int ignored);
void do_check(App *app, int ignored);
void do_more_hints(App *app, int ignored);
void do_counterexample(App *app, int ignored);
void do_exercise_reset(App *app, int ignored);

/* ---- for the rest of the console ---- */

/* The learner's script is in the place of the shipped one. */
bool exercise_is_on(const App *app);
/* Puts the shipped script back. */
void exercise_put_away(App *app);
/* Whether the view may show the learner's script. */
bool exercise_stays(ViewId view);
/* The request that PENDING_EXAM stands for. */
void exercise_send(App *app);
/* After a new view came in: notes the result, and opens the counterexample. */
void exercise_take(App *app);
bool exercise_runs(const App *app);
/* The exam of the script as it is now; NULL: it was not examined, or was changed since. */
const ExamState *exercise_exam_state(const App *app);
/* The exam's counterexample, when `spec` is its world; NULL: none. */
const char *exercise_moves(const App *app, const Spec *spec);
/* Hints asked for, the solution counting as one more. */
int exercise_hints(const App *app);
/* Translated: "not begun", "not passed yet: runs", "solved". */
const char *exercise_state_words(const App *app, const LessonVariant *variant, char *text, int size);

#endif
