/* run.c -- a race without a screen. */
#include <stdio.h>

#include "base/i18n.h"
#include "course/course.h"
#include "engine/race.h"
#include "verbs/report_json.h"
#include "verbs/report_print.h"
#include "verbs/verbs.h"

enum { SERVERS_MS = 60000 };

/* The variant's race defaults, changed by what was given on the command line. */
static bool make_spec(const Options *options, const LessonVariant *variant, Spec *spec,
                      Error *error)
{
    *spec = variant->race;
    if (options->given[OPTION_USERS]) spec->users = (int)options->number[OPTION_USERS];
    if (options->given[OPTION_STOCK]) spec->stock = (long)options->number[OPTION_STOCK];
    if (options->given[OPTION_NODES]) spec->nodes = (int)options->number[OPTION_NODES];
    if (options->given[OPTION_REQUESTS]) spec->requests = (int)options->number[OPTION_REQUESTS];
    if (options->given[OPTION_SEED]) spec->seed = (uint64_t)options->number[OPTION_SEED];
    if (options->given[OPTION_PACE]) spec->pace_ms = (int)options->number[OPTION_PACE];

    long long requests = (long long)spec->users * spec->requests;
    if (requests > MAX_REQUESTS)
        return error_set(error,
                         _("%d users with %d requests each are %lld; %d is the most. Give fewer."),
                         spec->users, spec->requests, requests, MAX_REQUESTS);
    if (spec->at_once && requests > MAX_USERS)
        return error_set(error,
                         _("This lesson sends a user's requests at once, on a thread each: "
                           "%lld threads are more than %d. Give fewer."),
                         requests, MAX_USERS);
    return true;
}

static int race_on(Stores *stores, const Spec *spec, Report *report)
{
    Error error;
    if (!stores_wait(stores, SERVERS_MS, &error) || !race_run(stores, spec, report, &error))
        return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    return EXIT_AS_CLAIMED;
}

static int tell(const Options *options, const Lesson *lesson, const LessonVariant *variant,
                const Report *report)
{
    int status = EXIT_AS_CLAIMED;
    if (options->given[OPTION_JSON])
        status = json_print(report_json(lesson, variant, report));
    else
        report_print(lesson, variant, report);
    if (status != EXIT_AS_CLAIMED) return status;
    /* Without the final truth nothing was proved, either way. */
    if (!report->truth.sql_ok || !report->truth.redis_ok)
        return verb_fail(EXIT_NO_SERVER, "%s",
                         *report->trouble ? report->trouble
                                          : _("A server was lost during the race. Run it again."));
    return report_as_claimed(report) ? EXIT_AS_CLAIMED : EXIT_NOT_AS_CLAIMED;
}

int verb_run(const Options *options)
{
    Error error;
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);

    const Lesson *lesson;
    const LessonVariant *variant;
    Spec spec;
    Stores *stores = NULL;
    int status = EXIT_USAGE;
    if (course_find(course, options->word[1], &lesson, &variant, &error) &&
        make_spec(options, variant, &spec, &error) &&
        (stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error))) {
        static Report report;
        status = race_on(stores, &spec, &report);
        if (status == EXIT_AS_CLAIMED) status = tell(options, lesson, variant, &report);
        stores_close(stores);
    } else {
        verb_fail(status, "%s", error.text);
    }
    course_free(course);
    return status;
}
