/* test_engine_schedule.c -- schedules read and written: round trips, refusals, and any garbage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "base/text.h"
#include "engine/schedule.h"

static Schedule parsed;
static ScheduleLine line;

/* ---- schedules that are read -------------------------------------------------------------- */

static void check_reads(const char *text, const char *written)
{
    static char again[20000];
    Error error = {""};
    if (!schedule_parse(text, &parsed, &error)) fail_msg("%s: %s", text, error.text);
    assert_string_equal(schedule_write(&parsed, again, sizeof again), written);
}

static void reads_moves(void **state)
{
    (void)state;
    check_reads("A B A", "A B A");
    check_reads("", "");
    check_reads(" \t\r\n ", "");
    check_reads("  A\tB\r\nA ", "A B A");
    check_reads("Z u26 u27 u100000", "Z Z u27 u100000");
    check_reads("u1", "A");
    check_reads("c1 c12 w1 w3", "c1 c12 w1 w3");
    check_reads("!n1 ^n1 !n8 failover", "!n1 ^n1 !n8 failover");
    check_reads("A clk B", "A clk B");
    check_reads("clk:lock:order:7 A", "clk:lock:order:7 A");
    check_reads("clk:库存", "clk:库存");
    check_reads("clk:a*b", "clk:a*b"); /* the star is the key's */
    check_reads("A*3 B", "A A A B");
    check_reads("A*1", "A");
    check_reads("u27*2 c1*2 clk*2 !n1*2", "u27 u27 c1 c1 clk clk !n1 !n1");
}

static void reads_into_moves(void **state)
{
    (void)state;
    Error error;
    assert_true(schedule_parse("B u27 c2 w3 clk clk:k !n4 ^n5 failover", &parsed, &error));
    static const Move expected[] = {
        {MOVE_USER, 1, ""},     {MOVE_USER, 26, ""}, {MOVE_CONSUMER, 1, ""},
        {MOVE_WATCHDOG, 2, ""}, {MOVE_CLOCK, 0, ""}, {MOVE_CLOCK, 0, "k"},
        {MOVE_CRASH, 3, ""},    {MOVE_START, 4, ""}, {MOVE_FAILOVER, 0, ""}};
    assert_int_equal(parsed.count, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(parsed.move[i].kind, expected[i].kind);
        assert_int_equal(parsed.move[i].number, expected[i].number);
        assert_string_equal(parsed.move[i].key, expected[i].key);
    }
}

static void reads_long_ones(void **state)
{
    (void)state;
    Error error;
    assert_true(schedule_parse("A*256", &parsed, &error));
    assert_int_equal(parsed.count, SCHEDULE_MOVES);
    char word[SCHEDULE_KEY + 8] = "clk:";
    memset(word + 4, 'k', SCHEDULE_KEY - 1);
    word[4 + SCHEDULE_KEY - 1] = '\0';
    check_reads(word, word);
}

/* ---- schedules that are refused ----------------------------------------------------------- */

static void check_refused(const char *text, const char *why)
{
    Error error = {""};
    assert_false(schedule_parse(text, &parsed, &error));
    assert_string_equal(error.text, why);
    assert_false(schedule_parse(text, &parsed, NULL));
}

#define NO_MOVE(word) "\"" word "\" is no move. Moves are A B ... clk !n1 ^n1, or A*3."

