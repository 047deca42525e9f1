/* compare_print.h -- the comparison, as a table for people and as JSON. */
#ifndef VERBS_COMPARE_PRINT_H
#define VERBS_COMPARE_PRINT_H

#include "course/compare_choice.h"
#include "verbs/json.h"

/* The world and the heads of the columns; then a row each, as soon as its race is over; then what it all means. */
void compare_print_head(const CompareChoice *choice, const Comparison *comparison);
void compare_print_row(const CompareChoice *choice, const Comparison *comparison, int row);
void compare_print_end(const CompareChoice *choice, const Comparison *comparison);

/* The caller's (json_decref); NULL without memory. The names are a contract: add, do not rename. */
json_t *compare_json(const CompareChoice *choice, const Comparison *comparison);

#endif
