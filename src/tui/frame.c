#include "tui/frame.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/action.h"
#include "tui/do_compare.h"
#include "tui/do_crash.h"
#include "tui/flow.h"
#include "tui/glow.h"
#include "tui/popup.h"
#include "tui/prompt.h"

enum { ROOMY_ROWS = 24, LEAST_ROWS = 16, LEAST_COLUMNS = 60, TOP_ROWS = 2, BOTTOM_ROWS = 2 };

static const uint64_t second_ns = 1000000000;

/* ---- the first line: where one is
 * ---------------------------------------------------------------- */

/* "200 users  stock 100  2 nodes". Returns the bytes. */
static int spec_words(const Spec *spec, bool with_stock, char *text, size_t size)
{
    char users[32], stock[32];
    number_grouped(users, sizeof users, spec->users);
    number_grouped(stock, sizeof stock, spec->stock);
    int used =
        snprintf(text, size, ngettext("%s user", "%s users", (unsigned long)spec->users), users);
    if (spec->requests > 1)
        used += snprintf(text + used, size - (size_t)used, " x %d", spec->requests);
    if (with_stock)
        used += snprintf(text + used, size - (size_t)used, _("  stock %s"), stock);
    if (spec->nodes > 1)
        used += snprintf(text + used, size - (size_t)used, _("  %d nodes"), spec->nodes);
    return used;
}

static void world_words(const App *app, char *text, size_t size)
{
    Scene scene;
    Spec wished;
    char pace[60];
    app_scene(app, &scene, &wished);
    const Spec *spec = app_busy(app) && scene.current ? scene.spec : &wished;
    if (app->shown == VIEW_REPORT && app->has_report) spec = &app->report.spec;
    Spec small;
    small_spec(app, &small);
    if (small_is_shown(app)) spec = &small;
    if (app->shown == VIEW_STEP && small_step_state(app)) spec = &small_step_state(app)->spec;
    if (app->shown == VIEW_EXPLORE && small_explore_state(app))
        spec = &small_explore_state(app)->result.spec;
    if (app->shown == VIEW_CRASH && crash_state(app)) spec = &crash_state(app)->table.spec;
    int used = spec_words(spec, app->lesson->shows_stock, text, size);
    if (small_is_shown(app))
        snprintf(text + used, size - (size_t)used, "  %s",
                 app->shown == VIEW_STEP    ? _("step by step")
                 : app->shown == VIEW_CRASH ? _("crash by crash")
                                            : _("all schedules"));
    else
        snprintf(text + used, size - (size_t)used, "  %s",
             pace_words(app_racing(app) ? app_pace_now(app) : spec->pace_ms, pace, sizeof pace));
}

/* A view that is about no single lesson: its own title, and, for a comparison, the world of all rows. */
static bool own_top_draw(const App *app, const Area *line)
{
    if (app->shown != VIEW_COMPARE) return false;
    char world[200];
    Spec spec;
    compare_world(app, &spec);
    spec_words(&spec, true, world, sizeof world);
    area_put(line, 0, 1, 0, STYLE_STRONG, _(views[app->shown]->title));
    area_put_right(line, 0, line->columns - 1, text_columns(world), STYLE_QUIET, world);
    return true;
}

static void top_draw(const App *app, const Area *line)
{
    if (own_top_draw(app, line)) return;
    if (app->shown == VIEW_COURSE || app->shown == VIEW_HELP || app->shown == VIEW_LOCKS) {
        int end = area_put(line, 0, 1, 0, STYLE_STRONG, "seckill-lab");
        area_put(line, 0, end + 2, 0, STYLE_QUIET, _(views[app->shown]->title));
        return;
    }
    char world[200];
    if (app->shown == VIEW_EXERCISE)
        snprintf(world, sizeof world, "%s", _("exercise"));
    else
        world_words(app, world, sizeof world);
    int columns = text_columns(world);
    int end = area_put(line, 0, 1, 3, STYLE_QUIET, app->lesson->number);
    int free_columns = line->columns - 1 - columns - 2 - (end + 1);
    if (free_columns > 0)
        end = area_put(line, 0, end + 1, free_columns, STYLE_STRONG, lesson_text(app->lesson)->title);
    int room = line->columns - 1 - columns - 2 - (end + 2);
    if (room > 4) area_put(line, 0, end + 2, room, STYLE_ACCENT, app->variant->name);
    area_put_right(line, 0, line->columns - 1, columns, STYLE_QUIET, world);
}

