#include "tui/theme.h"

#include <curses.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

/* One look: the colour among 256, the colour among 8 (-1: the terminal's own), the attribute. */
typedef struct Look {
    short many, few;
    attr_t attribute;
} Look;

static const Look looks[SCHEME_COUNT][STYLE_COUNT] =
    {
        [SCHEME_DARK] =
            {
                [STYLE_TEXT] = {-1, -1, A_NORMAL},
                [STYLE_QUIET] = {245, -1, A_NORMAL},
                [STYLE_RULE] = {239, -1, A_NORMAL},
                [STYLE_TITLE] = {248, -1, A_BOLD},
                [STYLE_STRONG] = {-1, -1, A_BOLD},
                [STYLE_ACCENT] = {80, COLOR_CYAN, A_BOLD},
                [STYLE_FRESH] = {80, COLOR_CYAN, A_BOLD},
                [STYLE_KEPT] = {114, COLOR_GREEN, A_NORMAL},
                [STYLE_BROKEN] = {209, COLOR_RED, A_BOLD},
                [STYLE_WARN] = {222, COLOR_YELLOW, A_NORMAL},
                [STYLE_KEY] = {80, COLOR_CYAN, A_BOLD},
                [STYLE_CHOSEN] = {80, COLOR_CYAN, A_BOLD},
                [STYLE_CODE] = {152, -1, A_NORMAL},
                [STYLE_HAND] = {80, COLOR_CYAN, A_REVERSE | A_BOLD},
            },
        [SCHEME_LIGHT] =
            {
                [STYLE_TEXT] = {-1, -1, A_NORMAL},
                [STYLE_QUIET] = {242, -1, A_NORMAL},
                [STYLE_RULE] = {251, -1, A_NORMAL},
                [STYLE_TITLE] = {239, -1, A_BOLD},
                [STYLE_STRONG] = {-1, -1, A_BOLD},
                [STYLE_ACCENT] = {25, COLOR_BLUE, A_BOLD},
                [STYLE_FRESH] = {25, COLOR_BLUE, A_BOLD},
                [STYLE_KEPT] = {22, COLOR_GREEN, A_NORMAL},
                [STYLE_BROKEN] = {160, COLOR_RED, A_BOLD},
                [STYLE_WARN] = {94, COLOR_MAGENTA, A_NORMAL},
                [STYLE_KEY] = {25, COLOR_BLUE, A_BOLD},
                [STYLE_CHOSEN] = {25, COLOR_BLUE, A_BOLD},
                [STYLE_CODE] = {24, -1, A_NORMAL},
                [STYLE_HAND] = {25, COLOR_BLUE, A_REVERSE | A_BOLD},
            },
        [SCHEME_MONO] =
            {
                [STYLE_TEXT] = {-1, -1, A_NORMAL},
                [STYLE_QUIET] = {-1, -1, A_DIM},
                [STYLE_RULE] = {-1, -1, A_DIM},
                [STYLE_TITLE] = {-1, -1, A_BOLD},
                [STYLE_STRONG] = {-1, -1, A_BOLD},
                [STYLE_ACCENT] = {-1, -1, A_BOLD},
                [STYLE_FRESH] = {-1, -1, A_BOLD | A_UNDERLINE},
                [STYLE_KEPT] = {-1, -1, A_NORMAL},
                [STYLE_BROKEN] = {-1, -1, A_BOLD},
                [STYLE_WARN] = {-1, -1, A_UNDERLINE},
                [STYLE_KEY] = {-1, -1, A_BOLD},
                [STYLE_CHOSEN] = {-1, -1, A_BOLD},
                [STYLE_CODE] = {-1, -1, A_NORMAL},
                [STYLE_HAND] = {-1, -1, A_REVERSE},
            },
};

static const char *const scheme_names[SCHEME_COUNT] = {"dark", "light", "mono"};

