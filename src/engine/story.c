#include "engine/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/server_move.h"
#include "engine/step_kind.h"
#include "engine/story_queue.h"
#include "store/status.h"

/* One request of one actor: what a story is made of. */
typedef struct Thread {
    int actor; /* -1: none */
    uint32_t request;
} Thread;

static const Thread NOBODY = {-1, 0};

static bool belongs(const TraceEvent *event, Thread thread)
{
    return (int)event->actor == thread.actor && event->event.request == thread.request;
}

/* ---- what kind of step it is ------------------------------------------------------------------ */

static bool is_order(const Event *event)
{
    return event->kind == EVENT_STEP && event->status == STORE_OK && event->value == 1 &&
           (event->step == STEP_INSERT_ORDER || event->step == STEP_INSERT_IGNORE);
}

static bool is_taking(const Event *event)
{
    return event->kind == EVENT_STEP && event->status == STORE_OK && step_kinds[event->step].attempt;
}

/* Writing the number that stands there already changes no row, and sells all the same. */
static bool took_nothing(const Event *event)
{
    if (!is_taking(event)) return false;
    if (event->step == STEP_DECRBY_STOCK) return event->value < 0; /* it will be given back */
    if (event->step == STEP_ELIGIBLE) return event->value != 0;
    if (event->step == STEP_EXEC || event->step == STEP_SELL_WITH_ID) return event->value == 0;
    return event->step != STEP_SET_DB_STOCK && step_kinds[event->step].result == RESULT_ROWS &&
           event->value == 0;
}

static bool was_refused(const Event *event)
{
    return event->kind == EVENT_STEP && event->status == STORE_REFUSED && step_kinds[event->step].attempt;
}

static bool took_one(const Event *event)
{
    return is_taking(event) && !took_nothing(event);
}

static bool is_reading(const Event *event)
{
    static const StepId reads[] = {STEP_SELECT_STOCK, STEP_SELECT_VOUCHER, STEP_GET_STOCK,
                                   STEP_COUNT_ORDERS, STEP_CLOCK, STEP_IS_BUYER};
    for (unsigned i = 0; i < sizeof reads / sizeof reads[0]; i++)
        if (event->kind == EVENT_STEP && event->step == reads[i]) return true;
    return false;
}

static Thread thread_of(const TraceEvent *event)
{
    return (Thread){(int)event->actor, event->event.request};
}

/* ---- who is involved ------------------------------------------------------------------------------ */

/* The other one: whose write fell between what `one` read and what it wrote at `telling`. */
static Thread find_other(const Trace *trace, Thread one, long telling, bool (*wrote)(const Event *))
{
    long first = telling;
    for (long i = telling; i >= 0; i--)
        if (belongs(&trace->events[i], one) && is_reading(&trace->events[i].event)) first = i;
    for (long i = telling - 1; i > first; i--)
        if (!belongs(&trace->events[i], one) && wrote(&trace->events[i].event))
            return thread_of(&trace->events[i]);
    /* Its reply may have been read after ours, though the server was through with it before. */
    for (long i = telling + 1; telling >= 0 && i < trace->count; i++)
        if (trace->events[i].event.begin_ns < trace->events[telling].event.end_ns &&
            !belongs(&trace->events[i], one) && wrote(&trace->events[i].event))
            return thread_of(&trace->events[i]);
    return NOBODY;
}

/* The other request of the same user, where requests come at once. */
static Thread find_twin(const Trace *trace, const Spec *spec, Thread one)
{
    for (long i = 0; spec->at_once && i < trace->count; i++) {
        int actor = (int)trace->events[i].actor;
        if (actor != one.actor && spec_user(spec, actor) == spec_user(spec, one.actor))
            return thread_of(&trace->events[i]);
    }
    return NOBODY;
}

/* The order too many is the one that comes after `stock` others. */
static long find_order_too_many(const Trace *trace, long stock)
{
    long orders = 0;
    for (long i = 0; i < trace->count; i++)
        if (is_order(&trace->events[i].event) && ++orders > stock) return i;
    return -1;
}

static long find_order_of_user(const Trace *trace, const Spec *spec, int64_t user, int which)
{
    for (long i = 0; i < trace->count; i++)
        if (is_order(&trace->events[i].event) &&
            story_user(spec, &trace->events[i]) == user && which-- == 0)
            return i;
    return -1;
}

