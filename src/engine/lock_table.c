#include "engine/lock_table.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/steps.h"
#include "lock/port_redis.h"

enum { MS = 1000000, MS_PER_SECOND = 1000, FOR_EVER = -1 };

/* ---- what the words are --------------------------------------------------------------------------- */

static const struct {
    const char *name, *call;
    int wait_ms;
    const char *exception; /* NULL: skips */
} strategies[LOCK_TABLE_STRATEGIES] = {
    [SKIP_FAST] = {"skip-fast", "tryLock(0, -1)", 0, NULL},
    [FAIL_FAST] = {"fail-fast", "tryLock(0, -1)", 0, "too many requests"},
    [SKIP_AFTER_TIMEOUT] = {"skip-after-timeout", "tryLock(1000, -1)", LOCK_TABLE_WAIT_MS, NULL},
    [FAIL_AFTER_TIMEOUT] = {"fail-after-timeout", "tryLock(1000, -1)", LOCK_TABLE_WAIT_MS, "the wait is over"},
    [KEEP_TRYING] = {"keep-trying", "lock(-1)", FOR_EVER, NULL},
};

static const char *const kind_names[LOCK_TABLE_KINDS] = {
    [LOCK_REENTRANT] = "reentrant", [LOCK_FAIR] = "fair", [LOCK_READER] = "read", [LOCK_WRITER] = "write"};

static const struct {
    const char *name, *words;
} outcomes[] = {
    [LOCK_ROW_WAITS] = {NULL, N_("waits")},
    [LOCK_ROW_TRIES] = {NULL, N_("tries")},
    [LOCK_ROW_LOCKED] = {"locked", N_("has the lock")},
    [LOCK_ROW_SKIPPED] = {"skipped", N_("skipped: null")},
    [LOCK_ROW_FAILED] = {"failed", N_("throws")},
    [LOCK_ROW_NONE] = {"none", N_("no answer")},
};

const char *lock_kind_name(LockKind kind)
{
    return kind_names[kind];
}

const char *lock_strategy_name(Strategy strategy)
{
    return strategies[strategy].name;
}

const char *lock_strategy_call(Strategy strategy)
{
    return strategies[strategy].call;
}

const char *lock_outcome_name(LockOutcome outcome)
{
    return outcomes[outcome].name;
}

const char *lock_outcome_words(LockOutcome outcome)
{
    return _(outcomes[outcome].words);
}

LockOutcome lock_row_expected(const LockRow *row)
{
    if (row->kind == LOCK_READER || row->strategy == KEEP_TRYING) return LOCK_ROW_LOCKED;
    return strategies[row->strategy].exception ? LOCK_ROW_FAILED : LOCK_ROW_SKIPPED;
}

/* ---- one table ---------------------------------------------------------------------------------------- */

struct LockTabler {
    RedisAddress address;
    Watchdog *watchdog;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t stopping;
    LockTable table;
    bool stop;
    pthread_t thread[LOCK_TABLE_KINDS];
    int threads;
};

/* The two of a row. A port is one thread's at a time. */
typedef struct Pair {
    LockTabler *tabler;
    RedisPort *holders, *others;
    Lock held, wanted;
    bool through; /* the other one is; guarded by the tabler's mutex */
} Pair;

static void set_row(LockTabler *tabler, int index, const LockRow *row)
{
    pthread_mutex_lock(&tabler->mutex);
    tabler->table.row[index] = *row;
    if (row->outcome >= LOCK_ROW_LOCKED) tabler->table.done++;
    pthread_mutex_unlock(&tabler->mutex);
}

static bool is_stopping(LockTabler *tabler)
{
    pthread_mutex_lock(&tabler->mutex);
    bool stop = tabler->stop;
    pthread_mutex_unlock(&tabler->mutex);
    return stop;
}

/* ---- the one who has it --------------------------------------------------------------------------------- */

