#include "tui/action.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/do.h"
#include "tui/do_compare.h"
#include "tui/do_crash.h"
#include "tui/do_exercise.h"
#include "tui/do_fault.h"
#include "tui/do_locks.h"
#include "tui/do_mover.h"
#include "tui/do_small.h"
#include "tui/hits.h"

#define IN_RACE (IN(LESSON) | IN(RACE) | IN(REPORT))
#define IN_ONE (IN_RACE | IN(STEP) | IN(EXPLORE) | IN(CRASH)) /* a variant is open */

static bool raced(const App *app)
{
    return app->view.phase == LAB_DONE;
}

static bool resting(const App *app)
{
    return !app_race_on(app) && !raced(app); /* while the shop is made ready, too: the race comes behind it */
}

static bool running(const App *app)
{
    return app->view.phase == LAB_RACING && !app->view.race.paused;
}

static bool paused(const App *app)
{
    return app->view.phase == LAB_RACING && app->view.race.paused;
}

static bool has_report(const App *app)
{
    return app->has_report && !app_busy(app);
}

/* In the order of the last line. Rows without a label are for the help only. */
/* clang-format off */
const Action actions[] = {
    {"open", {KEY_RETURN, KEY_ENTER}, N_("open"), N_("open the chosen lesson"), IN(COURSE), NULL,
     do_move, MOTION_CHOOSE},
    /* Faults. */
    {"stall-user", {'s'}, NULL, N_("a user sleeps before a step"), IN(FAULTS), NULL, do_deed,
     DEED_STALL},
    {"freeze-node", {'z'}, NULL, N_("a whole node stands still (SIGSTOP)"), IN(FAULTS), NULL, do_deed,
     DEED_FREEZE},
    {"fail-step", {'e'}, NULL, N_("an error instead of the reply"), IN(FAULTS), NULL, do_deed,
     DEED_ERROR},
    {"kill-node", {'k'}, NULL, N_("a node is killed (SIGKILL)"), IN(FAULTS), NULL, do_deed,
     DEED_CRASH},
    {"start-node", {'a'}, NULL, N_("a dead node is started again"), IN(FAULTS), NULL, do_deed,
     DEED_START},
    {"expire-lease", {'y'}, NULL, N_("a lease runs out before its time"), IN(FAULTS), NULL, do_deed,
     DEED_EXPIRE},
    {"slow-node", {'w'}, NULL, N_("every step of a node takes longer"), IN(FAULTS), NULL, do_deed,
     DEED_SLOW},
    {"ask-twice", {'2'}, NULL, N_("every user's request comes twice"), IN(FAULTS), NULL, do_deed,
     DEED_TWICE},
    {"kill-redis", {'K'}, NULL, N_("Redis is killed"), IN(FAULTS), NULL, do_deed,
     DEED_KILL_REDIS},
    {"kill-mariadb", {'M'}, NULL, N_("MariaDB is killed"), IN(FAULTS), NULL, do_deed,
     DEED_KILL_SQL},
    {"bring-up", {'u'}, N_("bring back"), N_("what is down comes back, data kept"), IN(FAULTS), NULL, do_deed,
     DEED_UP},
    {"bring-up-empty", {'U'}, NULL, N_("Redis comes back without its data"), IN(FAULTS), NULL, do_deed,
     DEED_UP_EMPTY},
    {"take-back", {'d', KEY_DC}, N_("take back"), N_("an armed fault is taken back"), IN(FAULTS), NULL, do_deed,
     DEED_TAKE_BACK},
    /* The crash table. */
    {"open-crash", {KEY_RETURN, KEY_ENTER}, N_("step through"), N_("open the chosen run in step mode"),
     IN(CRASH), can_open_crash, do_open_crash, 0},
    {"crash-again", {'r'}, N_("again"), N_("from the start"), IN(CRASH), can_crash_again, do_crash_again, 0},
    /* Side by side. */
    {"open-compared", {KEY_RETURN, KEY_ENTER}, N_("open"), N_("open the chosen variant"), IN(COMPARE), NULL,
     do_open_compared, 0},
    {"compare-again", {'r'}, N_("again"), N_("from the start"), IN(COMPARE), can_compare_again, do_compare_again, 0},
    {"locks-again", {'r'}, N_("again"), N_("from the start"), IN(LOCKS), can_locks_again, do_locks_again, 0},
    {"restart", {'R'}, N_("restart servers"), N_("start a server that is down"), IN_ALL,
     app_private_down, do_restart, 0},
    {"reconnect", {'R'}, N_("connect again"), N_("connect to servers of your own again"), IN_ALL,
     app_own_down, do_restart, 0},
    /* Step mode. */
    {"actor", {'a'}, N_("A moves"), N_("a b c d: this user makes its next step"), IN(STEP),
     can_move_a, do_actor, 0},
    {"actor", {'b'}, N_("B moves"), NULL, IN(STEP), can_move_b, do_actor, 1},
    {"actor", {'c'}, N_("C moves"), NULL, IN(STEP), can_move_c, do_actor, 2},
    {"actor", {'d'}, N_("D moves"), NULL, IN(STEP), can_move_d, do_actor, 3},
    {"consumer", {'c'}, N_("c1 moves"), N_("c, where it is no user: the consumer makes its next step"), IN(STEP),
     can_consume_c, do_consumer, 0},
    {"consumer", {'d'}, N_("c1 moves"), NULL, IN(STEP), can_consume_d, do_consumer, 0},
    {"consumer", {'d'}, N_("c2 moves"), NULL, IN(STEP), can_consume_d2, do_consumer, 1},
    {"watchdog", {'w'}, N_("watchdog"), N_("a watchdog makes its next step"), IN(STEP), can_watchdog, do_watchdog, 0},
    {"clock", {'k'}, N_("clock"), N_("a lease runs out"), IN(STEP), can_clock, do_clock, 0},
    {"lease", {'y'}, N_("which lease"), N_("of several leases, the one that the clock ends next"), IN(STEP),
     can_choose_lease, do_lease, 0},
    {"crash-node", {'K'}, N_("kill a node"), N_("the chosen actor's node is killed"), IN(STEP),
     can_crash, do_crash, 0},
    {"start-again", {'N'}, N_("start a node"), N_("a killed node is started again"), IN(STEP), can_start_again,
     do_start_again, 0},
    {"freeze", {'z'}, N_("freeze a node"), N_("the chosen actor's node stands still for longer than its leases"),
     IN(STEP), can_freeze, do_freeze, 0},
    {"fail-over", {'F'}, N_("failover"), N_("the master dies, the replica takes its place"), IN(STEP), can_fail_over,
     do_fail_over, 0},
    {"cut", {'X'}, N_("cut link"), N_("the replica hears nothing of its master; again: it does"), IN(STEP), can_cut, do_cut,
     0},
    {"cut", {'X'}, N_("mend link"), NULL, IN(STEP), can_mend, do_mend, 0},
    {"strike-server", {'1'}, N_("kill s1"), N_("1 2 3: this Redis server is killed; again: it comes back"), IN(STEP),
     can_strike_1, do_strike_server, 0},
    {"strike-server", {'2'}, N_("kill s2"), NULL, IN(STEP), can_strike_2, do_strike_server, 1},
    {"strike-server", {'3'}, N_("kill s3"), NULL, IN(STEP), can_strike_3, do_strike_server, 2},
    {"strike-server", {'1'}, N_("start s1"), NULL, IN(STEP), can_raise_1, do_raise_server, 0},
    {"strike-server", {'2'}, N_("start s2"), NULL, IN(STEP), can_raise_2, do_raise_server, 1},
    {"strike-server", {'3'}, N_("start s3"), NULL, IN(STEP), can_raise_3, do_raise_server, 2},
    {"strike-server", {'1', '2', '3'}, NULL, NULL, IN(STEP), has_strikes, do_no_strike, 0},
    {"undo", {'u'}, N_("undo"), N_("one move back"), IN(STEP), can_move, do_undo, 0},
    {"redo", {'U'}, N_("redo"), N_("make the undone move again"), IN(STEP), can_move, do_redo,
     0},
    {"show-me", {'g'}, N_("show me"), N_("play the shortest schedule that breaks it"), IN(STEP),
     can_move, do_show_me, 0},
    {"hint", {'h'}, N_("hint"), N_("the hint, and away with it"), IN(STEP), has_hint, do_hint,
     0},
    {"to-start", {'R'}, N_("restart"), N_("back to the start"), IN(STEP), can_begin, do_to_start,
     0},
    {"panel", {'i'}, N_("panel"), N_("another panel in the place of the timeline: locks, keys, what must hold, code"),
     IN(STEP), can_move, do_side, 0},
    {"run-on", {'>'}, N_("run on"), N_("the chosen actor to its end; A B C D: this one"),
     IN(STEP), can_move, do_run_on, -1},
    {"run-on", {'A'}, NULL, NULL, IN(STEP), can_move_a, do_run_on, 0},
    {"run-on", {'B'}, NULL, NULL, IN(STEP), can_move_b, do_run_on, 1},
    {"run-on", {'C'}, NULL, NULL, IN(STEP), can_move_c, do_run_on, 2},
    {"run-on", {'D'}, NULL, NULL, IN(STEP), can_move_d, do_run_on, 3},
    {"run-on", {'C'}, NULL, NULL, IN(STEP), can_consume_c, do_run_on_consumer, 0},
    {"run-on", {'D'}, NULL, NULL, IN(STEP), can_consume_d, do_run_on_consumer, 0},
    {"run-on", {'D'}, NULL, NULL, IN(STEP), can_consume_d2, do_run_on_consumer, 1},
    {"run-on", {'W'}, NULL, N_("the watchdog, until it has to wait"), IN(STEP), can_watchdog, do_run_on_watchdog, 0},
    {"random", {'m'}, N_("random move"), N_("a move of anybody, by chance"), IN(STEP), can_move, do_random, 0},
    /* Exploring. */
    {"open-cell", {KEY_RETURN, KEY_ENTER}, N_("step through"),
     N_("open the chosen schedule in step mode"), IN(EXPLORE), can_open_cell, do_open_cell, 0},
    {"filter", {'i'}, N_("invariant"), N_("x marks what breaks this invariant; again: the next"),
     IN(EXPLORE), can_open_cell, do_filter, 0},
    {"each-schedule", {'w'}, N_("each schedule"), N_("a cell a schedule, or a class of equal ones"),
     IN(EXPLORE), shows_classes, do_explore_again, CELLS_ORDERS},
    {"classes", {'w'}, N_("classes"), NULL, IN(EXPLORE), shows_orders, do_explore_again,
     CELLS_CLASSES},
    {"shortest", {'g'}, N_("shortest"), N_("to the shortest that breaks something"),
     IN(EXPLORE), can_open_cell, do_shortest, 0},
    {"explore-again", {'r'}, N_("again"), N_("from the start"), IN(EXPLORE), can_step,
     do_explore_again, -1},
    /* Exercises. */
    {"edit", {'e', KEY_RETURN, KEY_ENTER}, N_("edit"), N_("your copy of the script, in $EDITOR; a change is checked at once"),
     IN(EXERCISE), can_edit, do_edit, 0},
    {"check", {'r'}, N_("check"), N_("races, then every schedule, with your script"), IN(EXERCISE), can_check, do_check, 0},
    {"step-through", {'s'}, N_("step through"), N_("the shortest schedule that breaks something, with your script"),
     IN(EXERCISE), has_counterexample, do_counterexample, 0},
    {"step-script", {'s'}, N_("step"), NULL, IN(EXERCISE), can_step_script, do_step, 0},
    {"more-hints", {'h'}, N_("hint"), N_("three hints, each saying more; then the solution"), IN(EXERCISE), has_more_hints,
     do_more_hints, 0},
    {"solution", {'h'}, N_("solution"), NULL, IN(EXERCISE), has_solution, do_more_hints, 0},
    {"reset-script", {'Z'}, N_("reset"), N_("the shipped script again; yours is kept as FILE.old"), IN(EXERCISE), can_edit,
     do_exercise_reset, 0},
    /* Races. */
    {"race", {'r'}, N_("race"), N_("let all users buy at once; again: from a clean shop"), IN_RACE | IN(FAULTS) | IN(STEP),
     resting, do_race, 0},
    {"again", {'r'}, N_("again"), NULL, IN_RACE | IN(FAULTS), raced, do_race, 0},
    {"race", {'r'}, N_("race"), NULL, IN(STEP), raced, do_race, 0},
    {"to-race", {'r'}, N_("to the race"), N_("back to the race that is on"), IN_ALL & ~IN(RACE), app_race_on, do_show,
     VIEW_RACE},
    {"pause", {KEY_SPACE}, N_("pause"), N_("hold everybody at the next step, and let them go on"),
     IN_RACE, running, do_pause, true},
    {"go-on", {KEY_SPACE}, N_("go on"), NULL, IN_RACE, paused, do_pause, false},
    {"stop", {'x'}, N_("stop"), N_("end a race, an exploration or a play early"), IN_ALL, can_stop,
     do_stop, 0},
    {"step", {'s'}, N_("step"), N_("you are the scheduler: one move at a time"),
     IN_RACE | IN(EXPLORE), can_step, do_step, 0},
    {"explore", {'e'}, N_("explore"), N_("run every schedule of the small world"), IN_RACE | IN(STEP),
     can_step, do_explore, 0},
    {"exercise", {'M'}, N_("mend it"), N_("the exercise: mend the script yourself"), IN_ONE, can_exercise, do_exercise, 0},
    {"faults", {'f'}, N_("faults"), N_("break something: nodes, leases, servers, single steps"),
     IN_RACE | IN(COURSE), NULL, do_faults, 0},
    {"crash-table", {'T'}, N_("crash table"), N_("a node killed before and after each step of a schedule"), IN_ONE,
     can_crash_table, do_crash_table, 0},
    {"compare", {'m'}, N_("compare"), N_("the same sale by several variants, side by side"),
     (IN_ONE & ~IN(STEP)) | IN(COURSE),
     can_compare, do_compare, 0},
    {"locks", {'w'}, N_("kinds, strategies"), N_("lesson 12: every kind of lock, every strategy, tried live"), IN_ONE & ~IN(EXPLORE),
     can_locks, do_locks, 0},
    {"faster", {'+', '='}, N_("faster"), N_("less rest before each step"), IN(RACE), NULL, do_pace,
     1},
    {"slower", {'-', '_'}, N_("slower"), N_("more rest before each step, up to a second"), IN(RACE),
     NULL, do_pace, -1},
    {"faster", {'+', '='}, NULL, NULL, IN_RACE, NULL, do_pace, 1},
    {"slower", {'-', '_'}, NULL, NULL, IN_RACE, NULL, do_pace, -1},
    {"variant", {'v'}, N_("variant"), N_("the next way to write the purchase"), IN_ONE, NULL,
     do_variant, 1},
    {"variant-before", {'V'}, NULL, N_("the one before"), IN_ONE, NULL, do_variant, -1},
    {"tab", {KEY_TABULATOR}, N_("section"), N_("the next section, round and round"), IN(LESSON),
     NULL, do_move, MOTION_TAB},
    {"next", {'n'}, N_("next"), N_("the next lesson"), IN_ALL, NULL, do_lesson, 1},
    {"previous", {'p'}, NULL, N_("the lesson before"), IN_ALL, NULL, do_lesson, -1},
    {"report", {'o'}, N_("report"), N_("what the last race came to"), IN_ALL & ~IN(REPORT),
     has_report, do_show, VIEW_REPORT},
    {"text", {'t'}, N_("text"), N_("the lesson's text"), IN_ALL & ~IN(LESSON), NULL, do_text, 0},
    {"listing", {'l'}, N_("listing"), N_("the code alone, in full; again: back"),
     IN(LESSON) | IN(RACE) | IN(STEP), NULL, do_listing, 0},
    {"course", {'c'}, N_("course"), N_("all lessons, and how far you are"), IN_ALL & ~IN(COURSE),
     NULL, do_show, VIEW_COURSE},
    {"back", {KEY_ESCAPE, KEY_BACKSPACE, 127}, NULL,
     N_("put away what is on top; else one view up"), IN_ALL, NULL, do_back, 0},
    {"left", {KEY_LEFT}, NULL, N_("the section or the variant before"), IN_ALL, NULL, do_move,
     MOTION_LEFT},
    {"right", {KEY_RIGHT}, NULL, N_("the next section or variant"), IN_ALL, NULL, do_move,
     MOTION_RIGHT},
    {"tab", {KEY_TABULATOR}, NULL, NULL, IN_ALL, NULL, do_move, MOTION_TAB},
    {"up", {KEY_UP, 'k'}, NULL, N_("up"), IN_ALL, NULL, do_move, MOTION_UP},
    {"down", {KEY_DOWN, 'j'}, NULL, N_("down"), IN_ALL, NULL, do_move, MOTION_DOWN},
    {"page-up", {KEY_PPAGE}, NULL, N_("a page up"), IN_ALL, NULL, do_move, MOTION_PAGE_UP},
    {"page-down", {KEY_NPAGE, KEY_SPACE}, NULL,
     N_("a page down; in the text also on to the next section"), IN_ALL, NULL, do_move,
     MOTION_PAGE_DOWN},
    {"home", {KEY_HOME, 'g'}, NULL, N_("to the begin"), IN_ALL, NULL, do_move, MOTION_HOME},
    {"end", {KEY_END, 'G'}, NULL, N_("to the end"), IN_ALL, NULL, do_move, MOTION_END},
    {"choose", {KEY_RETURN, KEY_ENTER}, NULL, NULL, IN_ALL, NULL, do_move, MOTION_CHOOSE},
    {"language", {'L'}, NULL, N_("English, Chinese"), IN_ALL, NULL, do_language, 0},
    {"redraw", {CONTROL('L')}, NULL, N_("draw the screen anew"), IN_ALL, NULL, do_redraw, 0},
    {"stop-or-quit", {CONTROL('C')}, NULL, N_("end the race; without one, leave"), IN_ALL, NULL,
     do_interrupt, 0},
    {"suspend", {CONTROL('Z')}, NULL, N_("back to the shell for a while (fg returns)"), IN_ALL,
     NULL, do_suspend, 0},
    {"help", {'?', KEY_F(1)}, N_("help"), N_("this page"), IN_ALL, NULL, do_show, VIEW_HELP},
    {"command", {':'}, N_("command"), N_("a line to type a command into"), IN_ALL, NULL, do_prompt,
     0},
    {"quit", {'q'}, N_("quit"), N_("leave; progress is kept"), IN_ALL, NULL, do_quit, 0},
};
/* clang-format on */
const int action_count = sizeof actions / sizeof *actions;