static long find_first(const Trace *trace, bool (*wanted)(const Event *))
{
    for (long i = 0; i < trace->count; i++)
        if (wanted(&trace->events[i].event)) return i;
    return -1;
}

static bool is_answer(const TraceEvent *event, int actor)
{
    return event->event.kind == EVENT_ANSWER && (int)event->actor == actor;
}

/* The actor's first answer, or its last one with this id. */
static long find_answer(const Trace *trace, int actor, int64_t id)
{
    long found = -1;
    for (long i = 0; i < trace->count && (id != 0 || found < 0); i++)
        if (is_answer(&trace->events[i], actor) && (id == 0 || trace->events[i].event.value == id))
            found = i;
    return found;
}

/* Before that, the nearest answer of this actor whose id is no smaller. */
static long find_answer_before(const Trace *trace, long telling, int actor, int64_t id)
{
    for (long i = telling - 1; i >= 0; i--)
        if (is_answer(&trace->events[i], actor) && trace->events[i].event.value >= id) return i;
    return -1;
}

/* What a request did so far, where it matters for the books. */
typedef struct Deeds {
    bool took, ordered;
    long read; /* index of what it read first, -1: nothing */
} Deeds;

static const Deeds NOTHING = {false, false, -1};

static void note_deed(Deeds *deeds, const Event *event, long index)
{
    if (event->kind == EVENT_STEP && event->step == STEP_ROLLBACK) *deeds = NOTHING;
    if (is_reading(event) && deeds->read < 0) deeds->read = index;
    deeds->took |= took_one(event);
    deeds->ordered |= is_order(event);
}

/* The first answer of a request that took one from the stock and has no order, or the other way
 * round; and the first take over what another actor took since this one had read. -1: none. */
static void scan_deeds(const Trace *trace, long *unbalanced, long *overwrite)
{
    Deeds *deeds = calloc(trace->actors, sizeof *deeds);
    long taken = -1, taken_before = -1; /* by two different actors */
    *unbalanced = *overwrite = -1;
    for (uint32_t i = 0; deeds && i < trace->actors; i++) deeds[i] = NOTHING;
    for (long i = 0; deeds && i < trace->count; i++) {
        const TraceEvent *now = &trace->events[i];
        Deeds *own = &deeds[now->actor];
        note_deed(own, &now->event, i);
        if (now->event.kind == EVENT_ANSWER) {
            if (*unbalanced < 0 && own->took != own->ordered) *unbalanced = i;
            *own = NOTHING;
        }
        if (!took_one(&now->event)) continue;
        if (taken >= 0 && trace->events[taken].actor != now->actor) taken_before = taken;
        if (*overwrite < 0 && own->read >= 0 && taken_before > own->read) *overwrite = i;
        taken = i;
    }
    free(deeds);
}

static long find_unbalanced(const Trace *trace)
{
    long unbalanced, overwrite;
    scan_deeds(trace, &unbalanced, &overwrite);
    if (unbalanced >= 0) return unbalanced;
    return overwrite >= 0 ? overwrite : find_first(trace, took_one);
}

static bool has_role(const Event *event, LockRole role)
{
    return event->kind == EVENT_STEP && event->status == STORE_OK && event->value > 0 &&
           step_kinds[event->step].lock == role;
}

/* The second's step on the lock that the first had taken: where two were inside, or where a lock
 * was deleted by another than its holder. */
static long find_lock_step(const Trace *trace, const Finding *finding, LockRole role)
{
    int64_t lock = 0;
    bool taken = false;
    for (long i = 0; i < trace->count; i++) {
        const TraceEvent *event = &trace->events[i];
        if ((int)event->actor == finding->actor && has_role(&event->event, LOCK_TAKES)) {
            taken = true;
            lock = event->event.argument;
        }
        if (taken && (int)event->actor == finding->other && has_role(&event->event, role) &&
            event->event.argument == lock)
            return i;
    }
    return -1;
}

/* The last request of `actor` that took a lock before `telling`. */
static Thread find_holder(const Trace *trace, int actor, long telling)
{
    for (long i = telling; i >= 0; i--)
        if ((int)trace->events[i].actor == actor && has_role(&trace->events[i].event, LOCK_TAKES))
            return thread_of(&trace->events[i]);
    return NOBODY;
}

typedef struct Cast {
    Thread one, other;
    long telling; /* index of the event where it broke */
} Cast;

