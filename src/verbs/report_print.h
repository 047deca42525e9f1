/* report_print.h -- the report of a race as a short text for people. */
#ifndef VERBS_REPORT_PRINT_H
#define VERBS_REPORT_PRINT_H

#include "course/course.h"
#include "engine/report.h"

void report_print(const Lesson *lesson, const LessonVariant *variant, const Report *report);

#endif
