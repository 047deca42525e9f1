#include "engine/step_kind.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/refusal.h"
#include "store/status.h"

const StepKind step_kinds[STEP_COUNT] = {
    [STEP_NONE] = {"none", STEP_LOCAL, "", "", RESULT_NOTHING, false, LOCK_NO},
    [STEP_CLOCK] = {"clock", STEP_LOCAL, "clock", N_("reads the clock"), RESULT_NUMBER, false, LOCK_NO},
    [STEP_INCR_COUNTER] = {"incr-counter", STEP_REDIS, "INCR {key}", N_("draws a number"),
                           RESULT_NUMBER, false, LOCK_NO},
    [STEP_NEXT_ID] = {"next-id", STEP_REDIS, "INCR {key}", N_("draws an order id"), RESULT_ID, false, LOCK_NO},
    [STEP_INSERT_AUTO] = {"insert-auto", STEP_SQL, "INSERT INTO tb_order_{a}",
                          N_("inserts, the table numbers it"), RESULT_ID, false, LOCK_NO},
    [STEP_SELECT_VOUCHER] = {"select-voucher", STEP_SQL, "SELECT * WHERE voucher_id = {a}",
                             N_("reads the voucher, stock"), RESULT_NUMBER, false, LOCK_NO},
    [STEP_SELECT_STOCK] = {"select-stock", STEP_SQL, "SELECT stock WHERE voucher_id = {a}",
                           N_("reads the stock"), RESULT_NUMBER, false, LOCK_NO},
    [STEP_DECREMENT] = {"decrement", STEP_SQL, "UPDATE stock = stock - 1", N_("takes one"),
                        RESULT_ROWS, true, LOCK_NO},
    [STEP_SET_DB_STOCK] = {"update-stock", STEP_SQL, "UPDATE stock = {b}", N_("writes the stock"),
                           RESULT_ROWS, true, LOCK_NO},
    [STEP_DECREMENT_VERSION] = {"decrement-if-version", STEP_SQL,
                                "UPDATE stock = stock - 1 WHERE version = {b}",
                                N_("takes one if the version still is as seen"), RESULT_ROWS, true, LOCK_NO},
    [STEP_DECREMENT_STOCK] = {"decrement-if-stock", STEP_SQL,
                              "UPDATE stock = stock - 1 WHERE stock = {b}",
                              N_("takes one if the stock still is as seen"), RESULT_ROWS, true, LOCK_NO},
    [STEP_DECREMENT_ANY] = {"decrement-if-any", STEP_SQL, "UPDATE stock = stock - 1 WHERE stock > 0",
                            N_("takes one if there is any"), RESULT_ROWS, true, LOCK_NO},
    [STEP_COUNT_ORDERS] = {"count-orders", STEP_SQL, "SELECT COUNT(*) WHERE user_id = {b}",
                           N_("counts own orders"), RESULT_NUMBER, false, LOCK_NO},
    [STEP_INSERT_ORDER] = {"insert-order", STEP_SQL, "INSERT order of user {b}",
                           N_("inserts the order"), RESULT_INSERTED, false, LOCK_NO},
    [STEP_INSERT_IGNORE] = {"insert-ignore", STEP_SQL, "INSERT IGNORE order of user {b}",
                            N_("inserts the order, or is ignored"), RESULT_ROWS, false, LOCK_NO},
    [STEP_BEGIN] = {"begin", STEP_SQL, "START TRANSACTION", N_("begins a transaction"),
                    RESULT_NOTHING, false, LOCK_NO},
    [STEP_COMMIT] = {"commit", STEP_SQL, "COMMIT", N_("commits"), RESULT_NOTHING, false, LOCK_NO},
    [STEP_ROLLBACK] = {"rollback", STEP_SQL, "ROLLBACK", N_("rolls back"), RESULT_NOTHING, false, LOCK_NO},
    [STEP_GET_STOCK] = {"get-stock", STEP_REDIS, "GET {key}", N_("reads the stock in Redis"),
                        RESULT_NUMBER, false, LOCK_NO},
    [STEP_SET_STOCK] = {"set-stock", STEP_REDIS, "SET {key} {b}", N_("writes the stock in Redis"),
                        RESULT_NOTHING, true, LOCK_NO},
    [STEP_LOCK] = {"lock", STEP_LOCAL, "lock {key}", N_("locks"), RESULT_LOCKED, .lock = LOCK_TAKES},
    [STEP_UNLOCK] = {"unlock", STEP_LOCAL, "unlock {key}", N_("unlocks"), RESULT_FREED,
                     .lock = LOCK_GIVES},
    [STEP_SETNX] = {"setnx", STEP_REDIS, "SETNX {key}", N_("tries to take the lock"), RESULT_LOCKED,
                    .lock = LOCK_TAKES},
    [STEP_EXPIRE] = {"expire", STEP_REDIS, "EXPIRE {key} {b}", N_("gives the lock a lease"),
                     RESULT_NOTHING, false, LOCK_NO},
    [STEP_SET_NX_EX] = {"set-nx-ex", STEP_REDIS, "SET {key} NX EX {b}",
                        N_("tries to take the lock, with a lease"), RESULT_LOCKED, .lock = LOCK_TAKES},
    [STEP_GET_OWNER] = {"get-owner", STEP_REDIS, "GET {key}", N_("reads whose lock it is"),
                        RESULT_OWNER, false, LOCK_NO},
    [STEP_DELETE_LOCK] = {"del", STEP_REDIS, "DEL {key}", N_("deletes the lock"), RESULT_FREED,
                          .lock = LOCK_GIVES},
    [STEP_UNLOCK_SCRIPT] = {"unlock-script", STEP_REDIS, "EVALSHA unlock.lua {key}",
                            N_("deletes the lock if it is its own"), RESULT_FREED, .lock = LOCK_GIVES},
    [STEP_GET_LOCK] = {"get-lock", STEP_SQL, "SELECT GET_LOCK('{key}', 0)", N_("tries to take MySQL's lock"),
                       RESULT_LOCKED, .lock = LOCK_TAKES},
    [STEP_RELEASE_LOCK] = {"release-lock", STEP_SQL, "SELECT RELEASE_LOCK('{key}')",
                           N_("releases MySQL's lock"), RESULT_FREED, .lock = LOCK_GIVES},
    [STEP_DECR_STOCK] = {"decr-stock", STEP_REDIS, "DECR {key}", N_("takes one in Redis"),
                         RESULT_NUMBER, true, LOCK_NO},
    [STEP_SELL_SCRIPT] = {"sell-script", STEP_REDIS, "EVALSHA {key}", N_("runs the script"),
                          RESULT_NUMBER, true, LOCK_NO},
    [STEP_DECRBY_STOCK] = {"decrby-stock", STEP_REDIS, "DECRBY {key} {b}", N_("takes its basket in Redis"),
                           RESULT_NUMBER, true, LOCK_NO},
    [STEP_INCRBY_STOCK] = {"give-back", STEP_REDIS, "INCRBY {key} {b}", N_("gives its basket back"),
                           RESULT_NUMBER, false, LOCK_NO},
    [STEP_LOAD_STOCK] = {"load-stock", STEP_REDIS, "SET {key} {b} NX", N_("loads the stock into Redis"),
                         RESULT_LOADED, false, LOCK_NO},
    [STEP_IS_BUYER] = {"is-buyer", STEP_REDIS, "SISMEMBER {key} {b}", N_("looks for itself among the buyers"),
                       RESULT_NUMBER, false, LOCK_NO},
    [STEP_ADD_BUYER] = {"add-buyer", STEP_REDIS, "SADD {key} {b}", N_("joins the buyers"), RESULT_NUMBER,
                        false, LOCK_NO},
    [STEP_WATCH] = {"watch", STEP_REDIS, "WATCH stock and buyers", N_("watches stock and buyers"),
                    RESULT_NOTHING, false, LOCK_NO},
    [STEP_UNWATCH] = {"unwatch", STEP_REDIS, "UNWATCH", N_("watches no more"), RESULT_NOTHING, false, LOCK_NO},
    [STEP_MULTI] = {"multi", STEP_REDIS, "MULTI", N_("begins a queue of commands"), RESULT_NOTHING, false,
                    LOCK_NO},
    [STEP_QUEUE_DECR] = {"queue-decr", STEP_REDIS, "DECR {key}", N_("queues: take one"), RESULT_QUEUED, false,
                         LOCK_NO},
    [STEP_QUEUE_SADD] = {"queue-sadd", STEP_REDIS, "SADD {key} {b}", N_("queues: join the buyers"),
                         RESULT_QUEUED, false, LOCK_NO},
    [STEP_EXEC] = {"exec", STEP_REDIS, "EXEC", N_("has the queue executed"), RESULT_EXECUTED, true, LOCK_NO},
    [STEP_ELIGIBLE] = {"eligible", STEP_REDIS, "EVALSHA {key}", N_("asks the script"), RESULT_ELIGIBLE, true,
                       LOCK_NO},
    [STEP_SELL_WITH_ID] = {"sell-with-id", STEP_REDIS, "EVALSHA {key}", N_("passes its id to the script"),
                           RESULT_ID, true, LOCK_NO},
    [STEP_QUEUE_ADD] = {"queue-add", STEP_LOCAL, "queue.add(order of user {b})", N_("puts the order into the queue"),
                        RESULT_PUT, false, LOCK_NO},
    [STEP_QUEUE_OFFER] = {"queue-offer", STEP_LOCAL, "queue.offer(order of user {b})",
                          N_("offers the order to the queue"), RESULT_PUT, false, LOCK_NO},
    [STEP_QUEUE_PUT] = {"queue-put", STEP_LOCAL, "queue.put(order of user {b})",
                        N_("puts the order in, once there is room"), RESULT_PUT, false, LOCK_NO},
    [STEP_QUEUE_TAKE] = {"queue-take", STEP_LOCAL, "queue.take()", N_("takes an order from the queue"),
                         RESULT_ENTRY, false, LOCK_NO},
    [STEP_SHARE_PROXY] = {"share-proxy", STEP_LOCAL, "proxy = currentProxy()", N_("hands over the proxy"),
                          RESULT_NOTHING, false, LOCK_NO},
    [STEP_READ_PROXY] = {"read-proxy", STEP_LOCAL, "proxy", N_("reads the proxy"), RESULT_THERE, false, LOCK_NO},
    [STEP_FIND_ORDER] = {"find-order", STEP_SQL, "SELECT COUNT(*) WHERE id = {b}", N_("looks for the order"),
                         RESULT_THERE, false, LOCK_NO},
    [STEP_NOTE_BUYER] = {"note-buyer", STEP_REDIS, "SADD {key} {b}", N_("notes the buyer"), RESULT_NUMBER, false,
                         LOCK_NO},
    [STEP_TAKE_BACK] = {"take-back", STEP_REDIS, "EVALSHA {key}", N_("takes the yes back in Redis"), RESULT_NOTHING,
                        false, LOCK_NO},
    [STEP_ELIGIBLE_XADD] = {"eligible-xadd", STEP_REDIS, "EVALSHA {key}", N_("asks the script, which adds to the stream"),
                            RESULT_ELIGIBLE, true, LOCK_NO},
    [STEP_STREAM_ADD] = {"stream-add", STEP_REDIS, "XADD {key} * user {b}", N_("adds the order to the stream"),
                         RESULT_NOTHING, false, LOCK_NO},
    [STEP_READ_NEW] = {"read-new", STEP_REDIS, "XREADGROUP g1 {key} >", N_("reads a new entry"), RESULT_ENTRY, false,
                       LOCK_NO},
    [STEP_READ_PENDING] = {"read-pending", STEP_REDIS, "XREADGROUP g1 {key} 0", N_("reads its pending entries"),
                           RESULT_ENTRY, false, LOCK_NO},
    [STEP_ACK] = {"ack", STEP_REDIS, "XACK stream.orders g1", N_("acknowledges the entry"), RESULT_NUMBER, false,
                  LOCK_NO},
    [STEP_CLAIM] = {"claim", STEP_REDIS, "XAUTOCLAIM g1 {key} {b} ms", N_("takes over what lies too long"),
                    RESULT_ENTRY, false, LOCK_NO},
    [STEP_DELIVERIES] = {"deliveries", STEP_REDIS, "XPENDING stream.orders g1", N_("asks how often it was delivered"),
                         RESULT_NUMBER, false, LOCK_NO},
    [STEP_SET_ASIDE] = {"set-aside", STEP_REDIS, "XADD stream.orders.dead", N_("sets the entry aside"),
                        RESULT_NOTHING, false, LOCK_NO},
    [STEP_CREATE_GROUP] = {"create-group", STEP_REDIS, "XGROUP CREATE g1 {key}", N_("makes the group"),
                           RESULT_LOADED, false, LOCK_NO},
    [STEP_DELETE_CONSUMER] = {"delete-consumer", STEP_REDIS, "XGROUP DELCONSUMER g1 {key}",
                              N_("deletes its own old self from the group"), RESULT_NUMBER, false, LOCK_NO},
    [STEP_RLOCK_TAKE] = {"rlock-take", STEP_REDIS, "lock_take.lua {key}", N_("tries to take the lock"),
                         RESULT_LOCKED, .lock = LOCK_TAKES},
    [STEP_RLOCK_TAKE_FENCED] = {"rlock-take-fenced", STEP_REDIS, "lock_take_fenced.lua {key}",
                                N_("tries to take the lock, and a number with it"), RESULT_LOCKED,
                                .lock = LOCK_TAKES},
    [STEP_RLOCK_GIVE] = {"rlock-give", STEP_REDIS, "lock_give.lua {key}", N_("gives the lock back"),
                         RESULT_GIVEN, .lock = LOCK_GIVES},
    [STEP_FAIR_TAKE] = {"fair-take", STEP_REDIS, "fair_take.lua {key}", N_("tries to take the fair lock"),
                        RESULT_LOCKED, .lock = LOCK_TAKES, .queues = true},
    [STEP_FAIR_GIVE] = {"fair-give", STEP_REDIS, "fair_give.lua {key}", N_("gives the fair lock back"),
                        RESULT_GIVEN, .lock = LOCK_GIVES},
    [STEP_FAIR_LEAVE] = {"fair-leave", STEP_REDIS, "fair_leave.lua {key}", N_("leaves the queue"),
                         RESULT_NOTHING, false, LOCK_NO},
    [STEP_READ_TAKE] = {"read-take", STEP_REDIS, "read_take.lua {key}", N_("tries to take the read lock"),
                        RESULT_LOCKED, .lock = LOCK_TAKES, .shares = true},
    [STEP_READ_GIVE] = {"read-give", STEP_REDIS, "read_give.lua {key}", N_("gives the read lock back"),
                        RESULT_GIVEN, .lock = LOCK_GIVES, .shares = true},
    [STEP_WRITE_TAKE] = {"write-take", STEP_REDIS, "write_take.lua {key}", N_("tries to take the write lock"),
                         RESULT_LOCKED, .lock = LOCK_TAKES},
    [STEP_WRITE_GIVE] = {"write-give", STEP_REDIS, "write_give.lua {key}", N_("gives the write lock back"),
                         RESULT_GIVEN, .lock = LOCK_GIVES},
    [STEP_RENEW] = {"renew", STEP_REDIS, "lock_renew.lua {key}", N_("renews the lease"), RESULT_RENEWED,
                    false, LOCK_NO},
    [STEP_SUBSCRIBE] = {"subscribe", STEP_REDIS, "SUBSCRIBE {key}", N_("listens to the lock's channel"),
                        RESULT_NOTHING, false, LOCK_NO},
    [STEP_UNSUBSCRIBE] = {"unsubscribe", STEP_REDIS, "UNSUBSCRIBE {key}", N_("stops listening"),
                          RESULT_NOTHING, false, LOCK_NO},
    [STEP_AWAIT_LOCK] = {"await", STEP_REDIS, "await {key}", N_("waits until the lock is free"),
                         RESULT_WOKEN, false, LOCK_NO},
    [STEP_SLEEP] = {"sleep", STEP_LOCAL, "sleep {b} ms", N_("sleeps before it tries again"), RESULT_NOTHING,
                    false, LOCK_NO},
    [STEP_RAISE_FENCE] = {"raise-fence", STEP_SQL, "UPDATE token = {b} WHERE token < {b}",
                          N_("shows its number to the database"), RESULT_FENCED, false, LOCK_NO},
    [STEP_MASTER_LOCK] = {"master-lock", STEP_SERVER, "master: SET {key} NX EX {b}",
                          N_("tries to take the lock on the master"), RESULT_LOCKED, .lock = LOCK_TAKES},
    [STEP_MASTER_ASK] = {"master-ask", STEP_SERVER, "master: SET {key} NX EX {b}",
                         N_("writes the lock to the master"), RESULT_LOCKED, false, LOCK_NO},
    [STEP_MASTER_WAIT] = {"master-wait", STEP_SERVER, "master: WAIT {b}",
                          N_("asks whether the replica has it"), RESULT_YES, .lock = LOCK_TAKES},
    [STEP_MASTER_UNLOCK] = {"master-unlock", STEP_SERVER, "master: EVALSHA unlock.lua {key}",
                            N_("gives the lock back to the master"), RESULT_FREED, .lock = LOCK_GIVES},
    [STEP_LOAD_SCRIPT] = {"load-script", STEP_SERVER, "master: SCRIPT LOAD {key}",
                          N_("loads the script, keeps its sha"), RESULT_NOTHING, false, LOCK_NO},
    [STEP_MASTER_UNLOCK_SHA] = {"master-unlock-sha", STEP_SERVER, "master: EVALSHA <sha> {key}",
                                N_("unlocks by the sha alone"), RESULT_FREED, .lock = LOCK_GIVES},
    [STEP_SERVER_LOCK] = {"server-lock", STEP_SERVER, "server {b}: SET {key} NX EX",
                          N_("asks one server for the lock"), RESULT_LOCKED, false, LOCK_NO},
    [STEP_SERVER_UNLOCK] = {"server-unlock", STEP_SERVER, "server {b}: EVALSHA unlock.lua {key}",
                            N_("gives one server's lock back"), RESULT_PART, .lock = LOCK_GIVES},
    [STEP_ENOUGH] = {"enough", STEP_LOCAL, "{b} of the servers said yes", N_("counts the answers"),
                     RESULT_YES, .lock = LOCK_TAKES},
    [STEP_THROW] = {"throw", STEP_LOCAL, "throw {key}", N_("throws an exception"), RESULT_NOTHING, false, LOCK_NO},
    [STEP_TELL] = {"tell", STEP_LOCAL, "answer", N_("answers the user"), RESULT_NOTHING, false, LOCK_NO},
};