static void refuses(void **state)
{
    (void)state;
    check_refused("a", NO_MOVE("a"));
    check_refused("A AB B", NO_MOVE("AB"));
    check_refused("A 1", NO_MOVE("1"));
    check_refused("u0", NO_MOVE("u0"));
    check_refused("u", NO_MOVE("u"));
    check_refused("u-1", NO_MOVE("u-1"));
    check_refused("u+1", NO_MOVE("u+1"));
    check_refused("u1x", NO_MOVE("u1x"));
    check_refused("u100001", NO_MOVE("u100001"));
    check_refused("u99999999999999999999", NO_MOVE("u99999999999999999999"));
    check_refused("c0", NO_MOVE("c0"));
    check_refused("w", NO_MOVE("w"));
    check_refused("!1", NO_MOVE("!1"));
    check_refused("!n0", NO_MOVE("!n0"));
    check_refused("^n", NO_MOVE("^n"));
    check_refused("!", NO_MOVE("!"));
    check_refused("Failover", NO_MOVE("Failover"));
    check_refused("clock", NO_MOVE("clock"));
    check_refused("clk:", NO_MOVE("clk:"));
    check_refused("A*0", NO_MOVE("A*0"));
    check_refused("A*", NO_MOVE("A*"));
    check_refused("A*-1", NO_MOVE("A*-1"));
    check_refused("A*2*2", NO_MOVE("A*2*2"));
    check_refused("*2", NO_MOVE("*2"));
    check_refused("3*A", NO_MOVE("3*A"));
    check_refused("A,B", NO_MOVE("A,B"));
    check_refused("...", NO_MOVE("..."));
    check_refused("A*257", "A schedule has at most 256 moves.");
    check_refused("A*200 B*57", "A schedule has at most 256 moves.");
    /* What is not fit for a screen is shown in a form that is. */
    check_refused("\033[2J", NO_MOVE("\\x1b[2J"));
    check_refused("clk:\033[2J", NO_MOVE("clk:\\x1b[2J"));
    check_refused("clk:\xff", NO_MOVE("clk:\\xff"));
    check_refused("A\vB", NO_MOVE("A\\x0bB"));
}

static void refuses_long_words(void **state)
{
    (void)state;
    char word[400] = "clk:", why[200] = "";
    memset(word + 4, 'k', sizeof word - 5);
    check_refused(word, "\"clk:kkkkkkkkkkkkkkkkkkk...\" is too long for a move.");
    word[4 + SCHEDULE_KEY] = '\0';
    strcat(strcat(strcpy(why, "\""), word),
           "\" is no move. Moves are A B ... clk !n1 ^n1, or A*3.");
    check_refused(word, why);
}

/* ---- writing ------------------------------------------------------------------------------ */

static void writes_what_fits(void **state)
{
    (void)state;
    Error error;
    char text[64];
    assert_true(schedule_parse("A B A u27 B", &parsed, &error));
    assert_string_equal(schedule_write(&parsed, text, sizeof text), "A B A u27 B");
    for (int size = 1; size <= (int)sizeof text; size++) {
        memset(text, '#', sizeof text);
        schedule_write(&parsed, text, size);
        assert_true((int)strlen(text) < size);
        if (strcmp(text, "A B A u27 B") != 0 && size > 5)
            assert_string_equal(text + strlen(text) - 4, " ...");
        for (int i = size; i < (int)sizeof text; i++) assert_int_equal(text[i], '#');
    }
}

static void names_actors(void **state)
{
    (void)state;
    char text[12];
    assert_string_equal(schedule_actor(0, text), "A");
    assert_string_equal(schedule_actor(25, text), "Z");
    assert_string_equal(schedule_actor(26, text), "u27");
    assert_string_equal(schedule_actor(9999, text), "u10000");
}

static void grows_no_further(void **state)
{
    (void)state;
    Schedule schedule = {.count = 0};
    for (int i = 0; i < SCHEDULE_MOVES + 10; i++) schedule_add_user(&schedule, i % 30);
    assert_int_equal(schedule.count, SCHEDULE_MOVES);
    assert_int_equal(schedule.move[29].number, 29);
}

/* ---- the pasteable line ------------------------------------------------------------------- */

static void check_line(const char *text, const char *written)
{
    char again[400];
    Error error = {""};
    if (!schedule_line_parse(text, &line, &error)) fail_msg("%s: %s", text, error.text);
    assert_string_equal(schedule_line_write(&line, again, sizeof again), written);
}

