/* The race, live: the code and who stands where, the keys, the stock, what must hold. */
#include "base/i18n.h"
#include "tui/flow.h"
#include "tui/listing_view.h"
#include "tui/panel.h"

enum {
    TWO_COLUMNS = 72,
    THREE_COLUMNS = 132,
    RIGHT_LEAST = 28,
    RIGHT_MOST = 46,
    TEXT_COLUMNS = 46
};

/* One column: what must not be missed comes first. */
static const Panel *const narrow[] = {&panel_stock, &panel_invariants, &panel_told, &panel_queue, &panel_code, &panel_servers, &panel_locks,
                                      &panel_faults, &panel_ids, &panel_story, &panel_answers, NULL};
static const Panel *const left[] = {&panel_code, &panel_queue, &panel_servers, &panel_locks, &panel_ids, &panel_keys, &panel_story, NULL};
/* Where told and stored take room, how often each answer was given is for the report. */
static const Panel *const right_queue[] = {&panel_stock, &panel_told, &panel_invariants, &panel_faults, NULL};
static const Panel *const right[] = {&panel_stock, &panel_told, &panel_invariants, &panel_faults, &panel_answers, &panel_actors,
                                     NULL};

static const Section *section_of(const Lesson *lesson, SectionKind kind)
{
    const LessonText *text = lesson_text(lesson);
    for (int i = 0; i < text->section_count; i++)
        if (text->sections[i].kind == kind) return &text->sections[i];
    return NULL;
}

/* The lesson's own words beside the race: the variant, and what to watch. */
static void words_draw(const App *app, const Area *area)
{
    Flow flow = {0};
    const VariantText *variant = variant_text(app->variant);
    const Section *watch = section_of(app->lesson, SECTION_WATCH);
    flow_text(&flow, STYLE_STRONG, variant->title, area->columns, 0);
    flow_blocks(&flow, variant->blocks, variant->block_count, area->columns);
    if (variant->goal) {
        flow_blank(&flow);
        flow_text(&flow, STYLE_ACCENT, variant->goal, area->columns, 0);
    }
    if (watch) {
        flow_blank(&flow);
        flow_text(&flow, STYLE_TITLE, watch->heading, area->columns, 0);
        flow_blocks(&flow, watch->blocks, watch->block_count, area->columns);
    }
    flow_draw(&flow, area, 0);
    flow_free(&flow);
}

static void race_draw(App *app, const Area *area)
{
    Scene scene;
    Spec spec;
    app_scene(app, &scene, &spec);
    scene.listing_top = listing_top(app);
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    if (listing_is_full()) {
        listing_draw(app, &scene, &inner);
        return;
    }
    if (area->columns < TWO_COLUMNS) {
        panels_draw(narrow, &scene, &inner, inner.rows);
        return;
    }
    scene.roomy = area->rows >= 30;
    Area code = inner;
    if (area->columns >= THREE_COLUMNS) {
        Area words = area_part(&inner, 0, 0, inner.rows, TEXT_COLUMNS);
        words_draw(app, &words);
        area_rule(&inner, TEXT_COLUMNS + 1);
        code = area_part(&inner, 0, TEXT_COLUMNS + 4, inner.rows, inner.columns);
    }
    int width = code.columns * 36 / 100;
    if (width < RIGHT_LEAST) width = RIGHT_LEAST;
    if (width > RIGHT_MOST) width = RIGHT_MOST;
    Area side = area_part(&code, 0, code.columns - width, code.rows, width);
    area_rule(&code, code.columns - width - 2);
    code.columns -= width + 3;
    panels_draw(left, &scene, &code, code.rows);
    bool queue = app->lesson->shows_queue && !scene.roomy;
    panels_draw(queue ? right_queue : right, &scene, &side, side.rows);
}

static void race_move(App *app, Motion motion)
{
    listing_move(app, motion);
}

const View view_race = {"race", N_("Race"), race_draw, race_move, NULL, NULL};
