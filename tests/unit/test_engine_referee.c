/* test_engine_referee.c -- every judge with truths and answers made up for it: kept, broken,
 * unknown, and the numbers in its words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "engine/referee.h"

enum { USERS = 8, REQUESTS = 4 };

/* A case, and the means to build it. */
typedef struct Fixture {
    Spec spec;
    World *world;
    int fd;
    Snapshot truth;
    OrderRow orders[16];
    Case judged;
    Verdict verdict[INVARIANT_COUNT];
    Finding finding[INVARIANT_COUNT];
} Fixture;

static Fixture f;

static int setup(void **state)
{
    (void)state;
    memset(&f, 0, sizeof f);
    f.spec = (Spec){.variant = variants,
                    .users = USERS,
                    .requests = REQUESTS,
                    .nodes = 1,
                    .stock = 3,
                    .stock_in_sql = true};
    for (int i = 0; i < INVARIANT_COUNT; i++) f.spec.keeps[i] = true;
    Error error;
    f.world = world_create(&f.spec, MODE_RACE, &f.fd, &error);
    f.world->begin = 1000;
    f.world->end = 2000;
    f.truth = (Snapshot){.sql_ok = true, .redis_ok = true, .stock = 3};
    f.judged = (Case){
        .spec = &f.spec, .world = f.world, .truth = &f.truth, .orders = f.orders, .complete = true};
    return f.world ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    world_close(f.world);
    close(f.fd);
    return 0;
}

/* Appends an order (they come sorted by user). */
static void add_order(int64_t id, int64_t user)
{
    f.orders[f.judged.order_count++] =
        (OrderRow){.id = id, .user = user, .voucher = 1, .created = 1500};
    f.truth.orders++;
}

static void add_answer(AnswerKind kind, int64_t id, uint32_t actor, uint64_t asked, uint64_t told)
{
    uint64_t index = atomic_fetch_add(&f.world->answer_count, 1);
    world_answers(f.world)[index] = (AnswerEntry){.user = spec_user(&f.spec, (int)actor),
                                                  .id = id,
                                                  .actor = actor,
                                                  .kind = (uint32_t)kind + 1,
                                                  .asked_ns = asked,
                                                  .told_ns = told};
}

static void check(Invariant invariant, VerdictState state, const char *detail)
{
    referee_judge(&f.judged, f.verdict, f.finding);
    assert_int_equal(f.verdict[invariant].state, state);
    assert_string_equal(f.verdict[invariant].detail, detail);
}

static void check_finding(Invariant invariant, int actor, int other, int64_t user, int64_t id)
{
    const Finding *finding = &f.finding[invariant];
    assert_int_equal(finding->actor, actor);
    assert_int_equal(finding->other, other);
    assert_int_equal(finding->user, user);
    assert_int_equal(finding->id, id);
}

/* ---- stock -------------------------------------------------------------------------------- */

static void no_oversell(void **state)
{
    (void)state;
    check(NO_OVERSELL, VERDICT_KEPT, "0 orders for 3 in stock");
    f.truth.orders = 3;
    f.truth.stock = 0;
    check(NO_OVERSELL, VERDICT_KEPT, "3 orders for 3 in stock");
    f.truth.orders = 4;
    check(NO_OVERSELL, VERDICT_BROKEN, "4 orders for 3 in stock");
    check_finding(NO_OVERSELL, -1, -1, 0, 0);
    f.truth.orders = 3;
    f.truth.stock = -2;
    check(NO_OVERSELL, VERDICT_BROKEN, "the stock in the database is -2");
    f.spec.stock_in_sql = false;
    check(NO_OVERSELL, VERDICT_KEPT, "3 orders for 3 in stock");
    f.spec.stock_in_redis = f.truth.has_redis_stock = true;
    f.truth.redis_stock = -1;
    check(NO_OVERSELL, VERDICT_BROKEN, "the stock in Redis is -1");
    f.truth.has_redis_stock = false;
    check(NO_OVERSELL, VERDICT_KEPT, "3 orders for 3 in stock");
}

