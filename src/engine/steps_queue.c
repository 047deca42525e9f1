/* The steps of a queue in the node's memory, and of whoever empties it. See steps.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "engine/queue.h"
#include "engine/steps_core.h"

LockKey order_lock_of(Order order)
{
    LockKey key;
    snprintf(key.text, sizeof key.text, "lock:order:%" PRId64, order.user);
    return key;
}

/* ---- the queue ----------------------------------------------------------------------------------- */

static StepCall queue_call(const Actor *me, StepId step, int64_t user, Touch *touch)
{
    *touch = (Touch){0};
    touch_add(touch, touch_queue(me->node), true);
    return (StepCall){.step = step, .argument = me->node + 1, .second = user, .touch = touch};
}

/* True: it is in. */
static bool push(Actor *me, Order order)
{
    const QueueEntry entry = {order.id, order.user, order.voucher};
    if (!queue_push(me->world, me->node, &entry)) return false;
    gate_send(me, queue_signal(me->world, me->node));
    return true;
}

/* In step mode whoever puts an entry in takes a place, also where he need not wait for one. */
static bool try_to_put(Actor *me, StepId step, Order order)
{
    Touch touch;
    StepCall call = queue_call(me, step, order.user, &touch);
    gate_enter(me, &call);
    bool in = push(me, order);
    if (in) atomic_fetch_add(&world_signal_at(me->world, queue_room(me->world, me->node))->taken, 1);
    if (!in) atomic_fetch_add(&world_queue(me->world, me->node)->refused, 1);
    gate_leave(me, &call, STORE_OK, in, 0);
    return in;
}

void queue_add(Actor *me, Order order)
{
    if (!try_to_put(me, STEP_QUEUE_ADD, order)) actor_throw(me, ANSWER_ERROR);
}

bool queue_offer(Actor *me, Order order)
{
    return try_to_put(me, STEP_QUEUE_OFFER, order);
}

/* In a race: the signal is looked at before the queue, so that none is missed in between. */
static void push_or_wait(Actor *me, StepCall *call, Order order)
{
    const Signal *room = world_signal_at(me->world, call->signal - 1);
    for (;;) {
        call->seen = atomic_load(&room->given);
        if (push(me, order)) return;
        gate_await(me, call, -1);
    }
}

void queue_put(Actor *me, Order order)
{
    Touch touch;
    StepCall call = queue_call(me, STEP_QUEUE_PUT, order.user, &touch);
    call.signal = queue_room(me->world, me->node) + 1;
    call.takes = gate_steps(me);
    call.seen = world_queue(me->world, me->node)->capacity;
    gate_enter(me, &call);
    if (gate_steps(me)) {
        gate_take(me, &call);
        push(me, order);
    } else {
        push_or_wait(me, &call, order);
    }
    gate_leave(me, &call, STORE_OK, 1, 0);
}

/* What it took before it has dealt with. */
static void finish(Actor *me)
{
    if (me->in_hand) atomic_fetch_sub(&world_queue(me->world, me->node)->in_hand, 1);
    me->in_hand = false;
}

/* Likewise. */
static void wait_and_pull(Actor *me, StepCall *call, QueueEntry *entry)
{
    const Signal *signal = world_signal_at(me->world, call->signal - 1);
    for (;;) {
        call->seen = atomic_load(&signal->given);
        if (queue_pull(me->world, me->node, entry)) return;
        gate_await(me, call, -1);
    }
}

Order queue_take(Actor *me)
{
    Touch touch;
    QueueEntry entry = {0};
    finish(me);
    StepCall call = queue_call(me, STEP_QUEUE_TAKE, 0, &touch);
    call.signal = queue_signal(me->world, me->node) + 1;
    call.takes = gate_steps(me);
    gate_enter(me, &call);
    if (gate_steps(me) && gate_take(me, &call))
        queue_pull(me->world, me->node, &entry);
    else
        wait_and_pull(me, &call, &entry);
    me->in_hand = true;
    gate_send(me, queue_room(me->world, me->node));
    call.second = entry.user;
    gate_leave(me, &call, STORE_OK, entry.id, 0);
    return (Order){entry.id, entry.user, entry.voucher};
}

void queue_drop_hand(Actor *me)
{
    if (me->in_hand) atomic_fetch_add(&world_queue(me->world, me->node)->dropped, 1);
    finish(me);
}

/* ---- a reference that one thread hands to another ------------------------------------------------ */

static bool reference(Actor *me, StepId step)
{
    Touch touch = {0};
    touch_add(&touch, touch_shared(me->node), step == STEP_SHARE_PROXY);
    StepCall call = {.step = step, .touch = &touch};
    gate_enter(me, &call);
    if (step == STEP_SHARE_PROXY) atomic_store(&me->world->node[me->node].shared, 1);
    bool there = atomic_load(&me->world->node[me->node].shared) != 0;
    gate_leave(me, &call, STORE_OK, there, 0);
    return there;
}

void share_proxy(Actor *me)
{
    reference(me, STEP_SHARE_PROXY);
}

bool proxy_is_there(Actor *me)
{
    return reference(me, STEP_READ_PROXY);
}

void throw_error(Actor *me)
{
    actor_throw(me, ANSWER_ERROR);
}

/* ---- the buyers in Redis, from behind ------------------------------------------------------------- */

typedef struct SaleOf {
    char stock[KEY_LENGTH], buyers[KEY_LENGTH], user[24];
} SaleOf;

static SaleOf sale_of(Order order)
{
    SaleOf sale;
    snprintf(sale.stock, sizeof sale.stock, "seckill:stock:%" PRId64, order.voucher);
    snprintf(sale.buyers, sizeof sale.buyers, "seckill:order:%" PRId64, order.voucher);
    snprintf(sale.user, sizeof sale.user, "%" PRId64, order.user);
    return sale;
}

void redis_note_buyer(Actor *me, Order order)
{
    Touch touch = {0};
    SaleOf sale = sale_of(order);
    touch_add(&touch, touch_key(sale.buyers), true);
    StepCall call = {.step = STEP_NOTE_BUYER, .key = sale.buyers, .second = order.user, .touch = &touch};
    freeReplyObject(redis_step(me, &call, 3, (const char *[]){"SADD", sale.buyers, sale.user}));
}

void redis_take_back(Actor *me, const char *script, Order order)
{
    Touch touch = {0};
    SaleOf sale = sale_of(order);
    touch_add(&touch, touch_key(sale.stock), true);
    touch_add(&touch, touch_key(sale.buyers), true);
    StepCall call = {.step = STEP_TAKE_BACK, .key = script, .second = order.user, .touch = &touch};
    const char *words[] = {sale.stock, sale.buyers, sale.user};
    freeReplyObject(script_step(me, &call, script, 2, 3, words));
}
