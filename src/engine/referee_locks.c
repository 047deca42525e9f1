/* Judges what the locks did, from the events of a run. See referee.h.
 *
 * A lock is known by its name: two mutexes with one name on two nodes count as the one lock that
 * they are meant to be. An actor is inside from the reply that gave it the lock until it begins to
 * give it back, or until its request is answered or its node dies. */
#include "engine/referee_locks.h"

#include <stdlib.h>

#include "base/i18n.h"
#include "engine/step_kind.h"
#include "store/status.h"

typedef struct Section {
    int64_t lock;
    uint64_t from, to;
    uint32_t actor;
    bool shared; /* of a reader: others may read as well */
    bool open;
} Section;

typedef struct Sections {
    Section *section;
    long count;
} Sections;

static LockRole role_of(const Event *event)
{
    if (event->kind != EVENT_STEP || event->status != STORE_OK) return LOCK_NO;
    return step_kinds[event->step].lock;
}

/* ---- mutual exclusion -------------------------------------------------------------------------- */

static void close_sections(Sections *sections, uint32_t actor, int64_t lock, bool any_lock, uint64_t at)
{
    for (long i = sections->count - 1; i >= 0; i--) {
        Section *section = &sections->section[i];
        if (!section->open || section->actor != actor || (!any_lock && section->lock != lock)) continue;
        section->open = false;
        section->to = at;
        if (!any_lock) return;
    }
}

static void close_node(Sections *sections, const Case *judged, int node, uint64_t at)
{
    for (uint32_t actor = 0; actor < judged->world->actors; actor++)
        if (world_slot(judged->world, actor)->node == node) close_sections(sections, actor, 0, true, at);
}

static Sections find_sections(const Case *judged)
{
    Sections sections = {malloc((size_t)(judged->event_count + 1) * sizeof(Section)), 0};
    for (long i = 0; sections.section && i < judged->event_count; i++) {
        const Event *event = &judged->events[i].event;
        uint32_t actor = judged->events[i].actor;
        LockRole role = role_of(event);
        if (role == LOCK_TAKES && event->value == 1)
            sections.section[sections.count++] =
                (Section){event->argument, event->end_ns, UINT64_MAX, actor, step_kinds[event->step].shares, true};
        else if (role == LOCK_GIVES)
            close_sections(&sections, actor, event->argument, false, event->begin_ns);
        else if (event->kind == EVENT_ANSWER)
            close_sections(&sections, actor, 0, true, event->end_ns);
        else if (event->kind == EVENT_FAULT && event->code == CONSOLE_CRASHED)
            close_node(&sections, judged, (int)event->value, event->end_ns);
    }
    return sections;
}

static int by_lock_then_time(const void *left, const void *right)
{
    const Section *a = left, *b = right;
    if (a->lock != b->lock) return a->lock < b->lock ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static bool keeps_out(const Section *inside, const Section *section)
{
    return inside && inside->lock == section->lock && inside->to > section->from && inside->actor != section->actor;
}

void judge_mutual_exclusion(const Case *judged, Verdict *verdict, Finding *finding)
{
    Sections sections = find_sections(judged);
    if (!sections.section) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("out of memory"));
        return;
    }
    qsort(sections.section, (size_t)sections.count, sizeof *sections.section, by_lock_then_time);
    long overlaps = 0;
    const Section *longest[2] = {NULL, NULL}; /* of the ones before, those that end last: alone, shared */
    for (long i = 0; i < sections.count; i++) {
        const Section *section = &sections.section[i];
        const Section *other = keeps_out(longest[0], section)                      ? longest[0]
                               : !section->shared && keeps_out(longest[1], section) ? longest[1]
                                                                                    : NULL;
        if (other && overlaps++ == 0) *finding = (Finding){(int)other->actor, (int)section->actor, 0, 0};
        const Section **last = &longest[section->shared];
        if (!*last || (*last)->lock != section->lock || section->to > (*last)->to) *last = section;
    }
    free(sections.section);
    referee_say(verdict, overlaps ? VERDICT_BROKEN : VERDICT_KEPT,
                ngettext("%ld time two were inside", "%ld times two were inside", (unsigned long)overlaps),
                overlaps);
}

/* ---- whose lock is deleted ------------------------------------------------------------------------ */

/* In a race replies are read later than the server gave them: a delete counts from the moment it was sent,
 * so that whoever took the lock because of it comes after it. What is found is certain; a delete that
 * overtook the other one's reply is not found. */
