/* crash_print.h -- a crash table, for people and as JSON. */
#ifndef VERBS_CRASH_PRINT_H
#define VERBS_CRASH_PRINT_H

#include "course/course.h"
#include "engine/crash_table.h"
#include "verbs/json.h"

void crash_print(const Lesson *lesson, const LessonVariant *variant, const CrashTable *table);
/* The names are a contract: add, do not rename. The caller's (json_decref); NULL without memory. */
json_t *crash_json(const Lesson *lesson, const LessonVariant *variant, const CrashTable *table);

#endif