static struct timespec moment_in(int ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / MS_PER_SECOND;
    at.tv_nsec += (long)(ms % MS_PER_SECOND) * MS;
    if (at.tv_nsec >= MS_PER_SECOND * (long)MS) {
        at.tv_nsec -= MS_PER_SECOND * (long)MS;
        at.tv_sec++;
    }
    return at;
}

/* Gives back when its time is up, when the other one is through, or at the end of all. */
static void *hold(void *data)
{
    Pair *pair = data;
    LockTabler *tabler = pair->tabler;
    const struct timespec until = moment_in(LOCK_TABLE_HOLD_MS);
    pthread_mutex_lock(&tabler->mutex);
    while (!pair->through && !tabler->stop &&
           pthread_cond_timedwait(&tabler->stopping, &tabler->mutex, &until) == 0) {
    }
    pthread_mutex_unlock(&tabler->mutex);
    lock_give(&pair->held);
    return NULL;
}

static void let_go(Pair *pair)
{
    pthread_mutex_lock(&pair->tabler->mutex);
    pair->through = true;
    pthread_cond_broadcast(&pair->tabler->stopping);
    pthread_mutex_unlock(&pair->tabler->mutex);
}

/* ---- the one who tries ------------------------------------------------------------------------------------ */

static LockResult try_in_its_way(Lock *lock, Strategy strategy)
{
    int wait_ms = strategies[strategy].wait_ms;
    return wait_ms == FOR_EVER ? lock_take(lock, WATCHED) : lock_try_for(lock, wait_ms, WATCHED);
}

static void judge(LockRow *row, LockResult result)
{
    const char *exception = strategies[row->strategy].exception;
    if (result == LOCK_GOT) {
        row->outcome = LOCK_ROW_LOCKED;
    } else if (result != LOCK_REFUSED) {
        row->outcome = LOCK_ROW_NONE;
        snprintf(row->error, sizeof row->error, "%s", lock_error());
    } else {
        row->outcome = exception ? LOCK_ROW_FAILED : LOCK_ROW_SKIPPED;
        if (exception) snprintf(row->error, sizeof row->error, "%s", exception);
    }
}

static void try_other(Pair *pair, LockRow *row)
{
    uint64_t begun_ns = clock_now_ns();
    LockResult result = try_in_its_way(&pair->wanted, row->strategy);
    row->waited_ms = (double)(clock_now_ns() - begun_ns) / MS;
    judge(row, result);
    if (result == LOCK_GOT) lock_give(&pair->wanted);
}

/* ---- a row ------------------------------------------------------------------------------------------------ */

static void open_lock(Lock *lock, RedisPort *port, const LockRow *row, const char *owner)
{
    char name[LOCK_NAME_LENGTH];
    snprintf(name, sizeof name, "lock:coupon:%s:%s", kind_names[row->kind], strategies[row->strategy].name);
    lock_init(lock, port_redis_port(port), row->kind, name, owner);
    lock->watchdog_ms = WATCHDOG_TIMEOUT_MS;
}

static void run_row(Pair *pair, LockRow *row)
{
    pthread_t holder;
    pair->through = false;
    open_lock(&pair->held, pair->holders, row, "holder:1");
    open_lock(&pair->wanted, pair->others, row, "other:1");
    LockResult result = lock_try(&pair->held, WATCHED, NULL);
    if (result != LOCK_GOT || pthread_create(&holder, NULL, hold, pair) != 0) {
        row->outcome = LOCK_ROW_NONE;
        snprintf(row->error, sizeof row->error, "%s", lock_error());
        if (result == LOCK_GOT) lock_give(&pair->held);
        return;
    }
    try_other(pair, row);
    let_go(pair);
    pthread_join(holder, NULL);
}

