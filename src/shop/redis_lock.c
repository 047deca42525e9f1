/* redis_lock.c -- lessons 07, 08 and 09: one lock that every
 * node sees, and how each way of writing it goes wrong. */
#define SECKILL_SHOP
#include "engine/steps.h"

enum { LEASE_SECONDS = 10, SHORT_LEASE_SECONDS = 1 };

/* What the lock guards: one order, in a transaction. */
static Answer create_order(Actor *me, VoucherId voucher)
{
    sql_begin(me);
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) {
        sql_rollback(me);
        return DUPLICATE;
    }
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) {
        sql_rollback(me);
        return SOLD_OUT;
    }
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    sql_commit(me);
    return ordered(id);
}

/* ---- 07: taking it, and giving it back ---- */

/* The database's own named lock. It dies with its connection. */
Answer buy_mysql_get_lock(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = sql_get_lock(me, lock);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    sql_release_lock(me, lock);
    return answer;
}

/* SETNX ... DEL. An error in between leaves the lock behind. */
Answer buy_setnx(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = redis_setnx(me, lock, thread_number(me));
    if (!locked) return BUSY;
    Answer answer = create_order(me, voucher);
    redis_delete_lock(me, lock);
    return answer;
}

/* finally: an error is caught. A dead process catches nothing. */
Answer buy_setnx_finally(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = redis_setnx(me, lock, thread_number(me));
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redis_delete_lock(me, lock);
    return answer;
}

/* A lease, in a second command. Between the two there is none. */
Answer buy_setnx_expire(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = redis_setnx(me, lock, thread_number(me));
    if (!locked) return BUSY;
    redis_expire(me, lock, LEASE_SECONDS);
    Answer answer = attempt(me, create_order, voucher);
    redis_delete_lock(me, lock);
    return answer;
}

/* Half a second, in a unit of seconds: 500 / 1000 is 0, and
 * EXPIRE 0 deletes the lock at once. */
Answer buy_lease_cut_to_zero(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = redis_setnx(me, lock, thread_number(me));
    if (!locked) return BUSY;
    redis_expire(me, lock, 500 / 1000);
    Answer answer = attempt(me, create_order, voucher);
    redis_delete_lock(me, lock);
    return answer;
}

/* SET NX EX: the lock and its lease in one command. */
Answer buy_set_nx_ex(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = redis_set_nx_ex(me, lock, thread_number(me),
                                  LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redis_delete_lock(me, lock);
    return answer;
}

/* ---- 08: whose lock is it ---- */

/* DEL, whoever holds it by now. */
Answer buy_delete_blind(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    bool locked = redis_set_nx_ex(me, lock, thread_number(me),
                                  SHORT_LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redis_delete_lock(me, lock);
    return answer;
}

/* The value says who holds it: a thread's number, of which
 * every node has the same ones. */
Answer buy_thread_id_owner(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = thread_number(me);
    bool locked = redis_set_nx_ex(me, lock, mine,
                                  SHORT_LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    Owner found = redis_get_owner(me, lock);
    if (same_owner(found, mine)) redis_delete_lock(me, lock);
    return answer;
}

/* uuid-thread is nobody else's. But GET and DEL are two
 * commands, and the lease may end between them. */
Answer buy_get_then_del(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    bool locked = redis_set_nx_ex(me, lock, mine,
                                  SHORT_LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    Owner found = redis_get_owner(me, lock);
    if (same_owner(found, mine)) redis_delete_lock(me, lock);
    return answer;
}

/* ---- 09: in one script ---- */

/* Compare and delete, atomically. Nobody deletes another's
 * lock any more; the lease can still end too early. */
Answer buy_compare_and_delete(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    bool locked = redis_set_nx_ex(me, lock, mine,
                                  SHORT_LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redis_unlock(me, lock, mine); /* unlock.lua */
    return answer;
}

/* Atomic is not rolled back: what the script wrote before its
 * error stays. */
Answer buy_script_fails_midway(Actor *me, VoucherId voucher)
{
    long left = redis_sell(me, "sell_midway.lua", voucher);
    if (left < 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}