void step_command(StepId step, const char *key, int64_t argument, int64_t second, char *text, int size)
{
    char number[32];
    int used = 0;
    text[0] = '\0';
    for (const char *at = step_kinds[step].command; *at && used < size - 1;) {
        const char *filling = NULL;
        if (strncmp(at, "{key}", 5) == 0) {
            filling = key ? key : "";
            at += 5;
        } else if (strncmp(at, "{a}", 3) == 0 || strncmp(at, "{b}", 3) == 0) {
            snprintf(number, sizeof number, "%lld", (long long)(at[1] == 'a' ? argument : second));
            filling = number;
            at += 3;
        }
        int wrote = filling ? snprintf(text + used, (size_t)(size - used), "%s", filling)
                            : snprintf(text + used, (size_t)(size - used), "%c", *at++);
        used += wrote;
    }
}

static void result_of_code(unsigned code, char *text, int size)
{
    if (refusal_words(code, text, size)[0]) return;
    static const struct {
        unsigned code;
        const char *words;
    } known[] = {
        {1062, N_("1062 duplicate key")},
        {1205, N_("1205 lock wait time-out")},
        {1213, N_("1213 deadlock")},
        {1020, N_("1020 record has changed")},
        {CODE_NOSCRIPT, N_("NOSCRIPT")},
    };
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].code != code) continue;
        snprintf(text, (size_t)size, "%s", _(known[i].words));
        return;
    }
    if (code) {
        snprintf(text, (size_t)size, _("error %u"), code);
    } else {
        snprintf(text, (size_t)size, "%s", _("refused"));
    }
}

