/* test_report_json.c -- the JSON of a race is a contract: every name is there, null where it does
 * not apply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "engine/step_kind.h"
#include "verbs/report_json.h"

static Course *course;
static const Lesson *lesson;
static const LessonVariant *variant;

static Report sample(void)
{
    Report report = {0};
    report.spec = (Spec){
        .users = 200, .requests = 1, .stock = 100, .nodes = 2, .seed = 7, .stock_in_sql = true};
    report.spec.breaks[NO_OVERSELL] = report.spec.keeps[BOOKS_BALANCE] = true;
    report.complete = true;
    report.seconds = 0.4321987654;
    report.throughput = 462.75;
    report.answered = 200;
    report.answers[ANSWER_ORDERED] = 112;
    report.answers[ANSWER_SOLD_OUT] = 88;
    report.p50_ms = 1.25;
    report.p99_ms = 9.5;
    report.max_ms = 11;
    report.truth = (Snapshot){.sql_ok = true, .redis_ok = true, .stock = -12, .orders = 112};
    report.verdict[NO_OVERSELL].state = VERDICT_BROKEN;
    strcpy(report.verdict[NO_OVERSELL].detail, "112 orders for 100 in stock");
    report.verdict[BOOKS_BALANCE].state = VERDICT_KEPT;
    report.verdict[PROGRESS].state = VERDICT_UNKNOWN;
    report.story_lines = 1;
    report.story[0] = (StoryLine){.actor = 3,
                                  .user = 4,
                                  .line = 9,
                                  .step = STEP_SELECT_STOCK,
                                  .at_ns = 1500000,
                                  .telling = true,
                                  .words = "reads the stock",
                                  .result = "1"};
    strcpy(report.schedule, "A B A B");
    report.schedule_world = report.spec;
    report.schedule_world.users = 2;
    strcpy(report.schedule_note, "breaks again");
    return report;
}

static const json_t *field(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (!value) fail_msg("no field '%s'", name);
    return value;
}

static long long number(const json_t *object, const char *name)
{
    const json_t *value = field(object, name);
    if (!json_is_integer(value)) fail_msg("'%s' is no whole number", name);
    return json_integer_value(value);
}

static void is_null(const json_t *object, const char *name)
{
    if (!json_is_null(field(object, name))) fail_msg("'%s' is not null", name);
}

static void is_real(const json_t *object, const char *name, double expected)
{
    double value = json_number_value(field(object, name));
    if (fabs(value - expected) > 1e-9) fail_msg("'%s' is %f, not %f", name, value, expected);
}

static void has_every_field(void **state)
{
    (void)state;
    Report report = sample();
    json_t *object = report_json(lesson, variant, &report);
    assert_non_null(object);
    assert_string_equal(json_string_value(field(object, "lesson")), "oversell");
    assert_string_equal(json_string_value(field(object, "variant")), "check-then-update");
    assert_int_equal(number(object, "users"), 200);
    assert_int_equal(number(object, "stock"), 100);
    assert_int_equal(number(object, "nodes"), 2);
    assert_int_equal(number(object, "requests"), 1);
    assert_int_equal(number(object, "seed"), 7);
    is_real(object, "seconds", 0.432199);
    is_real(object, "throughput", 462.8);
    assert_true(json_is_true(field(object, "as_claimed")));
    assert_true(json_is_true(field(object, "complete")));
    const char *schedule = json_string_value(field(object, "schedule"));
    assert_memory_equal(schedule, "oversell/check-then-update@", 27);
    assert_non_null(strstr(schedule, " users=2 "));
    assert_non_null(strstr(schedule, " : A B A B"));
    assert_string_equal(json_string_value(field(object, "schedule_note")), "breaks again");

    const json_t *latency = field(object, "latency_ms");
    is_real(latency, "p50", 1.25);
    is_real(latency, "p99", 9.5);
    is_real(latency, "max", 11);
    json_decref(object);
}

static void counts_answers_by_kind(void **state)
{
    (void)state;
    Report report = sample();
    json_t *object = report_json(lesson, variant, &report);
    const json_t *answers = field(object, "answers");
    static const char *const zero[] = {"duplicate", "busy", "error", "unknown"};
    assert_int_equal(number(answers, "ordered"), 112);
    assert_int_equal(number(answers, "sold_out"), 88);
    for (size_t i = 0; i < 4; i++) assert_int_equal(number(answers, zero[i]), 0);
    assert_int_equal(json_object_size(answers), ANSWER_COUNT);
    json_decref(object);
}

static void null_stands_where_nothing_applies(void **state)
{
    (void)state;
    Report report = sample();
    json_t *object = report_json(lesson, variant, &report);
    const json_t *db = field(object, "db"), *redis = field(object, "redis");
    assert_int_equal(number(db, "stock"), -12);
    assert_int_equal(number(db, "orders"), 112);
    assert_int_equal(number(db, "duplicate_users"), 0);
    is_null(redis, "stock");
    is_null(redis, "buyers");
    is_null(redis, "queue_length");
    is_null(redis, "queue_pending");
    is_null(object, "trouble");
    is_null(field(object, "attempts"), "mean");
    json_decref(object);

    report.spec.stock_in_sql = false;
    report.truth.has_redis_stock = true;
    report.truth.redis_stock = 5;
    report.schedule[0] = report.schedule_note[0] = '\0';
    report.answered = 0;
    object = report_json(lesson, variant, &report);
    is_null(field(object, "db"), "stock");
    assert_int_equal(number(field(object, "redis"), "stock"), 5);
    is_null(object, "schedule");
    is_null(object, "schedule_note");
    is_null(field(object, "latency_ms"), "p50");
    json_decref(object);
}

static void tells_of_every_fault_whether_it_hit(void **state)
{
    (void)state;
    Report report = sample();
    json_t *object = report_json(lesson, variant, &report);
    assert_int_equal(json_array_size(field(object, "faults")), 0);
    json_decref(object);

    report.faults = 2;
    report.fault[0].fired = 3;
    assert_true(fault_parse(FAULT_STALL, "*@commit=5", &report.fault[0].fault, NULL));
    assert_true(fault_parse(FAULT_CRASH, "n2@insert-order:after", &report.fault[1].fault, NULL));
    object = report_json(lesson, variant, &report);
    const json_t *faults = field(object, "faults"), *one = json_array_get(faults, 0);
    assert_int_equal(json_array_size(faults), 2);
    assert_string_equal(json_string_value(field(one, "fault")), "stall *@commit=5");
    assert_int_equal(number(one, "fired"), 3);
    one = json_array_get(faults, 1);
    assert_string_equal(json_string_value(field(one, "fault")), "crash n2@insert-order:after");
    assert_int_equal(number(one, "fired"), 0);
    json_decref(object);
}

static void what_nobody_did_has_no_actor(void **state)
{
    (void)state;
    Report report = sample();
    report.story_lines = 2;
    report.story[1] = (StoryLine){.actor = -1, .at_ns = 2000000, .words = "a node is killed", .result = "node 1"};
    json_t *object = report_json(lesson, variant, &report);
    const json_t *story = field(object, "story"), *line = json_array_get(story, 0);
    assert_int_equal(number(line, "actor"), 3);
    assert_int_equal(number(line, "user"), 4);
    line = json_array_get(story, 1);
    static const char *const nobody[] = {"actor", "user", "node", "line", "step"};
    for (size_t i = 0; i < 5; i++) is_null(line, nobody[i]);
    assert_string_equal(json_string_value(field(line, "words")), "a node is killed");
    json_decref(object);
}

static void a_lost_store_has_no_numbers(void **state)
{
    (void)state;
    Report report = sample();
    report.truth.sql_ok = report.truth.redis_ok = false;
    report.truth.has_redis_stock = true;
    json_t *object = report_json(lesson, variant, &report);
    is_null(field(object, "db"), "stock");
    is_null(field(object, "db"), "orders");
    is_null(field(object, "db"), "duplicate_users");
    is_null(field(object, "redis"), "stock");
    json_decref(object);
}

static void tells_every_invariant(void **state)
{
    (void)state;
    Report report = sample();
    json_t *object = report_json(lesson, variant, &report);
    const json_t *invariants = field(object, "invariants");
    assert_int_equal(json_object_size(invariants), INVARIANT_COUNT);
    assert_true(json_is_false(field(field(invariants, "no-oversell"), "ok")));
    assert_string_equal(json_string_value(field(field(invariants, "no-oversell"), "detail")),
                        "112 orders for 100 in stock");
    assert_true(json_is_true(field(field(invariants, "books-balance"), "ok")));
    is_null(field(invariants, "books-balance"), "detail");
    is_null(field(invariants, "progress"), "ok");
    is_null(field(invariants, "fair-order"), "ok");
    json_decref(object);
}

static void tells_the_story(void **state)
{
    (void)state;
    Report report = sample();
    json_t *object = report_json(lesson, variant, &report);
    const json_t *story = field(object, "story");
    assert_int_equal(json_array_size(story), 1);
    const json_t *line = json_array_get(story, 0);
    is_real(line, "at_ms", 1.5);
    assert_int_equal(number(line, "user"), 4);
    assert_int_equal(number(line, "line"), 9);
    assert_string_equal(json_string_value(field(line, "step")), step_kinds[STEP_SELECT_STOCK].name);
    assert_string_equal(json_string_value(field(line, "result")), "1");
    assert_true(json_is_true(field(line, "telling")));
    json_decref(object);
}

static void a_broken_claim_is_said(void **state)
{
    (void)state;
    Report report = sample();
    report.verdict[BOOKS_BALANCE].state = VERDICT_BROKEN;
    json_t *object = report_json(lesson, variant, &report);
    assert_true(json_is_false(field(object, "as_claimed")));
    json_decref(object);
}

static int load(void **state)
{
    (void)state;
    Error error;
    course = course_load(&error);
    return course && course_find(course, "oversell/check-then-update", &lesson, &variant, &error)
               ? 0
               : -1;
}

static int unload(void **state)
{
    (void)state;
    course_free(course);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_field),
        cmocka_unit_test(counts_answers_by_kind),
        cmocka_unit_test(null_stands_where_nothing_applies),
        cmocka_unit_test(tells_of_every_fault_whether_it_hit),
        cmocka_unit_test(what_nobody_did_has_no_actor),
        cmocka_unit_test(a_lost_store_has_no_numbers),
        cmocka_unit_test(tells_every_invariant),
        cmocka_unit_test(tells_the_story),
        cmocka_unit_test(a_broken_claim_is_said),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
