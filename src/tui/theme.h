/* theme.h -- how a meaning looks: a colour and an attribute by scheme, a sign by character set.
 *
 * Nothing else in tui/ names a colour or a drawing character. Everything is for the one thread
 * that draws. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>

typedef enum Style {
    STYLE_TEXT,
    STYLE_QUIET,  /* what one may overlook: units, line numbers, rules */
    STYLE_RULE,   /* lines that only divide, the ground of a chart */
    STYLE_TITLE,  /* of a panel */
    STYLE_STRONG, /* what one should read first */
    STYLE_ACCENT, /* what matters now: where users stand, what is chosen */
    STYLE_FRESH,  /* what changed a moment ago */
    STYLE_KEPT,
    STYLE_BROKEN,
    STYLE_WARN,   /* trouble that is no violation */
    STYLE_KEY,    /* a key to press */
    STYLE_CHOSEN, /* the entry under the hand */
    STYLE_CODE,   /* code inside prose */
    STYLE_HAND,   /* one cell of a field, under the hand */
    STYLE_COUNT
} Style;

typedef enum Scheme { SCHEME_DARK, SCHEME_LIGHT, SCHEME_MONO, SCHEME_COUNT } Scheme;

typedef enum Glyph {
    GLYPH_KEPT, /* an invariant that held */
    GLYPH_BROKEN,
    GLYPH_UNKNOWN,
    GLYPH_RULE,     /* between two columns */
    GLYPH_LINE,     /* above a pop-up area */
    GLYPH_ELLIPSIS, /* one column */
    GLYPH_HERE,     /* "this entry" */
    GLYPH_TELLING,  /* "here it broke" */
    GLYPH_BULLET,
    GLYPH_DONE,     /* read, raced */
    GLYPH_BAR,      /* a full cell of a bar */
    GLYPH_BAR_REST, /* an empty one */
    GLYPH_MORE_UP,
    GLYPH_MORE_DOWN,
    GLYPH_LEFT,
    GLYPH_RIGHT,
    GLYPH_UP,
    GLYPH_DOWN,
    GLYPH_COUNT
} Glyph;

enum { CHART_LEVELS = 8 };

/* Chooses the scheme: `name`, or what terminal, NO_COLOR and COLORFGBG suggest (NULL). The
 * terminal must have been started. False when there is no scheme of that name. */
bool theme_start(const char *name);
const char *theme_name(void);
/* The names of the schemes, by number; NULL past the last one. */
const char *theme_list(int index);
/* ASCII signs only; also the case, whatever is set, where the locale has no UTF-8. */
void theme_ascii(bool ascii);
bool theme_is_ascii(void);

/* Switches the pen of the standard screen to `style`. */
void theme_pen(Style style);
const char *theme_glyph(Glyph glyph);
/* A cell of a small chart, filled to `level` of CHART_LEVELS (0: empty). */
const char *theme_level(int level);

#endif
