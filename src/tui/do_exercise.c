#include "tui/do_exercise.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/editor.h"
#include "tui/popup.h"
#include "tui/view_exercise.h"

static struct {
    bool asked;        /* for an exam, and its end was not seen yet */
    unsigned serial;   /* of the exam that was there then */
    char moves[SCHEDULE_TEXT];
} wanted;

/* The course is the console's own; only views see it as const. */
static LessonVariant *variant_of(const App *app)
{
    return &app->course->lessons[app_lesson_index(app)].variants[app_variant_index(app)];
}

/* ---- how things stand ------------------------------------------------------------------------ */

bool can_exercise(const App *app)
{
    return app->variant->exercise != NULL;
}

bool exercise_is_on(const App *app)
{
    return app->variant->exercise && app->variant->exercise->put_on;
}

bool exercise_stays(ViewId view)
{
    static const unsigned views_of_it = IN(EXERCISE) | IN(STEP) | IN(EXPLORE) | IN(CRASH) | IN(HELP);
    return views_of_it >> view & 1;
}

bool exercise_runs(const App *app)
{
    return app->view.exam && app->view.exam->running;
}

const ExamState *exercise_exam_state(const App *app)
{
    const ExamState *exam = app->view.exam;
    if (!exam || !exercise_is_on(app) || app->pending == PENDING_EXAM) return NULL;
    if (wanted.asked && exam->serial == wanted.serial) return NULL;
    return exam->own == app->variant->small.own && exam->variant == app->variant->code ? exam : NULL;
}

int exercise_hints(const App *app)
{
    return progress_hints(app->progress, app->lesson->name, app->variant->name);
}

bool can_edit(const App *app)
{
    return can_exercise(app) && !exercise_runs(app);
}

bool can_check(const App *app)
{
    return can_exercise(app) && !exercise_runs(app) && !app_race_on(app);
}

bool has_more_hints(const App *app)
{
    return can_exercise(app) && exercise_hints(app) < EXERCISE_HINTS;
}

bool has_solution(const App *app)
{
    return can_exercise(app) && exercise_hints(app) == EXERCISE_HINTS;
}

bool has_counterexample(const App *app)
{
    const ExamState *state = exercise_exam_state(app);
    return state && !state->running && exam_has_counterexample(&state->exam);
}

bool can_step_script(const App *app)
{
    return can_check(app) && !has_counterexample(app);
}

const char *exercise_state_words(const App *app, const LessonVariant *variant, char *text, int size)
{
    const char *lesson = app->lesson->name, *checked = progress_checked(app->progress, lesson, variant->name);
    bool solved = progress_solved(app->progress, lesson, variant->name);
    if (solved)
        snprintf(text, (size_t)size, "%s", _("solved"));
    else if (checked[0])
        snprintf(text, (size_t)size, _("not passed yet: %s"), checked);
    else
        snprintf(text, (size_t)size, "%s", _("not begun"));
    return text;
}

/* ---- the script ------------------------------------------------------------------------------ */

void exercise_put_away(App *app)
{
    if (!exercise_is_on(app)) return;
    if (exercise_runs(app)) lab_exam_stop(app->lab);
    wanted.asked = false;
    if (app->pending == PENDING_EXAM) app->pending = PENDING_NOTHING;
    exercise_take_off(variant_of(app));
}

/* Reads the copy as it is now, and puts it in place. */
static bool read_copy(App *app)
{
    Error error;
    char path[EXERCISE_PATH];
    LessonVariant *variant = variant_of(app);
    const OwnScript *own = NULL;
    if (exercise_begin(app->lesson, variant->exercise, &error))
        own = exercise_read(variant->exercise, exercise_path(app->lesson, variant->exercise, path), &error);
    if (own && exercise_put_on(variant, own, &error)) return true;
    app_say(app, STYLE_WARN, "%s", error.text);
    return false;
}

void do_exercise(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    if (app_race_on(app)) {
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
        return;
    }
    if (!read_copy(app)) return;
    if (app->shown != VIEW_EXERCISE) view_exercise_start();
    app_show(app, VIEW_EXERCISE);
}

void do_edit(App *app, int ignored)
{
    (void)ignored;
    Error error;
    char path[EXERCISE_PATH];
    popup_close();
    if (!read_copy(app)) return;
    const OwnScript *before = app->variant->small.own;
    bool edited = editor_run(exercise_path(app->lesson, app->variant->exercise, path), &error);
    if (!edited) app_say(app, STYLE_WARN, "%s", error.text);
    if (!read_copy(app) || !edited) return;
    if (app->variant->small.own != before)
        do_check(app, 0);
    else
        app_say(app, STYLE_QUIET, "%s", _("Nothing was changed. r checks the script as it is."));
}

