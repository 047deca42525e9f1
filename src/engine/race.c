#include "engine/race.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/i18n.h"
#include "engine/gate.h"
#include "engine/race_private.h"
#include "engine/referee.h"
#include "engine/ring.h"
#include "engine/story.h"
#include "store/abandoned.h"

enum {
    VOUCHER = 1,
    POLL_MS = 10,
    RECENT_LOOK_BACK = 256
};


/* ---- the clean state ------------------------------------------------------------------------ */

/* "{today}" in a preset's key is the day of the counter: yyyy:MM:dd. */
static void preset_key(const Spec *spec, const char *pattern, char *key, size_t size)
{
    const char *mark = strstr(pattern, "{today}");
    if (!mark) {
        snprintf(key, size, "%s", pattern);
        return;
    }
    time_t seconds = (time_t)(spec->clock ? spec->clock : clock_wall_seconds());
    struct tm day;
    char text[16];
    gmtime_r(&seconds, &day);
    strftime(text, sizeof text, "%Y:%m:%d", &day);
    snprintf(key, size, "%.*s%s%s", (int)(mark - pattern), pattern, text, mark + strlen("{today}"));
}

static void preset_value(const ShopSetup *setup, const char *pattern, char *value, size_t size)
{
    if (strcmp(pattern, "{begin}") == 0)
        snprintf(value, size, "%" PRId64, setup->begin);
    else if (strcmp(pattern, "{end}") == 0)
        snprintf(value, size, "%" PRId64, setup->end);
    else
        snprintf(value, size, "%s", pattern);
}

long spec_basket(const Spec *spec, int64_t user)
{
    return spec->baskets > 0 ? spec->basket[(user - 1) % spec->baskets] : 1;
}

void spec_setup(const Spec *spec, ShopSetup *setup)
{
    enum { HOUR = 3600 };
    int64_t now = spec->clock ? spec->clock : clock_wall_seconds();
    static const int64_t begins[] = {[WINDOW_OPEN] = -HOUR, [WINDOW_NOT_BEGUN] = HOUR,
                                     [WINDOW_ENDED] = -2 * HOUR};
    *setup = (ShopSetup){.voucher = VOUCHER,
                         .stock = spec->stock,
                         .begin = now + begins[spec->window],
                         .end = now + begins[spec->window] +
                                (spec->window == WINDOW_ENDED ? HOUR : 24 * HOUR),
                         .unique_order = spec->unique_order,
                         .redis_stock = spec->stock_in_redis && !spec->not_loaded,
                         .stream = spec->stream,
                         .presets = spec->presets,
                         .servers = spec->servers,
                         .link_cut = spec->link_cut};
    for (int i = 0; i < spec->presets; i++) {
        preset_key(spec, spec->preset[i].key, setup->preset[i].key, sizeof setup->preset[i].key);
        preset_value(setup, spec->preset[i].value, setup->preset[i].value, sizeof setup->preset[i].value);
    }
}

/* ---- starting ----------------------------------------------------------------------------------- */

Race *race_open(Stores *stores, const Spec *spec, Error *error)
{
    Race *race = calloc(1, sizeof *race);
    if (!race) {
        error_set(error, _("Out of memory."));
        return NULL;
    }
    race->stores = stores;
    race->spec = *spec;
    race->failing_over = -1;
    ShopSetup setup;
    spec_setup(spec, &setup);
    if (!stores_prepare(stores, &setup, error) ||
        !cluster_open(&race->cluster, stores, spec, MODE_RACE, error))
        goto failed;
    race->world = race->cluster.world;
    if (!trace_open(&race->trace, race->world) || !race_locks_open(race)) {
        error_set(error, _("Out of memory."));
        goto failed;
    }
    gate_look(race->world);
    return race;
failed:
    race_close(race);
    return NULL;
}

void race_release(Race *race)
{
    race->world->released_ns = clock_now_ns();
    race->released = true;
    futex_bump(&race->world->go);
}

/* ---- while it runs ---------------------------------------------------------------------------------- */