typedef struct Use {
    int64_t lock;
    uint64_t at;
    long order;
    uint32_t actor;
    enum { USE_TAKEN, USE_GONE, USE_EXPIRED } what;
} Use;

static int by_lock_then_order(const void *left, const void *right)
{
    const Use *a = left, *b = right;
    if (a->lock != b->lock) return a->lock < b->lock ? -1 : 1;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* A mutex of the node cannot be given back by another: two of one name are two. Of readers the last one gives
 * back what the first one took. */
static bool is_local(const Event *event)
{
    return event->kind == EVENT_STEP && step_kinds[event->step].store == STEP_LOCAL;
}

static long find_uses(const Case *judged, Use *uses)
{
    long count = 0;
    for (long i = 0; i < judged->event_count; i++) {
        const Event *event = &judged->events[i].event;
        LockRole role = is_local(event) || step_kinds[event->step].shares ? LOCK_NO : role_of(event);
        Use use = {event->argument, event->end_ns, i, judged->events[i].actor, USE_TAKEN};
        if (role == LOCK_GIVES && event->value > 0) {
            use.what = USE_GONE;
            use.at = event->begin_ns;
        } else if (event->kind == EVENT_FAULT && event->code == CONSOLE_EXPIRED) {
            use.what = USE_EXPIRED;
        } else if (role != LOCK_TAKES || event->value != 1) {
            continue;
        }
        uses[count++] = use;
    }
    qsort(uses, (size_t)count, sizeof *uses, by_lock_then_order);
    return count;
}

void judge_owner_release(const Case *judged, Verdict *verdict, Finding *finding)
{
    Use *uses = malloc((size_t)(judged->event_count + 1) * sizeof *uses);
    if (!uses) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("out of memory"));
        return;
    }
    long count = find_uses(judged, uses), wrong = 0;
    const Use *holder = NULL;
    for (long i = 0; i < count; i++) {
        if (holder && holder->lock != uses[i].lock) holder = NULL;
        if (uses[i].what == USE_GONE && holder && holder->actor != uses[i].actor && wrong++ == 0)
            *finding = (Finding){(int)holder->actor, (int)uses[i].actor, 0, 0};
        holder = uses[i].what == USE_TAKEN ? &uses[i] : NULL;
    }
    free(uses);
    referee_say(verdict, wrong ? VERDICT_BROKEN : VERDICT_KEPT,
                ngettext("%ld lock was deleted by another than its holder",
                         "%ld locks were deleted by another than their holder", (unsigned long)wrong),
                wrong);
}

/* ---- fair order ---------------------------------------------------------------------------------------- */

/* One actor's way to a lock: from its first attempt until it has it. In a race the server took it up at some
 * moment between sending and reply; only what is certain counts. */
typedef struct Ask {
    int64_t lock;
    uint64_t asked_from, asked_to, granted_from, granted_to;
    uint32_t actor;
    bool granted;
    bool inside; /* what it takes now, it takes again */
} Ask;

static Ask *find_ask(Ask *asks, long count, uint32_t actor, int64_t lock)
{
    for (long i = count - 1; i >= 0; i--)
        if (asks[i].actor == actor && asks[i].lock == lock) return &asks[i];
    return NULL;
}

/* Whoever is told something has waited to no end: what it asks later it asks anew. */
static void forget_asks(Ask *asks, long *count, uint32_t actor)
{
    for (long i = *count - 1; i >= 0; i--) {
        if (asks[i].actor != actor) continue;
        asks[i].inside = false;
        if (!asks[i].granted) asks[i] = asks[--*count];
    }
}

static void note_ask(Ask *asks, long *count, const Event *event, uint32_t actor)
{
    Ask *ask = find_ask(asks, *count, actor, event->argument);
    if (ask && ask->inside) return;
    if (!ask || ask->granted) {
        ask = &asks[(*count)++];
        *ask = (Ask){.lock = event->argument, .asked_from = event->begin_ns, .asked_to = event->end_ns, .actor = actor};
    }
    if (event->value != 1) return;
    ask->granted = ask->inside = true;
    ask->granted_from = event->begin_ns;
    ask->granted_to = event->end_ns;
}

/* Of readers each is outside again, though the lock is free with the last of them only. */
static bool is_out(const Event *event)
{
    return role_of(event) == LOCK_GIVES && (event->value != 0 || step_kinds[event->step].shares);
}

