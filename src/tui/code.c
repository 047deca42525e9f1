#include "tui/code.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool comment_whole(const char *text)
{
    while (*text == ' ') text++;
    return strncmp(text, "/*", 2) == 0 || strncmp(text, "* ", 2) == 0 ||
           strncmp(text, "*/", 2) == 0 || strncmp(text, "--", 2) == 0;
}

/* Every step takes the actor first, so that is how one is known: `name(me`. */
static bool step_at(const char *text, size_t length)
{
    if (length == strlen("user_id") && strncmp(text, "user_id", length) == 0) return false;
    const char *behind = text + length;
    return strncmp(behind, "(me", 3) == 0 && (behind[3] == ')' || behind[3] == ',');
}

/* Bytes of `text` in one style. */
static size_t stretch(const char *text, Style *style)
{
    *style = STYLE_TEXT;
    if (strncmp(text, "/*", 2) == 0) {
        const char *end = strstr(text + 2, "*/");
        *style = STYLE_QUIET;
        return end ? (size_t)(end + 2 - text) : strlen(text);
    }
    if (strncmp(text, "//", 2) == 0 || strncmp(text, "-- ", 3) == 0) {
        *style = STYLE_QUIET;
        return strlen(text);
    }
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    if (length > 0) {
        if (step_at(text, length)) *style = STYLE_STRONG;
        return length;
    }
    while (text[length] && !isalnum((unsigned char)text[length]) && text[length] != '_') {
        if (length > 0 &&
            (strncmp(text + length, "/*", 2) == 0 || strncmp(text + length, "//", 2) == 0 ||
             strncmp(text + length, "-- ", 3) == 0))
            break;
        length++;
    }
    return length;
}

void code_draw(const Area *area, int row, int column, int columns, const char *text)
{
    /* First the whole line, which cuts it right; then the coloured stretches over it. */
    Style base = comment_whole(text) ? STYLE_QUIET : STYLE_TEXT;
    int behind = area_put(area, row, column, columns, base, text);
    if (base == STYLE_QUIET) return;

    int at = column;
    while (*text) {
        char piece[512];
        Style style;
        size_t length = stretch(text, &style);
        if (length == 0 || length >= sizeof piece) return;
        memcpy(piece, text, length);
        piece[length] = '\0';
        text += length;
        int room = behind - at;
        int end = at + (int)length; /* code is ASCII but for comments, which end the line */
        if (style != STYLE_TEXT && end <= behind)
            area_put(area, row, at, room, style, piece);
        else if (style == STYLE_QUIET && room > 0)
            area_put(area, row, at, room, style, piece);
        at = end;
        if (at >= behind) return;
    }
}
