/* Step mode: what each actor will send next, or what it waits for, or what it was told. */
#include <stdio.h>

#include "base/i18n.h"
#include "engine/schedule.h"
#include "tui/hits.h"
#include "tui/panel.h"

enum { LETTER_AT = 2, WORDS_AT = 5 };

static int next_update(const Scene *scene, int columns)
{
    (void)columns;
    if (!scene->step || !scene->step->view.actors) return 0;
    return 1 + scene->step->view.actors + (scene->step->view.leases > 1);
}

/* Of several leases: the one that the clock ends next. */
static void lease_draw(const Scene *scene, const Area *area, int row)
{
    const StepView *view = &scene->step->view;
    int chosen = scene->lease % view->leases;
    area_put(area, row, LETTER_AT, 1, STYLE_KEY, "k");
    area_format(area, row, WORDS_AT, STYLE_TEXT, _("ends %s (%d of %d, y: another)"), view->lease[chosen], chosen + 1,
                view->leases);
}

static void waiting_words(const StepActor *actor, char *text, size_t size)
{
    if (actor->waits_for >= 0)
        snprintf(text, size, _("waits for %s: %s"), actor->waits_for_name,
                 actor->waiting_on);
    else
        snprintf(text, size, _("waits for %s"), actor->waiting_on);
}

/* What the server said no to in the actor's last step; NULL when it said yes. */
static const char *refusal_of(const StepView *view, int actor)
{
    for (int i = view->rows - 1; i >= 0; i--)
        if (view->row[i].actor == actor) return view->row[i].status ? view->row[i].result : NULL;
    return NULL;
}

static void answer_text(const StepActor *actor, const char *refusal, char *text, size_t size)
{
    if (!actor->answered)
        snprintf(text, size, "%s", _("is done"));
    else if (refusal && actor->answer == ANSWER_ERROR)
        snprintf(text, size, _("= %s: %s"), answer_words(actor->answer), refusal);
    else if (actor->answer_id)
        snprintf(text, size, "= %s %lld", answer_words(actor->answer), (long long)actor->answer_id);
    else
        snprintf(text, size, "= %s", answer_words(actor->answer));
}

static void actor_draw(const Scene *scene, const Area *area, int row, int index)
{
    const StepActor *actor = &scene->step->view.actor[index];
    char text[240];
    Style style = STYLE_QUIET;
    if (actor->state == ACTOR_AT_GATE) {
        snprintf(text, sizeof text, "%s", actor->command);
        style = STYLE_TEXT;
    } else if (actor->state == ACTOR_WAITING) {
        waiting_words(actor, text, sizeof text);
        style = STYLE_WARN;
    } else if (actor->state == ACTOR_DONE && actor->role != ROLE_USER) {
        snprintf(text, sizeof text, "%s", _("was ended by an error"));
        style = STYLE_WARN;
    } else if (actor->state == ACTOR_DEAD) {
        snprintf(text, sizeof text, "%s", _("is dead"));
        style = STYLE_WARN;
    } else {
        answer_text(actor, refusal_of(&scene->step->view, index), text, sizeof text);
    }
    bool hand = index == scene->hand;
    if (hand) area_put(area, row, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
    area_put(area, row, LETTER_AT, WORDS_AT - LETTER_AT - 1, hand ? STYLE_CHOSEN : STYLE_STRONG,
             actor->name);
    area_put(area, row, WORDS_AT, 0, style, text);
    hits_add(area, row, 0, area->columns, HIT_ACTOR, index);
}

static void next_draw(const Scene *scene, const Area *area)
{
    /* Without room for all, the title goes first. */
    int actors = scene->step->view.actors, row = 0;
    if (area->rows > actors + (scene->step->view.leases > 1)) {
        panel_title(area, _("NEXT"), NULL);
        row = 1;
    }
    int first = scene->hand >= area->rows - row ? scene->hand - (area->rows - row) + 1 : 0;
    for (int i = first; i < actors && row < area->rows; i++) actor_draw(scene, area, row++, i);
    if (scene->step->view.leases > 1 && row < area->rows) lease_draw(scene, area, row);
}

const Panel panel_next = {"next", 0, 1, next_update, next_draw};
