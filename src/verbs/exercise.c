/* exercise.c -- a script that the learner mends, without a screen: listed, shown, checked, reset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/flow.h"
#include "verbs/exercise_print.h"
#include "verbs/verbs.h"

enum { SERVERS_MS = 60000, SLICE_MS = 100, COLUMNS = 76 };

/* What the command line asks for, and what it is about. */
typedef struct Task {
    const Options *options;
    Course *course;
    Progress *progress;
    const Lesson *lesson;
    LessonVariant *variant;
    Exercise *exercise;
} Task;

/* ---- the check ------------------------------------------------------------------------------- */

static int tell(const Task *task, const Checked *checked)
{
    const Exam *exam = checked->exam;
    if (exam->troubled) return verb_fail(EXIT_NO_SERVER, "%s", exam->trouble.text);
    int status = EXIT_AS_CLAIMED;
    if (task->options->given[OPTION_JSON])
        status = json_print(exercise_json(checked));
    else
        exercise_print(checked);
    if (status != EXIT_AS_CLAIMED) return status;
    return exam->passed ? EXIT_AS_CLAIMED : EXIT_NOT_AS_CLAIMED;
}

/* A file from elsewhere may be somebody else's: progress is about the learner's own copy. */
static void note(const Task *task, const Exam *exam)
{
    if (task->options->given[OPTION_SCRIPT] || exam->troubled) return;
    progress_note_checked(task->progress, task->lesson->name, task->variant->name,
                          exam->passed ? "passed" : exam_check_name(exam_failed(exam)));
    progress_save(task->progress);
}

