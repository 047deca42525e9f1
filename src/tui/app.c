#include "tui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/do_compare.h"
#include "tui/do_locks.h"
#include "tui/do_crash.h"
#include "tui/do_exercise.h"
#include "tui/do_fault.h"
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

void app_keep(App *app)
{
    if (progress_save(app->progress) || app->unkept_said) return;
    app->unkept_said = true;
    app_say(app, STYLE_WARN, "%s", progress_unkept());
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
    /* From step and explore one goes back to where they were asked for, but never round. */
    ViewId from = app->shown == VIEW_HELP ? app->before : app->shown;
    bool small = view == VIEW_STEP || (view == VIEW_EXPLORE && from != VIEW_STEP);
    if (small && from != VIEW_COURSE) app->above[view] = from;
    app->shown = view;
    if (!exercise_stays(view)) exercise_put_away(app);
    if (view == VIEW_REPORT) app_reproduce(app);
    if (view == VIEW_LESSON) progress_note_read(app->progress, app->lesson->name);
}

void app_start(App *app, const ConsoleOptions *options)
{
    static const ViewId above[VIEW_COUNT] = {
        [VIEW_COURSE] = VIEW_COURSE, [VIEW_LESSON] = VIEW_COURSE, [VIEW_RACE] = VIEW_LESSON,
        [VIEW_EXERCISE] = VIEW_LESSON, [VIEW_REPORT] = VIEW_RACE,   [VIEW_STEP] = VIEW_LESSON,   [VIEW_EXPLORE] = VIEW_LESSON,
    };
    app->options = options;
    memcpy(app->above, above, sizeof above);
    wish_start(&app->wish, options);
    small_start(&app->small);
}

void app_back(App *app)
{
    /* From help to where it was asked for; else one level up. */
    app_show(app, app->shown == VIEW_HELP ? app->before : app->above[app->shown]);
}

int app_lesson_index(const App *app)
{
    return (int)(app->lesson - app->course->lessons);
}

int app_variant_index(const App *app)
{
    return (int)(app->variant - app->lesson->variants);
}

bool app_choose(App *app, const Lesson *lesson, const LessonVariant *variant)
{
    if (lesson == app->lesson && variant == app->variant) return true;
    if (app_race_on(app)) {
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
        return false;
    }
    exercise_put_away(app);
    app->lesson = lesson;
    app->variant = variant;
    app->pending = PENDING_NOTHING;
    small_forget(&app->small);
    if (app->shown == VIEW_LESSON) progress_note_read(app->progress, lesson->name);
    progress_note_last(app->progress, lesson->name, variant->name);
    app_keep(app);
    return true;
}

