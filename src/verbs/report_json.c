#include "verbs/report_json.h"

#include "course/schedule_text.h"
#include "engine/step_kind.h"

static json_t *answers_json(const Report *report)
{
    json_t *answers = json_object();
    for (int i = 0; i < ANSWER_COUNT; i++)
        json_object_set_new(answers, answer_name((AnswerKind)i), json_integer(report->answers[i]));
    return answers;
}

static json_t *db_json(const Report *report)
{
    const Snapshot *truth = &report->truth;
    bool has_stock = truth->sql_ok && report->spec.stock_in_sql;
    return json_pack("{s:o, s:o, s:o}", "stock", json_number_or_null(has_stock, truth->stock),
                     "orders", json_number_or_null(truth->sql_ok, truth->orders), "duplicate_users",
                     json_number_or_null(truth->sql_ok, truth->duplicate_users));
}

static json_t *redis_json(const Report *report)
{
    const Snapshot *truth = &report->truth;
    bool ok = truth->redis_ok;
    return json_pack(
        "{s:o, s:o, s:o, s:o}", "stock",
        json_number_or_null(ok && truth->has_redis_stock, truth->redis_stock), "buyers",
        json_number_or_null(ok && truth->has_buyers, truth->buyers), "queue_length",
        json_number_or_null(ok && truth->has_queue, truth->queue_length), "queue_pending",
        json_number_or_null(ok && truth->has_queue, truth->queue_pending));
}

static json_t *queues_json(const Report *report)
{
    const QueuesView *queues = &report->queues;
    const StreamView *stream = &report->truth.stream;
    bool any = queues->in_memory || queues->in_stream, streams = queues->in_stream && report->truth.redis_ok;
    long refused = 0, lost = 0;
    for (int i = 0; i < queues->nodes; i++) {
        refused += queues->node[i].refused;
        lost += queues->node[i].lost + queues->node[i].dropped;
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "told",
                     json_number_or_null(any, queues->told), "waiting", json_number_or_null(any, queues->waiting),
                     "stored", json_number_or_null(any, queues->stored), "set_aside",
                     json_number_or_null(streams, queues->set_aside), "lost", json_number_or_null(any, queues->lost),
                     "consumers_alive", json_number_or_null(any, queues->consumers_alive), "refused",
                     json_number_or_null(queues->in_memory, refused), "lost_in_memory",
                     json_number_or_null(queues->in_memory, lost), "acked",
                     json_number_or_null(streams && stream->acked >= 0, stream->acked), "lag",
                     json_number_or_null(streams && stream->lag >= 0, stream->lag));
}

static json_t *latency_json(const Report *report)
{
    if (report->answered == 0) return json_pack("{s:n, s:n, s:n}", "p50", "p99", "max");
    return json_pack("{s:o, s:o, s:o}", "p50", json_rounded(report->p50_ms, 3), "p99",
                     json_rounded(report->p99_ms, 3), "max", json_rounded(report->max_ms, 3));
}

static json_t *attempts_json(const Report *report)
{
    if (report->attempts_max == 0) return json_pack("{s:n, s:n}", "mean", "max");
    return json_pack("{s:o, s:I}", "mean", json_rounded(report->attempts_mean, 2), "max",
                     (json_int_t)report->attempts_max);
}

/* What everybody sent to the stores, from the trace. */
static json_t *commands_json(const Report *report)
{
    return json_pack("{s:I, s:I}", "redis", (json_int_t)report->redis_commands, "sql",
                     (json_int_t)report->sql_statements);
}

/* p50 and p99: from a request's first step until its order was stored. */
static json_t *stored_json(const Report *report)
{
    if (report->stored == 0) return json_pack("{s:i, s:n, s:n, s:n}", "orders", 0, "seconds", "p50_ms", "p99_ms");
    return json_pack("{s:I, s:o, s:o, s:o}", "orders", (json_int_t)report->stored, "seconds",
                     json_rounded(report->stored_seconds, 6), "p50_ms", json_rounded(report->stored_p50_ms, 3),
                     "p99_ms", json_rounded(report->stored_p99_ms, 3));
}

