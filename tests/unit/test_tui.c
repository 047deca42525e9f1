/* test_tui.c -- the parts of the console that need no terminal: laying text out, numbers, paces,
 * wishes, actions and commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <curses.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/paths.h"
#include "base/text.h"
#include "tui/action.h"
#include "tui/command.h"
#include "tui/explore_field.h"
#include "tui/explore_numbers.h"
#include "tui/flow.h"
#include "tui/glow.h"

/* The flow as lines, each ended by a newline. The caller frees it. */
static char *flow_string(const Flow *flow)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    flow_print(flow, file);
    fclose(file);
    return text;
}

static void check_paragraph(const char *text, int columns, const char *expected)
{
    Flow flow = {0};
    Span span = {SPAN_PLAIN, (char *)text};
    Block block = {BLOCK_PARAGRAPH, 0, 0, &span, 1};
    flow_blocks(&flow, &block, 1, columns);
    char *lines = flow_string(&flow);
    assert_string_equal(lines, expected);
    free(lines);
    flow_free(&flow);
}

static void breaks_between_words(void **state)
{
    (void)state;
    check_paragraph("one two three four", 9, "one two\nthree\nfour\n");
    check_paragraph("  one   two  ", 20, "one two\n");
    check_paragraph("", 20, "\n");
    /* A word longer than a line is cut, and nothing of it is lost. */
    check_paragraph("ab incomprehensibilities", 10, "ab\nincomprehe\nnsibilitie\ns\n");
}

static void breaks_between_wide_characters(void **state)
{
    (void)state;
    check_paragraph("库存订单用户", 8, "库存订单\n用户\n");
    /* A closing mark stays with what it closes, an opening one with what it opens. */
    check_paragraph("一二三四，五六", 8, "一二三\n四，五六\n");
    check_paragraph("一二三（四五）", 8, "一二三\n（四五）\n");
    check_paragraph("还是第 02 课的空隙", 12, "还是第 02 课\n的空隙\n");
}

static void no_line_is_too_wide(void **state)
{
    (void)state;
    const char *text =
        "Redis 的 SETNX 只在 key 不存在时写入，返回 1；已存在返回 0。It is one command, so no "
        "other command comes between “look” and “write”（原子操作）.";
    for (int columns = 10; columns < 90; columns++) {
        Flow flow = {0};
        flow_text(&flow, STYLE_TEXT, text, columns, 0);
        for (int i = 0; i < flow.run_count; i++)
            assert_true(flow.runs[i].column + flow.runs[i].columns <= columns);
        flow_free(&flow);
    }
}

static void styles_do_not_break_words(void **state)
{
    (void)state;
    Span spans[] = {{SPAN_PLAIN, "say "}, {SPAN_CODE, "stock"}, {SPAN_PLAIN, ", then"}};
    Block block = {BLOCK_PARAGRAPH, 0, 0, spans, 3};
    Flow flow = {0};
    flow_blocks(&flow, &block, 1, 9);
    char *lines = flow_string(&flow);
    assert_string_equal(lines, "say\nstock,\nthen\n");
    free(lines);
    flow_free(&flow);
}

static void lists_hang_and_tables_align(void **state)
{
    (void)state;
    theme_ascii(true);
    Span item = {SPAN_PLAIN, "first words second"};
    Span row[] = {{SPAN_PLAIN, "用户"}, {SPAN_PLAIN, "b"}};
    Span other[] = {{SPAN_PLAIN, "A"}, {SPAN_PLAIN, "long"}};
    Block blocks[] = {
        {BLOCK_ITEM, 1, 0, &item, 1},
        {BLOCK_ITEM, 1, 2, &item, 1},
        {BLOCK_ROW, 0, 0, row, 2},
        {BLOCK_ROW, 0, 0, other, 2},
    };
    Flow flow = {0};
    flow_blocks(&flow, blocks, 4, 14);
    char *lines = flow_string(&flow);
    assert_string_equal(
        lines, "* first words\n  second\n2. first words\n   second\n\n用户  b\nA     long\n");
    free(lines);
    flow_free(&flow);
    theme_ascii(false);
}

static void line_in_columns(const char *line, int columns, const char *expected)
{
    Flow flow = {0};
    flow_line(&flow, STYLE_TEXT, line, strlen(line), columns);
    char *lines = flow_string(&flow);
    assert_string_equal(lines, expected);
    free(lines);
    flow_free(&flow);
}

