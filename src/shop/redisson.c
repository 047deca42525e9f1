/* redisson.c -- lesson 10: taken again by its holder, waited for,
 * renewed while the work goes on; and what Redisson cannot do. */
#define SECKILL_SHOP
#include "engine/steps.h"

enum { LEASE_MS = 600, LONG_LEASE_MS = 30000, LEASE_SECONDS = 30 };

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

/* ---- taken again by its holder ---- */

/* Called on its own it must lock; called by a method that has
 * the lock already, it waits for itself. */
static Answer order_locked_by_key(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    bool locked = redis_set_nx_ex(me, lock, mine, LEASE_SECONDS);
    while (!locked) {
        redis_sleep(me, lock, 50);
        locked = redis_set_nx_ex(me, lock, mine, LEASE_SECONDS);
    }
    Answer answer = attempt(me, create_order, voucher);
    redis_unlock(me, lock, mine);
    return answer;
}

/* SET NX knows one thing: the key is there. (unlock.lua) */
Answer buy_not_reentrant(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    bool locked = redis_set_nx_ex(me, lock, mine, LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = order_locked_by_key(me, voucher);
    redis_unlock(me, lock, mine);
    return answer;
}

/* The same lock a second time: the count in the hash is 2. */
static Answer order_locked(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(order_lock(me));
    redisson_lock(me, &lock, LONG_LEASE_MS);
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* A hash: field = who holds it, value = how often.
 * lock_take.lua adds one, lock_give.lua takes one away. */
Answer buy_reentrant(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(order_lock(me));
    redisson_lock(me, &lock, LONG_LEASE_MS);
    Answer answer = attempt(me, order_locked, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* ---- waited for ---- */

/* One lock for the voucher, tried once. Whoever comes second is
 * sent away, though there is enough for everybody.
 * (lock_take.lua, lock_give.lua) */
Answer buy_one_try(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(voucher_lock(voucher));
    bool locked = redisson_attempt(me, &lock, LONG_LEASE_MS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* Try (lock_take.lua), listen, sleep. Between the first two the
 * lock may come free, and the message of lock_give.lua is heard
 * by nobody. */
Answer buy_subscribe_late(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(voucher_lock(voucher));
    bool locked = redisson_attempt(me, &lock, LONG_LEASE_MS);
    if (!locked) {
        redisson_subscribe(me, &lock);
        while (!locked) {
            redisson_sleep(me, &lock);
            locked = redisson_attempt(me, &lock, LONG_LEASE_MS);
        }
        redisson_unsubscribe(me, &lock);
    }
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* Try (lock_take.lua), listen, try again, sleep. From here on
 * every message of lock_give.lua is heard, and what came before
 * is seen by the second try. */
Answer buy_retry(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(voucher_lock(voucher));
    bool locked = redisson_attempt(me, &lock, LONG_LEASE_MS);
    if (!locked) {
        redisson_subscribe(me, &lock);
        locked = redisson_attempt(me, &lock, LONG_LEASE_MS);
        while (!locked) {
            redisson_sleep(me, &lock);
            locked = redisson_attempt(me, &lock, LONG_LEASE_MS);
        }
        redisson_unsubscribe(me, &lock);
    }
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* ---- renewed ---- */

/* A lease that nobody renews is a guess at how long the work
 * will take. (lock_take.lua, lock_give.lua) */
Answer buy_no_renewal(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(order_lock(me));
    bool locked = redisson_attempt(me, &lock, LEASE_MS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock_quietly(me, &lock);
    return answer;
}

/* No lease given: a thread of this process, the watchdog, renews
 * it every third of its time, by lock_renew.lua.
 * (lock_take.lua, lock_give.lua) */
Answer buy_watchdog(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(order_lock(me));
    bool locked = redisson_try_lock(me, &lock, 0, WATCHED);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock_quietly(me, &lock);
    return answer;
}

/* tryLock(wait, lease, unit): with a lease of its own there is
 * no watchdog. (lock_take.lua, lock_give.lua) */
Answer buy_lease_given(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(order_lock(me));
    bool locked = redisson_try_lock(me, &lock, 0, LEASE_MS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    redisson_unlock_quietly(me, &lock);
    return answer;
}

/* No finally: an error leaves the lock behind. Its thread is
 * gone, its process lives, and the watchdog asks nobody.
 * (lock_take.lua, lock_give.lua, lock_renew.lua) */
Answer buy_thread_dies(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(voucher_lock(voucher));
    redisson_lock(me, &lock, WATCHED);
    Answer answer = create_order(me, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* unlock() in finally, whether or not the lock was got, and
 * whether or not it still is ours: it throws, and the exception
 * takes the answer's place. (lock_take.lua, lock_give.lua) */
Answer buy_unlock_unchecked(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(order_lock(me));
    bool locked = redisson_try_lock(me, &lock, 0, LEASE_MS);
    Answer answer = BUSY;
    if (locked) answer = attempt(me, create_order, voucher);
    redisson_unlock(me, &lock);
    return answer;
}

/* ---- when the lock is lost all the same ---- */

/* One who was overtaken is refused by the database: its number
 * is not the greatest any more. */
static Answer create_order_fenced(Actor *me, VoucherId voucher,
                                  long token)
{
    sql_begin(me);
    bool first = sql_raise_fence(me, voucher, token);
    if (!first) {
        sql_rollback(me);
        return BUSY;
    }
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

/* With the lock comes a number that grows, by
 * lock_take_fenced.lua. It goes along to where the work is done.
 * (lock_give.lua, lock_renew.lua) */
Answer buy_fencing_token(Actor *me, VoucherId voucher)
{
    RLock lock = redisson_get_lock(voucher_lock(voucher));
    bool locked = redisson_try_lock_fenced(me, &lock, WATCHED);
    if (!locked) return BUSY;
    Answer answer = create_order_fenced(me, voucher, lock.token);
    redisson_unlock_quietly(me, &lock);
    return answer;
}
