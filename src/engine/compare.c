#include "engine/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

struct Comparer {
    Stores *stores;
    Observer *observer;
    Race *race; /* of the row that runs */
    Comparison result;
    RaceProgress progress;
    Report report;
};

/* ---- the same world for all ------------------------------------------------------------------- */

static const Invariant always_judged[] = {NO_OVERSELL, NO_UNDERSELL, ONE_PER_USER, BOOKS_BALANCE, ANSWER_TRUE};

void compare_spec(const Spec *race, Spec *spec)
{
    enum { USERS = 2000, STOCK = 1000 };
    *spec = *race;
    spec->users = USERS;
    spec->requests = 1;
    spec->at_once = false;
    spec->stock = STOCK;
    spec->nodes = 1;
    spec->seed = 1;
    spec->pace_ms = 0;
    spec->window = WINDOW_OPEN;
    spec->clock = 0;
    spec->faults = 0;
    spec->queue = 0; /* with room for all */
    for (size_t i = 0; i < sizeof always_judged / sizeof *always_judged; i++)
        if (!spec->breaks[always_judged[i]]) spec->keeps[always_judged[i]] = true;
}

/* ---- one row after the other ------------------------------------------------------------------- */

Comparer *comparer_open(Stores *stores, const Spec *specs, int count, Error *error)
{
    Comparer *comparer = calloc(1, sizeof *comparer);
    if (!comparer) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    comparer->stores = stores;
    comparer->observer = observer_open(stores, error);
    if (!comparer->observer) {
        free(comparer);
        return NULL;
    }
    comparer->result.rows = count;
    for (int i = 0; i < count; i++)
        comparer->result.row[i] = (CompareRow){.spec = specs[i], .total = (long)specs[i].users * specs[i].requests};
    return comparer;
}

static CompareRow *current(Comparer *comparer)
{
    return &comparer->result.row[comparer->result.done];
}

static bool fail(Comparer *comparer, const char *reason)
{
    Comparison *result = &comparer->result;
    result->failed = result->over = true;
    if (reason != result->error.text) snprintf(result->error.text, sizeof result->error.text, "%s", reason);
    return false;
}

static bool begin_row(Comparer *comparer)
{
    Comparison *result = &comparer->result;
    CompareRow *row = current(comparer);
    comparer->race = race_open(comparer->stores, &row->spec, &result->error);
    if (!comparer->race) return fail(comparer, result->error.text);
    row->state = ROW_RUNS;
    race_release(comparer->race);
    return true;
}

static void fill_row(CompareRow *row, const Report *report)
{
    row->state = ROW_DONE;
    row->answered = report->answered;
    row->complete = report->complete;
    row->seconds = report->seconds;
    row->throughput = report->throughput;
    memcpy(row->answers, report->answers, sizeof row->answers);
    row->p50_ms = report->p50_ms;
    row->p99_ms = report->p99_ms;
    row->max_ms = report->max_ms;
    row->stored = report->stored;
    row->yes_seconds = report->yes_seconds;
    row->stored_seconds = report->stored_seconds;
    row->sql_statements = report->sql_statements;
    row->redis_commands = report->redis_commands;
    row->counted = report->trace_lost == 0;
    row->truth = report->truth.sql_ok && report->truth.redis_ok;
    row->orders = report->truth.orders;
    memcpy(row->verdict, report->verdict, sizeof row->verdict);
    snprintf(row->trouble, sizeof row->trouble, "%s", report->trouble);
}

static bool end_row(Comparer *comparer)
{
    Comparison *result = &comparer->result;
    CompareRow *row = current(comparer);
    race_judge(comparer->race, comparer->observer, &comparer->report);
    race_close(comparer->race);
    comparer->race = NULL;
    fill_row(row, &comparer->report);
    result->done++;
    if (comparer->report.stopped || !row->truth)
        return fail(comparer, row->trouble[0] ? row->trouble : _("A server died in the middle of the race."));
    result->over = result->done == result->rows;
    return !result->over;
}

