/* toy.c -- see toy.h. */
#include "toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/futex.h"
#include "engine/baton.h"
#include "engine/touch.h"

enum { DEADLOCK = 1213 };

/* ---- rows and their locks (with the mutex held) ------------------------------------------- */

static void hand_on(Toy *toy, ToyRow *row)
{
    row->owner = -1;
    if (row->waiters == 0) return;
    row->owner = row->waiter[0];
    row->waiters--;
    memmove(&row->waiter[0], &row->waiter[1], (size_t)row->waiters * sizeof row->waiter[0]);
    toy->actor[row->owner].blocked = false;
    pthread_cond_broadcast(&toy->granted);
}

static void free_rows(Toy *toy, int actor, bool publish)
{
    for (int i = 0; i < TOY_CELLS; i++) {
        ToyRow *row = &toy->row[i];
        if (row->owner != actor) continue;
        if (publish) row->value = row->draft;
        row->draft = row->value;
        hand_on(toy, row);
        row->draft = row->value;
    }
}

static const ToyRow *row_waited_for(const Toy *toy, int actor)
{
    for (int i = 0; i < TOY_CELLS; i++)
        for (int k = 0; k < toy->row[i].waiters; k++)
            if (toy->row[i].waiter[k] == actor) return &toy->row[i];
    return NULL;
}

/* Would waiting for this row close a circle? */
static bool is_deadlock(const Toy *toy, int actor, const ToyRow *row)
{
    while (row && row->owner >= 0) {
        if (row->owner == actor) return true;
        row = row_waited_for(toy, row->owner);
    }
    return false;
}

/* False: a deadlock, of which this actor is the victim. */
static bool lock_row(Toy *toy, int actor, ToyRow *row)
{
    if (row->owner == -1) row->owner = actor;
    if (row->owner == actor) return true;
    if (is_deadlock(toy, actor, row)) {
        toy->deadlocks++;
        free_rows(toy, actor, false);
        return false;
    }
    row->waiter[row->waiters++] = actor;
    toy->actor[actor].blocked = true;
    toy->waits++;
    futex_bump(&toy->world->arrivals);
    while (row->owner != actor) pthread_cond_wait(&toy->granted, &toy->mutex);
    return true;
}

/* ---- statements --------------------------------------------------------------------------- */

static uint64_t resource(int cell)
{
    char key[16];
    snprintf(key, sizeof key, "cell %d", cell);
    return touch_key(key);
}

static Touch footprint(const ToyActor *self, const ToyStatement *statement)
{
    Touch touch = {0};
    switch (statement->kind) {
    case TOY_READ:
        touch_add(&touch, resource(statement->cell), false);
        break;
    case TOY_SUM:
        touch.all_sql = true;
        break;
    case TOY_ADD:
    case TOY_PUT:
    case TOY_SWAP:
        touch_add(&touch, resource(statement->cell), true);
        break;
    case TOY_LOCK_ADD:
        touch_add(&touch, resource(statement->cell), true);
        touch_add_writes(&touch, &self->actor.written);
        break;
    case TOY_COMMIT:
    case TOY_ROLLBACK:
        touch_add_writes(&touch, &self->actor.written);
        break;
    default:
        break;
    }
    return touch;
}

static long sum(const Toy *toy)
{
    long total = 0;
    for (int i = 0; i < TOY_CELLS; i++) total += toy->row[i].value;
    return total;
}

/* False: refused, as by a server. */
static bool carry_out(ToyActor *self, const ToyStatement *statement)
{
    Toy *toy = self->toy;
    ToyRow *row = &toy->row[statement->cell];
    switch (statement->kind) {
    case TOY_READ:
        self->seen = row->value;
        return true;
    case TOY_SUM:
        self->seen = sum(toy);
        return true;
    case TOY_ADD:
        self->seen = row->value += statement->value;
        return true;
    case TOY_PUT:
        row->value = self->seen + statement->value;
        return true;
    case TOY_SWAP:
        self->seen = row->value == self->seen;
        if (self->seen) row->value += statement->value;
        return true;
    case TOY_LOCK_ADD:
        if (!lock_row(toy, self->actor.index, row)) return false;
        self->seen = row->draft += statement->value;
        return true;
    case TOY_COMMIT:
    case TOY_ROLLBACK:
        free_rows(toy, self->actor.index, statement->kind == TOY_COMMIT);
        return true;
    default:
        return true;
    }
}

