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
