#include "engine/crash_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/mover.h"
#include "engine/step_kind.h"

/* A place for a crash: before a step of the chosen schedule, or after it. */
typedef struct Point {
    int move;
    bool after;
    StepRow row; /* the step as it was without a crash */
} Point;

struct CrashTabler {
    CrashTable table;
    Stepper *stepper;
    Observer *observer;
    StepView *view;  /* too large for a stack */
    Point *point;    /* one a row */
    uint64_t active_ns;
};

/* ---- walking -------------------------------------------------------------------------------------- */

/* False: the world broke. An impossible move is left out: those who are left cannot all do what the schedule
 * had them do. */
static bool try_move(CrashTabler *tabler, const Move *move, MoveResult *result, Error *error)
{
    *result = stepper_move(tabler->stepper, move, error);
    return *result != MOVE_FAILED;
}

static int next_in_turn(const World *world, int last)
{
    for (uint32_t turn = 0; turn < world->actors; turn++) {
        int actor = last < 0 ? (int)turn : (last + (int)turn) % (int)world->actors;
        if (baton_enabled(world) >> actor & 1) return actor;
    }
    return -1;
}

/* Everyone in turn, each as far as it gets. */
static bool run_on(CrashTabler *tabler, Error *error)
{
    MoveResult result;
    for (int actor = -1; (actor = next_in_turn(stepper_world(tabler->stepper), actor)) >= 0;) {
        const Move move = mover_move(&tabler->table.spec, actor);
        if (!try_move(tabler, &move, &result, error)) return false;
        if (result == MOVE_IMPOSSIBLE) return false; /* a run that is too long */
    }
    return true;
}

static bool look(CrashTabler *tabler, Error *error)
{
    stepper_view(tabler->stepper, tabler->observer, tabler->view);
    if (tabler->view->truth.sql_ok && tabler->view->truth.redis_ok) return true;
    return error_set(error, "%s", _("A server was lost. Run it again."));
}

/* ---- the schedule without a crash -------------------------------------------------------------------- */

static bool is_allowed(const Move *move, int index, Error *error)
{
    if (move->kind == MOVE_USER || move->kind == MOVE_CONSUMER || move->kind == MOVE_WATCHDOG ||
        move->kind == MOVE_CLOCK) return true;
    return error_set(error, _("Move %d: in a crash table users and the clock move; the crashes are its own."),
                     index + 1);
}

static bool walk_given(CrashTabler *tabler, const Schedule *schedule, Error *error)
{
    for (int i = 0; schedule && i < schedule->count; i++) {
        Error why = {""};
        MoveResult result;
        tabler->table.refused = !is_allowed(&schedule->move[i], i, error);
        if (tabler->table.refused) return false;
        if (!try_move(tabler, &schedule->move[i], &result, &why)) return error_set(error, "%s", why.text);
        tabler->table.refused = result == MOVE_IMPOSSIBLE;
        if (tabler->table.refused) return error_set(error, _("Move %d: %.300s"), i + 1, why.text);
    }
    return true;
}

/* Before each step, and after it: but who has been told has nothing left to lose, nor is there anything when all is
 * over. */
static void take_points(CrashTabler *tabler)
{
    const StepView *view = tabler->view;
    CrashTable *table = &tabler->table;
    for (int i = 0; i < view->rows; i++) {
        if (view->row[i].actor >= STEP_ACTORS) continue;
        tabler->point[table->wanted++] = (Point){i, false, view->row[i]};
        bool over = view->row[i].step == STEP_TELL || (view->over && i + 1 == view->rows);
        if (!over) tabler->point[table->wanted++] = (Point){i, true, view->row[i]};
    }
}

static bool plan_rows(CrashTabler *tabler, Error *error)
{
    CrashTable *table = &tabler->table;
    size_t most = 2 * (size_t)tabler->view->rows + 1;
    if (!schedule_parse(tabler->view->schedule, &table->schedule, error)) return false;
    tabler->point = calloc(most, sizeof *tabler->point);
    table->row = calloc(most, sizeof *table->row);
    if (!tabler->point || !table->row) return error_set(error, "%s", _("Out of memory."));
    take_points(tabler);
    table->over = table->wanted == 0;
    return true;
}

static bool walk_once(CrashTabler *tabler, const Schedule *schedule, Error *error)
{
    return stepper_reset(tabler->stepper, error) && walk_given(tabler, schedule, error) &&
           run_on(tabler, error) && look(tabler, error) && plan_rows(tabler, error);
}

CrashTabler *crash_tabler_open(Stores *stores, const Spec *spec, const Schedule *schedule, Error *error)
{
    CrashTabler *tabler = calloc(1, sizeof *tabler);
    if (tabler) tabler->view = calloc(1, sizeof *tabler->view);
    if (!tabler || !tabler->view) {
        error_set(error, "%s", _("Out of memory."));
        crash_tabler_close(tabler);
        return NULL;
    }
    CrashTable *table = &tabler->table;
    table->spec = *spec;
    table->spec.fault_crash = true; /* so that telling the answer is a step of its own */
    table->actors = spec_actors(spec);
    for (int i = 0; schedule && i < schedule->count; i++)
        if (schedule->move[i].kind == MOVE_CLOCK) table->spec.fault_clk = true;
    tabler->observer = observer_open(stores, error);
    if (tabler->observer) tabler->stepper = stepper_open(stores, &table->spec, error);
    bool fine = tabler->stepper && walk_once(tabler, schedule, &table->error);
    table->over |= table->refused;
    if (fine || table->refused) return tabler;
    if (tabler->stepper) error_set(error, "%s", table->error.text);
    crash_tabler_close(tabler);
    return NULL;
}

