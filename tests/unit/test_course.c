/* The lessons as they are shipped: they load in both languages, their claims are read as they
 * stand, and each listing is the very text of its function. */
#include <glob.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/paths.h"
#include "course/course.h"
#include "course/listing.h"
#include "course/shop_sources.h"

static Course *course;

static int load(void **state)
{
    (void)state;
    const char *source = getenv("LAB_SOURCE");
    Error error;
    course = course_load_from(source ? source : ".", &error);
    if (!course) print_error("%s\n", error.text);
    return course ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    course_free(course);
    return 0;
}

static const LessonVariant *variant_of(const char *name)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    Error error;
    assert_true(course_find(course, name, &lesson, &variant, &error));
    return variant;
}

static void test_every_registered_variant_has_a_lesson(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < course->count; i++) count += course->lessons[i].variant_count;
    assert_int_equal(count, variant_count);
    for (int i = 0; i < variant_count; i++) {
        const Lesson *lesson = course_lesson(course, variants[i].lesson);
        assert_non_null(lesson);
        const LessonVariant *variant = lesson_variant(lesson, variants[i].name);
        assert_non_null(variant);
        assert_ptr_equal(variant->code, &variants[i]);
        assert_ptr_equal(variant->small.variant, &variants[i]);
        assert_ptr_equal(variant->race.variant, &variants[i]);
    }
}

static void check_blocks(const Block *blocks, int count)
{
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        assert_true(blocks[i].span_count > 0);
        for (int j = 0; j < blocks[i].span_count; j++)
            assert_null(strchr(blocks[i].spans[j].text, '\n'));
    }
}

static void test_every_lesson_is_told_in_both_languages(void **state)
{
    (void)state;
    for (int i = 0; i < course->count; i++) {
        const Lesson *lesson = &course->lessons[i];
        for (Language language = 0; language < LANGUAGE_COUNT; language++) {
            const LessonText *text = &lesson->text[language];
            assert_true(*text->title && *text->summary);
            bool found[SECTION_OTHER + 1] = {false};
            for (int j = 0; j < text->section_count; j++) {
                found[text->sections[j].kind] = true;
                check_blocks(text->sections[j].blocks, text->sections[j].block_count);
            }
            for (SectionKind kind = SECTION_STORY; kind < SECTION_OTHER; kind++)
                assert_true(found[kind]);
            for (int j = 0; j < lesson->variant_count; j++) {
                const VariantText *words = &lesson->variants[j].text[language];
                assert_true(*words->title);
                check_blocks(words->blocks, words->block_count);
            }
        }
        assert_string_not_equal(lesson->text[LANGUAGE_EN].title, lesson->text[LANGUAGE_ZH].title);
    }
}

static void test_lessons_are_in_order_and_found_by_every_name(void **state)
{
    (void)state;
    for (int i = 1; i < course->count; i++)
        assert_true(strcmp(course->lessons[i - 1].number, course->lessons[i].number) < 0);
    const Lesson *oversell = course_lesson(course, "oversell");
    assert_non_null(oversell);
    assert_string_equal(oversell->number, "02");
    assert_ptr_equal(course_lesson(course, "02"), oversell);
    assert_ptr_equal(course_lesson(course, "2"), oversell);
    assert_ptr_equal(course_lesson(course, "02-oversell"), oversell);
    assert_null(course_lesson(course, "03-oversell"));
    assert_null(course_lesson(course, "over"));
    assert_null(course_lesson(course, ""));
}

