#include "tui/do_fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/mover.h"
#include "engine/server_move.h"
#include "engine/step_kind.h"
#include "tui/popup.h"
#include "tui/prompt.h"
#include "tui/small_world.h"
#include "tui/term.h"
#include "tui/view_faults.h"

enum { FREEZE_MS = 2000, MOST_FREEZE_MS = 600000 };

/* ---- telling --------------------------------------------------------------------------------------- */

static void complain(App *app, const char *text)
{
    if (text_columns(text) > term_columns() - 2)
        popup_open(_("That cannot be carried out"), text, true);
    else
        app_say(app, STYLE_WARN, "%s", text);
}

/* The typed word as it may be shown. */
static const char *clean(const char *word, char text[80])
{
    return text_clean(text, 80, word, strlen(word));
}

void fault_take(App *app)
{
    static char seen[sizeof app->view.message];
    if (strcmp(seen, app->view.message) == 0) return;
    snprintf(seen, sizeof seen, "%s", app->view.message);
    if (seen[0] && app->view.phase == LAB_RACING) complain(app, seen);
}

/* ---- arming ---------------------------------------------------------------------------------------- */

/* The next race begins otherwise: shown at once, unless something goes on. */
static void changed(App *app)
{
    if (!app_busy(app) && !small_is_shown(app)) app_prepare(app);
}

static void arm(App *app, FaultKind kind, const char *argument)
{
    Error error;
    Fault fault;
    char text[200];
    if (!fault_parse(kind, argument, &fault, &error)) {
        complain(app, error.text);
        return;
    }
    fault_write(&fault, text, sizeof text);
    if (app_race_on(app)) {
        lab_arm(app->lab, &fault);
        app_say(app, STYLE_ACCENT, _("Armed: %s."), text);
        return;
    }
    if (!wish_arm(&app->wish, app->variant, &fault, &error)) {
        complain(app, error.text);
        return;
    }
    changed(app);
    app_say(app, STYLE_ACCENT, _("Armed for the next race: %s."), text);
}

int fault_count(const App *app)
{
    Scene scene;
    Spec spec;
    app_scene(app, &scene, &spec);
    bool of_race = scene.current && (scene.racing || scene.report);
    return of_race ? app->view.race.faults : scene.spec->faults;
}

static void take_back(App *app, int place)
{
    const RaceProgress *race = &app->view.race;
    bool live = app_race_on(app);
    bool there = live ? place >= 0 && place < race->faults && race->fault[place].armed
                      : wish_disarm(&app->wish, app->variant, place);
    if (!there) {
        app_say(app, STYLE_WARN, "%s", _("There is no such fault armed: f lists them, by their numbers."));
        return;
    }
    if (live)
        lab_disarm(app->lab, place);
    else
        changed(app);
    app_say(app, STYLE_ACCENT, _("Fault %d is taken back."), place + 1);
}

/* ---- at once ----------------------------------------------------------------------------------------- */

static bool needs_race(App *app)
{
    if (app_race_on(app)) return true;
    app_say(app, STYLE_WARN, "%s", _("That goes with a race: start one first."));
    return false;
}

/* "n1" -> 0; -1: it is none. *rest is what stands behind. */
static int node_of(const char *text, const char **rest)
{
    if (text[0] != 'n' || text[1] < '1' || text[1] > '9') return -1;
    char *end;
    long number = strtol(text + 1, &end, 10);
    while (*end == ' ') end++;
    *rest = end;
    return number <= MAX_NODES ? (int)number - 1 : -1;
}

static void crash_now(App *app, const char *argument)
{
    const char *rest = "";
    char shown[80];
    int node = node_of(argument, &rest);
    if (node < 0 || *rest)
        app_say(app, STYLE_WARN, _(":crash takes n1 (now) or n1@STEP[:after], not \"%s\"."),
                clean(argument, shown));
    else if (needs_race(app))
        lab_crash_node(app->lab, node);
}

static void freeze_now(App *app, const char *argument)
{
    const char *rest = "";
    char shown[80], *end = "";
    int node = node_of(argument, &rest);
    long ms = *rest ? strtol(rest, &end, 10) : FREEZE_MS;
    if (node < 0 || *end || ms < 1 || ms > MOST_FREEZE_MS)
        app_say(app, STYLE_WARN, _(":freeze takes n1 [MS] (now) or n1@STEP=MS, not \"%s\"."),
                clean(argument, shown));
    else if (needs_race(app))
        lab_freeze_node(app->lab, node, (int)ms);
}

static void expire_now(App *app, const char *argument)
{
    char shown[80];
    if (strchr(argument, ' '))
        app_say(app, STYLE_WARN, _(":expire takes KEY (now) or KEY@STEP, not \"%s\"."),
                clean(argument, shown));
    else if (needs_race(app))
        lab_expire(app->lab, argument);
}

