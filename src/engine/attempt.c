/* Catching what a step throws. See steps.h. */
#include "engine/actor.h"

/* The body's frames are gone after a throw; nothing of theirs is looked at afterwards. */
Answer attempt(Actor *me, Purchase body, VoucherId voucher)
{
    jmp_buf here;
    jmp_buf *const outer = me->catcher;
    const int held = me->held_count;
    me->catcher = &here;
    if (setjmp(here) != 0) {
        me->catcher = outer;
        AnswerKind failure = me->failure; /* unlocking may fail in its turn */
        locals_unwind(me, held);
        return (Answer){failure, 0};
    }
    Answer answer = body(me, voucher);
    me->catcher = outer;
    return answer;
}

static Answer roll_back(Actor *me, VoucherId voucher)
{
    (void)voucher;
    sql_rollback(me);
    return SOLD_OUT;
}

/* A run that is given up is no error that a consumer could try again after. */
bool attempt_order(Actor *me, OrderBody body, Order order)
{
    jmp_buf here;
    jmp_buf *const outer = me->catcher;
    const int held = me->held_count;
    me->catcher = &here;
    if (setjmp(here) == 0) {
        body(me, order);
        me->catcher = outer;
        return true;
    }
    me->catcher = outer;
    if (atomic_load(&me->world->stop) || atomic_load(&me->world->quit)) actor_throw(me, me->failure);
    locals_unwind(me, held);
    if (me->in_transaction) attempt(me, roll_back, order.voucher);
    return false;
}