static void make_step(ToyActor *self, const ToyStatement *statement)
{
    Actor *me = &self->actor;
    Touch touch = footprint(self, statement);
    StepCall call = {.step = STEP_GET_STOCK, .argument = statement->cell, .touch = &touch};
    gate_enter(gate_at(me, (int)(statement - self->program.statement) + 1), &call);
    pthread_mutex_lock(&self->toy->mutex);
    bool ok = carry_out(self, statement);
    long value = self->seen;
    pthread_mutex_unlock(&self->toy->mutex);
    if (statement->kind == TOY_LOCK_ADD && ok) touch_add_writes(&me->written, &touch);
    if (statement->kind == TOY_COMMIT || statement->kind == TOY_ROLLBACK) me->written = (Touch){0};
    gate_leave(me, &call, ok ? STORE_OK : STORE_REFUSED, value, ok ? 0 : DEADLOCK);
    if (ok) return;
    self->failed = true;
    actor_throw(me, ANSWER_ERROR);
}

static Answer purchase(Actor *me, VoucherId voucher)
{
    (void)voucher;
    ToyActor *self = (ToyActor *)me;
    const ToyStatement *statement = self->program.statement;
    while (statement->kind != TOY_END) {
        if (statement->kind == TOY_UNLESS && self->seen < statement->value) {
            statement = &self->program.statement[statement->to];
            continue;
        }
        if (statement->kind == TOY_KEEP) self->told = self->seen;
        if (statement->kind != TOY_UNLESS && statement->kind != TOY_KEEP)
            make_step(self, statement);
        statement++;
    }
    return self->told >= 1 ? ordered(me->index + 1) : SOLD_OUT;
}

static void *live(void *data)
{
    ToyActor *self = data;
    Actor *me = &self->actor;
    for (uint32_t run = 0; (run = gate_start(me, run)) != 0;) {
        Answer answer = attempt(me, purchase, 1);
        pthread_mutex_lock(&self->toy->mutex);
        free_rows(self->toy, me->index, false); /* a run that was given up in a transaction */
        pthread_mutex_unlock(&self->toy->mutex);
        gate_answer(me, answer);
        gate_done(me);
    }
    return NULL;
}

/* ---- opening and closing ------------------------------------------------------------------ */

Toy *toy_open(int actors, const ToyProgram *programs, const long start[TOY_CELLS], ToyJudge judge)
{
    Toy *toy = calloc(1, sizeof *toy);
    Spec spec = {.variant = variants, .users = actors, .requests = 1, .nodes = 1, .stock = 1};
    Error error;
    toy->world = world_create(&spec, MODE_STEP, &toy->fd, &error);
    toy->actors = actors;
    toy->judge = judge;
    memcpy(toy->start, start, sizeof toy->start);
    pthread_mutex_init(&toy->mutex, NULL);
    pthread_cond_init(&toy->granted, NULL);
    for (int i = 0; i < actors; i++) {
        ToyActor *self = &toy->actor[i];
        *self = (ToyActor){.toy = toy, .program = programs[i]};
        self->actor = (Actor){.world = toy->world,
                              .slot = world_slot(toy->world, (unsigned)i),
                              .ring = world_ring(toy->world, (unsigned)i),
                              .index = i,
                              .user = i + 1,
                              .random = 1};
        pthread_create(&self->thread, NULL, live, self);
    }
    return toy;
}

static void wait_ready(Toy *toy)
{
    World *world = toy->world;
    for (;;) {
        uint32_t arrivals = atomic_load(&world->arrivals);
        if (atomic_load(&world->ready) == world->actors) return;
        futex_wait(&world->arrivals, arrivals, 0);
    }
}

void toy_close(Toy *toy)
{
    World *world = toy->world;
    baton_give_up(world);
    wait_ready(toy);
    atomic_store(&world->quit, 1);
    futex_bump(&world->go);
    for (int i = 0; i < toy->actors; i++) pthread_join(toy->actor[i].thread, NULL);
    close(toy->fd);
    world_close(world);
    pthread_mutex_destroy(&toy->mutex);
    pthread_cond_destroy(&toy->granted);
    free(toy);
}

