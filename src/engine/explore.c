#include "engine/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/mover.h"
#include "engine/one_cpu.h"
#include "engine/servers.h"
#include "engine/touch.h"

/* One decision on the path that is being explored. */
typedef struct Choice {
    uint16_t chosen;
    ActorSet enabled;
    ActorSet sleeping; /* when this point was reached */
    ActorSet explored; /* moves from here that are done with, `chosen` included */
    Touch pending[MOVERS]; /* what each enabled actor would do from here */
    int last;          /* the user that moved last, `chosen` included; -1: none yet */
    int preemptions;   /* up to and including `chosen` */
} Choice;

enum { RUN_TRIES = 8 };

struct Explorer {
    Runner runner;
    Exploration result;
    Choice *path;      /* MAX_PLAN */
    int depth;
    ActorSet sleeping; /* the sleep set with which the next run begins past its plan */
    uint64_t active_ns;
};

/* ---- opening ---------------------------------------------------------------------------------- */

/* The runner on real stores. */
typedef struct Walker {
    Stepper *stepper;
    OneCpu *one_cpu;
} Walker;

static RunEnd run_stepper(void *data, const uint16_t *plan, int length, bool prune, ActorSet sleeping,
                          Error *error)
{
    Walker *walker = data;
    return stepper_run(walker->stepper, plan, length, prune, sleeping, error);
}

static bool judge_stepper(void *data, uint32_t *broken, char *outcome, int size, Error *error)
{
    Snapshot truth;
    Verdict verdict[INVARIANT_COUNT];
    Walker *walker = data;
    if (!stepper_judge(walker->stepper, &truth, verdict, outcome, size, error)) return false;
    *broken = 0;
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (verdict[i].state == VERDICT_BROKEN) *broken |= 1u << i;
    return true;
}

static void close_stepper(void *data)
{
    Walker *walker = data;
    one_cpu_end(walker->one_cpu);
    stepper_close(walker->stepper);
    free(walker);
}

Explorer *explorer_open_on(const Runner *runner, const Spec *spec, const ExploreOptions *options,
                           Error *error)
{
    Explorer *explorer = calloc(1, sizeof *explorer);
    if (!explorer || !(explorer->path = calloc(MAX_PLAN, sizeof *explorer->path))) {
        error_set(error, "%s", _("Out of memory."));
        free(explorer);
        runner->close(runner->data);
        return NULL;
    }
    explorer->runner = *runner;
    Exploration *result = &explorer->result;
    result->spec = spec ? *spec : runner->world->spec;
    result->options = *options;
    if (options->preemptions >= 0) result->options.prune = false;
    result->shortest = -1;
    for (int i = 0; i < INVARIANT_COUNT; i++) result->shortest_of[i] = -1;
    result->counted = true;
    return explorer;
}

Explorer *explorer_open(Stores *stores, const Spec *spec, const ExploreOptions *options, Error *error)
{
    Walker *walker = calloc(1, sizeof *walker);
    if (walker) walker->stepper = stepper_open(stores, spec, error);
    if (!walker || !walker->stepper) {
        if (!walker) error_set(error, "%s", _("Out of memory."));
        free(walker);
        return NULL;
    }
    const World *world = stepper_world(walker->stepper);
    walker->one_cpu = one_cpu_begin(stores, world);
    Runner runner = {run_stepper, judge_stepper, close_stepper, world, walker};
    return explorer_open_on(&runner, spec, options, error);
}

void explorer_close(Explorer *explorer)
{
    if (!explorer) return;
    explorer->runner.close(explorer->runner.data);
    free(explorer->result.cell);
    free(explorer->path);
    free(explorer);
}

const World *explorer_world(const Explorer *explorer)
{
    return explorer->runner.world;
}

const Exploration *explorer_result(const Explorer *explorer)
{
    return &explorer->result;
}

/* ---- the path ------------------------------------------------------------------------------------- */

/* What an actor would do at move `from`: it is what it did when it moved next, or, in a run that was
 * given up, what it still stands before. */
