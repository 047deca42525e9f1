/* steps.h -- every command a purchase can give.
 *
 * This is all that the code in shop/ knows. Each call below is one step: it passes the gate, sends
 * one command to a store, and returns the reply. Nothing else happens between two steps, so
 * the order in which several users' steps are mixed is the whole story of a race.
 *
 * When a store says no, or a connection breaks, the step does not return: it leaves the purchase
 * at once, as an exception leaves a method in Java, and the user is told ERROR (or UNKNOWN, when
 * the connection broke). Where the lesson is about catching that, see attempt().
 * A transaction that such an error leaves open is rolled back by the caller, as Spring does.
 *
 * Every function: `me` is the user who acts, and only that user's thread may call it. */
#ifndef ENGINE_STEPS_H
#define ENGINE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/answer.h"

typedef struct Actor Actor;
typedef int64_t VoucherId;
typedef int64_t OrderId;

/* What a purchase returns. */
static const Answer SOLD_OUT = {ANSWER_SOLD_OUT, 0};
static const Answer DUPLICATE = {ANSWER_DUPLICATE, 0};
static const Answer BUSY = {ANSWER_BUSY, 0};
static const Answer NOT_BEGUN = {ANSWER_NOT_BEGUN, 0};
static const Answer ENDED = {ANSWER_ENDED, 0};
static const Answer NOT_FOUND = {ANSWER_NOT_FOUND, 0};
static inline Answer ordered(OrderId id)
{
    return (Answer){ANSWER_ORDERED, id};
}
static inline Answer issued(OrderId id)
{
    return (Answer){ANSWER_ISSUED, id};
}

/* An order that somebody else stores: what is put into a queue. */
typedef struct Order {
    OrderId id;
    int64_t user;
    VoucherId voucher;
} Order;

/* A purchase, and a part of one. */
/* What a consumer does: it works until the run is over, when a step throws. An error that leaves it ends its
 * thread, as an exception that nobody catches does. */
typedef void (*Consumer)(Actor *me, VoucherId voucher);
typedef Answer (*Purchase)(Actor *me, VoucherId voucher);
typedef void (*OrderBody)(Actor *me, Order order);

/* Number of the user who asks: 1, 2, ... Two requests of one user have the same number. No step. */
int64_t user_id(const Actor *me);

/* ---- the clock --------------------------------------------------------------------------- */

/* Seconds since 2022-01-01T00:00:00Z, the epoch of the ids (1640995200). */
int64_t clock_seconds(Actor *me);
/* Seconds since 1970, to hold against a sale window. */
int64_t clock_now(Actor *me);

/* ---- ids --------------------------------------------------------------------------------- */

/* INCR icr:order:yyyy:MM:dd. The counter of the day; 1 is the first. */
int64_t redis_incr_counter(Actor *me);
/* The whole recipe of lesson 01 as one step: seconds << 32 | INCR icr:order:yyyy:MM:dd. */
OrderId next_order_id(Actor *me);
/* INSERT INTO tb_order_0 or tb_order_1, which have an AUTO_INCREMENT each. Returns the new id. */
OrderId sql_insert_auto_increment(Actor *me, int table);

/* ---- the voucher's row in the database ----------------------------------------------------- */

typedef struct VoucherRow {
    long stock;
    long version;
    int64_t begin, end; /* seconds since 1970; the sale is open in [begin, end) */
} VoucherRow;

/* SELECT stock, version, begin, end: the whole row, as MyBatis-Plus' getById would. */
VoucherRow sql_select_voucher(Actor *me, VoucherId voucher);
/* SELECT stock. */
long sql_select_stock(Actor *me, VoucherId voucher);
/* UPDATE ... SET stock = stock - 1, without a condition. Returns the rows changed. */
long sql_decrement_stock(Actor *me, VoucherId voucher);
/* UPDATE ... SET stock = `stock`: the absolute value. */
long sql_set_stock(Actor *me, VoucherId voucher, long stock);
/* ... SET stock = stock - 1, version = version + 1 WHERE version = `seen`. 1 or 0 rows. */
long sql_decrement_if_version(Actor *me, VoucherId voucher, long seen);
/* ... WHERE stock = `seen`. */
long sql_decrement_if_stock(Actor *me, VoucherId voucher, long seen);
/* ... WHERE stock > 0. */
long sql_decrement_if_any(Actor *me, VoucherId voucher);

