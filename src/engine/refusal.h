/* refusal.h -- why Redis refused a command: its text as a number that fits into an event, and back. */
#ifndef ENGINE_REFUSAL_H
#define ENGINE_REFUSAL_H

/* The number of an error reply's text: which of the known errors it is, and the line of the script where
 * it arose. Above all numbers of SQL errors; 0 when the text is none of those known. */
unsigned refusal_code(const char *text);
/* The error in Redis' own words, "line 4: attempt to compare string with number", into text; "" when the
 * code is no refusal of Redis. Returns `text`. */
const char *refusal_words(unsigned code, char *text, int size);

#endif
