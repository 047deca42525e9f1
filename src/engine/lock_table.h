/* lock_table.h -- four kinds of locks and five strategies, tried on the real Redis, one row each.
 *
 * In each row one really has a lock of that kind, and another one tries to take the same lock in the row's way.
 * The holder gives back after LOCK_TABLE_HOLD_MS, or when the other one is through. Each kind has a thread, so that
 * the rows of different kinds come in side by side.
 *
 * The keys are "lock:coupon:KIND:STRATEGY"; none of them is left behind. */
#ifndef ENGINE_LOCK_TABLE_H
#define ENGINE_LOCK_TABLE_H

#include "base/error.h"
#include "lock/lock.h"
#include "store/redis_link.h"

enum {
    LOCK_TABLE_KINDS = 4,
    LOCK_TABLE_STRATEGIES = 5,
    LOCK_TABLE_ROWS = LOCK_TABLE_KINDS * LOCK_TABLE_STRATEGIES,
    LOCK_TABLE_WAIT_MS = 1000, /* of the strategies with a time-out */
    LOCK_TABLE_HOLD_MS = 1500  /* longer than that */
};

typedef enum Strategy { SKIP_FAST, FAIL_FAST, SKIP_AFTER_TIMEOUT, FAIL_AFTER_TIMEOUT, KEEP_TRYING } Strategy;

typedef enum LockOutcome {
    LOCK_ROW_WAITS,   /* its turn has not come */
    LOCK_ROW_TRIES,
    LOCK_ROW_LOCKED,  /* it has the lock, and has given it back since */
    LOCK_ROW_SKIPPED, /* null */
    LOCK_ROW_FAILED,  /* an exception: `error` */
    LOCK_ROW_NONE     /* Redis did not answer as it should: `error` */
} LockOutcome;

typedef struct LockRow {
    LockKind kind;     /* the holder's, and the other one's */
    Strategy strategy;
    LockOutcome outcome;
    char error[160];
    double waited_ms;  /* from the first attempt until the outcome was known */
} LockRow;

typedef struct LockTable {
    LockRow row[LOCK_TABLE_ROWS]; /* kind by kind */
    int done;
    bool over;
    bool stopped; /* before it was complete */
} LockTable;

typedef struct LockTabler LockTabler;

/* Begins. NULL with a reason when Redis cannot be reached. Thread: one. */
LockTabler *lock_tabler_open(const RedisAddress *address, Error *error);
/* How far it is. Returns at once. */
void lock_tabler_look(LockTabler *tabler, LockTable *table);
/* Ends it: locks that are held are given back, rows whose turn has not come are left out. Waits for it. */
void lock_tabler_close(LockTabler *tabler);

/* JSON names: "reentrant", "fair", "read", "write"; "skip-fast", ...; "locked", "skipped", "failed". */
const char *lock_kind_name(LockKind kind);
const char *lock_strategy_name(Strategy strategy);
const char *lock_outcome_name(LockOutcome outcome);
/* For people, translated. */
const char *lock_outcome_words(LockOutcome outcome);
/* What it comes to in Redisson: "tryLock(0, -1)". */
const char *lock_strategy_call(Strategy strategy);
/* What the row must come to: readers share, and of the others each strategy has its own end. */
LockOutcome lock_row_expected(const LockRow *row);

#endif