/* ---- orders -------------------------------------------------------------------------------- */

/* SELECT COUNT(*) of this user's orders for the voucher. */
long sql_count_my_orders(Actor *me, VoucherId voucher);
/* INSERT. True when the row is there; false when the unique index refused it (error 1062). */
bool sql_insert_order(Actor *me, VoucherId voucher, OrderId id);
/* INSERT IGNORE. Returns the rows inserted, which is easy to forget to read. */
long sql_insert_ignore_order(Actor *me, VoucherId voucher, OrderId id);

/* Of an order that was told, and is stored later. ---- */

/* SELECT COUNT(*) of that user's orders for the voucher. */
long sql_count_orders_of(Actor *me, Order order);
/* SELECT COUNT(*) WHERE id: is the very order there? */
bool sql_find_order(Actor *me, Order order);
/* INSERT, with the order's own id. False when the id is there already, or a unique index refused it (1062). */
bool sql_store_order(Actor *me, Order order);

/* ---- transactions -------------------------------------------------------------------------- */

/* START TRANSACTION at the server's default, REPEATABLE READ. */
void sql_begin(Actor *me);
void sql_commit(Actor *me);
void sql_rollback(Actor *me);

/* ---- the stock in Redis -------------------------------------------------------------------- */

/* GET seckill:stock:{id}. -1 when the key is missing. */
long redis_get_stock(Actor *me, VoucherId voucher);
/* SET seckill:stock:{id}. */
void redis_set_stock(Actor *me, VoucherId voucher, long stock);

/* SET seckill:stock:{id} `stock` NX: only where no key is. True when it was written. */
bool redis_load_stock(Actor *me, VoucherId voucher, long stock);
/* DECR. What is left, which may be less than nothing. */
long redis_decr_stock(Actor *me, VoucherId voucher);
/* DECRBY and INCRBY: several at once. */
long redis_decrby_stock(Actor *me, VoucherId voucher, long many);
void redis_incrby_stock(Actor *me, VoucherId voucher, long many);
/* How many vouchers this user wants in one order: 1, where the world says nothing else. No step. */
long basket_of(const Actor *me);

/* ---- the buyers in Redis: the set seckill:order:{id} ------------------------------------------ */

/* SISMEMBER: has this user bought? */
bool redis_is_buyer(Actor *me, VoucherId voucher);
/* SADD. True when the user was not there yet. */
bool redis_add_buyer(Actor *me, VoucherId voucher);

/* ---- transactions of Redis -------------------------------------------------------------------- */

/* WATCH stock and buyers: an EXEC that comes does nothing when one of them has changed by then. */
void redis_watch(Actor *me, VoucherId voucher);
void redis_unwatch(Actor *me);
/* From here to redis_exec(), commands are queued: redis_decr_stock() and redis_add_buyer() know
 * no result, and return 0 and false. */
void redis_multi(Actor *me);
/* EXEC. True when the queue was executed; false when a watched key had changed. */
bool redis_exec(Actor *me, VoucherId voucher);

/* ---- eligibility scripts ------------------------------------------------------------------------ */

/* What they say. */
enum { YES = 0, NONE_LEFT = 1, AGAIN = 2, TOO_EARLY = 3, TOO_LATE = 4, NOT_LOADED = 5 };

/* EVALSHA of lua/NAME. KEYS: seckill:stock:{id}, seckill:order:{id}. ARGV: the user. */
long redis_eligible(Actor *me, const char *script, VoucherId voucher);
/* The same, ARGV: the user, and how many he wants. */
long redis_eligible_basket(Actor *me, const char *script, VoucherId voucher, long many);
/* The same, KEYS also seckill:begin:{id} and seckill:end:{id}: seconds since 1970. */
long redis_eligible_in_window(Actor *me, const char *script, VoucherId voucher);
/* ARGV: the user, and the id of the order to be. Returns the id as the script tells it; 0: sold out. */
OrderId redis_sell_with_id(Actor *me, const char *script, VoucherId voucher, OrderId id);

