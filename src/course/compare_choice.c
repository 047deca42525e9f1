#include "course/compare_choice.h"

#include <stdlib.h>
#include <string.h>

/* One way to sell from each of these lessons, where they are there. */
static const struct {
    const char *lesson, *variant;
} usual[] = {
    {"05", "lock-per-user"}, {"07", "set-nx-ex"}, {"09", "compare-and-delete"}, {"15", "hardened"}, {"16", "hardened"},
};
enum { USUAL = sizeof usual / sizeof *usual };

static const LessonVariant *last_mended(const Lesson *lesson)
{
    const LessonVariant *found = &lesson->variants[0];
    for (int i = 0; i < lesson->variant_count; i++)
        if (lesson->variants[i].mended) found = &lesson->variants[i];
    return found;
}

static const LessonVariant *stands_for(const Lesson *lesson)
{
    for (int i = 0; i < USUAL; i++) {
        const LessonVariant *variant =
            strcmp(usual[i].lesson, lesson->number) == 0 ? lesson_variant(lesson, usual[i].variant) : NULL;
        if (variant) return variant;
    }
    return last_mended(lesson);
}

static void add(CompareChoice *choice, const Lesson *lesson, const LessonVariant *variant)
{
    choice->lesson[choice->count] = lesson;
    choice->variant[choice->count++] = variant;
}

static void add_usual(const Course *course, CompareChoice *choice)
{
    for (int i = 0; i < USUAL; i++) {
        const Lesson *lesson = course_lesson(course, usual[i].lesson);
        if (lesson) add(choice, lesson, stands_for(lesson));
    }
}

static bool add_named(const Course *course, const char *name, CompareChoice *choice, Error *error)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    if (choice->count == COMPARE_ROWS)
        return error_set(error, _("At most %d variants stand side by side. Give fewer."), COMPARE_ROWS);
    if (!course_find(course, name, &lesson, &variant, error)) return false;
    if (!strchr(name, '/')) variant = stands_for(lesson);
    add(choice, lesson, variant);
    return true;
}

bool compare_choose(const Course *course, const char *const *names, int count, CompareChoice *choice, Error *error)
{
    *choice = (CompareChoice){.count = 0};
    if (count == 0) add_usual(course, choice);
    for (int i = 0; i < count; i++)
        if (!add_named(course, names[i], choice, error)) return false;
    return true;
}

bool compare_choose_line(const Course *course, const char *line, CompareChoice *choice, Error *error)
{
    const char *names[COMPARE_ROWS + 1];
    int count = 0;
    char *copy = strdup(line), *rest = copy;
    for (char *word; copy && count <= COMPARE_ROWS && (word = strsep(&rest, " "));)
        if (*word) names[count++] = word;
    bool chosen = copy && compare_choose(course, names, count, choice, error);
    free(copy);
    return chosen;
}

const LessonVariant *compare_chosen(const CompareChoice *choice, const Variant *code, const Lesson **lesson)
{
    for (int i = 0; i < choice->count; i++) {
        if (choice->variant[i]->code != code) continue;
        *lesson = choice->lesson[i];
        return choice->variant[i];
    }
    return NULL;
}