static void no_undersell(void **state)
{
    (void)state;
    f.spec.keeps[ONE_PER_USER] = false; /* 8 users with 4 requests want 32 */
    f.truth.orders = 3;
    check(NO_UNDERSELL, VERDICT_KEPT, "3 of 3 sold, 32 wanted one");
    f.truth.orders = 2;
    check(NO_UNDERSELL, VERDICT_BROKEN, "2 of 3 sold, 32 wanted one");
    f.judged.complete = false;
    check(NO_UNDERSELL, VERDICT_UNKNOWN, "not every request was answered");
    f.judged.complete = true;
    f.spec.breaks[ONE_PER_USER] = true; /* now each wants one */
    check(NO_UNDERSELL, VERDICT_BROKEN, "2 of 3 sold, 8 wanted one");
    f.spec.stock = 100;
    f.truth.orders = 8;
    check(NO_UNDERSELL, VERDICT_KEPT, "8 of 100 sold, 8 wanted one");
    f.truth.orders = 7;
    check(NO_UNDERSELL, VERDICT_BROKEN, "7 of 100 sold, 8 wanted one");
    f.spec.window = WINDOW_ENDED;
    f.truth.orders = 0;
    check(NO_UNDERSELL, VERDICT_KEPT, "0 of 100 sold, 0 wanted one");
}

static void books_balance(void **state)
{
    (void)state;
    f.truth.orders = 2;
    f.truth.stock = 1;
    check(BOOKS_BALANCE, VERDICT_KEPT, "database: 1 left + 2 orders, began with 3");
    f.truth.stock = 2;
    check(BOOKS_BALANCE, VERDICT_BROKEN, "database: 2 left + 2 orders, began with 3");
    f.truth.stock = 1;
    f.spec.stock_in_redis = f.truth.has_redis_stock = true;
    f.truth.redis_stock = 1;
    check(BOOKS_BALANCE, VERDICT_KEPT, "database: 1 left + 2 orders, began with 3");
    f.truth.redis_stock = 0;
    check(BOOKS_BALANCE, VERDICT_BROKEN, "Redis: 0 left + 2 sold, began with 3");
    f.spec.stock_in_sql = false;
    f.truth.orders = 0;
    for (int i = 1; i <= 3; i++) add_order(i, i);
    f.truth.has_buyers = true;
    f.truth.buyers = 3;
    check(BOOKS_BALANCE, VERDICT_KEPT, "Redis: 0 left + 3 sold, began with 3");
    f.truth.has_redis_stock = false; /* a key that is gone counts as nothing left */
    check(BOOKS_BALANCE, VERDICT_KEPT, "Redis: 0 left + 3 sold, began with 3");
    f.truth.buyers = 2;
    check(BOOKS_BALANCE, VERDICT_BROKEN, "Redis: 0 left + 2 sold, began with 3");
}

/* The set says who has paid with stock; the orders say who has got something for it. */
static void buyers_are_users_with_an_order(void **state)
{
    (void)state;
    f.spec.stock_in_sql = false;
    f.spec.stock_in_redis = f.truth.has_redis_stock = f.truth.has_buyers = true;
    f.truth.redis_stock = 1;
    f.truth.buyers = 2;
    add_order(1, 4);
    check(BOOKS_BALANCE, VERDICT_BROKEN, "Redis: buyers 2, users with an order 1");
    add_order(2, 4); /* a second order of the same user makes no second buyer */
    check(BOOKS_BALANCE, VERDICT_BROKEN, "Redis: buyers 2, users with an order 1");
    add_order(3, 5);
    check(BOOKS_BALANCE, VERDICT_KEPT, "Redis: 1 left + 2 sold, began with 3");
    f.judged.orders = NULL; /* whose they are is not known: the sum alone is judged */
    check(BOOKS_BALANCE, VERDICT_KEPT, "Redis: 1 left + 2 sold, began with 3");
}