void command_fault(App *app, const char *argument, int kind)
{
    static void (*const now[FAULT_KINDS])(App *app, const char *argument) = {
        [FAULT_CRASH] = crash_now, [FAULT_FREEZE] = freeze_now, [FAULT_EXPIRE] = expire_now};
    if (now[kind] && !strchr(argument, '@'))
        now[kind](app, argument);
    else
        arm(app, (FaultKind)kind, argument);
}

void command_start(App *app, const char *argument, int ignored)
{
    (void)ignored;
    const char *rest = "";
    char shown[80];
    int node = node_of(argument, &rest);
    if (node < 0 || *rest)
        app_say(app, STYLE_WARN, _(":start takes a node, for instance n1, not \"%s\"."), clean(argument, shown));
    else if (needs_race(app))
        lab_start_node(app->lab, node);
}

void command_disarm(App *app, const char *argument, int ignored)
{
    (void)ignored;
    char *end, shown[80];
    long place = strtol(argument, &end, 10);
    if (*end || place < 1 || place > MAX_FAULTS)
        app_say(app, STYLE_WARN, _(":disarm takes the number of an armed fault, not \"%s\"."),
                clean(argument, shown));
    else
        take_back(app, (int)place - 1);
}

/* ---- servers of a fleet ------------------------------------------------------------------------------ */

/* "2" -> 0-based; "2 empty" and "2 kept" where a word is wanted. -1: it is none. */
static int server_of(const char *argument, bool with_word, bool *empty)
{
    char *end;
    long number = strtol(argument, &end, 10);
    if (end == argument || number < 1 || number > FLEET_SERVERS) return -1;
    while (*end == ' ') end++;
    *empty = strcmp(end, "empty") == 0;
    bool right = with_word ? *empty || strcmp(end, "kept") == 0 : *end == '\0';
    return right ? (int)number - 1 : -1;
}

/* In step mode it is a move of the schedule, in a race it happens now. */
static void move_servers(App *app, ServerMove deed, int server)
{
    int move = server_move(deed, server);
    Schedule one = {.count = 1};
    char text[SCHEDULE_KEY];
    const StepState *step = small_step_state(app);
    if (step && step->open && small_is_shown(app)) {
        one.move[0] = mover_move(&step->spec, ACTOR_SERVER + move);
        lab_step_move(app->lab, schedule_write(&one, text, sizeof text));
    } else if (app_race_on(app)) {
        lab_server_move(app->lab, move);
    } else {
        app_say(app, STYLE_WARN, "%s", _("That goes with a race or in step mode: start one first."));
    }
}

void command_server_move(App *app, const char *argument, int kind)
{
    static const ServerMove deeds[FAULT_KINDS] = {[FAULT_FAILOVER] = SERVER_DOES_FAILOVER,
                                                  [FAULT_CUT_LINK] = SERVER_DOES_CUT,
                                                  [FAULT_MEND_LINK] = SERVER_DOES_MEND,
                                                  [FAULT_KILL_SERVER] = SERVER_DOES_KILL,
                                                  [FAULT_RESTART_SERVER] = SERVER_DOES_KEPT};
    char shown[80];
    bool empty = false, numbered = kind >= FAULT_KILL_SERVER;
    int server = numbered ? server_of(argument, kind == FAULT_RESTART_SERVER, &empty) : 0;
    if (strchr(argument, '@'))
        arm(app, (FaultKind)kind, argument);
    else if (server < 0 && kind == FAULT_RESTART_SERVER)
        app_say(app, STYLE_WARN, _(":restart-server takes 1, 2 or 3 and kept or empty, not \"%s\"."), clean(argument, shown));
    else if (server < 0)
        app_say(app, STYLE_WARN, _(":kill-server takes 1, 2 or 3, not \"%s\"."), clean(argument, shown));
    else if (!numbered && argument[0])
        app_say(app, STYLE_WARN, _("Without a word it happens now; else WHO@STEP, not \"%s\"."), clean(argument, shown));
    else
        move_servers(app, empty ? SERVER_DOES_EMPTY : deeds[kind], server);
}

/* ---- servers ----------------------------------------------------------------------------------------- */

/* SERVER_COUNT: none is called so. */
static ServerKind server_named(const char *name, size_t length)
{
    static const char *const names[SERVER_COUNT] = {[SERVER_REDIS] = "redis", [SERVER_SQL] = "mariadb"};
    for (int i = 0; i < SERVER_COUNT; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) return (ServerKind)i;
    return SERVER_COUNT;
}

void command_kill(App *app, const char *argument, int ignored)
{
    (void)ignored;
    char shown[80];
    ServerKind kind = server_named(argument, strlen(argument));
    if (kind == SERVER_COUNT)
        app_say(app, STYLE_WARN, _(":kill takes redis or mariadb, not \"%s\"."), clean(argument, shown));
    else
        lab_kill_server(app->lab, kind);
}

