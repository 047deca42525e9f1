/* The pasteable line: what is written is read back, and what does not fit is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "course/schedule_text.h"

static Course *course;

static int load(void **state)
{
    (void)state;
    Error error = {""};
    course = course_load(&error);
    if (!course) print_error("%s\n", error.text);
    return course ? 0 : 1;
}

static int unload(void **state)
{
    (void)state;
    course_free(course);
    return 0;
}

static const LessonVariant *find(const char *name, const Lesson **lesson)
{
    const LessonVariant *variant = NULL;
    Error error = {""};
    if (!course_find(course, name, lesson, &variant, &error)) fail_msg("%s", error.text);
    return variant;
}

/* Reads the line with the given moves in place of its own; the error must hold `because`. */
static void refuse(const char *name, const char *moves, const char *because)
{
    static Schedule schedule, none;
    char line[SCHEDULE_TEXT], changed[SCHEDULE_TEXT + 100];
    const Lesson *lesson;
    const LessonVariant *variant = find(name, &lesson);
    Spec spec;
    Error error = {""};
    schedule_text_write(lesson, variant, &variant->small, &none, line);
    snprintf(changed, sizeof changed, "%s%s", line, moves);
    assert_false(schedule_text_read(course, changed, &lesson, &variant, &spec, &schedule, &error));
    if (!strstr(error.text, because)) fail_msg("\"%s\" instead of \"%s\"", error.text, because);
}

static void check_round(const Lesson *lesson, const LessonVariant *variant)
{
    static Schedule wrote, read;
    char line[SCHEDULE_TEXT], again[SCHEDULE_TEXT];
    const Lesson *found_lesson;
    const LessonVariant *found;
    Spec spec;
    Error error = {""};
    assert_true(schedule_parse(variant->shortest ? variant->shortest : "A", &wrote, &error));
    schedule_text_write(lesson, variant, &variant->small, &wrote, line);
    if (!schedule_text_read(course, line, &found_lesson, &found, &spec, &read, &error))
        fail_msg("%s: %s", line, error.text);
    assert_ptr_equal(found_lesson, lesson);
    assert_ptr_equal(found, variant);
    assert_int_equal(spec.users, variant->small.users);
    assert_int_equal(spec.requests, variant->small.requests);
    assert_int_equal(spec.nodes, variant->small.nodes);
    assert_int_equal(spec.stock, variant->small.stock);
    assert_string_equal(schedule_text_write(lesson, variant, &spec, &read, again), line);
}

static void every_variant_goes_round(void **state)
{
    (void)state;
    for (int i = 0; i < course->count; i++)
        for (int k = 0; k < course->lessons[i].variant_count; k++)
            check_round(&course->lessons[i], &course->lessons[i].variants[k]);
}

/* Variants of different code have different hashes. (The nodes of a world stand in the line itself.) */
static void hashes_differ(void **state)
{
    (void)state;
    const Lesson *lesson;
    const LessonVariant *seen[256];
    int count = 0;
    for (int i = 0; i < course->count; i++)
        for (int k = 0; k < course->lessons[i].variant_count && count < 256; k++)
            seen[count++] = &course->lessons[i].variants[k];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (seen[i]->listing.hash != seen[j]->listing.hash)
                assert_int_not_equal(schedule_text_hash(seen[i]), schedule_text_hash(seen[j]));
    /* It is of the shop around the code, too. */
    LessonVariant changed = *find("oversell/check-then-update", &lesson);
    uint32_t before = schedule_text_hash(&changed);
    changed.small.unique_order = !changed.small.unique_order;
    assert_int_not_equal(schedule_text_hash(&changed), before);
}

static void sizes_are_taken(void **state)
{
    (void)state;
    static Schedule schedule;
    char line[SCHEDULE_TEXT];
    const Lesson *lesson;
    const LessonVariant *variant = find("oversell/check-then-update", &lesson);
    Spec spec;
    Error error = {""};
    snprintf(line, sizeof line, "oversell/check-then-update@%08x users=5 requests=3 stock=7 nodes=2 : A E",
             schedule_text_hash(variant));
    assert_true(schedule_text_read(course, line, &lesson, &variant, &spec, &schedule, &error));
    assert_int_equal(spec.users, 5);
    assert_int_equal(spec.requests, 3);
    assert_int_equal(spec.stock, 7);
    assert_int_equal(spec.nodes, 2);
    assert_int_equal(schedule.count, 2);
}

static void a_stale_line_is_refused(void **state)
{
    (void)state;
    static Schedule schedule;
    char line[SCHEDULE_TEXT];
    const Lesson *lesson;
    const LessonVariant *variant = find("oversell/check-then-update", &lesson);
    Spec spec;
    Error error = {""};
    snprintf(line, sizeof line, "oversell/check-then-update@%08x users=2 : A",
             schedule_text_hash(variant) ^ 1);
    assert_false(schedule_text_read(course, line, &lesson, &variant, &spec, &schedule, &error));
    assert_non_null(strstr(error.text, "another version of oversell/check-then-update"));
}

static void strangers_are_refused(void **state)
{
    (void)state;
    refuse("oversell/check-then-update", "A B C", "Move 3: there is no actor C, this world has 2.");
    refuse("oversell/check-then-update", "A u99", "Move 2: there is no actor u99");
    refuse("oversell/check-then-update", "!n2", "Move 1: there is no node 2, this world has 1.");
    refuse("oversell/check-then-update", "A c1", "Move 2: there is no actor c1, this world has 2.");
    refuse("oversell/check-then-update", "failover", "Move 1: this world has one Redis only");
    refuse("oversell/check-then-update", "A what", "is no move");
}

/* A schedule with a fault in it brings the fault into its world. */
static void faults_are_let_in(void **state)
{
    (void)state;
    static Schedule schedule;
    const Lesson *lesson;
    Spec spec = find("oversell/check-then-update", &lesson)->small;
    Error error = {""};
    assert_true(schedule_parse("A B", &schedule, &error));
    assert_true(schedule_text_fits(&spec, &schedule, &error));
    assert_false(spec.fault_clk || spec.fault_crash);
    assert_true(schedule_parse("A clk !n1 ^n1", &schedule, &error));
    assert_true(schedule_text_fits(&spec, &schedule, &error));
    assert_true(spec.fault_clk && spec.fault_crash);
}

static void a_report_carries_a_line(void **state)
{
    (void)state;
    static Report report;
    char line[SCHEDULE_TEXT], expected[SCHEDULE_TEXT];
    const Lesson *lesson;
    const LessonVariant *variant = find("oversell/check-then-update", &lesson);
    report.schedule_world = variant->small;
    assert_string_equal(schedule_text_of_report(lesson, variant, &report, line), "");
    strcpy(report.schedule, "A B B A");
    report.schedule_world.stock = 3;
    snprintf(expected, sizeof expected, "oversell/check-then-update@%08x users=2 stock=3 : A B B A",
             schedule_text_hash(variant));
    assert_string_equal(schedule_text_of_report(lesson, variant, &report, line), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_goes_round), cmocka_unit_test(hashes_differ),
        cmocka_unit_test(sizes_are_taken),          cmocka_unit_test(a_stale_line_is_refused),
        cmocka_unit_test(strangers_are_refused),    cmocka_unit_test(faults_are_let_in),
        cmocka_unit_test(a_report_carries_a_line),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
