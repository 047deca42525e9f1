/* wish.h -- what the learner wants otherwise than the lesson: users, stock, nodes, pace, ... */
#ifndef TUI_WISH_H
#define TUI_WISH_H

#include "course/course.h"
#include "tui/console.h"
#include "verbs/options.h"

typedef enum WishField {
    WISH_USERS,
    WISH_STOCK,
    WISH_NODES,
    WISH_REQUESTS,
    WISH_SEED,
    WISH_PACE,
    WISH_COUNT
} WishField;

typedef struct Wish {
    int64_t value[WISH_COUNT]; /* -1: as the lesson has it */
    Fault fault[MAX_FAULTS];   /* armed for the next races, behind the lesson's own */
    int faults;
    const LessonVariant *spared; /* of this one, faults of the lesson's own were taken back: */
    uint32_t taken_back;         /* which, as bits */
    bool twice;                  /* every user's request comes twice, at the same time */
} Wish;

void wish_start(Wish *wish, const ConsoleOptions *options);
/* Name, bounds and help, from the table of the command line. */
const OptionKind *wish_kind(WishField field);
/* `text` is a number, or empty for the lesson's own value. False with a line; nothing is changed.
 */
bool wish_set(Wish *wish, WishField field, const char *text, Error *error);
/* How many of what, and the seed, where they are wished otherwise. */
void wish_numbers(const Wish *wish, Spec *spec);
/* The race of this variant, as wished. */
void wish_spec(const Wish *wish, const LessonVariant *variant, Spec *spec);

/* One more fault for the next races. False with a line when this variant's world has no such victim, or too
 * many are armed. */
bool wish_arm(Wish *wish, const LessonVariant *variant, const Fault *fault, Error *error);
/* Takes back the fault at that place of the spec that wish_spec() makes. False: there is none. */
bool wish_disarm(Wish *wish, const LessonVariant *variant, int place);

/* "full speed", "20 ms a step", "1 s a step". Returns `text`. */
char *pace_words(int pace_ms, char *text, int size);
/* The next pace on the ladder: `direction` > 0 is faster. */
int pace_step(int pace_ms, int direction);

#endif
