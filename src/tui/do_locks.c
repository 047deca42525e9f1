#include "tui/do_locks.h"

#include <string.h>

#include "base/i18n.h"
#include "tui/popup.h"
#include "tui/view_locks.h"

/* The table that was there when one was asked for last. */
static unsigned asked_serial;

bool locks_run(const App *app)
{
    return app->view.lock_table.running;
}

bool can_locks(const App *app)
{
    return strcmp(app->lesson->name, "lock-component") == 0 && !app_race_on(app);
}

bool can_locks_again(const App *app)
{
    return !app_race_on(app) && !locks_run(app);
}

const LockTableState *locks_state(const App *app)
{
    const LockTableState *state = &app->view.lock_table;
    bool stale = state->serial == 0 || app->pending == PENDING_LOCKS || state->serial == asked_serial;
    return stale ? NULL : state;
}

static void show(App *app)
{
    if (app->shown != VIEW_LOCKS && app->shown != VIEW_HELP) app->above[VIEW_LOCKS] = app->shown;
    app_show(app, VIEW_LOCKS);
}

static void ask(App *app)
{
    popup_close();
    if (app_race_on(app)) {
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
    } else if (app_server_down(app)) {
        app_say_down(app);
    } else {
        view_locks_start();
        show(app);
        app_pend(app, PENDING_LOCKS);
    }
}

void locks_send(App *app)
{
    asked_serial = app->view.lock_table.serial;
    lab_locks(app->lab);
}

void do_locks(App *app, int ignored)
{
    (void)ignored;
    if (locks_state(app))
        show(app);
    else
        ask(app);
}

void do_locks_again(App *app, int ignored)
{
    (void)ignored;
    ask(app);
}

void command_locks(App *app, const char *argument, int ignored)
{
    (void)argument;
    do_locks(app, ignored);
}
