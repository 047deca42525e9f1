#include "store/row_waits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where in the text the reader is. */
typedef struct Place {
    bool in_list; /* of the transactions there are; before it stands the last deadlock, as it was then */
    bool in_wait; /* in one that waits */
} Place;

/* A transaction is described by a few lines: "---TRANSACTION ...", perhaps "LOCK WAIT ...", then
 * "MariaDB thread id 15, ..." or "MySQL thread id 15, ...". */
static void read_line(RowWaits *waits, const char *line, Place *place)
{
    if (strcmp(line, "TRANSACTIONS") == 0) place->in_list = true;
    if (strcmp(line, "FILE I/O") == 0) place->in_list = false;
    if (!place->in_list) return;
    if (strncmp(line, "---TRANSACTION", 14) == 0) place->in_wait = false;
    if (strncmp(line, "LOCK WAIT", 9) == 0) place->in_wait = true;
    const char *id = strstr(line, "thread id ");
    if (!place->in_wait || !id) return;
    if (strncmp(line, "MariaDB", 7) != 0 && strncmp(line, "MySQL", 5) != 0) return;
    if (waits->count < ROW_WAITS) waits->waiter[waits->count++] = strtoull(id + 10, NULL, 10);
    place->in_wait = false;
}

static bool read_status(void *data, long index, int columns, char **values)
{
    RowWaits *waits = data;
    if (index < 0 || columns < 3 || !values[2]) return true;
    Place place = {false, false};
    char *rest = NULL;
    for (char *line = strtok_r(values[2], "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(waits, line, &place);
    return true;
}

static bool read_waiters(SqlLink *link, RowWaits *waits, Error *error)
{
    waits->count = 0;
    return sql_link_rows(link, "SHOW ENGINE INNODB STATUS", read_status, waits, error) == STORE_OK;
}

static bool read_asleep(SqlLink *link, int64_t *asleep, Error *error)
{
    static const char query[] = "SELECT `COUNT` FROM information_schema.INNODB_METRICS"
                                " WHERE NAME = 'lock_row_lock_current_waits'";
    SqlResult result;
    if (sql_link_text(link, query, &result, error) != STORE_OK) return false;
    *asleep = result.rows > 0 ? result.value[0] : ROW_WAITS;
    return true;
}

/* One alone is in no deadlock. The count comes first: one whose lock was granted in between is counted
 * and does not wait any more, which the list then shows. */
bool row_waits_read(SqlLink *link, RowWaits *waits, Error *error)
{
    int64_t asleep = 0;
    if (!read_waiters(link, waits, error)) return false;
    waits->settled = waits->count < 2;
    if (waits->settled) return true;
    if (!read_asleep(link, &asleep, error) || !read_waiters(link, waits, error)) return false;
    waits->settled = asleep >= waits->count;
    return true;
}

bool row_waits_has(const RowWaits *waits, uint64_t connection)
{
    for (int i = 0; i < waits->count; i++)
        if (waits->waiter[i] == connection) return true;
    return false;
}

typedef struct Blocker {
    uint64_t id;
    char *table;
    int size;
} Blocker;

static bool read_blocker(void *data, long index, int columns, char **values)
{
    Blocker *blocker = data;
    if (index < 0 || columns < 2 || !values[0]) return true;
    blocker->id = strtoull(values[0], NULL, 10);
    snprintf(blocker->table, (size_t)blocker->size, "%s", values[1] ? values[1] : "");
    return false;
}

uint64_t row_waits_blocker(SqlLink *link, uint64_t waiter, char *table, int size)
{
    static const char *const queries[] = {
        "SELECT b.trx_mysql_thread_id, l.lock_table FROM information_schema.INNODB_LOCK_WAITS w"
        " JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_trx_id"
        " JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_trx_id"
        " JOIN information_schema.INNODB_LOCKS l ON l.lock_id = w.requested_lock_id"
        " WHERE r.trx_mysql_thread_id = %" PRIu64 " LIMIT 1",
        "SELECT b.trx_mysql_thread_id, l.object_name FROM performance_schema.data_lock_waits w"
        " JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_engine_transaction_id"
        " JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_engine_transaction_id"
        " JOIN performance_schema.data_locks l ON l.engine_lock_id = w.requesting_engine_lock_id"
        " WHERE r.trx_mysql_thread_id = %" PRIu64 " LIMIT 1"};
    Blocker blocker = {0, table, size};
    table[0] = '\0';
    for (int i = 0; i < 2 && blocker.id == 0; i++) {
        char query[800];
        snprintf(query, sizeof query, queries[i], waiter);
        if (sql_link_rows(link, query, read_blocker, &blocker, NULL) == STORE_OK) break;
    }
    return blocker.id;
}