static long find_asks(const Case *judged, Ask *asks)
{
    long count = 0;
    for (long i = 0; i < judged->event_count; i++) {
        const Event *event = &judged->events[i].event;
        uint32_t actor = judged->events[i].actor;
        LockRole role = role_of(event);
        if (role == LOCK_TAKES) note_ask(asks, &count, event, actor);
        if (event->kind == EVENT_ANSWER) forget_asks(asks, &count, actor);
        Ask *ask = is_out(event) ? find_ask(asks, count, actor, event->argument) : NULL;
        if (ask) ask->inside = false;
    }
    return count;
}

static int by_lock_then_grant(const void *left, const void *right)
{
    const Ask *a = left, *b = right;
    if (a->lock != b->lock) return a->lock < b->lock ? -1 : 1;
    if (a->granted != b->granted) return a->granted ? -1 : 1;
    return (a->granted_from > b->granted_from) - (a->granted_from < b->granted_from);
}

void judge_fair_order(const Case *judged, Verdict *verdict, Finding *finding)
{
    Ask *asks = malloc((size_t)(judged->event_count + 1) * sizeof *asks);
    if (!asks) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("out of memory"));
        return;
    }
    long count = find_asks(judged, asks), overtaken = 0;
    qsort(asks, (size_t)count, sizeof *asks, by_lock_then_grant);
    const Ask *latest = NULL; /* of those granted before, the one that asked last */
    for (long i = 0; i < count; i++) {
        const Ask *ask = &asks[i];
        if (!ask->granted) continue;
        if (latest && latest->lock != ask->lock) latest = NULL;
        bool certain = latest && latest->granted_to < ask->granted_from && ask->asked_to < latest->asked_from;
        if (certain && overtaken++ == 0) *finding = (Finding){(int)ask->actor, (int)latest->actor, 0, 0};
        if (!latest || ask->asked_from > latest->asked_from) latest = ask;
    }
    free(asks);
    referee_say(verdict, overtaken ? VERDICT_BROKEN : VERDICT_KEPT,
                ngettext("%ld was overtaken by one who had asked later",
                         "%ld were overtaken by one who had asked later", (unsigned long)overtaken),
                overtaken);
}

/* ---- progress ----------------------------------------------------------------------------------------- */

/* A watchdog waits for work, which is nobody's trouble. */
static long never_answered(const World *world)
{
    long waiting = 0;
    for (uint32_t i = 0; i < world->actors; i++) {
        if (world_slot(world, i)->role == ROLE_WATCHDOG) continue;
        uint32_t state = atomic_load(&world_slot(world, i)->state);
        waiting += state == ACTOR_AT_GATE || state == ACTOR_WAITING || state == ACTOR_RUNNING;
    }
    return waiting;
}

void judge_progress(const Case *judged, Verdict *verdict, Finding *finding)
{
    (void)finding;
    if (judged->stuck) {
        long waiting = never_answered(judged->world);
        referee_say(verdict, VERDICT_BROKEN,
                    ngettext("%ld waits for ever", "%ld wait for ever", (unsigned long)waiting), waiting);
        return;
    }
    if (judged->late > 0) {
        referee_say(verdict, VERDICT_BROKEN,
                    ngettext("%ld still waited when the time was up", "%ld still waited when the time was up",
                             (unsigned long)judged->late),
                    judged->late);
        return;
    }
    long watched = judged->stopped ? 0 : world_watched_for_ever(judged->world);
    if (watched > 0) {
        referee_say(verdict, VERDICT_BROKEN,
                    ngettext("%ld lock is renewed for ever: its holder is gone, its process lives",
                             "%ld locks are renewed for ever: their holders are gone, their processes live",
                             (unsigned long)watched),
                    watched);
        return;
    }
    long abandoned = judged->truth->abandoned_locks;
    if (abandoned < 0) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("Redis did not answer"));
        return;
    }
    if (abandoned > 0) {
        referee_say(verdict, VERDICT_BROKEN,
                    ngettext("%ld lock is abandoned: nobody holds it, and it has no lease",
                             "%ld locks are abandoned: nobody holds them, and they have no lease",
                             (unsigned long)abandoned),
                    abandoned);
        return;
    }
    if (judged->waiting > 0) {
        referee_say(verdict, VERDICT_BROKEN,
                    ngettext("%ld order waits in a queue that nobody empties",
                             "%ld orders wait in a queue that nobody empties", (unsigned long)judged->waiting),
                    judged->waiting);
        return;
    }
    referee_say(verdict, VERDICT_KEPT, "%s", _("every lock came free"));
}