static Touch pending_touch(const World *world, int from, int actor)
{
    int count = (int)atomic_load(&world->move_count);
    for (int i = from; i < count; i++)
        if (world->moves[i].actor == actor) return world->moves[i].touch;
    return baton_touch(world, (unsigned)actor);
}

/* The clock and crashes interrupt nobody: only a user's move can preempt. */
static int preemptions_with(const Explorer *explorer, int depth, ActorSet enabled, int actor)
{
    if (depth == 0) return 0;
    const Choice *before = &explorer->path[depth - 1];
    bool preempts = actor < STEP_ACTORS && before->last >= 0 && before->last != actor &&
                    (enabled >> before->last & 1);
    return before->preemptions + preempts;
}

static int last_with(const Explorer *explorer, int depth, int actor)
{
    if (actor < STEP_ACTORS) return actor;
    return depth > 0 ? explorer->path[depth - 1].last : -1;
}

/* Lengthens the path by what the run did past its plan. */
static void take_path(Explorer *explorer)
{
    const World *world = explorer->runner.world;
    int count = (int)atomic_load(&world->move_count);
    for (int i = explorer->depth; i < count; i++) {
        const MoveEntry *move = &world->moves[i];
        Choice *choice = &explorer->path[i];
        *choice = (Choice){.chosen = move->actor, .enabled = move->enabled, .sleeping = move->sleeping,
                           .explored = actor_bit(move->actor)};
        for (int actor = 0; actor < MOVERS; actor++)
            if (move->enabled >> actor & 1) choice->pending[actor] = pending_touch(world, i, actor);
        choice->last = last_with(explorer, i, move->actor);
        choice->preemptions = preemptions_with(explorer, i, move->enabled, move->actor);
    }
    explorer->depth = count;
}

/* An actor whose move from here is still to be explored, -1 when there is none. */
static int open_choice(const Explorer *explorer, int depth)
{
    const Choice *choice = &explorer->path[depth];
    ActorSet open = choice->enabled & ~choice->explored & ~choice->sleeping;
    for (int actor = 0; actor < MOVERS; actor++) {
        if (!(open >> actor & 1)) continue;
        int bound = explorer->result.options.preemptions;
        if (bound < 0 || preemptions_with(explorer, depth, choice->enabled, actor) <= bound) return actor;
    }
    return -1;
}

/* Takes the deepest open choice; false when the tree is done. */
static bool backtrack(Explorer *explorer)
{
    for (int depth = explorer->depth - 1; depth >= 0; depth--) {
        int actor = open_choice(explorer, depth);
        if (actor < 0) continue;
        Choice *choice = &explorer->path[depth];
        explorer->sleeping = 0;
        ActorSet others = (choice->sleeping | choice->explored) & choice->enabled;
        for (int i = 0; explorer->result.options.prune && i < MOVERS; i++)
            if ((others >> i & 1) && !touch_conflict(&choice->pending[i], &choice->pending[actor]))
                explorer->sleeping |= actor_bit((unsigned)i);
        choice->chosen = (uint16_t)actor;
        choice->explored |= actor_bit((unsigned)actor);
        choice->last = last_with(explorer, depth, actor);
        choice->preemptions = preemptions_with(explorer, depth, choice->enabled, actor);
        explorer->depth = depth + 1;
        return true;
    }
    return false;
}

/* How much of the tree is behind us: at each decision, the share of its branches that are done. */
static double share_done(const Explorer *explorer)
{
    double done = 0, weight = 1;
    for (int depth = 0; depth < explorer->depth; depth++) {
        const Choice *choice = &explorer->path[depth];
        int branches = __builtin_popcountll(choice->enabled & ~choice->sleeping);
        int finished = __builtin_popcountll(choice->explored & ~choice->sleeping) - 1;
        if (branches < 1) branches = 1;
        if (finished < 0) finished = 0;
        done += weight * finished / branches;
        weight /= branches;
    }
    return done;
}

/* ---- keeping what came out ---------------------------------------------------------------------------- */

