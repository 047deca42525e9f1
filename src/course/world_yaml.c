#include "course/world_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/i18n.h"
#include "engine/server_move.h"

enum { MAX_STOCK = 1000000000, MAX_PACE_MS = 1000, MAX_PREEMPTIONS = 100, MAX_CONSUMERS = 4, MAX_LIMIT_S = 600 };

/* The documents' ids have 31 bits of seconds from 2022 on; a clock outside has none. */
static const int64_t CLOCK_FIRST = 1640995200, CLOCK_LAST = 1640995200 + 2147483647LL;

World world_default(WorldBlock block)
{
    Spec spec = {.users = 2, .requests = 1, .stock = 1, .nodes = 1, .seed = 1};
    if (block == IN_RACE) {
        spec.users = 200;
        spec.stock = 100;
    }
    return (World){.spec = spec};
}

/* ---- one reader a key ---------------------------------------------------------------------- */

static bool read_int(YamlFile *file, const yaml_node_t *node, int low, int high, int *into)
{
    int64_t number;
    if (!yaml_whole_number(file, node, low, high, &number)) return false;
    *into = (int)number;
    return true;
}

static bool read_users(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 1, MAX_USERS, &world->spec.users);
}

static bool read_requests(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 1, MAX_REQUESTS, &world->spec.requests);
}

static bool read_at_once(YamlFile *file, const yaml_node_t *node, World *world)
{
    return yaml_truth(file, node, &world->spec.at_once);
}

static bool read_stock(YamlFile *file, const yaml_node_t *node, World *world)
{
    int stock;
    if (!read_int(file, node, 0, MAX_STOCK, &stock)) return false;
    world->spec.stock = stock;
    return true;
}

static bool read_nodes(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 1, MAX_NODES, &world->spec.nodes);
}

static bool read_consumers(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 0, MAX_CONSUMERS, &world->spec.consumers);
}

static bool read_queue(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 1, QUEUE_CAPACITY, &world->spec.queue);
}

static bool read_stream(YamlFile *file, const yaml_node_t *node, World *world)
{
    static const char *const names[] = {
        [STREAM_NONE] = "none", [STREAM_BARE] = "bare", [STREAM_GROUP] = "group", [STREAM_POISON] = "poison"};
    const char *text = yaml_text(file, node);
    if (!text) return false;
    for (StreamSetup stream = STREAM_NONE; stream <= STREAM_POISON; stream++) {
        if (strcmp(names[stream], text) != 0) continue;
        world->spec.stream = stream;
        return true;
    }
    return yaml_refuse(file, node, _("'%s' is none of: none, bare, group, poison"), text);
}

static bool read_watchdogs(YamlFile *file, const yaml_node_t *node, World *world)
{
    return yaml_truth(file, node, &world->spec.watchdogs);
}

static bool read_pace(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 0, MAX_PACE_MS, &world->spec.pace_ms);
}

static bool read_limit(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 1, MAX_LIMIT_S, &world->spec.limit_s);
}

static bool read_seed(YamlFile *file, const yaml_node_t *node, World *world)
{
    int64_t seed;
    if (!yaml_whole_number(file, node, 0, INT64_C(1) << 53, &seed)) return false;
    world->spec.seed = (uint64_t)seed;
    return true;
}

/* A day that no calendar has is moved on by timegm(): written back, it differs. */
static bool read_clock(YamlFile *file, const yaml_node_t *node, World *world)
{
    static const char form[] = "%Y-%m-%dT%H:%M:%SZ";
    const char *text = yaml_text(file, node);
    if (!text) return false;
    struct tm parts = {0};
    const char *end = strptime(text, form, &parts);
    char again[40] = "";
    if (end && !*end) {
        world->spec.clock = timegm(&parts);
        strftime(again, sizeof again, form, &parts);
    }
    if (strcmp(again, text) != 0)
        return yaml_refuse(file, node, _("'%s' is no time of the form 2026-11-30T08:00:01Z"), text);
    if (world->spec.clock >= CLOCK_FIRST && world->spec.clock <= CLOCK_LAST) return true;
    return yaml_refuse(file, node, _("the clock must stand between 2022 and 2090, where ids are"));
}

static bool read_window(YamlFile *file, const yaml_node_t *node, World *world)
{
    static const char *const names[] = {
        [WINDOW_OPEN] = "open", [WINDOW_NOT_BEGUN] = "not-begun", [WINDOW_ENDED] = "ended"};
    const char *text = yaml_text(file, node);
    if (!text) return false;
    for (Window window = WINDOW_OPEN; window <= WINDOW_ENDED; window++) {
        if (strcmp(names[window], text) != 0) continue;
        world->spec.window = window;
        return true;
    }
    return yaml_refuse(file, node, _("'%s' is none of: open, not-begun, ended"), text);
}

