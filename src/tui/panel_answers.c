/* What the users were told. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/glow.h"
#include "tui/panel.h"

static struct {
    Glow glow[ANSWER_COUNT];
    long answered, total;
} shown;

static int answers_update(const Scene *scene, int columns)
{
    (void)columns;
    const long *answers = NULL;
    shown.answered = shown.total = 0;
    if (scene->racing && scene->current) {
        answers = scene->view->race.answers;
        shown.answered = scene->view->race.answered;
        shown.total = scene->view->race.total;
    } else if (scene->report) {
        answers = scene->report->answers;
        shown.answered = scene->report->answered;
        shown.total = (long)scene->report->spec.users * scene->report->spec.requests;
    }
    if (!answers) return 0;

    int rows = 2;
    for (int i = 0; i < ANSWER_COUNT; i++) {
        glow_set(&shown.glow[i], answers[i], scene->now_ns);
        rows += answers[i] > 0;
    }
    return rows;
}

static void answers_draw(const Scene *scene, const Area *area)
{
    char answered[32], total[32], of[80], number[32];
    number_grouped(answered, sizeof answered, shown.answered);
    number_grouped(total, sizeof total, shown.total);
    snprintf(of, sizeof of, _("%s of %s"), answered, total);
    panel_title(area, _("ANSWERS"), of);
    area_bar(area, 1, 2, area->columns - 2, STYLE_ACCENT, shown.answered, shown.total);
    int row = 2;
    for (int i = 0; i < ANSWER_COUNT; i++) {
        const Glow *glow = &shown.glow[i];
        if (glow->value == 0) continue;
        bool trouble = i == ANSWER_ERROR || i == ANSWER_UNKNOWN;
        Style style = glow_lit(glow, scene->now_ns) ? STYLE_FRESH
                      : trouble                     ? STYLE_WARN
                                                    : STYLE_TEXT;
        panel_number(area, row++, answer_words((AnswerKind)i), style,
                     number_grouped(number, sizeof number, glow->value));
    }
}

const Panel panel_answers = {"answers", 3, 3, answers_update, answers_draw};
