/* console.h -- the console: what the learner sees when the program is started without a verb. */
#ifndef TUI_CONSOLE_H
#define TUI_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

/* What the command line asked for. Numbers: -1 where nothing was given. */
typedef struct ConsoleOptions {
    const char *redis_url, *mysql_url; /* NULL: the sandbox */
    int64_t users, stock, nodes, requests, seed, pace;
    const char *lesson; /* "LESSON[/VARIANT]" to open with; NULL: where it was left */
    const char *theme;  /* "dark", "light", "mono"; NULL: what the terminal suggests */
    bool ascii;
} ConsoleOptions;

/* Nothing given. */
extern const ConsoleOptions console_defaults;

/* Runs until the learner leaves. Returns the exit status: 0; 2 when an option names what does not
 * exist; 3 when the terminal or the program's own files cannot be had; 128 + n after signal n. */
int console_run(const ConsoleOptions *options);

#endif
