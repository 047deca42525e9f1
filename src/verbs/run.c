/* run.c -- a race without a screen. */
#include <stdio.h>

#include "base/i18n.h"
#include "course/course.h"
#include "engine/race.h"
#include "engine/reproduce.h"
#include "verbs/report_json.h"
#include "verbs/report_print.h"
#include "verbs/verbs.h"
#include "verbs/world_options.h"

enum { SERVERS_MS = 60000 };

static int race_on(Stores *stores, const Spec *spec, const Spec *small, Report *report)
{
    Error error;
    if (!stores_wait(stores, SERVERS_MS, &error) || !race_run(stores, spec, report, &error))
        return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    /* The race counts, whether or not its story can be told again. */
    if (report->truth.sql_ok && report->truth.redis_ok && !reproduce_race(stores, small, report, &error))
        snprintf(report->schedule_note, sizeof report->schedule_note, "%.190s", error.text);
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
        return verb_fail(EXIT_NO_SERVER, _("%s Run it again."), report->trouble);
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
        world_options(options, &variant->race, &spec, &error) &&
        (stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error))) {
        static Report report;
        status = race_on(stores, &spec, &variant->small, &report);
        if (status == EXIT_AS_CLAIMED) status = tell(options, lesson, variant, &report);
        stores_close(stores);
    } else {
        verb_fail(status, "%s", error.text);
    }
    course_free(course);
    return status;
}
