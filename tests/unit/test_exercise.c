/* Exercises without servers: the learner's copy, the script in the shipped one's place, and what Redis's words name. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "course/exercise.h"
#include "course/schedule_text.h"

static char home[] = "/tmp/test-exercise-XXXXXX";
static Course *course;
static const Lesson *lesson;
static LessonVariant *variant;

static int begin(void **state)
{
    (void)state;
    Error error = {""};
    /* Looked up once a process: chosen before the first call. */
    if (!mkdtemp(home) || setenv("XDG_DATA_HOME", home, 1) != 0 || setenv("HOME", home, 1) != 0) return -1;
    course = course_load(&error);
    if (!course) print_error("%s\n", error.text);
    return course && exercise_find(course, "lua-unlock", &lesson, &variant, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    char command[200];
    course_free(course);
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

static const char *copy_path(void)
{
    static char path[EXERCISE_PATH];
    return exercise_path(lesson, variant->exercise, path);
}

static void write_copy(const char *bytes, size_t length)
{
    FILE *file = fopen(copy_path(), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static const char *read_file(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* ---- the copy -------------------------------------------------------------------------------- */

static void test_the_copy(void **state)
{
    (void)state;
    Error error = {""};
    char expected[EXERCISE_PATH], shown[EXERCISE_PATH], old[EXERCISE_PATH + 8];
    snprintf(expected, sizeof expected, "%s/seckill-lab/exercises/lua-unlock/sell_midway.lua", home);
    assert_string_equal(copy_path(), expected);
    assert_string_equal(exercise_path_short(copy_path(), shown), "~/seckill-lab/exercises/lua-unlock/sell_midway.lua");

    char *shipped = exercise_text("sell_midway.lua", &error);
    assert_non_null(shipped);
    assert_true(exercise_begin(lesson, variant->exercise, &error));
    assert_string_equal(read_file(copy_path()), shipped);
    write_copy("return 1\n", 9);
    assert_true(exercise_begin(lesson, variant->exercise, &error)); /* leaves it alone */
    assert_string_equal(read_file(copy_path()), "return 1\n");
    assert_true(exercise_reset(lesson, variant->exercise, &error));
    assert_string_equal(read_file(copy_path()), shipped);
    snprintf(old, sizeof old, "%s.old", copy_path());
    assert_string_equal(read_file(old), "return 1\n");
    free(shipped);
}

static void test_what_cannot_be_read(void **state)
{
    (void)state;
    Error error = {""};
    static char large[OWN_TEXT + 10];
    memset(large, '-', sizeof large);
    assert_null(exercise_read(variant->exercise, "/nowhere/at/all.lua", &error));
    assert_string_equal(error.text, "/nowhere/at/all.lua cannot be read: No such file or directory.");
    write_copy(large, sizeof large);
    assert_null(exercise_read(variant->exercise, copy_path(), &error));
    assert_string_equal(error.text, "The script is too long: 16383 bytes are the most.");
    write_copy(large, OWN_TEXT - 1);
    assert_non_null(exercise_read(variant->exercise, copy_path(), &error));
    write_copy("a\0b", 3);
    assert_null(exercise_read(variant->exercise, copy_path(), &error));
    assert_non_null(strstr(error.text, "it holds a NUL byte"));
    write_copy("", 0);
    const OwnScript *empty = exercise_read(variant->exercise, copy_path(), &error);
    assert_non_null(empty);
    assert_string_equal(empty->text, "");
}

/* ---- in the shipped one's place -------------------------------------------------------------- */

static const OwnScript *script(const char *text)
{
    Error error = {""};
    write_copy(text, strlen(text));
    const OwnScript *own = exercise_read(variant->exercise, copy_path(), &error);
    assert_non_null(own);
    return own;
}

static bool listed(const char *line)
{
    for (int i = 0; i < variant->listing.count; i++)
        if (strcmp(variant->listing.lines[i].text, line) == 0) return true;
    return false;
}

static void test_put_on_and_off(void **state)
{
    (void)state;
    Error error = {""};
    uint32_t shipped = schedule_text_hash(variant);
    const Spec small = variant->small;
    assert_true(listed("return left"));
    const OwnScript *own = script("return\t-1 -- mine\x1b[31m\r\n");
    assert_true(exercise_put_on(variant, own, &error));
    assert_true(listed("return  -1 -- mine\\x1b[31m")); /* what a terminal can bear, tabs widened */
    assert_false(listed("return left"));
    assert_ptr_equal(variant->small.own, own);
    assert_ptr_equal(variant->race.own, own);
    assert_true(variant->small.keeps[NO_UNDERSELL]);
    assert_false(variant->small.breaks[NO_UNDERSELL]);
    uint32_t hash = schedule_text_hash(variant);
    assert_int_not_equal(hash, shipped);

    const OwnScript *other = script("return -2\n");
    assert_ptr_not_equal(other, own);
    assert_true(exercise_put_on(variant, other, &error));
    assert_int_not_equal(schedule_text_hash(variant), hash);
    assert_ptr_equal(script("return -2\n"), other); /* the same content, the same script */

    exercise_take_off(variant);
    assert_int_equal(schedule_text_hash(variant), shipped);
    assert_true(listed("return left"));
    assert_null(variant->small.own);
    assert_null(variant->race.own);
    assert_memory_equal(&variant->small, &small, sizeof small);
    exercise_take_off(variant); /* twice is no trouble */
}

static void test_a_line_of_ones_own(void **state)
{
    (void)state;
    Error error = {""};
    char lines[2][SCHEDULE_TEXT];
    Schedule schedule;
    const OwnScript *own = script("return -1\n");
    assert_true(schedule_parse("A", &schedule, &error));
    assert_true(exercise_put_on(variant, own, &error));
    for (int world = 0; world < 2; world++) {
        exercise_choose_world(variant, world);
        schedule_text_write(lesson, variant, &variant->small, &schedule, lines[world]);
    }
    exercise_take_off(variant);
    for (int world = 0; world < 2; world++) {
        const Lesson *found;
        const LessonVariant *of;
        Spec spec;
        assert_ptr_equal(exercise_put_on_for(course, lines[world], NULL), variant);
        assert_true(schedule_text_read(course, lines[world], &found, &of, &spec, &schedule, &error));
        assert_ptr_equal(spec.own, own);
        assert_int_equal(spec.requests, world == 0 ? 1 : 2);
        exercise_take_off(variant);
    }
    char elsewhere[EXERCISE_PATH + 8];
    snprintf(elsewhere, sizeof elsewhere, "%s.mine", copy_path());
    assert_int_equal(rename(copy_path(), elsewhere), 0);
    script("return -3\n"); /* the copy is another one now */
    assert_ptr_equal(exercise_put_on_for(course, lines[0], elsewhere), variant);
    exercise_take_off(variant);
    assert_null(exercise_put_on_for(course, lines[0], NULL));
    assert_false(variant->exercise->put_on);
    assert_null(exercise_put_on_for(course, "oversell/check-then-update@0 users=2 : A", NULL));
}

/* ---- what it is examined in ------------------------------------------------------------------ */

static void test_the_exam(void **state)
{
    (void)state;
    static ExamSpec spec;
    Error error = {""};
    const OwnScript *own = script("return -1\n");
    for (int i = 0; i < 2; i++) { /* put on or not, it is the same exam */
        exercise_exam(variant, own, &spec);
        assert_int_equal(spec.worlds, 2);
        assert_int_equal(spec.world[0].users, 2);
        assert_int_equal(spec.world[1].users, 1);
        assert_int_equal(spec.world[1].requests, 2);
        for (int k = 0; k < spec.worlds; k++) {
            assert_ptr_equal(spec.world[k].own, own);
            assert_true(spec.world[k].keeps[ONE_PER_USER]);
        }
        assert_true(spec.race[0].users < spec.race[0].stock);
        assert_true(spec.race[1].users > spec.race[1].stock);
        for (int k = 0; k < EXAM_RACES; k++) {
            assert_ptr_equal(spec.race[k].own, own);
            assert_int_equal(spec.race[k].requests, 1);
            assert_int_equal(spec.race[k].faults, 0);
            assert_false(spec.race[k].breaks[NO_UNDERSELL]);
        }
        assert_true(exercise_put_on(variant, own, &error));
    }
    exercise_take_off(variant);
}

static void test_finding(void **state)
{
    (void)state;
    Error error = {""};
    const Lesson *found;
    LessonVariant *of;
    assert_true(exercise_find(course, "09", &found, &of, &error));
    assert_string_equal(of->name, "script-fails-midway");
    assert_true(exercise_find(course, "lua-unlock/script-fails-midway", &found, &of, &error));
    assert_false(exercise_find(course, "lua-unlock/compare-and-delete", &found, &of, &error));
    assert_non_null(strstr(error.text, "there is no exercise in lua-unlock/compare-and-delete; there are "
                                       "lua-unlock/script-fails-midway"));
    assert_false(exercise_find(course, "nowhere", &found, &of, &error));
    int count = 0;
    while (exercise_at(course, count, NULL)) count++;
    assert_true(count >= 3);
}

/* ---- Redis's words --------------------------------------------------------------------------- */

static void test_the_line_in_an_error(void **state)
{
    (void)state;
    assert_int_equal(own_error_line("ERR Error compiling script (new function): user_script:3: '=' expected near 'x'"), 3);
    assert_int_equal(own_error_line("ERR Wrong number of args calling Redis command from script script: e59f, on "
                                    "@user_script:4."), 4);
    assert_int_equal(own_error_line("ERR Error running script (call to f_12): @user_script:12: user_script:12: x"), 12);
    assert_int_equal(own_error_line("NOPERM this user has no permissions"), 0);
    assert_int_equal(own_error_line(""), 0);
    static OwnScript own = {.text = "one\n  two\tx\nthree"};
    char line[40];
    assert_string_equal(own_script_line(&own, 1, line, sizeof line), "one");
    assert_string_equal(own_script_line(&own, 2, line, sizeof line), "two\\tx");
    assert_string_equal(own_script_line(&own, 3, line, sizeof line), "three");
    assert_string_equal(own_script_line(&own, 4, line, sizeof line), "");
    assert_string_equal(own_script_line(&own, 0, line, sizeof line), "");
}

static void test_the_first_error_is_kept(void **state)
{
    (void)state;
    static OwnRun run;
    Error error = {""};
    assert_null(own_run_error(&run));
    own_run_note(&run, "BUSY Redis is busy running a script.");
    assert_null(own_run_error(&run)); /* another one's */
    own_run_note(&run, "ERR first");
    own_run_note(&run, "ERR second");
    assert_string_equal(own_run_error(&run), "ERR first");
    assert_false(own_run_excuse(&run, &error));
    atomic_store(&run.stopped, OWN_KILLED);
    assert_true(own_run_excuse(&run, &error));
    assert_non_null(strstr(error.text, "SCRIPT KILL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_copy),
        cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_put_on_and_off),
        cmocka_unit_test(test_a_line_of_ones_own),
        cmocka_unit_test(test_the_exam),
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_the_line_in_an_error),
        cmocka_unit_test(test_the_first_error_is_kept),
    };
    return cmocka_run_group_tests_name("exercise", tests, begin, end);
}
