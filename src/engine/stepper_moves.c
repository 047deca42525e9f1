/* Moves made one by one, and the picture of the world after them. See stepper.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/classes.h"
#include "engine/mover.h"
#include "engine/referee.h"
#include "engine/ring.h"
#include "engine/servers.h"
#include "engine/step_kind.h"
#include "engine/stepper_private.h"
#include "engine/story.h"
#include "store/abandoned.h"
#include "store/row_waits.h"

/* ---- rows of the timeline ---------------------------------------------------------------------- */

/* The row's step has its reply: fills in what came back. */
static bool fill_reply(const Stepper *stepper, StepRow *row, uint64_t number)
{
    Event event, next;
    if (!ring_get(stepper->world, (unsigned)row->actor, number, &event)) return false;
    char words[96];
    story_words(&event, words, sizeof words, row->result, sizeof row->result);
    row->value = event.value;
    row->status = event.status;
    row->code = event.code;
    row->waits = false;
    if (event.kind == EVENT_FAULT && event.code == FAULT_ERROR) {
        snprintf(row->result, sizeof row->result, "%s", _("not sent: error"));
        row->status = STORE_REFUSED;
        row->code = 0;
    }
    if (ring_get(stepper->world, (unsigned)row->actor, number + 1, &next) && next.kind == EVENT_ANSWER) {
        row->answered = true;
        row->answer = (AnswerKind)next.code;
        row->answer_id = next.value;
    }
    return true;
}

static void fill_waiting_rows(Stepper *stepper)
{
    for (int i = 0; i + 1 < stepper->rows; i++) {
        StepRow *row = &stepper->row[i];
        if (row->waits && fill_reply(stepper, row, stepper->row_event[i]))
            row->waited_until = stepper->rows - 1;
    }
}

static StepRow *add_row(Stepper *stepper, int actor)
{
    const Slot *slot = world_slot(stepper->world, (unsigned)actor);
    const NextStep *next = &slot->next;
    StepRow *row = &stepper->row[stepper->rows];
    stepper->row_event[stepper->rows++] = atomic_load(&slot->written);
    *row = (StepRow){.actor = actor, .user = slot->user, .step = next->step, .line = next->line,
                     .waited_until = -1};
    mover_name(&stepper->spec, actor, row->name);
    step_command((StepId)next->step, next->key, next->argument, next->second, row->command,
                 sizeof row->command);
    snprintf(row->words, sizeof row->words, "%s", _(step_kinds[next->step].story));
    return row;
}

/* ---- one move ------------------------------------------------------------------------------------- */

static bool says_impossible(const Stepper *stepper, int actor, Error *error)
{
    char name[12];
    mover_name(&stepper->spec, actor, name);
    switch (atomic_load(&world_slot(stepper->world, (unsigned)actor)->state)) {
    case ACTOR_AT_GATE:
        if (!(baton_locked_out(stepper->world) >> actor & 1)) return false;
        if (world_slot(stepper->world, (unsigned)actor)->next.wait.signal)
            return !error_set(error, _("%s cannot move: what it waits for has not come."), name);
        return !error_set(error, _("%s cannot move: another one holds the lock."), name);
    case ACTOR_WAITING:
        return !error_set(error, _("%s cannot move: it waits for a row lock."), name);
    case ACTOR_DEAD:
        return !error_set(error, _("%s cannot move: its node is dead."), name);
    default:
        return !error_set(error, _("%s cannot move: its request is answered."), name);
    }
}

static const char *const strike_words[] = {
    [MOVE_CLOCK] = N_("a lease runs out"),
    [MOVE_CRASH] = N_("a node is killed"),
    [MOVE_START] = N_("a node is started"),
    [MOVE_FREEZE] = N_("a node stands still, its leases run out"),
};

