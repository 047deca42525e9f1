/* Several Redis servers, side by side: what each is, and the keys it holds. A lock that is on one and not on the
 * other is seen at a glance. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/panel.h"

enum { GAP = 2, ROWS_LEAST = 3 };

static const FleetView *fleet_of(const Scene *scene)
{
    if (scene->step) return &scene->step->view.truth.fleet;
    return scene->current && scene->view->has_snapshot ? &scene->view->snapshot.fleet : NULL;
}

/* Rows below the heads: names of all servers' keys, each once, so that equal keys stand in one row. */
enum { NAMES = FLEET_SERVERS * FLEET_KEYS };
static struct {
    const char *name[NAMES];
    int names;
} shown;

static const KeyView *key_on(const FleetView *fleet, int server, const char *name)
{
    for (int i = 0; i < fleet->server[server].key_count; i++)
        if (strcmp(fleet->server[server].keys[i].name, name) == 0) return &fleet->server[server].keys[i];
    return NULL;
}

static bool is_named(const char *name)
{
    for (int i = 0; i < shown.names; i++)
        if (strcmp(shown.name[i], name) == 0) return true;
    return false;
}

static int servers_update(const Scene *scene, int columns)
{
    (void)columns;
    const FleetView *fleet = fleet_of(scene);
    shown.names = 0;
    if (!fleet || fleet->state.servers == 0) return 0;
    for (int i = 0; i < fleet->state.servers; i++)
        for (int k = 0; k < fleet->server[i].key_count; k++)
            if (!is_named(fleet->server[i].keys[k].name)) shown.name[shown.names++] = fleet->server[i].keys[k].name;
    int most = scene->roomy ? 6 : 2;
    if (shown.names > most) shown.names = most;
    return 2 + (shown.names ? shown.names : 1);
}

static void head_draw(const FleetView *fleet, const Area *area, int column, int width, int server)
{
    static const struct {
        const char *word;
        Style style;
    } roles[] = {[FLEET_DEAD] = {N_("dead"), STYLE_BROKEN},
                 [FLEET_MASTER] = {N_("master"), STYLE_ACCENT},
                 [FLEET_REPLICA] = {N_("replica"), STYLE_TEXT}};
    char text[64];
    FleetRole role = fleet->state.role[server];
    bool cut = role == FLEET_REPLICA && fleet->state.cut;
    snprintf(text, sizeof text, cut ? _("%d %s, cut off") : "%d %s", server + 1, _(roles[role].word));
    area_put(area, 1, column, width, cut ? STYLE_WARN : roles[role].style, text);
}

/* Of a value as long as a uuid the end says who it is. */
static const char *short_value(const KeyView *key, int columns, char *text, size_t size)
{
    int length = (int)strlen(key->value);
    bool plain = text_columns(key->value) == length;
    if (length <= columns || columns < 6 || !plain)
        snprintf(text, size, "%s", key->value);
    else
        snprintf(text, size, "..%s", key->value + (length > columns - 2 ? length - (columns - 2) : 0));
    return text;
}

static void cell_draw(const FleetView *fleet, const Area *area, int row, int column, int width, int server, const char *name)
{
    const KeyView *key = key_on(fleet, server, name);
    char value[120], text[240];
    if (!key) {
        area_put(area, row, column, width, STYLE_QUIET, fleet->state.role[server] == FLEET_DEAD ? "" : _("none"));
        return;
    }
    int room = width - text_columns(name) - 1;
    if (room >= 6)
        snprintf(text, sizeof text, "%s %s", name, short_value(key, room, value, sizeof value));
    else
        snprintf(text, sizeof text, "%s", name);
    area_put(area, row, column, width, key->changed ? STYLE_FRESH : STYLE_TEXT, text);
}

static void servers_draw(const Scene *scene, const Area *area)
{
    const FleetView *fleet = fleet_of(scene);
    if (!fleet || fleet->state.servers == 0) return;
    int width = (area->columns - GAP * (fleet->state.servers - 1)) / fleet->state.servers;
    panel_title(area, _("SERVERS"), "");
    for (int i = 0; i < fleet->state.servers; i++) {
        int column = i * (width + GAP);
        head_draw(fleet, area, column, width, i);
        bool empty = fleet->server[i].answers && shown.names == 0;
        if (empty) area_put(area, 2, column, width, STYLE_QUIET, _("no key"));
        for (int k = 0; k < shown.names && 2 + k < area->rows; k++)
            cell_draw(fleet, area, 2 + k, column, width, i, shown.name[k]);
    }
}

const Panel panel_servers = {"servers", 2, ROWS_LEAST, servers_update, servers_draw};