/* ---- one row -------------------------------------------------------------------------------------------- */

static bool walk_until(CrashTabler *tabler, int moves, MoveResult *last, Error *error)
{
    *last = MOVE_DONE;
    if (!stepper_reset(tabler->stepper, error)) return false;
    for (int i = 0; i < moves; i++) {
        if (!try_move(tabler, &tabler->table.schedule.move[i], last, error)) return false;
        if (*last == MOVE_IMPOSSIBLE) return false; /* it was possible a moment ago */
    }
    return true;
}

/* Those who are left do what the schedule says where they can, then go on in turn. */
static bool walk_rest(CrashTabler *tabler, int from, Error *error)
{
    const Schedule *schedule = &tabler->table.schedule;
    for (int i = from; i < schedule->count; i++) {
        Error impossible = {""};
        MoveResult result;
        if (try_move(tabler, &schedule->move[i], &result, &impossible)) continue;
        *error = impossible;
        return false;
    }
    return run_on(tabler, error);
}

static void fill_told(const CrashTabler *tabler, CrashRow *row)
{
    const StepView *view = tabler->view;
    for (int i = 0; i < view->actors; i++) {
        CrashTold *told = &row->told[i];
        told->answered = view->actor[i].answered;
        told->answer = view->actor[i].answer;
        told->dead = view->actor[i].state == ACTOR_DEAD;
    }
    for (int i = 0; i < view->rows; i++)
        if (view->row[i].answered && view->row[i].actor < view->actors) row->told[view->row[i].actor].answers++;
}

static void fill_locks(const CrashTabler *tabler, CrashRow *row)
{
    const LocksView *locks = &tabler->view->locks;
    for (int i = 0; i < locks->locks && row->locks < CRASH_LOCKS; i++)
        if (locks->lock[i].count > 0) row->lock[row->locks++] = locks->lock[i];
}

static bool was_told(const StepView *view, int64_t id)
{
    for (int i = 0; i < view->rows; i++)
        if (view->row[i].answered && view->row[i].answer_id == id) return true;
    return false;
}

/* Told nothing, yet it happened. */
static bool find_unheard(CrashTabler *tabler, CrashRow *row, Error *error)
{
    OrderRow *orders = NULL;
    long count = 0;
    if (!observer_orders(tabler->observer, &orders, &count, error)) return false;
    for (long i = 0; i < count; i++)
        if (!was_told(tabler->view, orders[i].id)) row->unheard = true;
    free(orders);
    return true;
}

static bool fill_row(CrashTabler *tabler, CrashRow *row, Error *error)
{
    if (!look(tabler, error)) return false;
    const StepView *view = tabler->view;
    row->truth = view->truth;
    row->stuck = view->stuck;
    memcpy(row->verdict, view->verdict, sizeof row->verdict);
    snprintf(row->schedule, sizeof row->schedule, "%s", view->schedule);
    fill_told(tabler, row);
    fill_locks(tabler, row);
    return find_unheard(tabler, row, error);
}

static void count_row(CrashTable *table, const CrashRow *row)
{
    bool any = false;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        bool broken = row->verdict[i].state == VERDICT_BROKEN;
        table->broken[i] += broken;
        any |= broken;
    }
    table->broken_any += any;
    table->unheard += row->unheard;
    table->rows++;
}

static bool make_row(CrashTabler *tabler, CrashRow *row, Error *error)
{
    const Point *point = &tabler->point[tabler->table.rows];
    const Slot *slot = world_slot(stepper_world(tabler->stepper), (unsigned)point->row.actor);
    *row = (CrashRow){.move = point->move, .actor = point->row.actor, .user = point->row.user,
                      .node = slot->node, .step = point->row.step, .line = point->row.line,
                      .after = point->after};
    memcpy(row->command, point->row.command, sizeof row->command);
    memcpy(row->words, point->row.words, sizeof row->words);

    MoveResult last;
    int until = point->move + point->after;
    if (!walk_until(tabler, until, &last, error)) return false;
    row->waits = point->after && last == MOVE_WAITS;
    const Move crash = {.kind = MOVE_CRASH, .number = row->node};
    return stepper_move(tabler->stepper, &crash, error) == MOVE_DONE && walk_rest(tabler, until, error) &&
           fill_row(tabler, row, error);
}

bool crash_tabler_next(CrashTabler *tabler)
{
    CrashTable *table = &tabler->table;
    if (table->over) return false;
    uint64_t began = clock_now_ns();
    CrashRow *row = &table->row[table->rows];
    if (make_row(tabler, row, &table->error))
        count_row(table, row);
    else
        table->failed = true;
    table->over = table->failed || table->rows == table->wanted;
    tabler->active_ns += clock_now_ns() - began;
    table->seconds = (double)tabler->active_ns / 1e9;
    return !table->over;
}

const CrashTable *crash_tabler_table(const CrashTabler *tabler)
{
    return &tabler->table;
}

void crash_tabler_close(CrashTabler *tabler)
{
    if (!tabler) return;
    stepper_close(tabler->stepper);
    observer_close(tabler->observer);
    free(tabler->table.row);
    free(tabler->point);
    free(tabler->view);
    free(tabler);
}

bool crash_table_as_claimed(const CrashTable *table)
{
    if (!table->over || table->failed || table->refused) return false;
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (table->spec.keeps[i] && table->broken[i] > 0) return false;
    return true;
}