/* "error A@insert-order" and its like, as on the command line. */
static bool read_armed_fault(YamlFile *file, const yaml_node_t *node, const char *text, Spec *spec)
{
    char name[16];
    size_t length = strcspn(text, " ");
    Error error;
    if (spec->faults == MAX_FAULTS)
        return yaml_refuse(file, node, _("at most %d faults can be armed"), MAX_FAULTS);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), text);
    FaultKind kind = fault_kind_find(name);
    if (kind == FAULT_KINDS || text[length] == '\0')
        return yaml_refuse(file, node, _("'%s' is none of: clk, clk-after-crash, crash, restart, freeze, or a fault like "
                                         "'error A@insert-order'"), text);
    if (!fault_parse(kind, text + length + 1, &spec->fault[spec->faults], &error))
        return yaml_refuse(file, node, "%s", error.text);
    spec->faults++;
    return true;
}

/* "failover", "cut-link", "kill-server", or "kill-server 2" of that one alone. */
static bool read_server_move(const char *text, Spec *spec)
{
    ServerMove deed = server_deed_find(text);
    size_t kill = strlen("kill-server ");
    if (deed == SERVER_DEEDS && strncmp(text, "kill-server ", kill) == 0 && text[kill] >= '1' &&
        text[kill] <= '0' + FLEET_SERVERS && text[kill + 1] == '\0') {
        deed = SERVER_DOES_KILL;
        spec->server_victims |= 1u << (text[kill] - '1');
    }
    if (deed == SERVER_DEEDS) return false;
    spec->server_moves |= 1u << deed;
    return true;
}

static bool read_fault(YamlFile *file, const yaml_node_t *node, void *data)
{
    Spec *spec = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    if (strcmp(text, "clk") == 0) return spec->fault_clk = true;
    if (strcmp(text, "clk-after-crash") == 0) return spec->fault_clk = spec->clk_after_crash = true;
    if (strcmp(text, "crash") == 0) return spec->fault_crash = true;
    if (strcmp(text, "restart") == 0) return spec->fault_crash = spec->fault_restart = true;
    if (strcmp(text, "freeze") == 0) return spec->fault_freeze = true;
    if (read_server_move(text, spec)) return true;
    return read_armed_fault(file, node, text, spec);
}

static bool read_faults(YamlFile *file, const yaml_node_t *node, World *world)
{
    Spec *spec = &world->spec;
    spec->fault_clk = spec->clk_after_crash = spec->fault_crash = false;
    spec->fault_restart = spec->fault_freeze = false;
    spec->server_moves = spec->server_victims = 0;
    spec->faults = 0;
    return yaml_each_item(file, node, read_fault, spec);
}

/* A race has real time and real crashes at places of its own: the explorer's moves are not for it. */
static bool read_race_faults(YamlFile *file, const yaml_node_t *node, World *world)
{
    if (!read_faults(file, node, world)) return false;
    const Spec *spec = &world->spec;
    if (!spec->fault_clk && !spec->fault_crash && !spec->fault_freeze && !spec->server_moves) return true;
    return yaml_refuse(file, node, _("clk, crash, restart and freeze are moves of the world that is explored; a race has "
                                     "faults like 'error A@insert-order'"));
}

static bool read_preemptions(YamlFile *file, const yaml_node_t *node, World *world)
{
    return read_int(file, node, 1, MAX_PREEMPTIONS, &world->spec.preemptions);
}

static bool read_shortest(YamlFile *file, const yaml_node_t *node, World *world)
{
    const char *text = yaml_text(file, node);
    if (!text) return false;
    if (!*text) return yaml_refuse(file, node, _("the shortest schedule has no moves"));
    free(world->shortest);
    world->shortest = strdup(text);
    return true;
}

static bool read_one_stock(YamlFile *file, const yaml_node_t *node, void *data)
{
    Spec *spec = data;
    const char *text = yaml_text(file, node);
    if (!text) return false;
    if (strcmp(text, "sql") == 0) return spec->stock_in_sql = true;
    if (strcmp(text, "redis") == 0) return spec->stock_in_redis = true;
    return yaml_refuse(file, node, _("'%s' is none of: sql, redis"), text);
}

static bool read_stock_in(YamlFile *file, const yaml_node_t *node, World *world)
{
    world->spec.stock_in_sql = world->spec.stock_in_redis = false;
    return yaml_each_item(file, node, read_one_stock, &world->spec);
}

static bool read_servers(YamlFile *file, const yaml_node_t *node, World *world)
{
    const char *text = yaml_text(file, node);
    if (!text) return false;
    world->spec.servers = fleet_kind_find(text);
    if (world->spec.servers != FLEET_KINDS) return true;
    return yaml_refuse(file, node, _("'%s' is none of: one, replicated, independent, sentinel"), text);
}

static bool read_link(YamlFile *file, const yaml_node_t *node, World *world)
{
    const char *text = yaml_text(file, node);
    if (!text) return false;
    world->spec.link_cut = strcmp(text, "cut") == 0;
    if (world->spec.link_cut || strcmp(text, "whole") == 0) return true;
    return yaml_refuse(file, node, _("'%s' is none of: whole, cut"), text);
}

static bool read_unique_order(YamlFile *file, const yaml_node_t *node, World *world)
{
    return yaml_truth(file, node, &world->spec.unique_order);
}