/* Users 1, 3, 5 and 7 want two, the others one; three are in stock. */
static void baskets(void **state)
{
    (void)state;
    f.spec.stock_in_sql = false;
    f.spec.stock_in_redis = f.truth.has_redis_stock = true;
    f.spec.baskets = 2;
    f.spec.basket[0] = 2;
    f.spec.basket[1] = 1;
    f.truth.redis_stock = 1;
    add_order(1, 3);
    check(BOOKS_BALANCE, VERDICT_KEPT, "Redis: 1 left + 2 sold, began with 3");
    check(NO_OVERSELL, VERDICT_KEPT, "2 vouchers in 1 order, for 3 in stock");
    check(NO_UNDERSELL, VERDICT_BROKEN,
          "2 of 3 sold; 4 who went without would have been content with the rest");
    add_order(2, 2);
    check(NO_UNDERSELL, VERDICT_KEPT,
          "3 of 3 sold; 0 who went without would have been content with the rest");
    add_order(3, 5);
    check(NO_OVERSELL, VERDICT_BROKEN, "5 vouchers in 3 orders, for 3 in stock");
    f.judged.orders = NULL;
    check(NO_UNDERSELL, VERDICT_UNKNOWN, "the orders could not be read");
}

/* Three are left of four, nobody else came: what nobody wants so few of may stay. */
static void a_rest_that_fits_nobody(void **state)
{
    (void)state;
    f.spec.baskets = 1;
    f.spec.basket[0] = 2;
    add_order(1, 1);
    check(NO_UNDERSELL, VERDICT_KEPT,
          "2 of 3 sold; 0 who went without would have been content with the rest");
}

/* Where no order is written, a number that was told is a sale. */
static void numbers_are_sales(void **state)
{
    (void)state;
    f.spec.stock_in_sql = false;
    f.spec.stock_in_redis = f.truth.has_redis_stock = f.truth.has_buyers = true;
    f.spec.keeps[ONE_PER_USER] = true;
    for (uint32_t i = 0; i < 3; i++) add_answer(ANSWER_ISSUED, 10 + i, i, 1, 2);
    f.truth.buyers = 3;
    check(NO_OVERSELL, VERDICT_KEPT, "3 orders for 3 in stock");
    check(NO_UNDERSELL, VERDICT_KEPT, "3 of 3 sold, 8 wanted one");
    check(BOOKS_BALANCE, VERDICT_KEPT, "Redis: 0 left + 3 sold, began with 3");
    check(ONE_PER_USER, VERDICT_KEPT, "no user has two orders");
    add_answer(ANSWER_ISSUED, 20, 2, 3, 4);
    check(NO_OVERSELL, VERDICT_BROKEN, "4 orders for 3 in stock");
    check(ONE_PER_USER, VERDICT_BROKEN, "1 user has more than one order");
    check_finding(ONE_PER_USER, -1, -1, 3, 0);
    f.spec.stock_in_sql = true; /* elsewhere an id is an id */
    check(NO_OVERSELL, VERDICT_KEPT, "0 orders for 3 in stock");
}

/* ---- orders ------------------------------------------------------------------------------- */

static void one_per_user(void **state)
{
    (void)state;
    add_order(1, 1);
    add_order(2, 4);
    check(ONE_PER_USER, VERDICT_KEPT, "no user has two orders");
    add_order(3, 4);
    f.truth.duplicate_users = 1;
    check(ONE_PER_USER, VERDICT_BROKEN, "1 user has more than one order");
    check_finding(ONE_PER_USER, -1, -1, 4, 0);
    f.truth.duplicate_users = 5;
    check(ONE_PER_USER, VERDICT_BROKEN, "5 users have more than one order");
    f.judged.orders = NULL; /* broken all the same, only nobody knows whose they are */
    check(ONE_PER_USER, VERDICT_BROKEN, "5 users have more than one order");
    check_finding(ONE_PER_USER, -1, -1, 0, 0);
}

