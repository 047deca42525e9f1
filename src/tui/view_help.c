/* The help: made from the tables of actions and commands, so that it cannot lie. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/action.h"
#include "tui/command.h"

enum { TWO_COLUMNS = 130, KEYS_COLUMNS = 14, USAGE_COLUMNS = 24 };

static struct {
    int top, rows, lines;
} shown;

static const char *keys_of(const Action *action, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < ACTION_KEYS && action->key[i]; i++) {
        char one[16];
        const char *name = key_label(action->key[i], one);
        if (strcmp(name, "?") == 0 && action->key[i] != '?') continue; /* has no name of its own */
        if (i > 0 && strstr(text, name)) continue;
        int more = snprintf(text + used, size - used, i > 0 ? "  %s" : "%s", name);
        if (more < 0 || (size_t)more >= size - used) break;
        used += (size_t)more;
    }
    return text;
}

typedef enum Group { GROUP_ALL, GROUP_STEP, GROUP_EXPLORE, GROUP_FAULTS, GROUP_CRASH, GROUP_COMPARE } Group;

/* What works in one view alone is told apart from the rest. */
static Group group_of(const Action *action)
{
    if (action->views == IN(STEP)) return GROUP_STEP;
    if (action->views == IN(FAULTS)) return GROUP_FAULTS;
    if (action->views == IN(CRASH)) return GROUP_CRASH;
    if (action->views == IN(COMPARE)) return GROUP_COMPARE;
    return action->views == IN(EXPLORE) ? GROUP_EXPLORE : GROUP_ALL;
}

static int group_part(const Area *area, int row, Group group, const char *title)
{
    area_put(area, row++, 0, 0, STYLE_TITLE, title);
    for (int i = 0; i < action_count; i++) {
        char keys[64];
        if (!actions[i].help || group_of(&actions[i]) != group) continue;
        area_put(area, row, 2, KEYS_COLUMNS - 2, STYLE_KEY,
                 keys_of(&actions[i], keys, sizeof keys));
        area_put(area, row++, 2 + KEYS_COLUMNS, 0, STYLE_TEXT, _(actions[i].help));
    }
    return row;
}

static int actions_part(const Area *area, int row)
{
    row = group_part(area, row, GROUP_ALL, _("KEYS"));
    area_put(area, row, 2, KEYS_COLUMNS - 2, STYLE_KEY, "0 ... 9");
    area_put(area, row++, 2 + KEYS_COLUMNS, 0, STYLE_TEXT, _("open the lesson of this number"));
    area_put(area, row, 2, KEYS_COLUMNS - 2, STYLE_KEY, _("mouse"));
    area_put(area, row++, 2 + KEYS_COLUMNS, 0, STYLE_TEXT,
             _("click on lessons, tabs, actors, cells and the last line; the wheel scrolls"));
    row = group_part(area, row + 1, GROUP_STEP, _("STEP MODE"));
    row = group_part(area, row + 1, GROUP_EXPLORE, _("EXPLORING"));
    row = group_part(area, row + 1, GROUP_FAULTS, _("FAULTS"));
    row = group_part(area, row + 1, GROUP_CRASH, _("CRASH TABLE"));
    return group_part(area, row + 1, GROUP_COMPARE, _("SIDE BY SIDE"));
}

static int commands_part(const Area *area, int row)
{
    area_put(area, row++, 0, 0, STYLE_TITLE, _("COMMANDS"));
    for (int i = 0; i < command_count; i++) {
        char usage[120];
        const char *hint = command_hint(&commands[i]);
        snprintf(usage, sizeof usage, ":%s %s", commands[i].name, hint);
        int end = area_put(area, row, 2, 0, STYLE_KEY, usage) + 2;
        if (end < 2 + USAGE_COLUMNS) end = 2 + USAGE_COLUMNS;
        area_put(area, row++, end, 0, STYLE_TEXT, command_help(&commands[i]));
    }
    area_put(area, row++, 2, 0, STYLE_QUIET,
             _("Every key's action is a command too, for instance :race, :pause, :next."));
    return row;
}

static int signs_part(const Area *area, int row)
{
    static const struct {
        Glyph glyph;
        Style style;
        const char *words;
    } signs[] = {
        {GLYPH_UNKNOWN, STYLE_QUIET, N_("cannot be said yet")},
        {GLYPH_KEPT, STYLE_KEPT, N_("kept")},
        {GLYPH_BROKEN, STYLE_BROKEN, N_("BROKEN")},
        {GLYPH_TELLING, STYLE_BROKEN, N_("the step at which it broke")},
        {GLYPH_HERE, STYLE_CHOSEN, N_("what is chosen")},
        {GLYPH_DONE, STYLE_KEPT, N_("read, raced")},
    };
    area_put(area, row++, 0, 0, STYLE_TITLE, _("SIGNS"));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        area_put(area, row, 2, 1, signs[i].style, theme_glyph(signs[i].glyph));
        area_put(area, row++, 5, 0, STYLE_TEXT, _(signs[i].words));
    }
    return row;
}

static void help_draw(App *app, const Area *area)
{
    (void)app;
    enum { ENOUGH = 200 };
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    Area page = area_scrolled(&inner, ENOUGH, shown.top);
    if (area->columns >= TWO_COLUMNS) {
        int half = inner.columns / 2 - 1;
        Area left = area_part(&page, 0, 0, ENOUGH, half);
        Area right = area_part(&page, 0, half + 2, ENOUGH, inner.columns - half - 2);
        int end = actions_part(&left, 0);
        int other = signs_part(&right, commands_part(&right, 0) + 1);
        shown.lines = end > other ? end : other;
    } else {
        shown.lines = signs_part(&page, commands_part(&page, actions_part(&page, 0) + 1) + 1);
    }
    shown.rows = area->rows;
    scroll_marks(area, shown.top, shown.lines);
}

static void help_move(App *app, Motion motion)
{
    if (motion == MOTION_CHOOSE)
        app_back(app);
    else
        shown.top = scroll_moved(shown.top, motion, shown.rows, shown.lines);
}

const View view_help = {"help", N_("Help"), help_draw, help_move, NULL, NULL};
