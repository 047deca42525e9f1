/* compare.c -- the same sale by several variants, one after the other, in one table. */
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "verbs/compare_print.h"
#include "verbs/verbs.h"
#include "verbs/world_options.h"

enum { SERVERS_MS = 60000, POLL_MS = 10 };

static bool choose_worlds(const Options *options, const CompareChoice *choice, Spec *specs, Error *error)
{
    for (int i = 0; i < choice->count; i++) {
        Spec base;
        compare_spec(&choice->variant[i]->race, &base);
        if (!world_options(options, &base, &specs[i], error)) return false;
    }
    return true;
}

/* For people, a row is printed as soon as it is complete. */
static void race_all(Comparer *comparer, const CompareChoice *choice, bool json)
{
    const Comparison *result = comparer_result(comparer);
    int printed = 0;
    if (!json) compare_print_head(choice, result);
    for (bool going = true; going;) {
        going = comparer_next(comparer);
        for (; !json && printed < result->done; printed++) compare_print_row(choice, result, printed);
        if (going) clock_sleep_ns(POLL_MS * 1000000u);
    }
    if (!json) compare_print_end(choice, result);
}

static int tell(const CompareChoice *choice, const Comparison *result, bool json)
{
    int status = json ? json_print(compare_json(choice, result)) : EXIT_AS_CLAIMED;
    if (status != EXIT_AS_CLAIMED) return status;
    if (result->failed) return verb_fail(EXIT_NO_SERVER, _("%s Run it again."), result->error.text);
    for (int i = 0; i < result->done; i++)
        if (!compare_as_claimed(&result->row[i])) status = EXIT_NOT_AS_CLAIMED;
    return status;
}

static int compare_on(Stores *stores, const Options *options, const CompareChoice *choice, const Spec *specs)
{
    Error error;
    bool json = options->given[OPTION_JSON];
    Comparer *comparer = stores_wait(stores, SERVERS_MS, &error)
                             ? comparer_open(stores, specs, choice->count, &error)
                             : NULL;
    if (!comparer) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    race_all(comparer, choice, json);
    int status = tell(choice, comparer_result(comparer), json);
    comparer_close(comparer);
    return status;
}

int verb_compare(const Options *options)
{
    static CompareChoice choice;
    static Spec specs[COMPARE_ROWS];
    Error error;
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);

    Stores *stores = NULL;
    int status = EXIT_USAGE;
    if (compare_choose(course, options->word + 1, options->words - 1, &choice, &error) &&
        choose_worlds(options, &choice, specs, &error) &&
        (stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error))) {
        status = compare_on(stores, options, &choice, specs);
        stores_close(stores);
    } else {
        verb_fail(status, "%s", error.text);
    }
    course_free(course);
    return status;
}
