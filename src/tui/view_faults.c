/* Faults: what is armed, and all that can be made to go wrong, each with its key, command and flag. The words are those of the
 * table of actions. */
#include "tui/view_faults.h"

#include <stdio.h>

#include "base/i18n.h"
#include "tui/action.h"
#include "tui/do_fault.h"

enum { HIT_ROW, KEY_AT = 2, FORM_AT = 5, FORM_COLUMNS = 32, FLAG_COLUMNS = 10, FLAG_FROM = 110, LINES_MOST = 60 };

/* In the order of the screen. The flag is the command's form behind two dashes; "": there is none, since it is for
 * a race that is on. */
static const struct {
    FaultDeed deed;
    const char *form, *flag;
} menu[] = {
    {DEED_STALL, "stall WHO@STEP=MS", "--stall"},
    {DEED_FREEZE, "freeze n1 [MS] | n1@STEP=MS", "--freeze"},
    {DEED_ERROR, "error WHO@STEP", "--error"},
    {DEED_CRASH, "crash n1 | n1@STEP[:after]", "--crash"},
    {DEED_START, "start n1", ""},
    {DEED_EXPIRE, "expire KEY | KEY@STEP", "--expire"},
    {DEED_SLOW, "slow n1=MS", "--slow"},
    {DEED_TWICE, "twice [on|off]", "--twice"},
    {DEED_KILL_REDIS, "kill redis", ""},
    {DEED_KILL_SQL, "kill mariadb", ""},
    {DEED_UP, "up redis|mariadb", ""},
    {DEED_UP_EMPTY, "up redis empty", ""},
    {DEED_TAKE_BACK, "disarm N", ""},
};
enum { MENU = sizeof menu / sizeof *menu };

static struct {
    int hand; /* an armed fault, then a row of the menu */
    int top;
} shown;

static int hand_now(const App *app)
{
    int most = fault_count(app) + MENU - 1;
    if (shown.hand > most) shown.hand = most;
    return shown.hand;
}

int view_faults_chosen(const App *app)
{
    int armed = fault_count(app), hand = hand_now(app);
    return hand < armed ? hand : armed - 1;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static const Action *action_of(FaultDeed deed)
{
    for (int i = 0; i < action_count; i++)
        if (actions[i].run == do_deed && actions[i].argument == (int)deed) return &actions[i];
    return NULL;
}

static void menu_draw(const Area *page, int row, int index, bool hand)
{
    char key[16];
    const Action *action = action_of(menu[index].deed);
    if (hand) area_put(page, row, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
    if (action) area_put(page, row, KEY_AT, 2, STYLE_KEY, key_label(action->key[0], key));
    int at = area_format(page, row, FORM_AT, hand ? STYLE_CHOSEN : STYLE_TEXT, ":%s", menu[index].form);
    at = at < FORM_AT + FORM_COLUMNS ? FORM_AT + FORM_COLUMNS : at + 1;
    if (page->columns >= FLAG_FROM) {
        area_put(page, row, at, FLAG_COLUMNS - 1, STYLE_QUIET, menu[index].flag);
        at += FLAG_COLUMNS;
    }
    area_put(page, row, at, 0, STYLE_QUIET, action ? _(action->help) : "");
}

static int armed_draw(const Scene *scene, const Area *page, int armed, int hand)
{
    enum { COLUMNS_MOST = 70 };
    if (armed == 0) {
        int end = area_put(page, 0, 0, 0, STYLE_TITLE, _("ARMED"));
        area_put(page, 0, end + 2, 0, STYLE_QUIET, _("nothing"));
        return 1;
    }
    area_put(page, 0, 0, 0, STYLE_TITLE, _("ARMED"));
    Area list = area_part(page, 0, 2, page->rows, COLUMNS_MOST < page->columns ? COLUMNS_MOST : page->columns);
    for (int i = 0; i < armed; i++) {
        if (i == hand) area_put(page, 1 + i, 0, 1, STYLE_CHOSEN, theme_glyph(GLYPH_HERE));
        fault_row_draw(scene, &list, 1 + i, i, i == hand);
        hits_add(page, 1 + i, 0, page->columns, HIT_ROW, i);
    }
    return 1 + armed;
}

static void faults_view_draw(App *app, const Area *area)
{
    Scene scene;
    Spec spec;
    app_scene(app, &scene, &spec);
    int armed = fault_count(app), hand = hand_now(app);
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 3);
    int lines = 1 + armed + 2 + MENU;
    int hand_line = hand < armed ? 1 + hand : 3 + hand;
    if (hand_line < shown.top) shown.top = hand_line;
    if (hand_line >= shown.top + area->rows) shown.top = hand_line - area->rows + 1;
    if (hand == 0) shown.top = 0;
    shown.top = scroll_kept(shown.top, area->rows, lines);

    Area page = area_scrolled(&inner, LINES_MOST, shown.top);
    int row = armed_draw(&scene, &page, armed, hand) + 1;
    area_put(&page, row, 0, 0, STYLE_TITLE, _("BREAK SOMETHING"));
    area_put_right(&page, row++, page.columns, 50, STYLE_QUIET, _("WHO: A, u27, c1, n1, * (all)"));
    for (int i = 0; i < MENU; i++, row++) {
        menu_draw(&page, row, i, armed + i == hand);
        hits_add(&page, row, 0, page.columns, HIT_ROW, armed + i);
    }
    scroll_marks(area, shown.top, lines);
}

/* ---- moving ------------------------------------------------------------------------------------------ */

static void choose(App *app)
{
    int armed = fault_count(app), hand = hand_now(app);
    do_deed(app, hand < armed ? DEED_TAKE_BACK : (int)menu[hand - armed].deed);
}

static void faults_view_move(App *app, Motion motion)
{
    if (motion == MOTION_CHOOSE)
        choose(app);
    else
        shown.hand = scroll_moved(hand_now(app), motion, 1, fault_count(app) + MENU);
}

static void faults_view_click(App *app, const Hit *hit)
{
    if (hit->what != HIT_ROW) return;
    /* A second click does it. */
    bool again = shown.hand == hit->argument;
    shown.hand = hit->argument;
    if (again) choose(app);
}

const View view_faults = {"faults", N_("Faults"), faults_view_draw, faults_view_move, faults_view_click, NULL};
