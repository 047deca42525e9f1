#include "tui/do_compare.h"

#include <stdio.h>

#include "base/i18n.h"
#include "tui/popup.h"
#include "tui/view_compare.h"

/* What was asked for last. */
static struct {
    CompareChoice choice; /* count 0: nothing yet */
    unsigned serial;      /* of the comparison that was there then */
} asked;

bool can_compare(const App *app)
{
    return !app_race_on(app);
}

bool can_compare_again(const App *app)
{
    return can_compare(app) && !compare_runs(app);
}

const CompareChoice *compare_choice(void)
{
    return &asked.choice;
}

const CompareState *compare_state(const App *app)
{
    const CompareState *compare = app->view.compare;
    bool stale = !compare || app->pending == PENDING_COMPARE || compare->serial == asked.serial;
    return stale ? NULL : compare;
}

bool compare_runs(const App *app)
{
    return app->view.compare && app->view.compare->running;
}

void compare_world(const App *app, Spec *spec)
{
    const CompareState *compare = compare_state(app);
    if (compare) {
        *spec = compare->result.row[0].spec;
        return;
    }
    compare_spec(&app->variant->race, spec);
    wish_numbers(&app->wish, spec);
}

/* ---- asking ------------------------------------------------------------------------------------------- */

static bool may_ask(App *app)
{
    popup_close();
    if (app_race_on(app))
        app_say(app, STYLE_WARN, "%s", _("A race is on: x stops it, then you can go on."));
    else if (app_server_down(app))
        app_say(app, STYLE_WARN, "%s", _("A server is down: R starts it again."));
    else
        return true;
    return false;
}

static void show(App *app)
{
    if (app->shown != VIEW_COMPARE && app->shown != VIEW_HELP) app->above[VIEW_COMPARE] = app->shown;
    app_show(app, VIEW_COMPARE);
}

static void ask(App *app)
{
    if (!may_ask(app)) return;
    view_compare_start();
    show(app);
    app_pend(app, PENDING_COMPARE);
}

void compare_send(App *app)
{
    static Spec specs[COMPARE_ROWS];
    for (int i = 0; i < asked.choice.count; i++) {
        compare_spec(&asked.choice.variant[i]->race, &specs[i]);
        wish_numbers(&app->wish, &specs[i]);
    }
    asked.serial = app->view.compare ? app->view.compare->serial : 0;
    lab_compare(app->lab, specs, asked.choice.count);
}

void do_compare(App *app, int ignored)
{
    (void)ignored;
    if (compare_state(app))
        show(app);
    else
        command_compare(app, "", 0);
}

void do_compare_again(App *app, int ignored)
{
    (void)ignored;
    ask(app);
}

void command_compare(App *app, const char *argument, int ignored)
{
    (void)ignored;
    Error error;
    CompareChoice choice;
    if (!compare_choose_line(app->course, argument, &choice, &error)) {
        app_say(app, STYLE_WARN, "%s", error.text);
        return;
    }
    if (!may_ask(app)) return;
    asked.choice = choice;
    ask(app);
}

void do_open_compared(App *app, int ignored)
{
    (void)ignored;
    int row = view_compare_hand();
    if (row >= asked.choice.count) return;
    app->shown = VIEW_LESSON; /* so that the shop is made ready for it */
    if (!app_open(app, asked.choice.lesson[row], asked.choice.variant[row])) app->shown = VIEW_COMPARE;
}
