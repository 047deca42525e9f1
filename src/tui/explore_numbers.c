#include "tui/explore_numbers.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/explore_field.h"

enum { NUMBER_COLUMNS = 9 };

char *count_text(double count, char *text, int size)
{
    if (count < 1e15)
        number_grouped(text, size, (long)count);
    else
        snprintf(text, (size_t)size, "%.1e", count);
    return text;
}

static void number_put(const Area *area, int row, int end, Style style, double count)
{
    char text[40];
    area_put_right(area, row, end, NUMBER_COLUMNS, style, count_text(count, text, sizeof text));
}

/* ---- by invariant -------------------------------------------------------------------------------------- */

static bool is_judged(const Spec *spec, int invariant)
{
    return spec->breaks[invariant] || spec->keeps[invariant];
}

static int invariants_draw(const Exploration *result, Invariant filter, const Area *area, int row)
{
    area_put(area, row++, 0, 0, STYLE_TITLE, _("MUST HOLD"));
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (!is_judged(&result->spec, i)) continue;
        bool broken = result->violating[i] > 0;
        Glyph sign = broken               ? GLYPH_BROKEN
                     : result->complete   ? GLYPH_KEPT
                                          : GLYPH_UNKNOWN;
        Style style = broken ? STYLE_BROKEN : result->complete ? STYLE_KEPT : STYLE_QUIET;
        area_put(area, row, 0, 1, style, theme_glyph(sign));
        area_put(area, row, 2, area->columns - NUMBER_COLUMNS - 3,
                 filter == (Invariant)i ? STYLE_CHOSEN : broken ? STYLE_BROKEN : STYLE_TEXT,
                 invariant_name((Invariant)i));
        if (broken)
            number_put(area, row, area->columns, style, result->violating[i]);
        else
            area_put_right(area, row, area->columns, NUMBER_COLUMNS, style,
                           result->complete ? _("kept") : _("so far"));
        hits_add(area, row, 0, area->columns, HIT_FILTER, i);
        row++;
    }
    return row;
}

/* ---- outcomes ---------------------------------------------------------------------------------------------- */