void do_exercise_reset(App *app, int ignored)
{
    (void)ignored;
    Error error;
    popup_close();
    if (!exercise_reset(app->lesson, app->variant->exercise, &error)) {
        app_say(app, STYLE_WARN, "%s", error.text);
        return;
    }
    progress_note_reset(app->progress, app->lesson->name, app->variant->name);
    progress_save(app->progress);
    view_exercise_start();
    if (read_copy(app))
        app_say(app, STYLE_ACCENT, _("The shipped script again. Yours is kept beside it: %s.old"),
                app->variant->exercise->script);
}

/* ---- the check ------------------------------------------------------------------------------- */

void do_check(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    if (app_server_down(app)) {
        app_say(app, STYLE_WARN, "%s", _("A server is down: R starts it again."));
        return;
    }
    if (!read_copy(app)) return;
    app_show(app, VIEW_EXERCISE);
    view_exercise_to_result();
    wanted.asked = true;
    wanted.serial = app->view.exam ? app->view.exam->serial : 0;
    app_pend(app, PENDING_EXAM);
}

void exercise_send(App *app)
{
    static ExamSpec spec;
    if (!exercise_is_on(app)) return;
    wanted.serial = app->view.exam ? app->view.exam->serial : 0;
    exercise_exam(app->variant, app->variant->small.own, &spec);
    lab_exam(app->lab, &spec);
}

static void note(App *app, const Exam *exam)
{
    progress_note_checked(app->progress, app->lesson->name, app->variant->name,
                          exam->passed ? "passed" : exam_check_name(exam_failed(exam)));
    progress_save(app->progress);
}

void exercise_take(App *app)
{
    const ExamState *state = app->view.exam;
    if (!wanted.asked || !state || app->pending == PENDING_EXAM) return;
    if (state->serial == wanted.serial || state->running) return;
    wanted.asked = false;
    if (state->stopped || state->exam.troubled || !exercise_exam_state(app)) return;
    note(app, &state->exam);
    if (app->shown != VIEW_EXERCISE) return;
    if (has_counterexample(app)) do_counterexample(app, 0);
}

/* ---- the counterexample ---------------------------------------------------------------------- */

const char *exercise_moves(const App *app, const Spec *spec)
{
    static char text[SCHEDULE_TEXT];
    static Schedule schedule;
    if (!has_counterexample(app)) return NULL;
    const Exploration *explored = &exercise_exam_state(app)->exam.explored;
    const Spec *world = &explored->spec;
    if (spec->own != world->own || spec->users != world->users || spec->stock != world->stock ||
        spec->requests != world->requests || spec->nodes != world->nodes)
        return NULL;
    exploration_schedule(explored, &explored->best, &schedule);
    return schedule_write(&schedule, text, sizeof text);
}

/* Redis's own words lie over the schedule, until they are put away. */
static void show_error(const App *app, const Exam *exam)
{
    char text[900], line[200], where[EXERCISE_PATH], path[EXERCISE_PATH];
    if (!exam->error[0]) return;
    int used = snprintf(text, sizeof text, "%s\n", exam->error);
    if (exam->error_line > 0)
        snprintf(text + used, sizeof text - (size_t)used, "%.300s:%d: %s\n",
                 exercise_path_short(exercise_path(app->lesson, app->variant->exercise, path), where),
                 exam->error_line, own_script_line(app->variant->small.own, exam->error_line, line, sizeof line));
    popup_open(_("Redis says"), text, true);
}

void do_counterexample(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    if (!has_counterexample(app)) return;
    const Exam *exam = &exercise_exam_state(app)->exam;
    const Spec spec = exam->explored.spec;
    exercise_choose_world(variant_of(app), exam->world);
    const char *moves = exercise_moves(app, &spec);
    if (!moves) return;
    snprintf(wanted.moves, sizeof wanted.moves, "%s", moves);
    small_step(app, &spec, wanted.moves);
    show_error(app, exam);
    app_say(app, STYLE_WARN, _("Not passed: %s. u goes back, Esc to the exercise."), exam_trouble_words(exam));
}

/* ---- hints ----------------------------------------------------------------------------------- */

void do_more_hints(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    progress_note_hints(app->progress, app->lesson->name, app->variant->name, exercise_hints(app) + 1);
    progress_save(app->progress);
    view_exercise_to_hints();
}