static bool read_one_preset(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value,
                            void *data)
{
    Spec *spec = data;
    const char *name = yaml_text(file, key);
    const char *text = yaml_text(file, value);
    if (!name || !text) return false;
    if (spec->presets == PRESETS)
        return yaml_refuse(file, key, _("there is room for %d presets only"), PRESETS);
    Preset *preset = &spec->preset[spec->presets++];
    if (strlen(name) >= sizeof preset->key || strlen(text) >= sizeof preset->value)
        return yaml_refuse(file, key, _("a key or value of a preset has at most %d bytes"),
                           (int)sizeof preset->key - 1);
    strcpy(preset->key, name);
    strcpy(preset->value, text);
    return true;
}

static bool read_preset(YamlFile *file, const yaml_node_t *node, World *world)
{
    world->spec.presets = 0;
    memset(world->spec.preset, 0, sizeof world->spec.preset);
    return yaml_each_pair(file, node, read_one_preset, &world->spec);
}

static bool read_preload(YamlFile *file, const yaml_node_t *node, World *world)
{
    bool loaded;
    if (!yaml_truth(file, node, &loaded)) return false;
    world->spec.not_loaded = !loaded;
    return true;
}

static bool read_one_basket(YamlFile *file, const yaml_node_t *node, void *data)
{
    Spec *spec = data;
    if (spec->baskets == BASKETS)
        return yaml_refuse(file, node, _("there is room for %d baskets only"), BASKETS);
    return read_int(file, node, 1, MAX_STOCK, &spec->basket[spec->baskets++]);
}

static bool read_baskets(YamlFile *file, const yaml_node_t *node, World *world)
{
    world->spec.baskets = 0;
    return yaml_each_item(file, node, read_one_basket, &world->spec);
}

/* ---- the keys ------------------------------------------------------------------------------ */

typedef struct WorldKey {
    const char *name;
    unsigned blocks; /* WorldBlock, or-ed */
    bool (*read)(YamlFile *file, const yaml_node_t *node, World *world);
} WorldKey;

static const WorldKey keys[] = {
    {"users", IN_WORLD | IN_RACE, read_users},
    {"requests", IN_WORLD | IN_RACE, read_requests},
    {"at_once", IN_WORLD | IN_RACE, read_at_once},
    {"stock", IN_WORLD | IN_RACE, read_stock},
    {"nodes", IN_WORLD | IN_RACE, read_nodes},
    {"consumers", IN_SHOP, read_consumers},
    {"queue", IN_SHOP | IN_WORLD | IN_RACE, read_queue},
    {"stream", IN_SHOP, read_stream},
    {"watchdogs", IN_SHOP, read_watchdogs},
    {"clock", IN_WORLD | IN_RACE, read_clock},
    {"window", IN_WORLD | IN_RACE, read_window},
    {"baskets", IN_WORLD | IN_RACE, read_baskets},
    {"pace", IN_RACE, read_pace},
    {"limit", IN_RACE, read_limit},
    {"seed", IN_RACE, read_seed},
    {"faults", IN_WORLD, read_faults},
    {"faults", IN_RACE, read_race_faults},
    {"preemptions", IN_WORLD, read_preemptions},
    {"shortest", IN_WORLD, read_shortest},
    {"stock_in", IN_SHOP, read_stock_in},
    {"preload", IN_SHOP, read_preload},
    {"servers", IN_SHOP, read_servers},
    {"link", IN_SHOP, read_link},
    {"unique_order", IN_SHOP, read_unique_order},
    {"preset", IN_SHOP, read_preset},
};

bool world_read_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value, unsigned blocks, World *world)
{
    const char *name = (const char *)key->data.scalar.value;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if ((keys[i].blocks & blocks) && strcmp(keys[i].name, name) == 0)
            return keys[i].read(file, value, world);
    return yaml_refuse(file, key, _("unknown key '%s'; docs/adding-a-lesson.md names them all"),
                       name);
}

typedef struct Reading {
    World *world;
    WorldBlock block;
} Reading;

static bool read_key(YamlFile *file, const yaml_node_t *key, const yaml_node_t *value, void *data)
{
    Reading *reading = data;
    return world_read_key(file, key, value, reading->block, reading->world);
}

bool world_read(YamlFile *file, const yaml_node_t *block_node, WorldBlock block, World *world)
{
    if (!block_node) return true;
    Reading reading = {world, block};
    return yaml_each_pair(file, block_node, read_key, &reading);
}

bool world_check(YamlFile *file, const yaml_node_t *node, const World *world)
{
    const Spec *spec = &world->spec;
    int64_t total = (int64_t)spec->users * spec->requests;
    if (total > MAX_REQUESTS)
        return yaml_refuse(file, node, _("%d users with %d requests each are more than %d in all"),
                           spec->users, spec->requests, MAX_REQUESTS);
    if (spec->at_once && total > MAX_USERS)
        return yaml_refuse(file, node, _("%lld requests at once are more than %d threads"),
                           (long long)total, MAX_USERS);
    return true;
}
