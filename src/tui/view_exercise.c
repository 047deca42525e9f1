/* The exercise: what is to be done, how the last check went, the hints so far, and the learner's script with the line that
 * Redis complains about. Wide screens show the words and the script side by side. */
#include "tui/view_exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do_exercise.h"
#include "tui/flow.h"

enum { WIDE = 110, TEXT_MOST = 76, HANG = 4 };

typedef enum Goto { GOTO_NOWHERE, GOTO_RESULT, GOTO_HINTS } Goto;

static struct {
    int top, rows, lines;
    Goto next;
} shown;

void view_exercise_start(void)
{
    shown.top = 0;
    shown.next = GOTO_NOWHERE;
}

void view_exercise_to_result(void)
{
    shown.next = GOTO_RESULT;
}

void view_exercise_to_hints(void)
{
    shown.next = GOTO_HINTS;
}

/* Where the parts of the page begin. */
typedef struct Places {
    int result, hints;
} Places;

static void indented(Flow *flow, Style style, const char *text, int columns)
{
    enum { INDENT = 2 };
    int first = flow->run_count;
    flow_text(flow, style, text, columns - INDENT, 0);
    for (int i = first; i < flow->run_count; i++) flow->runs[i].column += INDENT;
}

static void title(Flow *flow, const char *text, int columns)
{
    if (flow->lines > 0) flow_blank(flow);
    flow_text(flow, STYLE_TITLE, text, columns, 0);
}

static const ExerciseText *words(const App *app)
{
    return &app->variant->exercise->text[i18n_language()];
}

/* ---- the check ------------------------------------------------------------------------------- */

static void check_add(Flow *flow, const Exam *exam, ExamCheck check, int columns)
{
    static const struct {
        Style style;
        Glyph glyph;
    } looks[] = {
        [EXAM_OPEN] = {STYLE_QUIET, GLYPH_UNKNOWN},
        [EXAM_PASSED] = {STYLE_KEPT, GLYPH_KEPT},
        [EXAM_FAILED] = {STYLE_BROKEN, GLYPH_BROKEN},
        [EXAM_LEFT_OUT] = {STYLE_QUIET, GLYPH_UNKNOWN},
    };
    Text line = {0};
    ExamMark mark = exam->mark[check];
    text_format(&line, "%s %s", theme_glyph(looks[mark].glyph), exam_check_words(check));
    if (mark == EXAM_LEFT_OUT) text_format(&line, "  %s", _("(not come to)"));
    flow_text(flow, looks[mark].style, text_string(&line), columns, HANG);
    if (exam->detail[check][0]) indented(flow, STYLE_TEXT, exam->detail[check], columns);
    text_free(&line);
}

static void races_add(Flow *flow, const Exam *exam, int columns)
{
    for (int i = 0; i < EXAM_RACES; i++) {
        const ExamRace *race = &exam->race[i];
        char sold[160];
        if (!race->done || exam->mark[EXAM_SELLS] != EXAM_PASSED) continue;
        snprintf(sold, sizeof sold, _("%d buyers, %ld in stock: %ld sold"), race->users, race->stock, race->sold);
        indented(flow, STYLE_QUIET, sold, columns);
    }
}

static void error_add(Flow *flow, const Exam *exam, int columns)
{
    char line[600];
    if (!exam->error[0]) return;
    snprintf(line, sizeof line, _("Redis says: %s"), exam->error);
    indented(flow, STYLE_WARN, line, columns);
}

static void explored_add(Flow *flow, const Exam *exam, int columns)
{
    char line[300];
    if (exam->schedules == 0 || exam->mark[EXAM_EXPLORED] == EXAM_OPEN) return;
    snprintf(line, sizeof line,
             ngettext("%ld schedule run, which stands for %.0f", "%ld schedules run, which stand for %.0f",
                      (unsigned long)exam->schedules),
             exam->schedules, exam->unpruned);
    indented(flow, STYLE_QUIET, line, columns);
    for (int i = 0; i < EXAM_WORLDS; i++)
        if (exam->covers[i][0]) indented(flow, STYLE_QUIET, exam->covers[i], columns);
    if (exam_has_counterexample(exam))
        indented(flow, STYLE_ACCENT, _("s steps through the shortest that shows it."), columns);
}

