/* row_pairs.h -- who waits for whose row lock, for the screen: it may be 0.1 s behind. */
#ifndef STORE_ROW_PAIRS_H
#define STORE_ROW_PAIRS_H

#include "store/sql_link.h"

typedef struct RowPair {
    uint64_t waiter, blocker; /* connection ids */
    char table[64];           /* without its database */
} RowPair;

/* At most `most`, from INNODB_LOCK_WAITS or, on MySQL 8, performance_schema. 0 also when the server could
 * not be asked. One thread at a time. */
int row_pairs_read(SqlLink *link, RowPair *pair, int most);

#endif