bool action_ready(const App *app, const Action *action)
{
    return (action->views & (1u << app->shown)) && (!action->when || action->when(app));
}

bool action_keeps_popup(const Action *action)
{
    return action->run == do_move || action->run == do_back || action->run == do_prompt || action->run == do_redraw ||
           action->run == do_suspend || action->run == do_language || action->run == do_interrupt ||
           action->run == do_pause || action->run == do_open_cell; /* closes it itself */
}

const Action *action_for_key(const App *app, int key)
{
    if (key == '\n') key = KEY_RETURN;
    for (int i = 0; i < action_count; i++)
        for (int k = 0; k < ACTION_KEYS; k++)
            if (actions[i].key[k] == key && action_ready(app, &actions[i])) return &actions[i];
    return NULL;
}

const Action *action_named(const App *app, const char *name)
{
    const Action *found = NULL;
    for (int i = 0; i < action_count; i++) {
        if (strcmp(actions[i].name, name) != 0) continue;
        if (action_ready(app, &actions[i])) return &actions[i];
        found = &actions[i];
    }
    return found;
}

const char *key_label(int key, char text[16])
{
    static const struct {
        int key;
        const char *name;
    } names[] = {
        {KEY_SPACE, N_("Space")}, {KEY_RETURN, "Enter"}, {KEY_TABULATOR, "Tab"},
        {KEY_ESCAPE, "Esc"},      {KEY_PPAGE, "PgUp"},   {KEY_NPAGE, "PgDn"},
        {KEY_HOME, "Home"},       {KEY_END, "End"},      {KEY_F(1), "F1"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == key) return _(names[i].name);
    if (key == KEY_LEFT) return theme_glyph(GLYPH_LEFT);
    if (key == KEY_RIGHT) return theme_glyph(GLYPH_RIGHT);
    if (key == KEY_UP) return theme_glyph(GLYPH_UP);
    if (key == KEY_DOWN) return theme_glyph(GLYPH_DOWN);
    if (key > 0 && key < 32)
        snprintf(text, 16, "^%c", key + '@');
    else
        snprintf(text, 16, "%c", key < 127 ? key : '?');
    return text;
}

/* ---- the last line -----------------------------------------------------------------------------
 */

enum { LABEL_GAP = 2 };

static int label_columns(const Action *action)
{
    char key[16];
    return text_columns(key_label(action->key[0], key)) + 1 + text_columns(_(action->label)) +
           LABEL_GAP;
}

static int label_draw(const Area *line, int column, int index)
{
    char key[16];
    const Action *action = &actions[index];
    int end = area_put(line, 0, column, 0, STYLE_KEY, key_label(action->key[0], key));
    end = area_put(line, 0, end + 1, 0, STYLE_TEXT, _(action->label));
    hits_add(line, 0, column, end - column, HIT_ACTION + index, 0);
    return end + LABEL_GAP;
}

/* Help and the command line are always there; the others as far as there is room. */
static bool always(const Action *action)
{
    return strcmp(action->name, "help") == 0 || strcmp(action->name, "command") == 0;
}

void actions_draw(const App *app, const Area *line)
{
    int room = line->columns - 1;
    for (int i = 0; i < action_count; i++)
        if (always(&actions[i])) room -= label_columns(&actions[i]);

    int column = 1;
    for (int i = 0; i < action_count; i++) {
        const Action *action = &actions[i];
        if (!action->label || !action_ready(app, action)) continue;
        if (!always(action)) {
            int columns = label_columns(action);
            if (columns - LABEL_GAP > room) continue;
            room -= columns;
        }
        column = label_draw(line, column, i);
    }
}
