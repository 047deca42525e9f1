/* One lesson: its text by sections, its variants, and the code of the open one. Wide screens show
 * text and code side by side; narrow ones have the code as the last tab. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_exercise.h"
#include "tui/flow.h"
#include "tui/listing_view.h"
#include "tui/panel.h"

enum { HIT_TAB, HIT_VARIANT };
enum { WIDE = 110, TEXT_MOST = 76, TEXT_LEAST = 44, TAB_GAP = 3 };

static struct {
    const Lesson *of;
    int tab, tabs;
    int top, rows, lines;
    bool wide;
} shown;

static void lesson_follow(const App *app)
{
    if (shown.of == app->lesson) return;
    shown.of = app->lesson;
    shown.tab = shown.top = 0;
}

static const char *tab_title(const Lesson *lesson, int tab)
{
    const LessonText *text = lesson_text(lesson);
    return tab < text->section_count ? text->sections[tab].heading : _("Code");
}

static void tabs_draw(const App *app, const Area *area)
{
    /* As many as fit, beginning where the chosen one is in sight. */
    int first = 0, width = 0;
    for (int i = 0; i <= shown.tab; i++) {
        width += text_columns(tab_title(app->lesson, i)) + TAB_GAP;
        while (width - TAB_GAP > area->columns - 2 && first < i) {
            width -= text_columns(tab_title(app->lesson, first)) + TAB_GAP;
            first++;
        }
    }
    int column = 0;
    if (first > 0) column = area_put(area, 0, 0, 1, STYLE_QUIET, theme_glyph(GLYPH_ELLIPSIS)) + 1;
    for (int i = first; i < shown.tabs; i++) {
        const char *title = tab_title(app->lesson, i);
        int columns = text_columns(title);
        if (column + columns > area->columns) {
            area_put(area, 0, area->columns - 1, 1, STYLE_QUIET, theme_glyph(GLYPH_ELLIPSIS));
            break;
        }
        area_put(area, 0, column, 0, i == shown.tab ? STYLE_CHOSEN : STYLE_QUIET, title);
        if (i == shown.tab)
            for (int c = 0; c < columns; c++)
                area_put(area, 1, column + c, 1, STYLE_ACCENT, theme_glyph(GLYPH_LINE));
        hits_add(area, 0, column, columns, HIT_TAB, i);
        column += columns + TAB_GAP;
    }
}

static void section_draw(const App *app, const Area *area)
{
    const LessonText *text = lesson_text(app->lesson);
    if (shown.tab >= text->section_count) return;
    Flow flow = {0};
    const Section *section = &text->sections[shown.tab];
    int columns = area->columns < TEXT_MOST ? area->columns : TEXT_MOST;
    flow_blocks(&flow, section->blocks, section->block_count, columns - 2);
    shown.lines = flow.lines;
    shown.rows = area->rows;
    shown.top = scroll_kept(shown.top, area->rows, flow.lines);
    flow_draw(&flow, area, shown.top);
    scroll_marks(area, shown.top, flow.lines);
    flow_free(&flow);
}

/* That there is something to mend, and how far it is. */
static void exercise_add(const App *app, Flow *words, int columns)
{
    char line[300], state[120];
    if (!app->variant->exercise) return;
    exercise_state_words(app, app->variant, state, sizeof state);
    snprintf(line, sizeof line, _("Exercise: M, and mend %s yourself. (%s)"), app->variant->exercise->script, state);
    flow_blank(words);
    flow_text(words, STYLE_STRONG, line, columns, 2);
}

/* What the open variant is about: its title, its words, its goal. Returns the rows used. */
static int variant_draw(const App *app, const Area *area, int most)
{
    const VariantText *text = variant_text(app->variant);
    Flow flow = {0};
    char title[300];
    snprintf(title, sizeof title, _("%s (variant %d of %d)"), text->title,
             app_variant_index(app) + 1, app->lesson->variant_count);
    flow_text(&flow, STYLE_STRONG, title, area->columns, 0);
    int columns = area->columns < TEXT_MOST ? area->columns : TEXT_MOST;
    Flow words = {0};
    flow_blocks(&words, text->blocks, text->block_count, columns);
    if (text->goal) {
        char goal[1000];
        snprintf(goal, sizeof goal, _("Goal: %s"), text->goal);
        flow_blank(&words);
        flow_text(&words, STYLE_ACCENT, goal, columns, 2);
    }
    exercise_add(app, &words, columns);
    flow_draw(&flow, area, 0);
    int room = most - flow.lines - 1, rows = words.lines < room ? words.lines : room;
    Area rest = area_part(area, flow.lines + 1, 0, rows, area->columns);
    flow_draw(&words, &rest, 0);
    rows += flow.lines + 1;
    flow_free(&flow);
    flow_free(&words);
    return rows;
}