static void look_after_nodes(Race *race)
{
    for (int dead; (dead = cluster_bury(&race->cluster)) >= 0;) {
        race->nodes_lost++;
        snprintf(race->trouble, sizeof race->trouble, _("Node %d died in the middle of the race."),
                 dead + 1);
    }
}

static long answered(const World *world)
{
    long sum = 0;
    for (uint32_t i = 0; i < world->actors; i++)
        sum += atomic_load_explicit(&world_slot(world, i)->answered, memory_order_acquire);
    return sum;
}

/* Since the release; 0: never. */
static double seconds_at(const World *world, uint64_t ns)
{
    return ns > world->released_ns ? (double)(ns - world->released_ns) / 1e9 : 0;
}

static double seconds_since_release(const Race *race)
{
    uint64_t until = race->over ? race->over_ns : clock_now_ns();
    return race->released ? (double)(until - race->world->released_ns) / 1e9 : 0;
}

static void fill_crowd(const World *world, RaceProgress *progress)
{
    for (uint32_t i = 0; i < world->actors; i++) {
        const Slot *slot = world_slot(world, i);
        uint32_t state = atomic_load_explicit(&slot->state, memory_order_relaxed);
        uint32_t line = atomic_load_explicit(&slot->line, memory_order_relaxed);
        if (state == ACTOR_DONE || state == ACTOR_DEAD) progress->actors_done += slot->role == ROLE_USER;
        else if (line < LISTING_LINES) progress->crowd[line]++;
        for (int kind = 0; kind < ANSWER_COUNT; kind++)
            progress->answers[kind] += atomic_load_explicit(&slot->answers[kind], memory_order_relaxed);
    }
}

static bool last_event(const World *world, uint32_t actor, Event *event)
{
    uint64_t written = ring_written(world, actor);
    return written > 0 && ring_get(world, actor, written - 1, event);
}

static void fill_actor_views(const Race *race, RaceProgress *progress)
{
    const World *world = race->world;
    for (uint32_t i = 0; i < world->actors && i < 26; i++) {
        const Slot *slot = world_slot(world, i);
        ActorView *view = &progress->actor[progress->actor_views++];
        *view = (ActorView){.actor = (int)i, .role = slot->role, .user = slot->user, .node = slot->node,
                            .line = (int)atomic_load(&slot->line),
                            .state = (int)atomic_load(&slot->state),
                            .step = (int)atomic_load(&slot->step)};
        Event event;
        char words[64];
        if (last_event(world, i, &event)) story_words(&event, words, sizeof words, view->result, sizeof view->result);
    }
}

/* The newest events stand near the end of the trace, but each ring was read in one go: look at the
 * last few hundred and pick the latest by time. */
static void fill_recent(const Race *race, RaceProgress *progress)
{
    const Trace *trace = &race->trace;
    const TraceEvent *newest[RECENT_EVENTS];
    int count = 0;
    long from = trace->count > RECENT_LOOK_BACK ? trace->count - RECENT_LOOK_BACK : 0;
    for (long i = from; i < trace->count; i++) {
        const TraceEvent *event = &trace->events[i];
        int at = count;
        while (at > 0 && newest[at - 1]->event.end_ns < event->event.end_ns) at--;
        if (at == RECENT_EVENTS) continue;
        if (count < RECENT_EVENTS) count++;
        memmove(&newest[at + 1], &newest[at], (size_t)(count - 1 - at) * sizeof newest[0]);
        newest[at] = event;
    }
    for (int i = 0; i < count; i++) {
        const Event *event = &newest[i]->event;
        RecentEvent *recent = &progress->recent[i];
        bool console = newest[i]->actor >= race->world->actors;
        *recent = (RecentEvent){.actor = console ? -1 : (int)newest[i]->actor,
                                .user = spec_user(&race->spec, (int)newest[i]->actor),
                                .step = event->step,
                                .at_ns = event->end_ns - race->world->released_ns,
                                .answer = event->kind == EVENT_ANSWER};
        story_words(event, recent->words, sizeof recent->words, recent->result, sizeof recent->result);
    }
    progress->recent_count = count;
}

