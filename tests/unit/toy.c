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
    pthread_cond_broadcast(&toy->changed);
}

void toy_free_rows(Toy *toy, int actor, bool publish)
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

/* False: a deadlock, of which this actor is the victim; or it was killed. */
static bool lock_row(Toy *toy, int actor, ToyRow *row)
{
    if (row->owner == -1) row->owner = actor;
    if (row->owner == actor) return true;
    if (is_deadlock(toy, actor, row)) {
        toy->deadlocks++;
        toy_free_rows(toy, actor, false);
        return false;
    }
    row->waiter[row->waiters++] = actor;
    toy->actor[actor].blocked = true;
    toy->waits++;
    futex_bump(&toy->world->arrivals);
    while (row->owner != actor && !toy->actor[actor].killed)
        pthread_cond_wait(&toy->changed, &toy->mutex);
    return !toy->actor[actor].killed;
}

/* ---- statements --------------------------------------------------------------------------- */

const char *toy_cell_key(int cell, char key[TOY_KEY])
{
    snprintf(key, TOY_KEY, "cell %d", cell);
    return key;
}

static uint64_t resource(int cell)
{
    char key[TOY_KEY];
    return touch_key(toy_cell_key(cell, key));
}

static void touch_cell(Touch *touch, int cell, bool writes)
{
    touch_add(touch, resource(cell), writes);
    if (cell >= TOY_LEASES) touch_add(touch, touch_leases(), writes);
}

