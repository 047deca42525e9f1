/* The story as one line that can be pasted. */
#include "base/i18n.h"
#include "tui/flow.h"
#include "tui/panel.h"

static Flow shown;

static int schedule_update(const Scene *scene, int columns)
{
    flow_free(&shown);
    if (!scene->report || !scene->report->schedule[0]) return 0;
    flow_text(&shown, STYLE_TEXT, scene->report->schedule, columns - 2, 0);
    return 1 + shown.lines;
}

static void schedule_draw(const Scene *scene, const Area *area)
{
    (void)scene;
    panel_title(area, _("SCHEDULE"), NULL);
    Area lines = area_part(area, 1, 2, area->rows - 1, area->columns - 2);
    flow_draw(&shown, &lines, 0);
}

const Panel panel_schedule = {"schedule", 5, 2, schedule_update, schedule_draw};
