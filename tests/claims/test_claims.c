/* Every variant of every lesson is explored in its small world, and held against its claim. Where that takes
 * longer than LONG_S, a short run stops there: what was seen must not contradict the claim, and the schedule
 * that the lesson gives must break what it says. With --long everything is explored to its end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "course/course.h"
#include "engine/explore.h"
#include "engine/mover.h"
#include "engine/stepper.h"
#include "lab.h"

/* Larger spaces are not run through without pruning. */
enum { LONG_S = 15 };

enum { NAIVE = 2000, NAIVE_LONG = 20000, NAIVE_SERVERS = 100, NAIVE_SERVERS_LONG = 800 };

/* ---- exploring ------------------------------------------------------------------------------- */

/* What is asked for twice, with pruning and without, is small: it always goes to its end. */
static bool is_long(const Explorer *explorer, bool prune)
{
    return !lab_long() && prune && explorer_result(explorer)->seconds > LONG_S;
}

static Explorer *explore(const Spec *spec, bool prune, Text *trouble)
{
    Error error = {""};
    ExploreOptions options = {.prune = prune,
                              .preemptions = spec->preemptions > 0 ? spec->preemptions : -1};
    Explorer *explorer = explorer_open(lab_stores(), spec, &options, &error);
    if (!explorer) {
        text_format(trouble, "cannot be explored: %s\n", error.text);
        return NULL;
    }
    while (explorer_slice(explorer, 1000) && !is_long(explorer, prune)) {
    }
    const Exploration *result = explorer_result(explorer);
    if (result->failed) text_format(trouble, "failed: %s\n", result->error.text);
    if (!result->complete && !is_long(explorer, prune)) text_append(trouble, "the exploration is not complete\n");
    if (!result->counted) text_append(trouble, "not every schedule was counted\n");
    if (result->outcomes_left_out > 0) text_append(trouble, "there are more outcomes than kept\n");
    return explorer;
}

static const char *write_cell(const Exploration *exploration, long index, char *text, int size)
{
    static Schedule schedule;
    if (index < 0) return "none";
    exploration_schedule(exploration, &exploration->cell[index], &schedule);
    return schedule_write(&schedule, text, size);
}

/* ---- the claim ----------------------------------------------------------------------------------- */

/* The same world with everything judged: what the claim does not name must be kept, too. Where nothing
 * is sold, there is nothing to undersell. That ids ascend depends on the order of nearly all steps, so
 * that to judge it is to prune hardly at all. */
static Spec judge_all(const Spec *small, bool pruned)
{
    Spec spec = *small;
    bool sells = spec.stock_in_sql || spec.stock_in_redis;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        bool applies = i == NO_UNDERSELL ? sells : i != IDS_ASCEND || !pruned;
        if (!spec.breaks[i] && applies) spec.keeps[i] = true;
    }
    return spec;
}

static void compare_claim(const LessonVariant *variant, const Exploration *exploration, Text *trouble)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const char *name = invariant_name((Invariant)i);
        double broke = exploration->violating[i];
        if (variant->small.breaks[i] && broke == 0 && exploration->complete)
            text_format(trouble, "%s is claimed to break, and was kept by all %.0f schedules\n", name,
                        exploration->unpruned);
        if (variant->small.keeps[i] && broke > 0)
            text_format(trouble, "%s is claimed to be kept, and broke in %.0f of %.0f schedules\n", name,
                        broke, exploration->unpruned);
        if (!variant->small.keeps[i] && !variant->small.breaks[i] && broke > 0)
            text_format(trouble, "the claim does not name %s, which broke in %.0f of %.0f schedules\n",
                        name, broke, exploration->unpruned);
    }
}

static void compare_shortest(const LessonVariant *variant, const Exploration *exploration, Text *trouble)
{
    char text[600];
    const char *found = write_cell(exploration, exploration->shortest, text, sizeof text);
    const char *claimed = variant->shortest ? variant->shortest : "none";
    if (strcmp(found, claimed) != 0)
        text_format(trouble, "the shortest schedule that breaks something: %s; claimed: %s\n", found,
                    claimed);
}

/* ---- with and without pruning ------------------------------------------------------------------------ */

