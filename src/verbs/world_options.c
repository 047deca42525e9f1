#include "verbs/world_options.h"

#include "base/i18n.h"
#include "engine/world.h"

bool world_options(const Options *options, const Spec *base, Spec *spec, Error *error)
{
    *spec = *base;
    if (options->given[OPTION_USERS]) spec->users = (int)options->number[OPTION_USERS];
    if (options->given[OPTION_STOCK]) spec->stock = (long)options->number[OPTION_STOCK];
    if (options->given[OPTION_NODES]) spec->nodes = (int)options->number[OPTION_NODES];
    if (options->given[OPTION_REQUESTS]) spec->requests = (int)options->number[OPTION_REQUESTS];
    if (options->given[OPTION_SEED]) spec->seed = (uint64_t)options->number[OPTION_SEED];
    if (options->given[OPTION_PACE]) spec->pace_ms = (int)options->number[OPTION_PACE];

    long long requests = (long long)spec->users * spec->requests;
    if (requests > MAX_REQUESTS)
        return error_set(error,
                         _("%d users with %d requests each are %lld; %d is the most. Give fewer."),
                         spec->users, spec->requests, requests, MAX_REQUESTS);
    if (spec->at_once && requests > MAX_USERS)
        return error_set(error,
                         _("This lesson sends a user's requests at once, on a thread each: "
                           "%lld threads are more than %d. Give fewer."),
                         requests, MAX_USERS);
    return true;
}

bool world_options_small(const Options *options, const Spec *base, Spec *spec, Error *error)
{
    if (!world_options(options, base, spec, error)) return false;
    if (spec_actors(spec) <= STEP_ACTORS) return true;
    return error_set(error, _("At most %d can take turns, and this world has %d. Give fewer."),
                     STEP_ACTORS, spec_actors(spec));
}