/* ---- the line above the last: how things stand
 * ------------------------------------------------------ */

static int server_draw(const App *app, const Area *line, int column, ServerKind kind)
{
    static const char *const names[SERVER_COUNT] = {
        [SERVER_REDIS] = "Redis", [SERVER_SQL] = "MariaDB"};
    const ServerStatus *server = &app->view.server[kind];
    char words[240] = "";
    Style style = STYLE_QUIET;
    switch (server->state) {
    case SERVER_ABSENT:
        return column;
    case SERVER_STARTING:
        snprintf(words, sizeof words, _("starting %.1f s"),
                 (double)(app->now_ns - app->started_ns) / (double)second_ns);
        style = STYLE_ACCENT;
        break;
    case SERVER_READY:
        snprintf(words, sizeof words, _("ready %.1f s"), server->seconds);
        break;
    case SERVER_DOWN:
    case SERVER_FAILED:
        snprintf(words, sizeof words, "%s",
                 server->state == SERVER_DOWN ? _("is down") : _("failed"));
        style = STYLE_BROKEN;
        break;
    }
    int end = area_put(line, 0, column, 0, STYLE_TEXT, names[kind]);
    return area_put(line, 0, end + 1, 0, style, words) + 3;
}

static void servers_draw(const App *app, const Area *line)
{
    int column = 1;
    const char *advice = app->view.message;
    for (int i = 0; i < SERVER_COUNT; i++) {
        const ServerStatus *server = &app->view.server[i];
        column = server_draw(app, line, column, (ServerKind)i);
        if (server->state == SERVER_DOWN) advice = _("R starts it again.");
        if (server->state == SERVER_FAILED) advice = server->message;
    }
    if (app_server_down(app)) area_put(line, 0, column, 0, STYLE_WARN, advice);
}

static void running_draw(const App *app, const Area *line)
{
    const RaceProgress *race = &app->view.race;
    char answered[32], total[32], rate[32], right[120];
    snprintf(right, sizeof right, _("%.2f s  %s requests/s"), race->seconds,
             number_grouped(rate, sizeof rate, (long)(race->throughput + 0.5)));
    area_put_right(line, 0, line->columns - 1, 60, STYLE_QUIET, right);
    if (app->view.phase == LAB_PREPARING) {
        area_put(line, 0, 1, 0, STYLE_QUIET, _("making the shop ready"));
        return;
    }
    const char *word = app->view.phase == LAB_JUDGING ? _("judging")
                       : race->paused                 ? _("paused")
                                                      : _("racing");
    int end = area_put(line, 0, 1, 0, STYLE_ACCENT, word);
    if (race->answered == race->total && race->queues.waiting > 0 && !race->paused) {
        area_format(line, 0, end + 2, STYLE_TEXT,
                    ngettext("all answered, %s order still waits", "all answered, %s orders still wait",
                             (unsigned long)race->queues.waiting),
                    number_grouped(answered, sizeof answered, race->queues.waiting));
        return;
    }
    area_format(line, 0, end + 2, STYLE_TEXT, _("%s of %s answered"),
                number_grouped(answered, sizeof answered, race->answered),
                number_grouped(total, sizeof total, race->total));
}

