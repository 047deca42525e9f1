#include "verbs/world_options.h"

#include "base/i18n.h"
#include "engine/server_move.h"
#include "engine/world.h"

_Static_assert(OPTION_RESTART_SERVER - OPTION_STALL == FAULT_KINDS - 1, "an option a fault");

/* A fault whose victim this world has not would never hit. */
static bool victim_exists(const Spec *spec, const Fault *fault, const char *text, Error *error)
{
    if (fault->node >= spec->nodes)
        return error_set(error,
                         ngettext("%s: there is no node %d, there is %d.",
                                  "%s: there is no node %d, there are %d.", (unsigned long)spec->nodes),
                         text, fault->node + 1, spec->nodes);
    if (fault->actor >= spec_user_actors(spec)) return spec_refuse_user(spec, fault->actor, text, error);
    return true;
}

/* A server's fault where there is no such server would never strike. */
static bool server_exists(const Spec *spec, const Fault *fault, const char *text, Error *error)
{
    int server = 0, move = fault_server_move(fault);
    if (move < 0) return true;
    if (spec->servers == FLEET_NONE)
        return error_set(error, _("%s: this world has one Redis only. See lesson 11."), text);
    server_move_deed(move, &server);
    if (server < fleet_kind_servers(spec->servers)) return true;
    return error_set(error, _("%s: there is no server %d, there are %d."), text, server + 1,
                     fleet_kind_servers(spec->servers));
}

/* The lesson's own faults stay; those of the command line come on top. */
static bool add_faults(const Options *options, Spec *spec, Error *error)
{
    for (int i = 0; i < options->items; i++) {
        const OptionItem *item = &options->item[i];
        Fault *fault = &spec->fault[spec->faults];
        if (spec->faults == MAX_FAULTS)
            return error_set(error, _("%d faults can be armed at the most, the lesson's own included."),
                             MAX_FAULTS);
        if (!fault_parse((FaultKind)(item->id - OPTION_STALL), item->text, fault, error)) return false;
        char text[200];
        if (!victim_exists(spec, fault, fault_write(fault, text, sizeof text), error)) return false;
        if (!server_exists(spec, fault, text, error)) return false;
        spec->faults++;
    }
    return true;
}

static void ask_twice(const Options *options, Spec *spec)
{
    if (!options->given[OPTION_TWICE]) return;
    spec->at_once = true;
    if (!options->given[OPTION_REQUESTS]) spec->requests = 2;
}

bool world_options(const Options *options, const Spec *base, Spec *spec, Error *error)
{
    *spec = *base;
    if (options->given[OPTION_USERS]) spec->users = (int)options->number[OPTION_USERS];
    if (options->given[OPTION_STOCK]) spec->stock = (long)options->number[OPTION_STOCK];
    if (options->given[OPTION_NODES]) spec->nodes = (int)options->number[OPTION_NODES];
    if (options->given[OPTION_REQUESTS]) spec->requests = (int)options->number[OPTION_REQUESTS];
    if (options->given[OPTION_SEED]) spec->seed = (uint64_t)options->number[OPTION_SEED];
    if (options->given[OPTION_PACE]) spec->pace_ms = (int)options->number[OPTION_PACE];
    ask_twice(options, spec);

    long long requests = (long long)spec->users * spec->requests;
    if (requests > MAX_REQUESTS)
        return error_set(error,
                         ngettext("%d user with %d requests is %lld; %d is the most. Give fewer.",
                                  "%d users with %d requests each are %lld; %d is the most. Give fewer.",
                                  (unsigned long)spec->users),
                         spec->users, spec->requests, requests, MAX_REQUESTS);
    if (spec->at_once && requests > MAX_USERS)
        return error_set(error,
                         _("This lesson sends a user's requests at once, on a thread each: "
                           "%lld threads are more than %d. Give fewer."),
                         requests, MAX_USERS);
    return add_faults(options, spec, error);
}

bool world_options_small(const Options *options, const Spec *base, Spec *spec, Error *error)
{
    if (!world_options(options, base, spec, error)) return false;
    if (spec_actors(spec) <= STEP_ACTORS) return true;
    return error_set(error, _("At most %d can take turns, and this world has %d. Give fewer."),
                     STEP_ACTORS, spec_actors(spec));
}