/* ---- locks of one node: synchronized ---------------------------------------------------------- */

/* An object to lock on. Two requests keep each other out when they lock the same object of the same
 * node; a node is a process, as a JVM is, and knows nothing of another one's objects. */
typedef struct Monitor {
    char name[48];
    uint64_t object;
} Monitor;

/* `this`: the one service bean of the node. */
Monitor monitor_of_service(const Actor *me);
/* userId.toString().intern(): one object for all requests of the user. */
Monitor monitor_of_user(const Actor *me);
/* userId.toString(): looks the same, and is another object at each call. */
Monitor monitor_new(const Actor *me);

/* The head and the end of a synchronized block. An error that leaves the block unlocks. */
void local_lock(Actor *me, Monitor monitor);
void local_unlock(Actor *me, Monitor monitor);

/* ---- locks in Redis ------------------------------------------------------------------------------ */

typedef struct LockKey {
    char text[48];
} LockKey;
typedef struct Owner {
    char text[80];
} Owner;

/* lock:order:{user}. */
LockKey order_lock(const Actor *me);
/* The number of the thread that serves the request: counted anew in each node. */
Owner thread_number(const Actor *me);
/* uuid-thread: the uuid is made when the node starts. */
Owner uuid_and_thread(const Actor *me);

/* SETNX. True when the key was not there. */
bool redis_setnx(Actor *me, LockKey key, Owner owner);
void redis_expire(Actor *me, LockKey key, int seconds);
/* SET key owner NX EX seconds: both in one command. */
bool redis_set_nx_ex(Actor *me, LockKey key, Owner owner, int seconds);
/* GET. An empty text when the key is not there. */
Owner redis_get_owner(Actor *me, LockKey key);
void redis_delete_lock(Actor *me, LockKey key);
/* EVALSHA unlock.lua: compare and delete in one. True when it was ours and is gone. */
bool redis_unlock(Actor *me, LockKey key, Owner owner);
bool same_owner(Owner one, Owner other);

/* Sleeps, and then tries again. In step mode it cannot be chosen before the lock's key is gone, since trying
 * again earlier changes nothing. */
void redis_sleep(Actor *me, LockKey key, int ms);

/* ---- Redisson's locks ---------------------------------------------------------------------------- */

/* What redisson.getLock(name) and its like give in Java. Nothing is sent. */
typedef enum RLockKind { RLOCK_REENTRANT, RLOCK_FAIR, RLOCK_READ, RLOCK_WRITE } RLockKind;
typedef struct RLock {
    LockKey key;
    RLockKind kind;
    int server;       /* which Redis, 0: the lab's */
    long token;       /* of the last redisson_try_lock_fenced(), -1: none */
    int64_t left_ms;  /* after an attempt that was refused: how long the other still has it */
} RLock;

enum {
    WATCHED = -1,              /* no lease is given: the watchdog renews it as long as the process lives */
    WATCHDOG_TIMEOUT_MS = 900  /* its lease then. Redisson has 30 s; here a class need not wait so long */
};

/* lock:voucher:{id}: one for all buyers. */
LockKey voucher_lock(VoucherId voucher);
RLock redisson_get_lock(LockKey key);
RLock redisson_get_fair_lock(LockKey key);
RLock redisson_get_read_lock(LockKey key);
RLock redisson_get_write_lock(LockKey key);

/* tryLock(wait, lease). False: still taken when the time was up. wait 0: one attempt. */
bool redisson_try_lock(Actor *me, RLock *lock, int wait_ms, int lease_ms);
/* lock(lease): waits without an end. */
void redisson_lock(Actor *me, RLock *lock, int lease_ms);
/* unlock(). When it is not ours it throws, as Java does (IllegalMonitorStateException). */
void redisson_unlock(Actor *me, RLock *lock);
/* The same with that exception caught: false. */
bool redisson_unlock_quietly(Actor *me, RLock *lock);
/* One attempt; with the lock comes lock->token, greater than everybody's before. */
bool redisson_try_lock_fenced(Actor *me, RLock *lock, int lease_ms);

/* What lock() and tryLock() are made of, one step each: an attempt; SUBSCRIBE; sleep until a message comes or the
 * other's lease is over; UNSUBSCRIBE. */