/* All variants of the lesson, below the code where there is room. */
static void variants_draw(const App *app, const Area *area)
{
    const Lesson *lesson = app->lesson;
    int columns = 0;
    for (int i = 0; i < lesson->variant_count; i++)
        if (text_columns(lesson->variants[i].name) > columns)
            columns = text_columns(lesson->variants[i].name);

    panel_title(area, _("VARIANTS"), _("raced"));
    for (int i = 0; i < lesson->variant_count; i++) {
        const LessonVariant *variant = &lesson->variants[i];
        bool open = variant == app->variant;
        if (open) area_put(area, 1 + i, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
        area_put(area, 1 + i, 2, columns, open ? STYLE_CHOSEN : STYLE_TEXT, variant->name);
        area_put(area, 1 + i, 2 + columns + 2, area->columns - columns - 8, STYLE_QUIET,
                 variant_text(variant)->title);
        if (progress_raced(app->progress, lesson->name, variant->name))
            area_put(area, 1 + i, area->columns - 1, 1, STYLE_KEPT, theme_glyph(GLYPH_DONE));
        hits_add(area, 1 + i, 0, area->columns, HIT_VARIANT, i);
    }
}

static void code_side_draw(const App *app, const Area *area)
{
    static const Panel *const panels[] = {&panel_code, NULL};
    Scene scene;
    Spec spec;
    app_scene(app, &scene, &spec);
    scene.listing_top = listing_top(app);
    int used = variant_draw(app, area, area->rows / 2) + 1;
    int list = app->lesson->variant_count + 1, lines = app->variant->listing.count;
    bool both = used + lines + 1 + list <= area->rows;
    Area code = area_part(area, used, 0, both ? lines : area->rows - used, area->columns);
    panels_draw(panels, &scene, &code, code.rows);
    if (!both) return;
    Area below = area_part(area, used + lines + 1, 0, list, area->columns);
    variants_draw(app, &below);
}

static void lesson_draw(App *app, const Area *area)
{
    lesson_follow(app);
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    if (listing_is_full()) {
        Scene scene;
        Spec spec;
        app_scene(app, &scene, &spec);
        listing_draw(app, &scene, &inner);
        return;
    }
    shown.wide = area->columns >= WIDE;
    int sections = lesson_text(app->lesson)->section_count;
    shown.tabs = sections + !shown.wide;
    if (shown.tab >= shown.tabs) shown.tab = 0;

    Area text = inner;
    if (shown.wide) {
        text.columns = inner.columns * 47 / 100;
        if (text.columns > TEXT_MOST + 2) text.columns = TEXT_MOST + 2;
        area_rule(&inner, text.columns + 1);
        Area code = area_part(&inner, 0, text.columns + 4, inner.rows, inner.columns);
        code_side_draw(app, &code);
    }
    tabs_draw(app, &text);
    Area body = area_part(&text, 2, 0, text.rows - 2, text.columns);
    if (shown.tab < sections)
        section_draw(app, &body);
    else
        code_side_draw(app, &body);
}

static void tab_go(const App *app, int tab, bool round)
{
    (void)app;
    if (round) tab = (tab + shown.tabs) % shown.tabs;
    if (tab < 0 || tab >= shown.tabs) return;
    shown.tab = tab;
    shown.top = 0;
}

static void lesson_move(App *app, Motion motion)
{
    bool code = listing_is_full() || shown.tab >= lesson_text(app->lesson)->section_count;
    bool at_end = code || shown.top + shown.rows >= shown.lines;
    switch (motion) {
    case MOTION_LEFT:
        tab_go(app, shown.tab - 1, false);
        return;
    case MOTION_RIGHT:
        tab_go(app, shown.tab + 1, false);
        return;
    case MOTION_TAB:
        tab_go(app, shown.tab + 1, true);
        return;
    case MOTION_CHOOSE:
        tab_go(app, shown.tab + 1, false);
        return;
    case MOTION_PAGE_DOWN:
        if (at_end && !listing_is_full()) {
            tab_go(app, shown.tab + 1, false);
            return;
        }
        break;
    default:
        break;
    }
    if (code)
        listing_move(app, motion);
    else
        shown.top = scroll_moved(shown.top, motion, shown.rows, shown.lines);
}

static void lesson_click(App *app, const Hit *hit)
{
    if (hit->what == HIT_TAB) tab_go(app, hit->argument, false);
    if (hit->what == HIT_VARIANT) app_open(app, app->lesson, &app->lesson->variants[hit->argument]);
}

const View view_lesson = {"lesson", N_("Lesson"), lesson_draw, lesson_move, lesson_click, NULL};
