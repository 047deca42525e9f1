#include "verbs/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/classes.h"

#define NUMBER(name_, value_, least_, most_, help_)                                                \
    {                                                                                              \
        .name = name_, .type = OPTION_IS_NUMBER, .value = value_, .least = least_, .most = most_,  \
        .preset = N_("the lesson's own"), .help = help_                                            \
    }
#define FLAG(name_, help_)                                                                         \
    {                                                                                              \
        .name = name_, .type = OPTION_IS_FLAG, .help = help_                                       \
    }

#define FAULT(name_, value_, form_, help_)                                                         \
    {                                                                                              \
        .name = name_, .type = OPTION_IS_LIST, .value = value_, .form = form_, .help = help_       \
    }

const OptionKind option_kinds[OPTION_COUNT] = {
    [OPTION_USERS] = NUMBER("users", "N", 1, MAX_USERS, N_("how many users buy")),
    [OPTION_STOCK] = NUMBER("stock", "N", 0, 1000000000, N_("how many vouchers there are")),
    [OPTION_NODES] =
        NUMBER("nodes", "N", 1, MAX_NODES, N_("how many server processes share the users")),
    [OPTION_REQUESTS] = NUMBER("requests", "N", 1, MAX_REQUESTS, N_("how often each user asks")),
    [OPTION_SEED] = NUMBER("seed", "N", 0, INT64_C(1) << 53,
                           N_("where chance begins; the same seed, the same chance")),
    [OPTION_PACE] = NUMBER("pace", "MS", 0, 1000,
                           N_("about how long everyone rests before each step; 0 is full speed")),
    [OPTION_SCHEDULE] = {.name = "schedule",
                         .type = OPTION_IS_TEXT,
                         .value = "MOVES",
                         .help = N_("who moves when: \"A B A B\"")},
    [OPTION_PREEMPTIONS] = {.name = "preemptions",
                            .type = OPTION_IS_NUMBER,
                            .value = "N",
                            .least = 0,
                            .most = CLASS_PREEMPTIONS - 1,
                            .preset = N_("the lesson's own, or no bound"),
                            .help = N_(
                                "only schedules that switch away from an actor at most so often")},
    [OPTION_NO_PRUNE] = FLAG("no-prune", N_("run every schedule, also those equal in effect")),
    [OPTION_FAULTS] = {.name = "faults",
                       .type = OPTION_IS_TEXT,
                       .value = "LIST",
                       .choices = "none|clk|crash|restart|freeze|failover|cut-link|mend-link|kill-server|back-kept|back-empty",
                       .list = true,
                       .preset = N_("the lesson's own"),
                       .help = N_("what may go wrong at any step: clk, crash, restart, freeze; of Redis servers, where there "
                                  "are several: failover, cut-link, mend-link, kill-server, back-kept, back-empty")},
    [OPTION_TABLE] = FLAG("table", N_("with --faults crash: what one schedule comes to, for a crash "
                                      "at each of its steps")),
    [OPTION_STALL] = FAULT("stall", "WHO@STEP=MS", "B@commit=3000, u27@commit=50, *@commit=5",
                           N_("a user waits so long before that step")),
    [OPTION_FREEZE] = FAULT("freeze", "NODE@STEP=MS", "n1@commit=2000",
                            N_("the whole node is stopped there (SIGSTOP), and goes on later")),
    [OPTION_ERROR] = FAULT("error", "WHO@STEP", "A@insert-order",
                           N_("the step is not sent, and fails")),
    [OPTION_CRASH] = FAULT("crash", "NODE@STEP[:before|after]", "n1@commit:after",
                           N_("the node is killed (SIGKILL) before that step, or after the server "
                              "has executed it")),
    [OPTION_EXPIRE] = FAULT("expire", "KEY@STEP", "lock:order:7@commit",
                            N_("that key runs out when somebody comes to that step")),
    [OPTION_SLOW] = FAULT("slow", "NODE=MS", "n1=20", N_("every step of the node takes longer")),
    [OPTION_FAILOVER] = FAULT("failover", "WHO@STEP", "A@count-orders",
                              N_("at that step the master dies and the replica takes its place")),
    [OPTION_CUT_LINK] = FAULT("cut-link", "WHO@STEP", "A@master-lock",
                              N_("from that step on the replica hears nothing of its master")),
    [OPTION_MEND_LINK] = FAULT("mend-link", "WHO@STEP", "A@commit", N_("the replica hears its master again")),
    [OPTION_KILL_SERVER] = FAULT("kill-server", "N@STEP", "2@count-orders",
                                 N_("that Redis server is killed (SIGKILL) when somebody comes there")),
    [OPTION_RESTART_SERVER] = FAULT("restart-server", "N:kept|empty@STEP", "2:empty@insert-order",
                                    N_("a killed one comes back, with its data or empty")),
    [OPTION_TWICE] = FLAG("twice", N_("every user's request comes twice, at the same time")),
    [OPTION_SCRIPT] = {.name = "script",
                       .type = OPTION_IS_TEXT,
                       .value = "FILE",
                       .preset = N_("your own copy"),
                       .help = N_("the script to be checked, or that the line was found with")},
    [OPTION_SHOW] = {.name = "show",
                     .type = OPTION_IS_TEXT,
                     .value = "WHAT",
                     .choices = "task|hint|script|solution",
                     .preset = N_("nothing; the script is checked"),
                     .help = N_("nothing is checked, but this is shown: task, hint (each time one more), "
                                "script, solution")},
    [OPTION_RESET] = FLAG("reset", N_("your copy is the shipped script again; what it was is kept as FILE.old")),
    [OPTION_LANG] = {.name = "lang",
                     .type = OPTION_IS_TEXT,
                     .value = "en|zh",
                     .choices = "en|zh",
                     .environment = "SECKILL_LAB_LANG",
                     .preset = N_("the locale's"),
                     .help = N_("language: English or Chinese")},
    [OPTION_REDIS] = {.name = "redis",
                      .type = OPTION_IS_TEXT,
                      .value = "URL",
                      .environment = "SECKILL_LAB_REDIS",
                      .preset = N_("a private one"),
                      .help = N_("a Redis of your own"),
                      .form = "redis://[USER:PASS@]HOST[:PORT][/DB] | unix:///SOCKET[?db=N]"},
    [OPTION_MYSQL] = {.name = "mysql",
                      .type = OPTION_IS_TEXT,
                      .value = "URL",
                      .environment = "SECKILL_LAB_MYSQL",
                      .preset = N_("a private one"),
                      .help = N_("a MySQL or MariaDB of your own"),
                      .form = "mysql://USER[:PASS]@HOST[:PORT] | mysql+unix:///SOCKET?user=NAME"},
    [OPTION_JSON] = FLAG("json", N_("print one JSON object and nothing else")),
    [OPTION_LESSON] = {.name = "lesson",
                       .type = OPTION_IS_TEXT,
                       .value = "NAME",
                       .preset = N_("where it was left"),
                       .help = N_("the lesson, or LESSON/VARIANT, that the console opens with")},
    [OPTION_THEME] = {.name = "theme",
                      .type = OPTION_IS_TEXT,
                      .value = "NAME",
                      .choices = "dark|light|mono",
                      .preset = N_("what the terminal suggests"),
                      .help = N_("colours: dark, light or mono")},
    [OPTION_ASCII] = FLAG("ascii", N_("draw with ASCII characters alone")),
    [OPTION_PLAIN] = FLAG("plain", N_("the lessons as plain text, for screen readers and pipes")),
    [OPTION_HELP] = FLAG("help", N_("this help; after a verb, that verb's")),
    [OPTION_VERSION] = FLAG("version", N_("the version")),
};

