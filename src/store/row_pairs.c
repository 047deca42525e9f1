#include "store/row_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
    RowPair *pair;
    int count, most;
} Reading;

/* InnoDB names a table as `seckill_lab`.`tb_seckill_voucher`. */
static void bare_name(const char *table, char *name, size_t size)
{
    const char *dot = strrchr(table, '.');
    size_t used = 0;
    for (const char *at = dot ? dot + 1 : table; *at && used + 1 < size; at++)
        if (*at != '`' && *at != '"') name[used++] = *at;
    name[used] = '\0';
}

static bool read_pair(void *data, long index, int columns, char **values)
{
    Reading *reading = data;
    if (index < 0 || columns < 3 || !values[0] || !values[1]) return true;
    if (reading->count == reading->most) return false;
    RowPair *pair = &reading->pair[reading->count++];
    pair->waiter = strtoull(values[0], NULL, 10);
    pair->blocker = strtoull(values[1], NULL, 10);
    bare_name(values[2] ? values[2] : "", pair->table, sizeof pair->table);
    return true;
}

int row_pairs_read(SqlLink *link, RowPair *pair, int most)
{
    static const char *const queries[] = {
        "SELECT r.trx_mysql_thread_id, b.trx_mysql_thread_id, l.lock_table"
        " FROM information_schema.INNODB_LOCK_WAITS w"
        " JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_trx_id"
        " JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_trx_id"
        " JOIN information_schema.INNODB_LOCKS l ON l.lock_id = w.requested_lock_id LIMIT %d",
        "SELECT r.trx_mysql_thread_id, b.trx_mysql_thread_id, l.object_name"
        " FROM performance_schema.data_lock_waits w"
        " JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_engine_transaction_id"
        " JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_engine_transaction_id"
        " JOIN performance_schema.data_locks l ON l.engine_lock_id = w.requesting_engine_lock_id LIMIT %d"};
    Reading reading = {pair, 0, most};
    for (int i = 0; i < 2; i++) {
        char query[800];
        snprintf(query, sizeof query, queries[i], most);
        StoreStatus status = sql_link_rows(link, query, read_pair, &reading, NULL);
        if (status != STORE_REFUSED) break; /* refused: it has no such tables */
    }
    return reading.count;
}
