/* A mistake in a lesson is refused with file, line and reason: one small lesson, spoilt in many
 * ways. */
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

#include "course/course.h"

static const char yaml[] = "number: \"00\"\n"           /* 1 */
                           "name: tour\n"               /* 2 */
                           "panels: [stock]\n"          /* 3 */
                           "world:\n"                   /* 4 */
                           "  users: 1\n"               /* 5 */
                           "race:\n"                    /* 6 */
                           "  users: 50\n"              /* 7 */
                           "  pace: 2\n"                /* 8 */
                           "shop:\n"                    /* 9 */
                           "  stock_in: [sql]\n"        /* 10 */
                           "variants:\n"                /* 11 */
                           "  mended:\n"                /* 12 */
                           "    breaks: []\n"           /* 13 */
                           "    keeps: [unique-ids]\n"; /* 14 */

static const char en[] = "# Tour\n"                 /* 1 */
                         "\n"                       /* 2 */
                         "A first look.\n"          /* 3 */
                         "\n"                       /* 4 */
                         "## Story\n"               /* 5 */
                         "A shop.\n"                /* 6 */
                         "## What to watch\n"       /* 7 */
                         "The stock.\n"             /* 8 */
                         "## `mended` Done right\n" /* 9 */
                         "It works.\n"              /* 10 */
                         "### Goal\n"               /* 11 */
                         "Buy one.\n"               /* 12 */
                         "## What happened\n"       /* 13 */
                         "One was sold.\n"          /* 14 */
                         "## Why\n"                 /* 15 */
                         "It was wanted.\n"         /* 16 */
                         "## The fix\n"             /* 17 */
                         "None.\n"                  /* 18 */
                         "## In Java\n"             /* 19 */
                         "The same.\n"              /* 20 */
                         "## Interview\n"           /* 21 */
                         "No question.\n";          /* 22 */

static const char zh[] =
    "# 导览\n\n先看一眼。\n\n## 故事\n商店。\n## 看什么\n库存。\n## `mended` 正确写法\n能用。\n"
    "## 发生了什么\n卖了一张。\n## 为什么\n有人要。\n## 怎么改\n不用改。\n## 在 Java 里\n一样。\n"
    "## 面试\n没有问题。\n";

typedef enum Which { YAML, EN, ZH, FILES } Which;
static const char *const file_names[FILES] = {"lessons/00-tour.yaml", "lessons/en/00-tour.md",
                                              "lessons/zh/00-tour.md"};
static const char *const originals[FILES] = {yaml, en, zh};
static char directory[] = "/tmp/test-course-XXXXXX";

/* The one place of `text` that reads `from` reads `to`; NULL for both: no change. */
static char *spoilt(const char *text, const char *from, const char *to)
{
    static char result[8192];
    const char *at = from ? strstr(text, from) : text;
    assert_non_null(at);
    if (!from) from = to = "";
    snprintf(result, sizeof result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return result;
}

static void write_file(Which which, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, file_names[which]);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

/* What the course says to the lesson when one of its files is spoilt so. */
static const char *complaint(Which which, const char *from, const char *to)
{
    static Error error;
    error = (Error){""};
    for (Which i = 0; i < FILES; i++)
        write_file(i, i == which ? spoilt(originals[i], from, to) : originals[i]);
    assert_null(course_load_from(directory, &error));
    return error.text;
}

typedef struct Case {
    const char *from, *to, *says;
} Case;

static void check_cases(Which which, const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char expected[400];
        snprintf(expected, sizeof expected, "%s:%s", file_names[which], cases[i].says);
        assert_string_equal(complaint(which, cases[i].from, cases[i].to), expected);
    }
}