bool redisson_attempt(Actor *me, RLock *lock, int lease_ms);
void redisson_subscribe(Actor *me, RLock *lock);
void redisson_sleep(Actor *me, RLock *lock);
void redisson_unsubscribe(Actor *me, RLock *lock);

/* A lock's name from a template, as an expression in an annotation: #{userId} and #{voucherId} are filled in.
 * Another name between the braces throws, as does a name that becomes too long. No step. */
LockKey lock_name_from(Actor *me, const char *template, VoucherId voucher);

/* UPDATE ... SET token = `token` WHERE token < `token`: false when somebody came with a greater one. */
bool sql_raise_fence(Actor *me, VoucherId voucher, long token);

/* ---- a lock of MySQL ------------------------------------------------------------------------------- */

/* SELECT GET_LOCK(name, 0): true when we have it now. It belongs to the connection, which stays
 * with the user until it is released. */
bool sql_get_lock(Actor *me, LockKey key);
void sql_release_lock(Actor *me, LockKey key);

/* ---- scripts ----------------------------------------------------------------------------------------- */

/* EVALSHA of lua/NAME with seckill:stock:{id} and seckill:order:{id} as KEYS and the user as ARGV[1].
 * The script's number; a script that fails leaves the purchase as any error does. */
long redis_sell(Actor *me, const char *script, VoucherId voucher);

/* The same, KEYS also stream.orders; ARGV: the user, the voucher, the id of the order to be, which a script
 * that says YES adds to the stream. */
long redis_eligible_xadd(Actor *me, const char *script, VoucherId voucher, OrderId id);
/* SADD seckill:order:{id}, by whoever stores the order. */
void redis_note_buyer(Actor *me, Order order);
/* EVALSHA of a script that undoes a yes. KEYS: stock, buyers. ARGV: the user. */
void redis_take_back(Actor *me, const char *script, Order order);

/* ---- the queue in the node's memory ------------------------------------------------------------- */

/* add(): throws when the queue is full. offer(): false when it is. put(): waits until there is room. */
void queue_add(Actor *me, Order order);
bool queue_offer(Actor *me, Order order);
void queue_put(Actor *me, Order order);
/* take(): waits until there is one. */
Order queue_take(Actor *me);
/* lock:order:{user} of the order's user. */
LockKey order_lock_of(Order order);

/* A field of the node's service bean, which requests write and the consumer reads. */
void share_proxy(Actor *me);
bool proxy_is_there(Actor *me);

/* ---- stream.orders, read by group g1 as consumer c1, c2, ... -------------------------------------- */

typedef struct Entry {
    bool found;  /* false: there was none */
    bool gone;   /* trimmed away: only its id is left */
    char id[32]; /* the entry's: 1764500000000-0 */
    Order order; /* user 0: not to be read */
} Entry;

/* Wait for ever. */
enum { FOREVER = 0 };

/* XADD stream.orders, by the request itself. */
void stream_add(Actor *me, Order order);

/* XREADGROUP ... COUNT 1 BLOCK ms STREAMS stream.orders >: one that nobody in the group was given. When
 * the time is over, none. (In step mode time passes only when a node is killed.) */
Entry stream_read_new(Actor *me, int block_ms);
/* The same with 0: the first of one's own that is not acknowledged. */
Entry stream_read_pending(Actor *me);
/* XAUTOCLAIM ... COUNT 1: one that lies with another consumer for so long. (Step mode: with one whose node
 * was killed.) */
Entry stream_claim(Actor *me, int idle_ms);
/* XACK. */
void stream_ack(Actor *me, Entry entry);
/* XPENDING: how often it was delivered. */
long stream_deliveries(Actor *me, Entry entry);
/* XADD stream.orders.dead: for people to look at. */
void stream_set_aside(Actor *me, Entry entry);
/* The order in it; throws when that cannot be read. No step. */
Order order_in(Actor *me, Entry entry);
/* XGROUP CREATE stream.orders g1 `from` MKSTREAM. False: it was there. */
bool stream_create_group(Actor *me, const char *from);
/* XGROUP DELCONSUMER stream.orders g1, oneself. Returns how many pending entries went with it. */
long stream_delete_consumer(Actor *me);
/* ---- several Redis servers: lesson 11 ---------------------------------------------------------------- */

