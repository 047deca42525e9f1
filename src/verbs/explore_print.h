/* explore_print.h -- what an exploration came to, for people and as JSON. */
#ifndef VERBS_EXPLORE_PRINT_H
#define VERBS_EXPLORE_PRINT_H

#include "course/course.h"
#include "engine/explore.h"
#include "verbs/json.h"

void explore_print(const Lesson *lesson, const LessonVariant *variant,
                   const Exploration *exploration);
/* The names are a contract: add, do not rename. The caller's (json_decref); NULL without memory. */
json_t *explore_json(const Lesson *lesson, const LessonVariant *variant,
                     const Exploration *exploration);

#endif
