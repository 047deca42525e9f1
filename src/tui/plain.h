/* plain.h -- the same walk as linear text: for screen readers, pipes and dumb terminals. */
#ifndef TUI_PLAIN_H
#define TUI_PLAIN_H

#include "tui/console.h"

/* Reads one command a line from stdin until its end; returns as console_run() does. */
int plain_run(const ConsoleOptions *options);

#endif