/* A row for what no actor did. */
static void add_strike_row(Stepper *stepper, const Move *move)
{
    stepper->made[stepper->rows] = *move;
    StepRow *row = &stepper->row[stepper->rows++];
    *row = (StepRow){.actor = mover_of_move(&stepper->spec, move), .waited_until = -1};
    Schedule one = {.count = 1, .move = {*move}};
    schedule_write(&one, row->command, sizeof row->command);
    int server;
    const char *words = row->actor >= ACTOR_SERVER
                            ? server_deed_words(server_move_deed(row->actor - ACTOR_SERVER, &server))
                            : _(strike_words[move->kind]);
    snprintf(row->words, sizeof row->words, "%s", words);
    snprintf(row->result, sizeof row->result, "%s", _("ok"));
}

static bool server_move_is_possible(const Stepper *stepper, const Move *move, Error *error)
{
    int mover = mover_of_move(&stepper->spec, move);
    if (mover < 0)
        return error_set(error, _("There is no server %d: this world has %d."), move->number + 1,
                         (int)stepper->world->servers.count);
    if (!servers_could(stepper->world, mover - ACTOR_SERVER, error)) return false;
    return servers_can(stepper->world, mover - ACTOR_SERVER) ||
           error_set(error, "%s", _("That happens at most once in a run, and only where the world allows it."));
}

static bool strike_is_possible(const Stepper *stepper, const Move *move, Error *error)
{
    ActorSet enabled = baton_enabled(stepper->world);
    if (move->kind >= MOVE_FAILOVER) return server_move_is_possible(stepper, move, error);
    if (move->kind == MOVE_CLOCK)
        return (enabled >> ACTOR_CLOCK & 1) || error_set(error, "%s", _("No lease can run out here."));
    if (move->number >= stepper->spec.nodes)
        return error_set(error, _("There is no node %d: this world has %d."), move->number + 1,
                         stepper->spec.nodes);
    if (move->kind == MOVE_FREEZE)
        return actor_in(enabled, (unsigned)(ACTOR_FREEZE + move->number)) ||
               error_set(error, _("Node %d has no lease that could run out."), move->number + 1);
    if (move->kind == MOVE_CRASH)
        return (enabled >> (ACTOR_CRASH + move->number) & 1) ||
               error_set(error, _("Node %d cannot be killed here."), move->number + 1);
    return ((atomic_load(&stepper->world->crashed) & ~stepper->world->restarted) >> move->number & 1) ||
           error_set(error, _("Node %d is running."), move->number + 1);
}

static MoveResult move_strike(Stepper *stepper, const Move *move, Error *error)
{
    if (!strike_is_possible(stepper, move, error)) return MOVE_IMPOSSIBLE;
    add_strike_row(stepper, move);
    uint32_t mover = (uint32_t)mover_of_move(&stepper->spec, move);
    bool ok = move->kind == MOVE_START ? stepper_start_node(stepper, move->number, error)
                                       : stepper_strike(stepper, mover, move->key, error);
    if (!ok || !stepper_settle(stepper, error)) return MOVE_FAILED;
    fill_waiting_rows(stepper);
    return MOVE_DONE;
}

static bool has_actor(const Stepper *stepper, const Move *move, int actor, Error *error)
{
    if (actor >= 0 && actor < (int)stepper->world->actors) return true;
    char name[SCHEDULE_KEY + 8];
    const Schedule one = {.count = 1, .move = {*move}};
    return error_set(error, _("There is no actor %s: this world has %u."),
                     schedule_write(&one, name, sizeof name), stepper->world->actors);
}

static MoveResult move_actor(Stepper *stepper, const Move *move, Error *error)
{
    int actor = mover_of_move(&stepper->spec, move);
    if (!has_actor(stepper, move, actor, error)) return MOVE_IMPOSSIBLE;
    if (says_impossible(stepper, actor, error)) return MOVE_IMPOSSIBLE;
    stepper->made[stepper->rows] = *move;
    StepRow *row = add_row(stepper, actor);
    baton_give(stepper->world, (uint32_t)actor);
    if (!stepper_settle(stepper, error)) return MOVE_FAILED;
    row->waits = !fill_reply(stepper, row, stepper->row_event[stepper->rows - 1]);
    if (row->waits) snprintf(row->result, sizeof row->result, "%s", _("waits"));
    fill_waiting_rows(stepper);
    return row->waits ? MOVE_WAITS : MOVE_DONE;
}