static Touch footprint(const ToyActor *self, const ToyStatement *statement)
{
    Touch touch = {0};
    switch (statement->kind) {
    case TOY_READ:
        touch_cell(&touch, statement->cell, false);
        break;
    case TOY_SUM:
        touch.all_sql = true;
        break;
    case TOY_ADD:
    case TOY_PUT:
    case TOY_SWAP:
    case TOY_LEASE:
    case TOY_DELETE:
    case TOY_SEND:
    case TOY_AWAIT:
        touch_cell(&touch, statement->cell, true);
        break;
    case TOY_FETCH:
        touch_cell(&touch, statement->cell, true);
        touch_add(&touch, touch_late(), true);
        break;
    case TOY_TAKE:
    case TOY_GIVE:
        touch_add(&touch, resource(100 + statement->cell), true);
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

static LocalLock *mutex_of(const ToyActor *self, int number)
{
    const char name[] = {(char)('a' + number), '\0'};
    return world_local_lock(self->toy->world, self->actor.node, resource(100 + number), name);
}

static void set_lease(ToyActor *self, int cell, bool live)
{
    char key[TOY_KEY];
    self->toy->row[cell].value = live ? self->actor.index + 1 : 0;
    world_lease(self->toy->world, resource(cell), toy_cell_key(cell, key), live,
                (uint32_t)self->actor.index);
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
    case TOY_TAKE:
    case TOY_GIVE:
        atomic_store(&mutex_of(self, statement->cell)->holder,
                     statement->kind == TOY_TAKE ? (uint32_t)self->actor.index + 1 : 0);
        return true;
    case TOY_LEASE:
        self->seen = row->value == 0;
        if (self->seen) set_lease(self, statement->cell, true);
        return true;
    case TOY_DELETE:
        set_lease(self, statement->cell, false);
        return true;
    case TOY_SEND:
        self->seen = row->value += statement->value;
        gate_send(&self->actor, world_signal(toy->world, resource(200 + statement->cell)));
        return true;
    case TOY_AWAIT:
        self->awaited[statement->cell]++;
        self->seen = row->value;
        return true;
    case TOY_COMMIT:
    case TOY_ROLLBACK:
        toy_free_rows(toy, self->actor.index, statement->kind == TOY_COMMIT);
        return true;
    default:
        return true;
    }
}

static void name_mutex(const ToyActor *self, const ToyStatement *statement, StepCall *call)
{
    if (statement->kind != TOY_TAKE && statement->kind != TOY_GIVE) return;
    const LocalLock *lock = mutex_of(self, statement->cell);
    call->lock = (uint32_t)(lock - world_locks(self->toy->world)) + 1;
    call->lock_move = statement->kind == TOY_TAKE ? +1 : -1;
}

static void name_signal(ToyActor *self, const ToyStatement *statement, StepCall *call)
{
    if (statement->kind != TOY_AWAIT && statement->kind != TOY_FETCH) return;
    call->signal = world_signal(self->toy->world, resource(200 + statement->cell)) + 1;
    call->takes = statement->kind == TOY_FETCH;
    if (call->takes) call->late = world_late(self->toy->world) + 1;
    if (!call->takes) call->seen = self->awaited[statement->cell];
}

static void make_step(ToyActor *self, const ToyStatement *statement)
{
    Actor *me = &self->actor;
    Touch touch = footprint(self, statement);
    StepCall call = {.step = STEP_GET_STOCK, .argument = statement->cell, .touch = &touch};
    name_mutex(self, statement, &call);
    name_signal(self, statement, &call);
    gate_enter(gate_at(me, (int)(statement - self->program.statement) + 1), &call);
    pthread_mutex_lock(&self->toy->mutex);
    if (call.takes && !self->killed) self->seen = gate_take(me, &call);
    bool ok = !self->killed && carry_out(self, statement);
    bool killed = self->killed;
    long value = self->seen;
    pthread_mutex_unlock(&self->toy->mutex);
    if (killed) actor_throw(me, ANSWER_UNKNOWN);
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
    memset(self->awaited, 0, sizeof self->awaited);
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

/* Where nodes may be killed, telling the answer is a step: see node.c. */
static Answer tell(Actor *me, VoucherId voucher)
{
    static const ToyStatement telling = {.kind = TOY_NOTHING};
    (void)voucher;
    make_step((ToyActor *)me, &telling);
    return SOLD_OUT;
}

/* The thread of an actor that was killed rests here until there is a new run. */
static bool park(ToyActor *self)
{
    pthread_mutex_lock(&self->toy->mutex);
    bool killed = self->killed;
    self->parked = killed;
    pthread_cond_broadcast(&self->toy->changed);
    while (self->killed) pthread_cond_wait(&self->toy->changed, &self->toy->mutex);
    self->parked = false;
    pthread_mutex_unlock(&self->toy->mutex);
    return killed;
}

/* Drops what a run that was given up, or a program that forgot, leaves behind. False: it is dead.
 */
static bool let_go(ToyActor *self)
{
    pthread_mutex_lock(&self->toy->mutex);
    bool killed = self->killed;
    if (!killed) toy_free_rows(self->toy, self->actor.index, false);
    pthread_mutex_unlock(&self->toy->mutex);
    return !killed;
}

static void *live(void *data)
{
    ToyActor *self = data;
    Actor *me = &self->actor;
    for (uint32_t run = 0; (run = gate_start(me, run)) != 0;) {
        Answer answer = attempt(me, purchase, 1);
        if (let_go(self) && me->world->spec.fault_crash) attempt(me, tell, 1);
        if (park(self)) continue;
        gate_answer(me, answer);
        gate_done(me);
    }
    return NULL;
}

/* ---- opening and closing ------------------------------------------------------------------ */

Toy *toy_open_world(const Spec *world, const ToyProgram *programs, const long start[TOY_CELLS],
                    ToyJudge judge)
{
    Toy *toy = calloc(1, sizeof *toy);
    Spec spec = *world;
    spec.variant = variants;
    spec.requests = 1;
    Error error;
    toy->world = world_create(&spec, MODE_STEP, &toy->fd, &error);
    toy->actors = spec.users;
    toy->judge = judge;
    memcpy(toy->start, start, sizeof toy->start);
    pthread_mutex_init(&toy->mutex, NULL);
    pthread_cond_init(&toy->changed, NULL);
    for (int i = 0; i < toy->actors; i++) {
        ToyActor *self = &toy->actor[i];
        *self = (ToyActor){.toy = toy, .program = programs[i]};
        self->actor = (Actor){.world = toy->world,
                              .slot = world_slot(toy->world, (unsigned)i),
                              .ring = world_ring(toy->world, (unsigned)i),
                              .index = i,
                              .node = spec_node(&spec, i),
                              .user = i + 1,
                              .random = 1};
        pthread_create(&self->thread, NULL, live, self);
    }
    return toy;
}

Toy *toy_open(int actors, const ToyProgram *programs, const long start[TOY_CELLS], ToyJudge judge)
{
    Spec spec = {.users = actors, .nodes = 1, .stock = 1};
    return toy_open_world(&spec, programs, start, judge);
}

static bool all_ready(const World *world)
{
    for (uint32_t i = 0; i < world->actors; i++)
        if (!atomic_load(&world_slot(world, i)->at_start)) return false;
    return true;
}

static void wait_ready(Toy *toy)
{
    World *world = toy->world;
    for (;;) {
        uint32_t arrivals = atomic_load(&world->arrivals);
        if (all_ready(world)) return;
        futex_wait(&world->arrivals, arrivals, 0);
    }
}

/* Nodes that were killed live again: their threads go to the start, where others of them still are.
 */
static void revive(Toy *toy)
{
    pthread_mutex_lock(&toy->mutex);
    for (int i = 0; i < toy->actors; i++) {
        Slot *slot = world_slot(toy->world, (unsigned)i);
        if (atomic_load(&slot->state) == ACTOR_DEAD && !toy->actor[i].killed)
            atomic_store(&slot->at_start, 1);
        toy->actor[i].killed = false;
    }
    pthread_cond_broadcast(&toy->changed);
    pthread_mutex_unlock(&toy->mutex);
}

/* All actors stand at the start; memory is as it was before the first run. */
void toy_clean(Toy *toy)
{
    if (toy->running) baton_give_up(toy->world);
    revive(toy);
    wait_ready(toy);
    for (int i = 0; i < TOY_CELLS; i++)
        toy->row[i] = (ToyRow){.value = toy->start[i], .draft = toy->start[i], .owner = -1};
    for (int i = 0; i < toy->actors; i++) {
        ToyActor *self = &toy->actor[i];
        self->seen = self->told = 0;
        self->failed = self->blocked = false;
        self->actor.written = (Touch){0};
        self->actor.waited = false;
        for (int k = 0; k < TOY_MUTEXES; k++) atomic_store(&mutex_of(self, k)->holder, 0);
    }
}

void toy_close(Toy *toy)
{
    World *world = toy->world;
    toy_clean(toy);
    atomic_store(&world->quit, 1);
    futex_bump(&world->go);
    for (int i = 0; i < toy->actors; i++) pthread_join(toy->actor[i].thread, NULL);
    close(toy->fd);
    world_close(world);
    pthread_mutex_destroy(&toy->mutex);
    pthread_cond_destroy(&toy->changed);
    free(toy);
}

int toy_ordered(const Toy *toy)
{
    int count = 0;
    for (int i = 0; i < toy->actors; i++)
        count += !toy->actor[i].failed && !toy->actor[i].killed && toy->actor[i].told >= 1;
    return count;
}
