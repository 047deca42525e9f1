/* bench_explore.c -- schedules a second through the explorer, against the raw cost: the same
 * commands and the same clean states, sent by one plain loop without gate or threads.
 *
 * The programs are made up, so this program has a register of its own in place of the shop's.
 * Usage: bench_explore [SECONDS]      how long each figure is measured, 4 by default */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/paths.h"
#include "engine/explore.h"
#include "engine/node.h"
#include "engine/steps_core.h"
#include "engine/variant.h"
#include "store/stores.h"

/* ---- what is run ----------------------------------------------------------------------------- */

#define VIEWS "icr:views"
#define STOCK "seckill:stock:1"
#define ORDERS "icr:orders"

static int64_t command(Actor *me, const char *verb, const char *key)
{
    bool writes = strcmp(verb, "GET") != 0;
    Touch touch = {0};
    touch_add(&touch, touch_key(key), writes);
    StepCall call = {.step = writes ? STEP_INCR_COUNTER : STEP_GET_STOCK, .key = key, .touch = &touch};
    redisReply *reply = redis_step(me, &call, 2, (const char *[]){verb, key});
    int64_t number = reply->type == REDIS_REPLY_INTEGER ? reply->integer : strtoll(reply->str, NULL, 10);
    freeReplyObject(reply);
    return number;
}

/* Four round trips to Redis: a page view, a look, a decrement, an order. Who sees no stock takes two
 * steps that touch nothing instead, so that everybody takes four. */
Answer redis_four(Actor *me, VoucherId voucher)
{
    (void)voucher;
    command(me, "INCR", VIEWS);
    if (command(me, "GET", STOCK) < 1) {
        clock_now(me);
        clock_now(me);
        return SOLD_OUT;
    }
    command(me, "DECR", STOCK);
    return issued(command(me, "INCR", ORDERS));
}

/* Three statements: a look, a decrement, an order. */
Answer sql_three(Actor *me, VoucherId voucher)
{
    sql_select_stock(me, voucher);
    sql_decrement_stock(me, voucher);
    sql_insert_order(me, voucher, user_id(me));
    return ordered(user_id(me));
}

const Variant variants[] = {
    {"bench", "redis-four", redis_four, "tests/bench/bench_explore.c", "redis_four"},
    {"bench", "sql-three", sql_three, "tests/bench/bench_explore.c", "sql_three"},
};
const int variant_count = sizeof variants / sizeof variants[0];

const Variant *variant_find(const char *lesson, const char *name)
{
    (void)lesson;
    for (int i = 0; i < variant_count; i++)
        if (strcmp(variants[i].name, name) == 0) return &variants[i];
    return NULL;
}

typedef struct Program {
    const char *title, *variant;
    int steps;
    bool in_redis;
} Program;

static const Program programs[] = {
    {"Redis, 2 users x 4 steps", "redis-four", 4, true},
    {"MariaDB, 2 users x 3 steps", "sql-three", 3, false},
};

static Spec spec_of(const Program *program)
{
    return (Spec){.variant = variant_find("bench", program->variant),
                  .users = 2,
                  .requests = 1,
                  .stock = 1,
                  .nodes = 1,
                  .seed = 1,
                  .clock = 1800000000,
                  .stock_in_sql = !program->in_redis,
                  .stock_in_redis = program->in_redis,
                  .breaks = {[NO_OVERSELL] = !program->in_redis},
                  .keeps = {[UNIQUE_IDS] = program->in_redis}};
}

/* ---- the plain loop ---------------------------------------------------------------------------- */

enum { USERS = 2 };

typedef struct Plain {
    const Program *program;
    Stores *stores;
    ShopSetup setup;
    RedisLink *redis[USERS];
    SqlLink *sql[USERS];
    bool sold_out[USERS];
    long runs;
    Error error;
} Plain;

static bool plain_redis(Plain *plain, int user, int step)
{
    static const char *const words[4][2] = {
        {"INCR", VIEWS}, {"GET", STOCK}, {"DECR", STOCK}, {"INCR", ORDERS}};
    redisReply *reply = NULL;
    if (plain->sold_out[user] && step > 1) return true;
    StoreStatus status = redis_link_argv(plain->redis[user], &reply, &plain->error, 2,
                                         (const char **)words[step], NULL);
    if (step == 1) plain->sold_out[user] = status == STORE_OK && strtol(reply->str, NULL, 10) < 1;
    if (reply) freeReplyObject(reply);
    return status == STORE_OK;
}

static bool plain_sql(Plain *plain, int user, int step)
{
    static const char *const statement[3] = {
        "SELECT stock FROM tb_seckill_voucher WHERE voucher_id = ?",
        "UPDATE tb_seckill_voucher SET stock = stock - 1 WHERE voucher_id = ?",
        "INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (?, ?, ?)"};
    const int64_t voucher[] = {1}, order[] = {user + 1, user + 1, 1};
    SqlResult result;
    return sql_link_run(plain->sql[user], statement[step], step == 2 ? 3 : 1, step == 2 ? order : voucher,
                        &result, &plain->error) == STORE_OK;
}

/* One schedule, given as the user of each move. */
static bool plain_run(Plain *plain, const int *order, int moves)
{
    int step[USERS] = {0};
    unsigned parts = plain->program->in_redis ? CLEAN_REDIS : CLEAN_VOUCHER | CLEAN_ORDERS;
    if (!stores_reset_parts(plain->stores, &plain->setup, parts, &plain->error)) return false;
    for (int i = 0; i < moves; i++) {
        int user = order[i], at = step[user]++;
        if (!(plain->program->in_redis ? plain_redis(plain, user, at) : plain_sql(plain, user, at)))
            return false;
    }
    plain->runs++;
    return true;
}