static void fill_faults(const World *world, RaceProgress *progress)
{
    progress->faults = (int)atomic_load(&world->fault_count);
    for (int i = 0; i < progress->faults; i++) {
        progress->fault[i].fault = world->fault[i].fault;
        progress->fault[i].armed = atomic_load(&world->fault[i].armed);
        progress->fault[i].fired = atomic_load(&world->fault[i].fired);
    }
}

static void fill_progress(const Race *race, RaceProgress *progress)
{
    const World *world = race->world;
    memset(progress, 0, sizeof *progress);
    progress->released = race->released;
    progress->over = race->over;
    progress->paused = atomic_load(&world->paused);
    progress->seconds = seconds_since_release(race);
    progress->total = (long)race->spec.users * race->spec.requests;
    progress->answered = answered(world);
    double asked = race->answered_ns ? seconds_at(world, race->answered_ns) : progress->seconds;
    progress->throughput = asked > 0 ? (double)progress->answered / asked : 0;
    progress->actors = (int)world->users;
    progress->steps = race->trace.steps;
    fill_faults(world, progress);
    for (int i = 0; i < race->spec.nodes; i++) {
        progress->node_state[i] = (int)atomic_load(&world->node[i].state);
        progress->frozen[i] = atomic_load(&world->frozen_until_ns[i]) != 0;
    }
    fill_crowd(world, progress);
    fill_actor_views(race, progress);
    fill_recent(race, progress);
    progress->locks = race->locks;
    progress->queues = race->queues;
}

void race_queues(Race *race, const Snapshot *truth, QueuesView *view)
{
    queues_view_make(&race->queues, race->world, truth);
    *view = race->queues;
}

/* Whoever waits now would wait for ever. */
static void keep_limit(Race *race)
{
    const World *world = race->world;
    bool up = race->spec.limit_s > 0 && seconds_since_release(race) >= race->spec.limit_s;
    if (!up || race->timed_out || race->stopped || !race->released) return;
    race->late = (long)world->users - (long)atomic_load(&world->done);
    race->timed_out = true;
    gate_stop(race->world);
}

/* What nobody was given of the stream, as Redis says, while somebody waits for it. */
static bool has_unread(Race *race)
{
    StreamView view;
    if (race->spec.stream == STREAM_NONE || race->stopped) return false;
    if (!stream_view_read(stores_redis(race->stores), &view, NULL) || !view.has_group || !view.unread) return false;
    for (uint32_t i = race->world->users; i < race->world->actors; i++) {
        const Slot *slot = world_slot(race->world, i);
        uint32_t state = atomic_load(&slot->state);
        if (slot->role == ROLE_CONSUMER && state != ACTOR_DONE && state != ACTOR_DEAD) return true;
    }
    return false;
}

/* All wait, and have done so for longer than the server lets a consumer wait at a time. */
static bool is_quiet(Race *race)
{
    enum { QUIET_NS = 250000000 };
    uint64_t now = clock_now_ns();
    bool same = race->quiet_ns != 0 && race->quiet_steps == race->trace.steps;
    if (race->spec.stream == STREAM_NONE || !world_all_wait(race->world)) {
        race->quiet_ns = 0;
        return false;
    }
    if (!same) race->quiet_ns = now;
    race->quiet_steps = race->trace.steps;
    return now - race->quiet_ns > QUIET_NS;
}

/* Signals do not tell all of a stream: a script may say no and have added an entry, and one that was added may
 * be trimmed away before it is read. */
static bool is_over(Race *race)
{
    return (world_is_over(race->world) || is_quiet(race)) && !has_unread(race);
}

bool race_poll(Race *race, RaceProgress *progress)
{
    if (!race->over) {
        bool done = is_over(race);
        if (!race->answered_ns && atomic_load(&race->world->done) == race->world->users)
            race->answered_ns = clock_now_ns();
        trace_read(&race->trace, race->world);
        race_thaw(race, false);
        race_look_after_servers(race);
        look_after_nodes(race);
        keep_limit(race);
        if (done) {
            race->over = true;
            race->over_ns = clock_now_ns();
            trace_read(&race->trace, race->world);
        }
    }
    if (progress) fill_progress(race, progress);
    return !race->over;
}

