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
    ViewId here; /* where it was asked for */
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

/* Works wherever one is, or but for one view. */
static bool general(const Action *action)
{
    int views_left = 0;
    for (int i = 0; i < VIEW_COUNT; i++) views_left += !(action->views & (1u << i));
    return views_left <= 1;
}

static int key_part(const Area *area, int row, const char *keys, const char *words)
{
    area_put(area, row, 2, KEYS_COLUMNS - 2, STYLE_KEY, keys);
    area_put(area, row, 2 + KEYS_COLUMNS, 0, STYLE_TEXT, words);
    return row + 1;
}

static int action_part(const Area *area, int row, const Action *action)
{
    char keys[64];
    return key_part(area, row, keys_of(action, keys, sizeof keys), _(action->help));
}

/* What is done in the view that the help was asked from comes first. */
static int here_part(const Area *area, int row, ViewId here)
{
    int end = area_put(area, row, 0, 0, STYLE_TITLE, _("KEYS HERE"));
    area_put(area, row++, end + 2, 0, STYLE_QUIET, _(views[here]->title));
    for (int i = 0; i < action_count; i++)
        if (actions[i].help && !general(&actions[i]) && (actions[i].views & (1u << here)))
            row = action_part(area, row, &actions[i]);
    return row;
}

static int everywhere_part(const Area *area, int row)
{
    area_put(area, row++, 0, 0, STYLE_TITLE, _("KEYS EVERYWHERE"));
    for (int i = 0; i < action_count; i++)
        if (actions[i].help && general(&actions[i])) row = action_part(area, row, &actions[i]);
    row = key_part(area, row, "0 ... 9", _("open the lesson of this number"));
    return key_part(area, row, _("mouse"),
                    _("click on lessons, tabs, actors, cells and the last line; the wheel scrolls"));
}

/* The view under whose name an action of several is told. */
static ViewId told_under(const Action *action)
{
    for (int i = 0; i < VIEW_COUNT; i++)
        if (action->views & (1u << i)) return (ViewId)i;
    return VIEW_COUNT;
}

static int elsewhere_part(const Area *area, int row, ViewId here, ViewId view)
{
    bool titled = false;
    for (int i = 0; i < action_count; i++) {
        const Action *action = &actions[i];
        if (!action->help || general(action) || (action->views & (1u << here)) || told_under(action) != view)
            continue;
        if (!titled) area_put(area, ++row, 0, 0, STYLE_TITLE, _(views[view]->title));
        row = action_part(area, titled ? row : row + 1, action);
        titled = true;
    }
    return row;
}

static int actions_part(const Area *area, int row, ViewId here)
{
    row = here_part(area, row, here);
    row = everywhere_part(area, row + 1);
    for (int i = 0; i < VIEW_COUNT; i++) row = elsewhere_part(area, row, here, (ViewId)i);
    return row;
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
    enum { ENOUGH = 300 };
    if (shown.here != app->before) shown.top = 0;
    shown.here = app->before;
    Area inner = area_part(area, 0, 1, area->rows, area->columns - 2);
    Area page = area_scrolled(&inner, ENOUGH, shown.top);
    if (area->columns >= TWO_COLUMNS) {
        int half = inner.columns / 2 - 1;
        Area left = area_part(&page, 0, 0, ENOUGH, half);
        Area right = area_part(&page, 0, half + 2, ENOUGH, inner.columns - half - 2);
        int end = actions_part(&left, 0, app->before);
        int other = signs_part(&right, commands_part(&right, 0) + 1);
        shown.lines = end > other ? end : other;
    } else {
        shown.lines = signs_part(&page, commands_part(&page, actions_part(&page, 0, app->before) + 1) + 1);
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
