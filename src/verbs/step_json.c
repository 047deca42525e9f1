#include "verbs/step_print.h"

#include "engine/step_kind.h"

static json_t *answer_json(bool answered, AnswerKind answer)
{
    return answered ? json_string(answer_name(answer)) : json_null();
}

static json_t *move_json(const StepRun *run, int index)
{
    const StepRow *row = &run->view.row[index];
    bool answered = row->answered, has_id = answered && row->answer_id != 0;
    bool by_actor = run->state[index] != NULL;
    json_t *move = json_pack(
        "{s:i, s:s, s:o, s:o, s:s, s:o, s:o}", "move", index + 1, "actor",
        by_actor ? row->name : row->command, "user",
        json_number_or_null(by_actor, (long)row->user), "step",
        by_actor ? json_string(step_kinds[row->step].name) : json_null(), "label",
        by_actor ? row->command : row->words, "result",
        row->waits ? json_null() : json_string(row->result), "state",
        by_actor ? json_string(run->state[index]) : json_null());
    json_object_set_new(move, "value", json_number_or_null(by_actor && !row->waits, (long)row->value));
    json_object_set_new(move, "code", json_number_or_null(row->code != 0, (long)row->code));
    json_object_set_new(move, "line", json_number_or_null(row->line > 0, row->line));
    json_object_set_new(move, "replied_at",
                        json_number_or_null(!row->waits, row->waited_until < 0
                                                             ? index + 1
                                                             : row->waited_until + 1));
    json_object_set_new(move, "answer", answer_json(answered, row->answer));
    json_object_set_new(move, "order", has_id ? json_integer(row->answer_id) : json_null());
    return move;
}

static json_t *actors_json(const StepView *view)
{
    static const char *const names[] = {[ACTOR_AT_GATE] = "ready", [ACTOR_WAITING] = "waiting",
                                        [ACTOR_DONE] = "done", [ACTOR_DEAD] = "dead"};
    json_t *actors = json_array();
    for (int i = 0; i < view->actors; i++) {
        const StepActor *actor = &view->actor[i];
        bool standing = actor->state == ACTOR_AT_GATE || actor->state == ACTOR_WAITING;
        json_array_append_new(
            actors, json_pack("{s:s, s:s, s:o, s:o, s:o}", "actor", actor->name,
                              "state", names[actor->state], "next",
                              standing ? json_string(actor->command) : json_null(), "waits_for",
                              json_text_or_null(actor->waits_for_name), "answer",
                              answer_json(actor->answered, actor->answer)));
    }
    return actors;
}

static json_t *truth_json(const StepRun *run)
{
    const Snapshot *truth = &run->view.truth;
    return json_pack("{s:o, s:o, s:o}", "stock",
                     json_number_or_null(truth->sql_ok && run->spec->stock_in_sql, truth->stock),
                     "orders", json_number_or_null(truth->sql_ok, truth->orders), "redis_stock",
                     json_number_or_null(truth->redis_ok && truth->has_redis_stock,
                                         truth->redis_stock));
}

json_t *step_json(const StepRun *run)
{
    const Spec *spec = run->spec;
    json_t *moves = json_array();
    for (int i = 0; i < run->view.rows; i++) json_array_append_new(moves, move_json(run, i));
    json_t *object = json_pack("{s:s, s:s, s:i, s:I, s:i, s:i}", "lesson", run->lesson->name,
                               "variant", run->variant->name, "users", spec->users, "stock",
                               (json_int_t)spec->stock, "nodes", spec->nodes, "requests",
                               spec->requests);
    if (!object) return NULL;
    json_object_set_new(object, "schedule", json_string(run->line));
    json_object_set_new(object, "moves", moves);
    json_object_set_new(object, "invariants", json_verdicts(run->view.verdict));
    json_object_set_new(object, "actors", actors_json(&run->view));
    json_object_set_new(object, "preemptions", json_integer(run->view.preemptions));
    json_object_set_new(object, "over", json_boolean(run->view.over));
    json_object_set_new(object, "as_claimed", json_boolean(step_as_claimed(run)));
    json_object_set_new(object, "truth", truth_json(run));
    return object;
}