MoveResult stepper_move(Stepper *stepper, const Move *move, Error *error)
{
    if (stepper->broken) {
        error_set(error, "%s", _("This world is broken. Start again with R."));
        return MOVE_FAILED;
    }
    if (stepper->rows == MAX_PLAN) {
        error_set(error, _("A run has at most %d moves."), MAX_PLAN);
        return MOVE_IMPOSSIBLE;
    }
    switch (move->kind) {
    case MOVE_USER:
    case MOVE_CONSUMER:
    case MOVE_WATCHDOG:
        return move_actor(stepper, move, error);
    default:
        return move_strike(stepper, move, error);
    }
}

/* ---- the picture ----------------------------------------------------------------------------------- */

static int actor_of_connection(const World *world, uint64_t connection)
{
    for (uint32_t i = 0; connection != 0 && i < world->actors; i++)
        if (atomic_load(&world_slot(world, i)->sql_id) == connection) return (int)i;
    return -1;
}

/* InnoDB names a table as `seckill_lab`.`tb_seckill_voucher`: the last part will do. */
static void say_waiting_on(const char *table, StepActor *view)
{
    const char *dot = strrchr(table, '.');
    size_t used = 0;
    for (const char *at = dot ? dot + 1 : table; *at && used + 1 < sizeof view->waiting_table; at++)
        if (*at != '`' && *at != '"') view->waiting_table[used++] = *at;
    view->waiting_table[used] = '\0';
    if (used > 0)
        snprintf(view->waiting_on, sizeof view->waiting_on, _("a row of %s"), view->waiting_table);
    else
        snprintf(view->waiting_on, sizeof view->waiting_on, "%s", _("a row lock"));
}

static void fill_waiting(Stepper *stepper, int actor, StepActor *view)
{
    char table[128];
    uint64_t waiter = atomic_load(&world_slot(stepper->world, (unsigned)actor)->sql_id);
    uint64_t blocker = row_waits_blocker(stepper->link, waiter, table, sizeof table);
    view->waits_for = actor_of_connection(stepper->world, blocker);
    say_waiting_on(table, view);
}

static const char *say_signal(const NextStep *next)
{
    switch (next->step) {
    case STEP_QUEUE_PUT: return _("room in the queue");
    case STEP_RENEW: return _("a lock to renew");
    case STEP_SLEEP: return _("a free lock");
    }
    return next->wait.takes ? _("an order in the queue") : _("a message");
}

/* A local lock in front of it is held: told like a wait, though nothing was sent. */
static void fill_locked_out(const Stepper *stepper, int actor, StepActor *view)
{
    const NextStep *next = &world_slot(stepper->world, (unsigned)actor)->next;
    view->state = ACTOR_WAITING;
    if (next->wait.signal) {
        snprintf(view->waiting_on, sizeof view->waiting_on, "%s", say_signal(next));
        return;
    }
    const LocalLock *lock = &world_locks(stepper->world)[next->lock - 1];
    view->waits_for = (int)atomic_load(&lock->holder) - 1;
    snprintf(view->waiting_on, sizeof view->waiting_on, _("the lock \"%s\" of node %d"), lock->name,
             lock->node + 1);
}

static void fill_answer(const Stepper *stepper, int actor, StepActor *view)
{
    for (int i = 0; i < stepper->rows; i++) {
        if (stepper->row[i].actor != actor || !stepper->row[i].answered) continue;
        view->answered = true;
        view->answer = stepper->row[i].answer;
        view->answer_id = stepper->row[i].answer_id;
    }
}