void race_pause(Race *race, bool pause)
{
    gate_pause(race->world, pause);
}

void race_pace(Race *race, int pace_ms)
{
    race->spec.pace_ms = pace_ms;
    gate_pace(race->world, pace_ms);
}

void race_stop(Race *race)
{
    race->stopped = true;
    gate_stop(race->world);
    if (!race->released) race_release(race);
}

const World *race_world(const Race *race)
{
    return race->world;
}

int race_nodes(const Race *race, int pids[MAX_NODES])
{
    for (int i = 0; i < MAX_NODES; i++) pids[i] = race->world->node[i].pid;
    return race->spec.nodes;
}

void race_verdicts_now(const Race *race, const Snapshot *snapshot, Verdict verdict[INVARIANT_COUNT])
{
    referee_glance(&race->spec, snapshot, verdict);
}

/* ---- judging ---------------------------------------------------------------------------------------------- */

static double latency_at(const World *world, int nodes, double share)
{
    uint64_t total = 0, seen = 0;
    for (int n = 0; n < nodes; n++)
        for (int i = 0; i < LATENCY_BUCKETS; i++) total += atomic_load(&world->node[n].latency[i]);
    for (int i = 0; i < LATENCY_BUCKETS; i++) {
        for (int n = 0; n < nodes; n++) seen += atomic_load(&world->node[n].latency[i]);
        if (total > 0 && (double)seen >= share * (double)total)
            return (double)latency_bucket_ns(i) / 1e6;
    }
    return 0;
}

/* The last answer ends the race, not the moment when the console noticed. */
static void fill_numbers(const Race *race, Report *report)
{
    const World *world = race->world;
    uint64_t last_ns = 0, started_ns = 0;
    for (uint32_t i = 0; i < world->users; i++) {
        Event event;
        if (last_event(world, i, &event) && event.end_ns > last_ns) last_ns = event.end_ns;
        if (world_slot(world, i)->started_ns > started_ns) started_ns = world_slot(world, i)->started_ns;
    }
    RaceProgress progress;
    fill_progress(race, &progress);
    memcpy(report->answers, progress.answers, sizeof report->answers);
    report->answered = progress.answered;
    report->complete = report->answered == progress.total && !race->stopped && !race->timed_out;
    report->stopped = race->stopped;
    report->seconds = last_ns > world->released_ns ? (double)(last_ns - world->released_ns) / 1e9 : 0;
    report->throughput = report->seconds > 0 ? (double)report->answered / report->seconds : 0;
    if (started_ns > world->released_ns)
        report->release_ms = (double)(started_ns - world->released_ns) / 1e6;
    report->p50_ms = latency_at(world, race->spec.nodes, 0.50);
    report->p99_ms = latency_at(world, race->spec.nodes, 0.99);
    report->max_ms = latency_at(world, race->spec.nodes, 1.0);
    report->steps = race->trace.steps;
    report->redis_commands = race->trace.commands[STEP_REDIS];
    report->sql_statements = race->trace.commands[STEP_SQL];
    report->stored = race->trace.stored.all;
    report->stored_seconds = seconds_at(world, race->trace.stored.last_ns);
    stored_latency(&race->trace.stored, world, &report->stored_p50_ms, &report->stored_p99_ms);
    report->yes_seconds = seconds_at(world, race->trace.yes_ns);
    report->faults = progress.faults;
    for (int i = 0; i < progress.faults; i++) {
        report->fault[i].fault = progress.fault[i].fault;
        report->fault[i].fired = progress.fault[i].fired;
    }
    report->trace_lost = race->trace.lost + race->trace.left_out;
    report->attempts_max = race->trace.attempts_max;
    if (race->trace.orders > 0)
        report->attempts_mean = (double)race->trace.order_attempts / (double)race->trace.orders;
}