static void test_find(void **state)
{
    (void)state;
    const Lesson *lesson;
    const LessonVariant *variant;
    Error error;
    assert_true(course_find(course, "2", &lesson, &variant, &error));
    assert_string_equal(lesson->name, "oversell");
    assert_string_equal(variant->name, "check-then-update");
    assert_true(course_find(course, "oversell/redis-get-set", &lesson, &variant, &error));
    assert_string_equal(variant->name, "redis-get-set");
    assert_false(course_find(course, "oversold", &lesson, &variant, &error));
    assert_non_null(
        strstr(error.text, "there is no lesson 'oversold'; there are 00-tour, 01-global-id, "));
    assert_false(course_find(course, "3/none", &lesson, &variant, &error));
    assert_string_equal(error.text, "lesson optimistic-lock has no variant 'none'; it has version, "
                                    "cas-stock, cas-retry, stock-gt-0");
    assert_false(course_find(course, "3/", &lesson, &variant, &error));
    assert_false(course_find(course, "\x1b[2J", &lesson, &variant, &error));
    assert_null(strchr(error.text, '\x1b'));
}

/* A claim as one line: "-no-oversell +books-balance". */
static void check_claim(const char *variant_name, const char *expected)
{
    const LessonVariant *variant = variant_of(variant_name);
    char claim[400] = "";
    for (Invariant i = 0; i < INVARIANT_COUNT; i++) {
        assert_int_equal(variant->small.breaks[i], variant->race.breaks[i]);
        assert_int_equal(variant->small.keeps[i], variant->race.keeps[i]);
        if (!variant->small.breaks[i] && !variant->small.keeps[i]) continue;
        strcat(claim, variant->small.breaks[i] ? " -" : " +");
        strcat(claim, invariant_name(i));
    }
    assert_string_equal(claim + 1, expected);
    assert_int_equal(variant->mended, !strstr(claim, " -"));
}

static void test_claims(void **state)
{
    (void)state;
    check_claim("oversell/check-then-update",
                "-no-oversell +books-balance +answer-true +unique-ids");
    check_claim("oversell/redis-get-set", "-no-oversell -books-balance +answer-true +unique-ids");
    check_claim("global-id/counter-overflow", "+unique-ids -ids-ascend");
    check_claim("optimistic-lock/cas-retry",
                "+no-oversell +no-undersell +books-balance +answer-true +unique-ids");
    check_claim("one-order-per-user/insert-ignore-unread",
                "+no-oversell +one-per-user -books-balance -answer-true +unique-ids");
}

static void test_worlds(void **state)
{
    (void)state;
    const Spec *small = &variant_of("oversell/redis-get-set")->small;
    assert_int_equal(small->users, 2);
    assert_int_equal(small->stock, 1);
    assert_int_equal(small->nodes, 1);
    assert_int_equal(small->requests, 1);
    assert_false(small->stock_in_sql);
    assert_true(small->stock_in_redis);

    small = &variant_of("oversell/check-then-update")->small;
    assert_true(small->stock_in_sql);
    assert_false(small->stock_in_redis);
    assert_int_equal(small->window, WINDOW_OPEN);
    assert_int_equal(variant_of("oversell/too-early")->small.window, WINDOW_NOT_BEGUN);
    assert_int_equal(variant_of("oversell/too-late")->race.window, WINDOW_ENDED);

    const Spec *race = &variant_of("oversell/check-then-update")->race;
    assert_int_equal(race->users, 200);
    assert_int_equal(race->stock, 100);

    small = &variant_of("one-order-per-user/unique-index")->small;
    assert_true(small->at_once && small->unique_order);
    assert_int_equal(small->users, 1);
    assert_int_equal(small->requests, 2);
    assert_false(variant_of("one-order-per-user/check-then-insert")->small.unique_order);

    small = &variant_of("global-id/counter-overflow")->small;
    assert_int_equal(small->presets, 1);
    assert_string_equal(small->preset[0].key, "icr:order:{today}");
    assert_string_equal(small->preset[0].value, "4294967294");
    assert_int_equal(small->clock, 1796025601);
    assert_int_equal((small->clock - 1640995200) % 2, 1);

    small = &variant_of("atomic-redis/decr-and-give-back")->small;
    assert_int_equal(small->baskets, 2);
    assert_int_equal(spec_basket(small, 1), 2);
    assert_int_equal(spec_basket(small, 2), 1);
    assert_int_equal(spec_basket(small, 3), 2);
    assert_int_equal(spec_basket(&variant_of("atomic-redis/lua")->small, 1), 1);

    ShopSetup setup;
    small = &variant_of("lua-eligibility/nil-stock")->small;
    assert_true(small->stock_in_redis && small->not_loaded);
    spec_setup(small, &setup);
    assert_false(setup.redis_stock);
    assert_false(variant_of("lua-eligibility/mended")->small.not_loaded);
    spec_setup(&variant_of("lua-eligibility/window-too-early")->small, &setup);
    assert_true(setup.redis_stock);
    assert_int_equal(setup.presets, 2);
    assert_string_equal(setup.preset[0].key, "seckill:begin:1");
    assert_int_equal(strtoll(setup.preset[0].value, NULL, 10), setup.begin);
    assert_int_equal(strtoll(setup.preset[1].value, NULL, 10), setup.end);
}