static long take_of(const Trace *trace, Thread thread, long until)
{
    while (until >= 0 && !(belongs(&trace->events[until], thread) && took_one(&trace->events[until].event)))
        until--;
    return until;
}

/* Who has the order too many, and who took one between what it read and what it took. When nobody did,
 * the mistake was made before: the first who took what another had taken tells it. */
static void cast_oversell(const Trace *trace, Cast *cast)
{
    long unbalanced, overwrite;
    long take = take_of(trace, cast->one, cast->telling);
    if (take >= 0) cast->other = find_other(trace, cast->one, take, took_one);
    if (cast->other.actor >= 0) return;
    scan_deeds(trace, &unbalanced, &overwrite);
    if (overwrite < 0) return;
    cast->telling = overwrite;
    cast->one = thread_of(&trace->events[overwrite]);
    cast->other = find_other(trace, cast->one, overwrite, took_one);
}

/* The answer with this id. */
static long find_told_of(const Trace *trace, int64_t id)
{
    for (long i = 0; i < trace->count; i++)
        if (trace->events[i].event.kind == EVENT_ANSWER && trace->events[i].event.value == id) return i;
    return -1;
}

/* Orders that others store: what was told, and what became of it behind. */
static Cast cast_queue(const Report *report, const Trace *trace, const Finding *finding)
{
    Cast cast = {NOBODY, NOBODY, -1};
    const Spec *spec = &report->spec;
    long behind = -1;
    if (report->first_broken == ANSWER_TRUE && finding->actor >= 0) {
        cast.telling = find_answer(trace, finding->actor, finding->id);
        behind = story_find_take(trace, finding->id);
        long failed = behind < 0 ? story_find_failed(trace) : -1;
        int64_t in_hand = failed >= 0 ? trace->events[failed].event.value : 0;
        long told = in_hand > 0 ? find_told_of(trace, in_hand) : -1;
        if (told >= 0) cast.telling = told;
        if (failed >= 0 && (told >= 0 || in_hand == 0)) behind = failed;
    } else if (report->first_broken == ANSWER_TRUE) {
        cast.telling = story_find_told(trace, spec, finding->user);
        behind = find_order_of_user(trace, spec, finding->user, 0);
    } else if (report->first_broken == NO_UNDERSELL || report->first_broken == BOOKS_BALANCE) {
        cast.telling = story_find_refusal(trace);
    }
    if (cast.telling < 0) return cast;
    cast.one = thread_of(&trace->events[cast.telling]);
    if (behind >= 0) cast.other = thread_of(&trace->events[behind]);
    return cast;
}

static Cast cast_story(Report *report, const Trace *trace, const Finding *finding)
{
    const Spec *spec = &report->spec;
    Cast cast = {NOBODY, NOBODY, -1};
    if (spec->consumers > 0) cast = cast_queue(report, trace, finding);
    if (cast.telling >= 0) return cast;
    switch (report->first_broken) {
    case NO_OVERSELL:
    case SALE_WINDOW:
        cast.telling = find_order_too_many(trace, report->first_broken == SALE_WINDOW ? 0 : spec->stock);
        break;
    case ONE_PER_USER:
        cast.telling = find_order_of_user(trace, spec, finding->user, 1);
        break;
    case NO_UNDERSELL:
        cast.telling = find_first(trace, took_nothing);
        if (cast.telling < 0) cast.telling = find_first(trace, was_refused);
        break;
    case BOOKS_BALANCE:
        cast.telling = find_unbalanced(trace);
        break;
    case ANSWER_TRUE:
        cast.telling = finding->actor >= 0 ? find_answer(trace, finding->actor, finding->id)
                                           : find_order_of_user(trace, spec, finding->user, 0);
        break;
    case MUTUAL_EXCLUSION:
        cast.telling = find_lock_step(trace, finding, LOCK_TAKES);
        break;
    case OWNER_RELEASE:
        cast.telling = find_lock_step(trace, finding, LOCK_GIVES);
        break;
    case UNIQUE_IDS:
    case IDS_ASCEND:
        cast.telling = find_answer(trace, finding->other, finding->id);
        break;
    default:
        break;
    }
    if (cast.telling < 0) return cast;
    cast.one = thread_of(&trace->events[cast.telling]);
    if (report->first_broken == ONE_PER_USER) {
        long before = find_order_of_user(trace, spec, finding->user, 0);
        if (before >= 0) cast.other = thread_of(&trace->events[before]);
    } else if (report->first_broken == MUTUAL_EXCLUSION || report->first_broken == OWNER_RELEASE) {
        cast.other = find_holder(trace, finding->actor, cast.telling);
    } else if (finding->other >= 0) {
        long before = find_answer_before(trace, cast.telling, finding->actor, finding->id);
        if (before >= 0) cast.other = thread_of(&trace->events[before]);
    } else if (report->first_broken == NO_OVERSELL) {
        cast_oversell(trace, &cast);
    } else {
        cast.other = find_twin(trace, spec, cast.one);
        if (cast.other.actor < 0) cast.other = find_other(trace, cast.one, cast.telling, took_one);
    }
    return cast;
}

