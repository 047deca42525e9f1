/* compare_choice.h -- which variants are held against each other. */
#ifndef COURSE_COMPARE_CHOICE_H
#define COURSE_COMPARE_CHOICE_H

#include "course/course.h"
#include "engine/compare.h"

typedef struct CompareChoice {
    const Lesson *lesson[COMPARE_ROWS];
    const LessonVariant *variant[COMPARE_ROWS];
    int count;
} CompareChoice;

/* "LESSON[/VARIANT]" each; a lesson alone stands for its way to sell: the one of the table in the .c file, else
 * its last mended variant, else its first. No names at all: the way from a lock in one process to the queues.
 * False with a line. */
bool compare_choose(const Course *course, const char *const *names, int count, CompareChoice *choice, Error *error);
/* The same from one line, with blanks between the names. */
bool compare_choose_line(const Course *course, const char *line, CompareChoice *choice, Error *error);
/* The variant of that code; NULL when it is not chosen. */
const LessonVariant *compare_chosen(const CompareChoice *choice, const Variant *code, const Lesson **lesson);

#endif
