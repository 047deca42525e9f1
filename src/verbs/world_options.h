/* world_options.h -- a world from the lesson's own, changed by what the command line gives. */
#ifndef VERBS_WORLD_OPTIONS_H
#define VERBS_WORLD_OPTIONS_H

#include "engine/spec.h"
#include "verbs/options.h"

/* `base` is the variant's small world or its race. False with one line when the sizes do not fit. */
bool world_options(const Options *options, const Spec *base, Spec *spec, Error *error);
/* The same for a world whose actors move one at a time: there are few of them. */
bool world_options_small(const Options *options, const Spec *base, Spec *spec, Error *error);

#endif
