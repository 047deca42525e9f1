/* doctor_terminal.c -- what the console would find: terminal, characters, room for threads. */
#include "verbs/doctor.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/i18n.h"
#include "engine/spec.h"

/* Last: it defines short words as macros. */
#include <term.h>

enum { LEAST_ROWS = 24, LEAST_COLUMNS = 80 };

static void advise(Part *part, PartState state, const char *advice)
{
    part->state = state;
    snprintf(part->advice, sizeof part->advice, "%s", advice);
}

static void look_at_terminal(Findings *findings)
{
    Part *part = findings_add(findings, "terminal", N_("terminal"));
    const char *name = getenv("TERM");
    struct winsize size = {0};
    int problem;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        snprintf(part->found, sizeof part->found, "%s", _("none here"));
        advise(part, PART_NOTE, _("The console needs a terminal; the verbs and --plain do not."));
        return;
    }
    if (!name || setupterm(NULL, STDOUT_FILENO, &problem) != OK) {
        snprintf(part->found, sizeof part->found, "TERM=%.60s", name ? name : "");
        advise(
            part, PART_MISSING,
            _("This terminal is not known here: install ncurses-term, set TERM, or use --plain."));
        return;
    }
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    snprintf(part->found, sizeof part->found, _("%.60s, %d x %d, %d colours"), name, size.ws_col,
             size.ws_row, tigetnum("colors") > 0 ? tigetnum("colors") : 0);
    if (size.ws_col < LEAST_COLUMNS || size.ws_row < LEAST_ROWS)
        advise(part, PART_NOTE, _("The console wants 80 x 24 or more: make the window larger."));
}

static void look_at_locale(Findings *findings)
{
    Part *part = findings_add(findings, "locale", N_("locale"));
    const char *characters = nl_langinfo(CODESET);
    snprintf(part->found, sizeof part->found, "%.80s, %.40s, --lang %s", setlocale(LC_CTYPE, NULL),
             characters, i18n_code());
    if (strcmp(characters, "UTF-8") != 0)
        advise(part, PART_NOTE,
               _("No UTF-8 locale is installed: Chinese and drawn lines will not show. Install "
                 "locales-all or C.UTF-8."));
}

static void look_at_threads(Findings *findings)
{
    Part *part = findings_add(findings, "threads", N_("threads"));
    struct rlimit limit;
    getrlimit(RLIMIT_NPROC, &limit);
    if (limit.rlim_cur == RLIM_INFINITY) {
        snprintf(part->found, sizeof part->found, "%s", _("as many as the machine can bear"));
        return;
    }
    snprintf(part->found, sizeof part->found, _("up to %llu"), (unsigned long long)limit.rlim_cur);
    if (limit.rlim_cur < MAX_USERS + 200)
        advise(part, PART_NOTE,
               _("Too few for 10000 users, who are a thread each: raise it with ulimit -u."));
}

void doctor_terminal(Findings *findings)
{
    look_at_terminal(findings);
    look_at_locale(findings);
    look_at_threads(findings);
}
