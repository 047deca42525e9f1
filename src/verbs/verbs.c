#include "verbs/verbs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"

#define EVERY_VERB (OPTION_BIT(OPTION_LANG) | OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_HELP))
#define SERVERS (OPTION_BIT(OPTION_REDIS) | OPTION_BIT(OPTION_MYSQL))
#define WORLD                                                                                      \
    (OPTION_BIT(OPTION_USERS) | OPTION_BIT(OPTION_STOCK) | OPTION_BIT(OPTION_NODES) |              \
     OPTION_BIT(OPTION_REQUESTS) | OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_PACE))

#define SMALL_WORLD                                                                                \
    (OPTION_BIT(OPTION_USERS) | OPTION_BIT(OPTION_STOCK) | OPTION_BIT(OPTION_NODES) |              \
     OPTION_BIT(OPTION_REQUESTS))
#define EXPLORING                                                                                  \
    (OPTION_BIT(OPTION_PREEMPTIONS) | OPTION_BIT(OPTION_NO_PRUNE) | OPTION_BIT(OPTION_FAULTS) |    \
     OPTION_BIT(OPTION_TABLE) | OPTION_BIT(OPTION_SCHEDULE) | OPTION_BIT(OPTION_ERROR))
/* In a race, where time passes; a small world has moves for them: clk and !n1. */
#define FAULTS                                                                                     \
    (OPTION_BIT(OPTION_STALL) | OPTION_BIT(OPTION_FREEZE) | OPTION_BIT(OPTION_ERROR) |             \
     OPTION_BIT(OPTION_CRASH) | OPTION_BIT(OPTION_EXPIRE) | OPTION_BIT(OPTION_SLOW) |             \
     OPTION_BIT(OPTION_FAILOVER) | OPTION_BIT(OPTION_CUT_LINK) | OPTION_BIT(OPTION_MEND_LINK) |    \
     OPTION_BIT(OPTION_KILL_SERVER) | OPTION_BIT(OPTION_RESTART_SERVER))

const Verb verbs[] = {
    {"list", verb_list, "", 0, 0, EVERY_VERB, N_("the lessons and their variants")},
    {"run", verb_run, "LESSON[/VARIANT]", 1, 1, EVERY_VERB | SERVERS | WORLD | FAULTS | OPTION_BIT(OPTION_TWICE),
     N_("a race without a screen, and its report")},
    {"explore", verb_explore, "LESSON[/VARIANT]", 1, 1,
     EVERY_VERB | SERVERS | SMALL_WORLD | EXPLORING,
     N_("all schedules of a small world, and what breaks in how many of them")},
    {"step", verb_step, "LESSON[/VARIANT]", 1, 1,
     EVERY_VERB | SERVERS | SMALL_WORLD | OPTION_BIT(OPTION_SCHEDULE) | OPTION_BIT(OPTION_ERROR),
     N_("one schedule of a small world, move by move")},
    {"exercise", verb_exercise, "[LESSON[/VARIANT]]", 0, 1,
     EVERY_VERB | SERVERS | OPTION_BIT(OPTION_SCRIPT) | OPTION_BIT(OPTION_SHOW) | OPTION_BIT(OPTION_RESET),
     N_("a script to mend, checked; without a lesson: all exercises, and how far you are")},
    {"compare", verb_compare, "[LESSON[/VARIANT] ...]", 0, OPTION_WORDS - 1,
     EVERY_VERB | SERVERS | (WORLD & ~OPTION_BIT(OPTION_PACE)),
     N_("the same sale by several variants, side by side: speed, latency, commands per order")},
    {"locks", verb_locks, "", 0, 0, EVERY_VERB | SERVERS,
     N_("four kinds of locks and five strategies, tried live: what each caller gets, how long it waits")},
    {"replay", verb_replay, "FILE|LINE", 1, 1, EVERY_VERB | SERVERS | OPTION_BIT(OPTION_SCRIPT),
     N_("a schedule line that was found before, carried out again")},
    {"doctor", verb_doctor, "", 0, 0, EVERY_VERB | SERVERS,
     N_("what is here, what is missing, and what to do about it")},
    {"bench", verb_bench, "", 0, 0, EVERY_VERB,
     N_("how fast this machine does it: the figures, on private servers")},
};
const int verb_count = sizeof verbs / sizeof verbs[0];

const Verb *verb_find(const char *name)
{
    for (int i = 0; i < verb_count; i++)
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
    return NULL;
}

static const char *about = "";

void verb_fail_about(const char *what)
{
    about = what;
}

int verb_fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("seckill-lab: ", stderr);
    if (*about) fprintf(stderr, "%s: ", about);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}