static void long_lines_are_broken_between_words(void **state)
{
    (void)state;
    line_in_columns("a  |  库存bcd", 7, "a  |  \n库存bcd\n");
    line_in_columns("the stock is gone", 9, "the \nstock is \ngone\n");
    line_in_columns("the stock is gone", 40, "the stock is gone\n");
    line_in_columns("卖光了，没有了", 7, "卖光\n了，没\n有了\n");
    line_in_columns("one abcdefghijk", 6, "one \nabcdef\nghijk\n");
}

static void numbers_are_grouped(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(number_grouped(text, sizeof text, 0), "0");
    assert_string_equal(number_grouped(text, sizeof text, 999), "999");
    assert_string_equal(number_grouped(text, sizeof text, 2604), "2,604");
    assert_string_equal(number_grouped(text, sizeof text, -1234567), "-1,234,567");
    assert_string_equal(number_grouped(text, sizeof text, (long)(-9223372036854775807 - 1)),
                        "-9,223,372,036,854,775,808");
}

static void paces_climb_a_ladder(void **state)
{
    (void)state;
    assert_int_equal(pace_step(0, 1), 0);
    assert_int_equal(pace_step(0, -1), 1);
    assert_int_equal(pace_step(200, -1), 500);
    assert_int_equal(pace_step(200, 1), 100);
    assert_int_equal(pace_step(1000, -1), 1000);
    assert_int_equal(pace_step(300, -1), 500); /* between two rungs */
    assert_int_equal(pace_step(300, 1), 200);
    char words[40];
    assert_string_equal(pace_words(0, words, sizeof words), "full speed");
    assert_string_equal(pace_words(20, words, sizeof words), "20 ms a step");
    assert_string_equal(pace_words(1000, words, sizeof words), "1 s a step");
}

static void wishes_keep_their_bounds(void **state)
{
    (void)state;
    Wish wish;
    Error error;
    wish_start(&wish, &console_defaults);
    assert_true(wish_set(&wish, WISH_USERS, "500", &error));
    assert_int_equal(wish.value[WISH_USERS], 500);
    static const char *const wrong[] = {"0", "-1",  "10001", "5x",
                                        "x", "1e3", " 5",    "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(wish_set(&wish, WISH_USERS, wrong[i], &error));
        assert_non_null(strstr(error.text, ":users"));
        assert_int_equal(wish.value[WISH_USERS], 500);
    }

    LessonVariant variant = {.race = {.users = 200, .stock = 100, .requests = 2, .nodes = 1}};
    Spec spec;
    wish_spec(&wish, &variant, &spec);
    assert_int_equal(spec.users, 500);
    assert_int_equal(spec.stock, 100);
    assert_true(wish_set(&wish, WISH_USERS, "", &error));
    wish_spec(&wish, &variant, &spec);
    assert_int_equal(spec.users, 200);

    /* Requests at the same time are threads: there are not more than there may be users. */
    variant.race.at_once = true;
    assert_true(wish_set(&wish, WISH_USERS, "10000", &error));
    wish_spec(&wish, &variant, &spec);
    assert_int_equal(spec.requests, 1);
}

static void glow_goes_out(void **state)
{
    (void)state;
    const uint64_t second = 1000000000;
    Glow glow = {0};
    glow_set(&glow, 5, second);
    assert_false(glow_lit(&glow, second)); /* the first value is no change */
    glow_set(&glow, 5, 2 * second);
    assert_false(glow_lit(&glow, 2 * second));
    glow_set(&glow, 6, 3 * second);
    assert_true(glow_lit(&glow, 3 * second));
    uint64_t out = glow_next(3 * second);
    assert_true(out > 3 * second && out < 4 * second);
    assert_false(glow_lit(&glow, out));
    assert_int_equal(glow_next(out), 0);
}

/* Every action has a help, or shares its key or its name with one that has. */
static void actions_are_told_and_reachable(void **state)
{
    (void)state;
    for (int i = 0; i < action_count; i++) {
        const Action *action = &actions[i];
        assert_non_null(action->run);
        assert_true(action->name[0] != '\0' && strchr(action->name, ' ') == NULL);
        bool told = action->help != NULL;
        for (int j = 0; j < action_count && !told; j++)
            told = actions[j].help && (actions[j].key[0] == action->key[0] ||
                                       strcmp(actions[j].name, action->name) == 0);
        assert_true(told);
    }
}

static void commands_complete(void **state)
{
    (void)state;
    static App app;
    char **list = command_complete(&app, "", "sav");
    assert_non_null(list);
    assert_string_equal(list[0], "save-display");
    assert_null(list[1]);
    free(list[0]);
    free(list);
    list = command_complete(&app, "theme ", "l");
    assert_string_equal(list[0], "light");
    assert_null(list[1]);
    free(list[0]);
    free(list);
    assert_null(command_complete(&app, "users ", ""));
    assert_null(command_complete(&app, "", "nonsense"));
}

