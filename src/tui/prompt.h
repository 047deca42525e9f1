/* prompt.h -- the ":" line: readline edits it, the console draws it.
 *
 * Readline never touches the terminal: it gets its keys from here and its display is read from its
 * line buffer. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>

#include "tui/area.h"

/* What the prompt needs to know of commands. */
typedef struct PromptHandler {
    void (*run)(void *context, const char *line);
    /* The matches (NULL-ended list made with malloc, each entry too) for the word `word` behind
     * `before`; NULL: none. */
    char **(*complete)(void *context, const char *before, const char *word);
    void *context;
} PromptHandler;

/* Before curses starts: readline looks at the terminal's description once. */
void prompt_start(const PromptHandler *handler);
/* Writes the history. */
void prompt_stop(void);

void prompt_open(const char *text);
bool prompt_is_open(void);
/* A key as term_key() gives it. */
void prompt_key(int key);
/* Draws the line; *column is where the cursor belongs. */
void prompt_draw(const Area *line, int *column);
/* What completion offers, for the line above; empty: nothing. */
const char *prompt_offers(void);

#endif