bool app_open(App *app, const Lesson *lesson, const LessonVariant *variant)
{
    if (!variant) variant = &lesson->variants[0];
    if (lesson == app->lesson && variant == app->variant) return true;
    if (!app_choose(app, lesson, variant)) return false;
    if (app->shown == VIEW_STEP)
        small_step(app, &variant->small, NULL);
    else if (app->shown == VIEW_EXPLORE)
        small_explore(app, CELLS_AUTO);
    else if (app->shown == VIEW_CRASH)
        crash_anew(app);
    else
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

bool app_race_on(const App *app)
{
    return app_racing(app) || (app->view.phase == LAB_PREPARING && app->sent == PENDING_RACE);
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

bool app_own_down(const App *app)
{
    bool own = app->options->redis_url || app->options->mysql_url;
    for (int i = 0; i < SERVER_COUNT; i++) {
        ServerState state = app->view.server[i].state;
        if (state == SERVER_DOWN || state == SERVER_FAILED) return false;
    }
    return own && app->view.phase == LAB_BROKEN;
}

bool app_private_down(const App *app)
{
    return app_server_down(app) && !app_own_down(app);
}

void app_say_down(App *app)
{
    app_say(app, STYLE_WARN, "%s",
            app_own_down(app) && app->view.message[0] ? app->view.message : _("A server is down: R starts it again."));
}

static bool lab_free(const App *app)
{
    return app->view.phase == LAB_IDLE || app->view.phase == LAB_DONE;
}

static void pending_send(App *app)
{
    if (app->pending == PENDING_NOTHING || !lab_free(app)) return;
    app->sent = app->pending;
    if (app->pending == PENDING_CRASH) {
        app->pending = PENDING_NOTHING;
        crash_send(app);
        return;
    }
    if (app->pending == PENDING_COMPARE) {
        app->pending = PENDING_NOTHING;
        compare_send(app);
        return;
    }
    if (app->pending == PENDING_LOCKS) {
        app->pending = PENDING_NOTHING;
        locks_send(app);
        return;
    }
    if (app->pending == PENDING_EXAM) {
        app->pending = PENDING_NOTHING;
        exercise_send(app);
        return;
    }
    if (app->pending == PENDING_STEP || app->pending == PENDING_EXPLORE) {
        bool step = app->pending == PENDING_STEP;
        app->pending = PENDING_NOTHING;
        if (step)
            small_send_step(app);
        else
            small_send_explore(app);
        return;
    }
    Spec spec;
    wish_spec(&app->wish, app->variant, &spec);
    if (app->pending == PENDING_RACE)
        lab_race(app->lab, &spec);
    else
        lab_prepare(app->lab, &spec);
    app->pending = PENDING_NOTHING;
    app->view.phase = LAB_PREPARING; /* until the lab says so itself */
}

void app_pend(App *app, Pending pending)
{
    app->pending = pending;
    pending_send(app);
}

void app_prepare(App *app)
{
    app_pend(app, PENDING_PREPARE);
}

void app_race(App *app)
{
    app_show(app, VIEW_RACE);
    if (app_racing(app)) {
        app_say(app, STYLE_WARN, "%s", _("The race is still on: x stops it."));
        return;
    }
    if (app_server_down(app)) {
        app_say_down(app);
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
    const Variant *raced = app->report.spec.variant;
    if (!raced || app->report.stopped) return;
    progress_note_raced(app->progress, raced->lesson, raced->name);
    app_keep(app);
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
    bool starting = app->view.phase == LAB_STARTING;
    lab_view(app->lab, &app->view);
    if (app->view.phase == LAB_STARTING && !starting) app->started_ns = app->now_ns; /* once more */
    if (app->view.has_report && app->view.report_serial != app->report_seen) {
        bool fresh =
            !app->has_report || app->view.report.truth.taken_ns != app->report.truth.taken_ns;
        app->report_seen = app->view.report_serial;
        app->report = app->view.report;
        app->has_report = true;
        if (fresh) race_ended(app);
    }
    if (app->view.answer_serial != app->answer_seen) {
        app->answer_seen = app->view.answer_serial;
        popup_open(app->question, app->view.answer ? app->view.answer : "", false);
    }
    trouble_show(app);
    fault_take(app);
    small_take(app);
    exercise_take(app);
    pending_send(app);
}

static const LessonVariant *report_variant(const App *app)
{
    const Variant *raced = app->report.spec.variant;
    if (!app->has_report || !raced) return NULL;
    const Lesson *lesson = course_lesson(app->course, raced->lesson);
    return lesson ? lesson_variant(lesson, raced->name) : NULL;
}

void app_reproduce(App *app)
{
    const Report *report = &app->report;
    const LessonVariant *variant = report_variant(app);
    bool looked_for = report->schedule[0] || report->schedule_note[0];
    if (!variant || looked_for || report->first_broken == INVARIANT_COUNT) return;
    if (app->view.phase == LAB_DONE) lab_reproduce(app->lab, &variant->small);
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
    const LessonVariant *variant = report_variant(app);
    if (!variant) return false;
    *scene = (Scene){
        .view = &app->view,
        .lesson = course_lesson(app->course, variant->code->lesson),
        .variant = variant,
        .spec = &app->report.spec,
        .report = &app->report,
        .current = app->view.spec.variant == variant->code,
        .now_ns = app->now_ns,
    };
    return true;
}
