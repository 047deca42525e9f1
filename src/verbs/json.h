/* json.h -- JSON as the verbs print it: one object on stdout. */
#ifndef VERBS_JSON_H
#define VERBS_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "engine/invariant.h"

/* Prints the object and frees it. Returns the exit status: 0, or 3 with a line on stderr. */
int json_print(json_t *object);
/* A number, or null where it does not apply. */
json_t *json_number_or_null(bool applies, long number);
/* A text, or null when it is empty. */
json_t *json_text_or_null(const char *text);
/* Rounded to `digits` behind the point: measured values carry no more than they know. */
json_t *json_rounded(double number, int digits);
/* {NAME: {"ok": true|false|null, "detail": ...}}: null, when it was not judged or could not be said. */
json_t *json_verdicts(const Verdict verdict[INVARIANT_COUNT]);

#endif
