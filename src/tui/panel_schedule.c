/* The story as a schedule of a small world, as one line that can be pasted; or why there is none. */
#include "base/i18n.h"
#include "course/schedule_text.h"
#include "tui/flow.h"
#include "tui/panel.h"

static Flow shown;

static int schedule_update(const Scene *scene, int columns)
{
    flow_free(&shown);
    const Report *report = scene->report;
    if (!report || report->first_broken == INVARIANT_COUNT) return 0;
    char line[SCHEDULE_TEXT];
    if (*schedule_text_of_report(scene->lesson, scene->variant, report, line))
        flow_text(&shown, STYLE_STRONG, line, columns - 2, 2);
    if (report->schedule_note[0])
        flow_text(&shown, report->schedule[0] ? STYLE_QUIET : STYLE_WARN, report->schedule_note,
                  columns - 2, 0);
    else if (scene->view->reproducing)
        flow_text(&shown, STYLE_ACCENT, _("Being looked for: the story is run again, and shortened."),
                  columns - 2, 0);
    return shown.lines ? 1 + shown.lines : 0;
}

static void schedule_draw(const Scene *scene, const Area *area)
{
    panel_title(area, _("SCHEDULE"), scene->report->schedule[0] ? _("s steps through it") : NULL);
    Area lines = area_part(area, 1, 2, area->rows - 1, area->columns - 2);
    flow_draw(&shown, &lines, 0);
}

const Panel panel_schedule = {"schedule", 5, 2, schedule_update, schedule_draw};
