/* test_compare.c -- the comparison without a screen, on real servers: every sum must come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { USERS = 60, REQUESTS = 2, STOCK = 25 };

static json_t *compare(const char *names, int *status)
{
    char command[600];
    json_error_t error;
    snprintf(command, sizeof command, "\"$LAB\" compare %s --users %d --requests %d --stock %d --json </dev/null", names,
             USERS, REQUESTS, STOCK);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    json_t *object = json_loadf(output, 0, &error);
    int ended = pclose(output);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    if (!object) print_error("%s\n", error.text);
    return object;
}

static json_t *member(json_t *object, const char *name)
{
    json_t *found = json_object_get(object, name);
    if (!found) fail_msg("no member %s", name);
    return found;
}

static long whole(json_t *object, const char *name)
{
    return (long)json_integer_value(member(object, name));
}

static double number(json_t *object, const char *name)
{
    return json_number_value(member(object, name));
}

static const char *text(json_t *object, const char *name)
{
    return json_string_value(member(object, name));
}

static void assert_near(double a, double b, double share)
{
    if (fabs(a - b) > share * (fabs(b) + 1e-9)) fail_msg("%f is not %f", a, b);
}

static void check_row(json_t *row, json_t *first)
{
    long told = 0, orders = whole(row, "orders");
    const char *name;
    json_t *count;
    json_object_foreach(member(row, "answers"), name, count) told += (long)json_integer_value(count);
    assert_int_equal(told, USERS * REQUESTS);
    assert_int_equal(orders, STOCK);
    assert_int_equal(whole(row, "stored"), STOCK);
    assert_int_equal(whole(member(row, "answers"), "ordered"), STOCK);
    assert_true(json_is_true(member(row, "complete")));
    assert_true(json_is_true(member(row, "counted")));
    assert_near(number(row, "throughput") * number(row, "seconds"), USERS * REQUESTS, 0.01);
    assert_near(number(row, "sql_per_order") * (double)orders, (double)whole(row, "sql_statements"), 0.001);
    assert_near(number(row, "redis_per_order") * (double)orders, (double)whole(row, "redis_commands"), 0.001);
    assert_true(number(row, "p50_ms") <= number(row, "p99_ms"));
    assert_true(number(row, "p99_ms") <= number(row, "max_ms"));
    assert_true(number(row, "yes_ms") > 0 && number(row, "yes_ms") <= number(row, "seconds") * 1000 + 0.01);
    assert_true(number(row, "stored_ms") > 0);
    json_t *ratio;
    json_object_foreach(member(row, "ratio"), name, ratio)
        assert_near(json_number_value(ratio), number(row, name) / number(first, name), 0.01);
}

/* Locks of three kinds around one and the same transaction: the statements are as many, only Redis has more to
 * do. Told is told after the row was stored. */
static void locks_side_by_side(void **state)
{
    (void)state;
    int status;
    json_t *object = compare("05/lock-per-user 07/set-nx-ex 09/compare-and-delete", &status);
    assert_non_null(object);
    assert_int_equal(status, 0);
    assert_int_equal(whole(object, "users"), USERS);
    assert_int_equal(whole(object, "requests"), REQUESTS);
    assert_int_equal(whole(object, "stock"), STOCK);
    assert_int_equal(whole(object, "nodes"), 1);
    json_t *rows = member(object, "rows"), *first = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(text(first, "lesson"), "local-lock");
    assert_string_equal(text(json_array_get(rows, 2), "variant"), "compare-and-delete");
    for (size_t i = 0; i < 3; i++) {
        json_t *row = json_array_get(rows, i);
        check_row(row, first);
        assert_int_equal(json_array_size(member(row, "broken")), 0);
        assert_int_equal(whole(row, "sql_statements"), whole(first, "sql_statements"));
        assert_true(number(row, "stored_ms") <= number(row, "yes_ms"));
    }
    assert_int_equal(whole(first, "redis_commands"), STOCK); /* a number for each order */
    for (size_t i = 1; i < 3; i++) /* and a lock taken and given back for each request */
        assert_int_equal(whole(json_array_get(rows, i), "redis_commands"), STOCK + 2 * USERS * REQUESTS);
    json_decref(object);
}

/* A script that always fails midway: it sells nothing and takes more than there was, which nobody claims. There
 * is no number where nothing was sold. */
static void a_broken_one(void **state)
{
    (void)state;
    int status;
    json_t *object = compare("05 09/script-fails-midway", &status);
    assert_non_null(object);
    assert_int_equal(status, 1);
    json_t *rows = member(object, "rows"), *row = json_array_get(rows, 1), *broken = member(row, "broken");
    assert_string_equal(text(json_array_get(rows, 0), "variant"), "lock-per-user");
    assert_int_equal(json_array_size(broken), 3);
    assert_string_equal(json_string_value(json_array_get(broken, 0)), "no-oversell");
    assert_true(json_is_false(member(row, "as_claimed")));
    assert_true(json_is_true(member(json_array_get(rows, 0), "as_claimed")));
    assert_true(json_is_false(member(member(member(row, "invariants"), "books-balance"), "ok")));
    assert_int_equal(whole(row, "orders"), 0);
    assert_int_equal(whole(row, "redis_commands"), USERS * REQUESTS);
    static const char *const none[] = {"stored_ms", "yes_ms", "sql_per_order", "redis_per_order"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_true(json_is_null(member(row, none[i])));
    assert_true(json_is_null(member(member(row, "ratio"), "stored_ms")));
    assert_true(number(member(row, "ratio"), "throughput") > 0);
    json_decref(object);
}

/* Without names: the way from a lock in one process on. Each of them keeps what every sale must keep. */
static void the_usual_ones(void **state)
{
    (void)state;
    int status;
    json_t *object = compare("", &status);
    assert_non_null(object);
    assert_int_equal(status, 0);
    json_t *rows = member(object, "rows"), *first = json_array_get(rows, 0);
    assert_true(json_array_size(rows) >= 3);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i), *invariants = member(row, "invariants");
        check_row(row, first);
        static const char *const kept[] = {"no-oversell", "no-undersell", "one-per-user", "books-balance", "answer-true"};
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (!json_is_true(member(member(invariants, kept[k]), "ok")))
                fail_msg("%s: %s", text(row, "variant"), kept[k]);
    }
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_side_by_side),
        cmocka_unit_test(a_broken_one),
        cmocka_unit_test(the_usual_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
