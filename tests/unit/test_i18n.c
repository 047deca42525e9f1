/* test_i18n.c -- which language is chosen, and that Chinese is found without an installed locale.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

static void set_environment(const char *lc_all, const char *lang)
{
    unsetenv("LC_ALL");
    unsetenv("LC_MESSAGES");
    unsetenv("LANG");
    if (lc_all) setenv("LC_ALL", lc_all, 1);
    if (lang) setenv("LANG", lang, 1);
}

static void the_name_given_wins(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "C.UTF-8", "POSIX", "no_SUCH.UTF-8", NULL};
    for (int i = 0; i < 5; i++) {
        set_environment(locales[i], NULL);
        assert_true(i18n_start("zh"));
        assert_int_equal(i18n_language(), LANGUAGE_ZH);
        assert_string_equal(i18n_code(), "zh");
        assert_string_equal(_("sold out"), "已售罄");
        assert_string_equal(nl_langinfo(CODESET), "UTF-8");
        assert_true(i18n_start("en"));
        assert_string_equal(i18n_code(), "en");
        assert_string_equal(_("sold out"), "sold out");
        assert_string_equal(nl_langinfo(CODESET), "UTF-8");
    }
}

static void the_locale_decides_otherwise(void **state)
{
    (void)state;
    set_environment(NULL, "zh_CN.UTF-8");
    assert_true(i18n_start(NULL));
    assert_int_equal(i18n_language(), LANGUAGE_ZH);
    assert_string_equal(_("sold out"), "已售罄");
    set_environment("en_US.UTF-8", "zh_CN.UTF-8");
    assert_true(i18n_start(NULL));
    assert_int_equal(i18n_language(), LANGUAGE_EN);
    set_environment(NULL, NULL);
    assert_true(i18n_start(NULL));
    assert_int_equal(i18n_language(), LANGUAGE_EN);
}

static void unknown_names_change_nothing(void **state)
{
    (void)state;
    set_environment("C.UTF-8", NULL);
    assert_true(i18n_start("zh"));
    assert_false(i18n_start("fr"));
    assert_false(i18n_start(""));
    assert_int_equal(i18n_language(), LANGUAGE_ZH);
    assert_string_equal(_("sold out"), "已售罄");
}

static void numbers_are_written_the_same_everywhere(void **state)
{
    (void)state;
    char text[20];
    set_environment("de_DE.UTF-8", NULL);
    assert_true(i18n_start("zh"));
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_given_wins),
        cmocka_unit_test(the_locale_decides_otherwise),
        cmocka_unit_test(unknown_names_change_nothing),
        cmocka_unit_test(numbers_are_written_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
