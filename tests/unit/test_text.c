/* test_text.c -- strings that grow, cleaning, and width on the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void grows_and_is_taken(void **state)
{
    (void)state;
    Text text = {0};
    assert_string_equal(text_string(&text), "");
    for (int i = 0; i < 1000; i++) text_format(&text, "%d,", i % 10);
    assert_int_equal(text.length, 2000);
    assert_memory_equal(text_string(&text), "0,1,2,", 6);
    text_reset(&text);
    text_append(&text, "ab");
    text_append_char(&text, 'c');
    text_append_bytes(&text, "defg", 2);
    char *taken = text_take(&text);
    assert_string_equal(taken, "abcde");
    assert_null(text.data);
    free(taken);
    taken = text_take(&text);
    assert_string_equal(taken, "");
    free(taken);
    text_free(&text);
}

static void check_clean(const char *bytes, size_t length, const char *expected)
{
    char out[200];
    assert_string_equal(text_clean(out, sizeof out, bytes, length), expected);
    Text text = {0};
    text_append_clean(&text, bytes, length);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static void cleans_what_comes_from_outside(void **state)
{
    (void)state;
    check_clean("plain", 5, "plain");
    check_clean("库存 100", strlen("库存 100"), "库存 100");
    check_clean("\033[2J", 4, "\\x1b[2J");
    check_clean("a\nb\tc\r", 6, "a\\nb\\tc\\r");
    check_clean("a\0b", 3, "a\\x00b");
    check_clean("\xc2\x9b"
                "31m",
                5, "\\u009b31m"); /* C1 CSI as a character */
    check_clean("\x9b"
                "31m",
                4, "\\x9b31m");                        /* and as a bare byte */
    check_clean("\xc0\xaf", 2, "\\xc0\\xaf");          /* overlong */
    check_clean("\xed\xa0\x80", 3, "\\xed\\xa0\\x80"); /* surrogate */
    check_clean("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80");
    check_clean("\xe5\xba", 2, "\\xe5\\xba"); /* cut off */
    check_clean("\xe2\x80\xae"
                "x",
                4, "\\u202ex"); /* right-to-left override */
    check_clean("\x7f", 1, "\\x7f");
}

static void cleaning_never_cuts_a_character(void **state)
{
    (void)state;
    char out[8];
    assert_string_equal(text_clean(out, sizeof out, "库存库存", 12), "库存");
    assert_string_equal(text_clean(out, 4, "\033\033", 2), "");
    assert_string_equal(text_clean(out, 5, "\033\033", 2), "\\x1b");
    out[0] = 'x';
    text_clean(out, 0, "abc", 3);
    assert_int_equal(out[0], 'x');
}

static void encodes_what_it_decodes(void **state)
{
    (void)state;
    static const uint32_t samples[] = {0x24,   0x7F,   0x80,    0x7FF,   0x800,
                                       0x4E2D, 0xFFFD, 0x10000, 0x10FFFF};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char bytes[5] = {0};
        int length = text_encode(samples[i], bytes);
        const char *at = bytes;
        assert_int_equal(text_next(&at), samples[i]);
        assert_ptr_equal(at, bytes + length);
        assert_int_equal(text_next(&at), 0);
    }
    const char *at = "\xff"
                     "a";
    assert_int_equal(text_next(&at), 0xFFFD);
    assert_int_equal(text_next(&at), 'a');
}

static void measures_columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns(""), 0);
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("库存 100"), 8);
    assert_int_equal(text_columns("，。"), 4);
    assert_int_equal(text_columns("─│→…"), 4);
    assert_int_equal(text_columns("e\u0301"), 1);
    assert_int_equal(text_columns("\xff\033"), 2);
}

static void widths_are_known_without_a_locale(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    int chinese = text_columns("秒杀"), accent = text_columns("e\u0301"), box = text_columns("─");
    setlocale(LC_ALL, "C.UTF-8");
    assert_int_equal(chinese, 4);
    assert_int_equal(accent, 1);
    assert_int_equal(box, 1);
}

static void check_cut(const char *text, int columns, const char *ellipsis, const char *expected)
{
    char out[100];
    int used = text_cut(out, sizeof out, text, columns, ellipsis);
    assert_string_equal(out, expected);
    assert_int_equal(used, text_columns(expected));
}

static void cuts_between_characters(void **state)
{
    (void)state;
    check_cut("abcdef", 10, "…", "abcdef");
    check_cut("abcdef", 6, "…", "abcdef");
    check_cut("abcdef", 5, "…", "abcd…");
    check_cut("abcdef", 3, NULL, "abc");
    check_cut("库存不足", 8, "…", "库存不足");
    check_cut("库存不足", 7, "…", "库存不…");
    check_cut("库存不足", 6, "…", "库存…");
    check_cut("库存不足", 5, NULL, "库存");
    check_cut("e\u0301e\u0301", 1, NULL, "e\u0301");
    check_cut("abc", 0, "…", "");
    check_cut("a\033b", 3, NULL, "a\uFFFDb");
    char small[5];
    assert_int_equal(text_cut(small, sizeof small, "库存", 10, NULL), 2);
    assert_string_equal(small, "库");
}

static void pads_to_the_column(void **state)
{
    (void)state;
    char out[100];
    assert_string_equal(text_pad(out, sizeof out, "库存", 6, TEXT_LEFT), "库存  ");
    assert_string_equal(text_pad(out, sizeof out, "库存", 6, TEXT_RIGHT), "  库存");
    assert_string_equal(text_pad(out, sizeof out, "库存", 7, TEXT_CENTER), " 库存  ");
    assert_string_equal(text_pad(out, sizeof out, "库存不足", 6, TEXT_LEFT), "库存… ");
    assert_string_equal(text_pad(out, sizeof out, "abc", 3, TEXT_RIGHT), "abc");
    assert_string_equal(text_pad(out, 4, "ab", 10, TEXT_RIGHT), " ab");
}

static void check_share(double part, double whole, const char *expected)
{
    char out[32];
    assert_string_equal(text_share(out, sizeof out, part, whole), expected);
}

static void shares_are_never_all_or_nothing_by_rounding(void **state)
{
    (void)state;
    check_share(0, 0, "0 %");
    check_share(0, 10, "0 %");
    check_share(10, 10, "100 %");
    check_share(1, 3, "33 %");
    check_share(62478, 62628, "99.8 %");
    check_share(999999, 1000000, "99.9 %");
    check_share(1, 1000000, "0.1 %");
    check_share(5, 1000, "0.5 %");
    check_share(99, 100, "99 %");
    check_share(1, 100, "1 %");
    check_share(1e18, 2e18, "50 %");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_is_taken),
        cmocka_unit_test(cleans_what_comes_from_outside),
        cmocka_unit_test(cleaning_never_cuts_a_character),
        cmocka_unit_test(encodes_what_it_decodes),
        cmocka_unit_test(measures_columns),
        cmocka_unit_test(widths_are_known_without_a_locale),
        cmocka_unit_test(cuts_between_characters),
        cmocka_unit_test(pads_to_the_column),
        cmocka_unit_test(shares_are_never_all_or_nothing_by_rounding),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
