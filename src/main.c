/* main.c -- the way in: a verb, or the console. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/node.h"
#include "store/sandbox.h"
#include "tui/console.h"
#include "tui/plain.h"
#include "verbs/interrupt.h"
#include "verbs/verbs.h"

/* Processes of our own are this program again, started with one of these. Not for people. */
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} hidden[] = {
    {"--keeper", sandbox_keeper_main},
    {"--node", node_main},
};

static const uint64_t console_options =
    OPTION_BIT(OPTION_USERS) | OPTION_BIT(OPTION_STOCK) | OPTION_BIT(OPTION_NODES) |
    OPTION_BIT(OPTION_REQUESTS) | OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_PACE) |
    OPTION_BIT(OPTION_LANG) | OPTION_BIT(OPTION_REDIS) | OPTION_BIT(OPTION_MYSQL) |
    OPTION_BIT(OPTION_PLAIN) | OPTION_BIT(OPTION_LESSON) | OPTION_BIT(OPTION_THEME) |
    OPTION_BIT(OPTION_ASCII) | OPTION_BIT(OPTION_HELP) | OPTION_BIT(OPTION_VERSION);

static const uint64_t every_option = OPTION_BIT(OPTION_COUNT) - 1;

static void print_usage(const char *verb, const char *usage, const char *help)
{
    printf("  seckill-lab%s%s%s%s\n", *verb ? " " : "", verb, *usage ? " " : "", usage);
    printf("      %s\n", help);
}

static int help(void)
{
    printf("%s\n\n%s\n",
           _("seckill-lab: the flash sale, taught by racing and breaking it on real servers"),
           _("Usage"));
    print_usage("", "", _("the console"));
    for (int i = 0; i < verb_count; i++)
        print_usage(verbs[i].name, verbs[i].usage, _(verbs[i].help));
    printf("\n%s\n", _("Options"));
    options_help(every_option);
    printf("\n%s\n",
           _("Exit status: 0 the outcome is what the variant claims; 1 it is not; 2 wrong usage;\n"
             "3 a server or the terminal cannot be had; 130 interrupted with Ctrl-C."));
    return EXIT_AS_CLAIMED;
}

static int verb_help(const Verb *verb)
{
    printf("%s\n", _("Usage"));
    print_usage(verb->name, verb->usage, _(verb->help));
    printf("\n%s\n", _("Options"));
    options_help(verb->options);
    return EXIT_AS_CLAIMED;
}

static int version(void)
{
    printf("%s\n%s\n", PACKAGE_STRING,
           _("License GPL-3.0-or-later. This is free software, without any warranty."));
    return EXIT_AS_CLAIMED;
}

static int64_t number_or_none(const Options *options, OptionId id)
{
    return options->given[id] ? options->number[id] : -1;
}

static int run_console(const Options *options)
{
    ConsoleOptions console = {
        .redis_url = options->text[OPTION_REDIS],
        .mysql_url = options->text[OPTION_MYSQL],
        .users = number_or_none(options, OPTION_USERS),
        .stock = number_or_none(options, OPTION_STOCK),
        .nodes = number_or_none(options, OPTION_NODES),
        .requests = number_or_none(options, OPTION_REQUESTS),
        .seed = number_or_none(options, OPTION_SEED),
        .pace = number_or_none(options, OPTION_PACE),
        .lesson = options->text[OPTION_LESSON],
        .theme = options->text[OPTION_THEME],
        .ascii = options->given[OPTION_ASCII],
    };
    if (options->given[OPTION_PLAIN]) return plain_run(&console);
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return verb_fail(EXIT_NO_SERVER, _("The console needs a terminal. Without one, use the "
                                           "verbs (seckill-lab --help) or --plain."));
    return console_run(&console);
}

static int run_verb(const Options *options)
{
    Error error;
    char shown[80];
    const char *name = options->word[0];
    const Verb *verb = verb_find(name);
    if (!verb)
        return verb_fail(EXIT_USAGE,
                         _("There is no verb '%s'. All are listed by: seckill-lab --help"),
                         text_clean(shown, sizeof shown, name, strlen(name)));
    if (!options_only(options, verb->options, verb->name, &error))
        return verb_fail(EXIT_USAGE, "%s", error.text);
    if (options->given[OPTION_HELP]) return verb_help(verb);
    int words = options->words - 1;
    if (words < verb->least || words > verb->most)
        return verb_fail(EXIT_USAGE, _("Usage: seckill-lab %s %s"), verb->name, verb->usage);
    interrupt_catch();
    return verb->run(options);
}

static int dispatch(const Options *options)
{
    Error error;
    if (options->words > 0) return run_verb(options);
    if (!options_only(options, console_options, NULL, &error))
        return verb_fail(EXIT_USAGE, "%s", error.text);
    if (options->given[OPTION_HELP]) return help();
    if (options->given[OPTION_VERSION]) return version();
    return run_console(options);
}

/* What was printed must have arrived, unless the reader wanted no more. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    if (errno == EPIPE) return status;
    return verb_fail(EXIT_NO_SERVER,
                     _("The output cannot be written: %s. Make room and try again."),
                     strerror(errno));
}

int main(int argc, char **argv)
{
    /* A server that goes away, or a pipe, must give an error and not end the program. */
    signal(SIGPIPE, SIG_IGN);
    const char *language = getenv(option_kinds[OPTION_LANG].environment);
    if (!language || !i18n_start(language)) i18n_start(NULL);
    for (size_t i = 0; argc > 1 && i < sizeof hidden / sizeof hidden[0]; i++)
        if (strcmp(argv[1], hidden[i].name) == 0) return hidden[i].run(argc, argv);

    Options options;
    Error error;
    bool understood = options_parse(&options, argc, argv, &error);
    if (options.text[OPTION_LANG]) i18n_start(options.text[OPTION_LANG]);
    if (!understood) return verb_fail(EXIT_USAGE, "%s", error.text);
    /* Node and keeper processes speak the same language. */
    setenv(option_kinds[OPTION_LANG].environment, i18n_code(), 1);
    return finish(dispatch(&options));
}