/* Every order of the moves that are left. */
static bool plain_all(Plain *plain, int *order, int made, int left_a, int left_b)
{
    if (left_a + left_b == 0) return plain_run(plain, order, made);
    order[made] = 0;
    if (left_a > 0 && !plain_all(plain, order, made + 1, left_a - 1, left_b)) return false;
    order[made] = 1;
    return left_b == 0 || plain_all(plain, order, made + 1, left_a, left_b - 1);
}

static bool plain_open(Plain *plain)
{
    RedisAddress redis;
    SqlAddress sql;
    Spec spec = spec_of(plain->program);
    spec_setup(&spec, &plain->setup);
    stores_addresses(plain->stores, &redis, &sql);
    for (int i = 0; i < USERS; i++) {
        plain->redis[i] = redis_link_open(&redis, &plain->error);
        plain->sql[i] = sql_link_open(&sql, true, &plain->error);
        if (!plain->redis[i] || !plain->sql[i]) return false;
    }
    return stores_prepare(plain->stores, &plain->setup, &plain->error);
}

static void plain_close(Plain *plain)
{
    for (int i = 0; i < USERS; i++) {
        redis_link_close(plain->redis[i]);
        sql_link_close(plain->sql[i]);
    }
}

static double plain_rate(Stores *stores, const Program *program, double seconds, Error *error)
{
    Plain plain = {.program = program, .stores = stores};
    int order[16];
    double rate = -1;
    if (plain_open(&plain)) {
        uint64_t began = clock_now_ns(), limit = (uint64_t)(seconds * 1e9);
        bool fine = true;
        while (fine && clock_now_ns() - began < limit)
            fine = plain_all(&plain, order, 0, program->steps, program->steps);
        if (fine) rate = (double)plain.runs / ((double)(clock_now_ns() - began) / 1e9);
    }
    *error = plain.error;
    plain_close(&plain);
    return rate;
}

/* ---- the explorer -------------------------------------------------------------------------------- */

static double explorer_rate(Stores *stores, const Program *program, double seconds, Error *error)
{
    Spec spec = spec_of(program);
    ExploreOptions options = {.prune = false, .preemptions = -1};
    double used = 0;
    long runs = 0;
    while (used < seconds) {
        Explorer *explorer = explorer_open(stores, &spec, &options, error);
        if (!explorer) return -1;
        while (explorer_slice(explorer, 1000)) {
        }
        const Exploration *result = explorer_result(explorer);
        bool failed = result->failed;
        if (failed) *error = result->error;
        used += result->seconds;
        runs += result->runs;
        explorer_close(explorer);
        if (failed) return -1;
    }
    return (double)runs / used;
}

/* Both are measured in turns, since the machine may have other things to do; medians are shown. */
enum { ROUNDS = 9 };

static int by_size(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof values[0], by_size);
    return values[ROUNDS / 2];
}

static bool measure_program(Stores *stores, const Program *program, double seconds, Error *error)
{
    double plain[ROUNDS], explored[ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        plain[i] = plain_rate(stores, program, seconds / ROUNDS, error);
        explored[i] = plain[i] > 0 ? explorer_rate(stores, program, seconds / ROUNDS, error) : -1;
        if (explored[i] < 0) return false;
        ratio[i] = explored[i] / plain[i];
    }
    printf("%-28s %12.0f %12.0f %8.2f\n", program->title, median(explored), median(plain), median(ratio));
    fflush(stdout);
    return true;
}

static bool measure_rates(Stores *stores, double seconds, Error *error)
{
    printf("%-28s %12s %12s %8s\n", "schedules a second", "explorer", "plain loop", "ratio");
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (!measure_program(stores, &programs[i], seconds, error)) return false;
    return true;
}

/* ---- the Redis program, counted --------------------------------------------------------------------- */

/* Schedules in which more than one user was told yes. */
static double oversold(const Exploration *exploration)
{
    double count = 0;
    for (int i = 0; i < exploration->outcomes; i++) {
        int yes = 0;
        for (const char *at = exploration->outcome[i].text; (at = strstr(at, "=issued")) != NULL; at++) yes++;
        if (yes > 1) count += exploration->outcome[i].schedules;
    }
    return count;
}

static bool count_program(Stores *stores, int users, bool prune, Error *error)
{
    Spec spec = spec_of(&programs[0]);
    spec.users = users;
    ExploreOptions options = {.prune = prune, .preemptions = -1};
    Explorer *explorer = explorer_open(stores, &spec, &options, error);
    if (!explorer) return false;
    while (explorer_slice(explorer, 1000)) {
    }
    const Exploration *result = explorer_result(explorer);
    printf("%d users x 4 steps, %-8s %8ld runs (and %ld given up) for %.0f schedules, %.0f oversell, %.2f s\n",
           users, prune ? "pruned:" : "naive:", result->runs, result->repetitions, result->unpruned,
           oversold(result), result->seconds);
    fflush(stdout);
    bool fine = result->complete;
    if (!fine) *error = result->error;
    explorer_close(explorer);
    return fine;
}

static bool count_programs(Stores *stores, Error *error)
{
    for (int users = 2; users <= 3; users++)
        if (!count_program(stores, users, true, error) || !count_program(stores, users, false, error))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0) return sandbox_keeper_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--node") == 0) return node_main(argc, argv);
    paths_keep_program();
    i18n_start("en");
    double seconds = argc > 1 ? atof(argv[1]) : 4;
    Error error = {""};
    Stores *stores = stores_open(NULL, NULL, &error);
    bool fine = stores && stores_wait(stores, 60000, &error) && measure_rates(stores, seconds, &error) &&
                count_programs(stores, &error);
    if (!fine) fprintf(stderr, "bench_explore: %s\n", error.text);
    stores_close(stores);
    return fine ? 0 : 3;
}
