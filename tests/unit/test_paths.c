/* test_paths.c -- the program's own files are found from the build tree; state goes where XDG says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/text.h"

static bool exists(const char *directory, const char *name)
{
    Text path = {0};
    text_format(&path, "%s/%s", directory, name);
    bool found = access(text_string(&path), F_OK) == 0;
    text_free(&path);
    return found;
}

static void finds_the_source_tree(void **state)
{
    (void)state;
    assert_true(exists(paths_data(), "lessons"));
    assert_true(exists(paths_data(), "lua"));
    assert_true(exists(paths_data(), "configure.ac"));
    assert_null(strstr(paths_data(), "/.."));
    assert_null(strstr(paths_locale(), "/.."));
}

static void finds_catalogues(void **state)
{
    (void)state;
    assert_true(exists(paths_locale(), "zh_CN/LC_MESSAGES/seckill-lab.mo"));
}

static void tests_start_the_program_itself(void **state)
{
    (void)state;
    const char *name = strrchr(paths_program(), '/');
    assert_non_null(name);
    assert_string_equal(name, "/seckill-lab");
    assert_int_equal(access(paths_program(), X_OK), 0);
}

static void makes_its_own_directories_private(void **state)
{
    (void)state;
    char root[] = "/tmp/lab-paths-XXXXXX";
    assert_non_null(mkdtemp(root));
    Text wished = {0};
    text_format(&wished, "%s/deep/state", root);
    setenv("XDG_STATE_HOME", text_string(&wished), 1);
    text_append(&wished, "/seckill-lab");
    assert_string_equal(paths_state(), text_string(&wished));
    struct stat about;
    assert_int_equal(stat(paths_state(), &about), 0);
    assert_true(S_ISDIR(about.st_mode));
    assert_int_equal(about.st_mode & 0777, 0700);

    /* A relative path in the variable does not count; the home directory does. */
    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", root, 1);
    text_reset(&wished);
    text_format(&wished, "%s/.local/share/seckill-lab", root);
    assert_string_equal(paths_user_data(), text_string(&wished));
    assert_int_equal(access(paths_user_data(), W_OK), 0);

    static const char *const made[] = {"deep/state/seckill-lab",   "deep/state",   "deep",
                                       ".local/share/seckill-lab", ".local/share", ".local"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        text_reset(&wished);
        text_format(&wished, "%s/%s", root, made[i]);
        assert_int_equal(rmdir(text_string(&wished)), 0);
    }
    assert_int_equal(rmdir(root), 0);
    text_free(&wished);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_source_tree),
        cmocka_unit_test(finds_catalogues),
        cmocka_unit_test(tests_start_the_program_itself),
        cmocka_unit_test(makes_its_own_directories_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
