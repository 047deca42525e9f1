/* What each kind of lock sends: its script, its keys, its arguments. */
#include <inttypes.h>
#include <stdio.h>

#include "lock/lock_private.h"

typedef struct Number {
    char text[24];
} Number;

static Number number(int64_t value)
{
    Number result;
    snprintf(result.text, sizeof result.text, "%" PRId64, value);
    return result;
}

static LockReply run(Lock *lock, const char *script, int keys, int count, const char **words)
{
    return lock->port->run(lock->port->data, script, keys, count, words);
}

/* A writer's field in the hash: it may read as well, under its plain name. */
static const char *write_field(const Lock *lock, char *text)
{
    snprintf(text, LOCK_KEY_LENGTH, "%s:write", lock->owner);
    return text;
}

/* ---- taking ------------------------------------------------------------------------------------ */

static LockReply take_reentrant(Lock *lock, int64_t lease_ms, bool queue)
{
    (void)queue;
    Number lease = number(lease_ms);
    return run(lock, "lock_take.lua", 1, 3, (const char *[]){lock->name, lease.text, lock->owner});
}

static LockReply take_fair(Lock *lock, int64_t lease_ms, bool queue)
{
    char waiting[LOCK_KEY_LENGTH], deadlines[LOCK_KEY_LENGTH];
    Number lease = number(lease_ms), wait = number(lock->fair_wait_ms);
    Number now = number(lock->port->wall(lock->port->data));
    return run(lock, "fair_take.lua", 3, 8,
               (const char *[]){lock->name, lock_key_queue(lock, waiting),
                                lock_key_deadlines(lock, deadlines), lease.text, lock->owner, wait.text,
                                now.text, queue ? "1" : "0"});
}

static LockReply take_read(Lock *lock, int64_t lease_ms, bool queue)
{
    (void)queue;
    char holds[LOCK_KEY_LENGTH], field[LOCK_KEY_LENGTH];
    Number lease = number(lease_ms);
    return run(lock, "read_take.lua", 2, 5,
               (const char *[]){lock->name, lock_key_holds(lock, holds), lease.text, lock->owner,
                                write_field(lock, field)});
}

static LockReply take_write(Lock *lock, int64_t lease_ms, bool queue)
{
    (void)queue;
    char field[LOCK_KEY_LENGTH];
    Number lease = number(lease_ms);
    return run(lock, "write_take.lua", 1, 3,
               (const char *[]){lock->name, lease.text, write_field(lock, field)});
}

/* ---- giving back ------------------------------------------------------------------------------- */

static LockReply give_reentrant(Lock *lock)
{
    char channel[LOCK_KEY_LENGTH], latch[LOCK_KEY_LENGTH];
    Number lease = number(lock->watchdog_ms), life = number(LOCK_LATCH_MS);
    return run(lock, "lock_give.lua", 3, 6,
               (const char *[]){lock->name, lock_key_channel(lock, channel), lock_key_latch(lock, latch),
                                lease.text, lock->owner, life.text});
}

static LockReply give_fair(Lock *lock)
{
    char waiting[LOCK_KEY_LENGTH], deadlines[LOCK_KEY_LENGTH], channel[LOCK_KEY_LENGTH];
    char latch[LOCK_KEY_LENGTH];
    Lock shared = *lock;
    shared.kind = LOCK_REENTRANT; /* the channel's common beginning: the script adds the head's name */
    Number lease = number(lock->watchdog_ms), life = number(LOCK_LATCH_MS);
    Number now = number(lock->port->wall(lock->port->data));
    return run(lock, "fair_give.lua", 5, 9,
               (const char *[]){lock->name, lock_key_queue(lock, waiting),
                                lock_key_deadlines(lock, deadlines), lock_key_channel(&shared, channel),
                                lock_key_latch(lock, latch), lease.text, lock->owner, now.text, life.text});
}