static int check_on(const Task *task, Stores *stores, const OwnScript *own, const char *path)
{
    static ExamSpec spec;
    Error error;
    exercise_exam(task->variant, own, &spec);
    if (!stores_wait(stores, SERVERS_MS, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    Examiner *examiner = examiner_open(stores, &spec, &error);
    if (!examiner) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    while (examiner_slice(examiner, SLICE_MS)) {
    }
    Checked checked = {task->lesson, task->variant, own, path, examiner_result(examiner)};
    note(task, checked.exam);
    exercise_choose_world(task->variant, checked.exam->world);
    int status = tell(task, &checked);
    examiner_close(examiner);
    return status;
}

static int check(const Task *task)
{
    char path[EXERCISE_PATH];
    Error error;
    const char *file = task->options->text[OPTION_SCRIPT];
    if (!file && !exercise_begin(task->lesson, task->exercise, &error))
        return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    if (!file) file = exercise_path(task->lesson, task->exercise, path);
    const OwnScript *own = exercise_read(task->exercise, file, &error);
    if (!own || !exercise_put_on(task->variant, own, &error)) return verb_fail(EXIT_USAGE, "%s", error.text);
    Stores *stores = stores_open(NULL, task->options->text[OPTION_MYSQL], &error);
    if (!stores) return verb_fail(EXIT_USAGE, "%s", error.text);
    int status = check_on(task, stores, own, file);
    stores_close(stores);
    return status;
}

/* ---- what is shown --------------------------------------------------------------------------- */

static char *words_of(const Blocks *blocks)
{
    Flow flow = {0};
    char *text = NULL;
    size_t size = 0;
    flow_blocks(&flow, blocks->blocks, blocks->count, COLUMNS);
    FILE *file = open_memstream(&text, &size);
    if (file) {
        flow_print(&flow, file);
        fclose(file);
    }
    flow_free(&flow);
    return text ? text : strdup("");
}

static int show_text(const Task *task, const char *title, const char *text)
{
    if (task->options->given[OPTION_JSON])
        return json_print(json_pack("{s:s, s:s, s:s, s:s}", "lesson", task->lesson->name, "variant",
                                    task->variant->name, "shown", task->options->text[OPTION_SHOW], "text", text));
    if (title) printf("%s\n\n", title);
    printf("%s", text);
    return EXIT_AS_CLAIMED;
}

static int show_blocks(const Task *task, const char *title, const Blocks *blocks)
{
    char *text = words_of(blocks);
    int status = show_text(task, title, text);
    free(text);
    return status;
}

static const ExerciseText *exercise_words(const Task *task)
{
    return &task->exercise->text[i18n_language()];
}

/* Each time one more; after the last one the last one again. */
static int show_hint(const Task *task)
{
    char title[80];
    const char *lesson = task->lesson->name, *variant = task->variant->name;
    int hints = progress_hints(task->progress, lesson, variant);
    if (hints < EXERCISE_HINTS) progress_note_hints(task->progress, lesson, variant, ++hints);
    progress_save(task->progress);
    if (hints > EXERCISE_HINTS) hints = EXERCISE_HINTS;
    snprintf(title, sizeof title, _("Hint %d of %d"), hints, EXERCISE_HINTS);
    return show_blocks(task, title, &exercise_words(task)->hint[hints - 1]);
}

static int show_file(const Task *task, const char *name)
{
    Error error;
    char *text = exercise_text(name, &error);
    if (!text) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    int status = show_text(task, NULL, text);
    free(text);
    return status;
}

static int show_solution(const Task *task)
{
    progress_note_hints(task->progress, task->lesson->name, task->variant->name, EXERCISE_HINTS + 1);
    progress_save(task->progress);
    int status = show_file(task, task->exercise->solution);
    if (status != EXIT_AS_CLAIMED || task->options->given[OPTION_JSON]) return status;
    putchar('\n');
    return show_blocks(task, NULL, &exercise_words(task)->solution);
}

static int show(const Task *task)
{
    const char *what = task->options->text[OPTION_SHOW];
    if (strcmp(what, "hint") == 0) return show_hint(task);
    if (strcmp(what, "solution") == 0) return show_solution(task);
    if (strcmp(what, "script") == 0) return show_file(task, task->exercise->script);
    return show_blocks(task, variant_text(task->variant)->title, &exercise_words(task)->task);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int reset(const Task *task)
{
    Error error;
    char path[EXERCISE_PATH];
    if (!exercise_reset(task->lesson, task->exercise, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    progress_note_reset(task->progress, task->lesson->name, task->variant->name);
    progress_save(task->progress);
    exercise_path(task->lesson, task->exercise, path);
    if (task->options->given[OPTION_JSON])
        return json_print(json_pack("{s:s, s:s, s:s}", "lesson", task->lesson->name, "variant", task->variant->name,
                                    "file", path));
    printf(_("%s is the shipped script again.\n"), path);
    return EXIT_AS_CLAIMED;
}

static int list(const Task *task)
{
    if (task->options->given[OPTION_JSON]) return json_print(exercise_list_json(task->course, task->progress));
    exercise_list_print(task->course, task->progress);
    return EXIT_AS_CLAIMED;
}

static bool fits_together(const Options *options, Error *error)
{
    int asked = options->given[OPTION_SCRIPT] + options->given[OPTION_SHOW] + options->given[OPTION_RESET];
    if (asked > 1)
        return error_set(error, "%s", _("Of --script, --show and --reset only one can be done at a time."));
    if (options->words < 2 && asked > 0)
        return error_set(error, "%s", _("Which exercise? Name its lesson; seckill-lab exercise lists them."));
    if (options->text[OPTION_REDIS])
        return error_set(error, "%s",
                         _("Exercises use the private Redis only: leave --redis and SECKILL_LAB_REDIS out."));
    return true;
}

static int do_task(Task *task)
{
    Error error;
    if (task->options->words < 2) return list(task);
    if (!exercise_find(task->course, task->options->word[1], &task->lesson, &task->variant, &error))
        return verb_fail(EXIT_USAGE, "%s", error.text);
    task->exercise = task->variant->exercise;
    if (task->options->text[OPTION_SHOW]) return show(task);
    return task->options->given[OPTION_RESET] ? reset(task) : check(task);
}

int verb_exercise(const Options *options)
{
    Error error;
    if (!fits_together(options, &error)) return verb_fail(EXIT_USAGE, "%s", error.text);
    Task task = {.options = options, .course = course_load(&error)};
    if (!task.course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    task.progress = progress_load();
    int status = do_task(&task);
    progress_free(task.progress);
    course_free(task.course);
    return status;
}
