/* The course: all lessons on the left, the chosen one's words and variants on the right. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/app.h"
#include "tui/flow.h"

enum { HIT_LESSON, HIT_VARIANT };
enum { MARKS_COLUMNS = 12, LIST_LEAST = 37, LIST_MOST = 52, DETAIL_LEAST = 30, TITLE_AT = 6 };

static struct {
    int lesson, variant; /* under the hand */
    const Lesson *open;  /* what was open when the hand was last put there */
    const LessonVariant *open_variant;
    int top, rows;
} course;

/* The hand follows what is opened elsewhere. */
static void hand_follow(const App *app)
{
    if (course.open == app->lesson && course.open_variant == app->variant) return;
    course.open = app->lesson;
    course.open_variant = app->variant;
    course.lesson = app_lesson_index(app);
    course.variant = app_variant_index(app);
}

static int raced_count(const App *app, const Lesson *lesson)
{
    int count = 0;
    for (int i = 0; i < lesson->variant_count; i++)
        count += progress_raced(app->progress, lesson->name, lesson->variants[i].name);
    return count;
}

static void lesson_draw(const App *app, const Area *area, int row, int index)
{
    const Lesson *lesson = &app->course->lessons[index];
    bool chosen = index == course.lesson;
    Style style = chosen ? STYLE_CHOSEN : STYLE_TEXT;
    if (chosen) area_put(area, row, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
    area_put(area, row, 2, 3, chosen ? STYLE_CHOSEN : STYLE_QUIET, lesson->number);
    area_put(area, row, TITLE_AT, area->columns - TITLE_AT - MARKS_COLUMNS, style,
             lesson_text(lesson)->title);

    int raced = raced_count(app, lesson);
    if (progress_read(app->progress, lesson->name))
        area_put(area, row, area->columns - 9, 1, STYLE_KEPT, theme_glyph(GLYPH_DONE));
    char text[32];
    snprintf(text, sizeof text, "%d/%d", raced, lesson->variant_count);
    area_put_right(area, row, area->columns, 6,
                   raced == lesson->variant_count ? STYLE_KEPT : STYLE_QUIET, text);
    hits_add(area, row, 0, area->columns, HIT_LESSON, index);
}

static void list_draw(const App *app, const Area *area)
{
    area_put(area, 0, 0, 0, STYLE_TITLE, _("LESSONS"));
    area_put_right(area, 0, area->columns - 8, 10, STYLE_QUIET, _("read"));
    area_put_right(area, 0, area->columns, 6, STYLE_QUIET, _("raced"));
    Area list = area_part(area, 1, 0, area->rows - 1, area->columns);
    course.rows = list.rows;
    if (course.lesson < course.top) course.top = course.lesson;
    if (course.lesson >= course.top + list.rows) course.top = course.lesson - list.rows + 1;
    course.top = scroll_kept(course.top, list.rows, app->course->count);
    for (int row = 0; row < list.rows && course.top + row < app->course->count; row++)
        lesson_draw(app, &list, row, course.top + row);
}

/* That it has an exercise, and whether that is solved. Returns the columns used. */
static int exercise_mark(const App *app, const Area *area, int row, const Lesson *lesson,
                         const LessonVariant *variant)
{
    char text[80];
    if (!variant->exercise) return 0;
    bool solved = progress_solved(app->progress, lesson->name, variant->name);
    snprintf(text, sizeof text, "%s%s%s", _("exercise"), solved ? " " : "", solved ? theme_glyph(GLYPH_DONE) : "");
    int columns = text_columns(text);
    area_put_right(area, row, area->columns, columns, solved ? STYLE_KEPT : STYLE_ACCENT, text);
    return columns;
}

static int variant_draw(const App *app, const Area *area, int row, const Lesson *lesson, int index)
{
    const LessonVariant *variant = &lesson->variants[index];
    bool chosen = index == course.variant;
    if (chosen) area_put(area, row, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
    int raced = progress_raced(app->progress, lesson->name, variant->name);
    area_put(area, row, 2, 0, chosen ? STYLE_CHOSEN : STYLE_TEXT, variant->name);
    if (raced) area_put(area, row, area->columns - 1, 1, STYLE_KEPT, theme_glyph(GLYPH_DONE));
    hits_add(area, row, 0, area->columns, HIT_VARIANT, index);
    int room = area->columns - 6 - exercise_mark(app, area, row + 1, lesson, variant);
    area_put(area, row + 1, 4, room, STYLE_QUIET, variant_text(variant)->title);
    return row + 2;
}

/* How the lesson begins, where all of it has room. */
static void begin_draw(const LessonText *text, const Area *area, int row)
{
    if (text->section_count == 0) return;
    Flow flow = {0};
    flow_text(&flow, STYLE_TITLE, text->sections[0].heading, area->columns, 0);
    flow_blocks(&flow, text->sections[0].blocks, text->sections[0].block_count, area->columns);
    Area part = area_part(area, row, 0, flow.lines, area->columns);
    if (part.rows == flow.lines) flow_draw(&flow, &part, 0);
    flow_free(&flow);
}

static void detail_draw(const App *app, const Area *area)
{
    const Lesson *lesson = &app->course->lessons[course.lesson];
    const LessonText *text = lesson_text(lesson);
    Flow flow = {0};
    flow_text(&flow, STYLE_STRONG, text->title, area->columns, 0);
    flow_text(&flow, STYLE_TEXT, text->summary, area->columns, 0);
    flow_draw(&flow, area, 0);
    int row = flow.lines + 1;
    flow_free(&flow);

    area_put(area, row, 0, 0, STYLE_TITLE, _("VARIANTS"));
    area_put_right(area, row, area->columns, 12, STYLE_QUIET, _("raced"));
    row++;
    /* Too many for the room: begin where the chosen one is in sight. */
    int fit = (area->rows - row) / 2, first = 0;
    if (fit < 1) fit = 1;
    if (course.variant >= fit) first = course.variant - fit + 1;
    for (int i = first; i < lesson->variant_count && i < first + fit; i++)
        row = variant_draw(app, area, row, lesson, i);
    begin_draw(text, area, row + 1);
}

static void course_draw(App *app, const Area *area)
{
    hand_follow(app);
    int list = area->columns * 2 / 5;
    if (list < LIST_LEAST) list = LIST_LEAST;
    if (list > LIST_MOST) list = LIST_MOST;
    bool both = area->columns >= list + 5 + DETAIL_LEAST;
    Area left = area_part(area, 0, 1, area->rows, both ? list : area->columns - 2);
    list_draw(app, &left);
    if (!both) return;
    area_rule(area, 1 + list + 2);
    Area right = area_part(area, 0, 1 + list + 5, area->rows, area->columns - list - 7);
    if (right.columns > 90) right.columns = 90;
    detail_draw(app, &right);
}

static void course_choose(App *app)
{
    const Lesson *lesson = &app->course->lessons[course.lesson];
    if (app_open(app, lesson, &lesson->variants[course.variant])) app_show(app, VIEW_LESSON);
}

static void course_move(App *app, Motion motion)
{
    const Lesson *lesson = &app->course->lessons[course.lesson];
    int before = course.lesson, last = app->course->count - 1;
    switch (motion) {
    case MOTION_UP:
        course.lesson--;
        break;
    case MOTION_DOWN:
        course.lesson++;
        break;
    case MOTION_PAGE_UP:
        course.lesson -= course.rows;
        break;
    case MOTION_PAGE_DOWN:
        course.lesson += course.rows;
        break;
    case MOTION_HOME:
        course.lesson = 0;
        break;
    case MOTION_END:
        course.lesson = last;
        break;
    case MOTION_LEFT:
        course.variant = (course.variant + lesson->variant_count - 1) % lesson->variant_count;
        break;
    case MOTION_RIGHT:
    case MOTION_TAB:
        course.variant = (course.variant + 1) % lesson->variant_count;
        break;
    case MOTION_CHOOSE:
        course_choose(app);
        return;
    }
    if (course.lesson < 0) course.lesson = 0;
    if (course.lesson > last) course.lesson = last;
    if (course.lesson != before) course.variant = 0;
}

static void course_click(App *app, const Hit *hit)
{
    bool again =
        hit->what == HIT_LESSON ? course.lesson == hit->argument : course.variant == hit->argument;
    if (hit->what == HIT_LESSON && !again) {
        course.lesson = hit->argument;
        course.variant = 0;
    }
    if (hit->what == HIT_VARIANT) course.variant = hit->argument;
    if (again) course_choose(app); /* a second click opens */
}

const View view_course = {"course", N_("Course"), course_draw, course_move, course_click, NULL};
