/* lock_component.c -- lesson 12: the lock as one part for all
 * methods. A method says with which options; the part does it. */
#define SECKILL_SHOP
#include "engine/steps.h"

/* What @Lock(...) says in Java. */
typedef struct LockOptions LockOptions;
struct LockOptions {
    const char *name;             /* "lock:coupon:#{userId}" */
    RLock (*kind)(LockKey name);  /* which lock has that name */
    bool (*strategy)(Actor *me, RLock *lock,
                     const LockOptions *options);
    int wait_ms;
    int lease_ms;                 /* WATCHED: no lease is given */
    bool auto_unlock;
};

/* ---- what the lock guards ---- */

/* Check, then act: right only while nobody else is inside. */
static Answer take_one(Actor *me, VoucherId voucher)
{
    long stock = sql_select_stock(me, voucher);
    if (stock < 1) return SOLD_OUT;
    sql_decrement_stock(me, voucher);
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* The same for one user: count, then insert. */
static Answer one_each(Actor *me, VoucherId voucher)
{
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) return DUPLICATE;
    long taken = sql_decrement_if_any(me, voucher);
    if (taken == 0) return SOLD_OUT;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* Reads, and changes nothing. */
static Answer look(Actor *me, VoucherId voucher)
{
    long stock = sql_select_stock(me, voucher);
    return issued(stock);
}

/* ---- the aspect ---- */

/* Around every method that has options. */
static Answer locked(Actor *me, const LockOptions *options,
                     Purchase method, VoucherId voucher)
{
    if (!options->auto_unlock && options->lease_ms <= 0)
        throw_exception(me, "auto_unlock off needs a lease_ms");
    LockKey name = lock_name_from(me, options->name, voucher);
    RLock lock = options->kind(name);
    bool got = options->strategy(me, &lock, options);
    if (!got) return BUSY;
    Answer answer = attempt(me, method, voucher);
    if (options->auto_unlock)
        redisson_unlock(me, &lock);
    return answer;
}

/* ---- five strategies ---- */

/* One attempt. Taken: the method is left out. */
static bool skip_fast(Actor *me, RLock *lock,
                      const LockOptions *options)
{
    bool got = redisson_try_lock(me, lock, 0, options->lease_ms);
    return got;
}

/* One attempt. Taken: an exception. */
static bool fail_fast(Actor *me, RLock *lock,
                      const LockOptions *options)
{
    bool got = redisson_try_lock(me, lock, 0, options->lease_ms);
    if (!got)
        throw_exception(me, "too many requests");
    return true;
}

/* Tries until the time is up. Still taken: left out. */
static bool skip_after_timeout(Actor *me, RLock *lock,
                               const LockOptions *options)
{
    bool got = redisson_try_lock(me, lock, options->wait_ms,
                                 options->lease_ms);
    return got;
}

/* Tries until the time is up. Still taken: an exception. */
static bool fail_after_timeout(Actor *me, RLock *lock,
                               const LockOptions *options)
{
    bool got = redisson_try_lock(me, lock, options->wait_ms,
                                 options->lease_ms);
    if (!got)
        throw_exception(me, "the wait is over");
    return true;
}

/* Waits for as long as it takes. */
static bool keep_trying(Actor *me, RLock *lock,
                        const LockOptions *options)
{
    redisson_lock(me, lock, options->lease_ms);
    return true;
}

/* ---- a method each ---- */

/* @Lock(strategy = SKIP_FAST): whoever finds it taken gets null,
 * and it is the caller who makes an answer of that. */
Answer buy_skip_fast(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_lock,
        .strategy = skip_fast,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* @Lock(strategy = FAIL_FAST): an exception says why. */
Answer buy_fail_fast(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_lock,
        .strategy = fail_fast,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* @Lock(strategy = SKIP_AFTER_RETRY_TIMEOUT, waitTime = 1) */
Answer buy_skip_after_timeout(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_lock,
        .strategy = skip_after_timeout,
        .wait_ms = 1000,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* @Lock(waitTime = 1): the strategy when none is given. */
Answer buy_fail_after_timeout(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_lock,
        .strategy = fail_after_timeout,
        .wait_ms = 1000,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* @Lock(strategy = KEEP_RETRY): nobody is turned away. */
Answer buy_keep_trying(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_lock,
        .strategy = keep_trying,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* A lock for each user: left out is only who is inside already,
 * with the other click of the same finger. */
Answer buy_per_user(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{userId}",
        .kind = redisson_get_lock,
        .strategy = skip_fast,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &options, one_each, voucher);
}

/* A click a second: the lock is not given back, its lease ends.
 * Who comes before that is left out. */
Answer buy_until_lease_ends(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{userId}",
        .kind = redisson_get_lock,
        .strategy = skip_fast,
        .lease_ms = 1000,
        .auto_unlock = false,
    };
    return locked(me, &options, one_each, voucher);
}

/* Not given back, and renewed by the watchdog: this lock would
 * stay for ever. The part refuses, before anything is locked. */
Answer buy_no_lease(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{userId}",
        .kind = redisson_get_lock,
        .strategy = skip_fast,
        .lease_ms = WATCHED,
        .auto_unlock = false,
    };
    return locked(me, &options, one_each, voucher);
}

/* ---- four kinds ---- */

/* When it comes free, all who wait are woken, and whoever is
 * quickest has it. */
Answer buy_reentrant_lock(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_lock,
        .strategy = keep_trying,
        .lease_ms = 30000,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* There is a queue in Redis. Woken is its head alone. */
Answer buy_fair(Actor *me, VoucherId voucher)
{
    static const LockOptions options = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_fair_lock,
        .strategy = keep_trying,
        .lease_ms = 30000,
        .auto_unlock = true,
    };
    return locked(me, &options, take_one, voucher);
}

/* Those who look share; who buys is alone, and looks again:
 * between the two locks anything may have happened. */
Answer buy_read_write(Actor *me, VoucherId voucher)
{
    static const LockOptions reading = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_read_lock,
        .strategy = keep_trying,
        .lease_ms = 30000,
        .auto_unlock = true,
    };
    static const LockOptions writing = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_write_lock,
        .strategy = keep_trying,
        .lease_ms = 30000,
        .auto_unlock = true,
    };
    Answer left = locked(me, &reading, look, voucher);
    if (left.id < 1) return SOLD_OUT;
    return locked(me, &writing, take_one, voucher);
}

/* Has the write lock; called by one who has the read lock. */
static Answer look_and_take(Actor *me, VoucherId voucher)
{
    static const LockOptions writing = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_write_lock,
        .strategy = keep_trying,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    Answer left = look(me, voucher);
    if (left.id < 1) return SOLD_OUT;
    return locked(me, &writing, take_one, voucher);
}

/* The write lock waits until nobody reads any more. One of the
 * readers is he himself. */
Answer buy_upgrade(Actor *me, VoucherId voucher)
{
    static const LockOptions reading = {
        .name = "lock:coupon:#{voucherId}",
        .kind = redisson_get_read_lock,
        .strategy = keep_trying,
        .lease_ms = WATCHED,
        .auto_unlock = true,
    };
    return locked(me, &reading, look_and_take, voucher);
}
