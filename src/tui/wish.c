#include "tui/wish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"

static const OptionId option_of[WISH_COUNT] = {
    [WISH_USERS] = OPTION_USERS,       [WISH_STOCK] = OPTION_STOCK, [WISH_NODES] = OPTION_NODES,
    [WISH_REQUESTS] = OPTION_REQUESTS, [WISH_SEED] = OPTION_SEED,   [WISH_PACE] = OPTION_PACE,
};

static const int paces[] = {0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
enum { PACES = sizeof paces / sizeof *paces };

void wish_start(Wish *wish, const ConsoleOptions *options)
{
    *wish = (Wish){.value = {options->users, options->stock, options->nodes, options->requests,
                    options->seed, options->pace}};
}

const OptionKind *wish_kind(WishField field)
{
    return &option_kinds[option_of[field]];
}

bool wish_set(Wish *wish, WishField field, const char *text, Error *error)
{
    const OptionKind *kind = wish_kind(field);
    if (!*text) {
        wish->value[field] = -1;
        return true;
    }
    char *end, shown[80];
    errno = 0;
    long long number = strtoll(text, &end, 10);
    bool whole = *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
    if (!whole || number < kind->least || number > kind->most)
        return error_set(error, _(":%s takes a whole number from %lld to %lld, not '%s'."),
                         kind->name, (long long)kind->least, (long long)kind->most,
                         text_clean(shown, sizeof shown, text, strlen(text)));
    wish->value[field] = number;
    return true;
}

/* ---- faults --------------------------------------------------------------------------------------- */

static bool victim_is_there(const Spec *spec, const Fault *fault)
{
    return fault->node < spec->nodes && fault->actor < spec_user_actors(spec);
}

/* The lesson's own that were not taken back, and then the learner's, where this world has their victims. */
static void add_faults(const Wish *wish, const LessonVariant *variant, Spec *spec)
{
    uint32_t taken_back = wish->spared == variant ? wish->taken_back : 0;
    spec->faults = 0;
    for (int i = 0; i < variant->race.faults; i++)
        if (!(taken_back >> i & 1)) spec->fault[spec->faults++] = variant->race.fault[i];
    for (int i = 0; i < wish->faults && spec->faults < MAX_FAULTS; i++)
        if (victim_is_there(spec, &wish->fault[i])) spec->fault[spec->faults++] = wish->fault[i];
}

bool wish_arm(Wish *wish, const LessonVariant *variant, const Fault *fault, Error *error)
{
    Spec spec;
    char text[200];
    fault_write(fault, text, sizeof text);
    wish_spec(wish, variant, &spec);
    if (fault->node >= spec.nodes)
        return error_set(error,
                         ngettext("%s: there is no node %d, there is %d.",
                                  "%s: there is no node %d, there are %d.", (unsigned long)spec.nodes),
                         text, fault->node + 1, spec.nodes);
    if (fault->actor >= spec_user_actors(&spec)) return spec_refuse_user(&spec, fault->actor, text, error);
    if (spec.faults == MAX_FAULTS || wish->faults == MAX_FAULTS)
        return error_set(error, _("%d faults are armed already. Take one back first."), MAX_FAULTS);
    wish->fault[wish->faults++] = *fault;
    return true;
}

static void forget(Wish *wish, int index)
{
    wish->faults--;
    memmove(&wish->fault[index], &wish->fault[index + 1], (size_t)(wish->faults - index) * sizeof *wish->fault);
}

/* Counts as add_faults() does. */
bool wish_disarm(Wish *wish, const LessonVariant *variant, int place)
{
    Spec spec;
    int at = 0;
    wish_spec(wish, variant, &spec);
    if (wish->spared != variant) wish->taken_back = 0;
    wish->spared = variant;
    for (int i = 0; i < variant->race.faults; i++) {
        if (wish->taken_back >> i & 1 || at++ != place) continue;
        wish->taken_back |= 1u << i;
        return true;
    }
    for (int i = 0; i < wish->faults; i++) {
        if (!victim_is_there(&spec, &wish->fault[i]) || at++ != place) continue;
        forget(wish, i);
        return true;
    }
    return false;
}

/* ---- the race --------------------------------------------------------------------------------------- */

static bool has_time_of_its_own(const Spec *spec)
{
    static const bool timed[FAULT_KINDS] = {
        [FAULT_STALL] = true, [FAULT_FREEZE] = true, [FAULT_EXPIRE] = true, [FAULT_SLOW] = true};
    for (int i = 0; i < spec->faults; i++)
        if (timed[spec->fault[i].kind]) return true;
    return false;
}

/* So many purchases one after the other: by a user, or, of all that can be sold, by a consumer. */
static long purchases_in_a_row(const Spec *spec)
{
    long by_user = spec->at_once ? 1 : spec->requests;
    if (spec->consumers == 0) return by_user;
    long orders = (long)spec->users * spec->requests;
    if (orders > spec->stock) orders = spec->stock;
    long by_consumer = orders / (spec->consumers * spec->nodes);
    return by_consumer > by_user ? by_consumer : by_user;
}

/* At full speed a race is over before the eye has found it. In the console it takes about a second and a half (where
 * a queue runs empty behind the users, some more), unless the learner says otherwise, or faults set a time of their
 * own: a lease runs out in real seconds, however slow the steps are. */
static int watchable_pace(const Spec *spec)
{
    enum { SIGHT_MS = 1500, STEPS = 6, QUEUE_SIGHT_MS = 5000, QUEUE_STEPS = 9, MOST_MS = 150 };
    if (spec->pace_ms > 0 || has_time_of_its_own(spec)) return spec->pace_ms;
    int one = spec->consumers > 0 ? QUEUE_SIGHT_MS / QUEUE_STEPS : SIGHT_MS / STEPS;
    long pace = one / purchases_in_a_row(spec);
    return pace < MOST_MS ? (int)pace : MOST_MS;
}

void wish_numbers(const Wish *wish, Spec *spec)
{
    const int64_t *value = wish->value;
    if (value[WISH_USERS] >= 0) spec->users = (int)value[WISH_USERS];
    if (value[WISH_STOCK] >= 0) spec->stock = (long)value[WISH_STOCK];
    if (value[WISH_NODES] >= 0) spec->nodes = (int)value[WISH_NODES];
    if (value[WISH_REQUESTS] >= 0) spec->requests = (int)value[WISH_REQUESTS];
    if (value[WISH_SEED] >= 0) spec->seed = (uint64_t)value[WISH_SEED];
}

void wish_spec(const Wish *wish, const LessonVariant *variant, Spec *spec)
{
    const int64_t *value = wish->value;
    *spec = variant->race;
    wish_numbers(wish, spec);
    if (wish->twice) spec->at_once = true;
    if (wish->twice && value[WISH_REQUESTS] < 0) spec->requests = 2;
    spec->pace_ms = value[WISH_PACE] >= 0 ? (int)value[WISH_PACE] : watchable_pace(spec);
    /* Requests that come at the same time are threads: no more of them than there is room for. */
    if (spec->at_once && (long)spec->users * spec->requests > MAX_USERS)
        spec->requests = MAX_USERS / spec->users > 0 ? MAX_USERS / spec->users : 1;
    add_faults(wish, variant, spec);
}

char *pace_words(int pace_ms, char *text, int size)
{
    if (pace_ms == 0)
        snprintf(text, (size_t)size, "%s", _("full speed"));
    else if (pace_ms % 1000 == 0)
        snprintf(text, (size_t)size, _("%d s a step"), pace_ms / 1000);
    else
        snprintf(text, (size_t)size, _("%d ms a step"), pace_ms);
    return text;
}

int pace_step(int pace_ms, int direction)
{
    int at = 0;
    while (at < PACES - 1 && paces[at] < pace_ms) at++;
    if (direction > 0) return at > 0 ? paces[at - 1] : 0;
    if (paces[at] > pace_ms) return paces[at];
    return paces[at < PACES - 1 ? at + 1 : at];
}