static void result_add(const App *app, Flow *flow, int columns)
{
    static const Exam nothing;
    const ExamState *state = exercise_exam_state(app);
    const Exam *exam = state ? &state->exam : &nothing;
    title(flow, _("CHECKS"), columns);
    if (exam->troubled) flow_text(flow, STYLE_WARN, exam->trouble.text, columns, 0);
    for (int i = 0; i < EXAM_CHECKS; i++) {
        check_add(flow, exam, (ExamCheck)i, columns);
        if (exam->error[0] && exam_failed(exam) == (ExamCheck)i) error_add(flow, exam, columns);
        if (i == EXAM_SELLS) races_add(flow, exam, columns);
    }
    explored_add(flow, exam, columns);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void task_add(const App *app, Flow *flow, int columns)
{
    char heading[200];
    snprintf(heading, sizeof heading, _("EXERCISE: %s"), app->variant->exercise->script);
    title(flow, heading, columns);
    flow_blocks(flow, words(app)->task.blocks, words(app)->task.count, columns);
}

static void solution_add(const App *app, Flow *flow, int columns)
{
    Error error;
    char *text = exercise_text(app->variant->exercise->solution, &error);
    title(flow, _("SOLUTION"), columns);
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, "\n");
        flow_line(flow, STYLE_CODE, at, length, columns);
        at += length + (at[length] == '\n');
    }
    if (!text) flow_text(flow, STYLE_WARN, error.text, columns, 0);
    free(text);
    flow_blank(flow);
    flow_blocks(flow, words(app)->solution.blocks, words(app)->solution.count, columns);
}

/* The newest is what was just asked for: `places` says where it is. */
static void hints_add(const App *app, Flow *flow, int columns, Places *places)
{
    int hints = exercise_hints(app);
    for (int i = 0; i < hints && i < EXERCISE_HINTS; i++) {
        char heading[80];
        snprintf(heading, sizeof heading, _("HINT %d of %d"), i + 1, EXERCISE_HINTS);
        places->hints = flow->lines;
        title(flow, heading, columns);
        flow_blocks(flow, words(app)->hint[i].blocks, words(app)->hint[i].count, columns);
    }
    if (hints <= EXERCISE_HINTS) return;
    places->hints = flow->lines;
    solution_add(app, flow, columns);
}

/* ---- the script ------------------------------------------------------------------------------ */

static bool is_comment(const char *line)
{
    return strncmp(line + strspn(line, " \t"), "--", 2) == 0;
}

static void line_add(Flow *flow, int number, bool telling, const char *line, size_t length, int columns)
{
    char clean[400], whole[440];
    text_clean(clean, sizeof clean, line, length);
    for (char *tab; (tab = strstr(clean, "\\t"));) memcpy(tab, "  ", 2); /* as the eye would have it */
    snprintf(whole, sizeof whole, "%s%3d  %s", telling ? theme_glyph(GLYPH_HERE) : " ", number, clean);
    Style style = telling ? STYLE_BROKEN : is_comment(clean) ? STYLE_QUIET : STYLE_TEXT;
    flow_line(flow, style, whole, strlen(whole), columns);
}

