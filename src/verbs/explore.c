/* explore.c -- all schedules of a small world, without a screen. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "course/course.h"
#include "course/schedule_text.h"
#include "engine/explore.h"
#include "engine/server_move.h"
#include "verbs/crash_print.h"
#include "verbs/explore_print.h"
#include "verbs/interrupt.h"
#include "verbs/verbs.h"
#include "verbs/world_options.h"

enum { SERVERS_MS = 60000, SLICE_MS = 100 };

/* ---- progress ------------------------------------------------------------------------------ */

static void show_progress(const Exploration *exploration)
{
    double seconds = exploration->seconds, share = exploration->done_share;
    fprintf(stderr, "\r\033[K");
    fprintf(stderr, ngettext("%ld run, %.0f/s, %.0f %% done", "%ld runs, %.0f/s, %.0f %% done", (unsigned long)exploration->runs), exploration->runs,
            (double)exploration->runs / seconds, (double)(int)(100 * share)); /* not 100 before the end */
    if (share > 0.001) fprintf(stderr, _(", about %.0f s left"), seconds / share - seconds);
    fprintf(stderr, _("  (Ctrl-C stops)"));
    fflush(stderr);
}

static void explore_to_the_end(Explorer *explorer)
{
    bool shown = isatty(STDERR_FILENO);
    while (!interrupt_asked() && explorer_slice(explorer, SLICE_MS))
        if (shown) show_progress(explorer_result(explorer));
    if (shown) fprintf(stderr, "\r\033[K");
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* The faults of the lesson's world, unless others are asked for. True, so that it can stand in a chain. */
static bool choose_faults(const Options *options, Spec *spec)
{
    const char *faults = options->text[OPTION_FAULTS];
    if (!faults) return true;
    spec->server_moves = spec->server_victims = 0;
    for (int deed = 0; spec->servers != FLEET_NONE && deed < SERVER_DEEDS; deed++)
        if (strstr(faults, server_deed_name((ServerMove)deed))) spec->server_moves |= 1u << deed;
    spec->fault_clk = strstr(faults, "clk") != NULL;
    spec->fault_restart = strstr(faults, "restart") != NULL;
    spec->fault_crash = spec->fault_restart || strstr(faults, "crash") != NULL;
    spec->fault_freeze = strstr(faults, "freeze") != NULL;
    spec->clk_after_crash = spec->clk_after_crash && spec->fault_crash;
    return true;
}

static ExploreOptions explore_options(const Options *options, const Spec *spec)
{
    ExploreOptions wanted = {.prune = !options->given[OPTION_NO_PRUNE], .preemptions = -1};
    if (spec->preemptions > 0) wanted.preemptions = spec->preemptions;
    if (options->given[OPTION_PREEMPTIONS])
        wanted.preemptions = (int)options->number[OPTION_PREEMPTIONS];
    return wanted;
}

static int tell(const Options *options, const Lesson *lesson, const LessonVariant *variant,
                const Exploration *exploration)
{
    if (exploration->failed) return verb_fail(EXIT_NO_SERVER, "%s", exploration->error.text);
    int status = EXIT_AS_CLAIMED;
    if (options->given[OPTION_JSON])
        status = json_print(explore_json(lesson, variant, exploration));
    else
        explore_print(lesson, variant, exploration);
    if (status != EXIT_AS_CLAIMED) return status;
    return exploration_as_claimed(exploration, NULL, 0) ? EXIT_AS_CLAIMED : EXIT_NOT_AS_CLAIMED;
}

static int explore_on(Stores *stores, const Options *options, const Lesson *lesson,
                      const LessonVariant *variant, const Spec *spec)
{
    Error error;
    ExploreOptions wanted = explore_options(options, spec);
    if (!stores_wait(stores, SERVERS_MS, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    interrupt_hold(); /* what was explored so far is told */
    Explorer *explorer = explorer_open(stores, spec, &wanted, &error);
    if (!explorer) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    explore_to_the_end(explorer);
    int status = tell(options, lesson, variant, explorer_result(explorer));
    explorer_close(explorer);
    interrupt_let_go();
    return status;
}

/* ---- the crash table ----------------------------------------------------------------------- */

static int tell_table(const Options *options, const Lesson *lesson, const LessonVariant *variant,
                      const CrashTable *table)
{
    if (table->refused) return verb_fail(EXIT_USAGE, "%s", table->error.text);
    if (table->failed) return verb_fail(EXIT_NO_SERVER, "%s", table->error.text);
    int status = EXIT_AS_CLAIMED;
    if (options->given[OPTION_JSON])
        status = json_print(crash_json(lesson, variant, table));
    else
        crash_print(lesson, variant, table);
    if (status != EXIT_AS_CLAIMED) return status;
    return crash_table_as_claimed(table) ? EXIT_AS_CLAIMED : EXIT_NOT_AS_CLAIMED;
}

static int table_on(Stores *stores, const Options *options, const Lesson *lesson,
                    const LessonVariant *variant, const Spec *spec, const Schedule *schedule)
{
    Error error;
    if (!stores_wait(stores, SERVERS_MS, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    CrashTabler *tabler =
        crash_tabler_open(stores, spec, options->text[OPTION_SCHEDULE] ? schedule : NULL, &error);
    if (!tabler) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    interrupt_hold();
    while (!interrupt_asked() && crash_tabler_next(tabler)) {
    }
    int status = tell_table(options, lesson, variant, crash_tabler_table(tabler));
    crash_tabler_close(tabler);
    interrupt_let_go();
    return status;
}

/* A table is of crashes, and of one schedule; an exploration is of all. */
static bool check_table(const Options *options, Spec *spec, Schedule *schedule, Error *error)
{
    bool table = options->given[OPTION_TABLE];
    const char *text = options->text[OPTION_SCHEDULE];
    if (!table)
        return !text || error_set(error, "%s", _("explore runs all schedules: --schedule goes with --table."));
    if (!spec->fault_crash)
        return error_set(error, "%s", _("--table is of crashes: give --faults crash, too."));
    if (options->given[OPTION_PREEMPTIONS] || options->given[OPTION_NO_PRUNE])
        return error_set(error, "%s", _("--table runs one schedule: --preemptions and --no-prune do not go with it."));
    if (!text) return true;
    return schedule_parse(text, schedule, error) && schedule_text_fits(spec, schedule, error);
}

int verb_explore(const Options *options)
{
    static Schedule schedule;
    Error error;
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);

    const Lesson *lesson;
    const LessonVariant *variant;
    Spec spec;
    Stores *stores = NULL;
    int status = EXIT_USAGE;
    if (course_find(course, options->word[1], &lesson, &variant, &error) &&
        world_options_small(options, &variant->small, &spec, &error) &&
        choose_faults(options, &spec) && check_table(options, &spec, &schedule, &error) &&
        (stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error))) {
        status = options->given[OPTION_TABLE]
                     ? table_on(stores, options, lesson, variant, &spec, &schedule)
                     : explore_on(stores, options, lesson, variant, &spec);
        stores_close(stores);
        interrupt_end();
    } else {
        verb_fail(status, "%s", error.text);
    }
    course_free(course);
    return status;
}