void command_up(App *app, const char *argument, int ignored)
{
    (void)ignored;
    char shown[80];
    size_t length = strcspn(argument, " ");
    const char *rest = argument + length;
    while (*rest == ' ') rest++;
    ServerKind kind = server_named(argument, length);
    bool empty = strcmp(rest, "empty") == 0;
    if (kind == SERVER_COUNT || (*rest && !empty))
        app_say(app, STYLE_WARN, _(":up takes redis or mariadb, and perhaps empty, not \"%s\"."),
                clean(argument, shown));
    else
        lab_start_server(app->lab, kind, empty);
}

void command_twice(App *app, const char *argument, int ignored)
{
    (void)ignored;
    char shown[80];
    bool on = strcmp(argument, "on") == 0, off = strcmp(argument, "off") == 0;
    if (*argument && !on && !off) {
        app_say(app, STYLE_WARN, _("\"%s\" is neither on nor off."), clean(argument, shown));
        return;
    }
    app->wish.twice = *argument ? on : !app->wish.twice;
    changed(app);
    app_say(app, STYLE_ACCENT, "%s",
            app->wish.twice ? _("From the next race on every user's request comes twice, at the same time.")
                            : _("Requests come as the lesson has them, from the next race on."));
}

/* ---- completion ---------------------------------------------------------------------------------------- */

const char *words_fault(const App *app, int n)
{
    static char word[80];
    static const char *const who[] = {"A", "B", "n1", "*"};
    (void)app;
    enum { WHO = sizeof who / sizeof *who };
    if (n >= WHO * (STEP_COUNT - 1)) return NULL;
    snprintf(word, sizeof word, "%s@%s", who[n / (STEP_COUNT - 1)], step_kinds[1 + n % (STEP_COUNT - 1)].name);
    return word;
}

const char *words_servers(const App *app, int n)
{
    static const char *const names[] = {"redis", "mariadb", NULL};
    (void)app;
    return names[n];
}

/* ---- the keys of the faults view ------------------------------------------------------------------------- */

void do_faults(App *app, int ignored)
{
    (void)ignored;
    popup_close();
    if (app->shown != VIEW_FAULTS && app->shown != VIEW_HELP) app->above[VIEW_FAULTS] = app->shown;
    app_show(app, VIEW_FAULTS);
}

/* A lock with a lease that somebody has; NULL: there is none. */
static const char *leased_lock(const App *app)
{
    const LocksView *locks = &app->view.race.locks;
    for (int i = 0; i < locks->locks; i++)
        if (locks->lock[i].home == LOCK_IN_REDIS && locks->lock[i].count > 0 && locks->lock[i].ttl_ms >= 0)
            return locks->lock[i].name;
    return NULL;
}

static void begin_expire(App *app)
{
    char line[120];
    const char *lock = app_race_on(app) ? leased_lock(app) : NULL;
    if (lock)
        snprintf(line, sizeof line, "expire %s", lock);
    else
        snprintf(line, sizeof line, "expire lock:order:1@insert-order");
    prompt_open(line);
}

static void bring_up(App *app, bool empty)
{
    bool any = false;
    for (int i = 0; i < SERVER_COUNT; i++) {
        if (app->view.server[i].state != SERVER_DOWN && app->view.server[i].state != SERVER_FAILED) continue;
        lab_start_server(app->lab, (ServerKind)i, empty && i == SERVER_REDIS);
        any = true;
    }
    if (any)
        app_say(app, STYLE_ACCENT, "%s", _("Starting what is down."));
    else
        app_say(app, STYLE_QUIET, "%s", _("Both servers are up."));
}

/* The line to begin with, in a race and without one. */
static const struct {
    const char *live, *before;
} lines[DEED_COUNT] = {
    [DEED_STALL] = {"stall B@insert-order=3000", "stall A@insert-order=3000"},
    [DEED_FREEZE] = {"freeze n1 2000", "freeze n1@insert-order=2000"},
    [DEED_ERROR] = {"error *@insert-order", "error A@insert-order"},
    [DEED_CRASH] = {"crash n1", "crash n1@insert-order"},
    [DEED_START] = {"start n1", "start n1"},
    [DEED_SLOW] = {"slow n1=50", "slow n1=50"},
};

void do_deed(App *app, int deed)
{
    popup_close();
    switch (deed) {
    case DEED_EXPIRE:
        begin_expire(app);
        break;
    case DEED_TWICE:
        command_twice(app, "", 0);
        break;
    case DEED_KILL_REDIS:
        lab_kill_server(app->lab, SERVER_REDIS);
        break;
    case DEED_KILL_SQL:
        lab_kill_server(app->lab, SERVER_SQL);
        break;
    case DEED_UP:
    case DEED_UP_EMPTY:
        bring_up(app, deed == DEED_UP_EMPTY);
        break;
    case DEED_TAKE_BACK:
        take_back(app, view_faults_chosen(app));
        break;
    default:
        prompt_open(app_race_on(app) ? lines[deed].live : lines[deed].before);
    }
}
