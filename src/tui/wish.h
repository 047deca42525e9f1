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
} Wish;

void wish_start(Wish *wish, const ConsoleOptions *options);
/* Name, bounds and help, from the table of the command line. */
const OptionKind *wish_kind(WishField field);
/* `text` is a number, or empty for the lesson's own value. False with a line; nothing is changed.
 */
bool wish_set(Wish *wish, WishField field, const char *text, Error *error);
/* The race of this variant, as wished. */
void wish_spec(const Wish *wish, const LessonVariant *variant, Spec *spec);

/* "full speed", "20 ms a step", "1 s a step". Returns `text`. */
char *pace_words(int pace_ms, char *text, int size);
/* The next pace on the ladder: `direction` > 0 is faster. */
int pace_step(int pace_ms, int direction);

#endif
