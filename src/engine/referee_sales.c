#include "engine/referee_sales.h"

#include <stdlib.h>

/* Orders by user; users are numbered from 1. */
typedef struct Tally {
    unsigned *orders;
    long users;
} Tally;

static void tally_add(Tally *tally, int64_t user)
{
    if (user >= 1 && user <= tally->users) tally->orders[user - 1]++;
}

/* Stock in Redis alone: where no order is written, a number that was told stands for one. */
static bool numbers_count(const Case *judged)
{
    return judged->world && judged->spec->stock_in_redis && !judged->spec->stock_in_sql;
}

static long add_numbers(const Case *judged, Tally *tally)
{
    const World *world = judged->world;
    uint64_t told = atomic_load(&world->answer_count);
    if (told > world->answer_capacity) told = world->answer_capacity;
    const AnswerEntry *answers = world_answers(world);
    long numbers = 0;
    for (uint64_t i = 0; i < told; i++) {
        if (answers[i].kind != ANSWER_ISSUED + 1) continue;
        if (tally) tally_add(tally, answers[i].user);
        numbers++;
    }
    return numbers;
}

static void count_tally(const Spec *spec, const Tally *tally, Sales *sales)
{
    if (spec->baskets > 0) sales->units = 0;
    for (long i = 0; i < tally->users; i++) {
        if (spec->baskets > 0) sales->units += (long)tally->orders[i] * spec_basket(spec, i + 1);
        sales->buyers += tally->orders[i] > 0;
        if (tally->orders[i] < 2) continue;
        if (sales->twice++ == 0) sales->first_twice = i + 1;
    }
    for (long i = 0; i < tally->users; i++)
        if (tally->orders[i] == 0 && spec_basket(spec, i + 1) <= spec->stock - sales->units) sales->refused++;
}

Sales sales_count(const Case *judged)
{
    const Spec *spec = judged->spec;
    Tally tally = {.users = spec->users};
    Sales sales = {.orders = judged->truth->orders, .buyers = judged->truth->orders};
    if (judged->orders) tally.orders = calloc((size_t)spec->users + 1, sizeof *tally.orders);
    sales.known = tally.orders != NULL;
    if (numbers_count(judged)) sales.orders += add_numbers(judged, sales.known ? &tally : NULL);
    sales.units = sales.orders;
    if (!sales.known) return sales;
    sales.buyers = 0;
    for (long i = 0; i < judged->order_count; i++) tally_add(&tally, judged->orders[i].user);
    count_tally(spec, &tally, &sales);
    free(tally.orders);
    return sales;
}
