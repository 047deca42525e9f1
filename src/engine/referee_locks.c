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
                (Section){event->argument, event->end_ns, UINT64_MAX, actor, true};
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

void judge_mutual_exclusion(const Case *judged, Verdict *verdict, Finding *finding)
{
    Sections sections = find_sections(judged);
    if (!sections.section) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("out of memory"));
        return;
    }
    qsort(sections.section, (size_t)sections.count, sizeof *sections.section, by_lock_then_time);
    long overlaps = 0;
    const Section *longest = NULL; /* of the ones before, the one that ends last */
    for (long i = 0; i < sections.count; i++) {
        const Section *section = &sections.section[i];
        if (longest && longest->lock == section->lock && longest->to > section->from &&
            longest->actor != section->actor) {
            if (overlaps++ == 0) *finding = (Finding){(int)longest->actor, (int)section->actor, 0, 0};
        }
        if (!longest || longest->lock != section->lock || section->to > longest->to) longest = section;
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

/* A mutex of the node cannot be given back by another: two of one name are two. */
static bool is_local(const Event *event)
{
    return event->kind == EVENT_STEP && step_kinds[event->step].store == STEP_LOCAL;
}

static long find_uses(const Case *judged, Use *uses)
{
    long count = 0;
    for (long i = 0; i < judged->event_count; i++) {
        const Event *event = &judged->events[i].event;
        LockRole role = is_local(event) ? LOCK_NO : role_of(event);
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

/* ---- progress ----------------------------------------------------------------------------------------- */

static long never_answered(const World *world)
{
    long waiting = 0;
    for (uint32_t i = 0; i < world->actors; i++) {
        uint32_t state = atomic_load(&world_slot(world, i)->state);
        waiting += state == ACTOR_AT_GATE || state == ACTOR_WAITING || state == ACTOR_RUNNING;
    }
    return waiting;
}

void judge_progress(const Case *judged, Verdict *verdict, Finding *finding)
{
    (void)finding;
    if (judged->stuck) {
        referee_say(verdict, VERDICT_BROKEN, ngettext("%ld waits for ever", "%ld wait for ever", (unsigned long)never_answered(judged->world)),
                    never_answered(judged->world));
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
