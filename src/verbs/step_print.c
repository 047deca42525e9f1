#include "verbs/step_print.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/text.h"

/* ---- the timeline: a column an actor, a row a step ------------------------------------------ */

enum { NUMBER = 4, GAP = 2, LEAST_COLUMN = 10 };

/* One line of it: something that one actor did or was told. */
typedef struct TimeLine {
    int number; /* of the move; 0: no move of its own */
    int actor;  /* NOBODY: the clock, or a crash */
    char text[200];
} TimeLine;

enum { NOBODY = -1 };

typedef struct Timeline {
    int count, actors;
    int width[STEP_ACTORS];
    TimeLine line[MAX_PLAN * 3];
} Timeline;

static void add_line(Timeline *timeline, int number, int actor, const char *text)
{
    TimeLine *line = &timeline->line[timeline->count++];
    line->number = number;
    line->actor = actor;
    snprintf(line->text, sizeof line->text, "%s", text);
    if (actor == NOBODY) return;
    int columns = text_columns(line->text);
    if (columns > timeline->width[actor]) timeline->width[actor] = columns;
}

static void add_answer(Timeline *timeline, const StepRow *row)
{
    char text[200];
    if (!row->answered) return;
    if (row->answer_id)
        snprintf(text, sizeof text, "= %s %lld", answer_words(row->answer),
                 (long long)row->answer_id);
    else
        snprintf(text, sizeof text, "= %s", answer_words(row->answer));
    add_line(timeline, 0, row->actor, text);
}

/* The replies that came when this move set others free. */
static void add_late_replies(Timeline *timeline, const StepView *view, int index)
{
    for (int i = 0; i < index; i++) {
        const StepRow *row = &view->row[i];
        if (row->waits || row->waited_until != index) continue;
        char text[200];
        snprintf(text, sizeof text, _("waited since %d: %s"), i + 1, row->result);
        add_line(timeline, 0, row->actor, text);
        add_answer(timeline, row);
    }
}

static void add_strike(Timeline *timeline, const StepView *view, int index)
{
    const StepRow *row = &view->row[index];
    char text[200];
    snprintf(text, sizeof text, _("-- %s: %s --"), row->command, row->words);
    add_line(timeline, index + 1, NOBODY, text);
    add_late_replies(timeline, view, index);
}

static void add_row(Timeline *timeline, const StepView *view, int index)
{
    const StepRow *row = &view->row[index];
    if (row->actor >= view->actors) {
        add_strike(timeline, view, index);
        return;
    }
    bool late = row->waits || row->waited_until >= 0;
    char text[200];
    snprintf(text, sizeof text, _("%s: %s"), row->words, late ? _("WAITS") : row->result);
    add_line(timeline, index + 1, row->actor, text);
    if (!late) add_answer(timeline, row);
    add_late_replies(timeline, view, index);
}

/* On a terminal all columns together must fit; elsewhere they are as wide as they need. */
static void fit_widths(Timeline *timeline)
{
    struct winsize size;
    int room = -1;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        room = (size.ws_col - NUMBER) / timeline->actors - GAP;
    for (int i = 0; i < timeline->actors; i++) {
        int *width = &timeline->width[i];
        if (room >= 0 && *width > room) *width = room;
        if (*width < LEAST_COLUMN) *width = LEAST_COLUMN;
    }
}

/* Blanks up to the actor's column, then its text. */
static void print_cell(const Timeline *timeline, const char *number, int actor, const char *text)
{
    int before = 0;
    for (int i = 0; i < actor; i++) before += timeline->width[i] + GAP;
    char cell[900];
    if (actor == NOBODY) {
        printf("%*s%*s%s\n", NUMBER - GAP, number, GAP, "", text);
        return;
    }
    text_cut(cell, sizeof cell, text, timeline->width[actor], "…");
    printf("%*s%*s%s\n", NUMBER - GAP, number, GAP + before, "", cell);
}

