#include "tui/popup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/flow.h"

static struct {
    bool open, prose;
    char title[200];
    char *text;
    Flow flow; /* the text in lines of `columns` */
    int columns;
    int top, rows;
} popup;

void popup_open(const char *title, const char *text, bool prose)
{
    popup_close();
    popup.text = strdup(text);
    if (!popup.text) return;
    snprintf(popup.title, sizeof popup.title, "%s", title);
    popup.prose = prose;
    popup.open = true;
}

void popup_close(void)
{
    free(popup.text);
    flow_free(&popup.flow);
    popup.text = NULL;
    popup.open = false;
    popup.top = popup.columns = 0;
}

bool popup_is_open(void)
{
    return popup.open;
}

static void layout(int columns)
{
    if (popup.columns == columns) return;
    popup.columns = columns;
    flow_free(&popup.flow);
    if (popup.prose) {
        flow_text(&popup.flow, STYLE_TEXT, popup.text, columns, 0);
        return;
    }
    for (const char *at = popup.text; *at;) {
        size_t length = strcspn(at, "\n");
        flow_line(&popup.flow, STYLE_TEXT, at, length, columns);
        at += length + (at[length] == '\n');
    }
    if (popup.flow.lines == 0) flow_blank(&popup.flow);
}

void popup_draw(const Area *area)
{
    if (!popup.open) return;
    layout(area->columns - 3);
    int most = area->rows * 2 / 3;
    popup.rows = popup.flow.lines < most ? popup.flow.lines : most;
    popup.top = scroll_kept(popup.top, popup.rows, popup.flow.lines);

    Area part = area_part(area, area->rows - popup.rows - 1, 0, popup.rows + 1, area->columns);
    area_blank(&part);
    area_line(&part, 0);
    int behind = area_format(&part, 0, 2, STYLE_TITLE, " %s ", popup.title);
    area_put_right(&part, 0, part.columns - 2, part.columns - behind - 4, STYLE_QUIET,
                   _(" Esc closes "));
    Area inner = area_part(&part, 1, 1, popup.rows, part.columns - 1);
    flow_draw(&popup.flow, &inner, popup.top);
    scroll_marks(&inner, popup.top, popup.flow.lines);
}

bool popup_move(Move move)
{
    if (!popup.open) return false;
    if (move == MOVE_CHOOSE)
        popup_close();
    else
        popup.top = scroll_moved(popup.top, move, popup.rows, popup.flow.lines);
    return true;
}
