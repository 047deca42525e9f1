/* sql_private.h -- what the sources of sql_link share. Inside src/store only. */
#ifndef STORE_SQL_PRIVATE_H
#define STORE_SQL_PRIVATE_H

#include <mysql.h>

#include "store/sql_link.h"

/* MySQL 8 did away with my_bool; MariaDB keeps it. */
#if defined(MARIADB_BASE_VERSION) || MYSQL_VERSION_ID < 80000
typedef my_bool SqlBool;
#else
typedef bool SqlBool;
#endif

typedef struct SqlStatement SqlStatement;

enum { SQL_SLOTS = 128 }; /* a power of two, well above the number of statements in the program */

struct SqlLink {
    MYSQL *mysql; /* NULL when dead */
    SqlStatement *slot[SQL_SLOTS];
    int statements;
    int patience; /* seconds for an answer, 0: any time */
    bool use_database;
    bool batches; /* the server takes several statements at once */
    SqlAddress address;
};

/* First thing in every call: the client library knows this thread from here on. */
void sql_thread_join(void);
/* Sorts an error into refused and lost, fills result->code and `error`; drops a lost connection. */
StoreStatus sql_failed(SqlLink *link, unsigned code, const char *said, SqlResult *result,
                       Error *error);
/* For a link that has no connection: STORE_LOST. */
StoreStatus sql_dead(const SqlLink *link, Error *error);
/* Closes the connection; the link is dead after it. */
void sql_drop(SqlLink *link);
/* Asks the server for a sign of life. */
bool sql_alive(SqlLink *link);
/* Rows changed by the last statement, when it gave no rows; 0 when dead. */
long sql_affected(const SqlLink *link);
/* Frees all prepared statements. Call it without a connection: nothing is sent. */
void sql_statements_drop(SqlLink *link);

#endif