/* fired 0: it never hit. */
static json_t *faults_json(const Report *report)
{
    json_t *faults = json_array();
    for (int i = 0; i < report->faults; i++) {
        char text[200];
        fault_write(&report->fault[i].fault, text, sizeof text);
        json_array_append_new(faults, json_pack("{s:s, s:I}", "fault", text, "fired",
                                                (json_int_t)report->fault[i].fired));
    }
    return faults;
}

static json_t *story_json(const Report *report)
{
    json_t *story = json_array();
    for (int i = 0; i < report->story_lines; i++) {
        const StoryLine *line = &report->story[i];
        bool by_actor = line->actor >= 0; /* else the console or the clock did it */
        json_t *step =
            line->step == STEP_NONE ? json_null() : json_string(step_kinds[line->step].name);
        json_array_append_new(
            story,
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:b}", "at_ms",
                      json_rounded((double)line->at_ns / 1e6, 3), "actor",
                      json_number_or_null(by_actor, line->actor), "user",
                      json_number_or_null(by_actor, (long)line->user), "node",
                      json_number_or_null(by_actor, line->node), "line",
                      json_number_or_null(line->line > 0, line->line), "step", step, "words",
                      line->words, "result", line->result, "telling", line->telling));
    }
    return story;
}

json_t *report_json(const Lesson *lesson, const LessonVariant *variant, const Report *report)
{
    const Spec *spec = &report->spec;
    json_t *object =
        json_pack("{s:s, s:s, s:i, s:I, s:i, s:i, s:I}", "lesson", lesson->name, "variant",
                  variant->name, "users", spec->users, "stock", (json_int_t)spec->stock, "nodes",
                  spec->nodes, "requests", spec->requests, "seed", (json_int_t)spec->seed);
    if (!object) return NULL;
    json_object_set_new(object, "pace", json_integer(spec->pace_ms));
    json_object_set_new(object, "seconds", json_rounded(report->seconds, 6));
    json_object_set_new(object, "throughput", json_rounded(report->throughput, 1));
    json_object_set_new(object, "complete", json_boolean(report->complete));
    json_object_set_new(object, "as_claimed", json_boolean(report_as_claimed(report)));
    json_object_set_new(object, "answers", answers_json(report));
    json_object_set_new(object, "db", db_json(report));
    json_object_set_new(object, "redis", redis_json(report));
    json_object_set_new(object, "invariants", json_verdicts(report->verdict));
    json_object_set_new(object, "latency_ms", latency_json(report));
    json_object_set_new(object, "stored_ms", json_pack("{s:o, s:o}", "p50", report->stored_p50_ms > 0 ? json_rounded(report->stored_p50_ms, 3) : json_null(),
                                                      "p99", report->stored_p99_ms > 0 ? json_rounded(report->stored_p99_ms, 3) : json_null()));
    json_object_set_new(object, "queues", queues_json(report));
    json_object_set_new(object, "attempts", attempts_json(report));
    json_object_set_new(object, "release_ms", json_rounded(report->release_ms, 3));
    json_object_set_new(object, "steps", json_integer(report->steps));
    json_object_set_new(object, "commands", commands_json(report));
    json_object_set_new(object, "stored", stored_json(report));
    json_object_set_new(object, "nodes_lost", json_integer(report->nodes_lost));
    json_object_set_new(object, "trouble", json_text_or_null(report->trouble));
    json_object_set_new(object, "faults", faults_json(report));
    json_object_set_new(object, "story", story_json(report));
    char line[SCHEDULE_TEXT];
    schedule_text_of_report(lesson, variant, report, line);
    json_object_set_new(object, "schedule", json_text_or_null(line));
    json_object_set_new(object, "schedule_note", json_text_or_null(report->schedule_note));
    return object;
}
