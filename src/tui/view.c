#include "tui/view.h"

#define VIEW_POINTER(id, name) [VIEW_##id] = &view_##name,
const View *const views[VIEW_COUNT] = {VIEWS(VIEW_POINTER)};

int scroll_kept(int top, int rows, int lines)
{
    if (top > lines - rows) top = lines - rows;
    return top < 0 ? 0 : top;
}

int scroll_moved(int top, Motion motion, int rows, int lines)
{
    switch (motion) {
    case MOTION_UP:
        top -= 1;
        break;
    case MOTION_DOWN:
        top += 1;
        break;
    case MOTION_PAGE_UP:
        top -= rows - 1;
        break;
    case MOTION_PAGE_DOWN:
        top += rows - 1;
        break;
    case MOTION_HOME:
        top = 0;
        break;
    case MOTION_END:
        top = lines;
        break;
    default:
        break;
    }
    return scroll_kept(top, rows, lines);
}

void scroll_marks(const Area *area, int top, int lines)
{
    if (top > 0) area_put(area, 0, area->columns - 1, 1, STYLE_ACCENT, theme_glyph(GLYPH_MORE_UP));
    if (top + area->rows < lines)
        area_put(area, area->rows - 1, area->columns - 1, 1, STYLE_ACCENT,
                 theme_glyph(GLYPH_MORE_DOWN));
}
