/* verbs.h -- what the program can do without a screen: one verb, one file, one row in the table. */
#ifndef VERBS_VERBS_H
#define VERBS_VERBS_H

#include "verbs/options.h"

/* How the program ends. */
enum {
    EXIT_AS_CLAIMED = 0,
    EXIT_NOT_AS_CLAIMED = 1, /* the outcome is not what the variant claims */
    EXIT_USAGE = 2,
    EXIT_NO_SERVER = 3 /* a server or the terminal cannot be had */
};

typedef struct Verb {
    const char *name;
    int (*run)(const Options *options); /* returns the exit status */
    const char *usage;                  /* what follows the name: "LESSON[/VARIANT]" */
    int least, most;                    /* how many words may follow it */
    uint64_t options;                   /* those it understands */
    const char *help;                   /* N_() */
} Verb;

extern const Verb verbs[];
extern const int verb_count;

/* NULL when there is none. */
const Verb *verb_find(const char *name);

/* What the following lines of trouble are about, a file for instance: it stands before them. Must stay. */
void verb_fail_about(const char *what);
/* Says what is wrong, "seckill-lab: ..." in one line on stderr; returns `status`. */
int verb_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

int verb_list(const Options *options);
int verb_run(const Options *options);
int verb_explore(const Options *options);
int verb_compare(const Options *options);
int verb_locks(const Options *options);
int verb_step(const Options *options);
int verb_exercise(const Options *options);
int verb_replay(const Options *options);
int verb_doctor(const Options *options);
int verb_bench(const Options *options);

#endif