static void test_panels(void **state)
{
    (void)state;
    const Lesson *ids = course_lesson(course, "global-id"),
                 *oversell = course_lesson(course, "oversell");
    assert_true(ids->shows_ids && !ids->shows_stock && !ids->shows_queue && !ids->shows_locks);
    assert_true(oversell->shows_stock && !oversell->shows_ids);
}

/* ---- listings ------------------------------------------------------------------------------ */

static int line_number(const char *text, const char *at)
{
    int number = 1;
    for (; text < at; text++) number += *text == '\n';
    return number;
}

/* Behind the code stand the scripts that it names, line by line as in lua/; they and the blank lines
 * between functions have no line of the source. */
static bool stands_in(const char *path, const char *wanted)
{
    char text[512];
    FILE *script = fopen(path, "r");
    assert_non_null(script);
    bool found = false;
    while (!found && fgets(text, sizeof text, script)) {
        text[strcspn(text, "\n")] = '\0';
        found = strcmp(text, wanted) == 0;
    }
    fclose(script);
    return found;
}

static void check_script_line(const ListingLine *line)
{
    if (!*line->text) return;
    char pattern[PATH_MAX];
    snprintf(pattern, sizeof pattern, "%s/lua/*.lua", paths_data());
    glob_t scripts;
    assert_int_equal(glob(pattern, 0, NULL, &scripts), 0);
    bool found = false;
    for (size_t i = 0; !found && i < scripts.gl_pathc; i++)
        found = stands_in(scripts.gl_pathv[i], line->text);
    globfree(&scripts);
    if (!found) fail_msg("'%s' stands in no script", line->text);
}

/* Line by line, the listing is what stands in the source at that line. */
static void test_listings_are_the_source(void **state)
{
    (void)state;
    for (int i = 0; i < variant_count; i++) {
        const LessonVariant *variant =
            lesson_variant(course_lesson(course, variants[i].lesson), variants[i].name);
        const char *source = shop_source(variants[i].file);
        assert_non_null(source);
        bool has_signature = false;
        const ListingLine *last = NULL;
        for (int j = 0; j < variant->listing.count; j++) {
            const ListingLine *line = &variant->listing.lines[j];
            const char *at = source;
            if (line->source_line == 0) {
                check_script_line(line);
                continue;
            }
            last = line;
            for (int skip = 1; skip < line->source_line; skip++) at = strchr(at, '\n') + 1;
            assert_memory_equal(at, line->text, strlen(line->text));
            assert_int_equal(at[strlen(line->text)], '\n');
            has_signature |= strstr(line->text, variants[i].function) && strchr(line->text, '(');
        }
        assert_true(has_signature);
        assert_memory_equal(variant->listing.lines[0].text, "/* ", 3);
        assert_string_equal(last->text, "}");
        assert_true(variant->listing.count <= 400);
    }
}

