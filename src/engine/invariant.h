/* invariant.h -- what must hold, by name. The same names in yaml, JSON and on the screen. */
#ifndef ENGINE_INVARIANT_H
#define ENGINE_INVARIANT_H

typedef enum Invariant {
    NO_OVERSELL,
    NO_UNDERSELL,
    ONE_PER_USER,
    MUTUAL_EXCLUSION,
    OWNER_RELEASE,
    PROGRESS,
    BOOKS_BALANCE,
    ANSWER_TRUE,
    UNIQUE_IDS,
    IDS_ASCEND, /* an id asked for after another was handed out is the greater one */
    SALE_WINDOW,
    FAIR_ORDER,
    INVARIANT_COUNT
} Invariant;

typedef enum VerdictState {
    VERDICT_NONE,    /* not judged for this variant */
    VERDICT_UNKNOWN, /* cannot be said yet, or a store could not be asked */
    VERDICT_KEPT,
    VERDICT_BROKEN
} VerdictState;

typedef struct Verdict {
    VerdictState state;
    char detail[120]; /* translated, in numbers: "112 orders for 100 in stock" */
} Verdict;

const char *invariant_name(Invariant invariant);  /* "no-oversell" */
const char *invariant_words(Invariant invariant); /* translated: what holds when it is kept */
/* INVARIANT_COUNT when there is none of that name. */
Invariant invariant_find(const char *name);

#endif