static void test_yaml(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"panels:", "panel:", "3: unknown key 'panel'; docs/adding-a-lesson.md names them all"},
        {"  users: 1\n", "  user: 1\n",
         "5: unknown key 'user'; docs/adding-a-lesson.md names them all"},
        {"  users: 1\n", "  pace: 1\n",
         "5: unknown key 'pace'; docs/adding-a-lesson.md names them all"},
        {"  pace: 2\n", "  faults: [clk]\n",
         "8: clk, crash, restart and freeze are moves of the world that is explored; a race has faults like "
         "'error A@insert-order'"},
        {"    breaks: []\n", "    brakes: []\n",
         "13: unknown key 'brakes'; docs/adding-a-lesson.md names them all"},
        {"unique-ids", "no-overselling", "14: there is no invariant 'no-overselling'"},
        {"breaks: []", "breaks: [unique-ids]",
         "14: 'unique-ids' is claimed to be broken and to be kept"},
        {"[unique-ids]", "[unique-ids, unique-ids]", "14: 'unique-ids' is named twice"},
        {"[unique-ids]", "[]", "12: variant 'mended' claims nothing: say what it breaks or keeps"},
        {"[unique-ids]", "unique-ids", "14: a list is expected here: [one, two]"},
        {"[unique-ids]", "[[unique-ids]]", "14: a single value is expected here"},
        {"  mended:\n", "  mend:\n", "12: variant 'mend' is not registered in src/shop/register.c"},
        {"  mended:\n    breaks: []\n    keeps: [unique-ids]\n", "  {}\n",
         "12: variant 'mended' is registered in src/shop/register.c, but has no entry here"},
        {"users: 1\n", "users: 0\n", "5: '0' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users: 10001\n", "5: '10001' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users: -1\n", "5: '-1' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users: 1.5\n", "5: '1.5' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users: many\n", "5: 'many' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users: 99999999999999999999\n",
         "5: '99999999999999999999' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users:\n", "5: '' is not a whole number from 1 to 10000"},
        {"users: 1\n", "users: 1\n  users: 2\n", "6: 'users' comes twice"},
        {"users: 1\n", "at_once: yes\n", "5: 'yes' is neither true nor false"},
        {"users: 1\n", "stock: 1000000001\n",
         "5: '1000000001' is not a whole number from 0 to 1000000000"},
        {"users: 1\n", "nodes: 9\n", "5: '9' is not a whole number from 1 to 8"},
        {"users: 1\n", "clock: yesterday\n",
         "5: 'yesterday' is no time of the form 2026-11-30T08:00:01Z"},
        {"users: 1\n", "clock: 2026-02-30T08:00:01Z\n",
         "5: '2026-02-30T08:00:01Z' is no time of the form 2026-11-30T08:00:01Z"},
        {"users: 1\n", "clock: 2021-12-31T23:59:59Z\n",
         "5: the clock must stand between 2022 and 2090, where ids are"},
        {"users: 1\n", "window: shut\n", "5: 'shut' is none of: open, not-begun, ended"},
        {"users: 1\n", "faults: [flood]\n", "5: 'flood' is none of: clk, clk-after-crash, crash, restart, freeze, or a fault like 'error A@insert-order'"},
        {"users: 1\n", "preemptions: 0\n", "5: '0' is not a whole number from 1 to 100"},
        {"users: 1\n", "shortest: \"\"\n", "5: the shortest schedule has no moves"},
        {"pace: 2\n", "pace: 1001\n", "8: '1001' is not a whole number from 0 to 1000"},
        {"pace: 2\n", "limit: 0\n", "8: '0' is not a whole number from 1 to 600"},
        {"pace: 2\n", "requests: 1000000\n",
         "13: 50 users with 1000000 requests each are more than 1000000 in all"},
        {"pace: 2\n", "requests: 300\n  at_once: true\n",
         "14: 15000 requests at once are more than 10000 threads"},
        {"[sql]", "[oracle]", "10: 'oracle' is none of: sql, redis"},
        {"[sql]", "[sql]\n  preset: {a: {b: c}}", "11: a single value is expected here"},
        {"[sql]", "[sql]\n  preset: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1}",
         "11: there is room for 8 presets only"},
        {"[sql]", "[sql]\n  preload: later", "11: 'later' is neither true nor false"},
        {"users: 1\n", "baskets: 2\n", "5: a list is expected here: [one, two]"},
        {"users: 1\n", "baskets: [2, 0]\n", "5: '0' is not a whole number from 1 to 1000000000"},
        {"users: 1\n", "baskets: [1, 2, 3, 4, 5]\n", "5: there is room for 4 baskets only"},
        {"[stock]", "[cellar]", "3: 'cellar' is none of: stock, ids, queue, locks"},
        {"number: \"00\"\n", "", "1: 'number' is missing"},
        {"name: tour\n", "", "1: 'name' is missing"},
        {"\"00\"", "0", "1: the number must be two digits, as in \"02\""},
        {"\"00\"", "\"01\"", "1: number and name belong into a file called 01-tour.yaml"},
        {"world:\n  users: 1\n", "world: 1\n",
         "4: lines of the form 'key: value' are expected here"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {script: a.lua}\n", "15: an exercise needs 'solution'"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {script: a.lua, solution: b.lua}\n",
         "15: an exercise needs 'keys'"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {script: ../a.lua}\n",
         "15: '../a.lua' is no script below lua/: NAME.lua"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {script: a.sh}\n",
         "15: 'a.sh' is no script below lua/: NAME.lua"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {hint: h}\n",
         "15: unknown key 'hint'; docs/adding-a-lesson.md names them all"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {keys: [a, b, c, d, e]}\n",
         "15: at most 4 key patterns of at most 47 bytes, without blanks"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {keeps: [all]}\n", "15: there is no invariant 'all'"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {world: {shortest: A}}\n",
         "15: an exercise's world has no 'shortest'"},
        {"[unique-ids]\n", "[unique-ids]\n    exercise: {world: {pace: 1}}\n",
         "15: unknown key 'pace'; docs/adding-a-lesson.md names them all"},
        {"[unique-ids]\n",
         "[unique-ids]\n    exercise: {script: a.lua, solution: b.lua, keys: [a], worlds: [{}, {}, {}, {}, {}]}\n",
         "15: an exercise has at most 4 worlds"},
        {"[sql]", "[sql", "11: not well-formed: did not find expected ',' or ']'"},
    };
    check_cases(YAML, cases, sizeof cases / sizeof cases[0]);
    assert_string_equal(complaint(YAML, yaml, ""), "lessons/00-tour.yaml:1: the file is empty");
}