static void sale_window(void **state)
{
    (void)state;
    add_order(1, 1);
    add_order(2, 2);
    check(SALE_WINDOW, VERDICT_KEPT, "0 orders outside the sale window");
    f.orders[0].created = 999; /* the window is [1000, 2000) */
    check(SALE_WINDOW, VERDICT_BROKEN, "1 order outside the sale window");
    f.orders[0].created = 1000;
    f.orders[1].created = 1999;
    check(SALE_WINDOW, VERDICT_KEPT, "0 orders outside the sale window");
    f.orders[1].created = 2000;
    check(SALE_WINDOW, VERDICT_BROKEN, "1 order outside the sale window");
    f.orders[1].created = 0; /* was not read */
    check(SALE_WINDOW, VERDICT_KEPT, "0 orders outside the sale window");
    f.orders[1].created = 5000;
    f.spec.clock = 1500; /* steps read another clock than the server that stamps the rows */
    check(SALE_WINDOW, VERDICT_KEPT, "0 orders outside the sale window");
    f.spec.window = WINDOW_NOT_BEGUN;
    check(SALE_WINDOW, VERDICT_BROKEN, "2 orders outside the sale window");
}

/* ---- answers ------------------------------------------------------------------------------ */

static void every_answer_fits(void **state)
{
    (void)state;
    check(ANSWER_TRUE, VERDICT_KEPT, "every answer fits the orders");
    add_order(30, 1);
    add_order(20, 2);
    add_order(10, 3);
    add_answer(ANSWER_ORDERED, 20, 1, 1, 2);
    add_answer(ANSWER_ORDERED, 10, 2, 1, 3);
    add_answer(ANSWER_ORDERED, 30, 0, 1, 4);
    add_answer(ANSWER_ISSUED, 25, 4, 1, 5); /* an id is not an order */
    check(ANSWER_TRUE, VERDICT_KEPT, "every answer fits the orders");
    check_finding(ANSWER_TRUE, -1, -1, 0, 0);
}

static void told_without_an_order(void **state)
{
    (void)state;
    add_order(20, 2);
    add_answer(ANSWER_ORDERED, 10, 5, 1, 2);
    add_answer(ANSWER_ORDERED, 20, 1, 1, 2);
    check(ANSWER_TRUE, VERDICT_BROKEN, "1 told \"ordered\" has no such order");
    check_finding(ANSWER_TRUE, 5, -1, 0, 10);
    add_answer(ANSWER_ORDERED, 40, 6, 1, 2);
    add_answer(ANSWER_ORDERED, 30, 7, 1, 2);
    check(ANSWER_TRUE, VERDICT_BROKEN, "3 told \"ordered\" have no such order");
    check_finding(ANSWER_TRUE, 5, -1, 0, 10);
}

static void order_without_a_word(void **state)
{
    (void)state;
    add_order(20, 2);
    add_order(30, 3);
    add_answer(ANSWER_ORDERED, 20, 1, 1, 2);
    check(ANSWER_TRUE, VERDICT_BROKEN, "1 order of which nobody was told");
    check_finding(ANSWER_TRUE, -1, -1, 3, 0);
    add_answer(ANSWER_UNKNOWN, 0, 3, 1, 2); /* of user 4: excuses nothing */
    check(ANSWER_TRUE, VERDICT_BROKEN, "1 order of which nobody was told");
    add_answer(ANSWER_UNKNOWN, 0, 2, 1, 2);
    check(ANSWER_TRUE, VERDICT_KEPT, "every answer fits the orders");
    add_order(31, 3); /* one "unknown" excuses one order */
    check(ANSWER_TRUE, VERDICT_BROKEN, "1 order of which nobody was told");
    add_answer(ANSWER_UNKNOWN, 0, 2, 1, 2);
    check(ANSWER_TRUE, VERDICT_KEPT, "every answer fits the orders");
}

static void answers_that_cannot_be_compared(void **state)
{
    (void)state;
    f.judged.orders = NULL;
    check(ANSWER_TRUE, VERDICT_UNKNOWN, "the orders could not be read");
}

