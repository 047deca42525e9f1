/* A few users one by one, with their last step; of a crowd the last steps of anybody. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/step_kind.h"
#include "engine/world.h"
#include "tui/panel.h"

enum { WHO_COLUMNS = 7, WORDS_LEAST = 8, LETTER_COLUMNS = 3, RESULT_COLUMNS = 7 };

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

/* One of a few: what its last step gave, and what it is about to do. */
static void actor_draw(const Scene *scene, const Area *area, int row, const ActorView *actor)
{
    char who[24];
    scene_actor(scene->spec, actor->actor, actor->user, who, sizeof who);
    area_put(area, row, 2, LETTER_COLUMNS - 1, STYLE_STRONG, who);
    area_put(area, row, 2 + LETTER_COLUMNS, RESULT_COLUMNS - 1, STYLE_QUIET, actor->result);
    int words_at = 2 + LETTER_COLUMNS + RESULT_COLUMNS;
    if (actor->state == ACTOR_DONE && actor->role != ROLE_USER)
        area_put(area, row, words_at, 0, STYLE_WARN, _("was ended by an error"));
    else if (actor->state == ACTOR_DONE)
        area_put(area, row, words_at, 0, STYLE_QUIET, _("is done"));
    else if (actor->state == ACTOR_DEAD)
        area_put(area, row, words_at, 0, STYLE_WARN, _("is dead"));
    else if (actor->step > STEP_NONE && actor->step < STEP_COUNT)
        area_put(area, row, words_at, 0, STYLE_TEXT, _(step_kinds[actor->step].story));
}

/* One step of somebody in the crowd, with what it gave. */
static void event_draw(const Scene *scene, const Area *area, int row, const RecentEvent *event)
{
    char who[24];
    Style style = event->answer ? STYLE_STRONG : STYLE_TEXT;
    scene_actor(scene->spec, event->actor, event->user, who, sizeof who);
    int room = area->columns - 2 - WHO_COLUMNS - 2, columns = text_columns(event->result);
    if (columns > room - WORDS_LEAST) columns = room - WORDS_LEAST;
    area_put(area, row, 2, WHO_COLUMNS - 1, style, who);
    area_put(area, row, 2 + WHO_COLUMNS, room - columns + 1, STYLE_TEXT, event->words);
    area_put_right(area, row, area->columns, columns, style, event->result);
}

static void actors_draw(const Scene *scene, const Area *area)
{
    const RaceProgress *race = &scene->view->race;
    panel_title(area, shown.small ? (scene->spec->consumers || scene->spec->watchdogs ? _("ACTORS") : _("USERS"))
                             : _("LAST STEPS"),
                shown.small ? _("got, does next") : NULL);
    for (int i = 0; i < shown.count && i < area->rows - 1; i++) {
        if (shown.small)
            actor_draw(scene, area, 1 + i, &race->actor[i]);
        else
            event_draw(scene, area, 1 + i, &race->recent[i]);
    }
}

const Panel panel_actors = {"actors", 6, 3, actors_update, actors_draw};
