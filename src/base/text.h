/* text.h -- strings: one that grows, and everything about how wide UTF-8 is on a terminal.
 *
 * All text inside the program is UTF-8. Text from outside (keys, values, rows, the learner's own
 * typing) passes text_clean() once, when it comes in. Columns are terminal cells: a CJK character
 * takes two, a combining mark none. All functions are thread-safe on different arguments. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* ---- a string that grows: start from `Text text = {0};` ------------------------------------ */

typedef struct Text {
    char *data; /* NUL-ended, NULL while empty and fresh: read it with text_string() */
    size_t length, size;
} Text;

/* None of these fails: without memory the program says so and aborts. */
void text_append(Text *text, const char *more);
void text_append_bytes(Text *text, const char *bytes, size_t length);
void text_append_char(Text *text, char c);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends bytes from outside as text_clean() shows them. */
void text_append_clean(Text *text, const char *bytes, size_t length);
/* Never NULL; valid until the next change. */
const char *text_string(const Text *text);
/* Hands the string over (the caller frees it) and leaves the Text empty. Never NULL. */
char *text_take(Text *text);
/* Empties it, keeps the memory. */
void text_reset(Text *text);
void text_free(Text *text);

/* ---- what is shown ------------------------------------------------------------------------- */

/* Writes `length` bytes from outside as clean UTF-8 into `out` (`size` bytes, NUL-ended, cut
 * between characters when there is too little room). Control characters (C0, C1, line and
 * direction marks) and bytes that are no UTF-8 become visible: \n, \t, \x1b, \u202e. Returns `out`.
 */
char *text_clean(char *out, size_t size, const char *bytes, size_t length);

/* "38 %": `part` of `whole`, which are not negative. Never 0 % where there is some, nor 100 % where one is
 * missing: there one digit more is shown. Returns `out`. */
char *text_share(char *out, size_t size, double part, double whole);

/* The character at *at, which moves on behind it. 0 at the end of the string; a byte that begins
 * no valid character gives U+FFFD and is passed alone. */
uint32_t text_next(const char **at);
/* Bytes of the character in UTF-8, written to `out` (not NUL-ended). */
int text_encode(uint32_t character, char out[4]);

/* Cells of one character: 0, 1 or 2. Control characters count as the one cell in which
 * text_cut() and text_pad() show them. */
int text_char_columns(uint32_t character);
int text_columns(const char *text);

/* Copies as many whole characters as fit into `columns` cells and `size` bytes. When something had
 * to be left out, `ellipsis` (NULL: none) stands at the end, within the columns. Control
 * characters and invalid bytes are copied as U+FFFD. Returns the columns used. */
int text_cut(char *out, size_t size, const char *text, int columns, const char *ellipsis);

typedef enum TextAlign { TEXT_LEFT, TEXT_RIGHT, TEXT_CENTER } TextAlign;
/* As text_cut() with the ellipsis "…", then filled with blanks to exactly `columns`. */
char *text_pad(char *out, size_t size, const char *text, int columns, TextAlign align);

#endif
