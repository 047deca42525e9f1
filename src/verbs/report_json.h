/* report_json.h -- the report of a race as JSON. The names are a contract: add, do not rename. */
#ifndef VERBS_REPORT_JSON_H
#define VERBS_REPORT_JSON_H

#include "course/course.h"
#include "engine/report.h"
#include "verbs/json.h"

/* The caller's (json_decref); NULL without memory. */
json_t *report_json(const Lesson *lesson, const LessonVariant *variant, const Report *report);

#endif
