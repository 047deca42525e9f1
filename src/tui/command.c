#include "tui/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/action.h"
#include "tui/do_compare.h"
#include "tui/do_crash.h"
#include "tui/do_fault.h"
#include "tui/do_locks.h"
#include "tui/do_small.h"
#include "tui/popup.h"
#include "tui/term.h"

/* ---- what the commands do ----------------------------------------------------------------------
 */

static void ask_server(App *app, const char *argument, int sql)
{
    app->asked_ns = app->now_ns;
    snprintf(app->question, sizeof app->question, "%s %s", sql ? "sql" : "redis", argument);
    if (sql)
        lab_sql(app->lab, argument);
    else
        lab_redis(app->lab, argument);
}

static void wish(App *app, const char *argument, int field)
{
    Error error;
    if (small_is_shown(app) && field != WISH_PACE && field != WISH_SEED) {
        small_wish(app, (WishField)field, argument);
        return;
    }
    if (!wish_set(&app->wish, (WishField)field, argument, &error)) {
        app_say(app, STYLE_WARN, "%s", error.text);
        return;
    }
    if (field == WISH_PACE) {
        app_pace(app, app_pace_now(app));
        return;
    }
    bool later = app_busy(app) || small_is_shown(app);
    if (!later) app_prepare(app);
    const char *name = wish_kind((WishField)field)->name;
    if (later)
        app_say(app, STYLE_ACCENT, _("%s: from the next race on."), name);
    else if (!*argument)
        app_say(app, STYLE_ACCENT, _("%s: as the lesson has it."), name);
    else
        app_say(app, STYLE_ACCENT, _("%s: %s"), name, argument);
}

static void variant(App *app, const char *argument, int ignored)
{
    (void)ignored;
    const LessonVariant *found = lesson_variant(app->lesson, argument);
    if (found)
        app_open(app, app->lesson, found);
    else
        app_say(app, STYLE_WARN,
                _("This lesson has no variant \"%s\": Tab behind :variant names them."), argument);
}

static void lesson(App *app, const char *argument, int ignored)
{
    (void)ignored;
    Error error;
    const Lesson *found;
    const LessonVariant *of;
    if (!course_find(app->course, argument, &found, &of, &error)) {
        app_say(app, STYLE_WARN, "%s", error.text);
        return;
    }
    if (app_open(app, found, of) && app->shown == VIEW_COURSE) app_show(app, VIEW_LESSON);
}

static void language(App *app, const char *argument, int ignored)
{
    (void)ignored;
    if (!i18n_start(argument))
        app_say(app, STYLE_WARN, _("There is no language \"%s\": en or zh."), argument);
}

static void theme(App *app, const char *argument, int ignored)
{
    (void)ignored;
    if (theme_start(argument))
        term_redraw();
    else
        app_say(app, STYLE_WARN, _("There is no theme \"%s\": dark, light or mono."), argument);
}

/* 1, 0, or -1 for neither. */
static int on_off(App *app, const char *argument)
{
    if (strcmp(argument, "on") == 0) return 1;
    if (strcmp(argument, "off") == 0) return 0;
    app_say(app, STYLE_WARN, _("\"%s\" is neither on nor off."), argument);
    return -1;
}

static void ascii(App *app, const char *argument, int ignored)
{
    (void)ignored;
    int on = on_off(app, argument);
    if (on >= 0) theme_ascii(on);
}

static void mouse(App *app, const char *argument, int ignored)
{
    (void)ignored;
    int on = on_off(app, argument);
    if (on >= 0) term_mouse(on);
}

static void save_display(App *app, const char *argument, int ignored)
{
    (void)ignored;
    snprintf(app->dump_path, sizeof app->dump_path, "%s", argument);
}

/* ---- completion
 * ------------------------------------------------------------------------------------ */

static const char *words_variants(const App *app, int n)
{
    return n < app->lesson->variant_count ? app->lesson->variants[n].name : NULL;
}

static const char *words_lessons(const App *app, int n)
{
    return n < app->course->count ? app->course->lessons[n].name : NULL;
}

static const char *words_themes(const App *app, int n)
{
    (void)app;
    return theme_list(n);
}

static const char *words_languages(const App *app, int n)
{
    static const char *const names[] = {"en", "zh", NULL};
    (void)app;
    return names[n];
}

