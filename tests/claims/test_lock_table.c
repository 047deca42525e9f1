/* test_lock_table.c -- the table of kinds and strategies, made by `locks --json` on a real Redis: every row's
 * outcome, and that whoever waits has waited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static json_t *table;

static int make_table(void **state)
{
    (void)state;
    json_error_t error;
    FILE *output = popen("\"$LAB\" locks --json </dev/null", "r");
    if (!output) return -1;
    table = json_loadf(output, 0, &error);
    int ended = pclose(output);
    if (!table) print_error("%s\n", error.text);
    return table && WIFEXITED(ended) && WEXITSTATUS(ended) == 0 ? 0 : -1;
}

static int free_table(void **state)
{
    (void)state;
    json_decref(table);
    return 0;
}

typedef struct Expected {
    const char *strategy, *call, *outcome, *error; /* of every kind but the read lock */
    double least_ms;
} Expected;

static const Expected expected[] = {
    {"skip-fast", "tryLock(0, -1)", "skipped", NULL, 0},
    {"fail-fast", "tryLock(0, -1)", "failed", "too many requests", 0},
    {"skip-after-timeout", "tryLock(1000, -1)", "skipped", NULL, 990},
    {"fail-after-timeout", "tryLock(1000, -1)", "failed", "the wait is over", 990},
    {"keep-trying", "lock(-1)", "locked", NULL, 1400}, /* the holder's clock began a little earlier */
};

static const char *const kinds[] = {"reentrant", "fair", "read", "write"};

static const char *text(json_t *row, const char *name)
{
    json_t *found = json_object_get(row, name);
    if (!found) fail_msg("no member %s", name);
    return json_string_value(found);
}

static void check_row(json_t *row, const char *kind, const Expected *wanted)
{
    bool shares = strcmp(kind, "read") == 0;
    const char *error = shares ? NULL : wanted->error;
    double waited = json_number_value(json_object_get(row, "waited_ms"));
    assert_string_equal(text(row, "kind"), kind);
    assert_string_equal(text(row, "strategy"), wanted->strategy);
    assert_string_equal(text(row, "call"), wanted->call);
    assert_string_equal(text(row, "outcome"), shares ? "locked" : wanted->outcome);
    assert_true(json_is_true(json_object_get(row, "as_claimed")));
    if (error)
        assert_string_equal(text(row, "error"), error);
    else
        assert_true(json_is_null(json_object_get(row, "error")));
    if (!shares && waited < wanted->least_ms) fail_msg("%s %s waited %f ms", kind, wanted->strategy, waited);
}

static void every_row(void **state)
{
    (void)state;
    json_t *rows = json_object_get(table, "rows");
    assert_int_equal(json_array_size(rows), 20);
    assert_int_equal(json_integer_value(json_object_get(table, "wait_ms")), 1000);
    assert_int_equal(json_integer_value(json_object_get(table, "hold_ms")), 1500);
    for (size_t i = 0; i < 20; i++) check_row(json_array_get(rows, i), kinds[i / 5], &expected[i % 5]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, make_table, free_table);
}