static int note_outcome(Exploration *result, const char *text, double schedules, uint32_t broken)
{
    for (int i = 0; i < result->outcomes; i++) {
        if (result->outcome[i].broken != broken || strcmp(result->outcome[i].text, text) != 0) continue;
        result->outcome[i].schedules += schedules;
        return i;
    }
    if (result->outcomes == OUTCOMES) {
        result->outcomes_left_out++;
        return OUTCOMES - 1;
    }
    ExploreOutcome *outcome = &result->outcome[result->outcomes];
    snprintf(outcome->text, sizeof outcome->text, "%s", text);
    outcome->schedules = schedules;
    outcome->broken = broken;
    return result->outcomes++;
}

/* Fewer preemptions first, then fewer moves, then the first by alphabet. */
static bool is_better(const ExploreCell *cell, const ExploreCell *than)
{
    if (cell->preemptions != than->preemptions) return cell->preemptions < than->preemptions;
    if (cell->count != than->count) return cell->count < than->count;
    return memcmp(cell->moves, than->moves, cell->count) < 0;
}

static void note_best(const ExploreCell *cell, long index, ExploreCell *best, long *place)
{
    if (best->schedules > 0 && !is_better(cell, best)) return;
    *best = *cell;
    *place = index;
}

/* `index` is -1 when the cell is not kept. */
static void note_shortest(Exploration *result, const ExploreCell *cell, long index)
{
    note_best(cell, index, &result->best, &result->shortest);
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (cell->broken >> i & 1)
            note_best(cell, index, &result->best_of[i], &result->shortest_of[i]);
}

/* What the run stands for: its class, or, unpruned, itself. */
static void weigh_run(Exploration *result, const World *world, RunClass *class)
{
    int count = (int)atomic_load(&world->move_count);
    Left left[STEP_ACTORS];
    baton_left(world, left);
    if (result->options.prune && classes_count(world->moves, count, left, world->first_life, class)) return;
    if (result->options.prune) result->counted = false;
    memset(class, 0, sizeof *class);
    class->count = count < CLASS_MOVES ? count : CLASS_MOVES;
    class->schedules = 1;
    class->fewest = classes_preemptions(world->moves, count);
    class->by_preemptions[class->fewest < CLASS_PREEMPTIONS ? class->fewest : CLASS_PREEMPTIONS - 1] = 1;
    for (int i = 0; i < class->count; i++) class->best[i] = (uint8_t)world->moves[i].actor;
}

static bool room_for_cell(Exploration *result)
{
    if (result->cells < result->cell_room || result->cell_room == CELLS_MAX) return true;
    long room = result->cell_room ? result->cell_room * 2 : 256;
    if (room > CELLS_MAX) room = CELLS_MAX;
    ExploreCell *cell = realloc(result->cell, (size_t)room * sizeof *cell);
    if (!cell) return error_set(&result->error, "%s", _("Out of memory."));
    result->cell = cell;
    result->cell_room = room;
    return true;
}

static bool note_run(Explorer *explorer, uint32_t broken, const char *outcome)
{
    Exploration *result = &explorer->result;
    RunClass class;
    if (!room_for_cell(result)) return false;
    weigh_run(result, explorer->runner.world, &class);
    ExploreCell cell = {.broken = broken, .preemptions = (uint8_t)class.fewest,
                        .count = (uint8_t)class.count, .schedules = class.schedules};
    memcpy(cell.moves, class.best, (size_t)class.count);
    cell.outcome = (uint16_t)note_outcome(result, outcome, class.schedules, broken);
    result->unpruned += class.schedules;
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) {
        result->by_preemptions[p] += class.by_preemptions[p];
        if (broken) result->violating_by_preemptions[p] += class.by_preemptions[p];
    }
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (broken >> i & 1) result->violating[i] += class.schedules;
    if (broken) {
        result->violating_any += class.schedules;
        note_shortest(result, &cell, result->cells < CELLS_MAX ? result->cells : -1);
    }
    if (result->cells < CELLS_MAX)
        result->cell[result->cells++] = cell;
    else
        result->cells_left_out++;
    result->runs++;
    return true;
}