static const char *words_on_off(const App *app, int n)
{
    static const char *const names[] = {"on", "off", NULL};
    (void)app;
    return names[n];
}

static const char *words_explore(const App *app, int n)
{
    static const char *const names[] = {"all", "classes", NULL};
    (void)app;
    return names[n];
}

static const char *words_keys(const App *app, int n)
{
    const Snapshot *now = &app->view.snapshot;
    return app->view.has_snapshot && n < now->key_count ? now->keys[n].name : NULL;
}

static const char *words_tables(const App *app, int n)
{
    static const char *const names[] = {"tb_seckill_voucher", "tb_voucher", "tb_voucher_order",
                                        NULL};
    (void)app;
    return names[n];
}

/* ---- the table
 * ----------------------------------------------------------------------------------------- */

/* clang-format off */
const Command commands[] = {
    {"lesson", N_("NAME"), true, words_lessons, lesson, 0,
     N_("open a lesson: its number, its name, or name/variant")},
    {"variant", N_("NAME"), true, words_variants, variant, 0, N_("open a variant of this lesson")},
    {"users", NULL, false, NULL, wish, WISH_USERS, NULL},
    {"stock", NULL, false, NULL, wish, WISH_STOCK, NULL},
    {"requests", NULL, false, NULL, wish, WISH_REQUESTS, NULL},
    {"nodes", NULL, false, NULL, wish, WISH_NODES, NULL},
    {"seed", NULL, false, NULL, wish, WISH_SEED, NULL},
    {"pace", NULL, false, NULL, wish, WISH_PACE, NULL},
    {"step", N_("[MOVES]"), false, NULL, command_step, 0,
     N_("step mode; MOVES are made at once, for instance A A B")},
    {"move", N_("MOVES"), true, NULL, command_moves, 0, N_("make these moves in step mode")},
    {"explore", "[all|classes|N]", false, words_explore, command_explore, 0,
     N_("run every schedule; N: with at most N switches")},
    {"luck", N_("RACES"), true, NULL, command_luck, 0, N_("free races of the small world")},
    {"replay", N_("LINE"), true, NULL, command_replay, 0, N_("carry out a pasted schedule line")},
    {"line", NULL, false, NULL, command_line_shown, 0, N_("the schedule line of step mode, in full")},
    {"stall", "WHO@STEP=MS", true, words_fault, command_fault, FAULT_STALL,
     N_("WHO sleeps before that step; WHO: A, u27, c1, n1 or *")},
    {"freeze", "n1 [MS]|n1@STEP=MS", true, words_fault, command_fault, FAULT_FREEZE,
     N_("the node stands still, now or at that step")},
    {"error", "WHO@STEP", true, words_fault, command_fault, FAULT_ERROR, N_("an error instead of that step's reply")},
    {"crash", "n1|n1@STEP[:after]", true, words_fault, command_fault, FAULT_CRASH,
     N_("the node is killed, now or at that step")},
    {"start", "n1", true, NULL, command_start, 0, N_("a dead node is started again")},
    {"expire", "KEY|KEY@STEP", true, words_keys, command_fault, FAULT_EXPIRE,
     N_("the key runs out, now or at that step")},
    {"slow", "n1=MS", true, NULL, command_fault, FAULT_SLOW, N_("every step of the node takes so much longer")},
    {"failover", "[WHO@STEP]", false, words_fault, command_server_move, FAULT_FAILOVER,
     N_("the master dies, the replica takes its place: now, or at that step")},
    {"cut-link", "[WHO@STEP]", false, words_fault, command_server_move, FAULT_CUT_LINK,
     N_("the replica hears nothing of its master any more")},
    {"mend-link", "[WHO@STEP]", false, words_fault, command_server_move, FAULT_MEND_LINK, N_("the replica hears its master again")},
    {"kill-server", "N|N@STEP", true, NULL, command_server_move, FAULT_KILL_SERVER,
     N_("Redis server N of the lesson is killed")},
    {"restart-server", "N kept|empty", true, NULL, command_server_move, FAULT_RESTART_SERVER,
     N_("a killed one comes back, with its data or empty")},
    {"disarm", "N", true, NULL, command_disarm, 0, N_("take an armed fault back")},
    {"twice", "[on|off]", false, words_on_off, command_twice, 0, N_("every user's request comes twice")},
    {"kill", "redis|mariadb", true, words_servers, command_kill, 0, N_("kill a private server")},
    {"up", "redis|mariadb [empty]", true, words_servers, command_up, 0, N_("start it again, with its data or empty")},
    {"crash-table", N_("[MOVES]"), false, NULL, command_crash_table, 0,
     N_("a node killed before and after each step")},
    {"compare", N_("[NAMES]"), false, words_lessons, command_compare, 0,
     N_("the same sale side by side: :compare 05 07 09/compare-and-delete")},
    {"locks", NULL, false, NULL, command_locks, 0, N_("every kind of lock and every strategy, tried live")},
    {"redis", N_("COMMAND"), true, words_keys, ask_server, false,
     N_("ask Redis, for instance :redis KEYS *")},
    {"sql", N_("QUERY"), true, words_tables, ask_server, true, N_("ask the database")},
    {"lang", "en|zh", true, words_languages, language, 0, N_("English or Chinese")},
    {"theme", "dark|light|mono", true, words_themes, theme, 0,
     N_("colours for a dark or a light ground, or none")},
    {"ascii", "on|off", true, words_on_off, ascii, 0, N_("signs that every terminal has")},
    {"mouse", "on|off", true, words_on_off, mouse, 0,
     N_("off: the terminal's own selecting and copying")},
    {"save-display", N_("FILE"), true, NULL, save_display, 0,
     N_("write the screen to a file, as text")},
};
/* clang-format on */
const int command_count = sizeof commands / sizeof *commands;

