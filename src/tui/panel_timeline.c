/* Step mode: what was done. A column an actor, a row a step, with the value each step returned. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/schedule.h"
#include "engine/step_kind.h"
#include "tui/hits.h"
#include "tui/panel.h"

enum {
    GAP_COLUMNS = 2,
    MOST_COLUMNS = 34,
    MARK_COLUMNS = 1, /* for the signs that there is more */
    WORDS_FROM = 12, /* in narrower columns the words may run on beyond them */
    WORDS_LEAST = 4,
    LEAST_ROWS = 4
};

typedef enum LineKind { LINE_MOVE, LINE_REPLY, LINE_ANSWER } LineKind;

/* One line: a move, the late reply to an earlier one, or the answer that came of either. */
typedef struct Line {
    LineKind kind;
    int row; /* of the view */
} Line;

static struct {
    int count;
    Line line[MAX_PLAN * 3];
    int rows; /* in sight, without the head */
    int number; /* columns of a move's number, and the blank behind it */
    bool names; /* too narrow for the steps' words: their names */
} shown;

static void add(LineKind kind, int row)
{
    shown.line[shown.count++] = (Line){kind, row};
}

/* The replies that came because this move set others free. */
static void add_late(const StepView *view, int index)
{
    for (int i = 0; i < index; i++) {
        const StepRow *row = &view->row[i];
        if (row->waits || row->waited_until != index) continue;
        add(LINE_REPLY, i);
        if (row->answered) add(LINE_ANSWER, i);
    }
}

static bool is_late(const StepRow *row)
{
    return row->waits || row->waited_until >= 0;
}

static int timeline_update(const Scene *scene, int columns)
{
    (void)columns;
    shown.count = 0;
    shown.number = 3;
    if (!scene->step || scene->step->view.actors == 0) return 0;
    const StepView *view = &scene->step->view;
    if (view->rows >= 100) shown.number++;
    for (int i = 0; i < view->rows; i++) {
        add(LINE_MOVE, i);
        if (view->row[i].answered && !is_late(&view->row[i])) add(LINE_ANSWER, i);
        add_late(view, i);
    }
    return 1 + shown.count;
}

static int column_width(const Area *area, int actors)
{
    int room = area->columns - shown.number - MARK_COLUMNS;
    int width = (room + GAP_COLUMNS) / actors - GAP_COLUMNS;
    if (width > MOST_COLUMNS) width = MOST_COLUMNS;
    return width < 1 ? 1 : width;
}

static int column_at(const Area *area, int actors, int actor)
{
    return shown.number + actor * (column_width(area, actors) + GAP_COLUMNS);
}

/* Too narrow for both: nobody else has anything in this row, so the words run on beyond their column.
 * At the right edge there is nothing beyond; there they begin earlier, with the actor's name. */
static void cell_run_on(const StepView *view, const Area *area, int row, int actor, Style style, const char *words,
                        Style value_style, const char *value)
{
    int at = column_at(area, view->actors, actor);
    int end = area->columns - MARK_COLUMNS;
    int needed = text_columns(words) + 1 + text_columns(value);
    char named[300];
    snprintf(named, sizeof named, "%s", words);
    if (at + needed > end) {
        snprintf(named, sizeof named, _("%s: %s"), view->actor[actor].name, words);
        at = end - text_columns(named) - 1 - text_columns(value);
        if (at < shown.number) at = shown.number;
    }
    int room = end - at - 1 - text_columns(value);
    int next = room > 0 ? area_put(area, row, at, room, style, named) + 1 : at;
    area_put(area, row, next, end - next, value_style, value);
}

/* Words on the left, the value on the right, whole as long as there is any room for it. */
static void cell_draw(const StepView *view, const Area *area, int row, int actor, Style style, const char *words,
                      Style value_style, const char *value)
{
    int at = column_at(area, view->actors, actor), width = column_width(area, view->actors);
    int columns = text_columns(value);
    if (width < WORDS_FROM && text_columns(words) + 1 + columns > width) {
        cell_run_on(view, area, row, actor, style, words, value_style, value);
        return;
    }
    int most = width >= WORDS_FROM ? width - WORDS_LEAST - 1 : width;
    if (columns > most) columns = most;
    int room = width - columns - 1;
    if (room > 0) area_put(area, row, at, room, style, words);
    area_put_right(area, row, at + width, columns, value_style, value);
}