static const char *const glyphs[GLYPH_COUNT][2] = {
    [GLYPH_KEPT] = {"=", "="},      [GLYPH_BROKEN] = {"x", "x"},    [GLYPH_UNKNOWN] = {".", "."},
    [GLYPH_RULE] = {"│", "|"},      [GLYPH_LINE] = {"─", "-"},      [GLYPH_ELLIPSIS] = {"…", "~"},
    [GLYPH_HERE] = {"▸", ">"},      [GLYPH_TELLING] = {"◂", "<"},   [GLYPH_BULLET] = {"•", "*"},
    [GLYPH_DONE] = {"✓", "+"},      [GLYPH_BAR] = {"━", "="},       [GLYPH_BAR_REST] = {"─", "-"},
    [GLYPH_MORE_UP] = {"▴", "^"},   [GLYPH_MORE_DOWN] = {"▾", "v"}, [GLYPH_LEFT] = {"←", "Left"},
    [GLYPH_RIGHT] = {"→", "Right"}, [GLYPH_UP] = {"↑", "Up"},       [GLYPH_DOWN] = {"↓", "Down"},
};

static const char *const levels[CHART_LEVELS + 1][2] = {
    {" ", " "}, {"▁", "_"}, {"▂", "."}, {"▃", ":"}, {"▄", "-"},
    {"▅", "="}, {"▆", "+"}, {"▇", "*"}, {"█", "#"},
};

static struct {
    Scheme scheme;
    bool colours, many, ascii, narrow_locale;
} theme;

static Scheme scheme_suggested(void)
{
    const char *no_color = getenv("NO_COLOR");
    if (!theme.colours || (no_color && *no_color)) return SCHEME_MONO;

    /* "foreground;background", set by rxvt, konsole and others; 7 and 15 are white. */
    const char *colours = getenv("COLORFGBG");
    const char *last = colours ? strrchr(colours, ';') : NULL;
    int background = last ? atoi(last + 1) : 0;
    return background == 7 || background == 15 ? SCHEME_LIGHT : SCHEME_DARK;
}

static void pairs_make(void)
{
    if (!theme.colours) return;
    for (int i = 0; i < STYLE_COUNT; i++) {
        const Look *look = &looks[theme.scheme][i];
        init_pair((short)(i + 1), theme.many ? look->many : look->few, -1);
    }
}

bool theme_start(const char *name)
{
    theme.colours = has_colors() && start_color() == OK && use_default_colors() == OK;
    theme.many = theme.colours && COLORS >= 256 && COLOR_PAIRS > STYLE_COUNT;
    theme.narrow_locale = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;

    Scheme chosen = scheme_suggested();
    if (name) {
        chosen = 0;
        while (chosen < SCHEME_COUNT && strcmp(scheme_names[chosen], name) != 0) chosen++;
        if (chosen == SCHEME_COUNT) return false;
    }
    theme.scheme = chosen;
    pairs_make();
    return true;
}

const char *theme_name(void)
{
    return scheme_names[theme.scheme];
}

const char *theme_list(int index)
{
    return index >= 0 && index < SCHEME_COUNT ? scheme_names[index] : NULL;
}

void theme_ascii(bool ascii)
{
    theme.ascii = ascii;
}

bool theme_is_ascii(void)
{
    return theme.ascii || theme.narrow_locale;
}

void theme_pen(Style style)
{
    const Look *look = &looks[theme.scheme][style];
    attr_t attribute = look->attribute;
    /* Without 256 colours there is no grey: dim text has to do. */
    if ((style == STYLE_QUIET || style == STYLE_RULE) && !theme.many) attribute |= A_DIM;
    attr_set(attribute, theme.colours ? (short)(style + 1) : 0, NULL);
}

const char *theme_glyph(Glyph glyph)
{
    return glyphs[glyph][theme_is_ascii()];
}

const char *theme_level(int level)
{
    if (level < 0) level = 0;
    if (level > CHART_LEVELS) level = CHART_LEVELS;
    return levels[level][theme_is_ascii()];
}
