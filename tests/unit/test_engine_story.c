/* test_engine_story.c -- the story of a made-up trace names those involved, and the telling line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/step_kind.h"
#include "engine/story.h"
#include "store/status.h"

enum { ACTORS = 26, RELEASED = 1000000 };

static TraceEvent *events;
static Trace trace;
static Report report;
static uint32_t request[ACTORS];

static int setup(void **state)
{
    (void)state;
    events = calloc(300000, sizeof *events);
    trace = (Trace){.events = events, .actors = ACTORS};
    report = (Report){.spec = {.users = ACTORS, .requests = 1, .nodes = 2, .stock = 1}};
    memset(request, 0, sizeof request);
    return events ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(events);
    return 0;
}

static TraceEvent *add(char actor)
{
    TraceEvent *event = &trace.events[trace.count];
    event->actor = (uint32_t)(actor - 'A');
    event->event = (Event){.begin_ns = RELEASED + (uint64_t)trace.count * 10 + 5,
                           .end_ns = RELEASED + (uint64_t)trace.count * 10 + 10,
                           .line = (uint16_t)(trace.count + 1),
                           .node = (uint8_t)(event->actor % 2),
                           .request = request[event->actor]};
    trace.count++;
    return event;
}

static void step(char actor, StepId step, int64_t value)
{
    TraceEvent *event = add(actor);
    event->event.step = (uint16_t)step;
    event->event.value = value;
    event->event.kind = EVENT_STEP;
    event->event.status = STORE_OK;
}

static void told(char actor, AnswerKind answer, int64_t id)
{
    TraceEvent *event = add(actor);
    event->event.kind = EVENT_ANSWER;
    event->event.code = (uint32_t)answer;
    event->event.value = id;
    request[event->actor]++;
}

/* The story as text: "A reads the stock 1, B ...", the telling line in brackets. */
static void check(Invariant broken, Finding finding, const char *expected)
{
    Text text = {0};
    report.first_broken = broken;
    story_tell(&report, &trace, &finding, RELEASED);
    for (int i = 0; i < report.story_lines; i++) {
        const StoryLine *line = &report.story[i];
        text_format(&text, line->telling ? "%s[%c %s: %s]" : "%s%c %s: %s", i > 0 ? ", " : "",
                    'A' + line->actor, line->words, line->result);
        assert_int_equal(line->user, line->actor + 1);
        assert_int_equal(line->node, line->actor % 2);
        if (i > 0) assert_true(line->at_ns >= line[-1].at_ns);
    }
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static const Finding NOTHING_FOUND = {-1, -1, 0, 0};

/* ---- oversell ----------------------------------------------------------------------------- */

static void check_then_act(void **state)
{
    (void)state;
    step('C', STEP_SELECT_STOCK, 1); /* C comes too late for all of this, and takes nothing */
    step('A', STEP_SELECT_STOCK, 1);
    step('B', STEP_SELECT_STOCK, 1);
    step('B', STEP_DECREMENT, 1);
    step('B', STEP_INSERT_ORDER, 1);
    told('B', ANSWER_ORDERED, 70);
    step('A', STEP_DECREMENT, 1);
    step('A', STEP_INSERT_ORDER, 1);
    told('A', ANSWER_ORDERED, 71);
    told('C', ANSWER_SOLD_OUT, 0);
    check(
        NO_OVERSELL, NOTHING_FOUND,
        "A reads the stock: 1, B reads the stock: 1, B takes one: 1 row, B inserts the order: ok, "
        "B is told: ordered 70, A takes one: 1 row, [A inserts the order: ok], A is told: ordered "
        "71");
    assert_int_equal(report.story[0].line, 2);
    assert_int_equal(report.story[0].at_ns, 20);
    assert_int_equal(report.story[0].sent_ns, 15);
    assert_int_equal(report.story[0].step, STEP_SELECT_STOCK);
}

/* Orders that were refused are none; the first too many is told, not a later one. */
static void the_first_too_many(void **state)
{
    (void)state;
    report.spec.stock = 2;
    for (const char *who = "ABCDE"; *who; who++) step(*who, STEP_SELECT_STOCK, 2);
    for (const char *who = "ABCDE"; *who; who++) {
        step(*who, STEP_DECREMENT, 1);
        step(*who, STEP_INSERT_ORDER, *who == 'B' ? 0 : 1); /* 1062 */
    }
    check(
        NO_OVERSELL, NOTHING_FOUND,
        "C reads the stock: 2, D reads the stock: 2, C takes one: 1 row, C inserts the order: ok, "
        "D takes one: 1 row, [D inserts the order: ok]");
}

/* One that changed no row took nothing, and is not the other one. */
static void an_idle_write_is_not_it(void **state)
{
    (void)state;
    step('A', STEP_SELECT_STOCK, 1);
    step('B', STEP_DECREMENT, 1);
    step('B', STEP_INSERT_ORDER, 1);
    step('C', STEP_DECREMENT_ANY, 0);
    step('A', STEP_DECREMENT, 1);
    step('A', STEP_INSERT_ORDER, 1);
    check(NO_OVERSELL, NOTHING_FOUND,
          "A reads the stock: 1, B takes one: 1 row, B inserts the order: ok, A takes one: 1 row, "
          "[A inserts the order: ok]");
}

/* With little room what decides stays: where it broke, what each had read, and what they took. */
static void a_small_panel(void **state)
{
    (void)state;
    check_then_act(state); /* 0 A reads, 1 B reads, 2 B takes, 3 B orders, 4 B told, 5 A takes, 6 A orders, 7 A told */
    static const char *const chosen[] = {"", "6", "16", "016", "0156", "01356", "012356", "0123456", "01234567"};
    for (int rows = 0; rows < 9; rows++) {
        bool shown[STORY_LINES];
        char text[STORY_LINES + 1] = "";
        story_choose(&report, rows, shown);
        for (int i = 0; i < report.story_lines; i++)
            if (shown[i]) sprintf(text + strlen(text), "%d", i);
        assert_string_equal(text, chosen[rows]);
    }
}

static void events_come_unsorted(void **state)
{
    (void)state;
    check_then_act(state);
    for (long i = 0; i < trace.count / 2; i++) {
        TraceEvent other = trace.events[i];
        trace.events[i] = trace.events[trace.count - 1 - i];
        trace.events[trace.count - 1 - i] = other;
    }
    trace.sorted = false;
    int lines = report.story_lines;
    StoryLine before[STORY_LINES];
    memcpy(before, report.story, sizeof before);
    story_tell(&report, &trace, &NOTHING_FOUND, RELEASED);
    assert_int_equal(report.story_lines, lines);
    assert_memory_equal(report.story, before, sizeof before);
}

/* ---- the others --------------------------------------------------------------------------- */

static void two_orders_of_one_user(void **state)
{
    (void)state;
    report.spec.users = 13;
    report.spec.requests = 2;
    report.spec.at_once = true; /* actors A and B are user 1, C and D user 2, ... */
    step('C', STEP_COUNT_ORDERS, 0);
    step('E', STEP_COUNT_ORDERS, 0);
    step('D', STEP_COUNT_ORDERS, 0);
    step('E', STEP_INSERT_ORDER, 1);
    step('D', STEP_INSERT_ORDER, 1);
    step('C', STEP_INSERT_ORDER, 1);
    Finding finding = {-1, -1, 2, 0};
    report.first_broken = ONE_PER_USER;
    story_tell(&report, &trace, &finding, RELEASED);
    static const int actors[] = {2, 3, 3, 2};
    assert_int_equal(report.story_lines, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(report.story[i].actor, actors[i]);
        assert_int_equal(report.story[i].user, 2);
        assert_int_equal(report.story[i].telling, i == 3);
    }
}

static void a_lost_compare_and_set(void **state)
{
    (void)state;
    step('A', STEP_SELECT_VOUCHER, 5);
    step('B', STEP_SELECT_VOUCHER, 5);
    step('B', STEP_DECREMENT_VERSION, 1);
    step('A', STEP_DECREMENT_VERSION, 0);
    told('A', ANSWER_SOLD_OUT, 0);
    step('B', STEP_INSERT_ORDER, 1);
    check(NO_UNDERSELL, NOTHING_FOUND,
          "A reads the voucher, stock: 5, B reads the voucher, stock: 5, "
          "B takes one if the version still is as seen: 1 row, "
          "[A takes one if the version still is as seen: 0 rows], A is told: sold out, "
          "B inserts the order: ok");
}

static void taken_but_not_ordered(void **state)
{
    (void)state;
    step('A', STEP_SELECT_STOCK, 9);
    step('A', STEP_DECREMENT, 1);
    step('A', STEP_INSERT_ORDER, 1);
    told('A', ANSWER_ORDERED, 70);
    step('B', STEP_SELECT_STOCK, 8);
    step('B', STEP_DECREMENT, 1);
    step('B', STEP_ROLLBACK, 0); /* given back */
    told('B', ANSWER_DUPLICATE, 0);
    step('C', STEP_SELECT_STOCK, 8);
    step('C', STEP_DECREMENT, 1);
    step('C', STEP_INSERT_ORDER, 0);
    told('C', ANSWER_DUPLICATE, 0);
    check(BOOKS_BALANCE, NOTHING_FOUND,
          "C reads the stock: 8, C takes one: 1 row, C inserts the order: 1062 duplicate key, "
          "[C is told: bought already]");
}

static void written_over(void **state)
{
    (void)state;
    step('A', STEP_SELECT_STOCK, 9);
    step('A', STEP_SET_DB_STOCK, 1);
    step('A', STEP_INSERT_ORDER, 1);
    told('A', ANSWER_ORDERED, 1);
    step('B', STEP_SELECT_STOCK, 8);
    step('C', STEP_SELECT_STOCK, 8);
    step('B', STEP_SET_DB_STOCK, 1);
    step('C', STEP_SET_DB_STOCK, 1);
    check(BOOKS_BALANCE, NOTHING_FOUND,
          "B reads the stock: 8, C reads the stock: 8, B writes the stock: 1 row, "
          "[C writes the stock: 1 row]");
}

static void told_what_is_not_so(void **state)
{
    (void)state;
    step('A', STEP_DECREMENT, 1);
    told('A', ANSWER_SOLD_OUT, 0);
    step('A', STEP_DECREMENT, 1);
    told('A', ANSWER_ORDERED, 7); /* the second request of A is the one */
    check(ANSWER_TRUE, (Finding){0, -1, 0, 7}, "A takes one: 1 row, [A is told: ordered 7]");
    step('B', STEP_INSERT_ORDER, 1);
    told('B', ANSWER_ERROR, 0);
    check(ANSWER_TRUE, (Finding){-1, -1, 2, 0}, "[B inserts the order: ok], B is told: error");
}

static void an_id_issued_twice(void **state)
{
    (void)state;
    step('A', STEP_CLOCK, 5);
    step('B', STEP_CLOCK, 5);
    told('A', ANSWER_ISSUED, 5);
    told('C', ANSWER_ISSUED, 4);
    told('B', ANSWER_ISSUED, 5);
    check(UNIQUE_IDS, (Finding){0, 1, 0, 5},
          "A reads the clock: 5, B reads the clock: 5, A is told: id issued 5, [B is told: id "
          "issued 5]");
    check(IDS_ASCEND, (Finding){0, 2, 0, 4},
          "A reads the clock: 5, A is told: id issued 5, [C is told: id issued 4]");
}

static void outside_the_window(void **state)
{
    (void)state;
    step('B', STEP_INSERT_ORDER, 1);
    check(SALE_WINDOW, NOTHING_FOUND, "[B inserts the order: ok]");
}

/* ---- limits ------------------------------------------------------------------------------- */

/* With more steps than there is room for, the telling line and what follows is there. */
static void a_long_story(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        step('A', STEP_SELECT_VOUCHER, 1);
        step('A', STEP_DECREMENT_VERSION, 0);
    }
    step('A', STEP_DECREMENT_VERSION, 1);
    step('A', STEP_INSERT_ORDER, 1);
    told('A', ANSWER_ORDERED, 1);
    report.spec.stock = 0;
    report.first_broken = NO_OVERSELL;
    story_tell(&report, &trace, &NOTHING_FOUND, RELEASED);
    assert_int_equal(report.story_lines, STORY_LINES);
    assert_true(report.story[STORY_LINES - 2].telling);
    assert_int_equal(report.story[STORY_LINES - 2].step, STEP_INSERT_ORDER);
    assert_string_equal(report.story[STORY_LINES - 1].words, "is told");
}

