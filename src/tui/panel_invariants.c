/* What must hold: unknown, kept, or BROKEN, while it happens. */
#include "base/i18n.h"
#include "tui/flow.h"
#include "tui/glow.h"
#include "tui/panel.h"

static struct {
    Glow glow[INVARIANT_COUNT];
    int rows;
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

enum { DETAIL_AT = 3 };

/* Rows of the detail, which may have to be broken; 0 when it is not shown. */
static int detail_rows(const Verdict *verdict, bool roomy, int columns)
{
    Flow flow = {0};
    if (!detail_shown(verdict, roomy)) return 0;
    flow_text(&flow, STYLE_QUIET, verdict->detail, columns - DETAIL_AT, 0);
    int rows = flow.lines;
    flow_free(&flow);
    return rows;
}

static int detail_draw(const Verdict *verdict, const Area *area, int row)
{
    Flow flow = {0};
    flow_text(&flow, STYLE_QUIET, verdict->detail, area->columns - DETAIL_AT, 0);
    Area lines = area_part(area, row, DETAIL_AT, flow.lines, area->columns - DETAIL_AT);
    flow_draw(&flow, &lines, 0);
    int rows = flow.lines;
    flow_free(&flow);
    return rows;
}

static int invariants_update(const Scene *scene, int columns)
{
    int rows = 0;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const Verdict *verdict = scene_verdict(scene, (Invariant)i);
        glow_set(&shown.glow[i], verdict->state, scene->now_ns);
        if (verdict->state == VERDICT_NONE) continue;
        rows += 1 + detail_rows(verdict, scene->roomy, columns);
    }
    shown.rows = rows + 1;
    return rows ? shown.rows : 0;
}

static int verdict_draw(const Scene *scene, const Area *area, int row, Invariant invariant)
{
    const Verdict *verdict = scene_verdict(scene, invariant);
    const Show *show = &shows[verdict->state];
    bool fresh = glow_lit(&shown.glow[invariant], scene->now_ns);
    Style style = fresh && verdict->state == VERDICT_KEPT ? STYLE_FRESH : show->style;
    area_put(area, row, 0, 1, style, theme_glyph(show->sign));
    area_put(area, row, 2, area->columns - 10, show->name_style, invariant_name(invariant));
    area_put_right(area, row, area->columns, 10, style, _(show->word));
    row++;
    if (detail_shown(verdict, scene->roomy)) row += detail_draw(verdict, area, row);
    return row;
}

static void invariants_draw(const Scene *scene, const Area *area)
{
    panel_title(area, _("MUST HOLD"), NULL);
    /* Where not all have room, the broken ones come first. */
    bool short_of_rows = area->rows < shown.rows;
    int row = 1;
    for (int pass = short_of_rows ? 0 : 1; pass < 2; pass++) {
        for (int i = 0; i < INVARIANT_COUNT; i++) {
            VerdictState state = scene_verdict(scene, (Invariant)i)->state;
            bool first = short_of_rows && state == VERDICT_BROKEN;
            if (state == VERDICT_NONE || first != (pass == 0)) continue;
            row = verdict_draw(scene, area, row, (Invariant)i);
        }
    }
}

const Panel panel_invariants = {"invariants", 2, 2, invariants_update, invariants_draw};