const char *command_hint(const Command *command)
{
    if (command->hint) return _(command->hint);
    if (command->run != wish) return "";
    return wish_kind((WishField)command->extra)->value;
}

const char *command_help(const Command *command)
{
    return _(command->help ? command->help : wish_kind((WishField)command->extra)->help);
}

/* ---- running a line
 * -------------------------------------------------------------------------------------- */

static const Command *command_named(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static void action_run(App *app, const Action *action)
{
    if (action_ready(app, action))
        action->run(app, action->argument);
    else
        app_say(app, STYLE_WARN, _(":%s has nothing to do here."), action->name);
}

void command_run(App *app, const char *line)
{
    char name[40], argument[2000], shown[120];
    size_t length = strcspn(line, " ");
    const char *rest = line + length;
    while (*rest == ' ') rest++;
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    snprintf(argument, sizeof argument, "%s", rest);
    for (size_t end = strlen(argument); end > 0 && argument[end - 1] == ' ';)
        argument[--end] = '\0';

    popup_close(); /* what is on top was about another line */
    const Command *command = length < sizeof name ? command_named(name) : NULL;
    if (command && command->needs && !*argument) {
        app_say(app, STYLE_WARN, _(":%s needs %s."), name, command_hint(command));
        return;
    }
    if (command) {
        command->run(app, argument, command->extra);
        return;
    }
    const Action *action = length < sizeof name ? action_named(app, name) : NULL;
    if (action && !*argument)
        action_run(app, action);
    else if (action)
        app_say(app, STYLE_WARN, _(":%s takes nothing behind it."), name);
    else
        app_say(app, STYLE_WARN, _("There is no command \"%s\": ? lists them."),
                text_clean(shown, sizeof shown, line, length));
}

/* ---- completing it
 * ------------------------------------------------------------------------------------------ */

typedef struct Matches {
    char **list;
    int count;
} Matches;

static void match_add(Matches *matches, const char *candidate, const char *word)
{
    if (strncmp(candidate, word, strlen(word)) != 0) return;
    for (int i = 0; i < matches->count; i++)
        if (strcmp(matches->list[i], candidate) == 0) return;
    char **more = realloc(matches->list, (size_t)(matches->count + 2) * sizeof *more);
    char *copy = strdup(candidate);
    if (!more || !copy) abort();
    more[matches->count++] = copy;
    more[matches->count] = NULL;
    matches->list = more;
}

char **command_complete(App *app, const char *before, const char *word)
{
    Matches matches = {0};
    while (*before == ' ') before++;
    if (!*before) {
        for (int i = 0; i < command_count; i++) match_add(&matches, commands[i].name, word);
        for (int i = 0; i < action_count; i++) match_add(&matches, actions[i].name, word);
        return matches.list;
    }
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(before, " "), before);
    const Command *command = command_named(name);
    const char *candidate;
    for (int n = 0; command && command->words && (candidate = command->words(app, n)); n++)
        match_add(&matches, candidate, word);
    return matches.list;
}
