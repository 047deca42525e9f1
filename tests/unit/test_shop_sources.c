/* test_shop_sources.c -- what is embedded is, byte for byte, what lies in the source tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "course/shop_sources.h"

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    Text text = {0};
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        text_append_bytes(&text, part, got);
    fclose(file);
    return text_take(&text);
}

static void every_file_is_embedded_as_it_is(void **state)
{
    (void)state;
    Text pattern = {0};
    text_format(&pattern, "%s/src/shop/*.c", paths_data());
    glob_t found;
    assert_int_equal(glob(text_string(&pattern), 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strstr(found.gl_pathv[i], "src/shop/");
        const char *embedded = shop_source(name);
        if (!embedded) fail_msg("%s is not in shop.mk", name);
        char *expected = read_file(found.gl_pathv[i]);
        assert_string_equal(embedded, expected);
        free(expected);
    }
    globfree(&found);
    text_free(&pattern);
}

static void unknown_files_are_not_there(void **state)
{
    (void)state;
    assert_null(shop_source("src/shop/no-such-file.c"));
    assert_null(shop_source("oversell.c"));
    assert_null(shop_source(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_embedded_as_it_is),
        cmocka_unit_test(unknown_files_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
