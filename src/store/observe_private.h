/* observe_private.h -- what the sources of observe share. Inside src/store only. */
#ifndef STORE_OBSERVE_PRIVATE_H
#define STORE_OBSERVE_PRIVATE_H

#include <stdatomic.h>

#include "base/text.h"
#include "store/observe.h"

/* A key's name as Redis has it, to ask with; the view has the clean one. */
typedef struct KeyName {
    char bytes[128];
    size_t length;
} KeyName;

/* What was shown last: to see changes, and to go on watching the same keys. */
typedef struct KeyMemory {
    KeyName name[SNAPSHOT_KEYS];
    KeyView view[SNAPSHOT_KEYS];
    int count;
    bool any; /* a snapshot has been taken */
} KeyMemory;

/* One that is closed opens again, but not at every frame. */
typedef struct Retry {
    uint64_t not_before_ns;
} Retry;

struct Observer {
    const Stores *stores;
    RedisAddress redis_address;
    SqlAddress sql_address;
    bool redis_own, sql_own;
    RedisLink *redis;
    SqlLink *sql;
    Retry redis_retry, sql_retry;
    KeyMemory memory;
    Observer *server[FLEET_SERVERS]; /* of the fleet: with a link and a memory of its own; NULL: not looked at yet */
    unsigned fleet_serial;           /* the fleet that they are of */
    /* What the learner types has links of its own: a MULTI or BEGIN typed there must not catch what
     * the observer asks in between. Opened at the first use. */
    RedisLink *typed_redis;
    SqlLink *typed_sql;
    _Atomic uint64_t typed_id; /* its connection, while a query runs; else 0 */
};

/* True when a dead link may be tried again now. */
bool retry_due(Retry *retry);

/* Looks at the servers of the fleet, if there is one. */
void observe_fleet(Observer *observer, Snapshot *snapshot);
void observe_fleet_end(Observer *observer);

/* Reads the keys into the snapshot. False: the link is lost. `scanned` is the reply of a first
 * SCAN, `total` the size of the database. */
bool observe_keys(Observer *observer, int64_t voucher, const redisReply *scanned, long total,
                  Snapshot *snapshot);
/* The head of a value of any type, clean, on one line. */
void observe_value(const char *type, const redisReply *reply, char *value, size_t size);

/* Splits a typed line as redis-cli does: blanks, "..." with \n \xHH and the like, '...'. Returns
 * the number of words, -1 for unbalanced quotes. Words and lengths are the caller's (words_free()).
 */
enum { TYPED_WORDS = 128 };
typedef struct Words {
    char *word[TYPED_WORDS];
    size_t length[TYPED_WORDS];
    int count;
} Words;
bool words_split(const char *line, Words *words);
void words_free(Words *words);
/* Why a command is not sent; NULL: it may be. */
const char *observe_redis_refusal(const Words *words, bool own);
/* Why a query is not sent; NULL: it may be. */
const char *observe_sql_refusal(const char *query, bool own);

#endif
