/* Markdown as a flat list of blocks. Each case is a text and the blocks it becomes, written down as
 * "line kind[level,number]: span|span", a span's style in front: ! strong, / emphasis, $ code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "course/markdown.h"

static char path[] = "/tmp/test-markdown-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void show_block(const MarkdownBlock *block, char *text, size_t size)
{
    static const char *const kinds[] = {"p", "h", "item", "code", "row"};
    static const char *const styles[] = {"", "!", "/", "$"};
    size_t used =
        (size_t)snprintf(text, size, "%d %s[%d,%d]: ", block->line, kinds[block->block.kind],
                         block->block.level, block->block.number);
    for (int i = 0; i < block->block.span_count; i++) {
        const Span *span = &block->block.spans[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i ? "|" : "",
                                 styles[span->style], span->text);
    }
}

static void check(const char *text, const char *const *expected, int count)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    Markdown markdown;
    Error error = {""};
    if (!markdown_read(path, "x.md", &markdown, &error)) fail_msg("%s", error.text);
    for (int i = 0; i < markdown.count && i < count; i++) {
        char shown[400];
        show_block(&markdown.blocks[i], shown, sizeof shown);
        assert_string_equal(shown, expected[i]);
    }
    assert_int_equal(markdown.count, count);
    markdown_clear(&markdown);
}

static void test_paragraphs_and_styles(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "1 h[1,0]: Title",
        "3 p[0,0]: one two |!three| |/four| |$five|.",
        "5 h[3,0]: $six| seven",
    };
    check("# Title\n\none\ntwo **three** *four* `five`.\n### `six` seven\n", expected, 3);
}

static void test_lines_are_joined(void **state)
{
    (void)state;
    static const char *const chinese[] = {"1 p[0,0]: 先查后改"};
    check("先查\n后改\n", chinese, 1);
    static const char *const mixed[] = {"1 p[0,0]: 先查 Redis 后改"};
    check("先查\nRedis\n后改\n", mixed, 1);
    static const char *const strong[] = {"1 p[0,0]: 先查|!后改|再卖"};
    check("先查\n**后改**\n再卖\n", strong, 1);
    static const char *const codes[] = {"1 p[0,0]: $a| |$b| c"};
    check("`a`\n`b`\nc\n", codes, 1);
    static const char *const styles[] = {"1 p[0,0]: !a| |/b|, |!c d"};
    check("**a**\n*b*, **c\nd**\n", styles, 1);
}

static void test_lists(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "1 item[1,0]: a", "2 item[2,0]: b |$c", "3 item[1,0]: d e", "6 item[1,3]: f",
        "7 item[1,4]: g", "9 p[1,0]: h",        "11 p[0,0]: i",
    };
    check("- a\n  - b `c`\n- d\n  e\n\n3. f\n4. g\n\n   h\n\ni\n", expected, 7);
}

static void test_code(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "1 p[0,0]: before",
        "4 code[0,0]: $if (a < b)|$|$    **p++;",
        "8 p[0,0]: List<Order>",
    };
    check("before\n\n```c\nif (a < b)\n\n    **p++;\n```\nList<Order>\n", expected, 3);
}

static void test_tables(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "1 row[0,1]: !A|!B",
        "3 row[0,2]: reads 1|",
        "4 row[0,3]: |$GET",
    };
    check("| A | B |\n|---|---|\n| reads `1` | |\n| | `GET` |\n", expected, 3);
}

static void test_words(void **state)
{
    (void)state;
    Span spans[] = {{SPAN_CODE, "x"}, {SPAN_PLAIN, " a "}, {SPAN_STRONG, "b"}, {SPAN_PLAIN, " "}};
    Block block = {.kind = BLOCK_HEADING, .spans = spans, .span_count = 4};
    char *all = block_words(&block, 0), *rest = block_words(&block, 1),
         *none = block_words(&block, 4);
    assert_string_equal(all, "x a b");
    assert_string_equal(rest, "a b");
    assert_string_equal(none, "");
    free(all);
    free(rest);
    free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paragraphs_and_styles),
        cmocka_unit_test(test_lines_are_joined),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests_name("course markdown", tests, make_file, remove_file);
}
