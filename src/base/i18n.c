#include "base/i18n.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"

/* `catalogue` is what LANGUAGE must name for gettext to find our file. */
static const struct {
    const char *code;
    const char *catalogue;
} languages[LANGUAGE_COUNT] = {
    [LANGUAGE_EN] = {"en", "en"},
    [LANGUAGE_ZH] = {"zh", "zh_CN"},
};

static Language language = LANGUAGE_EN;

/* What LANGUAGE was before the first i18n_start() wrote into it. */
static const char *learners_language(void)
{
    static char kept[64];
    static bool known;
    if (!known) {
        const char *value = getenv("LANGUAGE");
        snprintf(kept, sizeof kept, "%s", value ? value : "");
        known = true;
    }
    return kept;
}

/* The environment is read by hand: setlocale() would fall back to "C" when the locale it names is
 * not installed, and the wish would be lost. */
static const char *wished_locale(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *locale = "";
    for (int i = 0; i < 3 && !*locale; i++) {
        const char *value = getenv(variables[i]);
        if (value) locale = value;
    }
    bool plain = !*locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
    return !plain && *learners_language() ? learners_language() : locale;
}

static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* True when gettext would look at LANGUAGE: it does not in the C locale. */
static bool messages_are_open(void)
{
    const char *name = setlocale(LC_MESSAGES, NULL);
    return name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0;
}

static void set_up_locale(void)
{
    static const char *const utf8[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "zh_CN.UTF-8"};
    const int count = sizeof utf8 / sizeof utf8[0];
    setlocale(LC_ALL, "");
    for (int i = 0; i < count && !is_utf8(); i++) setlocale(LC_CTYPE, utf8[i]);
    for (int i = 0; i < count && !messages_are_open(); i++) setlocale(LC_MESSAGES, utf8[i]);
    /* Numbers are written the same everywhere: they go into JSON, and into commands. */
    setlocale(LC_NUMERIC, "C");
}

bool i18n_start(const char *name)
{
    Language wished = LANGUAGE_COUNT;
    learners_language();
    if (!name) wished = strncmp(wished_locale(), "zh", 2) == 0 ? LANGUAGE_ZH : LANGUAGE_EN;
    for (int i = 0; name && i < LANGUAGE_COUNT; i++)
        if (strcmp(name, languages[i].code) == 0) wished = (Language)i;
    if (wished == LANGUAGE_COUNT) return false;

    language = wished;
    setenv("LANGUAGE", languages[language].catalogue, 1);
    set_up_locale();
    /* Naming the directory again also makes gettext forget what it found before. */
    bindtextdomain(PACKAGE_TARNAME, paths_locale());
    bind_textdomain_codeset(PACKAGE_TARNAME, "UTF-8");
    textdomain(PACKAGE_TARNAME);
    return true;
}

Language i18n_language(void)
{
    return language;
}

const char *i18n_code(void)
{
    return languages[language].code;
}