static void test_words(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"# Tour\n", "Tour\n", "1: the first line must be '# ' and the title of the lesson"},
        {"A first look.\n", "", "4: one paragraph is expected here: the lesson in one line"},
        {"A first look.\n", "A first look.\n\nAnd another.\n",
         "5: a '## ' heading is expected after the lesson's one line"},
        {"## Story\nA shop.\n", "", "20: section '## Story' is missing"},
        {"## Interview\nNo question.\n", "", "20: section '## Interview' is missing"},
        {"## Why\n", "## Story\n", "15: section 'Story' comes twice"},
        {"It was wanted.\n", "", "15: section 'Why' has no text"},
        {"## `mended` Done right\nIt works.\n### Goal\nBuy one.\n", "",
         "18: section '## `mended` ...' is missing"},
        {"`mended`", "`broken`", "9: the lesson has no variant 'broken'"},
        {"`mended` Done right", "`mended`", "9: variant 'mended' needs a title behind its name"},
        {"It works.\n", "", "9: variant 'mended' has no text"},
        {"## Why\n", "## `mended` Again\n", "15: variant 'mended' comes twice"},
        {"Buy one.\n", "", "12: one paragraph is expected here: Goal"},
        {"Buy one.\n", "- Buy one.\n", "12: one paragraph is expected here: Goal"},
        {"Buy one.\n", "Buy one.\n\nBuy two.\n",
         "14: 'Goal' is one paragraph; what follows needs a heading"},
        {"Buy one.\n", "Buy one.\n### Goal\nTwo.\n", "13: 'Goal' comes twice"},
        {"### Goal\nBuy one.\n", "### Hint 1\nLook.\n",
         "11: 'Hint 1': variant 'mended' has no exercise in the yaml"},
        {"## Why\n", "# Why\n", "15: a file has one title only; use '## '"},
        {"A shop.\n", "A [shop](http://localhost).\n",
         "6: links and pictures are not shown; write the words alone"},
        {"A shop.\n", "> A shop.\n", "6: quotes are not shown; use a paragraph"},
        {"A shop.\n", "A shop.\n\n---\n\nShut.\n",
         "10: the rule before this is not shown; use a heading"},
        {"A shop.\n", "A **shop.\n",
         "6: a ** or ` here opens or closes nothing; put a blank on its outer side"},
        {"A shop.\n", "A `shop.\n",
         "6: a ** or ` here opens or closes nothing; put a blank on its outer side"},
        {"A shop.\n", "A&nbsp;shop.\n", "6: write the character itself, not its name"},
        {"A shop.\n", "A\tshop.\n", "6: a tab: use blanks"},
        {"A shop.\n", "A \x1b[31mshop.\n", "6: a control character (0x1b)"},
        {"A shop.\n", "A \xff shop.\n", "6: this is not UTF-8"},
    };
    check_cases(EN, cases, sizeof cases / sizeof cases[0]);
}