static void reads_lines(void **state)
{
    (void)state;
    check_line("oversell/check-then-update@1234abcd users=2 stock=1 : A A B clk B",
               "oversell/check-then-update@1234abcd users=2 stock=1 : A A B clk B");
    assert_string_equal(line.lesson, "oversell");
    assert_string_equal(line.variant, "check-then-update");
    assert_int_equal(line.hash, 0x1234abcd);
    assert_int_equal(line.users, 2);
    assert_int_equal(line.stock, 1);
    assert_int_equal(line.requests, 0);
    assert_int_equal(line.nodes, 0);
    assert_int_equal(line.schedule.count, 5);

    check_line("a/b@0 : A", "a/b@00000000 : A");
    assert_int_equal(line.stock, -1);
    check_line("  a/b@ffffffffffffffff\tstock=0  nodes=8 : A*2\n",
               "a/b@ffffffffffffffff stock=0 nodes=8 : A A");
    assert_int_equal(line.stock, 0);
    check_line("a/b@AB users=10000 requests=1000000 stock=1000000000 nodes=2 : clk:x:y",
               "a/b@000000ab users=10000 requests=1000000 stock=1000000000 nodes=2 : clk:x:y");
    check_line("a/b@1 :", "a/b@00000001 : ");

    check_line("a/b@1 error=u2@insert-o users=3 error=*@commit : A",
               "a/b@00000001 users=3 error=B@insert-order error=*@commit : A");
    assert_int_equal(line.errors, 2);
    assert_int_equal(line.error[0].kind, FAULT_ERROR);
    assert_int_equal(line.error[0].actor, 1);
    assert_true(line.error[1].every);
}

static void check_line_refused(const char *text, const char *why)
{
    Error error = {""};
    assert_false(schedule_line_parse(text, &line, &error));
    assert_string_equal(error.text, why);
}

static void refuses_lines(void **state)
{
    (void)state;
    static const char form[] =
        "A schedule line reads LESSON/VARIANT@HASH users=2 stock=1 : A A B B.";
    static const char names[] = "The schedule line names no lesson and variant.";
    static const char hash[] = "The schedule line's hash is not a hexadecimal number.";
    check_line_refused("a/b@1 error=A : A", "\"A\" is no error: it reads WHO@STEP.");
    check_line_refused("a/b@1 error=A@begin error=A@begin error=A@begin error=A@begin error=A@begin : A",
                       "A schedule line has at most 4 errors.");
#define NO_SETTING(word)                                                                           \
    "\"" word "\" is no setting. Settings are users=N requests=N stock=N nodes=N."
    check_line_refused("", form);
    check_line_refused("A A B B", form);
    check_line_refused("a@1 : A", form);
    check_line_refused("a/b : A", form);
    check_line_refused("a@1/b : A", form);
    check_line_refused("a/b@1 A", form);
    check_line_refused("a/b@1: A", form);
    check_line_refused("/b@1 : A", names);
    check_line_refused("a/@1 : A", names);
    check_line_refused("a\033/b@1 : A", names);
    check_line_refused("A/b@1 : A", names);
    check_line_refused("a/b/c@1 : A", names);
    check_line_refused("a/b@ : A", hash);
    check_line_refused("a/b@xyz : A", hash);
    check_line_refused("a/b@-1 : A", hash);
    check_line_refused("a/b@0x1 : A", hash);
    check_line_refused("a/b@12345678123456781 : A", hash);
    check_line_refused("a/b@1 users=0 : A", NO_SETTING("users=0"));
    check_line_refused("a/b@1 users= : A", NO_SETTING("users="));
    check_line_refused("a/b@1 users=2x : A", NO_SETTING("users=2x"));
    check_line_refused("a/b@1 stock=-1 : A", NO_SETTING("stock=-1"));
    check_line_refused("a/b@1 stock=00 : A", NO_SETTING("stock=00"));
    check_line_refused("a/b@1 colour=2 : A", NO_SETTING("colour=2"));
    check_line_refused("a/b@1 users=9999999999 : A", NO_SETTING("users=9999999999"));
    check_line_refused("a/b@1 us\ners=2 : A", NO_SETTING("us\\ners=2"));
    check_line_refused("a/b@1 : A x", NO_MOVE("x"));
    char text[600] = "a/b@1 ";
    memset(text + 6, 'x', 500);
    strcpy(text + 506, " : A");
    check_line_refused(text, "The schedule line is too long.");
    memset(text, 'a', 60);
    strcpy(text + 60, "/b@1 : A");
    check_line_refused(text, names);
}

static void writes_short_lines(void **state)
{
    (void)state;
    Error error;
    char text[80];
    assert_true(schedule_line_parse("oversell/b@1 users=2 requests=3 stock=1 nodes=2 : A B", &line,
                                    &error));
    for (int size = 1; size <= (int)sizeof text; size++) {
        memset(text, '#', sizeof text);
        schedule_line_write(&line, text, size);
        assert_true((int)strlen(text) < size);
        for (int i = size; i < (int)sizeof text; i++) assert_int_equal(text[i], '#');
    }
}

