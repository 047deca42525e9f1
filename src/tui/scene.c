#include "tui/scene.h"

#include <stdio.h>

#include "engine/mover.h"

char *scene_actor(const Spec *spec, int actor, int64_t user, char *text, int size)
{
    if (actor >= spec_user_actors(spec) && size >= 12)
        mover_name(spec, actor, text);
    else if (spec_actors(spec) <= 26)
        snprintf(text, (size_t)size, "%c", 'A' + actor % 26);
    else if (spec->at_once && spec->requests > 1 && spec->requests <= 26)
        snprintf(text, (size_t)size, "u%lld%c", (long long)user, 'a' + actor % spec->requests);
    else
        snprintf(text, (size_t)size, "u%lld", (long long)user);
    return text;
}

const Verdict *scene_verdict(const Scene *scene, Invariant invariant)
{
    static const Verdict none = {.state = VERDICT_NONE}, unknown = {.state = VERDICT_UNKNOWN};
    if (!scene->spec->breaks[invariant] && !scene->spec->keeps[invariant]) return &none;
    if (scene->step) return &scene->step->view.verdict[invariant];
    if (scene->racing) return scene->current ? &scene->view->verdict[invariant] : &unknown;
    if (scene->report) return &scene->report->verdict[invariant];
    return &unknown;
}
