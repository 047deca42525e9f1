/* row_waits.h -- which connections wait for a row lock, asked from InnoDB itself.
 *
 * SHOW ENGINE INNODB STATUS is read, since it is never cached: INFORMATION_SCHEMA.INNODB_TRX may be
 * 0.1 s old (MariaDB and MySQL manuals), and Innodb_row_lock_current_waits still counts a waiter
 * whose lock was granted but whose thread has not woken up. A transaction is in LOCK WAIT from
 * the moment it queues for the lock until the moment the lock is granted to it.
 *
 * MariaDB looks for a deadlock a moment after that, when the thread goes to sleep; in the same breath
 * the thread is counted by lock_row_lock_current_waits. So where two wait, both must have been counted
 * before they are believed. */
#ifndef STORE_ROW_WAITS_H
#define STORE_ROW_WAITS_H

#include "store/sql_link.h"

enum { ROW_WAITS = 64 };

typedef struct RowWaits {
    int count;
    bool settled; /* false: of these one may be the victim of a deadlock that is not looked for yet */
    uint64_t waiter[ROW_WAITS]; /* connection ids */
} RowWaits;

/* False when the server could not be asked (needs the PROCESS privilege). One thread at a time. */
bool row_waits_read(SqlLink *link, RowWaits *waits, Error *error);
bool row_waits_has(const RowWaits *waits, uint64_t connection);

/* Who blocks `waiter`, and on which table: from INNODB_LOCK_WAITS or, on MySQL 8,
 * performance_schema. 0: nobody, or not known. For the screen: it may be 0.1 s behind. */
uint64_t row_waits_blocker(SqlLink *link, uint64_t waiter, char *table, int size);

#endif