/* ---- any garbage -------------------------------------------------------------------------- */

static uint64_t chance_state = 20261130;

static unsigned chance(unsigned below)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (unsigned)(chance_state >> 33) % below;
}

/* Pieces that are nearly right, now and then a byte of any kind; most begin with `head`. */
static void garbage(char *text, int size, const char *head, const char *const *pieces,
                    unsigned count)
{
    unsigned length = chance(12);
    strcpy(text, chance(4) > 0 ? head : "");
    int used = (int)strlen(text);
    for (unsigned i = 0; i < length; i++) {
        char byte[2] = {(char)(1 + chance(255)), '\0'};
        const char *piece = chance(6) == 0 ? byte : pieces[chance(count)];
        if (used + (int)strlen(piece) >= size) return;
        used += (int)strlen(strcpy(text + used, piece));
    }
}

static void check_error(const char *text, const Error *error)
{
    char clean[2 * sizeof error->text];
    size_t length = strlen(error->text);
    if (length == 0) fail_msg("refused without a word: %s", text);
    text_clean(clean, sizeof clean, error->text, length);
    if (strcmp(clean, error->text) != 0) fail_msg("not one clean line: %s", clean);
}

static bool same_schedule(const Schedule *one, const Schedule *other)
{
    if (one->count != other->count) return false;
    for (int i = 0; i < one->count; i++)
        if (one->move[i].kind != other->move[i].kind ||
            one->move[i].number != other->move[i].number ||
            strcmp(one->move[i].key, other->move[i].key) != 0)
            return false;
    return true;
}

static void any_schedule(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "A",    "B ",   " ",   " ",   "Z ", "u",  "27",  "0",   "*3",       "*",     "c1",
        " clk", "clk:", "key", "!n1", "^n", "\t", "-1 ", "u2 ", "failover", "99999", " w2"};
    static Schedule again;
    static char written[20000];
    char text[200];
    int read = 0;
    for (int i = 0; i < 200000; i++) {
        Error error = {""};
        garbage(text, sizeof text, "", pieces, sizeof pieces / sizeof pieces[0]);
        if (!schedule_parse(text, &parsed, &error)) {
            check_error(text, &error);
            continue;
        }
        read++;
        schedule_write(&parsed, written, sizeof written);
        if (!schedule_parse(written, &again, &error)) fail_msg("%s: %s", written, error.text);
        if (!same_schedule(&parsed, &again)) fail_msg("%s became %s", text, written);
    }
    assert_in_range(read, 20000, 180000);
}

static void any_line(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "A ",   "B ", " ",    " stock=0", " nodes=1",   " : ",    "A*2 ", "clk ",
        "u27 ", "@",  "12ab", "/",        " requests=", "	", "=",    "-"};
    static ScheduleLine again;
    static char written[20000];
    char text[200];
    int read = 0;
    for (int i = 0; i < 200000; i++) {
        Error error = {""};
        garbage(text, sizeof text, chance(2) ? "a/b@1 users=2 : " : "a/b@c", pieces,
                sizeof pieces / sizeof pieces[0]);
        if (!schedule_line_parse(text, &line, &error)) {
            check_error(text, &error);
            continue;
        }
        read++;
        schedule_line_write(&line, written, sizeof written);
        if (!schedule_line_parse(written, &again, &error)) fail_msg("%s: %s", written, error.text);
        bool same = strcmp(line.lesson, again.lesson) == 0 &&
                    strcmp(line.variant, again.variant) == 0 && line.hash == again.hash &&
                    line.users == again.users && line.nodes == again.nodes &&
                    line.requests == again.requests && line.stock == again.stock &&
                    same_schedule(&line.schedule, &again.schedule);
        if (!same) fail_msg("%s became %s", text, written);
    }
    assert_true(read > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_moves),        cmocka_unit_test(reads_into_moves),
        cmocka_unit_test(reads_long_ones),    cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_long_words), cmocka_unit_test(writes_what_fits),
        cmocka_unit_test(names_actors),       cmocka_unit_test(grows_no_further),
        cmocka_unit_test(reads_lines),        cmocka_unit_test(refuses_lines),
        cmocka_unit_test(writes_short_lines), cmocka_unit_test(any_schedule),
        cmocka_unit_test(any_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