/* ---- telling it --------------------------------------------------------------------------------------- */

static const char *const fault_stories[FAULT_KINDS] = {
    [FAULT_STALL] = N_("is stalled (injected)"),   [FAULT_FREEZE] = N_("its node is frozen (injected)"),
    [FAULT_ERROR] = N_("gets an error (injected)"), [FAULT_CRASH] = N_("its node is killed (injected)"),
    [FAULT_EXPIRE] = N_("a key runs out (injected)"), [FAULT_SLOW] = N_("is slowed (injected)"),
    [FAULT_FAILOVER] = N_("stands here for the failover"), [FAULT_CUT_LINK] = N_("stands here for the cut"),
    [FAULT_MEND_LINK] = N_("stands here for the mending"),
    [FAULT_KILL_SERVER] = N_("stands here for a server's end"),
    [FAULT_RESTART_SERVER] = N_("stands here for a server's return"),
};

static const struct {
    ConsoleEvent code;
    const char *words;
} console_stories[] = {
    {CONSOLE_EXPIRED, N_("a lease is ended (injected)")},     {CONSOLE_CRASHED, N_("a node is killed")},
    {CONSOLE_STARTED, N_("a node is started")},      {CONSOLE_FROZE, N_("a node is frozen")},
    {CONSOLE_THAWED, N_("a node goes on")},          {CONSOLE_SERVER_DOWN, N_("a server is killed")},
    {CONSOLE_SERVER_UP, N_("a server is started")},
};

static void fault_words(const Event *event, char *words, int words_size, char *result, int result_size)
{
    result[0] = words[0] = '\0';
    if (event->code < FAULT_KINDS) {
        snprintf(words, (size_t)words_size, "%s", _(fault_stories[event->code]));
        if (event->value > 0) snprintf(result, (size_t)result_size, "%lld ms", (long long)event->value);
        return;
    }
    for (unsigned i = 0; i < sizeof console_stories / sizeof console_stories[0]; i++)
        if (console_stories[i].code == (ConsoleEvent)event->code)
            snprintf(words, (size_t)words_size, "%s", _(console_stories[i].words));
    if (event->code == CONSOLE_SERVER_MOVE) {
        int server;
        ServerMove deed = server_move_deed((int)event->value, &server);
        snprintf(words, (size_t)words_size, "%s", server_deed_words(deed));
        if (deed >= SERVER_DOES_KILL) snprintf(result, (size_t)result_size, _("server %d"), server + 1);
    }
    if (event->code == CONSOLE_CRASHED || event->code == CONSOLE_STARTED || event->code == CONSOLE_FROZE ||
        event->code == CONSOLE_THAWED)
        snprintf(result, (size_t)result_size, _("node %lld"), (long long)event->value + 1);
    if (event->code == CONSOLE_SERVER_DOWN || event->code == CONSOLE_SERVER_UP)
        snprintf(result, (size_t)result_size, "%s", event->value == SERVER_REDIS ? "Redis" : "MariaDB");
}

void story_words(const Event *event, char *words, int words_size, char *result, int result_size)
{
    if (event->kind == EVENT_ANSWER) {
        snprintf(words, (size_t)words_size, "%s", _("is told"));
        if (event->value != 0)
            snprintf(result, (size_t)result_size, "%s %lld", answer_words(event->code),
                     (long long)event->value);
        else
            snprintf(result, (size_t)result_size, "%s", answer_words(event->code));
        return;
    }
    if (event->kind == EVENT_FAULT) {
        fault_words(event, words, words_size, result, result_size);
        return;
    }
    snprintf(words, (size_t)words_size, "%s", _(step_kinds[event->step].story));
    step_result(event->step, event->status, event->value, event->code, result, result_size);
}

