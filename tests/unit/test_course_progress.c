/* Progress survives a restart, and a damaged file costs nothing but itself. */
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

#include "base/paths.h"
#include "course/progress.h"

static char state_home[] = "/tmp/test-progress-XXXXXX";

/* The state directory is looked up once a process: it is chosen before the first call. */
static int choose_state(void **state)
{
    (void)state;
    return mkdtemp(state_home) && setenv("XDG_STATE_HOME", state_home, 1) == 0 ? 0 : -1;
}

static const char *file_path(const char *ending)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/progress.json%s", paths_state(), ending);
    return path;
}

static int remove_state(void **state)
{
    (void)state;
    remove(file_path(""));
    remove(file_path(".damaged"));
    remove(paths_state());
    return remove(state_home);
}

static int remove_files(void **state)
{
    (void)state;
    remove(file_path(""));
    remove(file_path(".damaged"));
    return 0;
}

static void write_file(const char *text)
{
    FILE *stream = fopen(file_path(""), "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void test_first_start(void **state)
{
    (void)state;
    Progress *progress = progress_load();
    assert_null(progress_last(progress));
    assert_null(progress_last_variant(progress));
    assert_false(progress_read(progress, "oversell"));
    assert_false(progress_raced(progress, "oversell", "check-then-update"));
    progress_free(progress);
    assert_int_equal(access(file_path(".damaged"), F_OK), -1);
}

static void test_survives(void **state)
{
    (void)state;
    Progress *progress = progress_load();
    progress_note_read(progress, "oversell");
    progress_note_raced(progress, "oversell", "check-then-update");
    progress_note_raced(progress, "tour", "mended");
    progress_note_last(progress, "oversell", "redis-get-set");
    assert_true(progress_save(progress));
    progress_free(progress);

    progress = progress_load();
    assert_true(progress_read(progress, "oversell"));
    assert_false(progress_read(progress, "tour"));
    assert_true(progress_raced(progress, "oversell", "check-then-update"));
    assert_false(progress_raced(progress, "oversell", "redis-get-set"));
    assert_true(progress_raced(progress, "tour", "mended"));
    assert_string_equal(progress_last(progress), "oversell");
    assert_string_equal(progress_last_variant(progress), "redis-get-set");

    /* The place may be noted from the place itself, and a lesson may have no variant chosen. */
    progress_note_last(progress, progress_last(progress), NULL);
    assert_string_equal(progress_last(progress), "oversell");
    assert_null(progress_last_variant(progress));
    assert_true(progress_save(progress));
    progress_free(progress);
    progress = progress_load();
    assert_string_equal(progress_last(progress), "oversell");
    assert_null(progress_last_variant(progress));
    progress_free(progress);
}

static void check_damaged(const char *text)
{
    write_file(text);
    Progress *progress = progress_load();
    assert_null(progress_last(progress));
    progress_note_last(progress, "tour", "mended");
    progress_note_raced(progress, "tour", "mended");
    assert_true(progress_save(progress));
    progress_free(progress);

    FILE *stream = fopen(file_path(".damaged"), "r");
    assert_non_null(stream);
    char kept[200] = "";
    size_t length = fread(kept, 1, sizeof kept - 1, stream);
    fclose(stream);
    assert_int_equal(length, strlen(text));
    assert_string_equal(kept, text);

    progress = progress_load();
    assert_string_equal(progress_last(progress), "tour");
    assert_true(progress_raced(progress, "tour", "mended"));
    progress_free(progress);
}

static void test_damaged(void **state)
{
    (void)state;
    check_damaged("");
    check_damaged("{\"version\": 1, \"last\": {\"lesson\"");
    check_damaged("[1, 2]");
    check_damaged("{\"version\": 2}");
}

/* Right as JSON, wrong inside: what is usable is used. */
static void test_odd_values(void **state)
{
    (void)state;
    write_file(
        "{\"version\": 1, \"last\": 7, \"lessons\": {\"tour\": [], \"oversell\": {\"read\": true, "
        "\"raced\": 3}}}");
    Progress *progress = progress_load();
    assert_null(progress_last(progress));
    assert_true(progress_read(progress, "oversell"));
    assert_false(progress_raced(progress, "oversell", "check-then-update"));
    progress_note_raced(progress, "oversell", "check-then-update");
    progress_note_read(progress, "tour");
    assert_true(progress_raced(progress, "oversell", "check-then-update"));
    assert_true(progress_read(progress, "tour"));
    progress_free(progress);
}

static void test_save_fails_quietly(void **state)
{
    (void)state;
    Progress *progress = progress_load();
    remove_files(NULL);
    assert_int_equal(mkdir(file_path(""), 0700), 0);
    assert_false(progress_save(progress));
    assert_int_equal(rmdir(file_path("")), 0);
    assert_true(progress_save(progress));
    progress_free(progress);
}

static void test_an_exercise_is_remembered(void **state)
{
    (void)state;
    Progress *progress = progress_load();
    assert_false(progress_solved(progress, "lua-unlock", "half"));
    assert_string_equal(progress_checked(progress, "lua-unlock", "half"), "");
    assert_int_equal(progress_hints(progress, "lua-unlock", "half"), 0);
    progress_note_hints(progress, "lua-unlock", "half", 2);
    progress_note_checked(progress, "lua-unlock", "half", "sells");
    assert_false(progress_solved(progress, "lua-unlock", "half"));
    progress_note_checked(progress, "lua-unlock", "half", "passed");
    assert_true(progress_save(progress));
    progress_free(progress);

    progress = progress_load();
    assert_true(progress_solved(progress, "lua-unlock", "half"));
    assert_string_equal(progress_checked(progress, "lua-unlock", "half"), "passed");
    assert_int_equal(progress_hints(progress, "lua-unlock", "half"), 2);
    assert_false(progress_solved(progress, "lua-unlock", "other"));
    /* What was solved stays solved, whatever becomes of the script. */
    progress_note_checked(progress, "lua-unlock", "half", "loads");
    assert_true(progress_solved(progress, "lua-unlock", "half"));
    progress_note_reset(progress, "lua-unlock", "half");
    assert_true(progress_solved(progress, "lua-unlock", "half"));
    assert_string_equal(progress_checked(progress, "lua-unlock", "half"), "");
    assert_int_equal(progress_hints(progress, "lua-unlock", "half"), 0);
    progress_free(progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_first_start, remove_files),
        cmocka_unit_test_setup(test_survives, remove_files),
        cmocka_unit_test_setup(test_damaged, remove_files),
        cmocka_unit_test_setup(test_odd_values, remove_files),
        cmocka_unit_test_setup(test_save_fails_quietly, remove_files),
        cmocka_unit_test_setup(test_an_exercise_is_remembered, remove_files),
    };
    return cmocka_run_group_tests_name("course progress", tests, choose_state, remove_state);
}
