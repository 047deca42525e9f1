/* sql_statement.c -- prepared statements: made once a connection, bound once, run many times.
 *
 * A step costs the round trip and little else: parameters are copied into buffers that the client
 * library already knows, and the row comes back into buffers bound when the statement was made. */
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "store/sql_private.h"

struct SqlStatement {
    const char *text; /* its address is the key */
    MYSQL_STMT *handle;
    int parameters;
    int columns;
    long long parameter[SQL_COLUMNS];
    long long value[SQL_COLUMNS];
    SqlBool is_null[SQL_COLUMNS];
};

static unsigned slot_of(const char *text)
{
    uint64_t bits = (uint64_t)(uintptr_t)text * 0x9e3779b97f4a7c15u;
    return (unsigned)(bits >> 57) & (SQL_SLOTS - 1);
}

/* The slot that holds `text`, or the free one where it belongs. */
static SqlStatement **find(SqlLink *link, const char *text)
{
    unsigned at = slot_of(text);
    while (link->slot[at] && link->slot[at]->text != text) at = (at + 1) & (SQL_SLOTS - 1);
    return &link->slot[at];
}

static void statement_free(SqlStatement *statement)
{
    if (!statement) return;
    if (statement->handle) mysql_stmt_close(statement->handle);
    free(statement);
}

void sql_statements_drop(SqlLink *link)
{
    for (int i = 0; i < SQL_SLOTS; i++) {
        statement_free(link->slot[i]);
        link->slot[i] = NULL;
    }
    link->statements = 0;
}

static bool bind(SqlStatement *statement)
{
    MYSQL_BIND in[SQL_COLUMNS] = {0}, out[SQL_COLUMNS] = {0};
    for (int i = 0; i < statement->parameters; i++) {
        in[i].buffer_type = MYSQL_TYPE_LONGLONG;
        in[i].buffer = &statement->parameter[i];
    }
    for (int i = 0; i < statement->columns; i++) {
        out[i].buffer_type = MYSQL_TYPE_LONGLONG;
        out[i].buffer = &statement->value[i];
        out[i].is_null = &statement->is_null[i];
    }
    if (statement->parameters && mysql_stmt_bind_param(statement->handle, in)) return false;
    return !statement->columns || !mysql_stmt_bind_result(statement->handle, out);
}

/* Too many of something: a mistake in the program, told as the server would tell it. */
static StoreStatus too_much(SqlStatement *statement, const char *what, SqlResult *result,
                            Error *error)
{
    enum { NOT_SUPPORTED = 1235 };
    statement_free(statement);
    if (result) result->code = NOT_SUPPORTED;
    error_set(error, "%d %s", NOT_SUPPORTED, what);
    return STORE_REFUSED;
}

static StoreStatus prepare(SqlLink *link, const char *text, SqlStatement **made, SqlResult *result,
                           Error *error)
{
    SqlStatement *statement = calloc(1, sizeof *statement);
    if (!statement || !(statement->handle = mysql_stmt_init(link->mysql)))
        return too_much(statement, _("Out of memory."), result, error);
    statement->text = text;
    if (mysql_stmt_prepare(statement->handle, text, strlen(text)) != 0) {
        StoreStatus status = sql_failed(link, mysql_stmt_errno(statement->handle),
                                        mysql_stmt_error(statement->handle), result, error);
        statement_free(statement);
        return status;
    }
    statement->parameters = (int)mysql_stmt_param_count(statement->handle);
    statement->columns = (int)mysql_stmt_field_count(statement->handle);
    if (statement->parameters > SQL_COLUMNS || statement->columns > SQL_COLUMNS)
        return too_much(statement, "too many parameters or columns", result, error);
    if (!bind(statement))
        return too_much(statement, mysql_stmt_error(statement->handle), result, error);
    *made = statement;
    return STORE_OK;
}

/* The statement for `text`, prepared if need be. A full table is emptied: it never is in practice.
 */
static StoreStatus obtain(SqlLink *link, const char *text, SqlStatement **statement,
                          SqlResult *result, Error *error)
{
    *statement = *find(link, text);
    if (*statement) return STORE_OK;
    if (link->statements >= SQL_SLOTS - 1) sql_statements_drop(link);
    StoreStatus status = prepare(link, text, statement, result, error);
    if (status != STORE_OK) return status;
    *find(link, text) = *statement;
    link->statements++;
    return STORE_OK;
}

/* Reads all rows off the connection and keeps the first. False: an error came in their place. */
static bool fetch(SqlStatement *statement, SqlResult *result)
{
    int got;
    while ((got = mysql_stmt_fetch(statement->handle)) == 0 || got == MYSQL_DATA_TRUNCATED) {
        if (result->rows++ > 0) continue;
        for (int i = 0; i < statement->columns; i++) {
            result->is_null[i] = statement->is_null[i];
            result->value[i] = statement->is_null[i] ? 0 : statement->value[i];
        }
    }
    return got == MYSQL_NO_DATA;
}

static bool execute(SqlStatement *statement, SqlResult *result)
{
    if (mysql_stmt_execute(statement->handle) != 0) return false;
    if (statement->columns) {
        bool whole = fetch(statement, result);
        if (whole) mysql_stmt_free_result(statement->handle);
        return whole;
    }
    result->affected = (long)mysql_stmt_affected_rows(statement->handle);
    result->insert_id = mysql_stmt_insert_id(statement->handle);
    return true;
}

StoreStatus sql_link_run(SqlLink *link, const char *text, int count, const int64_t *parameters,
                         SqlResult *result, Error *error)
{
    SqlResult unwanted;
    if (!result) result = &unwanted;
    memset(result, 0, sizeof *result);
    if (!link->mysql) return sql_dead(link, error);
    sql_thread_join();
    SqlStatement *statement;
    StoreStatus status = obtain(link, text, &statement, result, error);
    if (status != STORE_OK) return status;
    if (count != statement->parameters)
        return too_much(NULL, "wrong number of parameters", result, error);
    for (int i = 0; i < count; i++) statement->parameter[i] = parameters[i];
    if (execute(statement, result)) return STORE_OK;

    /* The error is in the handle, which sql_failed() frees with a lost connection. */
    char said[512];
    unsigned code = mysql_stmt_errno(statement->handle);
    strncpy(said, mysql_stmt_error(statement->handle), sizeof said - 1);
    said[sizeof said - 1] = 0;
    return sql_failed(link, code, said, result, error);
}