static void test_an_exercise_needs_its_words(void **state)
{
    (void)state;
    static const char made[] = "[unique-ids]\n    exercise: {script: a.lua, solution: b.lua, keys: [a]}\n";
    assert_string_equal(complaint(YAML, "[unique-ids]\n", made),
                        "lessons/en/00-tour.md:9: variant 'mended' has an exercise: '### Exercise' is missing");
}

static void test_each_language_must_be_there(void **state)
{
    (void)state;
    assert_string_equal(complaint(ZH, "## 为什么\n有人要。\n", ""),
                        "lessons/zh/00-tour.md:18: section '## 为什么' is missing");
    assert_string_equal(complaint(ZH, "`mended`", "`mend`"),
                        "lessons/zh/00-tour.md:9: the lesson has no variant 'mend'");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, file_names[ZH]);
    for (Which i = 0; i < FILES; i++) write_file(i, originals[i]);
    assert_int_equal(unlink(path), 0);
    Error error;
    assert_null(course_load_from(directory, &error));
    assert_string_equal(error.text,
                        "lessons/zh/00-tour.md cannot be read: No such file or directory");
}

/* The lesson itself is right: what is missing are the lessons of the other registered variants. */
static void test_registered_without_a_lesson(void **state)
{
    (void)state;
    assert_string_equal(
        complaint(YAML, NULL, NULL),
        "src/shop/register.c:1: 'auto-increment' is registered for lesson 'global-id', "
        "but there is no lessons/NN-global-id.yaml");
}

static int make_directories(void **state)
{
    (void)state;
    if (!mkdtemp(directory)) return -1;
    static const char *const below[] = {"lessons", "lessons/en", "lessons/zh"};
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", directory, below[i]);
        if (mkdir(path, 0700) != 0) return -1;
    }
    return 0;
}

static int remove_directories(void **state)
{
    (void)state;
    static const char *const below[] = {"lessons/00-tour.yaml",
                                        "lessons/en/00-tour.md",
                                        "lessons/zh/00-tour.md",
                                        "lessons/en",
                                        "lessons/zh",
                                        "lessons",
                                        ""};
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", directory, below[i]);
        remove(path);
    }
    return access(directory, F_OK) == 0 ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yaml),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_an_exercise_needs_its_words),
        cmocka_unit_test(test_each_language_must_be_there),
        cmocka_unit_test(test_registered_without_a_lesson),
    };
    return cmocka_run_group_tests_name("course refusals", tests, make_directories,
                                       remove_directories);
}