/* The learner's own words, safe to show. */
static const char *shown(char text[80], const char *word)
{
    return text_clean(text, 80, word, strlen(word));
}

static OptionId find_option(const char *name, size_t length)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if (strlen(option_kinds[id].name) == length &&
            strncmp(option_kinds[id].name, name, length) == 0)
            return (OptionId)id;
    return OPTION_COUNT;
}

static bool is_one(const char *choices, const char *value, size_t length)
{
    for (const char *at = choices; length > 0 && at; at = strchr(at, '|')) {
        if (*at == '|') at++;
        if (strncmp(at, value, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool is_choice(const OptionKind *kind, const char *value)
{
    if (!kind->list) return is_one(kind->choices, value, strlen(value));
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        if (!is_one(kind->choices, at, length)) return false;
        at += length;
        if (!*at) return true;
    }
}

static bool set_number(Options *options, OptionId id, const char *value, Error *error)
{
    const OptionKind *kind = &option_kinds[id];
    char *end, text[80];
    errno = 0;
    long long number = strtoll(value, &end, 10);
    bool whole = *value >= '0' && *value <= '9' && *end == '\0' && errno == 0;
    if (!whole || number < kind->least || number > kind->most)
        return error_set(error, _("--%s takes a whole number from %lld to %lld, not '%s'."),
                         kind->name, (long long)kind->least, (long long)kind->most,
                         shown(text, value));
    options->number[id] = number;
    return true;
}

static bool set_text(Options *options, OptionId id, const char *value, const char *source,
                     Error *error)
{
    const OptionKind *kind = &option_kinds[id];
    char text[80];
    if (kind->choices && !is_choice(kind, value))
        return error_set(error, _("%s takes one of %s, not '%s'."), source, kind->choices,
                         shown(text, value));
    if (!*value) return error_set(error, _("%s is empty: give it a value."), source);
    options->text[id] = value;
    return true;
}

static bool add_item(Options *options, OptionId id, const char *value, const char *source,
                     Error *error)
{
    if (!set_text(options, id, value, source, error)) return false;
    if (options->items == OPTION_ITEMS)
        return error_set(error, _("%s is one too many: %d faults can be armed at the most."), source,
                         OPTION_ITEMS);
    options->item[options->items++] = (OptionItem){id, value};
    return true;
}

/* Takes the option that begins at argv[*at], and its value where that is a word of its own. */
static bool take_option(Options *options, int argc, char **argv, int *at, Error *error)
{
    const char *name = argv[*at] + 2;
    size_t length = strcspn(name, "=");
    OptionId id = find_option(name, length);
    char text[80];
    if (id == OPTION_COUNT)
        return error_set(error, _("There is no option '%s'. All are listed by: seckill-lab --help"),
                         shown(text, argv[*at]));

    const OptionKind *kind = &option_kinds[id];
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    options->given[id] = true;
    if (kind->type == OPTION_IS_FLAG)
        return value ? error_set(error, _("--%s takes no value."), kind->name) : true;
    if (!value && *at + 1 < argc) value = argv[++*at];
    if (!value)
        return error_set(error, _("--%s needs a value: --%s %s"), kind->name, kind->name,
                         kind->value);
    if (kind->type == OPTION_IS_NUMBER) return set_number(options, id, value, error);
    char source[32];
    snprintf(source, sizeof source, "--%s", kind->name);
    if (kind->type == OPTION_IS_LIST) return add_item(options, id, value, source, error);
    return set_text(options, id, value, source, error);
}

static bool take_environment(Options *options, Error *error)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        const char *variable = option_kinds[id].environment;
        const char *value = variable && !options->given[id] ? getenv(variable) : NULL;
        if (value && *value && !set_text(options, (OptionId)id, value, variable, error))
            return false;
    }
    return true;
}

bool options_parse(Options *options, int argc, char **argv, Error *error)
{
    bool words_only = false;
    char text[80];
    *options = (Options){0};
    for (int at = 1; at < argc; at++) {
        const char *word = argv[at];
        if (!words_only && strcmp(word, "--") == 0) {
            words_only = true;
        } else if (!words_only && strncmp(word, "--", 2) == 0) {
            if (!take_option(options, argc, argv, &at, error)) return false;
        } else if (!words_only && word[0] == '-' && word[1] != '\0') {
            return error_set(error,
                             _("There is no option '%s'. All are listed by: seckill-lab --help"),
                             shown(text, word));
        } else if (options->words == OPTION_WORDS) {
            return error_set(error, _("'%s' is one word too many."), shown(text, word));
        } else {
            options->word[options->words++] = word;
        }
    }
    return take_environment(options, error);
}

bool options_only(const Options *options, uint64_t allowed, const char *verb, Error *error)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!options->given[id] || allowed & OPTION_BIT(id)) continue;
        if (!verb)
            return error_set(
                error, _("--%s is for the verbs, not for the console. See: seckill-lab --help"),
                option_kinds[id].name);
        return error_set(error, _("%s knows no --%s. See: seckill-lab %s --help"), verb,
                         option_kinds[id].name, verb);
    }
    return true;
}