/* In the order of what a reader can do without. */
enum { AFTERWARDS, BY_THE_WAY, DEED, DECIDING, TELLING };

static int weight_of(const Event *event)
{
    bool lock = event->kind == EVENT_STEP && step_kinds[event->step].lock != LOCK_NO;
    if (is_reading(event)) return DECIDING;
    return took_one(event) || is_order(event) || lock || event->kind == EVENT_FAULT ? DEED : BY_THE_WAY;
}

/* What each read last before it broke decides; the clock does where the time of the sale is the matter. */
static void weigh(Report *report)
{
    int telling = 0;
    while (telling < report->story_lines && !report->story[telling].telling) telling++;
    for (int i = 0; i < report->story_lines; i++) {
        StoryLine *line = &report->story[i];
        if (i > telling) line->weight = AFTERWARDS;
        if (i == telling) line->weight = TELLING;
        if (i >= telling || line->weight != DECIDING) continue;
        bool later = line->step == STEP_CLOCK && report->first_broken != SALE_WINDOW;
        for (int k = i + 1; k < telling && !later; k++)
            later = report->story[k].actor == line->actor && report->story[k].weight == DECIDING &&
                    report->story[k].step != STEP_CLOCK;
        if (later) line->weight = BY_THE_WAY;
    }
}

void story_choose(const Report *report, int rows, bool shown[STORY_LINES])
{
    int telling = 0, lines = report->story_lines;
    for (int i = 0; i < lines; i++) {
        shown[i] = false;
        if (report->story[i].telling) telling = i;
    }
    for (; rows > 0; rows--) {
        int best = -1;
        for (int i = 0; i < lines; i++) {
            if (shown[i]) continue;
            bool heavier = best < 0 || report->story[i].weight > report->story[best].weight;
            bool nearer = best >= 0 && report->story[i].weight == report->story[best].weight &&
                          abs(i - telling) < abs(best - telling);
            if (heavier || nearer) best = i;
        }
        if (best < 0) return;
        shown[best] = true;
    }
}

static void add_line(Report *report, const TraceEvent *event, bool telling, uint64_t released_ns)
{
    StoryLine *line = &report->story[report->story_lines++];
    bool console = (int)event->actor >= spec_actors(&report->spec);
    *line = (StoryLine){.actor = console ? -1 : (int)event->actor,
                        .user = console ? 0 : spec_user(&report->spec, (int)event->actor),
                        .node = event->event.node,
                        .line = event->event.line,
                        .kind = event->event.kind,
                        .code = event->event.code,
                        .step = event->event.kind == EVENT_ANSWER ? STEP_NONE : event->event.step,
                        .value = event->event.value,
                        .at_ns = event->event.end_ns - released_ns,
                        .sent_ns = event->event.begin_ns - released_ns,
                        .telling = telling,
                        .weight = weight_of(&event->event)};
    story_words(&event->event, line->words, sizeof line->words, line->result, sizeof line->result);
}

/* The story is as long as there is room; with too many steps the earliest are left out. */
static long lines_to_skip(const Trace *trace, const Cast *cast)
{
    enum { AFTER = 4 };
    long until = 0, after = 0;
    for (long i = 0; i < trace->count; i++) {
        const TraceEvent *event = &trace->events[i];
        if (!belongs(event, cast->one) && !belongs(event, cast->other)) continue;
        if (i <= cast->telling)
            until++;
        else
            after++;
    }
    long room = STORY_LINES - (after < AFTER ? after : AFTER);
    return until > room ? until - room : 0;
}

void story_tell(Report *report, Trace *trace, const Finding *finding, uint64_t released_ns)
{
    report->story_lines = 0;
    if (report->first_broken == INVARIANT_COUNT) return;
    trace_sort(trace);
    Cast cast = cast_story(report, trace, finding);
    if (cast.telling < 0) return;
    long skip = lines_to_skip(trace, &cast);
    bool begun = false;
    for (long i = 0; i < trace->count && report->story_lines < STORY_LINES; i++) {
        const TraceEvent *event = &trace->events[i];
        bool involved = belongs(event, cast.one) || belongs(event, cast.other);
        begun |= involved;
        bool struck = begun && i < cast.telling && event->event.kind == EVENT_FAULT &&
                      event->event.code >= CONSOLE_EXPIRED;
        if (involved ? skip-- <= 0 : struck) add_line(report, event, i == cast.telling, released_ns);
    }
    weigh(report);
}
