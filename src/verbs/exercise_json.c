#include <unistd.h>

#include "verbs/exercise_print.h"

static json_t *mark_json(ExamMark mark)
{
    if (mark == EXAM_PASSED || mark == EXAM_FAILED) return json_boolean(mark == EXAM_PASSED);
    return json_null();
}

static json_t *checks_json(const Exam *exam)
{
    json_t *checks = json_object();
    for (int i = 0; i < EXAM_CHECKS; i++)
        json_object_set_new(checks, exam_check_name((ExamCheck)i),
                            json_pack("{s:o, s:o}", "passed", mark_json(exam->mark[i]), "detail",
                                      json_text_or_null(exam->detail[i])));
    return checks;
}

static json_t *error_json(const Checked *checked)
{
    const Exam *exam = checked->exam;
    char line[200] = "";
    if (!exam->error[0]) return json_null();
    if (exam->error_line > 0) own_script_line(checked->own, exam->error_line, line, sizeof line);
    return json_pack("{s:s, s:o, s:o}", "text", exam->error, "line",
                     json_number_or_null(exam->error_line > 0, exam->error_line), "source", json_text_or_null(line));
}

static json_t *races_json(const Exam *exam)
{
    json_t *races = json_array();
    for (int i = 0; i < EXAM_RACES; i++) {
        const ExamRace *race = &exam->race[i];
        if (!race->done) continue;
        json_array_append_new(races, json_pack("{s:i, s:I, s:I, s:I}", "users", race->users, "stock",
                                               (json_int_t)race->stock, "wanted", (json_int_t)race->wanted, "sold",
                                               (json_int_t)race->sold));
    }
    return races;
}

static json_t *broken_json(const Exam *exam)
{
    json_t *names = json_array();
    for (int i = 0; exam_has_counterexample(exam) && i < INVARIANT_COUNT; i++)
        if (exam->explored.best.broken >> i & 1)
            json_array_append_new(names, json_string(invariant_name((Invariant)i)));
    return names;
}

static json_t *covers_json(const Exam *exam)
{
    json_t *covers = json_array();
    for (int i = 0; i < EXAM_WORLDS; i++)
        if (exam->covers[i][0]) json_array_append_new(covers, json_string(exam->covers[i]));
    return covers;
}

static json_t *stopped_json(OwnStop stopped)
{
    static const char *const names[] = {[OWN_KILLED] = "script-killed",
                                        [OWN_SERVER_ENDED] = "server-ended",
                                        [OWN_STUCK] = "server-killed",
                                        [OWN_DIED] = "server-died"};
    return stopped == OWN_RUNS ? json_null() : json_string(names[stopped]);
}

json_t *exercise_json(const Checked *checked)
{
    const Exam *exam = checked->exam;
    char line[SCHEDULE_TEXT];
    bool found = exam_has_counterexample(exam);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:b}", "lesson", checked->lesson->name, "variant",
                               checked->variant->name, "script", checked->own->name, "file", checked->path, "passed",
                               exam->passed);
    if (!object) return NULL;
    json_object_set_new(object, "failed",
                        exam->passed ? json_null() : json_string(exam_check_name(exam_failed(exam))));
    json_object_set_new(object, "checks", checks_json(exam));
    json_object_set_new(object, "error", error_json(checked));
    json_object_set_new(object, "stopped", stopped_json(exam->stopped));
    json_object_set_new(object, "races", races_json(exam));
    json_object_set_new(object, "schedules", json_integer(exam->schedules));
    json_object_set_new(object, "unpruned", json_real(exam->unpruned));
    json_object_set_new(object, "covers", covers_json(exam));
    json_object_set_new(object, "violates", broken_json(exam));
    json_object_set_new(object, "shortest", json_text_or_null(exercise_shortest(checked, line)));
    json_object_set_new(object, "preemptions", json_number_or_null(found, exam->explored.best.preemptions));
    json_object_set_new(object, "seconds", json_rounded(exam->seconds, 3));
    return object;
}

json_t *exercise_list_json(const Course *course, const Progress *progress)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    json_t *list = json_array();
    for (int i = 0; (variant = exercise_at(course, i, &lesson)); i++) {
        char path[EXERCISE_PATH];
        exercise_path(lesson, variant->exercise, path);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:o, s:i}", "lesson", lesson->name, "variant",
                            variant->name, "script", variant->exercise->script, "file", path, "begun",
                            access(path, F_OK) == 0, "solved",
                            progress_solved(progress, lesson->name, variant->name), "checked",
                            json_text_or_null(progress_checked(progress, lesson->name, variant->name)), "hints",
                            progress_hints(progress, lesson->name, variant->name)));
    }
    return json_pack("{s:o}", "exercises", list);
}
