#include "course/schedule_text.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "engine/mover.h"
#include "engine/servers.h"

/* ---- the hash ------------------------------------------------------------------------------ */

static uint64_t hash_shop(uint64_t hash, const Spec *spec)
{
    const int64_t numbers[] = {spec->at_once,      spec->window,         spec->unique_order,
                               spec->stock_in_sql, spec->stock_in_redis, spec->clock};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = hash_number(hash, numbers[i]);
    for (int i = 0; i < spec->baskets; i++) hash = hash_number(hash, spec->basket[i]);
    if (spec->not_loaded) hash = hash_string(hash, "not loaded");
    for (int i = 0; i < spec->faults; i++) {
        char fault[160];
        hash = hash_string(hash, fault_write(&spec->fault[i], fault, sizeof fault));
    }
    for (int i = 0; i < spec->presets; i++) {
        hash = hash_string(hash_string(hash, spec->preset[i].key), "=");
        hash = hash_string(hash_string(hash, spec->preset[i].value), ";");
    }
    return hash;
}

/* Half of the bits will do, and make a line that can be read aloud. */
uint32_t schedule_text_hash(const LessonVariant *variant)
{
    uint64_t hash = hash_shop(variant->listing.hash, &variant->small);
    return (uint32_t)(hash ^ hash >> 32);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Those that were added to the lesson's own, which the hash speaks of. */
static void add_errors(const Spec *small, const Spec *spec, ScheduleLine *line)
{
    for (int i = small->faults; i < spec->faults && line->errors < SCHEDULE_ERRORS; i++)
        if (spec->fault[i].kind == FAULT_ERROR) line->error[line->errors++] = spec->fault[i];
}

/* What is as usual is left out: one request, one node, a stock that no variant looks at. */
const char *schedule_text_write(const Lesson *lesson, const LessonVariant *variant,
                                const Spec *spec, const Schedule *schedule,
                                char text[SCHEDULE_TEXT])
{
    ScheduleLine line;
    const Spec *small = &variant->small;
    bool has_stock = spec->stock_in_sql || spec->stock_in_redis || spec->stock != small->stock;
    line = (ScheduleLine){.hash = schedule_text_hash(variant), .users = spec->users, .stock = -1};
    snprintf(line.lesson, sizeof line.lesson, "%s", lesson->name);
    snprintf(line.variant, sizeof line.variant, "%s", variant->name);
    if (spec->requests > 1 || spec->requests != small->requests) line.requests = spec->requests;
    if (spec->nodes > 1 || spec->nodes != small->nodes) line.nodes = spec->nodes;
    if (has_stock) line.stock = spec->stock;
    add_errors(small, spec, &line);
    line.schedule = *schedule;
    return schedule_line_write(&line, text, SCHEDULE_TEXT);
}

const char *schedule_text_of_report(const Lesson *lesson, const LessonVariant *variant,
                                    const Report *report, char text[SCHEDULE_TEXT])
{
    Schedule schedule;
    text[0] = '\0';
    if (!report->schedule[0] || !schedule_parse(report->schedule, &schedule, NULL)) return text;
    return schedule_text_write(lesson, variant, &report->schedule_world, &schedule, text);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool actor_fits(const Spec *spec, const Move *move, int index, Error *error)
{
    int actors = spec_actors(spec);
    char name[SCHEDULE_KEY + 8];
    const Schedule one = {.count = 1, .move = {*move}};
    if (mover_of_move(spec, move) >= 0) return true;
    return error_set(error,
                     ngettext("Move %d: there is no actor %s, this world has %d.",
                              "Move %d: there is no actor %s, this world has %d.",
                              (unsigned long)actors),
                     index + 1, schedule_write(&one, name, sizeof name), actors);
}

static bool node_fits(const Spec *spec, const Move *move, int index, Error *error)
{
    if (move->number < spec->nodes) return true;
    return error_set(error,
                     ngettext("Move %d: there is no node %d, this world has %d.",
                              "Move %d: there is no node %d, this world has %d.",
                              (unsigned long)spec->nodes),
                     index + 1, move->number + 1, spec->nodes);
}

/* What happens to servers is allowed from then on, like the clock. */
static bool server_fits(Spec *spec, const Move *move, int place, Error *error)
{
    int server, mover = mover_of_move(spec, move);
    if (spec->servers == FLEET_NONE)
        return error_set(error, _("Move %d: this world has one Redis only. Moves are letters, c1, w1, clk, !n1, "
                                  "^n1 and ~n1."),
                         place + 1);
    if (mover < 0 || (move->kind >= MOVE_SERVER_KILL && move->number >= fleet_kind_servers(spec->servers)))
        return error_set(error, _("Move %d: there is no server %d, this world has %d."), place + 1,
                         move->number + 1, fleet_kind_servers(spec->servers));
    spec->server_moves |= 1u << server_move_deed(mover - ACTOR_SERVER, &server);
    return true;
}

bool schedule_text_fits(Spec *spec, const Schedule *schedule, Error *error)
{
    for (int i = 0; i < schedule->count; i++) {
        const Move *move = &schedule->move[i];
        switch (move->kind) {
        case MOVE_USER:
        case MOVE_CONSUMER:
        case MOVE_WATCHDOG:
            if (!actor_fits(spec, move, i, error)) return false;
            break;
        case MOVE_CLOCK:
            spec->fault_clk = true;
            break;
        case MOVE_CRASH:
        case MOVE_START:
            if (!node_fits(spec, move, i, error)) return false;
            spec->fault_crash = true;
            break;
        case MOVE_FREEZE:
            if (!node_fits(spec, move, i, error)) return false;
            spec->fault_freeze = true;
            break;
        default:
            if (!server_fits(spec, move, i, error)) return false;
        }
    }
    return true;
}

static bool find_variant(const Course *course, const ScheduleLine *line, const Lesson **lesson,
                         const LessonVariant **variant, Error *error)
{
    char name[120];
    snprintf(name, sizeof name, "%s/%s", line->lesson, line->variant);
    return course_find(course, name, lesson, variant, error);
}

static bool is_current(const LessonVariant *variant, const ScheduleLine *line, Error *error)
{
    uint32_t hash = schedule_text_hash(variant);
    if (line->hash == hash) return true;
    return error_set(error,
                     _("This schedule was made for another version of %s/%s: its hash is %08llx, "
                       "the code's is %08x. Nothing was run; explore it again."),
                     line->lesson, line->variant, (unsigned long long)line->hash, hash);
}

/* Sizes that the program could not bear are the line's mistake, not the world's. */
static bool make_world(const ScheduleLine *line, Spec *spec, Error *error)
{
    if (line->users > 0) spec->users = line->users;
    if (line->requests > 0) spec->requests = line->requests;
    if (line->nodes > 0) spec->nodes = line->nodes;
    if (line->stock >= 0) spec->stock = line->stock;
    if (spec->nodes > MAX_NODES)
        return error_set(error, _("nodes=%d: %d is the most."), spec->nodes, MAX_NODES);
    if (spec->users > MAX_USERS || (int64_t)spec->users * spec->requests > MAX_REQUESTS)
        return error_set(error, _("users=%d requests=%d is too large a world."), spec->users,
                         spec->requests);
    for (int i = 0; i < line->errors; i++) {
        if (spec->faults == MAX_FAULTS || line->error[i].actor >= spec_actors(spec) ||
            line->error[i].node >= spec->nodes)
            return error_set(error, "%s", _("An error in the line is of somebody whom this world has not."));
        spec->fault[spec->faults++] = line->error[i];
    }
    return true;
}

bool schedule_text_read(const Course *course, const char *text, const Lesson **lesson,
                        const LessonVariant **variant, Spec *spec, Schedule *schedule, Error *error)
{
    ScheduleLine line;
    if (!schedule_line_parse(text, &line, error)) return false;
    if (!find_variant(course, &line, lesson, variant, error)) return false;
    if (!is_current(*variant, &line, error)) return false;
    *spec = (*variant)->small;
    if (!make_world(&line, spec, error)) return false;
    *schedule = line.schedule;
    if (schedule->count == 0)
        return error_set(error, "%s", _("The schedule line has no moves: they come behind the colon, for instance A B A B."));
    return schedule_text_fits(spec, schedule, error);
}
