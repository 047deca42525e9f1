/* error.h -- one line that says what went wrong and what to do next.
 *
 * A function that can fail takes an `Error *` last and returns false (or NULL).
 * The text is translated, one line, without a full path of errno numbers and without
 * secrets: it is shown to the learner as it is. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

typedef struct Error {
    char text[400];
} Error;

/* Fills `error` (may be NULL) and returns false, so that `return error_set(...)` reads well. */
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