static void fail_kind(LockTabler *tabler, LockKind kind, const Error *error)
{
    for (int i = 0; i < LOCK_TABLE_STRATEGIES; i++) {
        LockRow row = {.kind = kind, .strategy = (Strategy)i, .outcome = LOCK_ROW_NONE};
        snprintf(row.error, sizeof row.error, "%.150s", error->text);
        set_row(tabler, (int)kind * LOCK_TABLE_STRATEGIES + i, &row);
    }
}

static void run_kind(LockTabler *tabler, LockKind kind, Pair *pair)
{
    for (int i = 0; i < LOCK_TABLE_STRATEGIES && !is_stopping(tabler); i++) {
        int index = (int)kind * LOCK_TABLE_STRATEGIES + i;
        LockRow row = {.kind = kind, .strategy = (Strategy)i, .outcome = LOCK_ROW_TRIES};
        set_row(tabler, index, &row);
        run_row(pair, &row);
        set_row(tabler, index, &row);
    }
}

typedef struct Share {
    LockTabler *tabler;
    LockKind kind;
} Share;

static void *work(void *data)
{
    Share share = *(Share *)data;
    free(data);
    Error error = {""};
    Pair pair = {.tabler = share.tabler};
    pair.holders = port_redis_open(&share.tabler->address, share.tabler->watchdog, &error);
    if (pair.holders) pair.others = port_redis_open(&share.tabler->address, share.tabler->watchdog, &error);
    if (pair.others)
        run_kind(share.tabler, share.kind, &pair);
    else
        fail_kind(share.tabler, share.kind, &error);
    if (pair.others) port_redis_close(pair.others);
    if (pair.holders) port_redis_close(pair.holders);
    return NULL;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

static void make_monotonic(pthread_cond_t *condition)
{
    pthread_condattr_t kind;
    pthread_condattr_init(&kind);
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &kind);
    pthread_condattr_destroy(&kind);
}

static bool start_kind(LockTabler *tabler, LockKind kind)
{
    Share *share = malloc(sizeof *share);
    if (!share) return false;
    *share = (Share){tabler, kind};
    if (pthread_create(&tabler->thread[kind], NULL, work, share) == 0) {
        tabler->threads++;
        return true;
    }
    free(share);
    return false;
}

LockTabler *lock_tabler_open(const RedisAddress *address, Error *error)
{
    LockTabler *tabler = calloc(1, sizeof *tabler);
    if (!tabler) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    tabler->address = *address;
    pthread_mutex_init(&tabler->mutex, NULL);
    make_monotonic(&tabler->stopping);
    for (int i = 0; i < LOCK_TABLE_ROWS; i++)
        tabler->table.row[i] = (LockRow){.kind = (LockKind)(i / LOCK_TABLE_STRATEGIES),
                                         .strategy = (Strategy)(i % LOCK_TABLE_STRATEGIES)};
    bool started = (tabler->watchdog = watchdog_start(address, error)) != NULL;
    for (int i = 0; started && i < LOCK_TABLE_KINDS; i++) {
        started = start_kind(tabler, (LockKind)i);
        if (!started) error_set(error, "%s", _("Out of memory."));
    }
    if (started) return tabler;
    lock_tabler_close(tabler);
    return NULL;
}

void lock_tabler_look(LockTabler *tabler, LockTable *table)
{
    pthread_mutex_lock(&tabler->mutex);
    *table = tabler->table;
    pthread_mutex_unlock(&tabler->mutex);
    table->over = table->done == LOCK_TABLE_ROWS;
}

void lock_tabler_close(LockTabler *tabler)
{
    if (!tabler) return;
    pthread_mutex_lock(&tabler->mutex);
    tabler->stop = true;
    pthread_cond_broadcast(&tabler->stopping);
    pthread_mutex_unlock(&tabler->mutex);
    for (int i = 0; i < tabler->threads; i++) pthread_join(tabler->thread[i], NULL);
    if (tabler->watchdog) watchdog_stop(tabler->watchdog);
    pthread_cond_destroy(&tabler->stopping);
    pthread_mutex_destroy(&tabler->mutex);
    free(tabler);
}