static void fill_actor(Stepper *stepper, int actor, StepActor *view)
{
    const Slot *slot = world_slot(stepper->world, (unsigned)actor);
    *view = (StepActor){.state = (int)atomic_load(&slot->state), .role = slot->role, .user = slot->user,
                        .node = slot->node, .waits_for = -1};
    mover_name(&stepper->spec, actor, view->name);
    if (view->state == ACTOR_READY) view->state = ACTOR_DONE;
    fill_answer(stepper, actor, view);
    if (view->state != ACTOR_AT_GATE && view->state != ACTOR_WAITING) return;
    view->line = slot->next.line;
    view->step = slot->next.step;
    step_command((StepId)slot->next.step, slot->next.key, slot->next.argument, slot->next.second,
                 view->command, sizeof view->command);
    snprintf(view->words, sizeof view->words, "%s", _(step_kinds[slot->next.step].story));
    if (view->state == ACTOR_WAITING) fill_waiting(stepper, actor, view);
    if (baton_locked_out(stepper->world) >> actor & 1) fill_locked_out(stepper, actor, view);
    if (view->waits_for >= 0) mover_name(&stepper->spec, view->waits_for, view->waits_for_name);
}

static void fill_schedule(const Stepper *stepper, StepView *view)
{
    Schedule schedule = {.count = 0};
    for (int i = 0; i < stepper->rows; i++) schedule.move[schedule.count++] = stepper->made[i];
    schedule_write(&schedule, view->schedule, sizeof view->schedule);
}

/* What locks did can be said at any time: a delete of another's lock cannot be taken back. */
static void fill_early_verdicts(const Stepper *stepper, StepView *view)
{
    TraceEvent *events = NULL;
    Verdict whole[INVARIANT_COUNT];
    Case judged = {.spec = &stepper->spec, .world = stepper->world, .truth = &view->truth};
    judged.event_count = stepper_events(stepper, &events);
    judged.events = events;
    referee_glance(&stepper->spec, &view->truth, view->verdict);
    referee_judge(&judged, whole, NULL);
    if (whole[MUTUAL_EXCLUSION].state == VERDICT_BROKEN) view->verdict[MUTUAL_EXCLUSION] = whole[MUTUAL_EXCLUSION];
    if (whole[OWNER_RELEASE].state == VERDICT_BROKEN) view->verdict[OWNER_RELEASE] = whole[OWNER_RELEASE];
    free(events);
}

static void fill_verdicts(Stepper *stepper, Observer *observer, StepView *view)
{
    if (!view->over) {
        fill_early_verdicts(stepper, view);
        return;
    }
    TraceEvent *events = NULL;
    if (!abandoned_locks(stores_redis(stepper->stores), &view->truth.abandoned_locks, NULL))
        view->truth.abandoned_locks = -1;
    OrderRow *orders = NULL;
    long count = 0;
    observer_orders(observer, &orders, &count, NULL);
    Case judged = {.spec = &stepper->spec, .world = stepper->world, .truth = &view->truth,
                   .orders = orders, .order_count = count, .stuck = view->stuck,
                   .complete = !view->stuck && atomic_load(&stepper->world->crashed) == 0};
    queues_view_make(&view->queues, stepper->world, &view->truth);
    judged.waiting = view->queues.waiting;
    judged.event_count = stepper_events(stepper, &events);
    judged.events = events;
    referee_judge(&judged, view->verdict, NULL);
    free(events);
    free(orders);
}

void stepper_view(Stepper *stepper, Observer *observer, StepView *view)
{
    const World *world = stepper->world;
    *view = (StepView){.actors = (int)world->actors, .rows = stepper->rows, .truth = view->truth};
    memcpy(view->row, stepper->row, (size_t)stepper->rows * sizeof *view->row);
    for (int i = 0; i < view->actors; i++) fill_actor(stepper, i, &view->actor[i]);
    view->preemptions = classes_preemptions(world->moves, (int)atomic_load(&world->move_count));
    view->enabled = baton_enabled(world);
    view->stuck = stepper_is_stuck(stepper);
    view->over = world_is_over(world) || view->stuck;
    observer_take(observer, world->voucher, &view->truth);
    fill_verdicts(stepper, observer, view);
    stepper_locks(stepper, view);
    stepper_leases(stepper, view);
    queues_view_make(&view->queues, world, &view->truth);
    fill_schedule(stepper, view);
}