static void print_form(const OptionKind *kind, int indent)
{
    char again[160];
    snprintf(again, sizeof again, _("repeatable, as in %s"), kind->form);
    printf("%*s%s\n", indent, "", kind->type == OPTION_IS_LIST ? again : kind->form);
}

/* One line says what it is for, the next what it may be and what holds without it. */
static void print_help(const OptionKind *kind)
{
    enum { COLUMN = 18, INDENT = 2 + COLUMN + 1 };
    char name[60], column[120];
    snprintf(name, sizeof name, "--%s %s", kind->name, kind->value ? kind->value : "");
    if (text_columns(name) > COLUMN)
        printf("  %s\n%*s%s\n", name, INDENT, "", _(kind->help));
    else
        printf("  %s %s\n", text_pad(column, sizeof column, name, COLUMN, TEXT_LEFT), _(kind->help));
    if (kind->form) print_form(kind, INDENT);
    if (!kind->preset) return;
    printf("%*s", INDENT, "");
    if (kind->type == OPTION_IS_NUMBER)
        printf(_("%lld to %lld, else %s\n"), (long long)kind->least, (long long)kind->most,
               _(kind->preset));
    else if (kind->environment)
        printf(_("or set %s, else %s\n"), kind->environment, _(kind->preset));
    else
        printf(_("else %s\n"), _(kind->preset));
}

void options_help(uint64_t which)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if (which & OPTION_BIT(id)) print_help(&option_kinds[id]);
}
