/* Moves made one by one, and the picture of the world after them. See stepper.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/classes.h"
#include "engine/referee.h"
#include "engine/ring.h"
#include "engine/step_kind.h"
#include "engine/stepper_private.h"
#include "engine/story.h"
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
    step_command((StepId)next->step, next->key, next->argument, next->second, row->command,
                 sizeof row->command);
    snprintf(row->words, sizeof row->words, "%s", _(step_kinds[next->step].story));
    return row;
}

/* ---- one move ------------------------------------------------------------------------------------- */

static bool says_impossible(const Stepper *stepper, int actor, Error *error)
{
    char name[12];
    schedule_actor(actor, name);
    if (actor >= (int)stepper->world->actors)
        return !error_set(error, _("There is no actor %s: this world has %u."), name,
                          stepper->world->actors);
    switch (atomic_load(&world_slot(stepper->world, (unsigned)actor)->state)) {
    case ACTOR_AT_GATE:
        return false;
    case ACTOR_WAITING:
        return !error_set(error, _("%s cannot move: it waits for a row lock."), name);
    case ACTOR_DEAD:
        return !error_set(error, _("%s cannot move: its node is dead."), name);
    default:
        return !error_set(error, _("%s cannot move: its request is answered."), name);
    }
}

MoveResult stepper_move(Stepper *stepper, const Move *move, Error *error)
{
    if (move->kind != MOVE_USER) {
        error_set(error, "%s", _("This world has users only: moves are their letters."));
        return MOVE_IMPOSSIBLE;
    }
    if (stepper->broken) {
        error_set(error, "%s", _("This world is broken. Start again with R."));
        return MOVE_FAILED;
    }
    if (says_impossible(stepper, move->number, error)) return MOVE_IMPOSSIBLE;
    if (stepper->rows == MAX_PLAN) {
        error_set(error, _("A run has at most %d moves."), MAX_PLAN);
        return MOVE_IMPOSSIBLE;
    }
    StepRow *row = add_row(stepper, move->number);
    baton_give(stepper->world, (uint32_t)move->number);
    if (!stepper_settle(stepper, error)) return MOVE_FAILED;
    row->waits = !fill_reply(stepper, row, stepper->row_event[stepper->rows - 1]);
    if (row->waits) snprintf(row->result, sizeof row->result, "%s", _("waits"));
    fill_waiting_rows(stepper);
    return row->waits ? MOVE_WAITS : MOVE_DONE;
}

/* ---- the picture ----------------------------------------------------------------------------------- */

static int actor_of_connection(const World *world, uint64_t connection)
{
    for (uint32_t i = 0; connection != 0 && i < world->actors; i++)
        if (atomic_load(&world_slot(world, i)->sql_id) == connection) return (int)i;
    return -1;
}

/* InnoDB names a table as `seckill_lab`.`tb_seckill_voucher`: the last part will do. */
static void say_waiting_on(const char *table, char *text, size_t size)
{
    const char *dot = strrchr(table, '.');
    char name[64];
    size_t used = 0;
    for (const char *at = dot ? dot + 1 : table; *at && used + 1 < sizeof name; at++)
        if (*at != '`' && *at != '"') name[used++] = *at;
    name[used] = '\0';
    if (used > 0)
        snprintf(text, size, _("a row of %s"), name);
    else
        snprintf(text, size, "%s", _("a row lock"));
}

static void fill_waiting(Stepper *stepper, int actor, StepActor *view)
{
    char table[128];
    uint64_t waiter = atomic_load(&world_slot(stepper->world, (unsigned)actor)->sql_id);
    uint64_t blocker = row_waits_blocker(stepper->link, waiter, table, sizeof table);
    view->waits_for = actor_of_connection(stepper->world, blocker);
    say_waiting_on(table, view->waiting_on, sizeof view->waiting_on);
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
    *view = (StepActor){.state = (int)atomic_load(&slot->state), .user = slot->user, .node = slot->node,
                        .waits_for = -1};
    if (view->state == ACTOR_READY) view->state = ACTOR_DONE;
    fill_answer(stepper, actor, view);
    if (view->state != ACTOR_AT_GATE && view->state != ACTOR_WAITING) return;
    view->line = slot->next.line;
    view->step = slot->next.step;
    step_command((StepId)slot->next.step, slot->next.key, slot->next.argument, slot->next.second,
                 view->command, sizeof view->command);
    snprintf(view->words, sizeof view->words, "%s", _(step_kinds[slot->next.step].story));
    if (view->state == ACTOR_WAITING) fill_waiting(stepper, actor, view);
}

static void fill_schedule(const Stepper *stepper, StepView *view)
{
    Schedule schedule = {.count = 0};
    for (int i = 0; i < stepper->rows; i++) schedule_add_user(&schedule, stepper->row[i].actor);
    schedule_write(&schedule, view->schedule, sizeof view->schedule);
}

static void fill_verdicts(Stepper *stepper, Observer *observer, StepView *view)
{
    if (!view->over) {
        referee_glance(&stepper->spec, &view->truth, view->verdict);
        return;
    }
    OrderRow *orders = NULL;
    long count = 0;
    observer_orders(observer, &orders, &count, NULL);
    Case judged = {.spec = &stepper->spec, .world = stepper->world, .truth = &view->truth,
                   .orders = orders, .order_count = count, .complete = true};
    referee_judge(&judged, view->verdict, NULL);
    free(orders);
}

void stepper_view(Stepper *stepper, Observer *observer, StepView *view)
{
    const World *world = stepper->world;
    *view = (StepView){.actors = (int)world->actors, .rows = stepper->rows, .truth = view->truth};
    memcpy(view->row, stepper->row, (size_t)stepper->rows * sizeof *view->row);
    for (int i = 0; i < view->actors; i++) fill_actor(stepper, i, &view->actor[i]);
    view->preemptions = classes_preemptions(world->moves, (int)atomic_load(&world->move_count));
    view->over = atomic_load(&world->done) == world->actors;
    observer_take(observer, world->voucher, &view->truth);
    fill_verdicts(stepper, observer, view);
    fill_schedule(stepper, view);
}
