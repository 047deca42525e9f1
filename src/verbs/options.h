/* options.h -- the options of the command line: one table says all about each of them. */
#ifndef VERBS_OPTIONS_H
#define VERBS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum OptionId {
    OPTION_USERS,
    OPTION_STOCK,
    OPTION_NODES,
    OPTION_REQUESTS,
    OPTION_SEED,
    OPTION_PACE,
    OPTION_SCHEDULE,
    OPTION_PREEMPTIONS,
    OPTION_NO_PRUNE,
    OPTION_FAULTS,
    OPTION_TABLE,
    OPTION_STALL, /* these eleven in the order of FaultKind */
    OPTION_FREEZE,
    OPTION_ERROR,
    OPTION_CRASH,
    OPTION_EXPIRE,
    OPTION_SLOW,
    OPTION_FAILOVER,
    OPTION_CUT_LINK,
    OPTION_MEND_LINK,
    OPTION_KILL_SERVER,
    OPTION_RESTART_SERVER,
    OPTION_TWICE,
    OPTION_SCRIPT,
    OPTION_SHOW,
    OPTION_RESET,
    OPTION_LANG,
    OPTION_REDIS,
    OPTION_MYSQL,
    OPTION_JSON,
    OPTION_LESSON,
    OPTION_THEME,
    OPTION_ASCII,
    OPTION_PLAIN,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT
} OptionId;

/* A list may be given several times. */
typedef enum OptionType { OPTION_IS_FLAG, OPTION_IS_NUMBER, OPTION_IS_TEXT, OPTION_IS_LIST } OptionType;

typedef struct OptionKind {
    const char *name; /* without the dashes */
    OptionType type;
    const char *value; /* how its value is called in the help: "N"; NULL for flags */
    int64_t least, most;
    const char *choices;     /* "en|zh", NULL when every text will do */
    bool list;               /* several of them, with commas between */
    const char *environment; /* variable that is read when the option is not given, or NULL */
    const char *preset;      /* N_(): what holds when neither is given; NULL for flags */
    const char *help;        /* N_() */
    const char *form;        /* how its value is written, where the name of it does not say it */
} OptionKind;

extern const OptionKind option_kinds[OPTION_COUNT];

/* A set of options, as a bit each. */
#define OPTION_BIT(id) (UINT64_C(1) << (id))

enum { OPTION_WORDS = 17, OPTION_ITEMS = 16 };

typedef struct OptionItem {
    OptionId id;
    const char *text;
} OptionItem;

/* What was given on the command line. Texts are those of argv or of the environment. */
typedef struct Options {
    bool given[OPTION_COUNT];
    int64_t number[OPTION_COUNT];
    const char *text[OPTION_COUNT]; /* NULL when not given */
    OptionItem item[OPTION_ITEMS];  /* of all lists, in the order they were given */
    int items;
    const char *word[OPTION_WORDS]; /* what is no option, in order: the verb is the first */
    int words;
} Options;

/* Reads the command line: --name VALUE, --name=VALUE, and -- before words that begin with a dash.
 * Options may stand before and after words. False with one line that says what is wrong. */
bool options_parse(Options *options, int argc, char **argv, Error *error);
/* Everything given must be in `allowed`. `verb` names the verb in the error; NULL: the console. */
bool options_only(const Options *options, uint64_t allowed, const char *verb, Error *error);
/* Prints the lines of the help for the options in `which`. */
void options_help(uint64_t which);

#endif
