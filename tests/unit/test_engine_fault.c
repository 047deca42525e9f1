/* test_engine_fault.c -- how faults are written down: read, written again, and refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/fault.h"
#include "engine/step_kind.h"

static Fault read_fault(FaultKind kind, const char *text)
{
    Fault fault;
    Error error = {""};
    if (!fault_parse(kind, text, &fault, &error)) fail_msg("%s", error.text);
    assert_int_equal(fault.kind, kind);
    return fault;
}

/* Written again, it is the same, with its name and the whole name of the step. */
static void check_again(FaultKind kind, const char *text, const char *again)
{
    char written[200], expected[200] = "";
    Fault fault = read_fault(kind, text);
    strcat(strcat(strcat(expected, fault_kind_name(kind)), " "), again);
    assert_string_equal(fault_write(&fault, written, sizeof written), expected);
    Fault same = read_fault(kind, strchr(written, ' ') + 1);
    assert_memory_equal(&same, &fault, sizeof fault);
}

static void says_who_where_and_how_long(void **state)
{
    (void)state;
    Fault fault = read_fault(FAULT_STALL, "B@select-stock=3000");
    assert_int_equal(fault.actor, 1);
    assert_int_equal(fault.node, -1);
    assert_int_equal(fault.step, STEP_SELECT_STOCK);
    assert_int_equal(fault.ms, 3000);
    assert_false(fault.every);

    fault = read_fault(FAULT_STALL, "u27@commit=1");
    assert_int_equal(fault.actor, 26);
    fault = read_fault(FAULT_STALL, "n2@commit=1");
    assert_int_equal(fault.actor, -1);
    assert_int_equal(fault.node, 1);
    fault = read_fault(FAULT_ERROR, "c2@insert-order");
    assert_int_equal(fault.consumer, 2);
    assert_int_equal(fault.actor, -1);
    assert_int_equal(fault.node, -1);
    fault = read_fault(FAULT_ERROR, "*@insert-order");
    assert_int_equal(fault.consumer, 0);
    assert_int_equal(fault.actor, -1);
    assert_int_equal(fault.node, -1);
    assert_true(fault.every);

    assert_false(read_fault(FAULT_CRASH, "n1@commit").after);
    assert_false(read_fault(FAULT_CRASH, "n1@commit:before").after);
    assert_true(read_fault(FAULT_CRASH, "n1@commit:after").after);

    fault = read_fault(FAULT_EXPIRE, "lock:order:7@commit");
    assert_string_equal(fault.key, "lock:order:7");
    assert_int_equal(fault.step, STEP_COMMIT);
    assert_false(fault.every);
    assert_string_equal(read_fault(FAULT_EXPIRE, "a@b=c@commit").key, "a@b=c");

    fault = read_fault(FAULT_SLOW, "n3=20");
    assert_int_equal(fault.node, 2);
    assert_int_equal(fault.step, STEP_NONE);
    assert_true(fault.every);
}

static void is_written_as_it_is_read(void **state)
{
    (void)state;
    check_again(FAULT_STALL, "B@select-stock=3000", "B@select-stock=3000");
    check_again(FAULT_STALL, "u27@comm=600000", "u27@commit=600000");
    check_again(FAULT_STALL, "u3@commit=1", "C@commit=1");
    check_again(FAULT_FREEZE, "n8@begin=1", "n8@begin=1");
    check_again(FAULT_ERROR, "*@del", "*@del");
    check_again(FAULT_ERROR, "c1@queue-take", "c1@queue-take");
    check_again(FAULT_CRASH, "n1@commit:after", "n1@commit:after");
    check_again(FAULT_CRASH, "n1@commit:before", "n1@commit");
    check_again(FAULT_EXPIRE, "lock:order:7@get-owner", "lock:order:7@get-owner");
    check_again(FAULT_SLOW, "n1=20", "n1=20");
}

static void refuse(FaultKind kind, const char *text, const char *because)
{
    Fault fault;
    Error error = {""};
    if (fault_parse(kind, text, &fault, &error)) fail_msg("%s was taken", text);
    if (!strstr(error.text, because)) fail_msg("%s", error.text);
    assert_null(strchr(error.text, '\n'));
    assert_null(strchr(error.text, '\x1b'));
}

static void every_wrong_one_is_told_the_right_form(void **state)
{
    (void)state;
    static const char *const stalls[] = {"",          "A",          "A@",       "A@commit",   "A@commit=",
                                         "A@commit=0", "A@commit=-1", "@commit=5", "A=5",       "a@commit=5",
                                         "AB@commit=5", "u0@commit=5", "u@commit=5", "n@commit=5", "u1x@commit=5",
                                         "A@commit=5 ", "A@commit=600001", "A@commit=99999999999999999999",
                                         "*A@commit=5"};
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++)
        refuse(FAULT_STALL, stalls[i], i == 2 ? "no stall" : "WHO@STEP=MS");
    refuse(FAULT_FREEZE, "A@commit=5", "NODE@STEP=MS");
    refuse(FAULT_FREEZE, "*@commit=5", "NODE@STEP=MS");
    refuse(FAULT_ERROR, "A", "WHO@STEP.");
    refuse(FAULT_CRASH, "A@commit", "NODE@STEP[:before|after]");
    refuse(FAULT_CRASH, "n1@commit:later", "NODE@STEP[:before|after]");
    refuse(FAULT_CRASH, "n1@commit:", "NODE@STEP[:before|after]");
    refuse(FAULT_EXPIRE, "@commit", "KEY@STEP");
    refuse(FAULT_EXPIRE, "lock:order:7", "KEY@STEP");
    refuse(FAULT_SLOW, "n1", "NODE=MS");
    refuse(FAULT_SLOW, "A=5", "NODE=MS");

    char long_text[300];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    refuse(FAULT_STALL, long_text, "WHO@STEP=MS");
    memcpy(long_text + 100, "@commit", 8);
    refuse(FAULT_EXPIRE, long_text, "KEY@STEP"); /* no key of ours is that long */
    refuse(FAULT_ERROR, "A\x1b[2J", "\\x1b[2J");
}

static void an_unknown_step_is_told_its_likes(void **state)
{
    (void)state;
    refuse(FAULT_ERROR, "A@insrt", "no step \"insrt\". Steps are named insert-auto, insert-order, insert-ignore");
    refuse(FAULT_ERROR, "A@xyz", "no step \"xyz\". Steps are named select-stock");
    refuse(FAULT_ERROR, "A@none", "no step \"none\"");
    refuse(FAULT_ERROR, "A@\n", "no step \"\\n\"");
}

static void kinds_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < FAULT_KINDS; i++) assert_int_equal(fault_kind_find(fault_kind_name((FaultKind)i)), i);
    assert_int_equal(fault_kind_find("fly"), FAULT_KINDS);
    assert_int_equal(fault_kind_find(""), FAULT_KINDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_who_where_and_how_long),
        cmocka_unit_test(is_written_as_it_is_read),
        cmocka_unit_test(every_wrong_one_is_told_the_right_form),
        cmocka_unit_test(an_unknown_step_is_told_its_likes),
        cmocka_unit_test(kinds_have_names),
    };
    i18n_start("en");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