/* The master is whichever server clients were last told is it. A server that does not answer has not said
 * yes: these steps return false, and throw only where it says so. */

/* SET key owner NX EX seconds, on the master. */
bool master_lock(Actor *me, LockKey key, Owner owner, int seconds);
/* The same command, by one who does not believe in it yet ... */
bool master_ask(Actor *me, LockKey key, Owner owner, int seconds);
/* ... before WAIT says that so many replicas have it, too (within 100 ms). */
bool master_wait(Actor *me, LockKey key, int replicas);
/* unlock.lua on the master; where the script is unknown, it is loaded again. */
bool master_unlock(Actor *me, LockKey key, Owner owner);

/* What SCRIPT LOAD returns: the script's name for EVALSHA. */
typedef struct Sha {
    char text[48];
} Sha;
/* SCRIPT LOAD, on the master. */
Sha master_load_script(Actor *me, const char *script);
/* EVALSHA on the master, and no second try: NOSCRIPT throws, as any no of a store does. */
bool master_unlock_sha(Actor *me, Sha sha, LockKey key, Owner owner);

/* The same on one of several masters, 1, 2, 3: SET NX EX, and unlock.lua. */
enum { SERVERS = 3 };
bool server_lock(Actor *me, int server, LockKey key, Owner owner, int seconds);
bool server_unlock(Actor *me, int server, LockKey key, Owner owner);
/* True when `yes` answers are as many as are `needed`: then this user believes that it has the lock, and acts. */
bool enough(Actor *me, LockKey key, int yes, int needed);

/* ---- catching ------------------------------------------------------------------------------- */

/* Runs `body` and comes back in any case: with its answer, or with ERROR or UNKNOWN when a step in
 * it failed. try { ... } catch, in Java. */
Answer attempt(Actor *me, Purchase body, VoucherId voucher);

/* The same for an order. True: `body` came to its end; false: a step in it failed, and a transaction that
 * it left open was rolled back, as @Transactional does. */
bool attempt_order(Actor *me, OrderBody body, Order order);
/* throw new RuntimeException(). */
_Noreturn void throw_error(Actor *me);
/* The same with a message, which stands in the trace. A step that no store hears of. */
_Noreturn void throw_exception(Actor *me, const char *message);

/* Below: how the marked line in the listing follows the user. Each call notes its own line first;
 * the names stay the same. Code that is not part of a listing leaves SECKILL_SHOP undefined. */
#ifdef SECKILL_SHOP
Actor *gate_at(Actor *me, int line);
#define clock_seconds(me) (clock_seconds)(gate_at(me, __LINE__))
#define clock_now(me) (clock_now)(gate_at(me, __LINE__))
#define redis_incr_counter(me) (redis_incr_counter)(gate_at(me, __LINE__))
#define next_order_id(me) (next_order_id)(gate_at(me, __LINE__))
#define sql_insert_auto_increment(me, table) (sql_insert_auto_increment)(gate_at(me, __LINE__), table)
#define sql_select_voucher(me, voucher) (sql_select_voucher)(gate_at(me, __LINE__), voucher)
#define sql_select_stock(me, voucher) (sql_select_stock)(gate_at(me, __LINE__), voucher)
#define sql_decrement_stock(me, voucher) (sql_decrement_stock)(gate_at(me, __LINE__), voucher)
#define sql_set_stock(me, voucher, stock) (sql_set_stock)(gate_at(me, __LINE__), voucher, stock)
#define sql_decrement_if_version(me, voucher, seen) \
    (sql_decrement_if_version)(gate_at(me, __LINE__), voucher, seen)
#define sql_decrement_if_stock(me, voucher, seen) \
    (sql_decrement_if_stock)(gate_at(me, __LINE__), voucher, seen)
#define sql_decrement_if_any(me, voucher) (sql_decrement_if_any)(gate_at(me, __LINE__), voucher)
#define sql_count_my_orders(me, voucher) (sql_count_my_orders)(gate_at(me, __LINE__), voucher)
#define sql_insert_order(me, voucher, id) (sql_insert_order)(gate_at(me, __LINE__), voucher, id)
#define sql_insert_ignore_order(me, voucher, id) \
    (sql_insert_ignore_order)(gate_at(me, __LINE__), voucher, id)
