/* How it came to the first violation: the steps of the users involved, in the order of time. */
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/story.h"
#include "tui/panel.h"

enum { WHO_COLUMNS = 6, TELLING_COLUMNS = 2, RESULT_LEAST = 6, RESULT_FAIR = 13 };

static int story_update(const Scene *scene, int columns)
{
    (void)columns;
    const Report *report = scene->report;
    if (scene->racing || !report || report->story_lines == 0) return 0;
    return 1 + report->story_lines;
}

/* Of a number that is too long its end is shown: ids differ there. */
static void result_draw(const Area *area, int row, int end, int columns, Style style,
                        const char *result)
{
    size_t length = strlen(result);
    if ((int)length <= columns || strspn(result, "0123456789") < length) {
        area_put_right(area, row, end, columns, style, result);
        return;
    }
    area_put(area, row, end - columns, 1, style, theme_glyph(GLYPH_ELLIPSIS));
    area_put(area, row, end - columns + 1, columns - 1, style,
             result + length - (size_t)columns + 1);
}

static void story_line_draw(const Scene *scene, const Area *area, int row, const StoryLine *line)
{
    char who[24];
    scene_actor(&scene->report->spec, line->actor, line->user, who, sizeof who);
    int end = area->columns - TELLING_COLUMNS;
    int words_at = 2 + WHO_COLUMNS, room = end - words_at;
    /* Both in full where they fit; else the words first, and a fair share for the result. */
    int most = room - 1 - text_columns(line->words);
    if (most < RESULT_FAIR) most = RESULT_FAIR;
    int columns = text_columns(line->result);
    if (columns > most) columns = most;
    if (columns < RESULT_LEAST) columns = RESULT_LEAST;
    Style style = line->telling ? STYLE_BROKEN : STYLE_TEXT;
    area_put(area, row, 2, WHO_COLUMNS - 1, line->telling ? STYLE_BROKEN : STYLE_STRONG, who);
    area_put(area, row, words_at, room - columns - 1, style, line->words);
    result_draw(area, row, end, columns, style, line->result);
    if (line->telling) area_put(area, row, end + 1, 1, STYLE_BROKEN, theme_glyph(GLYPH_TELLING));
}

static void story_draw(const Scene *scene, const Area *area)
{
    const Report *report = scene->report;
    const char *about = report->first_broken < INVARIANT_COUNT
                            ? invariant_name((Invariant)report->first_broken)
                            : NULL;
    panel_title(area, _("FIRST VIOLATION"), about);

    bool shown[STORY_LINES];
    story_choose(report, area->rows - 1, shown);
    int row = 1;
    for (int i = 0; i < report->story_lines; i++) {
        if (!shown[i]) continue;
        if (i > 0 && !shown[i - 1]) area_put(area, row, 0, 1, STYLE_QUIET, theme_glyph(GLYPH_ELLIPSIS));
        story_line_draw(scene, area, row++, &report->story[i]);
    }
}

const Panel panel_story = {"story", 0, 4, story_update, story_draw};