static LockReply give_read(Lock *lock)
{
    char channel[LOCK_KEY_LENGTH], latch[LOCK_KEY_LENGTH], holds[LOCK_KEY_LENGTH];
    char tagged[LOCK_KEY_LENGTH + 4];
    Number life = number(LOCK_LATCH_MS);
    lock_key_holds(lock, holds);
    /* "{name}" is what stands before ":owner:rwlock_timeout". */
    int length = (int)snprintf(NULL, 0, ":%s:rwlock_timeout", lock->owner);
    snprintf(tagged, sizeof tagged, "%s", holds);
    for (int i = 0; tagged[i]; i++)
        if (tagged[i + length] == '\0') {
            tagged[i] = '\0';
            break;
        }
    return run(lock, "read_give.lua", 5, 7,
               (const char *[]){lock->name, lock_key_channel(lock, channel), lock_key_latch(lock, latch),
                                holds, tagged, lock->owner, life.text});
}

static LockReply give_write(Lock *lock)
{
    char channel[LOCK_KEY_LENGTH], latch[LOCK_KEY_LENGTH], field[LOCK_KEY_LENGTH];
    Number lease = number(lock->watchdog_ms), life = number(LOCK_LATCH_MS);
    return run(lock, "write_give.lua", 3, 6,
               (const char *[]){lock->name, lock_key_channel(lock, channel), lock_key_latch(lock, latch),
                                lease.text, write_field(lock, field), life.text});
}

/* ---- renewing ------------------------------------------------------------------------------------ */

static LockReply renew_hash(Lock *lock)
{
    Number lease = number(lock->watchdog_ms);
    return run(lock, "lock_renew.lua", 1, 3, (const char *[]){lock->name, lease.text, lock->owner});
}

static LockReply renew_write(Lock *lock)
{
    char field[LOCK_KEY_LENGTH];
    Number lease = number(lock->watchdog_ms);
    return run(lock, "lock_renew.lua", 1, 3,
               (const char *[]){lock->name, lease.text, write_field(lock, field)});
}

static LockReply renew_read(Lock *lock)
{
    char holds[LOCK_KEY_LENGTH];
    Number lease = number(lock->watchdog_ms);
    return run(lock, "read_renew.lua", 2, 4,
               (const char *[]){lock->name, lock_key_holds(lock, holds), lease.text, lock->owner});
}

/* ---- by kind --------------------------------------------------------------------------------------- */

static const struct {
    LockReply (*take)(Lock *lock, int64_t lease_ms, bool queue);
    LockReply (*give)(Lock *lock);
    LockReply (*renew)(Lock *lock);
} senders[] = {
    [LOCK_REENTRANT] = {take_reentrant, give_reentrant, renew_hash},
    [LOCK_FAIR] = {take_fair, give_fair, renew_hash},
    [LOCK_READER] = {take_read, give_read, renew_read},
    [LOCK_WRITER] = {take_write, give_write, renew_write},
};

LockReply lock_send_take(Lock *lock, int64_t lease_ms, bool queue)
{
    return senders[lock->kind].take(lock, lease_ms, queue);
}

LockReply lock_send_give(Lock *lock)
{
    return senders[lock->kind].give(lock);
}

LockReply lock_send_renew(Lock *lock)
{
    return senders[lock->kind].renew(lock);
}

void lock_send_leave(Lock *lock)
{
    char waiting[LOCK_KEY_LENGTH], deadlines[LOCK_KEY_LENGTH];
    Number wait = number(lock->fair_wait_ms);
    run(lock, "fair_leave.lua", 2, 4,
        (const char *[]){lock_key_queue(lock, waiting), lock_key_deadlines(lock, deadlines), lock->owner,
                         wait.text});
}

LockReply lock_send_take_fenced(Lock *lock, int64_t lease_ms)
{
    char token[LOCK_KEY_LENGTH];
    Number lease = number(lease_ms);
    return run(lock, "lock_take_fenced.lua", 2, 4,
               (const char *[]){lock->name, lock_key_token(lock, token), lease.text, lock->owner});
}