bool comparer_next(Comparer *comparer)
{
    if (comparer->result.over) return false;
    if (!comparer->race) return begin_row(comparer);
    if (race_server_is_gone(comparer->stores)) race_stop(comparer->race);
    bool going = race_poll(comparer->race, &comparer->progress);
    current(comparer)->answered = comparer->progress.answered;
    return going || end_row(comparer);
}

const Comparison *comparer_result(const Comparer *comparer)
{
    return &comparer->result;
}

void comparer_close(Comparer *comparer)
{
    if (!comparer) return;
    if (comparer->race) {
        race_stop(comparer->race);
        race_close(comparer->race);
    }
    observer_close(comparer->observer);
    free(comparer);
}

/* ---- what the rows say ----------------------------------------------------------------------------- */

bool compare_measure(const CompareRow *row, Measure measure, double *number)
{
    if (row->state != ROW_DONE) return false;
    double orders = row->truth ? (double)row->orders : 0;
    const struct {
        bool known;
        double number;
    } all[MEASURE_COUNT] = {
        [MEASURE_THROUGHPUT] = {row->answered > 0, row->throughput},
        [MEASURE_P50] = {row->answered > 0, row->p50_ms},
        [MEASURE_P99] = {row->answered > 0, row->p99_ms},
        [MEASURE_MAX] = {row->answered > 0, row->max_ms},
        [MEASURE_STORED] = {row->stored > 0, row->stored_seconds * 1000},
        [MEASURE_SQL] = {orders > 0, orders > 0 ? (double)row->sql_statements / orders : 0},
        [MEASURE_REDIS] = {orders > 0, orders > 0 ? (double)row->redis_commands / orders : 0},
    };
    *number = all[measure].number;
    return all[measure].known;
}

bool compare_ratio(const Comparison *comparison, int row, Measure measure, double *ratio)
{
    double first, own;
    if (!compare_measure(&comparison->row[0], measure, &first) || first <= 0 ||
        !compare_measure(&comparison->row[row], measure, &own))
        return false;
    *ratio = own / first;
    return true;
}

const char *compare_title(Measure measure)
{
    static const char *const titles[MEASURE_COUNT] = {
        [MEASURE_THROUGHPUT] = N_("answers/s"), [MEASURE_P50] = N_("p50 ms"),  [MEASURE_P99] = N_("p99 ms"),
        [MEASURE_MAX] = N_("max ms"),           [MEASURE_STORED] = N_("stored ms"), [MEASURE_SQL] = "SQL",
        [MEASURE_REDIS] = "Redis",
    };
    return measure == MEASURE_SQL || measure == MEASURE_REDIS ? titles[measure] : _(titles[measure]);
}

/* As many digits as the measuring is worth. */
const char *compare_write(Measure measure, double number, char text[32])
{
    bool ms = measure >= MEASURE_P50 && measure <= MEASURE_STORED;
    int digits = measure == MEASURE_THROUGHPUT ? 0 : !ms || number >= 10 ? 1 : 2;
    snprintf(text, 32, "%.*f", number >= 10000 ? 0 : digits, number);
    return text;
}

const char *compare_write_ratio(double ratio, char text[32])
{
    snprintf(text, 32, "x%.*f", ratio >= 100 ? 0 : ratio >= 10 ? 1 : ratio >= 0.1 || ratio == 0 ? 2 : 3, ratio);
    return text;
}

const char *compare_moment(int line)
{
    static const char *const lines[COMPARE_MOMENTS] = {
        N_("p50, p99, max: from the moment a request is asked until its user is told."),
        N_("stored: from the start until the last order's row is committed."),
        N_("SQL, Redis: commands for each order, those of refused requests included."),
        N_("One race each, all on this machine: small differences mean nothing."),
    };
    return _(lines[line]);
}

Invariant compare_broken(const CompareRow *row)
{
    int i = 0;
    while (i < INVARIANT_COUNT && row->verdict[i].state != VERDICT_BROKEN) i++;
    return (Invariant)i;
}

bool compare_as_claimed(const CompareRow *row)
{
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (row->verdict[i].state == VERDICT_BROKEN && !row->spec.breaks[i]) return false;
    return true;
}