int toy_ordered(const Toy *toy)
{
    int count = 0;
    for (int i = 0; i < toy->actors; i++) count += !toy->actor[i].failed && toy->actor[i].told >= 1;
    return count;
}

/* ---- running, as stepper.c does it -------------------------------------------------------- */

static bool is_blocked(Toy *toy, int actor)
{
    pthread_mutex_lock(&toy->mutex);
    bool blocked = toy->actor[actor].blocked;
    pthread_mutex_unlock(&toy->mutex);
    return blocked;
}

static bool at_rest(Toy *toy)
{
    if (atomic_load(&toy->world->baton) != BATON_SCHEDULER) return false;
    for (int i = 0; i < toy->actors; i++) {
        uint32_t state = atomic_load(&world_slot(toy->world, (unsigned)i)->state);
        if (state == ACTOR_RUNNING || (state == ACTOR_WAITING && !is_blocked(toy, i))) return false;
    }
    return true;
}

static void settle(Toy *toy)
{
    World *world = toy->world;
    for (;;) {
        uint32_t arrivals = atomic_load(&world->arrivals);
        for (int i = 0; i < toy->actors; i++)
            if (atomic_load(&world_slot(world, (unsigned)i)->state) == ACTOR_RUNNING &&
                is_blocked(toy, i))
                baton_take_from_waiting(world, (uint32_t)i);
        if (at_rest(toy)) return;
        futex_wait(&world->arrivals, arrivals, 0);
    }
}

/* All actors stand at the start; memory is as it was before the first run. */
static void clean(Toy *toy)
{
    if (toy->running) baton_give_up(toy->world);
    wait_ready(toy);
    for (int i = 0; i < TOY_CELLS; i++)
        toy->row[i] = (ToyRow){.value = toy->start[i], .draft = toy->start[i], .owner = -1};
    for (int i = 0; i < toy->actors; i++) {
        ToyActor *self = &toy->actor[i];
        self->seen = self->told = 0;
        self->failed = self->blocked = false;
        self->actor.written = (Touch){0};
    }
}

static RunEnd walk(Toy *toy, Error *error)
{
    World *world = toy->world;
    for (;;) {
        settle(toy);
        if (atomic_load(&world->done) == world->actors) return RUN_COMPLETE;
        if (world->blocked_by_sleep) return RUN_REPETITION;
        if (baton_is_full(world) || baton_enabled(world) == 0) {
            error_set(error, "%s", baton_is_full(world) ? "too long" : "all wait");
            return RUN_FAILED;
        }
        if (!baton_pass(world, BATON_SCHEDULER))
            return world->blocked_by_sleep ? RUN_REPETITION : RUN_IMPOSSIBLE;
    }
}

static RunEnd run(void *data, const uint16_t *plan, int length, bool prune, uint32_t sleeping,
                  Error *error)
{
    Toy *toy = data;
    World *world = toy->world;
    clean(toy);
    baton_rewind(world);
    memcpy(world->plan, plan, (size_t)length * sizeof *plan);
    world->plan_length = (uint32_t)length;
    world->run_on = 1;
    world->prune = prune;
    world->sleeping = sleeping;
    futex_bump(&world->go);
    RunEnd end = walk(toy, error);
    toy->running = end != RUN_COMPLETE;
    return end;
}

static bool judge(void *data, uint32_t *broken, char *outcome, int size, Error *error)
{
    (void)error;
    Toy *toy = data;
    int used = 0;
    for (int i = 0; i < TOY_CELLS; i++)
        used += snprintf(outcome + used, (size_t)(size - used), "%ld ", toy->row[i].value);
    for (int i = 0; i < toy->actors; i++)
        used += snprintf(outcome + used, (size_t)(size - used), " %c=%ld%s", 'A' + i,
                         toy->actor[i].told, toy->actor[i].failed ? "!" : "");
    *broken = toy->judge(toy);
    return true;
}

static void close_toy(void *data)
{
    toy_close(data);
}

Runner toy_runner(Toy *toy)
{
    return (Runner){run, judge, close_toy, toy->world, toy};
}