/* The report tells the times, too: where the line is too short for both, the headline stands. */
static void result_draw(const Report *report, const Area *line)
{
    char right[120], rate[32], headline[600];
    bool broken = report->first_broken < INVARIANT_COUNT;
    int used = snprintf(headline, sizeof headline, "%s%s", report->trouble, report->trouble[0] ? " " : "");
    if (report->stopped)
        snprintf(headline, sizeof headline, "%s", report_stopped_words(report));
    else
        report_headline(report, headline + used, (int)sizeof headline - used);

    snprintf(right, sizeof right, _("%.2f s  %s requests/s"), report->seconds,
             number_grouped(rate, sizeof rate, (long)(report->throughput + 0.5)));
    int room = line->columns - 2, wanted = text_columns(headline) + 2;
    if (wanted + text_columns(right) > room) snprintf(right, sizeof right, _("%.2f s"), report->seconds);
    if (wanted + text_columns(right) > room) right[0] = '\0';
    int columns = text_columns(right);
    area_put_right(line, 0, line->columns - 1, columns, STYLE_QUIET, right);
    area_put(line, 0, 1, columns > 0 ? room - columns - 2 : room,
             report->stopped ? STYLE_WARN
             : broken        ? STYLE_BROKEN
                             : STYLE_KEPT,
             headline);
}

static bool servers_ready(const App *app)
{
    for (int i = 0; i < SERVER_COUNT; i++) {
        ServerState state = app->view.server[i].state;
        if (state != SERVER_READY && state != SERVER_ABSENT) return false;
    }
    return true;
}

/* A question that is not answered at once is seen to run. */
static void asking_draw(const App *app, const Area *line)
{
    char right[80];
    bool sql = strncmp(app->question, "sql", 3) == 0;
    snprintf(right, sizeof right, sql ? _("%.1f s  x cancels") : _("%.1f s"),
             (double)(app->now_ns - app->asked_ns) / (double)second_ns);
    int columns = text_columns(right);
    area_put_right(line, 0, line->columns - 1, columns, STYLE_KEY, right);
    int end = area_put(line, 0, 1, 0, STYLE_ACCENT, _("asking:"));
    area_put(line, 0, end + 1, line->columns - columns - end - 4, STYLE_TEXT, app->question);
}

static void state_draw(const App *app, const Area *line)
{
    Scene scene;
    Spec spec;
    app_scene(app, &scene, &spec);
    if (app->now_ns < app_message_end(app)) {
        area_put(line, 0, 1, 0, app->message_style, app->message);
        return;
    }
    if (app->view.asking) {
        asking_draw(app, line);
        return;
    }
    if (!servers_ready(app) || app->view.phase == LAB_STARTING) {
        servers_draw(app, line);
        return;
    }
    if (views[app->shown]->state && app->view.phase != LAB_BROKEN) {
        views[app->shown]->state(app, line);
        return;
    }
    if (app->view.phase == LAB_BROKEN)
        area_put(line, 0, 1, 0, STYLE_WARN, app->view.message);
    else if (app_busy(app))
        running_draw(app, line);
    else if (scene.report && app->shown != VIEW_COURSE)
        result_draw(scene.report, line);
    else if (app->view.message[0])
        area_put(line, 0, 1, 0, STYLE_WARN, app->view.message);
    else
        servers_draw(app, line);
}

/* ---- the whole
 * ---------------------------------------------------------------------------------------- */

static bool too_small(void)
{
    if (LINES >= LEAST_ROWS && COLS >= LEAST_COLUMNS) return false;
    char sizes[200];
    Flow flow = {0};
    Area all = area_make(0, 0, LINES, COLS);
    snprintf(sizes, sizeof sizes, _("Here: %d x %d. Needed: %d x %d."), COLS, LINES, LEAST_COLUMNS,
             LEAST_ROWS);
    flow_text(&flow, STYLE_STRONG, _("A little more room, please."), COLS - 2, 0);
    flow_text(&flow, STYLE_TEXT, sizes, COLS - 2, 0);
    int row = LINES > flow.lines ? (LINES - flow.lines) / 2 : 0;
    Area part = area_part(&all, row, 1, flow.lines, COLS - 1);
    flow_draw(&flow, &part, 0);
    flow_free(&flow);
    return true;
}

