#include "tui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/popup.h"

void app_say(App *app, Style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->message, sizeof app->message, format, arguments);
    va_end(arguments);
    app->message_style = style;
    app->message_ns = app->now_ns;
}

uint64_t app_message_end(const App *app)
{
    static const uint64_t shown_ns = 6000000000;
    return app->message[0] ? app->message_ns + shown_ns : 0;
}

/* ---- where one is -------------------------------------------------------------------------------
 */

void app_show(App *app, ViewId view)
{
    if (view == app->shown) return;
    if (app->shown != VIEW_HELP) app->before = app->shown;
    app->shown = view;
    if (view == VIEW_LESSON) progress_note_read(app->progress, app->lesson->name);
}

void app_back(App *app)
{
    /* From help to where it was asked for; else one level up: report, race, lesson, course. */
    static const ViewId above[VIEW_COUNT] = {
        [VIEW_COURSE] = VIEW_COURSE,
        [VIEW_LESSON] = VIEW_COURSE,
        [VIEW_RACE] = VIEW_LESSON,
        [VIEW_REPORT] = VIEW_RACE,
    };
    app_show(app, app->shown == VIEW_HELP ? app->before : above[app->shown]);
}

int app_lesson_index(const App *app)
{
    return (int)(app->lesson - app->course->lessons);
}

int app_variant_index(const App *app)
{
    return (int)(app->variant - app->lesson->variants);
}

bool app_open(App *app, const Lesson *lesson, const LessonVariant *variant)
{
    if (!variant) variant = &lesson->variants[0];
    if (lesson == app->lesson && variant == app->variant) return true;
    if (app_busy(app)) {
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
        return false;
    }
    app->lesson = lesson;
    app->variant = variant;
    app->pending = PENDING_NOTHING;
    if (app->shown == VIEW_LESSON) progress_note_read(app->progress, lesson->name);
    progress_note_last(app->progress, lesson->name, variant->name);
    progress_save(app->progress);
    app_prepare(app);
    return true;
}

/* ---- the lab
 * ------------------------------------------------------------------------------------- */

bool app_racing(const App *app)
{
    LabPhase phase = app->view.phase;
    return phase == LAB_RACING || phase == LAB_JUDGING;
}

bool app_busy(const App *app)
{
    return app->view.phase == LAB_PREPARING || app_racing(app);
}

bool app_server_down(const App *app)
{
    for (int i = 0; i < SERVER_COUNT; i++) {
        ServerState state = app->view.server[i].state;
        if (state == SERVER_DOWN || state == SERVER_FAILED) return true;
    }
    return app->view.phase == LAB_BROKEN;
}

static bool lab_free(const App *app)
{
    return app->view.phase == LAB_IDLE || app->view.phase == LAB_DONE;
}

static void pending_send(App *app)
{
    if (app->pending == PENDING_NOTHING || !lab_free(app)) return;
    Spec spec;
    wish_spec(&app->wish, app->variant, &spec);
    if (app->pending == PENDING_RACE)
        lab_race(app->lab, &spec);
    else
        lab_prepare(app->lab, &spec);
    app->pending = PENDING_NOTHING;
    app->view.phase = LAB_PREPARING; /* until the lab says so itself */
}

void app_prepare(App *app)
{
    app->pending = PENDING_PREPARE;
    pending_send(app);
}

void app_race(App *app)
{
    app_show(app, VIEW_RACE);
    if (app_racing(app)) {
        app_say(app, STYLE_WARN, "%s", _("The race is still on: x stops it."));
        return;
    }
    if (app_server_down(app)) {
        app_say(app, STYLE_WARN, "%s", _("A server is down: R starts it again."));
        return;
    }
    app->pending = PENDING_RACE;
    if (app->view.phase == LAB_STARTING)
        app_say(app, STYLE_ACCENT, "%s", _("The race begins as soon as both servers are ready."));
    pending_send(app);
}

int app_pace_now(const App *app)
{
    Spec spec;
    wish_spec(&app->wish, app->variant, &spec);
    return spec.pace_ms;
}

void app_pace(App *app, int pace_ms)
{
    char words[60];
    app->wish.value[WISH_PACE] = pace_ms;
    if (app_racing(app)) lab_pace(app->lab, pace_ms);
    app_say(app, STYLE_ACCENT, _("Pace: %s."), pace_words(pace_ms, words, sizeof words));
}

static void race_ended(App *app)
{
    app->report = app->view.report;
    app->has_report = true;
    const Variant *raced = app->report.spec.variant;
    if (!raced || app->report.stopped) return;
    progress_note_raced(app->progress, raced->lesson, raced->name);
    progress_save(app->progress);
}

/* What a line at the bottom has no room for: said once, in full. */
static void trouble_show(App *app)
{
    bool broken = app->view.phase == LAB_BROKEN && app->view.message[0];
    if (broken && !app->trouble_shown) {
        popup_open(_("Servers"), app->view.message, true);
        app->message[0] = '\0';
    }
    if (broken) app->pending = PENDING_NOTHING;
    app->trouble_shown = broken;
}

void app_take(App *app)
{
    lab_view(app->lab, &app->view);
    const Report *report = &app->view.report;
    if (app->view.phase == LAB_DONE && app->view.has_report &&
        (!app->has_report || report->truth.taken_ns != app->report.truth.taken_ns))
        race_ended(app);
    if (app->view.answer_serial != app->answer_seen) {
        app->answer_seen = app->view.answer_serial;
        popup_open(app->question, app->view.answer ? app->view.answer : "", false);
    }
    trouble_show(app);
    pending_send(app);
}

/* ---- scenes
 * ---------------------------------------------------------------------------------------- */

void app_scene(const App *app, Scene *scene, Spec *spec)
{
    const LabView *view = &app->view;
    bool current = view->spec.variant == app->variant->code;
    wish_spec(&app->wish, app->variant, spec);
    *scene = (Scene){
        .view = view,
        .lesson = app->lesson,
        .variant = app->variant,
        .spec = current ? &view->spec : spec,
        .report = current && view->phase == LAB_DONE && view->has_report ? &view->report : NULL,
        .current = current,
        .racing = app_racing(app),
        .now_ns = app->now_ns,
    };
}

bool app_report_scene(const App *app, Scene *scene)
{
    const Variant *raced = app->report.spec.variant;
    if (!app->has_report || !raced) return false;
    const Lesson *lesson = course_lesson(app->course, raced->lesson);
    const LessonVariant *variant = lesson ? lesson_variant(lesson, raced->name) : NULL;
    if (!variant) return false;
    *scene = (Scene){
        .view = &app->view,
        .lesson = lesson,
        .variant = variant,
        .spec = &app->report.spec,
        .report = &app->report,
        .current = app->view.spec.variant == raced,
        .now_ns = app->now_ns,
    };
    return true;
}