/* ---- exploring -------------------------------------------------------------------------------------------- */

static bool fail(Explorer *explorer, const Error *error)
{
    explorer->result.failed = true;
    explorer->result.over = true;
    if (error->text[0]) explorer->result.error = *error;
    return false;
}

static bool judge_run(Explorer *explorer, Error *error)
{
    uint32_t broken;
    char outcome[OUTCOME_LENGTH];
    Runner *runner = &explorer->runner;
    if (!runner->judge(runner->data, &broken, outcome, sizeof outcome, error)) return false;
    return note_run(explorer, broken, outcome);
}

/* Makes one run and chooses the next. False when nothing is left. */
static bool explore_one(Explorer *explorer)
{
    Exploration *result = &explorer->result;
    uint16_t plan[MAX_PLAN];
    for (int i = 0; i < explorer->depth; i++) plan[i] = explorer->path[i].chosen;
    Error error = {""};
    RunEnd end = RUN_IMPOSSIBLE;
    /* Of two transactions in a deadlock InnoDB chooses, and may choose otherwise: that was the other run. */
    for (int tries = 0; end == RUN_IMPOSSIBLE && tries < RUN_TRIES; tries++)
        end = explorer->runner.run(explorer->runner.data, plan, explorer->depth, result->options.prune,
                                   explorer->sleeping, &error);
    /* What comes of a script that was stopped says nothing about the schedule. */
    if (own_run_excuse(&explorer->runner.world->own, &error)) return fail(explorer, &error);
    if (end == RUN_FAILED) return fail(explorer, &error);
    if (end == RUN_IMPOSSIBLE) {
        error_set(&error, "%s", _("A run did not repeat itself: the world depends on more than its schedule."));
        return fail(explorer, &error);
    }
    take_path(explorer);
    if (end == RUN_REPETITION) /* RUN_STUCK is an end like any other: `progress` judges it */
        result->repetitions++;
    else if (!judge_run(explorer, &error))
        return fail(explorer, &error);
    if (!backtrack(explorer)) {
        result->complete = true;
        result->over = true;
    }
    if (result->options.limit > 0 && result->runs >= result->options.limit) result->over = true;
    return !result->over;
}

bool explorer_slice(Explorer *explorer, int ms)
{
    if (explorer->result.over) return false;
    uint64_t began = clock_now_ns(), limit = began + (uint64_t)ms * 1000000u;
    while (explore_one(explorer) && clock_now_ns() < limit) {
    }
    explorer->active_ns += clock_now_ns() - began;
    explorer->result.seconds = (double)explorer->active_ns / 1e9;
    explorer->result.done_share = explorer->result.complete ? 1 : share_done(explorer);
    return !explorer->result.over;
}

/* ---- what it means --------------------------------------------------------------------------------------------- */

bool exploration_as_claimed(const Exploration *exploration, char *why, int size)
{
    if (why) why[0] = '\0';
    if (!exploration->complete) {
        if (why) snprintf(why, (size_t)size, "%s", exploration->failed ? exploration->error.text
                                                                       : _("the exploration is not complete"));
        return false;
    }
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        bool broke = exploration->violating[i] > 0;
        if (exploration->spec.breaks[i] && !broke) {
            if (why)
                snprintf(why, (size_t)size, _("%s is claimed to break, and was kept by all %.0f schedules"),
                         invariant_name((Invariant)i), exploration->unpruned);
            return false;
        }
        if (exploration->spec.keeps[i] && broke) {
            if (why)
                snprintf(why, (size_t)size, _("%s is claimed to be kept, and broke in %.0f of %.0f schedules"),
                         invariant_name((Invariant)i), exploration->violating[i], exploration->unpruned);
            return false;
        }
    }
    return true;
}

/* "(server 2)" where a fault is meant for some alone. */
static void cover_victims(const Spec *spec, char *text, int size)
{
    int used = 0;
    text[0] = '\0';
    for (int i = 0; i < FLEET_SERVERS && used < size; i++)
        if (spec->server_victims >> i & 1) used += snprintf(text + used, (size_t)(size - used), _(" (server %d)"), i + 1);
}