static void test_a_listing_is_the_whole_function(void **state)
{
    (void)state;
    const char *source = shop_source("src/shop/oversell.c");
    const char *start = strstr(source, "/* Read the stock. If there is any");
    const char *end = strstr(start, "\n}\n");
    const Listing *listing = &variant_of("oversell/check-then-update")->listing;
    int first = line_number(source, start), last = line_number(source, end) + 1;
    assert_int_equal(listing->count, last - first + 1);
    for (int i = 0; i < listing->count; i++)
        assert_int_equal(listing->lines[i].source_line, first + i);
}

static const char made_up[] = "#include <x.h>\n"                         /* 1 */
                              "/* Not directly above. */\n"              /* 2 */
                              "\n"                                       /* 3 */
                              "static int last(int a)\n"                 /* 4 */
                              "{\n"                                      /* 5 */
                              "\treturn a;\n"                            /* 6 */
                              "}\n"                                      /* 7 */
                              "\n"                                       /* 8 */
                              "static int unused(int a)\n"               /* 9 */
                              "{\n"                                      /* 10 */
                              "    return last(a);\n"                    /* 11 */
                              "}\n"                                      /* 12 */
                              "\n"                                       /* 13 */
                              "/* Above,\n"                              /* 14 */
                              " * on two lines. */\n"                    /* 15 */
                              "static int body(int a)\n"                 /* 16 */
                              "{\n"                                      /* 17 */
                              "    return last(a) + body(a);\n"          /* 18 */
                              "}\n"                                      /* 19 */
                              "int buy(int a,\n"                         /* 20 */
                              "        int b)\n"                         /* 21 */
                              "{\n"                                      /* 22 */
                              "    /* unused() is not called */\n"       /* 23 */
                              "    say(\"unused(\\\")\", 'x');\n"        /* 24 */
                              "    return attempt(body, b); // unused\n" /* 25 */
                              "}";                                       /* 26 */

static void test_cut_follows_calls(void **state)
{
    (void)state;
    static const int expected[] = {20, 21, 22, 23, 24, 25, 26, 0, 14, 15,
                                   16, 17, 18, 19, 0,  4,  5,  6, 7};
    Listing listing;
    assert_true(listing_cut(made_up, "buy", NULL, &listing));
    assert_int_equal(listing.count, sizeof expected / sizeof expected[0]);
    for (int i = 0; i < listing.count; i++)
        assert_int_equal(listing.lines[i].source_line, expected[i]);
    assert_string_equal(listing.lines[17].text, "    return a;");
    listing_clear(&listing);
    assert_false(listing_cut(made_up, "sell", NULL, &listing));
    assert_false(listing_cut(made_up, "say", NULL, &listing));
    assert_false(listing_cut("", "buy", NULL, &listing));
}

static void test_hash_follows_the_text(void **state)
{
    (void)state;
    Listing one, same, other;
    assert_true(listing_cut("int f(void)\n{\n    a();\n}\n", "f", NULL, &one));
    assert_true(listing_cut("int g(void)\n{\n}\n\nint f(void)\n{\n    a();\n}\n", "f", NULL, &same));
    assert_true(listing_cut("int f(void)\n{\n    b();\n}\n", "f", NULL, &other));
    assert_int_equal(one.hash, same.hash);
    assert_int_not_equal(one.hash, other.hash);
    listing_clear(&one);
    listing_clear(&same);
    listing_clear(&other);
    assert_int_not_equal(variant_of("oversell/check-then-update")->listing.hash,
                         variant_of("oversell/absolute-update")->listing.hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_registered_variant_has_a_lesson),
        cmocka_unit_test(test_every_lesson_is_told_in_both_languages),
        cmocka_unit_test(test_lessons_are_in_order_and_found_by_every_name),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_worlds),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_listings_are_the_source),
        cmocka_unit_test(test_a_listing_is_the_whole_function),
        cmocka_unit_test(test_cut_follows_calls),
        cmocka_unit_test(test_hash_follows_the_text),
    };
    return cmocka_run_group_tests_name("course", tests, load, unload);
}
