/* interrupt.h -- Ctrl-C while a verb runs: one line on stderr, and the status of a program that was interrupted
 * (130 in the shell). Whoever can stop in good order holds it; all others end at once, and the keeper ends their
 * servers. For the main thread. */
#ifndef VERBS_INTERRUPT_H
#define VERBS_INTERRUPT_H

#include <stdbool.h>

/* From now on Ctrl-C ends the program: a line, and the signal's own status. The words are those of the language
 * in force. */
void interrupt_catch(void);
/* The first Ctrl-C from now on is only noted, a second one ends the program. Forgets an earlier one. */
void interrupt_hold(void);
bool interrupt_asked(void);
/* Ctrl-C ends the program again. */
void interrupt_let_go(void);
/* Ends the program now, when it was asked for. */
void interrupt_end(void);

#endif
