/* A few users one by one, with their last step; of a crowd the last steps of anybody. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/step_kind.h"
#include "tui/panel.h"

enum { WHO_COLUMNS = 7 };

static struct {
    bool small;
    int count;
} shown;

static int actors_update(const Scene *scene, int columns)
{
    (void)columns;
    const RaceProgress *race = &scene->view->race;
    shown.count = 0;
    if (!scene->current || !scene->racing) return 0;
    shown.small = race->actors <= SMALL_WORLD;
    shown.count = shown.small ? race->actor_views : race->recent_count;
    return shown.count ? 1 + shown.count : 0;
}

static void line_draw(const Area *area, int row, const char *who, const char *words,
                      const char *result, Style style)
{
    int columns = text_columns(result);
    int room = area->columns - 2 - WHO_COLUMNS - 2;
    if (columns > room - 8) columns = room - 8;
    area_put(area, row, 2, WHO_COLUMNS - 1, style, who);
    area_put(area, row, 2 + WHO_COLUMNS, room - columns + 1, STYLE_TEXT, words);
    area_put_right(area, row, area->columns, columns, style, result);
}

static void actors_draw(const Scene *scene, const Area *area)
{
    const RaceProgress *race = &scene->view->race;
    panel_title(area, shown.small ? _("USERS") : _("LAST STEPS"), NULL);
    int rows = area->rows - 1;
    for (int i = 0; i < shown.count && i < rows; i++) {
        char who[24];
        if (shown.small) {
            const ActorView *actor = &race->actor[i];
            scene_actor(scene->spec, actor->actor, actor->user, who, sizeof who);
            const char *words = actor->step > STEP_NONE && actor->step < STEP_COUNT
                                    ? _(step_kinds[actor->step].story)
                                    : "";
            line_draw(area, 1 + i, who, words, actor->result, STYLE_TEXT);
        } else {
            const RecentEvent *event = &race->recent[i];
            scene_actor(scene->spec, event->actor, event->user, who, sizeof who);
            line_draw(area, 1 + i, who, event->words, event->result,
                      event->answer ? STYLE_STRONG : STYLE_TEXT);
        }
    }
}

const Panel panel_actors = {"actors", 6, 3, actors_update, actors_draw};