/* The words where all of them fit; else, for all alike, the names that the code uses. */
static void choose_names(const StepView *view, int width)
{
    shown.names = false;
    for (int i = 0; i < view->rows && !shown.names; i++) {
        const StepRow *row = &view->row[i];
        shown.names = row->actor < view->actors &&
                      text_columns(row->words) + 1 + text_columns(row->result) > width;
    }
}

static void move_draw(const StepView *view, const Area *area, int row, int index)
{
    const StepRow *move = &view->row[index];
    bool last = index == view->rows - 1, late = is_late(move);
    char number[12];
    snprintf(number, sizeof number, "%d", index + 1);
    area_put_right(area, row, shown.number - 1, shown.number - 1, STYLE_QUIET, number);
    Style style = last ? STYLE_STRONG : STYLE_TEXT;
    if (move->actor >= view->actors) { /* of the world itself: the clock, a node */
        char strike[300];
        snprintf(strike, sizeof strike, _("%s: %s"), move->command, move->words);
        area_put(area, row, shown.number, 0, STYLE_WARN, strike);
        return;
    }
    Style value_style = late || move->status ? STYLE_WARN : last ? STYLE_FRESH : STYLE_TEXT;
    cell_draw(view, area, row, move->actor, style,
              shown.names ? step_kinds[move->step].name : move->words, value_style, late ? _("WAITS") : move->result);
}

static void reply_draw(const StepView *view, const Area *area, int row, int index)
{
    const StepRow *move = &view->row[index];
    char since[60];
    snprintf(since, sizeof since, _("(since %d)"), index + 1);
    cell_draw(view, area, row, move->actor, STYLE_QUIET, since,
              move->status ? STYLE_WARN : STYLE_TEXT, move->result);
}

static void answer_draw(const StepView *view, const Area *area, int row, int index)
{
    const StepRow *move = &view->row[index];
    int width = column_width(area, view->actors);
    char text[120];
    int used = snprintf(text, sizeof text, "= %s", answer_words(move->answer));
    if (move->answer_id && width >= MOST_COLUMNS)
        snprintf(text + used, sizeof text - (size_t)used, " %lld", (long long)move->answer_id);
    area_put(area, row, column_at(area, view->actors, move->actor), width, STYLE_STRONG, text);
}

/* "consumer", "watchdog n2" */
static void role_words(const Spec *spec, const StepActor *actor, char *text, size_t size)
{
    const char *role = actor->role == ROLE_CONSUMER ? _("consumer") : _("watchdog");
    if (spec->nodes > 1)
        snprintf(text, size, "%s n%d", role, actor->node + 1);
    else
        snprintf(text, size, "%s", role);
}

static void head_draw(const Scene *scene, const Area *area)
{
    const StepView *view = &scene->step->view;
    int width = column_width(area, view->actors);
    for (int i = 0; i < view->actors; i++) {
        char user[60];
        int at = column_at(area, view->actors, i);
        Style style = i == scene->hand ? STYLE_CHOSEN : STYLE_TITLE;
        int end = area_put(area, 0, at, width, style, view->actor[i].name);
        if (view->actor[i].role == ROLE_USER)
            snprintf(user, sizeof user, _("user %lld"), (long long)view->actor[i].user);
        else
            role_words(scene->spec, &view->actor[i], user, sizeof user);
        if (at + width - end - 2 >= text_columns(user))
            area_put(area, 0, end + 2, 0, STYLE_QUIET, user);
        hits_add(area, 0, at, width, HIT_ACTOR, i);
    }
}

int panel_timeline_rows(void)
{
    return shown.rows;
}

int panel_timeline_lines(void)
{
    return shown.count;
}

static void timeline_draw(const Scene *scene, const Area *area)
{
    static void (*const draw[])(const StepView *, const Area *, int, int) = {
        [LINE_MOVE] = move_draw, [LINE_REPLY] = reply_draw, [LINE_ANSWER] = answer_draw};
    const StepView *view = &scene->step->view;
    head_draw(scene, area);
    choose_names(view, column_width(area, view->actors));
    Area lines = area_part(area, 1, 0, area->rows - 1, area->columns);
    shown.rows = lines.rows;
    /* The end is in sight, unless the learner scrolled back. */
    int first = scroll_kept(shown.count - lines.rows - scene->timeline_back, lines.rows, shown.count);
    for (int i = 0; i < lines.rows && first + i < shown.count; i++) {
        const Line *line = &shown.line[first + i];
        draw[line->kind](view, &lines, i, line->row);
    }
    scroll_marks(&lines, first, shown.count);
}

const Panel panel_timeline = {"timeline", 1, LEAST_ROWS, timeline_update, timeline_draw};