/* A writer that was killed leaves an entry that does not count. */
static void half_an_answer(void **state)
{
    (void)state;
    add_answer(ANSWER_ORDERED, 20, 1, 1, 2);
    atomic_store(&world_answers(f.world)[0].kind, 0);
    check(ANSWER_TRUE, VERDICT_KEPT, "every answer fits the orders");
    check(UNIQUE_IDS, VERDICT_KEPT, "0 of 0 ids are not new");
}

/* ---- ids ---------------------------------------------------------------------------------- */

static void unique_ids(void **state)
{
    (void)state;
    check(UNIQUE_IDS, VERDICT_KEPT, "0 of 0 ids are not new");
    add_answer(ANSWER_ISSUED, 7, 0, 1, 5);
    add_answer(ANSWER_ORDERED, 8, 1, 1, 6);
    add_answer(ANSWER_UNKNOWN, 0, 2, 1, 7);
    add_answer(ANSWER_UNKNOWN, 0, 3, 1, 8); /* two without an id are not twice the same */
    check(UNIQUE_IDS, VERDICT_KEPT, "0 of 2 ids are not new");
    add_answer(ANSWER_ISSUED, 7, 4, 1, 9);
    check(UNIQUE_IDS, VERDICT_BROKEN, "1 of 3 ids is not new");
    check_finding(UNIQUE_IDS, 0, 4, 0, 7);
    add_answer(ANSWER_ISSUED, 7, 5, 1, 4); /* told before both */
    add_answer(ANSWER_ISSUED, 8, 6, 1, 9);
    check(UNIQUE_IDS, VERDICT_BROKEN, "3 of 5 ids are not new");
    check_finding(UNIQUE_IDS, 5, 0, 0, 7);
    f.truth.sql_ok = false; /* needs no database */
    check(UNIQUE_IDS, VERDICT_BROKEN, "3 of 5 ids are not new");
}

static void ids_ascend(void **state)
{
    (void)state;
    add_answer(ANSWER_ISSUED, 5, 0, 10, 20);
    add_answer(ANSWER_ISSUED, 3, 1, 15,
               25); /* asked for before 5 was told: no order between them */
    add_answer(ANSWER_ISSUED, 6, 2, 21, 30);
    check(IDS_ASCEND, VERDICT_KEPT, "0 ids are not above one handed out before");
    add_answer(ANSWER_ISSUED, 4, 3, 26, 40); /* 5 was told at 20 */
    check(IDS_ASCEND, VERDICT_BROKEN, "1 id is not above one handed out before");
    check_finding(IDS_ASCEND, 0, 3, 0, 4);
    add_answer(ANSWER_ISSUED, 6, 4, 31, 41); /* the same is not greater */
    check(IDS_ASCEND, VERDICT_BROKEN, "2 ids are not above one handed out before");
    add_answer(ANSWER_UNKNOWN, 0, 5, 50, 51); /* no id at all says nothing */
    check(IDS_ASCEND, VERDICT_BROKEN, "2 ids are not above one handed out before");
}

/* ---- all of them -------------------------------------------------------------------------- */

static void database_does_not_answer(void **state)
{
    (void)state;
    f.truth.sql_ok = false;
    f.truth.orders = 100;
    referee_judge(&f.judged, f.verdict, NULL);
    static const Invariant asked[] = {NO_OVERSELL,   NO_UNDERSELL, ONE_PER_USER,
                                      BOOKS_BALANCE, ANSWER_TRUE,  SALE_WINDOW};
    for (unsigned i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        assert_int_equal(f.verdict[asked[i]].state, VERDICT_UNKNOWN);
        assert_string_equal(f.verdict[asked[i]].detail, "the database does not answer");
    }
    assert_int_equal(f.verdict[UNIQUE_IDS].state, VERDICT_KEPT);
}

