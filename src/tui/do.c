#include "tui/do.h"

#include "base/i18n.h"
#include "tui/do_exercise.h"
#include "tui/listing_view.h"
#include "tui/popup.h"
#include "tui/prompt.h"
#include "tui/term.h"

void do_move(App *app, int motion)
{
    if (popup_move((Motion)motion)) return;
    const View *view = views[app->shown];
    if (view->move) view->move(app, (Motion)motion);
}

void do_race(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    app_race(app);
}

void do_pause(App *app, int pause)
{
    lab_pause(app->lab, pause);
}

void do_stop(App *app, int ignored)
{
    (void)ignored;
    if (app->view.asking)
        lab_sql_cancel(app->lab);
    else if (app_racing(app))
        lab_stop_race(app->lab);
    else if (exercise_runs(app))
        lab_exam_stop(app->lab);
    else
        small_stop(app);
}

bool can_stop(const App *app)
{
    return app->view.asking || app_racing(app) || small_runs(app) || exercise_runs(app);
}

void do_pace(App *app, int direction)
{
    app_pace(app, pace_step(app_pace_now(app), direction));
}

void do_restart(App *app, int ignored)
{
    (void)ignored;
    bool own = app_own_down(app);
    lab_restart(app->lab);
    app_say(app, STYLE_ACCENT, "%s", own ? _("Connecting again.") : _("Starting what is down."));
}

void do_variant(App *app, int step)
{
    int count = app->lesson->variant_count;
    if (count == 1) {
        app_say(app, STYLE_QUIET, "%s", _("This lesson has one variant only."));
        return;
    }
    int next = (app_variant_index(app) + step + count) % count;
    app_open(app, app->lesson, &app->lesson->variants[next]);
}

void do_lesson(App *app, int step)
{
    int next = app_lesson_index(app) + step;
    if (next < 0 || next >= app->course->count) {
        app_say(app, STYLE_QUIET, "%s",
                next < 0 ? _("This is the first lesson.") : _("This is the last lesson."));
        return;
    }
    /* The text comes first, whatever was on the screen. */
    if (small_is_shown(app)) app->shown = VIEW_LESSON;
    if (!app_open(app, &app->course->lessons[next], NULL)) return;
    if (app->shown != VIEW_COURSE) app_show(app, VIEW_LESSON);
}

void do_show(App *app, int view)
{
    popup_close();
    app_show(app, (ViewId)view);
}

void do_text(App *app, int ignored)
{
    (void)ignored;
    listing_full(false);
    do_show(app, VIEW_LESSON);
}

void do_listing(App *app, int ignored)
{
    (void)app;
    (void)ignored;
    listing_full(!listing_is_full());
}

void do_back(App *app, int ignored)
{
    (void)ignored;
    if (popup_is_open())
        popup_close();
    else if (listing_is_full())
        listing_full(false);
    else
        app_back(app);
}

void do_language(App *app, int ignored)
{
    (void)ignored;
    const char *next = i18n_language() == LANGUAGE_EN ? "zh" : "en";
    if (i18n_start(next)) app->message[0] = '\0';
}

void do_redraw(App *app, int ignored)
{
    (void)app;
    (void)ignored;
    term_redraw();
}

void do_interrupt(App *app, int ignored)
{
    if (can_stop(app))
        do_stop(app, ignored);
    else
        app->quit = true;
}

void do_suspend(App *app, int ignored)
{
    (void)app;
    (void)ignored;
    term_suspend();
}

void do_prompt(App *app, int ignored)
{
    (void)app;
    (void)ignored;
    prompt_open("");
}

void do_quit(App *app, int ignored)
{
    (void)ignored;
    app->quit = true;
}