/* ---- the field of an exploration ------------------------------------------------------------- */

enum { FIELD_CELLS = 7 };

/* Cells as they come: switches 1, 0, 2, 1, 0, 2, 1; the 2nd invariant breaks in some of them. */
static void make_exploration(ExploreState *explore, ExploreCell cell[FIELD_CELLS])
{
    static const uint8_t preemptions[FIELD_CELLS] = {1, 0, 2, 1, 0, 2, 1};
    static const uint32_t broken[FIELD_CELLS] = {0, 0, 3, 2, 0, 1, 0};
    static unsigned serial;
    *explore = (ExploreState){.serial = ++serial};
    for (int i = 0; i < FIELD_CELLS; i++) {
        cell[i] = (ExploreCell){.broken = broken[i], .preemptions = preemptions[i], .count = 1,
                                .moves = {(uint8_t)i}, .schedules = 1};
        explore->result.by_preemptions[preemptions[i]]++;
    }
    explore->result.cell = cell;
    explore->result.cells = FIELD_CELLS;
    explore->result.shortest = 3;
    for (int i = 0; i < INVARIANT_COUNT; i++) explore->result.shortest_of[i] = -1;
    explore->result.shortest_of[0] = 2;
    explore->result.shortest_of[1] = 3;
}

/* Takes it in and lays it out, on no screen. */
static void show_field(const ExploreState *explore, Invariant filter, int columns)
{
    const Area nowhere = {.rows = 10, .columns = columns};
    explore_field_take(explore, filter);
    explore_field_draw(explore, &nowhere);
}

static int hand(const ExploreState *explore)
{
    const ExploreCell *cell = explore_field_hand(explore);
    return cell ? cell->moves[0] : -1;
}

static void field_is_grouped_by_switches(void **state)
{
    (void)state;
    ExploreState explore;
    ExploreCell cell[FIELD_CELLS];
    make_exploration(&explore, cell);
    show_field(&explore, INVARIANT_COUNT, 60);
    assert_int_equal(hand(&explore), 3); /* the shortest is under the hand */
    static const int order[FIELD_CELLS] = {1, 4, 0, 3, 6, 2, 5};
    explore_field_move(&explore, MOTION_HOME);
    for (int i = 0; i < FIELD_CELLS; i++) {
        assert_int_equal(hand(&explore), order[i]);
        explore_field_move(&explore, MOTION_RIGHT);
    }
    assert_int_equal(hand(&explore), 5); /* no further than the last */
    explore_field_move(&explore, MOTION_UP);
    assert_int_equal(hand(&explore), 3); /* the second of the row above */
    explore_field_move(&explore, MOTION_TAB);
    assert_int_equal(hand(&explore), 2); /* the next broken one */
    explore_field_move(&explore, MOTION_TAB);
    explore_field_move(&explore, MOTION_TAB);
    assert_int_equal(hand(&explore), 3); /* round and round */
}

static void field_grows_under_the_hand(void **state)
{
    (void)state;
    ExploreState explore;
    ExploreCell cell[FIELD_CELLS];
    long kept, broken;
    make_exploration(&explore, cell);
    explore.result.cells = 2;
    explore.result.shortest = -1;
    show_field(&explore, INVARIANT_COUNT, 30);
    assert_int_equal(hand(&explore), 1); /* nothing is broken yet: the first */
    explore_field_move(&explore, MOTION_RIGHT);
    assert_int_equal(hand(&explore), 0);
    explore.result.cells = FIELD_CELLS;
    explore.result.shortest = 3;
    show_field(&explore, INVARIANT_COUNT, 30);
    assert_int_equal(hand(&explore), 0); /* the learner has moved it: it stays */
    explore_field_count(&kept, &broken);
    assert_int_equal(kept, 4);
    assert_int_equal(broken, 3);
    explore_field_follow();
    show_field(&explore, INVARIANT_COUNT, 30);
    assert_int_equal(hand(&explore), 3);
    show_field(&explore, (Invariant)0, 30); /* by one invariant, its own shortest */
    assert_int_equal(hand(&explore), 2);
    explore_field_count(&kept, &broken);
    assert_int_equal(kept, 5);
    assert_int_equal(broken, 2);
    assert_true(explore_field_point(2));
    assert_false(explore_field_point(4));
    assert_int_equal(hand(&explore), 4);
    assert_false(explore_field_point(FIELD_CELLS));
}

