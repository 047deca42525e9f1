#include "verbs/explore_print.h"

#include <stdlib.h>

#include "course/schedule_text.h"

/* Counts beyond 2^53 are no whole numbers any more, here as in JSON. */
static json_t *count_json(double count)
{
    return count < 9e15 ? json_integer((json_int_t)count) : json_real(count);
}

static bool is_judged(const Spec *spec, int invariant)
{
    return spec->breaks[invariant] || spec->keeps[invariant];
}

static json_t *violating_json(const Exploration *exploration)
{
    json_t *violating = json_object();
    for (int i = 0; i < INVARIANT_COUNT; i++)
        json_object_set_new(violating, invariant_name((Invariant)i),
                            is_judged(&exploration->spec, i)
                                ? count_json(exploration->violating[i])
                                : json_null());
    return violating;
}

static json_t *broken_names(uint32_t broken)
{
    json_t *names = json_array();
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (broken >> i & 1)
            json_array_append_new(names, json_string(invariant_name((Invariant)i)));
    return names;
}

static json_t *outcomes_json(const Exploration *exploration)
{
    json_t *outcomes = json_array();
    for (int i = 0; i < exploration->outcomes; i++) {
        const ExploreOutcome *outcome = &exploration->outcome[i];
        json_array_append_new(outcomes, json_pack("{s:s, s:o, s:o}", "outcome", outcome->text,
                                                  "schedules", count_json(outcome->schedules),
                                                  "violates", broken_names(outcome->broken)));
    }
    return outcomes;
}

static json_t *by_preemptions_json(const Exploration *exploration)
{
    json_t *entries = json_array();
    for (int i = 0; i < CLASS_PREEMPTIONS; i++) {
        if (exploration->by_preemptions[i] == 0) continue;
        json_array_append_new(
            entries, json_pack("{s:i, s:o, s:o}", "preemptions", i, "schedules",
                               count_json(exploration->by_preemptions[i]), "violating",
                               count_json(exploration->violating_by_preemptions[i])));
    }
    return entries;
}

static json_t *shortest_json(const Lesson *lesson, const LessonVariant *variant,
                             const Exploration *exploration)
{
    if (exploration->best.schedules == 0) return json_null();
    static Schedule schedule;
    char line[SCHEDULE_TEXT];
    exploration_schedule(exploration, &exploration->best, &schedule);
    return json_string(
        schedule_text_write(lesson, variant, &exploration->spec, &schedule, line));
}

json_t *explore_json(const Lesson *lesson, const LessonVariant *variant,
                     const Exploration *exploration)
{
    const Spec *spec = &exploration->spec;
    json_t *object = json_pack("{s:s, s:s, s:i, s:I, s:i, s:i}", "lesson", lesson->name, "variant",
                               variant->name, "users", spec->users, "stock",
                               (json_int_t)spec->stock, "nodes", spec->nodes, "requests",
                               spec->requests);
    if (!object) return NULL;
    char covers[200];
    exploration_covers(exploration, covers, sizeof covers);
    bool found = exploration->best.schedules > 0;
    int bound = exploration->options.preemptions;
    json_object_set_new(object, "schedules", json_integer(exploration->runs));
    json_object_set_new(object, "unpruned", count_json(exploration->unpruned));
    json_object_set_new(object, "violating", violating_json(exploration));
    json_object_set_new(object, "violating_any", count_json(exploration->violating_any));
    json_object_set_new(object, "outcomes", outcomes_json(exploration));
    json_object_set_new(object, "by_preemptions", by_preemptions_json(exploration));
    json_object_set_new(object, "shortest", shortest_json(lesson, variant, exploration));
    json_object_set_new(
        object, "preemptions",
        json_number_or_null(found, exploration->best.preemptions));
    json_object_set_new(object, "complete", json_boolean(exploration->complete));
    json_object_set_new(object, "as_claimed", /* nothing is known before the end */
                        exploration->complete ? json_boolean(exploration_as_claimed(exploration, NULL, 0))
                                              : json_null());
    json_object_set_new(object, "covers", json_string(covers));
    json_object_set_new(object, "pruned", json_boolean(exploration->options.prune));
    json_object_set_new(object, "bound", json_number_or_null(bound >= 0, bound));
    json_object_set_new(object, "counted", json_boolean(exploration->counted));
    json_object_set_new(object, "repetitions", json_integer(exploration->repetitions));
    json_object_set_new(object, "seconds", json_rounded(exploration->seconds, 6));
    json_object_set_new(object, "rate",
                        exploration->seconds > 0
                            ? json_rounded((double)exploration->runs / exploration->seconds, 1)
                            : json_null());
    return object;
}
