/* sql_link.h -- one connection to MariaDB or MySQL, over the libmysqlclient API.
 *
 * Statements are prepared once a connection and kept, found again by the address of their text:
 * pass string literals. A link belongs to one thread at a time. After STORE_LOST the link is dead
 * until sql_link_reopen() succeeds.
 *
 * Threads: nothing to call. The client library's own thread data is made at the first call of a
 * thread and freed when the thread ends (mysql_thread_init and mysql_thread_end). */
#ifndef STORE_SQL_LINK_H
#define STORE_SQL_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/status.h"

/* mysql://user[:pass]@host[:port] or mysql+unix:///path/to.sock?user=NAME.
 * A missing password is looked for in SECKILL_LAB_MYSQL_PASSWORD, MYSQL_PWD and the client's
 * usual option files. */
typedef struct SqlAddress {
    char socket[108];
    char host[256];
    int port;
    char user[64];
    char password[256];
    bool option_files; /* read the client's usual option files: never for the sandbox */
} SqlAddress;

bool sql_address_parse(const char *url, SqlAddress *address, Error *error);
const char *sql_address_show(const SqlAddress *address, char *text, int size);

typedef struct SqlLink SqlLink;

enum { SQL_COLUMNS = 8 };

/* What a statement gave: its first row, numbers only. Codes that learners meet: 1062 duplicate key,
 * 1213 deadlock, 1205 lock wait time-out, 1020 record changed. */
typedef struct SqlResult {
    long affected;              /* rows changed (not matched): CLIENT_FOUND_ROWS is not set */
    uint64_t insert_id;         /* LAST_INSERT_ID of an INSERT */
    long rows;                  /* rows a SELECT returned */
    int64_t value[SQL_COLUMNS]; /* first row; DATETIMEs must be selected as UNIX_TIMESTAMP */
    bool is_null[SQL_COLUMNS];
    unsigned code; /* the server's error number, 0 when none */
} SqlResult;

/* Connects (within 3 s), database `seckill_lab` selected when `use_database`. Sets
 * innodb_snapshot_isolation=OFF where the variable exists (the behaviour of MariaDB before 11.6
 * and of MySQL), innodb_lock_wait_timeout=50 and time zone UTC for the session. */
SqlLink *sql_link_open(const SqlAddress *address, bool use_database, Error *error);
/* The same, and a command that the server does not answer within `seconds` counts as STORE_LOST. */
SqlLink *sql_link_open_within(const SqlAddress *address, bool use_database, int seconds,
                              Error *error);
bool sql_link_reopen(SqlLink *link, Error *error);
void sql_link_close(SqlLink *link);
/* False: the connection was lost, and not opened again. Asks nobody. */
bool sql_link_alive(const SqlLink *link);

/* Runs a prepared statement with whole-number parameters. STORE_REFUSED: result->code and `error`
 * say why. `result` may be NULL. */
StoreStatus sql_link_run(SqlLink *link, const char *statement, int count, const int64_t *parameters,
                         SqlResult *result, Error *error);
/* BEGIN, COMMIT, ROLLBACK, SET ... and other text without values. */
StoreStatus sql_link_text(SqlLink *link, const char *text, SqlResult *result, Error *error);
/* Several statements, separated by ';', in one round trip. affected[i] (room for `count`, may be
 * NULL) gets the rows changed by statement i. Stops at the first that is refused. */
StoreStatus sql_link_batch(SqlLink *link, const char *statements, long *affected, int count,
                           Error *error);
/* A query whose rows are wanted as text: calls `row` for each; columns are NUL-ended, NULL for
 * NULL; the names come once, with index -1. Return false from `row` to stop early. */
typedef bool (*SqlRow)(void *data, long index, int columns, char **values);
StoreStatus sql_link_rows(SqlLink *link, const char *query, SqlRow row, void *data, Error *error);

/* What the server says of itself: "10.11.6-MariaDB". Valid until the next reopen. */
const char *sql_link_version(const SqlLink *link);
/* CONNECTION_ID() of the server side, as INNODB_TRX and the processlist show it. */
uint64_t sql_link_id(const SqlLink *link);

#endif
