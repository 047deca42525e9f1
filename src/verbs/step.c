/* step.c -- a schedule carried out move by move, without a screen. */
#include <stdio.h>
#include <stdlib.h>

#include "base/i18n.h"
#include "engine/mover.h"
#include "verbs/step_print.h"
#include "verbs/verbs.h"
#include "verbs/world_options.h"

enum { SERVERS_MS = 60000 };

/* ---- moving -------------------------------------------------------------------------------- */

/* NULL: it is not an actor's move. */
static const char *state_name(const World *world, const Move *move)
{
    int actor = mover_of_move(&world->spec, move);
    if (actor < 0 || actor >= (int)world->actors) return NULL;
    switch (atomic_load(&world_slot(world, (unsigned)actor)->state)) {
    case ACTOR_AT_GATE:
        return "ready";
    case ACTOR_WAITING:
        return "waiting";
    case ACTOR_DEAD:
        return "dead";
    default:
        return "done";
    }
}

/* EXIT_AS_CLAIMED when every move was made. */
static int make_moves(Stepper *stepper, const Schedule *schedule, StepRun *run, Error *error)
{
    for (int i = 0; i < schedule->count; i++) {
        MoveResult result = stepper_move(stepper, &schedule->move[i], error);
        if (result == MOVE_IMPOSSIBLE)
            return verb_fail(EXIT_USAGE, _("Move %d: %s"), i + 1, error->text);
        if (result == MOVE_FAILED) return verb_fail(EXIT_NO_SERVER, "%s", error->text);
        run->state[i] = state_name(stepper_world(stepper), &schedule->move[i]);
    }
    return EXIT_AS_CLAIMED;
}

bool step_as_claimed(const StepRun *run)
{
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (run->spec->keeps[i] && run->view.verdict[i].state == VERDICT_BROKEN) return false;
    return true;
}

static int tell(const Options *options, const StepRun *run)
{
    const Snapshot *truth = &run->view.truth;
    if (!truth->sql_ok || !truth->redis_ok)
        return verb_fail(EXIT_NO_SERVER, "%s", _("A server was lost. Run it again."));
    int status = EXIT_AS_CLAIMED;
    if (options->given[OPTION_JSON])
        status = json_print(step_json(run));
    else
        step_print(run);
    if (status != EXIT_AS_CLAIMED) return status;
    return step_as_claimed(run) ? EXIT_AS_CLAIMED : EXIT_NOT_AS_CLAIMED;
}

static int move_and_tell(const Options *options, Stepper *stepper, Observer *observer,
                         const Schedule *schedule, StepRun *run)
{
    Error error;
    if (!stepper_reset(stepper, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    int status = make_moves(stepper, schedule, run, &error);
    if (status != EXIT_AS_CLAIMED) return status;
    stepper_view(stepper, observer, &run->view);
    return tell(options, run);
}

static int step_on(const Options *options, Stores *stores, const Schedule *schedule, StepRun *run)
{
    Error error;
    if (!stores_wait(stores, SERVERS_MS, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    Observer *observer = observer_open(stores, &error);
    Stepper *stepper = observer ? stepper_open(stores, run->spec, &error) : NULL;
    int status = stepper ? move_and_tell(options, stepper, observer, schedule, run)
                         : verb_fail(EXIT_NO_SERVER, "%s", error.text);
    stepper_close(stepper);
    observer_close(observer);
    return status;
}

int step_schedule(const Options *options, const Lesson *lesson, const LessonVariant *variant,
                  const Spec *spec, const Schedule *schedule)
{
    static StepRun run;
    Error error;
    run = (StepRun){.lesson = lesson, .variant = variant, .spec = spec};
    schedule_text_write(lesson, variant, spec, schedule, run.line);
    Stores *stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error);
    if (!stores) return verb_fail(EXIT_USAGE, "%s", error.text);
    int status = step_on(options, stores, schedule, &run);
    stores_close(stores);
    return status;
}

/* ---- the verb ------------------------------------------------------------------------------ */

static bool read_schedule(const Options *options, Spec *spec, Schedule *schedule, Error *error)
{
    const char *text = options->text[OPTION_SCHEDULE];
    if (!text)
        return error_set(error, "%s", _("step needs a schedule: --schedule \"A B A B\""));
    if (!schedule_parse(text, schedule, error)) return false;
    if (schedule->count == 0) return error_set(error, "%s", _("The schedule has no moves: --schedule \"A B A B\""));
    return schedule_text_fits(spec, schedule, error);
}

int verb_step(const Options *options)
{
    static Schedule schedule;
    Error error;
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);

    const Lesson *lesson;
    const LessonVariant *variant;
    Spec spec;
    int status;
    if (course_find(course, options->word[1], &lesson, &variant, &error) &&
        world_options_small(options, &variant->small, &spec, &error) &&
        read_schedule(options, &spec, &schedule, &error))
        status = step_schedule(options, lesson, variant, &spec, &schedule);
    else
        status = verb_fail(EXIT_USAGE, "%s", error.text);
    course_free(course);
    return status;
}