static void print_head(const Timeline *timeline, const StepView *view)
{
    Text head = {0};
    text_format(&head, "%*s", NUMBER, "");
    for (int i = 0; i < timeline->actors; i++) {
        char title[60], cell[900];
        if (view->actor[i].role == ROLE_USER)
            snprintf(title, sizeof title, _("%s (user %lld)"), view->actor[i].name, (long long)view->actor[i].user);
        else
            snprintf(title, sizeof title, "%s", view->actor[i].name);
        text_pad(cell, sizeof cell, title, timeline->width[i] + GAP, TEXT_LEFT);
        text_append(&head, cell);
    }
    while (head.length > 0 && head.data[head.length - 1] == ' ') head.data[--head.length] = '\0';
    printf("%s\n", text_string(&head));
    text_free(&head);
}

static void print_timeline(const StepView *view)
{
    static Timeline timeline;
    timeline = (Timeline){.actors = view->actors};
    for (int i = 0; i < view->actors; i++) timeline.width[i] = LEAST_COLUMN + 2;
    for (int i = 0; i < view->rows; i++) add_row(&timeline, view, i);
    fit_widths(&timeline);
    print_head(&timeline, view);
    for (int i = 0; i < timeline.count; i++) {
        char number[12] = "";
        if (timeline.line[i].number) snprintf(number, sizeof number, "%d", timeline.line[i].number);
        print_cell(&timeline, number, timeline.line[i].actor, timeline.line[i].text);
    }
}

/* ---- what stands after it -------------------------------------------------------------------- */

static void print_waiting(const StepActor *actor, const char *name)
{
    if (actor->waits_for >= 0)
        printf(_("%s waits for %s, which %s holds: %s\n"), name, actor->waiting_on,
               actor->waits_for_name, actor->command);
    else
        printf(_("%s waits for %s: %s\n"), name, actor->waiting_on, actor->command);
}

static void print_standing(const StepView *view)
{
    if (view->over) return;
    printf("\n");
    for (int i = 0; i < view->actors; i++) {
        const StepActor *actor = &view->actor[i];
        if (actor->state == ACTOR_WAITING) print_waiting(actor, actor->name);
        if (actor->state == ACTOR_AT_GATE) printf(_("%s would send next: %s\n"), actor->name, actor->command);
    }
}

static void print_truth(const StepRun *run)
{
    const Snapshot *truth = &run->view.truth;
    printf("\n");
    if (run->spec->stock_in_sql && truth->sql_ok)
        printf(_("database: stock %ld, orders %ld\n"), truth->stock, truth->orders);
    else if (truth->sql_ok && run->spec->stock_in_redis)
        printf(_("database: orders %ld\n"), truth->orders);
    if (truth->has_redis_stock) printf(_("Redis: stock %ld\n"), truth->redis_stock);
}

static void print_verdicts(const StepView *view)
{
    static const struct {
        const char *sign, *word;
    } states[] = {
        [VERDICT_NONE] = {" ", ""},
        [VERDICT_UNKNOWN] = {"?", N_("unknown")},
        [VERDICT_KEPT] = {"=", N_("kept")},
        [VERDICT_BROKEN] = {"x", N_("BROKEN")},
    };
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const Verdict *verdict = &view->verdict[i];
        if (verdict->state == VERDICT_NONE) continue;
        char name[80], word[80];
        text_pad(name, sizeof name, invariant_name((Invariant)i), 18, TEXT_LEFT);
        text_pad(word, sizeof word, _(states[verdict->state].word), 8, TEXT_LEFT);
        if (!*verdict->detail) snprintf(word, sizeof word, "%s", _(states[verdict->state].word));
        printf("  %s %s %s%s%s\n", states[verdict->state].sign, name, word,
               *verdict->detail ? " " : "", verdict->detail);
    }
}

void step_print(const StepRun *run)
{
    const StepView *view = &run->view;
    printf(_("%s %s  %s: %s\n\n"), run->lesson->number, lesson_text(run->lesson)->title,
           run->variant->name, variant_text(run->variant)->title);
    print_timeline(view);
    print_standing(view);
    print_truth(run);
    print_verdicts(view);
    printf("\n");
    printf(ngettext("%d move, ", "%d moves, ", (unsigned long)view->rows), view->rows);
    printf(ngettext("%d switch", "%d switches", (unsigned long)view->preemptions),
           view->preemptions);
    printf("\n%s\n", run->line);
}
