/* test_engine_refusal.c -- what Redis says when a script fails, kept in a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "engine/refusal.h"
#include "engine/step_kind.h"
#include "store/status.h"

static void check(const char *said, const char *words)
{
    char text[120];
    assert_string_equal(refusal_words(refusal_code(said), text, sizeof text), words);
}

/* As servers of 7.0 and of 6.0 say it. */
static void names_line_and_reason(void **state)
{
    (void)state;
    check("ERR user_script:6: attempt to compare string with number script: 5f1c, on @user_script:6.",
          "line 6: attempt to compare string with number");
    check("ERR Error running script (call to f_ab): @user_script:12: user_script:12: attempt to compare "
          "nil with number",
          "line 12: attempt to compare nil with number");
    check("ERR Unknown Redis command called from script script: 5f1c, on @user_script:7.",
          "line 7: Unknown Redis command called from script");
}

static void does_without_a_line(void **state)
{
    (void)state;
    check("ERR value is not an integer or out of range", "value is not an integer or out of range");
    check("WRONGTYPE Operation against a key holding the wrong kind of value",
          "Operation against a key holding the wrong kind of value");
}

static void leaves_what_it_does_not_know(void **state)
{
    (void)state;
    assert_int_equal(refusal_code("ERR something new"), 0);
    assert_int_equal(refusal_code(NULL), 0);
    check("", "");
    char text[40] = "before";
    assert_string_equal(refusal_words(1062, text, sizeof text), ""); /* SQL's own numbers */
    assert_string_equal(refusal_words(0xffffffffu, text, sizeof text), "");
}

static void stands_in_the_result_of_a_step(void **state)
{
    (void)state;
    char text[80];
    unsigned code = refusal_code("ERR user_script:6: attempt to compare nil with number");
    step_result(STEP_ELIGIBLE, STORE_REFUSED, 0, code, text, sizeof text);
    assert_string_equal(text, "line 6: attempt to compare nil with number");
    step_result(STEP_INSERT_ORDER, STORE_REFUSED, 0, 1213, text, sizeof text);
    assert_string_equal(text, "1213 deadlock");
}

/* What the new steps return, in words. */
static void results_of_a_sale_in_redis(void **state)
{
    (void)state;
    static const struct {
        StepId step;
        int64_t value;
        const char *words;
    } results[] = {
        {STEP_QUEUE_DECR, 0, "queued"},    {STEP_EXEC, 1, "executed"},
        {STEP_EXEC, 0, "nothing: a key had changed"},
        {STEP_ELIGIBLE, 0, "0, yes"},      {STEP_ELIGIBLE, 2, "2, again"},
        {STEP_ELIGIBLE, 5, "5, not loaded"}, {STEP_ELIGIBLE, 6, "6"},
        {STEP_ELIGIBLE, -1, "-1"},         {STEP_LOAD_STOCK, 0, "was there already"},
        {STEP_DECR_STOCK, -1, "-1"},
    };
    for (unsigned i = 0; i < sizeof results / sizeof results[0]; i++) {
        char text[80];
        step_result(results[i].step, STORE_OK, results[i].value, 0, text, sizeof text);
        assert_string_equal(text, results[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_line_and_reason),
        cmocka_unit_test(does_without_a_line),
        cmocka_unit_test(leaves_what_it_does_not_know),
        cmocka_unit_test(stands_in_the_result_of_a_step),
        cmocka_unit_test(results_of_a_sale_in_redis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