static void script_add(const App *app, Flow *flow, int columns)
{
    const ExamState *state = exercise_exam_state(app);
    const OwnScript *own = app->variant->small.own;
    char path[EXERCISE_PATH], shown_path[EXERCISE_PATH];
    int telling = state ? state->exam.error_line : 0, number = 1;
    title(flow, _("YOUR SCRIPT"), columns);
    exercise_path(app->lesson, app->variant->exercise, path);
    flow_text(flow, STYLE_QUIET, exercise_path_short(path, shown_path), columns, 0);
    for (const char *at = own ? own->text : ""; *at; number++) {
        size_t length = strcspn(at, "\n");
        size_t bare = length > 0 && at[length - 1] == '\r' ? length - 1 : length;
        line_add(flow, number, number == telling, at, bare, columns);
        at += length + (at[length] == '\n');
    }
    if (own && !own->text[0]) flow_text(flow, STYLE_QUIET, _("(it is empty)"), columns, 0);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void follow(const Places *places)
{
    if (shown.next == GOTO_RESULT) shown.top = places->result;
    if (shown.next == GOTO_HINTS) shown.top = places->hints;
    shown.next = GOTO_NOWHERE;
}

static void page_draw(Flow *flow, const Area *area, const Places *places)
{
    shown.rows = area->rows;
    shown.lines = flow->lines;
    follow(places);
    shown.top = scroll_kept(shown.top, area->rows, flow->lines);
    flow_draw(flow, area, shown.top);
    scroll_marks(area, shown.top, flow->lines);
}

/* The words scroll; checks and script stand beside them. */
static void wide_draw(const App *app, const Area *area)
{
    Flow left = {0}, right = {0};
    Places places = {0, 0};
    Area text = *area;
    text.columns = area->columns * 47 / 100;
    if (text.columns > TEXT_MOST + 2) text.columns = TEXT_MOST + 2;
    area_rule(area, text.columns + 1);
    Area side = area_part(area, 0, text.columns + 4, area->rows, area->columns);
    task_add(app, &left, text.columns - 2);
    hints_add(app, &left, text.columns - 2, &places);
    result_add(app, &right, side.columns);
    script_add(app, &right, side.columns);
    page_draw(&left, &text, &places);
    flow_draw(&right, &side, 0);
    flow_free(&left);
    flow_free(&right);
}

/* One below the other: first what is to be done, then how it went. */
static void narrow_draw(const App *app, const Area *area)
{
    Flow flow = {0};
    Places places = {0, 0};
    int columns = area->columns - 2;
    task_add(app, &flow, columns);
    places.result = flow.lines + 1;
    result_add(app, &flow, columns);
    hints_add(app, &flow, columns, &places);
    script_add(app, &flow, columns);
    if (places.hints > 0) places.hints++;
    page_draw(&flow, area, &places);
    flow_free(&flow);
}

static void exercise_draw(App *app, const Area *area)
{
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    if (!can_exercise(app)) return;
    if (area->columns >= WIDE)
        wide_draw(app, &inner);
    else
        narrow_draw(app, &inner);
}

static void exercise_move(App *app, Motion motion)
{
    (void)app;
    shown.top = scroll_moved(shown.top, motion, shown.rows, shown.lines);
}

static void running_state(const ExamState *state, const Area *line)
{
    const Exam *exam = &state->exam;
    int end = area_put(line, 0, 1, 0, STYLE_ACCENT, _("checking"));
    if (exam->mark[EXAM_SELLS] == EXAM_OPEN)
        area_put(line, 0, end + 2, 0, STYLE_TEXT, _("two races without faults"));
    else
        area_format(line, 0, end + 2, STYLE_TEXT, _("exploring world %d of %d: %ld schedules"), exam->world + 1,
                    state->worlds, exam->schedules + exam->explored.runs);
}

static void exercise_state(const App *app, const Area *line)
{
    const ExamState *state = exercise_exam_state(app);
    char text[300], seconds[40] = "";
    if (state && state->running) {
        running_state(state, line);
        return;
    }
    bool known = state && state->exam.over && !state->exam.troubled;
    if (known) snprintf(seconds, sizeof seconds, _("%.2f s"), state->exam.seconds);
    area_put_right(line, 0, line->columns - 1, 20, STYLE_QUIET, seconds);
    if (app->pending == PENDING_EXAM)
        area_put(line, 0, 1, 0, STYLE_QUIET, _("making the small world ready"));
    else if (state && state->exam.troubled)
        area_put(line, 0, 1, 0, STYLE_WARN, state->exam.trouble.text);
    else if (known && state->exam.passed)
        area_put(line, 0, 1, 0, STYLE_KEPT, _("Passed: nothing breaks in these worlds, and all is sold."));
    else if (known)
        area_format(line, 0, 1, STYLE_BROKEN, _("Not passed: %s."), exam_trouble_words(&state->exam));
    else
        area_put(line, 0, 1, 0, STYLE_QUIET, exercise_state_words(app, app->variant, text, sizeof text));
}

const View view_exercise = {"exercise", N_("Exercise"), exercise_draw, exercise_move, NULL, exercise_state};