static void counts_beyond_whole_numbers(void **state)
{
    (void)state;
    char text[40];
    assert_string_equal(count_text(34650, text, sizeof text), "34,650");
    assert_string_equal(count_text(1e20, text, sizeof text), "1.0e+20");
}

/* ---- the man page has what the console has ------------------------------------------------ */

static void roff(Text *out, const char *words)
{
    for (; *words; words++) {
        if (*words == '-') text_append_char(out, '\\');
        text_append_char(out, *words);
    }
}

static const char *man_key(int key, char text[16])
{
    if (key == KEY_LEFT) return "Left";
    if (key == KEY_RIGHT) return "Right";
    if (key == KEY_UP) return "Up";
    if (key == KEY_DOWN) return "Down";
    if (key == KEY_DC) return "Del";
    if (key == KEY_BACKSPACE || key == 127) return "Backspace";
    return key_label(key, text);
}

static void roff_views(Text *out, unsigned mask)
{
    int without = 0, said = 0;
    for (int i = 0; i < VIEW_COUNT; i++) without += !(mask & (1u << i));
    if (without <= 1) return;
    text_append(out, " (");
    for (int i = 0; i < VIEW_COUNT; i++)
        if (mask & (1u << i)) text_format(out, "%s%s", said++ ? ", " : "", views[i]->name);
    text_append(out, ")");
}

static void roff_keys(Text *out)
{
    for (int i = 0; i < action_count; i++) {
        const Action *action = &actions[i];
        if (!action->help) continue;
        text_append(out, ".TP\n.B ");
        for (int k = 0; k < ACTION_KEYS && action->key[k]; k++) {
            char one[16];
            const char *name = man_key(action->key[k], one);
            if (action->key[k] == KEY_ENTER || (k > 0 && action->key[k] == 127)) continue;
            if (k > 0) text_append(out, ", ");
            roff(out, name);
        }
        text_append(out, "\n");
        roff(out, action->help);
        roff_views(out, action->views);
        text_append(out, ".\n");
    }
}

static void roff_commands(Text *out)
{
    for (int i = 0; i < command_count; i++) {
        text_append(out, ".TP\n.B :");
        roff(out, commands[i].name);
        if (*command_hint(&commands[i])) text_append_char(out, ' ');
        roff(out, command_hint(&commands[i]));
        text_append(out, "\n");
        roff(out, command_help(&commands[i]));
        text_append(out, ".\n");
    }
}

/* The lines of the section, from the first .TP on. */
static char *section(const char *page, const char *name)
{
    const char *begin = strstr(page, name);
    assert_non_null(begin);
    begin = strstr(begin, ".TP\n");
    assert_non_null(begin);
    const char *end = strstr(begin, "\n.SH ");
    assert_non_null(end);
    return strndup(begin, (size_t)(end + 1 - begin));
}

/* When this fails: LAB_WRITE_MAN=1 tests/unit/test_tui prints what belongs there. */
static void check_section(const char *page, const char *name, void (*make)(Text *))
{
    Text wanted = {0};
    make(&wanted);
    if (getenv("LAB_WRITE_MAN")) printf("%s\n%s", name, text_string(&wanted));
    char *found = section(page, name);
    assert_string_equal(found, text_string(&wanted));
    free(found);
    text_free(&wanted);
}

static void the_man_page_has_every_key_and_command(void **state)
{
    (void)state;
    char path[4400];
    snprintf(path, sizeof path, "%s/docs/seckill-lab.1", paths_data());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char page[200000];
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    i18n_start("en");
    check_section(page, ".SH KEYS\n", roff_keys);
    check_section(page, ".SH COMMANDS\n", roff_commands);
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_man_page_has_every_key_and_command),
        cmocka_unit_test(breaks_between_words),
        cmocka_unit_test(breaks_between_wide_characters),
        cmocka_unit_test(no_line_is_too_wide),
        cmocka_unit_test(styles_do_not_break_words),
        cmocka_unit_test(lists_hang_and_tables_align),
        cmocka_unit_test(long_lines_are_broken_between_words),
        cmocka_unit_test(numbers_are_grouped),
        cmocka_unit_test(paces_climb_a_ladder),
        cmocka_unit_test(wishes_keep_their_bounds),
        cmocka_unit_test(glow_goes_out),
        cmocka_unit_test(actions_are_told_and_reachable),
        cmocka_unit_test(commands_complete),
        cmocka_unit_test(field_is_grouped_by_switches),
        cmocka_unit_test(field_grows_under_the_hand),
        cmocka_unit_test(counts_beyond_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
