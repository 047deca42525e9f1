#include "tui/console.h"

#define NCURSES_NOMACROS /* "move" is a member of ours */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "tui/action.h"
#include "tui/command.h"
#include "tui/frame.h"
#include "tui/hits.h"
#include "tui/popup.h"
#include "tui/prompt.h"
#include "tui/term.h"

enum { STATUS_USAGE = 2, STATUS_NO_TERMINAL = 3, SIGNAL_STATUS = 128, WHEEL_LINES = 3 };

/* Frames that nobody asked for with a key come at most so often. */
static const uint64_t frame_ns = 60000000;

const ConsoleOptions console_defaults = {
    .users = -1,
    .stock = -1,
    .nodes = -1,
    .requests = -1,
    .seed = -1,
    .pace = -1,
};

/* ---- keys
 * ----------------------------------------------------------------------------------------- */

static void open_numbered(App *app, int digit)
{
    char number[8];
    snprintf(number, sizeof number, "%02d", digit);
    const Lesson *lesson = course_lesson(app->course, number);
    if (!lesson) {
        app_say(app, STYLE_WARN, _("There is no lesson %s."), number);
        return;
    }
    if (app_open(app, lesson, lesson == app->lesson ? app->variant : NULL))
        app_show(app, VIEW_LESSON);
}

static void on_mouse(App *app)
{
    MEVENT event;
    if (getmouse(&event) != OK) return;
    if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        Motion motion = event.bstate & BUTTON4_PRESSED ? MOTION_UP : MOTION_DOWN;
        int lines = app->shown == VIEW_COURSE ? 1 : WHEEL_LINES;
        const View *view = views[app->shown];
        for (int i = 0; i < lines; i++)
            if (!popup_move(motion) && view->move) view->move(app, motion);
        return;
    }
    if (!(event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))) return;
    const Hit *hit = hits_at(event.y, event.x);
    if (!hit) return;
    if (hit->what >= HIT_ACTION) {
        const Action *action = &actions[hit->what - HIT_ACTION];
        if (!action_ready(app, action)) return;
        if (!action_keeps_popup(action)) popup_close();
        action->run(app, action->argument);
    } else if (!popup_is_open() && views[app->shown]->click) {
        views[app->shown]->click(app, hit);
    }
}

static void on_key(App *app, int key)
{
    if (key == KEY_RESIZE) return; /* the frame that follows does all */
    app->message[0] = '\0';
    if (key == KEY_MOUSE) {
        if (!prompt_is_open()) on_mouse(app);
        return;
    }
    if (prompt_is_open()) {
        prompt_key(key);
        return;
    }
    const Action *action = action_for_key(app, key);
    if (action) {
        /* What is on top was about what was done before. */
        if (!action_keeps_popup(action)) popup_close();
        action->run(app, action->argument);
    } else if (key >= '0' && key <= '9') {
        popup_close();
        open_numbered(app, key - '0');
    }
}

/* ---- signals
 * ---------------------------------------------------------------------------------------- */

static void on_signal(App *app, int number)
{
    switch (number) {
    case SIGWINCH:
    case SIGCONT:
        term_resize();
        break;
    case SIGTSTP:
        term_suspend();
        break;
    case SIGINT:
        on_key(app, CONTROL('C'));
        break;
    default: /* SIGTERM, SIGHUP, SIGQUIT */
        app->quit = true;
        app->status = SIGNAL_STATUS + number;
    }
}

/* ---- the loop
 * ----------------------------------------------------------------------------------------- */

/* Waits until something comes in or `until` (0: for ever). True when a frame is needed. */
static bool wait_for_news(App *app, uint64_t until, bool *hurry)
{
    struct pollfd from[] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = lab_fd(app->lab), .events = POLLIN},
        {.fd = term_signal_fd(), .events = POLLIN},
    };
    int timeout = -1;
    if (until) {
        uint64_t now = clock_now_ns();
        timeout = until > now ? (int)((until - now) / 1000000) + 1 : 0;
    }
    int count = poll(from, 3, timeout);
    app->now_ns = clock_now_ns();
    if (count <= 0) return count == 0 && until;

    bool news = false;
    for (int number; (number = term_signal()) != 0; news = *hurry = true) on_signal(app, number);
    if (from[0].revents) {
        int key, keys = 0;
        for (; !app->quit && (key = term_key()) != 0; keys++) on_key(app, key);
        if (keys > 0)
            news = *hurry = true;
        else if (from[0].revents & (POLLHUP | POLLERR | POLLNVAL) || term_lost()) {
            app->quit = true;
            app->status = SIGNAL_STATUS + SIGHUP;
        }
    }
    if (from[1].revents) {
        app_take(app);
        news = true;
    }
    return news;
}