/* -1: Redis does not answer. It may have come back since the link was last used. */
static void look_for_abandoned(Race *race, Snapshot *truth)
{
    RedisLink *link = stores_redis(race->stores);
    if (abandoned_locks(link, &truth->abandoned_locks, NULL)) return;
    if (!redis_link_reopen(link, NULL) || !abandoned_locks(link, &truth->abandoned_locks, NULL))
        truth->abandoned_locks = -1;
}

/* A server that has only just come back is given a moment: the observer does not ask a dead one all the time. */
static void take_truth(Race *race, Observer *observer, Snapshot *truth)
{
    enum { TRIES = 5, BETWEEN_NS = 150000000 };
    for (int i = 0; i < TRIES; i++) {
        if (i > 0) clock_sleep_ns(BETWEEN_NS);
        observer_take(observer, race->world->voucher, truth);
        if (truth->sql_ok && truth->redis_ok) return;
    }
    if (race->trouble[0] == '\0')
        snprintf(race->trouble, sizeof race->trouble, "%s",
                 truth->sql_ok ? _("Redis did not answer when the race was over.")
                               : _("The database did not answer when the race was over."));
}

void race_judge(Race *race, Observer *observer, Report *report)
{
    *report = (Report){.spec = race->spec, .first_broken = INVARIANT_COUNT,
                       .nodes_lost = race->nodes_lost};
    fill_numbers(race, report);
    take_truth(race, observer, &report->truth);
    OrderRow *orders = NULL;
    long count = 0;
    Error error = {""};
    if (!observer_orders(observer, &orders, &count, &error) && race->trouble[0] == '\0')
        snprintf(race->trouble, sizeof race->trouble, "%.230s", error.text);
    trace_sort(&race->trace);
    race_fill_stored(race, report);
    look_for_abandoned(race, &report->truth);
    queues_view_make(&report->queues, race->world, &report->truth);
    race->queues = report->queues;
    Case judged = {.spec = &race->spec, .world = race->world, .truth = &report->truth,
                   .orders = orders, .order_count = count, .complete = report->complete,
                   .waiting = report->queues.waiting, .stopped = race->stopped || race->timed_out,
                   .late = race->late,
                   .events = race->trace.events, .event_count = race->trace.count};
    Finding findings[INVARIANT_COUNT];
    referee_judge(&judged, report->verdict, findings);
    for (int i = INVARIANT_COUNT - 1; i >= 0; i--)
        if (report->verdict[i].state == VERDICT_BROKEN) report->first_broken = i;
    /* Where orders are stored later, the promise that was not kept says more than what follows from it. */
    bool twice = report->verdict[ONE_PER_USER].state == VERDICT_BROKEN;
    if (race->spec.consumers > 0 && !twice && report->verdict[ANSWER_TRUE].state == VERDICT_BROKEN)
        report->first_broken = ANSWER_TRUE;
    if (report->first_broken < INVARIANT_COUNT)
        story_tell(report, &race->trace, &findings[report->first_broken], race->world->released_ns);
    snprintf(report->trouble, sizeof report->trouble, "%s", race->trouble);
    free(orders);
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

void race_close(Race *race)
{
    if (!race) return;
    if (race->world) race_thaw(race, true);
    trace_close(&race->trace);
    race_locks_close(race);
    cluster_close(&race->cluster);
    free(race);
}

bool race_server_is_gone(Stores *stores)
{
    ServerStatus status[SERVER_COUNT];
    stores_status(stores, status);
    for (int i = 0; i < SERVER_COUNT; i++)
        if (status[i].state == SERVER_DOWN || status[i].state == SERVER_FAILED) return true;
    return false;
}

bool race_run(Stores *stores, const Spec *spec, Report *report, Error *error)
{
    Observer *observer = observer_open(stores, error);
    Race *race = observer ? race_open(stores, spec, error) : NULL;
    if (race) {
        race_release(race);
        while (race_poll(race, NULL)) {
            if (!race->stopped && race_server_is_gone(stores)) race_stop(race);
            clock_sleep_ns(POLL_MS * 1000000u);
        }
        race_judge(race, observer, report);
        race_close(race);
    }
    observer_close(observer);
    return race != NULL;
}
