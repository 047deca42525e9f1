/* What was armed: where it will hit, and how often it did. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_fault.h"
#include "tui/panel.h"

enum { NUMBER_COLUMNS = 3 };

/* In a race as it stands there, else as the next one will begin. */
static bool of_race(const Scene *scene)
{
    return scene->current && (scene->racing || scene->report);
}

static int faults_update(const Scene *scene, int columns)
{
    (void)columns;
    int count = of_race(scene) ? scene->view->race.faults : scene->spec->faults;
    return count ? 1 + count : 0;
}

static Style words_of(const Scene *scene, int place, char *text, size_t size)
{
    if (!of_race(scene)) {
        snprintf(text, size, "%s", _("armed"));
        return STYLE_ACCENT;
    }
    const RaceProgress *race = &scene->view->race;
    if (race->fault[place].fired > 0) {
        snprintf(text, size, _("hit %ld"), race->fault[place].fired);
        return STYLE_BROKEN;
    }
    bool waits = race->fault[place].armed;
    snprintf(text, size, "%s", !waits ? _("taken back") : scene->racing ? _("armed") : _("never hit"));
    return !waits ? STYLE_QUIET : scene->racing ? STYLE_ACCENT : STYLE_WARN;
}

void fault_row_draw(const Scene *scene, const Area *area, int row, int place, bool hand)
{
    char text[200], words[60], number[12];
    const Fault *fault =
        of_race(scene) ? &scene->view->race.fault[place].fault : &scene->spec->fault[place];
    Style style = words_of(scene, place, words, sizeof words);
    int columns = text_columns(words);
    snprintf(number, sizeof number, "%d", place + 1);
    area_put_right(area, row, NUMBER_COLUMNS - 1, NUMBER_COLUMNS - 1, STYLE_QUIET, number);
    area_put(area, row, NUMBER_COLUMNS, area->columns - NUMBER_COLUMNS - columns - 1,
             hand ? STYLE_CHOSEN : STYLE_TEXT, fault_write(fault, text, sizeof text));
    area_put_right(area, row, area->columns, columns, style, words);
}

static void faults_draw(const Scene *scene, const Area *area)
{
    int count = faults_update(scene, area->columns) - 1;
    int fit = count < area->rows - 1 ? count : area->rows - 1;
    char more[60] = "";
    if (fit < count) snprintf(more, sizeof more, _("%ld more"), (long)(count - fit));
    panel_title(area, _("FAULTS"), more);
    for (int i = 0; i < fit; i++) fault_row_draw(scene, area, 1 + i, i, false);
}

const Panel panel_faults = {"faults", 2, 4, faults_update, faults_draw};