/* What the scripts of lessons 13 and 14 answer. */
static void result_eligible(int64_t value, char *text, int size)
{
    static const char *const words[] = {N_("0, yes"),       N_("1, sold out"), N_("2, again"),
                                        N_("3, not begun"), N_("4, ended"),    N_("5, not loaded")};
    if (value >= 0 && value < (int64_t)(sizeof words / sizeof words[0]))
        snprintf(text, (size_t)size, "%s", _(words[value]));
    else
        snprintf(text, (size_t)size, "%lld", (long long)value);
}

void step_result(StepId step, int status, int64_t value, unsigned code, char *text, int size)
{
    if (status == STORE_LOST) {
        snprintf(text, (size_t)size, "%s", _("connection lost"));
        return;
    }
    if (status == STORE_REFUSED) {
        result_of_code(code, text, size);
        return;
    }
    switch (step_kinds[step].result) {
    case RESULT_NOTHING:
        snprintf(text, (size_t)size, "%s", _("ok"));
        break;
    case RESULT_ROWS:
        snprintf(text, (size_t)size, ngettext("%lld row", "%lld rows", (unsigned long)value), (long long)value);
        break;
    case RESULT_INSERTED:
        snprintf(text, (size_t)size, "%s", value ? _("ok") : _("1062 duplicate key"));
        break;
    case RESULT_LOCKED:
        snprintf(text, (size_t)size, "%s", value ? _("got it") : _("taken"));
        break;
    case RESULT_PART:
        snprintf(text, (size_t)size, "%s", value ? _("gone") : _("was not there"));
        break;
    case RESULT_YES:
        snprintf(text, (size_t)size, "%s", value ? _("yes") : _("no"));
        break;
    case RESULT_FREED:
        snprintf(text, (size_t)size, "%s", value > 0 ? _("gone") : _("was not there"));
        break;
    case RESULT_GIVEN:
        snprintf(text, (size_t)size, "%s",
                 value > 0 ? _("free now") : value == 0 ? _("held on, taken more often") : _("not its own"));
        break;
    case RESULT_WOKEN:
        snprintf(text, (size_t)size, "%s", value ? _("a message") : _("no message"));
        break;
    case RESULT_RENEWED:
        snprintf(text, (size_t)size, "%s", value ? _("renewed") : _("not its own any more"));
        break;
    case RESULT_FENCED:
        snprintf(text, (size_t)size, "%s", value ? _("let in") : _("refused: an older number"));
        break;
    case RESULT_OWNER:
        snprintf(text, (size_t)size, "%s",
                 value == OWNER_ME ? _("mine") : value == OWNER_OTHER ? _("another's") : _("nobody's"));
        break;
    case RESULT_QUEUED:
        snprintf(text, (size_t)size, "%s", _("queued"));
        break;
    case RESULT_EXECUTED:
        snprintf(text, (size_t)size, "%s", value ? _("executed") : _("nothing: a key had changed"));
        break;
    case RESULT_LOADED:
        snprintf(text, (size_t)size, "%s", value ? _("ok") : _("was there already"));
        break;
    case RESULT_ELIGIBLE:
        result_eligible(value, text, size);
        break;
    case RESULT_PUT:
        snprintf(text, (size_t)size, "%s", value ? _("ok") : _("full"));
        break;
    case RESULT_ENTRY:
        if (value > 0)
            snprintf(text, (size_t)size, "%lld", (long long)value);
        else
            snprintf(text, (size_t)size, "%s", value < 0 ? _("none") : _("an entry without an order"));
        break;
    case RESULT_THERE:
        snprintf(text, (size_t)size, "%s", value ? _("there") : _("not there"));
        break;
    case RESULT_NUMBER:
    case RESULT_ID:
        snprintf(text, (size_t)size, "%lld", (long long)value);
        break;
    }
}

StepId step_find(const char *name)
{
    for (int i = 1; i < STEP_COUNT; i++)
        if (strcmp(step_kinds[i].name, name) == 0) return (StepId)i;
    for (int i = 1; i < STEP_COUNT; i++)
        if (name[0] && strncmp(step_kinds[i].name, name, strlen(name)) == 0) return (StepId)i;
    return STEP_NONE;
}