/* What completion offers, above the last lines. */
static void offers_draw(const Area *body)
{
    if (!*prompt_offers()) return;
    Flow flow = {0};
    flow_text(&flow, STYLE_TEXT, prompt_offers(), body->columns - 4, 0);
    int rows = flow.lines + 1 < body->rows ? flow.lines + 1 : body->rows;
    Area part = area_part(body, body->rows - rows, 0, rows, body->columns);
    area_blank(&part);
    area_line(&part, 0);
    Area words = area_part(&part, 1, 2, rows - 1, body->columns - 4);
    flow_draw(&flow, &words, 0);
    flow_free(&flow);
}

static void whole_draw(App *app, int *cursor)
{
    Area top = area_make(0, 0, 1, COLS);
    int blank = LINES >= ROOMY_ROWS; /* between the view and the state */
    Area body = area_make(TOP_ROWS, 0, LINES - TOP_ROWS - BOTTOM_ROWS - blank, COLS);
    Area state = area_make(LINES - 2, 0, 1, COLS);
    Area last = area_make(LINES - 1, 0, 1, COLS);
    top_draw(app, &top);
    views[app->shown]->draw(app, &body);
    popup_draw(&body);
    if (!prompt_is_open()) {
        state_draw(app, &state);
        actions_draw(app, &last);
        return;
    }
    state_draw(app, &state);
    offers_draw(&body);
    prompt_draw(&last, cursor);
}

void frame_draw(App *app)
{
    int cursor = -1;
    erase();
    hits_clear();
    if (!too_small()) whole_draw(app, &cursor);
    curs_set(cursor >= 0);
    if (cursor >= 0) move(LINES - 1, cursor);
    wnoutrefresh(stdscr);
    doupdate();
}

uint64_t frame_next(const App *app)
{
    uint64_t moments[] = {
        glow_next(app->now_ns),
        app_message_end(app) > app->now_ns ? app_message_end(app) : 0,
        app->view.phase == LAB_STARTING || app->view.asking ? app->now_ns + second_ns / 10 : 0,
    };
    uint64_t next = 0;
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++)
        if (moments[i] && (next == 0 || moments[i] < next)) next = moments[i];
    return next;
}

/* ---- :save-display
 * --------------------------------------------------------------------------------------- */

static void row_save(FILE *file, int row)
{
    Text line = {0};
    for (int column = 0; column < COLS;) {
        cchar_t cell;
        wchar_t wide[CCHARW_MAX + 1] = {0};
        attr_t attributes;
        short pair;
        if (mvin_wch(row, column, &cell) != OK ||
            getcchar(&cell, wide, &attributes, &pair, NULL) != OK || !wide[0]) {
            column++;
            continue;
        }
        for (int i = 0; wide[i]; i++) {
            char bytes[4];
            text_append_bytes(&line, bytes, (size_t)text_encode((uint32_t)wide[i], bytes));
        }
        int columns = text_char_columns((uint32_t)wide[0]);
        column += columns > 0 ? columns : 1;
    }
    while (line.length > 0 && line.data[line.length - 1] == ' ') line.data[--line.length] = '\0';
    fprintf(file, "%s\n", text_string(&line));
    text_free(&line);
}

bool frame_save(const char *path, Error *error)
{
    FILE *file = fopen(path, "we");
    if (!file) return error_set(error, _("Cannot write %s: %s."), path, strerror(errno));
    for (int row = 0; row < LINES; row++) row_save(file, row);
    if (fclose(file) != 0)
        return error_set(error, _("Cannot write %s: %s."), path, strerror(errno));
    return true;
}