static void compare_number(const char *what, double pruned, double naive, Text *trouble)
{
    if (fabs(pruned - naive) > 0.5)
        text_format(trouble, "%s: %.0f with pruning, %.0f without\n", what, pruned, naive);
}

static double outcome_schedules(const Exploration *exploration, const ExploreOutcome *wanted)
{
    for (int i = 0; i < exploration->outcomes; i++) {
        const ExploreOutcome *outcome = &exploration->outcome[i];
        if (outcome->broken == wanted->broken && strcmp(outcome->text, wanted->text) == 0)
            return outcome->schedules;
    }
    return 0;
}

static void compare_outcomes(const Exploration *pruned, const Exploration *naive, Text *trouble)
{
    compare_number("outcomes", pruned->outcomes, naive->outcomes, trouble);
    for (int i = 0; i < naive->outcomes; i++) {
        const ExploreOutcome *outcome = &naive->outcome[i];
        compare_number(outcome->text, outcome_schedules(pruned, outcome), outcome->schedules, trouble);
    }
}

static void compare_best(const char *what, const Exploration *pruned, long in_pruned,
                         const Exploration *naive, long in_naive, Text *trouble)
{
    char left[600], right[600];
    const char *a = write_cell(pruned, in_pruned, left, sizeof left);
    const char *b = write_cell(naive, in_naive, right, sizeof right);
    if (strcmp(a, b) != 0)
        text_format(trouble, "shortest for %s: %s with pruning, %s without\n", what, a, b);
}

static void compare_explorations(const Exploration *pruned, const Exploration *naive, Text *trouble)
{
    compare_number("schedules", pruned->unpruned, naive->unpruned, trouble);
    if ((double)naive->runs != naive->unpruned) text_append(trouble, "a naive run stands for more than one\n");
    compare_number("violating", pruned->violating_any, naive->violating_any, trouble);
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const char *name = invariant_name((Invariant)i);
        compare_number(name, pruned->violating[i], naive->violating[i], trouble);
        compare_best(name, pruned, pruned->shortest_of[i], naive, naive->shortest_of[i], trouble);
    }
    for (int i = 0; i < CLASS_PREEMPTIONS; i++) {
        char what[40];
        snprintf(what, sizeof what, "with %d preemptions", i);
        compare_number(what, pruned->by_preemptions[i], naive->by_preemptions[i], trouble);
        snprintf(what, sizeof what, "violating with %d preemptions", i);
        compare_number(what, pruned->violating_by_preemptions[i], naive->violating_by_preemptions[i],
                       trouble);
    }
    compare_outcomes(pruned, naive, trouble);
    compare_best("anything", pruned, pruned->shortest, naive, naive->shortest, trouble);
}

/* ---- the cases ------------------------------------------------------------------------------------------ */

static void test_claim(const LessonVariant *variant, const char *name, const Exploration *pruned,
                       Text *trouble)
{
    char title[200];
    if (pruned) compare_claim(variant, pruned, trouble);
    if (pruned)
        printf("# %s: %.0f schedules by %ld runs (and %ld given up) in %.1f s\n", name, pruned->unpruned,
               pruned->runs, pruned->repetitions, pruned->seconds);
    bool whole = pruned && pruned->complete;
    snprintf(title, sizeof title,
             whole ? "%s breaks and keeps what it claims" : "%s: as far as was explored, as claimed", name);
    lab_case(title, trouble);
}

/* The schedule that the lesson gives, walked as it stands there: does it break something, and nothing that the
 * variant keeps? */
static void walk_shortest(const LessonVariant *variant, const Spec *spec, Text *trouble)
{
    static Schedule schedule;
    uint16_t plan[MAX_PLAN];
    Error error = {""};
    Snapshot truth;
    Verdict verdict[INVARIANT_COUNT];
    char outcome[OUTCOME_LENGTH];
    int broken = 0;
    if (!schedule_parse(variant->shortest, &schedule, &error)) {
        text_format(trouble, "%s\n", error.text);
        return;
    }
    for (int i = 0; i < schedule.count; i++)
        plan[i] = (uint16_t)mover_of_move(spec, &schedule.move[i]);
    Stepper *stepper = stepper_open(lab_stores(), spec, &error);
    RunEnd end = stepper ? stepper_run(stepper, plan, schedule.count, false, 0, &error) : RUN_FAILED;
    bool judged = (end == RUN_COMPLETE || end == RUN_STUCK) &&
                  stepper_judge(stepper, &truth, verdict, outcome, sizeof outcome, &error);
    for (int i = 0; judged && i < INVARIANT_COUNT; i++) {
        if (verdict[i].state != VERDICT_BROKEN) continue;
        broken += variant->small.breaks[i];
        if (!variant->small.breaks[i]) text_format(trouble, "it breaks %s\n", invariant_name((Invariant)i));
    }
    if (!judged) text_format(trouble, "it could not be walked to its end: %s\n", error.text);
    if (judged && broken == 0) text_append(trouble, "it breaks nothing\n");
    stepper_close(stepper);
}