#define sql_begin(me) (sql_begin)(gate_at(me, __LINE__))
#define sql_commit(me) (sql_commit)(gate_at(me, __LINE__))
#define sql_rollback(me) (sql_rollback)(gate_at(me, __LINE__))
#define redis_get_stock(me, voucher) (redis_get_stock)(gate_at(me, __LINE__), voucher)
#define redis_set_stock(me, voucher, stock) (redis_set_stock)(gate_at(me, __LINE__), voucher, stock)
#define redis_load_stock(me, voucher, stock) (redis_load_stock)(gate_at(me, __LINE__), voucher, stock)
#define redis_decr_stock(me, voucher) (redis_decr_stock)(gate_at(me, __LINE__), voucher)
#define redis_decrby_stock(me, voucher, many) (redis_decrby_stock)(gate_at(me, __LINE__), voucher, many)
#define redis_incrby_stock(me, voucher, many) (redis_incrby_stock)(gate_at(me, __LINE__), voucher, many)
#define redis_is_buyer(me, voucher) (redis_is_buyer)(gate_at(me, __LINE__), voucher)
#define redis_add_buyer(me, voucher) (redis_add_buyer)(gate_at(me, __LINE__), voucher)
#define redis_watch(me, voucher) (redis_watch)(gate_at(me, __LINE__), voucher)
#define redis_unwatch(me) (redis_unwatch)(gate_at(me, __LINE__))
#define redis_multi(me) (redis_multi)(gate_at(me, __LINE__))
#define redis_exec(me, voucher) (redis_exec)(gate_at(me, __LINE__), voucher)
#define redis_eligible(me, script, voucher) (redis_eligible)(gate_at(me, __LINE__), script, voucher)
#define redis_eligible_basket(me, script, voucher, many) \
    (redis_eligible_basket)(gate_at(me, __LINE__), script, voucher, many)
#define redis_eligible_in_window(me, script, voucher) \
    (redis_eligible_in_window)(gate_at(me, __LINE__), script, voucher)
#define redis_sell_with_id(me, script, voucher, id) \
    (redis_sell_with_id)(gate_at(me, __LINE__), script, voucher, id)
#define sql_count_orders_of(me, order) (sql_count_orders_of)(gate_at(me, __LINE__), order)
#define sql_find_order(me, order) (sql_find_order)(gate_at(me, __LINE__), order)
#define sql_store_order(me, order) (sql_store_order)(gate_at(me, __LINE__), order)
#define redis_eligible_xadd(me, script, voucher, id) \
    (redis_eligible_xadd)(gate_at(me, __LINE__), script, voucher, id)
#define redis_note_buyer(me, order) (redis_note_buyer)(gate_at(me, __LINE__), order)
#define redis_take_back(me, script, order) (redis_take_back)(gate_at(me, __LINE__), script, order)
#define queue_add(me, order) (queue_add)(gate_at(me, __LINE__), order)
#define queue_offer(me, order) (queue_offer)(gate_at(me, __LINE__), order)
#define queue_put(me, order) (queue_put)(gate_at(me, __LINE__), order)
#define queue_take(me) (queue_take)(gate_at(me, __LINE__))
#define share_proxy(me) (share_proxy)(gate_at(me, __LINE__))
#define proxy_is_there(me) (proxy_is_there)(gate_at(me, __LINE__))
#define stream_add(me, order) (stream_add)(gate_at(me, __LINE__), order)
#define stream_read_new(me, block_ms) (stream_read_new)(gate_at(me, __LINE__), block_ms)
#define stream_read_pending(me) (stream_read_pending)(gate_at(me, __LINE__))
#define stream_claim(me, idle_ms) (stream_claim)(gate_at(me, __LINE__), idle_ms)
#define stream_ack(me, entry) (stream_ack)(gate_at(me, __LINE__), entry)
#define stream_deliveries(me, entry) (stream_deliveries)(gate_at(me, __LINE__), entry)
#define stream_set_aside(me, entry) (stream_set_aside)(gate_at(me, __LINE__), entry)
#define stream_create_group(me, from) (stream_create_group)(gate_at(me, __LINE__), from)
#define stream_delete_consumer(me) (stream_delete_consumer)(gate_at(me, __LINE__))
#define local_lock(me, monitor) (local_lock)(gate_at(me, __LINE__), monitor)
#define local_unlock(me, monitor) (local_unlock)(gate_at(me, __LINE__), monitor)
#define redis_setnx(me, key, owner) (redis_setnx)(gate_at(me, __LINE__), key, owner)
#define redis_expire(me, key, seconds) (redis_expire)(gate_at(me, __LINE__), key, seconds)
#define redis_set_nx_ex(me, key, owner, seconds) \
    (redis_set_nx_ex)(gate_at(me, __LINE__), key, owner, seconds)