static void no_story(void **state)
{
    (void)state;
    check(NO_OVERSELL, NOTHING_FOUND, ""); /* no event at all */
    step('A', STEP_INSERT_ORDER, 1);
    check(INVARIANT_COUNT, NOTHING_FOUND, "");
    check(NO_OVERSELL, NOTHING_FOUND, ""); /* one order for one in stock */
    check(NO_UNDERSELL, NOTHING_FOUND, "");
}

/* ---- orders that a consumer stores --------------------------------------------------------- */

enum { CONSUMER = 'C' };

/* The story as text, where C is a consumer and no user. */
static void check_queue(Invariant broken, Finding finding, const char *expected)
{
    Text text = {0};
    report.spec.users = 2;
    report.spec.nodes = report.spec.consumers = 1;
    report.first_broken = broken;
    story_tell(&report, &trace, &finding, RELEASED);
    for (int i = 0; i < report.story_lines; i++) {
        const StoryLine *line = &report.story[i];
        text_format(&text, line->telling ? "%s[%c %s: %s]" : "%s%c %s: %s", i > 0 ? ", " : "",
                    'A' + line->actor, line->words, line->result);
        assert_int_equal(line->user, 'A' + line->actor == CONSUMER ? 0 : line->actor + 1);
    }
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

/* What a consumer does from one take to the next is a request of its own. */
static void takes(int64_t id)
{
    request[CONSUMER - 'A']++;
    step(CONSUMER, STEP_QUEUE_TAKE, id);
}

static void fails(StepId id, unsigned code)
{
    step(CONSUMER, id, 0);
    trace.events[trace.count - 1].event.status = STORE_REFUSED;
    trace.events[trace.count - 1].event.code = code;
}

static void stores(int64_t user)
{
    step(CONSUMER, STEP_INSERT_ORDER, 1);
    trace.events[trace.count - 1].event.second = user;
    step(CONSUMER, STEP_COMMIT, 0);
}

static void an_order_that_its_consumer_lost(void **state)
{
    (void)state;
    step('A', STEP_QUEUE_ADD, 1);
    told('A', ANSWER_ORDERED, 7);
    takes(7);
    stores(1);
    step('B', STEP_QUEUE_ADD, 1);
    told('B', ANSWER_ORDERED, 8);
    takes(8);
    fails(STEP_INSERT_ORDER, 1213);
    check_queue(ANSWER_TRUE, (Finding){1, -1, 0, 8},
                "B puts the order into the queue: ok, [B is told: ordered 8], "
                "C takes an order from the queue: 8, C inserts the order: 1213 deadlock");
}

/* The first whose promise was broken waits in the queue; who is to blame is in the hand of the dead one. */
static void an_order_that_nobody_takes_any_more(void **state)
{
    (void)state;
    step('B', STEP_QUEUE_ADD, 1);
    told('B', ANSWER_ORDERED, 8);
    takes(8);
    fails(STEP_INSERT_ORDER, 1213);
    step('A', STEP_QUEUE_ADD, 1);
    told('A', ANSWER_ORDERED, 7);
    check_queue(ANSWER_TRUE, (Finding){0, -1, 0, 7},
                "B puts the order into the queue: ok, [B is told: ordered 8], "
                "C takes an order from the queue: 8, C inserts the order: 1213 deadlock");
}

static void an_order_that_came_after_the_look(void **state)
{
    (void)state;
    step('A', STEP_QUEUE_ADD, 1);
    step('A', STEP_FIND_ORDER, 0);
    told('A', ANSWER_NOT_FOUND, 0);
    takes(7);
    stores(1);
    check_queue(ANSWER_TRUE, (Finding){-1, -1, 1, 0},
                "A puts the order into the queue: ok, A looks for the order: not there, [A is told: no such order], "
                "C takes an order from the queue: 7, C inserts the order: ok, C commits: ok");
}

static void an_order_for_which_there_was_no_room(void **state)
{
    (void)state;
    step('A', STEP_QUEUE_ADD, 1);
    told('A', ANSWER_ORDERED, 7);
    step('B', STEP_QUEUE_ADD, 0);
    told('B', ANSWER_ERROR, 0);
    check_queue(NO_UNDERSELL, NOTHING_FOUND, "[B puts the order into the queue: full], B is told: error");
}

/* A race of many requests is told in a moment: nothing here takes time by the square. */
static void a_large_trace(void **state)
{
    (void)state;
    for (int i = 0; i < 50000; i++) {
        char who = (char)('A' + i % ACTORS);
        step(who, STEP_SELECT_STOCK, 9);
        step(who, STEP_DECREMENT, 1);
        step(who, STEP_INSERT_ORDER, 1);
        told(who, ANSWER_ORDERED, i + 1);
    }
    check(BOOKS_BALANCE, NOTHING_FOUND,
          "A reads the stock: 9, [A takes one: 1 row], A inserts the order: ok, A is told: ordered "
          "1");
}

static void faults_are_told(void **state)
{
    (void)state;
    TraceEvent *event = add('A');
    event->event.kind = EVENT_FAULT;
    event->event.step = STEP_DECREMENT;
    event->event.value = 300;
    step('A', STEP_DECREMENT, 1);
    trace.events[1].event.status = STORE_REFUSED;
    trace.events[1].event.code = 1213;
    told('A', ANSWER_ERROR, 0);
    step('B', STEP_DECREMENT, 1);
    trace.events[3].event.status = STORE_LOST;
    told('B', ANSWER_UNKNOWN, 0);
    check(ANSWER_TRUE, (Finding){0, -1, 0, 0},
          "A is stalled (injected): 300 ms, A takes one: 1213 deadlock, [A is told: error]");
    check(ANSWER_TRUE, (Finding){1, -1, 0, 0},
          "B takes one: connection lost, [B is told: unknown]");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(check_then_act),
        CASE(the_first_too_many),
        CASE(an_idle_write_is_not_it),
        CASE(a_small_panel),
        CASE(events_come_unsorted),
        CASE(two_orders_of_one_user),
        CASE(a_lost_compare_and_set),
        CASE(taken_but_not_ordered),
        CASE(written_over),
        CASE(told_what_is_not_so),
        CASE(an_id_issued_twice),
        CASE(outside_the_window),
        CASE(a_long_story),
        CASE(no_story),
        CASE(a_large_trace),
        CASE(faults_are_told),
        CASE(an_order_that_its_consumer_lost),
        CASE(an_order_that_nobody_takes_any_more),
        CASE(an_order_that_came_after_the_look),
        CASE(an_order_for_which_there_was_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
