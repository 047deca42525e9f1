/* step_kind.h -- the table of steps: their names, words and nature, the same in every process. */
#ifndef ENGINE_STEP_KIND_H
#define ENGINE_STEP_KIND_H

#include <stdbool.h>
#include <stdint.h>

typedef enum StepId {
    STEP_NONE,
    STEP_CLOCK,
    STEP_INCR_COUNTER,
    STEP_NEXT_ID,
    STEP_INSERT_AUTO,
    STEP_SELECT_VOUCHER,
    STEP_SELECT_STOCK,
    STEP_DECREMENT,
    STEP_SET_DB_STOCK,
    STEP_DECREMENT_VERSION,
    STEP_DECREMENT_STOCK,
    STEP_DECREMENT_ANY,
    STEP_COUNT_ORDERS,
    STEP_INSERT_ORDER,
    STEP_INSERT_IGNORE,
    STEP_BEGIN,
    STEP_COMMIT,
    STEP_ROLLBACK,
    STEP_GET_STOCK,
    STEP_SET_STOCK,
    STEP_LOCK,          /* a mutex of the node */
    STEP_UNLOCK,
    STEP_SETNX,         /* locks in Redis */
    STEP_EXPIRE,
    STEP_SET_NX_EX,
    STEP_GET_OWNER,
    STEP_DELETE_LOCK,
    STEP_UNLOCK_SCRIPT,
    STEP_GET_LOCK,      /* MySQL's */
    STEP_RELEASE_LOCK,
    STEP_SELL_SCRIPT,   /* scripts that fail midway: lesson 09 */
    STEP_DECR_STOCK,
    STEP_DECRBY_STOCK,  /* a sale decided in Redis: lessons 13 and 14 */
    STEP_INCRBY_STOCK,
    STEP_LOAD_STOCK,
    STEP_IS_BUYER,
    STEP_ADD_BUYER,
    STEP_WATCH,
    STEP_UNWATCH,
    STEP_MULTI,
    STEP_QUEUE_DECR,
    STEP_QUEUE_SADD,
    STEP_EXEC,
    STEP_ELIGIBLE,
    STEP_SELL_WITH_ID,
    STEP_QUEUE_ADD,     /* a queue in the node's memory, and its consumer: lesson 15 */
    STEP_QUEUE_OFFER,
    STEP_QUEUE_PUT,
    STEP_QUEUE_TAKE,
    STEP_SHARE_PROXY,
    STEP_READ_PROXY,
    STEP_FIND_ORDER,
    STEP_NOTE_BUYER,
    STEP_TAKE_BACK,
    STEP_ELIGIBLE_XADD, /* stream.orders: lesson 16 */
    STEP_STREAM_ADD,
    STEP_READ_NEW,
    STEP_READ_PENDING,
    STEP_ACK,
    STEP_CLAIM,
    STEP_DELIVERIES,
    STEP_SET_ASIDE,
    STEP_CREATE_GROUP,
    STEP_DELETE_CONSUMER,
    STEP_RLOCK_TAKE,    /* Redisson's locks: one step a script */
    STEP_RLOCK_TAKE_FENCED,
    STEP_RLOCK_GIVE,
    STEP_FAIR_TAKE,
    STEP_FAIR_GIVE,
    STEP_FAIR_LEAVE,
    STEP_READ_TAKE,
    STEP_READ_GIVE,
    STEP_WRITE_TAKE,
    STEP_WRITE_GIVE,
    STEP_RENEW,         /* a watchdog's */
    STEP_SUBSCRIBE,     /* waiting for a lock */
    STEP_UNSUBSCRIBE,
    STEP_AWAIT_LOCK,
    STEP_SLEEP,
    STEP_RAISE_FENCE,   /* lesson 10: the database refuses an older token */
    STEP_MASTER_LOCK,   /* lesson 11: on the master of a fleet */
    STEP_MASTER_ASK,
    STEP_MASTER_WAIT,
    STEP_MASTER_UNLOCK,
    STEP_LOAD_SCRIPT,
    STEP_MASTER_UNLOCK_SHA,
    STEP_SERVER_LOCK,   /* ... on one of three masters */
    STEP_SERVER_UNLOCK,
    STEP_ENOUGH,        /* the answers of several servers together */
    STEP_THROW,         /* an exception of the shop's own: lesson 12 */
    STEP_TELL,          /* tells the user the answer: a step where a node may be killed */
    STEP_COUNT
} StepId;

