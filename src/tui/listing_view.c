#include "tui/listing_view.h"

#include "base/i18n.h"
#include "tui/panel.h"

static struct {
    bool full;
    int top;
    const LessonVariant *of; /* whose listing is scrolled */
} listing;

void listing_full(bool full)
{
    listing.full = full;
}

bool listing_is_full(void)
{
    return listing.full;
}

int listing_top(const App *app)
{
    if (listing.of != app->variant) {
        listing.of = app->variant;
        listing.top = 0;
    }
    return listing.top;
}

void listing_move(const App *app, Move move)
{
    listing_top(app);
    listing.top = scroll_moved(listing.top, move, panel_code_rows(), app->variant->listing.count);
}

void listing_draw(const App *app, const Scene *scene, const Area *area)
{
    Scene whole = *scene;
    Area code = area_part(area, 2, 0, area->rows - 2, area->columns);
    int end = area_put(area, 0, 0, 0, STYLE_QUIET, scene->variant->code->file);
    area_put(area, 0, end + 2, 0, STYLE_TITLE, variant_text(scene->variant)->title);
    whole.listing_top = listing_top(app);
    panel_code.update(&whole, code.columns);
    panel_code.draw(&whole, &code);
}
