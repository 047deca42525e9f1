#include "store/sql_link.h"

#include <errmsg.h>
#include <mysql.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "store/sql_private.h"

enum { CONNECT_SECONDS = 3 };

/* ---- the client library's thread data ------------------------------------------------------- */

static pthread_once_t library_once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;
static _Thread_local bool thread_known;

static void leave_thread(void *unused)
{
    (void)unused;
    mysql_thread_end();
}

static void start_library(void)
{
    mysql_library_init(0, NULL, NULL);
    pthread_key_create(&thread_key, leave_thread);
}

void sql_thread_join(void)
{
    if (thread_known) return;
    pthread_once(&library_once, start_library);
    mysql_thread_init();
    pthread_setspecific(thread_key, &thread_known); /* any value but NULL calls leave_thread() */
    thread_known = true;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Errors of the server after which it hangs up: shutting down, killed, timed out, the net broke. */
static bool ends_connection(unsigned code)
{
    static const unsigned codes[] = {1053, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code) return true;
    /* What the client library itself reports (2000-2999, MariaDB's also 5000-5999) leaves it open
     * whether the server ran the command, and the protocol out of step. */
    return (code >= CR_MIN_ERROR && code <= 2999) || (code >= 5000 && code <= 5999);
}

StoreStatus sql_failed(SqlLink *link, unsigned code, const char *said, SqlResult *result,
                       Error *error)
{
    char words[300], shown[320];
    text_clean(words, sizeof words, said, strlen(said));
    if (!ends_connection(code)) {
        if (result) result->code = code;
        error_set(error, "%u %s", code, words);
        return STORE_REFUSED;
    }
    error_set(error, _("The connection to the database at %s broke: %s"),
              sql_address_show(&link->address, shown, sizeof shown), words);
    sql_drop(link);
    return STORE_LOST;
}

StoreStatus sql_dead(const SqlLink *link, Error *error)
{
    char shown[320];
    error_set(error, _("The connection to the database at %s is broken."),
              sql_address_show(&link->address, shown, sizeof shown));
    return STORE_LOST;
}

/* Why a connection could not be had, and what to do. */
static bool not_connected(const SqlAddress *address, unsigned code, const char *said, Error *error)
{
    char words[200], shown[320];
    sql_address_show(address, shown, sizeof shown);
    text_clean(words, sizeof words, said, strlen(said));
    if (code == 1045 || code == 1698)
        return error_set(error,
                         _("The database at %s refuses user %s with this password. Check both; a "
                           "password may also stand in MYSQL_PWD or ~/.my.cnf."),
                         shown, address->user);
    if (code == 1044)
        return error_set(error,
                         _("User %s may not use database seckill_lab at %s. Grant it: GRANT ALL ON "
                           "seckill_lab.* TO '%s'@'...'"),
                         address->user, shown, address->user);
    if (code == 1040)
        return error_set(error,
                         _("The database at %s has no connection left. Raise max_connections, or "
                           "close other clients."),
                         shown);
    if (code < CR_MIN_ERROR)
        return error_set(error, _("The database at %s refuses the connection: %u %s"), shown, code,
                         words);
    return error_set(error,
                     _("The database at %s cannot be reached: %s. Check that it runs and that the "
                       "address is right."),
                     shown, words);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* The connection is encrypted where the server offers it, as the client has always done by itself;
 * newer clients insist on a certificate they can verify, which a learner's own server has not.
 * Over a unix socket there is nothing to encrypt. Option files still overrule this. */
static void choose_tls(MYSQL *mysql, bool is_unix)
{
#ifdef MARIADB_BASE_VERSION
    my_bool no = 0;
    (void)is_unix;
    mysql_optionsv(mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &no);
#elif MYSQL_VERSION_ID >= 50711
    unsigned mode = is_unix ? SSL_MODE_DISABLED : SSL_MODE_PREFERRED;
    mysql_options(mysql, MYSQL_OPT_SSL_MODE, &mode);
#else
    (void)mysql, (void)is_unix;
#endif
}

static void set_options(MYSQL *mysql, const SqlLink *link)
{
    const SqlAddress *address = &link->address;
    unsigned seconds = CONNECT_SECONDS, no = 0, read = (unsigned)link->patience;
    mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
    mysql_options(mysql, MYSQL_OPT_LOCAL_INFILE, &no);
    mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (read) mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &read);
    choose_tls(mysql, address->socket[0] != 0);
    if (address->option_files) mysql_options(mysql, MYSQL_READ_DEFAULT_GROUP, "client");
    /* "localhost" with a port means that port, not the socket that the client would take. */
    unsigned protocol = MYSQL_PROTOCOL_TCP;
    if (!address->socket[0] && address->port) mysql_options(mysql, MYSQL_OPT_PROTOCOL, &protocol);
}

/* What every session of ours starts from, whatever the server's own defaults. */
static bool set_session(MYSQL *mysql)
{
    static const char *const texts[] = {
        "SET SESSION autocommit = 1, innodb_lock_wait_timeout = 50, time_zone = '+00:00'",
        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (mysql_query(mysql, texts[i]) != 0) return false;
    enum { UNKNOWN_VARIABLE = 1193 };
    if (mysql_query(mysql, "SET SESSION innodb_snapshot_isolation = OFF") == 0) return true;
    return mysql_errno(mysql) == UNKNOWN_VARIABLE;
}

/* Makes seckill_lab the session's database; a missing one is not this function's business. */
static bool use_lab(MYSQL *mysql)
{
    return mysql_select_db(mysql, "seckill_lab") == 0;
}

bool sql_link_reopen(SqlLink *link, Error *error)
{
    sql_thread_join();
    sql_drop(link);
    const SqlAddress *address = &link->address;
    MYSQL *mysql = mysql_init(NULL);
    if (!mysql) return error_set(error, _("Out of memory."));
    set_options(mysql, link);
    /* A password that is not given may come from an option file; else it is empty. */
    const char *password =
        address->password[0] || !address->option_files ? address->password : NULL;
    bool is_unix = address->socket[0] != 0;
    bool fine =
        mysql_real_connect(mysql, is_unix ? NULL : address->host, address->user, password, NULL,
                           (unsigned)address->port, is_unix ? address->socket : NULL, 0) != NULL;
    fine = fine && set_session(mysql) && (!link->use_database || use_lab(mysql));
    if (!fine) {
        not_connected(address, mysql_errno(mysql), mysql_error(mysql), error);
        mysql_close(mysql);
        return false;
    }
    link->mysql = mysql;
    return true;
}

SqlLink *sql_link_open_within(const SqlAddress *address, bool use_database, int seconds,
                              Error *error)
{
    SqlLink *link = calloc(1, sizeof *link);
    if (!link) {
        error_set(error, _("Out of memory."));
        return NULL;
    }
    link->address = *address;
    link->use_database = use_database;
    link->patience = seconds;
    if (sql_link_reopen(link, error)) return link;
    free(link);
    return NULL;
}

SqlLink *sql_link_open(const SqlAddress *address, bool use_database, Error *error)
{
    return sql_link_open_within(address, use_database, 0, error);
}

void sql_drop(SqlLink *link)
{
    /* Closing the connection first spares one message to the server for each statement. */
    if (link->mysql) mysql_close(link->mysql);
    link->mysql = NULL;
    link->batches = false;
    sql_statements_drop(link);
}

bool sql_link_alive(const SqlLink *link)
{
    return link->mysql != NULL;
}

void sql_link_close(SqlLink *link)
{
    if (!link) return;
    sql_thread_join();
    sql_drop(link);
    free(link);
}

uint64_t sql_link_id(const SqlLink *link)
{
    return link->mysql ? mysql_thread_id(link->mysql) : 0;
}

const char *sql_link_version(const SqlLink *link)
{
    return link->mysql ? mysql_get_server_info(link->mysql) : "";
}
