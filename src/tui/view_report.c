/* What the last race came to. */
#include "base/i18n.h"
#include "tui/panel.h"
#include "tui/app.h"
#include "tui/flow.h"

enum { TWO_COLUMNS = 72, RIGHT_LEAST = 28, RIGHT_MOST = 46 };

static const Panel *const all[] = {&panel_verdict, &panel_invariants, &panel_story, &panel_schedule,
                                   &panel_told, &panel_queue, &panel_answers, &panel_numbers, NULL};
static const Panel *const left[] = {&panel_verdict, &panel_story, &panel_schedule, &panel_queue, NULL};
static const Panel *const right[] = {&panel_invariants, &panel_told, &panel_answers, &panel_numbers, NULL};

static struct {
    int top, rows, lines;
} shown;

static void report_draw(App *app, const Area *area)
{
    Scene scene;
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 3);
    if (!app_report_scene(app, &scene)) {
        area_put(&inner, 0, 0, 0, STYLE_QUIET,
                 _("Nothing has raced yet: open a lesson and press r."));
        shown.lines = 0;
        return;
    }
    scene.roomy = true; /* every detail: the page scrolls */
    shown.rows = area->rows;
    if (area->columns < TWO_COLUMNS) {
        shown.lines = panels_wanted(all, &scene, inner.columns);
        shown.top = scroll_kept(shown.top, area->rows, shown.lines);
        Area page = area_scrolled(&inner, shown.lines, shown.top);
        panels_draw(all, &scene, &page, shown.lines);
        scroll_marks(area, shown.top, shown.lines);
        return;
    }
    int width = inner.columns * 36 / 100;
    if (width < RIGHT_LEAST) width = RIGHT_LEAST;
    if (width > RIGHT_MOST) width = RIGHT_MOST;
    int main_columns = inner.columns - width - 3;
    if (main_columns > 90) main_columns = 90;
    int lines = panels_wanted(left, &scene, main_columns);
    int side_lines = panels_wanted(right, &scene, width);
    shown.lines = lines > side_lines ? lines : side_lines;
    shown.top = scroll_kept(shown.top, area->rows, shown.lines);

    Area page = area_scrolled(&inner, shown.lines, shown.top);
    Area main_part = area_part(&page, 0, 0, shown.lines, main_columns);
    Area side = area_part(&page, 0, main_columns + 3, shown.lines, width);
    area_rule(&inner, main_columns + 1);
    panels_draw(left, &scene, &main_part, shown.lines);
    panels_draw(right, &scene, &side, shown.lines);
    scroll_marks(area, shown.top, shown.lines);
}

static void report_move(App *app, Motion motion)
{
    (void)app;
    shown.top = scroll_moved(shown.top, motion, shown.rows, shown.lines);
}

const View view_report = {"report", N_("Report"), report_draw, report_move, NULL, NULL};
