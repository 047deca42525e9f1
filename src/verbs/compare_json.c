#include "verbs/compare_print.h"

/* As many digits as each number is worth. */
static const struct {
    const char *name;
    int digits;
} measures[MEASURE_COUNT] = {
    [MEASURE_THROUGHPUT] = {"throughput", 1}, [MEASURE_P50] = {"p50_ms", 3},
    [MEASURE_P99] = {"p99_ms", 3},            [MEASURE_MAX] = {"max_ms", 3},
    [MEASURE_STORED] = {"stored_ms", 3},      [MEASURE_SQL] = {"sql_per_order", 4},
    [MEASURE_REDIS] = {"redis_per_order", 4},
};

static json_t *ratios_json(const Comparison *comparison, int row)
{
    json_t *ratios = json_object();
    double ratio;
    for (int i = 0; i < MEASURE_COUNT; i++)
        json_object_set_new(ratios, measures[i].name,
                            compare_ratio(comparison, row, (Measure)i, &ratio) ? json_rounded(ratio, 4) : json_null());
    return ratios;
}

static json_t *answers_json(const CompareRow *row)
{
    json_t *answers = json_object();
    for (int i = 0; i < ANSWER_COUNT; i++)
        json_object_set_new(answers, answer_name((AnswerKind)i), json_integer(row->answers[i]));
    return answers;
}

static json_t *broken_json(const CompareRow *row)
{
    json_t *broken = json_array();
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (row->verdict[i].state == VERDICT_BROKEN)
            json_array_append_new(broken, json_string(invariant_name((Invariant)i)));
    return broken;
}

static json_t *row_json(const CompareChoice *choice, const Comparison *comparison, int index)
{
    const CompareRow *row = &comparison->row[index];
    double number;
    json_t *object = json_pack("{s:s, s:s, s:b, s:o}", "lesson", choice->lesson[index]->name, "variant",
                               choice->variant[index]->name, "complete", row->complete, "seconds",
                               json_rounded(row->seconds, 6));
    if (!object) return NULL;
    for (int i = 0; i < MEASURE_COUNT; i++)
        json_object_set_new(object, measures[i].name,
                            compare_measure(row, (Measure)i, &number) ? json_rounded(number, measures[i].digits)
                                                                      : json_null());
    json_object_set_new(object, "yes_ms", row->yes_seconds > 0 ? json_rounded(row->yes_seconds * 1000, 3) : json_null());
    json_object_set_new(object, "orders", json_number_or_null(row->truth, row->orders));
    json_object_set_new(object, "stored", json_integer(row->stored));
    json_object_set_new(object, "sql_statements", json_integer(row->sql_statements));
    json_object_set_new(object, "redis_commands", json_integer(row->redis_commands));
    json_object_set_new(object, "counted", json_boolean(row->counted));
    json_object_set_new(object, "answers", answers_json(row));
    json_object_set_new(object, "broken", broken_json(row));
    json_object_set_new(object, "as_claimed", json_boolean(compare_as_claimed(row)));
    json_object_set_new(object, "invariants", json_verdicts(row->verdict));
    json_object_set_new(object, "ratio", ratios_json(comparison, index));
    json_object_set_new(object, "trouble", json_text_or_null(row->trouble));
    return object;
}

json_t *compare_json(const CompareChoice *choice, const Comparison *comparison)
{
    const Spec *spec = &comparison->row[0].spec;
    json_t *object = json_pack("{s:i, s:I, s:i, s:i, s:I}", "users", spec->users, "stock", (json_int_t)spec->stock,
                               "nodes", spec->nodes, "requests", spec->requests, "seed", (json_int_t)spec->seed);
    json_t *rows = json_array();
    if (!object || !rows) return NULL;
    for (int i = 0; i < comparison->done; i++) json_array_append_new(rows, row_json(choice, comparison, i));
    json_object_set_new(object, "rows", rows);
    return object;
}