static int outcomes_draw(const Exploration *result, const Area *area, int row)
{
    if (row >= area->rows - 1) return row;
    area_put(area, row++, 0, 0, STYLE_TITLE, _("OUTCOMES"));
    for (int i = 0; i < result->outcomes && row < area->rows; i++) {
        const ExploreOutcome *outcome = &result->outcome[i];
        char count[40];
        bool broken = outcome->broken != 0;
        if (row == area->rows - 1 && i + 1 < result->outcomes) { /* the last row, and more to say */
            char more[60];
            snprintf(more, sizeof more, _("%d more"), result->outcomes - i);
            area_put(area, row++, 2, 0, STYLE_QUIET, more);
            break;
        }
        if (broken) area_put(area, row, 0, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
        count_text(outcome->schedules, count, sizeof count);
        int columns = text_columns(count);
        area_put(area, row, 2, area->columns - columns - 4, STYLE_TEXT, outcome->text);
        area_put_right(area, row++, area->columns, columns, broken ? STYLE_BROKEN : STYLE_TEXT,
                       count);
    }
    return row;
}

void explore_numbers_draw(const ExploreState *explore, Invariant filter, const Area *area)
{
    const Exploration *result = &explore->result;
    int row = invariants_draw(result, filter, area, 0);
    outcomes_draw(result, area, row + 1);
}

/* ---- luck beside proof --------------------------------------------------------------------------------------- */

/* Shown with one digit behind the point: less than all is never 100.0, more than none never 0.0. */
static double percent(double part, double whole)
{
    if (part >= whole || whole <= 0) return whole > 0 ? 100 : 0;
    double share = 100 * part / whole;
    if (share > 99.9) return 99.9;
    return share < 0.1 ? 0.1 : share;
}

static int broke_by(const Luck *luck, Invariant filter)
{
    return filter == INVARIANT_COUNT ? luck->broke_any : luck->broke[filter];
}

static void luck_text(const Luck *luck, Invariant filter, char *text, size_t size)
{
    int broke = broke_by(luck, filter), used;
    if (luck->running)
        used = snprintf(text, size, _("%d of %d free races"), luck->races, luck->wanted);
    else
        used = snprintf(text, size, ngettext("%d free race", "%d free races", (unsigned long)luck->races),
                        luck->races);
    if (luck->races == 0) return;
    if (broke == 0) {
        snprintf(text + used, size - (size_t)used, "%s", _(": none broke"));
        return;
    }
    double share = percent(broke, luck->races);
    snprintf(text + used, size - (size_t)used, _(": %d broke (%.1f %%)"), broke, share);
}

static void proof_text(const Exploration *result, Invariant filter, char *text, size_t size)
{
    double broke = filter == INVARIANT_COUNT ? result->violating_any : result->violating[filter];
    char all[40], some[40];
    count_text(result->unpruned, all, sizeof all);
    count_text(broke, some, sizeof some);
    int used = snprintf(text, size, result->complete ? _("of all %s schedules") : _("of %s schedules so far"),
                        all);
    if (broke == 0) {
        snprintf(text + used, size - (size_t)used, "%s", _(" none breaks"));
        return;
    }
    double share = percent(broke, result->unpruned);
    snprintf(text + used, size - (size_t)used, _(" %s break (%.1f %%)"), some, share);
}

void explore_luck_draw(const App *app, const ExploreState *explore, Invariant filter,
                       const Area *area)
{
    const Luck *luck = small_luck(app);
    char text[200];
    int at = text_columns(_("luck")), other = text_columns(_("proof"));
    if (other > at) at = other;
    area_put(area, 0, 0, 0, STYLE_QUIET, _("luck"));
    area_put(area, 1, 0, 0, STYLE_QUIET, _("proof"));
    if (luck && (luck->races > 0 || luck->running))
        luck_text(luck, filter, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s",
                 app->small.exploring ? _("free races come after it") : _("not tried: :luck 200"));
    area_put(area, 0, at + 3, 0, luck ? STYLE_TEXT : STYLE_QUIET, text);
    proof_text(&explore->result, filter, text, sizeof text);
    area_put(area, 1, at + 3, 0, explore->result.complete ? STYLE_STRONG : STYLE_TEXT, text);
}

/* ---- the cell under the hand ----------------------------------------------------------------------------------- */

static void broken_text(uint32_t broken, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < INVARIANT_COUNT && used < size; i++)
        if (broken >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "",
                                     invariant_name((Invariant)i));
}

void explore_cell_draw(const App *app, const ExploreState *explore, const Area *area)
{
    static Schedule schedule;
    const ExploreCell *cell = explore_field_hand(explore);
    char moves[400], switches[80], broken[200];
    (void)app;
    if (!cell) return;
    exploration_schedule(&explore->result, cell, &schedule);
    schedule_write(&schedule, moves, sizeof moves);
    snprintf(switches, sizeof switches,
             ngettext("%d switch", "%d switches", (unsigned long)cell->preemptions),
             cell->preemptions);
    int right = text_columns(switches);
    area_put(area, 0, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
    area_put(area, 0, 2, area->columns - right - 4, STYLE_STRONG, moves);
    area_put_right(area, 0, area->columns, right, STYLE_QUIET, switches);
    if (area->rows < 2) return;
    broken_text(cell->broken, broken, sizeof broken);
    area_put(area, 1, 0, 1, cell->broken ? STYLE_BROKEN : STYLE_KEPT,
             theme_glyph(cell->broken ? GLYPH_BROKEN : GLYPH_KEPT));
    int end = area_put(area, 1, 2, 0, cell->broken ? STYLE_BROKEN : STYLE_KEPT,
                       cell->broken ? broken : _("kept"));
    if (cell->outcome < explore->result.outcomes)
        area_put(area, 1, end + 3, 0, STYLE_QUIET, explore->result.outcome[cell->outcome].text);
}
