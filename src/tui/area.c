#include "tui/area.h"

#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { LONGEST_LINE = 4096 };

Area area_make(int y, int x, int rows, int columns)
{
    return (Area){y, x, rows, columns, y, y + rows};
}

Area area_part(const Area *area, int row, int column, int rows, int columns)
{
    Area part = {area->y + row, area->x + column, rows, columns, area->first, area->behind};
    if (part.rows > area->rows - row) part.rows = area->rows - row;
    if (part.columns > area->columns - column) part.columns = area->columns - column;
    if (part.rows < 0) part.rows = 0;
    if (part.columns < 0) part.columns = 0;
    return part;
}

Area area_scrolled(const Area *area, int rows, int top)
{
    Area inner = *area;
    inner.y -= top;
    inner.rows = rows;
    if (inner.first < area->y) inner.first = area->y;
    if (inner.behind > area->y + area->rows) inner.behind = area->y + area->rows;
    return inner;
}

bool area_visible(const Area *area, int row)
{
    int y = area->y + row;
    return row >= 0 && row < area->rows && y >= area->first && y < area->behind;
}

int area_put(const Area *area, int row, int column, int columns, Style style, const char *text)
{
    int room = area->columns - column;
    if (columns <= 0 || columns > room) columns = room;
    if (column < 0 || columns <= 0) return column;

    char cut[LONGEST_LINE];
    int used = text_cut(cut, sizeof cut, text, columns, theme_glyph(GLYPH_ELLIPSIS));
    if (area_visible(area, row)) {
        theme_pen(style);
        mvaddstr(area->y + row, area->x + column, cut);
    }
    return column + used;
}

void area_put_right(const Area *area, int row, int end, int columns, Style style, const char *text)
{
    int width = text_columns(text);
    if (width > columns) width = columns;
    area_put(area, row, end - width, width, style, text);
}

int area_format(const Area *area, int row, int column, Style style, const char *format, ...)
{
    char text[LONGEST_LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return area_put(area, row, column, 0, style, text);
}

void area_blank(const Area *area)
{
    for (int row = 0; row < area->rows; row++)
        area_format(area, row, 0, STYLE_TEXT, "%*s", area->columns, "");
}

void area_rule(const Area *area, int column)
{
    for (int row = 0; row < area->rows; row++)
        area_put(area, row, column, 1, STYLE_RULE, theme_glyph(GLYPH_RULE));
}

void area_line(const Area *area, int row)
{
    for (int column = 0; column < area->columns; column++)
        area_put(area, row, column, 1, STYLE_RULE, theme_glyph(GLYPH_LINE));
}

void area_bar(const Area *area, int row, int column, int columns, Style style, long part,
              long whole)
{
    long filled = whole > 0 ? (part * columns + whole - 1) / whole : 0;
    for (int i = 0; i < columns; i++) {
        bool full = i < filled;
        area_put(area, row, column + i, 1, full ? style : STYLE_RULE,
                 theme_glyph(full ? GLYPH_BAR : GLYPH_BAR_REST));
    }
}

char *number_grouped(char *text, int size, long number)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lu",
                          number < 0 ? 0ul - (unsigned long)number : (unsigned long)number);
    int at = 0;
    if (number < 0 && at < size - 1) text[at++] = '-';
    for (int i = 0; i < length && at < size - 2; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}
