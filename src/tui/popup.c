#include "tui/popup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

static struct {
    bool open;
    char title[200];
    char *text;
    int lines, top, rows;
} popup;

void popup_open(const char *title, const char *text)
{
    popup_close();
    popup.text = strdup(text);
    if (!popup.text) return;
    size_t length = strlen(popup.text);
    while (length > 0 && popup.text[length - 1] == '\n') popup.text[--length] = '\0';
    snprintf(popup.title, sizeof popup.title, "%s", title);
    popup.lines = 1;
    for (const char *at = popup.text; *at; at++) popup.lines += *at == '\n';
    popup.open = true;
}

void popup_close(void)
{
    free(popup.text);
    popup.text = NULL;
    popup.open = false;
    popup.top = 0;
}

bool popup_is_open(void)
{
    return popup.open;
}

static void line_draw(const Area *area, int row, const char *begin, size_t length)
{
    char line[4096];
    if (length >= sizeof line) length = sizeof line - 1;
    memcpy(line, begin, length);
    line[length] = '\0';
    area_put(area, row, 1, area->columns - 2, STYLE_TEXT, line);
}

void popup_draw(const Area *area)
{
    if (!popup.open) return;
    int most = area->rows * 2 / 3;
    int rows = popup.lines < most ? popup.lines : most;
    Area part = area_part(area, area->rows - rows - 1, 0, rows + 1, area->columns);
    popup.rows = rows;
    popup.top = scroll_kept(popup.top, rows, popup.lines);

    area_blank(&part);
    area_line(&part, 0);
    int behind = area_format(&part, 0, 2, STYLE_TITLE, " %s ", popup.title);
    area_put_right(&part, 0, part.columns - 2, part.columns - behind - 4, STYLE_QUIET,
                   _(" Esc closes "));

    Area inner = area_part(&part, 1, 0, rows, part.columns);
    const char *at = popup.text;
    for (int line = 0; line < popup.lines; line++) {
        size_t length = strcspn(at, "\n");
        if (line >= popup.top && line < popup.top + rows)
            line_draw(&inner, line - popup.top, at, length);
        at += length + (at[length] == '\n');
    }
    scroll_marks(&inner, popup.top, popup.lines);
}

bool popup_move(Move move)
{
    if (!popup.open) return false;
    if (move == MOVE_CHOOSE)
        popup_close();
    else
        popup.top = scroll_moved(popup.top, move, popup.rows, popup.lines);
    return true;
}
