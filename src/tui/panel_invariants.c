/* What must hold: unknown, kept, or BROKEN, while it happens. */
#include "base/i18n.h"
#include "base/text.h"
#include "tui/glow.h"
#include "tui/panel.h"

static struct {
    Glow glow[INVARIANT_COUNT];
    bool details; /* of those that are kept, too */
} shown;

typedef struct Show {
    Glyph sign;
    Style style, name_style;
    const char *word;
} Show;

static const Show shows[] = {
    [VERDICT_UNKNOWN] = {GLYPH_UNKNOWN, STYLE_QUIET, STYLE_TEXT, N_("not yet")},
    [VERDICT_KEPT] = {GLYPH_KEPT, STYLE_KEPT, STYLE_TEXT, N_("kept")},
    [VERDICT_BROKEN] = {GLYPH_BROKEN, STYLE_BROKEN, STYLE_BROKEN, N_("BROKEN")},
};

static bool detail_shown(const Verdict *verdict, bool roomy)
{
    if (!verdict->detail[0]) return false;
    return verdict->state == VERDICT_BROKEN || (roomy && verdict->state == VERDICT_KEPT);
}

static int invariants_update(const Scene *scene, int columns)
{
    (void)columns;
    int rows = 0;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const Verdict *verdict = scene_verdict(scene, (Invariant)i);
        glow_set(&shown.glow[i], verdict->state, scene->now_ns);
        if (verdict->state == VERDICT_NONE) continue;
        rows += 1 + detail_shown(verdict, scene->roomy);
    }
    return rows ? rows + 1 : 0;
}

static void invariants_draw(const Scene *scene, const Area *area)
{
    panel_title(area, _("MUST HOLD"), NULL);
    int row = 1;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const Verdict *verdict = scene_verdict(scene, (Invariant)i);
        if (verdict->state == VERDICT_NONE) continue;
        const Show *show = &shows[verdict->state];
        bool fresh = glow_lit(&shown.glow[i], scene->now_ns);
        Style style = fresh && verdict->state == VERDICT_KEPT ? STYLE_FRESH : show->style;
        area_put(area, row, 0, 1, style, theme_glyph(show->sign));
        area_put(area, row, 2, area->columns - 10, show->name_style, invariant_name((Invariant)i));
        area_put_right(area, row, area->columns, 10, style, _(show->word));
        row++;
        if (detail_shown(verdict, scene->roomy))
            area_put(area, row++, 4, 0, STYLE_QUIET, verdict->detail);
    }
}

const Panel panel_invariants = {"invariants", 2, 2, invariants_update, invariants_draw};
