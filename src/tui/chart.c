#include "tui/chart.h"

static void column_draw(const Area *area, int row, int rows, int column, long value, long top)
{
    /* A single row stays below the line above it: one level less. */
    long levels = rows > 1 ? rows * CHART_LEVELS : CHART_LEVELS - 1;
    long filled = value > 0 ? (value * levels + top - 1) / top : 0;
    for (int r = 0; r < rows; r++) {
        long level = filled - (long)(rows - 1 - r) * CHART_LEVELS;
        const char *cell = theme_level(level > CHART_LEVELS ? CHART_LEVELS : (int)level);
        if (value < 0 && r == rows - 1)
            area_put(area, row + r, column, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
        else if (level > 0)
            area_put(area, row + r, column, 1, rows > 1 ? STYLE_RULE : STYLE_QUIET, cell);
    }
}

void chart_draw(const Area *area, int row, int rows, int column, int columns, const long *points, int count, long top)
{
    if (top < 1) top = 1;
    for (int i = 0; i < count; i++)
        if (points[i] > top) top = points[i];
    for (int i = 0; i < columns; i++) {
        int at = count <= columns ? i : (int)((long)i * count / columns);
        if (at >= count) break;
        column_draw(area, row, rows, column + i, points[at], top);
    }
}