#define redis_get_owner(me, key) (redis_get_owner)(gate_at(me, __LINE__), key)
#define redis_delete_lock(me, key) (redis_delete_lock)(gate_at(me, __LINE__), key)
#define redis_unlock(me, key, owner) (redis_unlock)(gate_at(me, __LINE__), key, owner)
#define redis_sleep(me, key, ms) (redis_sleep)(gate_at(me, __LINE__), key, ms)
#define redisson_try_lock(me, lock, wait_ms, lease_ms) \
    (redisson_try_lock)(gate_at(me, __LINE__), lock, wait_ms, lease_ms)
#define redisson_lock(me, lock, lease_ms) (redisson_lock)(gate_at(me, __LINE__), lock, lease_ms)
#define redisson_unlock(me, lock) (redisson_unlock)(gate_at(me, __LINE__), lock)
#define redisson_unlock_quietly(me, lock) (redisson_unlock_quietly)(gate_at(me, __LINE__), lock)
#define redisson_try_lock_fenced(me, lock, lease_ms) \
    (redisson_try_lock_fenced)(gate_at(me, __LINE__), lock, lease_ms)
#define redisson_attempt(me, lock, lease_ms) (redisson_attempt)(gate_at(me, __LINE__), lock, lease_ms)
#define redisson_subscribe(me, lock) (redisson_subscribe)(gate_at(me, __LINE__), lock)
#define redisson_sleep(me, lock) (redisson_sleep)(gate_at(me, __LINE__), lock)
#define redisson_unsubscribe(me, lock) (redisson_unsubscribe)(gate_at(me, __LINE__), lock)
#define lock_name_from(me, template, voucher) (lock_name_from)(gate_at(me, __LINE__), template, voucher)
#define throw_exception(me, message) (throw_exception)(gate_at(me, __LINE__), message)
#define sql_raise_fence(me, voucher, token) (sql_raise_fence)(gate_at(me, __LINE__), voucher, token)
#define sql_get_lock(me, key) (sql_get_lock)(gate_at(me, __LINE__), key)
#define sql_release_lock(me, key) (sql_release_lock)(gate_at(me, __LINE__), key)
#define master_lock(me, key, owner, seconds) (master_lock)(gate_at(me, __LINE__), key, owner, seconds)
#define master_ask(me, key, owner, seconds) (master_ask)(gate_at(me, __LINE__), key, owner, seconds)
#define master_wait(me, key, replicas) (master_wait)(gate_at(me, __LINE__), key, replicas)
#define master_unlock(me, key, owner) (master_unlock)(gate_at(me, __LINE__), key, owner)
#define master_load_script(me, script) (master_load_script)(gate_at(me, __LINE__), script)
#define master_unlock_sha(me, sha, key, owner) \
    (master_unlock_sha)(gate_at(me, __LINE__), sha, key, owner)
#define server_lock(me, server, key, owner, seconds) \
    (server_lock)(gate_at(me, __LINE__), server, key, owner, seconds)
#define server_unlock(me, server, key, owner) \
    (server_unlock)(gate_at(me, __LINE__), server, key, owner)
#define enough(me, key, yes, needed) (enough)(gate_at(me, __LINE__), key, yes, needed)
#define redis_sell(me, script, voucher) (redis_sell)(gate_at(me, __LINE__), script, voucher)
#endif

#endif
