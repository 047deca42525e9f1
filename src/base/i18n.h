/* i18n.h -- translated screen strings. `_()` looks a string up now, `N_()` marks one in a const
 * table for a later `_()`. */
#ifndef BASE_I18N_H
#define BASE_I18N_H

#include <libintl.h>
#include <stdbool.h>

#define _(text) gettext(text)
#define N_(text) (text)

typedef enum Language { LANGUAGE_EN, LANGUAGE_ZH, LANGUAGE_COUNT } Language;

/* Sets up locale and message catalogue; call first in main, again when the language changes.
 * `name` is "en", "zh" or NULL for the locale's own. Character handling is UTF-8 wherever the
 * system has such a locale, whatever the language. Unknown names: returns false, changes
 * nothing. Not thread-safe. */
bool i18n_start(const char *name);
/* The language in force: which lesson text to read. */
Language i18n_language(void);
/* "en" or "zh". */
const char *i18n_code(void);

#endif