static int cover_servers(const Spec *spec, char *text, int size)
{
    int used = 0;
    text[0] = '\0';
    if (spec->link_cut) used = snprintf(text, (size_t)size, "%s", _(", the replica hearing nothing of its master"));
    for (int deed = 0; deed < SERVER_DEEDS && used < size; deed++) {
        char victims[60] = "";
        if (!(spec->server_moves >> deed & 1)) continue;
        if (deed >= SERVER_DOES_KILL) cover_victims(spec, victims, sizeof victims);
        used += snprintf(text + used, (size_t)(size - used), _(", at any step: %s%s"),
                         server_deed_words((ServerMove)deed), victims);
    }
    return used;
}

static int cover_faults(const Spec *spec, char *text, int size)
{
    int used = 0;
    bool any = spec->fault_clk || spec->fault_crash || spec->fault_freeze || spec->faults > 0 ||
               spec->server_moves != 0 || spec->link_cut;
    if (!any)
        return snprintf(text, (size_t)size, "%s", _(", no faults"));
    if (spec->fault_crash)
        used += snprintf(text, (size_t)size, "%s",
                         spec->fault_restart ? _(", a node killed at any step and started again at any later one")
                                             : _(", a node killed at any step"));
    if (spec->fault_freeze && used < size)
        used += snprintf(text + used, (size_t)(size - used), "%s",
                         _(", a node standing still at any step for longer than its leases"));
    if (spec->fault_clk && used < size)
        used += snprintf(text + used, (size_t)(size - used), "%s",
                         spec->clk_after_crash ? _(", a lease running out after it")
                                               : _(", a lease running out at any step"));
    if (used < size) used += cover_servers(spec, text + used, size - used);
    for (int i = 0; i < spec->faults && used < size; i++) {
        char fault[160];
        used += snprintf(text + used, (size_t)(size - used), ", %s",
                         fault_write(&spec->fault[i], fault, sizeof fault));
    }
    return used;
}

void exploration_covers(const Exploration *exploration, char *text, int size)
{
    const Spec *spec = &exploration->spec;
    int used = 0;
    if (spec->at_once && spec->requests > 1)
        used = snprintf(text, (size_t)size,
                        ngettext("%d requests at once of %d user", "%d requests at once of each of %d users",
                                 (unsigned long)spec->users),
                        spec->requests, spec->users);
    else
        used = snprintf(text, (size_t)size, ngettext("%d user", "%d users", (unsigned long)spec->users),
                        spec->users);
    if (!spec->at_once && spec->requests > 1 && used < size)
        used += snprintf(text + used, (size_t)(size - used), _(" with %d requests each"), spec->requests);
    bool has_stock = spec->stock_in_sql || spec->stock_in_redis;
    if (has_stock && used < size)
        used += snprintf(text + used, (size_t)(size - used), _(", stock %ld"), spec->stock);
    if (used < size)
        used += snprintf(text + used, (size_t)(size - used),
                         ngettext(", %d node", ", %d nodes", (unsigned long)spec->nodes), spec->nodes);
    if (used < size) used += cover_faults(spec, text + used, size - used);
    if (spec->watchdogs && used < size)
        used += snprintf(text + used, (size_t)(size - used), "%s", _(", each held lock renewed at most once"));
    if (exploration->options.preemptions >= 0 && used < size)
        snprintf(text + used, (size_t)(size - used),
                 ngettext(", at most %d preemption", ", at most %d preemptions",
                          (unsigned long)exploration->options.preemptions),
                 exploration->options.preemptions);
}

void exploration_schedule(const Exploration *exploration, const ExploreCell *cell, Schedule *schedule)
{
    schedule->count = 0;
    for (int i = 0; i < cell->count && i < SCHEDULE_MOVES; i++)
        schedule->move[schedule->count++] = mover_move(&exploration->spec, cell->moves[i]);
}
