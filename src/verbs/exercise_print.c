#include "verbs/exercise_print.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"

const char *exercise_shortest(const Checked *checked, char text[SCHEDULE_TEXT])
{
    static Schedule schedule;
    text[0] = '\0';
    if (!exam_has_counterexample(checked->exam)) return text;
    exploration_schedule(&checked->exam->explored, &checked->exam->explored.best, &schedule);
    return schedule_text_write(checked->lesson, checked->variant, &checked->exam->explored.spec, &schedule, text);
}

/* ---- the check ------------------------------------------------------------------------------- */

static void print_check(const Exam *exam, ExamCheck check)
{
    static const char *const signs[] = {[EXAM_OPEN] = "?", [EXAM_PASSED] = "=", [EXAM_FAILED] = "x",
                                        [EXAM_LEFT_OUT] = "-"};
    char name[40];
    text_pad(name, sizeof name, exam_check_name(check), 9, TEXT_LEFT);
    printf("  %s %s %s\n", signs[exam->mark[check]], name, exam_check_words(check));
    if (exam->detail[check][0]) printf("              %s\n", exam->detail[check]);
}

static void print_races(const Exam *exam)
{
    for (int i = 0; i < EXAM_RACES; i++) {
        const ExamRace *race = &exam->race[i];
        if (!race->done || exam->mark[EXAM_SELLS] != EXAM_PASSED) continue;
        printf("              ");
        printf(_("%d buyers, %ld in stock: %ld sold\n"), race->users, race->stock, race->sold);
    }
}

static void print_error(const Checked *checked)
{
    const Exam *exam = checked->exam;
    char line[200];
    if (!exam->error[0]) return;
    printf("\n%s\n  %s\n", _("Redis says:"), exam->error);
    if (exam->error_line > 0)
        printf("  %s:%d: %s\n", checked->path, exam->error_line,
               own_script_line(checked->own, exam->error_line, line, sizeof line));
}

static void print_explored(const Checked *checked)
{
    const Exam *exam = checked->exam;
    char line[SCHEDULE_TEXT];
    if (exam->schedules == 0) return;
    printf("\n");
    printf(ngettext("%ld schedule run, which stands for %.0f.", "%ld schedules run, which stand for %.0f.",
                    (unsigned long)exam->schedules),
           exam->schedules, exam->unpruned);
    printf("\n");
    for (int i = 0; i < EXAM_WORLDS; i++)
        if (exam->covers[i][0]) printf("  %s\n", exam->covers[i]);
    if (!exam_has_counterexample(exam)) return;
    printf(ngettext("Shortest schedule that breaks something: %d switch",
                    "Shortest schedule that breaks something: %d switches",
                    (unsigned long)exam->explored.best.preemptions),
           exam->explored.best.preemptions);
    printf("\n%s\n", exercise_shortest(checked, line));
}

void exercise_print(const Checked *checked)
{
    const Exam *exam = checked->exam;
    printf("%s %s  %s\n", checked->lesson->number, lesson_text(checked->lesson)->title, checked->variant->name);
    printf(_("Checked: %s\n\n"), checked->path);
    for (int i = 0; i < EXAM_CHECKS; i++) {
        print_check(exam, (ExamCheck)i);
        if (i == EXAM_SELLS) print_races(exam);
    }
    print_error(checked);
    print_explored(checked);
    printf("\n");
    if (exam->passed)
        printf(_("Passed, in %.1f s.\n"), exam->seconds);
    else
        printf(_("Not passed: %s.\n"), exam_trouble_words(exam));
}

/* ---- the list -------------------------------------------------------------------------------- */

static const char *state_words(const Progress *progress, const Lesson *lesson, const LessonVariant *variant)
{
    if (progress_solved(progress, lesson->name, variant->name)) return _("solved");
    return progress_checked(progress, lesson->name, variant->name)[0] ? _("not passed yet") : _("not begun");
}

void exercise_list_print(const Course *course, const Progress *progress)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    for (int i = 0; (variant = exercise_at(course, i, &lesson)); i++) {
        char name[160], path[EXERCISE_PATH], shown[EXERCISE_PATH];
        snprintf(name, sizeof name, "%s/%s", lesson->name, variant->name);
        printf("%s %s  %s\n", lesson->number, name, state_words(progress, lesson, variant));
        exercise_path(lesson, variant->exercise, path);
        printf("    %s\n", exercise_path_short(path, shown));
    }
}
