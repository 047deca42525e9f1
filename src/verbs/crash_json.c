#include "course/schedule_text.h"
#include "engine/mover.h"
#include "engine/step_kind.h"
#include "verbs/crash_print.h"

static json_t *locks_json(const CrashRow *row)
{
    static const char *const homes[] = {
        [LOCK_IN_NODE] = "node", [LOCK_IN_REDIS] = "redis", [LOCK_IN_SQL] = "mysql", [LOCK_ON_ROW] = "row"};
    json_t *locks = json_array();
    for (int i = 0; i < row->locks; i++) {
        const LockView *lock = &row->lock[i];
        char holder[12] = "";
        if (lock->holder.actor >= 0) schedule_actor(lock->holder.actor, holder);
        json_array_append_new(
            locks, json_pack("{s:s, s:s, s:o, s:o, s:I, s:b}", "name", lock->name, "home",
                             homes[lock->home], "holder", json_text_or_null(holder), "owner",
                             json_text_or_null(lock->owner), "ttl_ms", (json_int_t)lock->ttl_ms,
                             "abandoned", lock->abandoned));
    }
    return locks;
}

/* Null: told nothing. */
static json_t *told_json(const CrashTable *table, const CrashRow *row)
{
    json_t *told = json_object();
    for (int i = 0; i < spec_user_actors(&table->spec); i++) {
        char actor[12];
        json_object_set_new(told, mover_name(&table->spec, i, actor),
                            row->told[i].answered ? json_string(answer_name(row->told[i].answer))
                                                  : json_null());
    }
    return told;
}

static json_t *row_json(const Lesson *lesson, const LessonVariant *variant, const CrashTable *table,
                        const CrashRow *row)
{
    static Schedule schedule;
    char line[SCHEDULE_TEXT], actor[12];
    const char *when = row->waits ? "waiting" : row->after ? "after" : "before";
    bool readable = schedule_parse(row->schedule, &schedule, NULL);
    json_t *object =
        json_pack("{s:i, s:s, s:I, s:i, s:s, s:s, s:s}", "move", row->move + 1, "actor",
                  mover_name(&table->spec, row->actor, actor), "user", (json_int_t)row->user, "node",
                  row->node + 1, "step", step_kinds[row->step].name, "label", row->command, "killed", when);
    json_object_set_new(object, "stock", json_number_or_null(table->spec.stock_in_sql, row->truth.stock));
    json_object_set_new(object, "redis_stock",
                        json_number_or_null(row->truth.has_redis_stock, row->truth.redis_stock));
    json_object_set_new(object, "orders", json_integer(row->truth.orders));
    json_object_set_new(object, "locks", locks_json(row));
    json_object_set_new(object, "told", told_json(table, row));
    json_object_set_new(object, "unheard", json_boolean(row->unheard));
    json_object_set_new(object, "stuck", json_boolean(row->stuck));
    json_object_set_new(object, "invariants", json_verdicts(row->verdict));
    json_object_set_new(object, "schedule",
                        readable ? json_string(schedule_text_write(lesson, variant, &table->spec,
                                                                   &schedule, line))
                                 : json_null());
    return object;
}

static json_t *broken_json(const CrashTable *table)
{
    json_t *broken = json_object();
    for (int i = 0; i < INVARIANT_COUNT; i++)
        json_object_set_new(broken, invariant_name((Invariant)i),
                            json_number_or_null(table->spec.breaks[i] || table->spec.keeps[i],
                                                table->broken[i]));
    return broken;
}

json_t *crash_json(const Lesson *lesson, const LessonVariant *variant, const CrashTable *table)
{
    const Spec *spec = &table->spec;
    char line[SCHEDULE_TEXT];
    json_t *object = json_pack("{s:s, s:s, s:i, s:I, s:i, s:i}", "lesson", lesson->name, "variant",
                               variant->name, "users", spec->users, "stock", (json_int_t)spec->stock,
                               "nodes", spec->nodes, "requests", spec->requests);
    json_t *rows = json_array();
    if (!object || !rows) return NULL;
    for (int i = 0; i < table->rows; i++)
        json_array_append_new(rows, row_json(lesson, variant, table, &table->row[i]));
    json_object_set_new(object, "schedule",
                        json_string(schedule_text_write(lesson, variant, spec, &table->schedule, line)));
    json_object_set_new(object, "rows", rows);
    json_object_set_new(object, "broken", broken_json(table));
    json_object_set_new(object, "broken_any", json_integer(table->broken_any));
    json_object_set_new(object, "unheard", json_integer(table->unheard));
    json_object_set_new(object, "as_claimed", table->over ? json_boolean(crash_table_as_claimed(table)) : json_null());
    json_object_set_new(object, "seconds", json_rounded(table->seconds, 6));
    return object;
}