static void test_long(const LessonVariant *variant, const char *name, const Spec *spec)
{
    char title[240];
    Text trouble = {0};
    if (variant->shortest) walk_shortest(variant, spec, &trouble);
    snprintf(title, sizeof title, "%s: the schedule that is given breaks what it says", name);
    lab_case(title, &trouble);
}

static void test_shortest(const LessonVariant *variant, const char *name, const Exploration *pruned)
{
    char title[200];
    Text trouble = {0};
    compare_shortest(variant, pruned, &trouble);
    snprintf(title, sizeof title, "%s: the shortest schedule is the one claimed", name);
    lab_case(title, &trouble);
}

static void test_pruning(const LessonVariant *variant, const char *name, const Exploration *pruned)
{
    char title[200];
    Text trouble = {0};
    Spec spec = judge_all(&variant->small, false);
    Explorer *explorer = explore(&spec, false, &trouble);
    if (explorer) {
        compare_claim(variant, explorer_result(explorer), &trouble);
        compare_explorations(pruned, explorer_result(explorer), &trouble);
    }
    explorer_close(explorer);
    snprintf(title, sizeof title, "%s: pruned and naive exploring agree", name);
    lab_case(title, &trouble);
}

/* A server that is started anew takes 20 ms, sentinels that vote take two seconds. */
static double naive_limit(const Spec *spec)
{
    if (spec->servers == FLEET_SENTINEL) return 0;
    if (spec->servers != FLEET_NONE) return lab_long() ? NAIVE_SERVERS_LONG : NAIVE_SERVERS;
    return lab_long() ? NAIVE_LONG : NAIVE;
}

static void test_variant(const Lesson *lesson, const LessonVariant *variant)
{
    char name[120];
    Text trouble = {0};
    Spec spec = judge_all(&variant->small, true);
    snprintf(name, sizeof name, "%s/%s", lesson->name, variant->name);
    Explorer *explorer = explore(&spec, true, &trouble);
    const Exploration *pruned = explorer ? explorer_result(explorer) : NULL;
    test_claim(variant, name, pruned, &trouble);
    bool whole = pruned && pruned->complete, stopped = pruned && !whole;
    if (whole) test_shortest(variant, name, pruned);
    if (whole && pruned->unpruned < naive_limit(&spec)) test_pruning(variant, name, pruned);
    if (stopped) printf("# stopped there; --long explores it to its end\n");
    explorer_close(explorer);
    if (stopped) test_long(variant, name, &spec); /* in a world of its own: the one at hand is in the middle of a run */
}

/* "--lessons 07 09": a share of the lessons; "WORD": the variants whose name holds it. */
static bool is_wanted(int argc, char **argv, const Lesson *lesson, const LessonVariant *variant)
{
    if (argc == 4) return strcmp(lesson->number, argv[2]) >= 0 && strcmp(lesson->number, argv[3]) <= 0;
    return argc < 2 || strstr(variant->name, argv[1]);
}

int main(int argc, char **argv)
{
    Error error = {""};
    lab_stores();
    uint64_t began = clock_now_ns();
    Course *course = course_load(&error);
    if (!course) {
        printf("Bail out! %s\n", error.text);
        return 1;
    }
    for (int i = 0; i < course->count; i++)
        for (int k = 0; k < course->lessons[i].variant_count; k++)
            if (is_wanted(argc, argv, &course->lessons[i], &course->lessons[i].variants[k]))
                test_variant(&course->lessons[i], &course->lessons[i].variants[k]);
    course_free(course);
    printf("# %.1f s\n", (double)(clock_now_ns() - began) / 1e9);
    return lab_done();
}