typedef enum StepStore { STEP_LOCAL, STEP_REDIS, STEP_SQL, STEP_SERVER /* of a fleet */, STEP_STORES } StepStore;

/* Redis numbers no errors: as an event's code, beside those of MySQL, stands */
enum { CODE_NOSCRIPT = 100001 };

/* The value of RESULT_OWNER. */
typedef enum OwnerValue { OWNER_NOBODY, OWNER_ME, OWNER_OTHER } OwnerValue;

/* How a result is shown. */
typedef enum ResultForm {
    RESULT_NOTHING, /* ok */
    RESULT_NUMBER,
    RESULT_ROWS,    /* rows changed */
    RESULT_ID,
    RESULT_INSERTED, /* 1 inserted, 0 refused by a unique index */
    RESULT_LOCKED,  /* 1 got it, 0 somebody has it */
    RESULT_YES,     /* 1 yes, 0 no */
    RESULT_PART,    /* of a lock that is several: -1 this part is gone, 0 it was not there */
    RESULT_FREED,   /* 1 it was there, 0 it was not */
    RESULT_GIVEN,   /* 1 it is free now, 0 it was taken more often, -1 it was not its own */
    RESULT_WOKEN,   /* 1 by a message, 0 by time */
    RESULT_RENEWED, /* 1 done, 0 it is not the holder's any more */
    RESULT_FENCED,  /* 1 row: let in, 0: an older token */
    RESULT_OWNER,   /* an OwnerValue */
    RESULT_QUEUED,  /* it waits for EXEC */
    RESULT_EXECUTED, /* 1 executed, 0 a watched key had changed */
    RESULT_LOADED,  /* 1 written, 0 the key was there */
    RESULT_ELIGIBLE, /* what an eligibility script says: see steps.h */
    RESULT_PUT,      /* 1 it is in, 0 the queue is full */
    RESULT_ENTRY,    /* the id of the order in it, 0 an entry without one, -1 no entry */
    RESULT_THERE     /* 1 it is there, 0 it is not */
} ResultForm;

/* What a step does to the lock it names (Event.argument = lock id). */
typedef enum LockRole {
    LOCK_NO,
    LOCK_TAKES, /* value 1: got it */
    LOCK_GIVES  /* value > 0: it was there, and is gone; 0: not yet, it was taken more often */
} LockRole;

typedef struct StepKind {
    const char *name;    /* "select-stock": what faults and --schedule name */
    StepStore store;
    const char *command; /* "UPDATE ... version = {a}": {key}, {a} and {b} are filled in */
    const char *story;   /* N_(): "reads the stock" */
    ResultForm result;
    bool attempt;        /* counts as one attempt at the purchase */
    LockRole lock;
    bool shares; /* takes or gives back a lock that others may have in the same way: readers */
    bool queues; /* takes a lock for which there is a queue */
} StepKind;

extern const StepKind step_kinds[STEP_COUNT];

/* The command of a step as people read it, e.g. "UPDATE stock = stock - 1". */
void step_command(StepId step, const char *key, int64_t argument, int64_t second, char *text, int size);
/* The result of a step in words: "1", "no row", "1062 duplicate key", "connection lost". */
void step_result(StepId step, int status, int64_t value, unsigned code, char *text, int size);
/* The step whose name is, or begins with, `name`; STEP_NONE when there is none. */
StepId step_find(const char *name);

#endif
