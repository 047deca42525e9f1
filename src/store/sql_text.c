/* sql_text.c -- statements without values, batches, and queries whose rows are wanted as text. */
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "store/sql_private.h"

typedef struct Trouble {
    unsigned code;
    char said[512];
} Trouble;

/* Copied out: the connection that holds the text goes when it counts as lost. */
static Trouble trouble_now(MYSQL *mysql)
{
    Trouble trouble = {.code = mysql_errno(mysql)};
    strncpy(trouble.said, mysql_error(mysql), sizeof trouble.said - 1);
    return trouble;
}

static StoreStatus failed_now(SqlLink *link, SqlResult *result, Error *error)
{
    Trouble trouble = trouble_now(link->mysql);
    return sql_failed(link, trouble.code, trouble.said, result, error);
}

static void keep_first_row(MYSQL_RES *rows, SqlResult *result)
{
    MYSQL_ROW row = mysql_fetch_row(rows);
    unsigned columns = mysql_num_fields(rows);
    result->rows = (long)mysql_num_rows(rows);
    for (unsigned i = 0; row && i < columns && i < SQL_COLUMNS; i++) {
        result->is_null[i] = row[i] == NULL;
        result->value[i] = row[i] ? strtoll(row[i], NULL, 10) : 0;
    }
}

/* Takes in the result that stands first in line. False: the connection has an error to tell. */
static bool take_result(SqlLink *link, SqlResult *result)
{
    if (mysql_field_count(link->mysql) == 0) {
        result->affected = (long)mysql_affected_rows(link->mysql);
        result->insert_id = mysql_insert_id(link->mysql);
        return true;
    }
    MYSQL_RES *rows = mysql_store_result(link->mysql);
    if (!rows) return false;
    keep_first_row(rows, result);
    mysql_free_result(rows);
    return true;
}

StoreStatus sql_link_text(SqlLink *link, const char *text, SqlResult *result, Error *error)
{
    SqlResult unwanted;
    if (!result) result = &unwanted;
    memset(result, 0, sizeof *result);
    if (!link->mysql) return sql_dead(link, error);
    sql_thread_join();
    if (mysql_real_query(link->mysql, text, strlen(text)) != 0)
        return failed_now(link, result, error);
    return take_result(link, result) ? STORE_OK : failed_now(link, result, error);
}

StoreStatus sql_link_batch(SqlLink *link, const char *statements, long *affected, int count,
                           Error *error)
{
    if (!link->mysql) return sql_dead(link, error);
    sql_thread_join();
    if (!link->batches &&
        mysql_set_server_option(link->mysql, MYSQL_OPTION_MULTI_STATEMENTS_ON) != 0)
        return failed_now(link, NULL, error);
    link->batches = true;
    if (mysql_real_query(link->mysql, statements, strlen(statements)) != 0)
        return failed_now(link, NULL, error);
    for (int i = 0, more = 0; more == 0; i++) {
        SqlResult result = {0};
        if (!take_result(link, &result)) return failed_now(link, NULL, error);
        if (affected && i < count) affected[i] = result.affected;
        more = mysql_next_result(link->mysql);
        if (more > 0) return failed_now(link, NULL, error);
    }
    return STORE_OK;
}

long sql_affected(const SqlLink *link)
{
    long long rows = link->mysql ? (long long)mysql_affected_rows(link->mysql) : 0;
    return rows > 0 ? (long)rows : 0;
}

bool sql_alive(SqlLink *link)
{
    return link->mysql && mysql_ping(link->mysql) == 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool give_names(MYSQL_RES *rows, unsigned columns, SqlRow row, void *data)
{
    char **names = calloc(columns, sizeof *names);
    if (!names) return false;
    MYSQL_FIELD *fields = mysql_fetch_fields(rows);
    for (unsigned i = 0; i < columns; i++) names[i] = fields[i].name;
    bool more = row(data, -1, (int)columns, names);
    free(names);
    return more;
}

static bool give_rows(SqlLink *link, MYSQL_RES *rows, SqlRow row, void *data)
{
    unsigned columns = mysql_num_fields(rows);
    bool more = give_names(rows, columns, row, data);
    MYSQL_ROW values;
    /* What is not wanted any more must still be read off the connection: freeing does that. */
    for (long i = 0; more && (values = mysql_fetch_row(rows)); i++)
        more = row(data, i, (int)columns, values);
    return !more || mysql_errno(link->mysql) == 0;
}

StoreStatus sql_link_rows(SqlLink *link, const char *query, SqlRow row, void *data, Error *error)
{
    if (!link->mysql) return sql_dead(link, error);
    sql_thread_join();
    if (mysql_real_query(link->mysql, query, strlen(query)) != 0)
        return failed_now(link, NULL, error);
    if (mysql_field_count(link->mysql) == 0) return STORE_OK;
    MYSQL_RES *rows = mysql_use_result(link->mysql);
    if (!rows) return failed_now(link, NULL, error);
    bool fine = give_rows(link, rows, row, data);
    Trouble trouble = trouble_now(link->mysql);
    mysql_free_result(rows); /* before the connection, on which it still reads */
    return fine ? STORE_OK : sql_failed(link, trouble.code, trouble.said, NULL, error);
}
