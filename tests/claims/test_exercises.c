/* Every exercise of the course, whatever it is about: the solution passes, the script as it is shipped does not, and
 * neither does an empty one. Prints TAP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/exercise.h"
#include "tests/claims/lab.h"

enum { SLICE_MS = 100 };

/* One case; what the exam saw is told when it is not as it should be. */
static void result(bool fine, const Lesson *lesson, const LessonVariant *variant, const char *what, const Exam *exam)
{
    char name[200];
    Text trouble = {0};
    snprintf(name, sizeof name, "%s/%s: %s", lesson->name, variant->name, what);
    if (!fine) {
        text_format(&trouble, "%s\n%s\n", exam->trouble.text, exam->error);
        for (int i = 0; i < EXAM_CHECKS; i++)
            text_format(&trouble, "%s: %d %s\n", exam_check_name((ExamCheck)i), exam->mark[i], exam->detail[i]);
    }
    lab_case(name, &trouble);
}

/* Examines a text in the script's place. */
static Exam examine(const LessonVariant *variant, const char *text)
{
    static OwnScript own;
    static ExamSpec spec;
    Exam exam = {.troubled = true};
    memset(&own, 0, sizeof own);
    own.keys = variant->exercise->keys;
    snprintf(own.name, sizeof own.name, "%s", variant->exercise->script);
    snprintf(own.text, sizeof own.text, "%s", text);
    exercise_exam(variant, own_script_keep(&own), &spec);
    Examiner *examiner = examiner_open(lab_stores(), &spec, &exam.trouble);
    if (!examiner) return exam;
    while (examiner_slice(examiner, SLICE_MS)) {
    }
    exam = *examiner_result(examiner);
    examiner_close(examiner);
    return exam;
}

static Exam examine_file(const LessonVariant *variant, const char *name)
{
    Exam exam = {.troubled = true};
    char *text = exercise_text(name, &exam.trouble);
    if (text) exam = examine(variant, text);
    free(text);
    return exam;
}

static void test_exercise(const Lesson *lesson, const LessonVariant *variant)
{
    Exam exam = examine_file(variant, variant->exercise->solution);
    result(!exam.troubled && exam.passed && exam.schedules > 0, lesson, variant, "the solution passes", &exam);
    exam = examine_file(variant, variant->exercise->script);
    result(!exam.troubled && !exam.passed, lesson, variant, "as it is shipped it does not pass", &exam);
    result(!exam.troubled && (exam.error[0] || exam_has_counterexample(&exam)), lesson, variant,
           "Redis or a schedule shows why", &exam);
    exam = examine(variant, "");
    result(!exam.troubled && !exam.passed && exam.mark[EXAM_LOADS] == EXAM_PASSED, lesson, variant,
           "an empty script does not pass", &exam);
}

int main(void)
{
    Error error = {""};
    const Lesson *lesson;
    const LessonVariant *variant;
    lab_stores();
    Course *course = course_load(&error);
    if (!course) {
        printf("Bail out! %s\n", error.text);
        return 1;
    }
    for (int i = 0; (variant = exercise_at(course, i, &lesson)); i++) test_exercise(lesson, variant);
    course_free(course);
    return lab_done();
}
