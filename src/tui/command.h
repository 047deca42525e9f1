/* command.h -- the one table of what can be typed behind ":". */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "tui/app.h"

/* The n-th word that may stand behind the command; NULL past the last. */
typedef const char *(*CommandWords)(const App *app, int n);

typedef struct Command {
    const char *name;
    const char *hint;   /* how its argument is called; NULL: none, or a wish's own */
    bool needs;         /* an argument must be given */
    CommandWords words; /* completion; NULL: none */
    void (*run)(App *app, const char *argument, int extra);
    int extra;
    const char *help; /* N_(); NULL: a wish's own */
} Command;

extern const Command commands[];
extern const int command_count;

const char *command_hint(const Command *command);
const char *command_help(const Command *command); /* translated */

/* Runs one line. What is wrong changes nothing and is said in one line. */
void command_run(App *app, const char *line);
/* For the prompt: words that may stand in place of `word`, behind `before`. */
char **command_complete(App *app, const char *before, const char *word);

#endif