static void display_save(App *app)
{
    Error error;
    if (frame_save(app->dump_path, &error))
        app_say(app, STYLE_ACCENT, _("The display is in %s."), app->dump_path);
    else
        app_say(app, STYLE_WARN, "%s", error.text);
    app->dump_path[0] = '\0';
    frame_draw(app);
}

static void loop(App *app)
{
    uint64_t last = 0;
    bool needed = true, hurry = true;
    while (!app->quit) {
        app->now_ns = clock_now_ns();
        if (needed && (hurry || app->now_ns - last >= frame_ns)) {
            frame_draw(app);
            last = app->now_ns;
            needed = hurry = false;
            if (app->dump_path[0]) display_save(app);
        }
        uint64_t until = needed ? last + frame_ns : frame_next(app);
        if (wait_for_news(app, until, &hurry)) needed = true;
    }
}

/* ---- begin and end
 * -------------------------------------------------------------------------------------- */

static void run_line(void *app, const char *line)
{
    command_run(app, line);
}

static char **complete_line(void *app, const char *before, const char *word)
{
    return command_complete(app, before, word);
}

/* What to open: what was asked for, else where the learner left, else the first lesson. */
static bool first_lesson(App *app, Error *error)
{
    const Lesson *lesson = &app->course->lessons[0];
    const LessonVariant *variant = NULL;
    if (app->options->lesson) {
        if (!course_find(app->course, app->options->lesson, &lesson, &variant, error)) return false;
        app->shown = VIEW_LESSON;
    } else if (progress_last(app->progress)) {
        const Lesson *last = course_lesson(app->course, progress_last(app->progress));
        const char *name = progress_last_variant(app->progress);
        if (last) lesson = last;
        if (last && name) variant = lesson_variant(last, name);
        app->shown = last ? VIEW_LESSON : VIEW_COURSE;
    }
    app->lesson = lesson;
    app->variant = variant ? variant : &lesson->variants[0];
    if (app->shown == VIEW_LESSON) progress_note_read(app->progress, lesson->name);
    return true;
}

static int fail(int status, const Error *error)
{
    fprintf(stderr, "seckill-lab: %s\n", error->text);
    return status;
}

static int run_on_terminal(App *app)
{
    Error error;
    const ConsoleOptions *options = app->options;
    PromptHandler handler = {run_line, complete_line, app};
    prompt_start(&handler);
    if (!term_start(&error)) return fail(STATUS_NO_TERMINAL, &error);
    theme_ascii(options->ascii);
    if (!theme_start(options->theme)) {
        term_stop();
        error_set(&error, _("There is no theme \"%s\": dark, light or mono."), options->theme);
        return fail(STATUS_USAGE, &error);
    }
    app->now_ns = clock_now_ns();
    frame_draw(app); /* before anything that takes time */
    app->lab = lab_open(options->redis_url, options->mysql_url, &error);
    if (!app->lab) {
        term_stop();
        return fail(STATUS_USAGE, &error);
    }
    app->pending = PENDING_PREPARE;
    app_take(app);
    app_keep(app);
    loop(app);
    term_stop();
    lab_close(app->lab);
    prompt_stop();
    return app->status;
}

int console_run(const ConsoleOptions *options)
{
    Error error;
    static App app; /* large, and one is all there ever is */
    app = (App){.started_ns = clock_now_ns()};
    app_start(&app, options);
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        error_set(&error,
                  _("The console needs a terminal. Use --plain for the same walk as text, or a "
                    "verb: seckill-lab --help."));
        return fail(STATUS_NO_TERMINAL, &error);
    }
    app.course = course_load(&error);
    if (!app.course) return fail(STATUS_NO_TERMINAL, &error);
    app.progress = progress_load();
    int status = first_lesson(&app, &error) ? run_on_terminal(&app) : fail(STATUS_USAGE, &error);

    if (app.lesson) {
        progress_note_last(app.progress, app.lesson->name, app.variant->name);
        progress_save(app.progress);
    }
    progress_free(app.progress);
    popup_close();
    lab_view_free(&app.view);
    course_free(app.course);
    return status;
}
