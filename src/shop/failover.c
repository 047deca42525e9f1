/* failover.c -- lesson 11: the lock is on a server, and servers
 * die. */
#define SECKILL_SHOP
#include "engine/steps.h"

enum { LEASE_SECONDS = 10, MAJORITY = 2 };

/* What the lock guards: one order for the user. Whether there
 * is one already is asked first, and nothing else prevents it. */
static Answer create_order(Actor *me, VoucherId voucher)
{
    long bought = sql_count_my_orders(me, voucher);
    if (bought > 0) return DUPLICATE;
    OrderId id = next_order_id(me);
    sql_insert_order(me, voucher, id);
    return ordered(id);
}

/* ---- a master and its replica ---- */

/* The master says yes, and that is believed. Its replica hears
 * of it a little later, or never. */
Answer buy_one_master(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    bool locked = master_lock(me, lock, mine, LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    master_unlock(me, lock, mine);
    return answer;
}

/* Believed only when the replica has it, too: WAIT 1. */
Answer buy_wait_replica(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    bool asked = master_ask(me, lock, mine, LEASE_SECONDS);
    if (!asked) return BUSY;
    bool locked = master_wait(me, lock, 1);
    if (!locked) {
        master_unlock(me, lock, mine);
        return BUSY;
    }
    Answer answer = attempt(me, create_order, voucher);
    master_unlock(me, lock, mine);
    return answer;
}

/* ---- three masters that know nothing of each other ---- */

/* Who said yes. */
typedef struct Votes {
    bool yes[SERVERS + 1];
    int count;
} Votes;

/* Asks one after the other, until it is decided. A dead one's
 * silence is a no. */
static Votes ask_servers(Actor *me, LockKey lock, Owner mine, int needed)
{
    Votes votes = {.count = 0};
    for (int server = 1; server <= SERVERS; server++) {
        bool yes = server_lock(me, server, lock, mine, LEASE_SECONDS);
        votes.yes[server] = yes;
        votes.count += yes;
        int unasked = SERVERS - server;
        if (votes.count == needed) break;
        if (votes.count + unasked < needed) break;
    }
    return votes;
}

static void release_servers(Actor *me, LockKey lock, Owner mine, Votes votes)
{
    for (int server = 1; server <= SERVERS; server++) {
        if (!votes.yes[server]) continue;
        server_unlock(me, server, lock, mine);
    }
}

/* MultiLock: all three must say yes. */
Answer buy_multilock(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    Votes votes = ask_servers(me, lock, mine, SERVERS);
    bool locked = enough(me, lock, votes.count, SERVERS);
    Answer answer = BUSY;
    if (locked) answer = attempt(me, create_order, voucher);
    release_servers(me, lock, mine, votes);
    return answer;
}

/* RedLock: two of three will do, so one may be dead. Two
 * majorities have a server in common, and it says yes once. */
Answer buy_redlock(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    Votes votes = ask_servers(me, lock, mine, MAJORITY);
    bool locked = enough(me, lock, votes.count, MAJORITY);
    Answer answer = BUSY;
    if (locked) answer = attempt(me, create_order, voucher);
    release_servers(me, lock, mine, votes);
    return answer;
}

/* ---- what else a new master does not have ---- */

/* The script is loaded once and called by its sha from then
 * on. A new master has never heard of it: NOSCRIPT. */
Answer buy_noscript(Actor *me, VoucherId voucher)
{
    LockKey lock = order_lock(me);
    Owner mine = uuid_and_thread(me);
    Sha unlock = master_load_script(me, "unlock.lua");
    bool locked = master_lock(me, lock, mine, LEASE_SECONDS);
    if (!locked) return BUSY;
    Answer answer = attempt(me, create_order, voucher);
    master_unlock_sha(me, unlock, lock, mine);
    return answer;
}
