/* Step mode, little room: what must hold; when it is much, two to a row. */
#include "base/i18n.h"
#include "base/text.h"
#include "tui/panel.h"

enum { ONE_EACH = 4, WORD_COLUMNS = 9 };

static struct {
    Invariant judged[INVARIANT_COUNT];
    int count, each; /* to a row */
} shown;

static int holds_update(const Scene *scene, int columns)
{
    shown.count = 0;
    (void)columns;
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (scene_verdict(scene, (Invariant)i)->state != VERDICT_NONE)
            shown.judged[shown.count++] = (Invariant)i;
    shown.each = shown.count > ONE_EACH || scene->tight ? 2 : 1;
    return shown.count ? !scene->tight + (shown.count + shown.each - 1) / shown.each : 0;
}

static void hold_draw(const Scene *scene, const Area *area, int row, int at, int width,
                      Invariant invariant)
{
    static const struct {
        Glyph sign;
        Style style, name_style;
        const char *word;
    } shows[] = {
        [VERDICT_UNKNOWN] = {GLYPH_UNKNOWN, STYLE_QUIET, STYLE_TEXT, ""},
        [VERDICT_KEPT] = {GLYPH_KEPT, STYLE_KEPT, STYLE_TEXT, N_("kept")},
        [VERDICT_BROKEN] = {GLYPH_BROKEN, STYLE_BROKEN, STYLE_BROKEN, N_("BROKEN")},
    };
    VerdictState state = scene_verdict(scene, invariant)->state;
    area_put(area, row, at, 1, shows[state].style, theme_glyph(shows[state].sign));
    area_put(area, row, at + 2, width - 2, shows[state].name_style, invariant_name(invariant));
    if (shown.each == 1 && *shows[state].word)
        area_put_right(area, row, area->columns, WORD_COLUMNS, shows[state].style,
                       _(shows[state].word));
}

/* Where the second of a row begins: halfway, or behind the longest of the first ones and a space. */
static int second_at(int columns)
{
    int at = columns / 2;
    for (int i = 0; i < shown.count; i += 2) {
        int end = 2 + text_columns(invariant_name(shown.judged[i])) + 1;
        if (end > at) at = end;
    }
    return at;
}

static void holds_draw(const Scene *scene, const Area *area)
{
    int broken = 0, row = 0, split = shown.each == 1 ? area->columns : second_at(area->columns);
    for (int i = 0; i < shown.count; i++)
        broken += scene_verdict(scene, shown.judged[i])->state == VERDICT_BROKEN;
    if (!scene->tight) {
        int end = area_put(area, 0, 0, 0, STYLE_TITLE, _("MUST HOLD"));
        if (broken && shown.each > 1) area_put(area, 0, end + 2, 0, STYLE_BROKEN, _("BROKEN"));
        row = 1;
    }
    for (int i = 0; i < shown.count; i++) {
        bool second = i % shown.each;
        hold_draw(scene, area, row + i / shown.each, second ? split : 0,
                  second ? area->columns - split : split, shown.judged[i]);
    }
}

const Panel panel_holds = {"holds", 3, 1, holds_update, holds_draw};