static void only_the_claim_is_judged(void **state)
{
    (void)state;
    memset(f.spec.keeps, 0, sizeof f.spec.keeps);
    f.spec.breaks[NO_OVERSELL] = true;
    f.truth.orders = 4;
    referee_judge(&f.judged, f.verdict, f.finding);
    for (int i = 0; i < INVARIANT_COUNT; i++)
        assert_int_equal(f.verdict[i].state, i == NO_OVERSELL ? VERDICT_BROKEN : VERDICT_NONE);
}

/* While the race runs: broken is for ever, anything else may still change. */
static void at_a_glance(void **state)
{
    (void)state;
    memset(f.spec.keeps, 0, sizeof f.spec.keeps);
    f.spec.breaks[NO_OVERSELL] = f.spec.keeps[ONE_PER_USER] = f.spec.keeps[SALE_WINDOW] = true;
    referee_glance(&f.spec, &f.truth, f.verdict);
    assert_int_equal(f.verdict[NO_OVERSELL].state, VERDICT_UNKNOWN);
    assert_int_equal(f.verdict[ONE_PER_USER].state, VERDICT_UNKNOWN);
    assert_int_equal(f.verdict[BOOKS_BALANCE].state, VERDICT_NONE);
    f.spec.stock_in_redis = f.truth.has_redis_stock = true;
    f.truth.redis_stock = -1; /* may be given back in a moment */
    referee_glance(&f.spec, &f.truth, f.verdict);
    assert_int_equal(f.verdict[NO_OVERSELL].state, VERDICT_UNKNOWN);
    f.truth.orders = 4;
    f.truth.duplicate_users = 1;
    referee_glance(&f.spec, &f.truth, f.verdict);
    assert_int_equal(f.verdict[NO_OVERSELL].state, VERDICT_BROKEN);
    assert_string_equal(f.verdict[NO_OVERSELL].detail, "4 orders for 3 in stock");
    assert_int_equal(f.verdict[ONE_PER_USER].state, VERDICT_BROKEN);
    assert_int_equal(f.verdict[SALE_WINDOW].state, VERDICT_UNKNOWN);
    f.spec.window = WINDOW_ENDED;
    referee_glance(&f.spec, &f.truth, f.verdict);
    assert_int_equal(f.verdict[SALE_WINDOW].state, VERDICT_BROKEN);
    assert_string_equal(f.verdict[SALE_WINDOW].detail, "4 orders outside the sale window");
    f.truth.sql_ok = false; /* old numbers are no proof */
    referee_glance(&f.spec, &f.truth, f.verdict);
    assert_int_equal(f.verdict[NO_OVERSELL].state, VERDICT_UNKNOWN);
}

static void held_against_its_claim(void **state)
{
    (void)state;
    Report report = {.spec = f.spec, .first_broken = INVARIANT_COUNT};
    for (int i = 0; i < INVARIANT_COUNT; i++) report.verdict[i].state = VERDICT_KEPT;
    assert_true(report_as_claimed(&report));
    report.verdict[NO_OVERSELL] = (Verdict){VERDICT_BROKEN, "4 orders for 3 in stock"};
    assert_false(report_as_claimed(&report));
    report.spec.keeps[NO_OVERSELL] = false;
    report.spec.breaks[NO_OVERSELL] = true;
    assert_true(report_as_claimed(&report));
    report.verdict[NO_OVERSELL].state = VERDICT_KEPT;
    assert_false(report_as_claimed(&report));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(no_oversell),
        CASE(no_undersell),
        CASE(books_balance),
        CASE(buyers_are_users_with_an_order),
        CASE(baskets),
        CASE(a_rest_that_fits_nobody),
        CASE(numbers_are_sales),
        CASE(one_per_user),
        CASE(sale_window),
        CASE(every_answer_fits),
        CASE(told_without_an_order),
        CASE(order_without_a_word),
        CASE(answers_that_cannot_be_compared),
        CASE(half_an_answer),
        CASE(unique_ids),
        CASE(ids_ascend),
        CASE(database_does_not_answer),
        CASE(only_the_claim_is_judged),
        CASE(at_a_glance),
        CASE(held_against_its_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
