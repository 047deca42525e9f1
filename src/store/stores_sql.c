/* stores_sql.c -- the database of a lab: whose it is, its tables, and its clean state. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "store/stores_private.h"

#define ORDER_COLUMNS                                                                              \
    "id BIGINT NOT NULL PRIMARY KEY, user_id BIGINT NOT NULL, voucher_id BIGINT NOT NULL, "        \
    "create_time DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP"
#define ENGINE_CLAUSE " ENGINE = InnoDB DEFAULT CHARSET = utf8mb4"
#define AUTO_COLUMNS                                                                               \
    "(id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id BIGINT NOT NULL, "                    \
    "create_time DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP)"

static const char make_database[] =
    "CREATE DATABASE IF NOT EXISTS seckill_lab DEFAULT CHARACTER SET utf8mb4";

/* All but tb_voucher_order, whose index is a matter of the variant. */
static const char make_tables[] =
    "CREATE TABLE IF NOT EXISTS tb_voucher (id BIGINT NOT NULL PRIMARY KEY, title VARCHAR(255) NOT "
    "NULL)" ENGINE_CLAUSE ";"
    "CREATE TABLE IF NOT EXISTS tb_seckill_voucher (voucher_id BIGINT NOT NULL PRIMARY KEY, stock "
    "INT NOT NULL,"
    " version INT NOT NULL DEFAULT 0, token BIGINT NOT NULL DEFAULT 0, begin_time DATETIME NOT NULL, end_time DATETIME NOT "
    "NULL)" ENGINE_CLAUSE ";"
    "CREATE TABLE IF NOT EXISTS tb_order_0 " AUTO_COLUMNS ENGINE_CLAUSE ";"
    "CREATE TABLE IF NOT EXISTS tb_order_1 " AUTO_COLUMNS ENGINE_CLAUSE;

/* Without the unique index there is a plain one: counting a user's orders must not lock the table.
 */
static const char *const make_orders[] = {
    [INDEX_PLAIN] = "DROP TABLE IF EXISTS tb_voucher_order;"
                    "CREATE TABLE tb_voucher_order (" ORDER_COLUMNS
                    ", INDEX idx_user_voucher (user_id, voucher_id))" ENGINE_CLAUSE,
    [INDEX_UNIQUE] = "DROP TABLE IF EXISTS tb_voucher_order;"
                     "CREATE TABLE tb_voucher_order (" ORDER_COLUMNS
                     ", UNIQUE INDEX uk_user_voucher (user_id, voucher_id))" ENGINE_CLAUSE,
};

static const char drop_tables[] =
    "DROP TABLE IF EXISTS tb_voucher, tb_seckill_voucher, tb_voucher_order, "
    "tb_order_0, tb_order_1, lab_marker";

#define OUR_TABLES                                                                                 \
    "'tb_voucher', 'tb_seckill_voucher', 'tb_voucher_order', 'tb_order_0', 'tb_order_1'"

#define MAKE_MARKER                                                                                \
    "CREATE TABLE lab_marker (made_database TINYINT NOT NULL PRIMARY KEY)" ENGINE_CLAUSE ";"       \
    "INSERT INTO lab_marker (made_database) VALUES "

/* ---- telling
 * ------------------------------------------------------------------------------------- */

/* The server's words in `error` become a sentence that says where and what to do. */
static bool refused(const Stores *stores, unsigned code, Error *error)
{
    enum { NO_DATABASE_RIGHT = 1044, NO_TABLE_RIGHT = 1142, NO_RIGHT = 1227, LOCK_WAIT = 1205 };
    char shown[320], said[200];
    if (!error) return false;
    snprintf(said, sizeof said, "%.199s", error->text);
    sql_address_show(&stores->sql_address, shown, sizeof shown);
    if (code == NO_DATABASE_RIGHT || code == NO_TABLE_RIGHT || code == NO_RIGHT)
        return error_set(
            error,
            _("User %s at %s lacks a right: %s. Grant it: GRANT ALL ON seckill_lab.* TO "
              "the user."),
            stores->sql_address.user, shown, said);
    if (code == LOCK_WAIT)
        return error_set(
            error, _("Another connection holds locks on the lab's tables (an open transaction, a "
                     ":sql BEGIN?): end it with COMMIT or ROLLBACK."));
    return error_set(error, _("The database at %s refuses what the lab needs: %s"), shown, said);
}

/* The error's text begins with the server's number when the server said no. */
static bool told(const Stores *stores, StoreStatus status, Error *error)
{
    if (status == STORE_OK) return true;
    if (status == STORE_LOST || !error) return false;
    return refused(stores, (unsigned)strtoul(error->text, NULL, 10), error);
}

static bool batch(Stores *stores, const char *statements, long *affected, int count, Error *error)
{
    return told(stores, sql_link_batch(stores->sql, statements, affected, count, error), error);
}

static bool ask(Stores *stores, const char *query, int64_t *number, Error *error)
{
    SqlResult result;
    StoreStatus status = sql_link_text(stores->sql, query, &result, error);
    *number = status == STORE_OK && result.rows ? result.value[0] : 0;
    return told(stores, status, error);
}

/* ---- whose database
 * --------------------------------------------------------------------------------- */

bool stores_sql_new_enough(const char *version)
{
    bool maria = strstr(version, "MariaDB") != NULL;
    if (maria && strncmp(version, "5.5.5-", 6) == 0) version += 6;
    int major = 0, minor = 0;
    if (sscanf(version, "%d.%d", &major, &minor) != 2) return true;
    return major * 100 + minor >= (maria ? 1002 : 507);
}

static bool version_will_do(const Stores *stores, Error *error)
{
    const char *version = sql_link_version(stores->sql);
    char shown[320];
    if (stores_sql_new_enough(version)) return true;
    return error_set(
        error,
        _("The database at %s is version %.40s: the lab needs MySQL 5.7 or MariaDB 10.2, or "
          "newer."),
        sql_address_show(&stores->sql_address, shown, sizeof shown), version);
}

/* Two consoles on one database would spoil each other's races. The lock goes with the connection.
 */
static bool alone(Stores *stores, Error *error)
{
    int64_t got;
    char shown[320];
    if (!ask(stores, "SELECT GET_LOCK('seckill_lab', 0)", &got, error)) return false;
    if (got == 1) return true;
    return error_set(
        error,
        _("Another seckill-lab is using the database at %s. End it first, or give another "
          "server."),
        sql_address_show(&stores->sql_address, shown, sizeof shown));
}

static bool use_database(Stores *stores, Error *error)
{
    return told(stores, sql_link_text(stores->sql, "USE seckill_lab", NULL, error), error);
}

/* A database that was there before must not hold tables of our names that we did not make. */
static bool mark_database(Stores *stores, bool made, Error *error)
{
    int64_t marked, foreign;
    if (!ask(stores,
             "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'seckill_lab' "
             "AND table_name = 'lab_marker'",
             &marked, error))
        return false;
    if (marked) return true;
    if (!ask(stores,
             "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'seckill_lab' "
             "AND table_name IN (" OUR_TABLES ")",
             &foreign, error))
        return false;
    char shown[320];
    if (foreign)
        return error_set(
            error,
            _("Database seckill_lab at %s has tables like tb_voucher_order that the lab did "
              "not make. Rename or drop them, or give another server."),
            sql_address_show(&stores->sql_address, shown, sizeof shown));
    return batch(stores, made ? MAKE_MARKER "(1)" : MAKE_MARKER "(0)", NULL, 0, error);
}

static bool check_own(Stores *stores, Error *error)
{
    int64_t there;
    if (!version_will_do(stores, error) || !alone(stores, error)) return false;
    if (!ask(stores,
             "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'seckill_lab'",
             &there, error))
        return false;
    if (!there && !batch(stores, make_database, NULL, 0, error)) return false;
    if (!use_database(stores, error) || !mark_database(stores, !there, error)) return false;
    stores->marked_sql = true;
    return true;
}

bool stores_sql_check(Stores *stores, Error *error)
{
    Error unwanted;
    if (!error) error = &unwanted;
    /* A forgotten transaction of somebody must not hang the lab: these links wait for seconds. */
    static const char patience[] =
        "SET SESSION innodb_lock_wait_timeout = 5, lock_wait_timeout = 5";
    stores->form = INDEX_UNKNOWN;
    if (!told(stores, sql_link_text(stores->sql, patience, NULL, error), error)) return false;
    if (stores->sql_own
            ? !check_own(stores, error)
            : !batch(stores, make_database, NULL, 0, error) || !use_database(stores, error))
        return false;
    if (!batch(stores, make_tables, NULL, 0, error)) return false;
    if (!batch(stores, make_orders[INDEX_PLAIN], NULL, 0, error)) return false;
    stores->form = INDEX_PLAIN;
    return true;
}

void stores_sql_leave(Stores *stores)
{
    int64_t made = 0, left = 1;
    if (!stores->sql_own || !stores->marked_sql || !stores->sql) return;
    ask(stores, "SELECT made_database FROM seckill_lab.lab_marker LIMIT 1", &made, NULL);
    if (!use_database(stores, NULL) || !batch(stores, drop_tables, NULL, 0, NULL)) return;
    stores->marked_sql = false;
    if (made &&
        ask(stores,
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'seckill_lab'",
            &left, NULL) &&
        left == 0)
        batch(stores, "DROP DATABASE seckill_lab", NULL, 0, NULL);
}

/* ---- the clean state
 * ------------------------------------------------------------------------------------ */

enum { CLEAN_TEXT = 900 };

/* Fixed-point in time for MySQL and MariaDB alike, also beyond 2038. */
#define AT "'1970-01-01' + INTERVAL %" PRId64 " SECOND"

static void write_voucher(char text[CLEAN_TEXT], const ShopSetup *setup)
{
    snprintf(text, CLEAN_TEXT,
             "TRUNCATE TABLE tb_voucher; TRUNCATE TABLE tb_seckill_voucher;"
             "INSERT INTO tb_voucher (id, title) VALUES (%" PRId64 ", 'Voucher %" PRId64 "');"
             "INSERT INTO tb_seckill_voucher (voucher_id, stock, version, begin_time, end_time) "
             "VALUES (%" PRId64 ", %ld, 0, " AT ", " AT ")",
             setup->voucher, setup->voucher, setup->voucher, setup->stock, setup->begin,
             setup->end);
}

bool stores_sql_prepare(Stores *stores, const ShopSetup *setup, Error *error)
{
    IndexForm wanted = setup->unique_order ? INDEX_UNIQUE : INDEX_PLAIN;
    char voucher[CLEAN_TEXT];
    write_voucher(voucher, setup);
    /* The learner may have dropped anything by hand. */
    if (!stores->sql_own && !batch(stores, make_database, NULL, 0, error)) return false;
    if (!use_database(stores, error) || !batch(stores, make_tables, NULL, 0, error)) return false;
    /* Made anew, not emptied: a new table has no delete-marked rows, the wanted index, and none of
     * the changes that a learner may have made to the old one. */
    stores->form = INDEX_UNKNOWN;
    if (!batch(stores, make_orders[wanted], NULL, 0, error)) return false;
    stores->form = wanted;
    return batch(stores, "TRUNCATE TABLE tb_order_0; TRUNCATE TABLE tb_order_1", NULL, 0, error) &&
           batch(stores, voucher, NULL, 0, error);
}

/* A deleted row leaves its key in the index until InnoDB gets round to purging it. Where the index is
 * unique, the next one with this key looks at it and takes locks there, so that what a run comes to
 * would depend on how far the purge of the last one is. */
static const char *const empty_orders[] = {
    [INDEX_PLAIN] = "DELETE FROM tb_voucher_order;",
    [INDEX_UNIQUE] = "TRUNCATE TABLE tb_voucher_order;",
};

/* One round trip. Without a transaction around it: nobody looks, and each statement more is one
 * more reply to wait for. */
static void write_clean(char text[CLEAN_TEXT], const ShopSetup *setup, unsigned parts)
{
    int used = 0;
    text[0] = '\0';
    if (parts & CLEAN_NUMBERS)
        used += snprintf(text, CLEAN_TEXT, "DELETE FROM tb_order_0;DELETE FROM tb_order_1;");
    if (parts & CLEAN_ORDERS)
        used += snprintf(text + used, (size_t)(CLEAN_TEXT - used), "%s",
                         empty_orders[setup->unique_order ? INDEX_UNIQUE : INDEX_PLAIN]);
    if (parts & CLEAN_VOUCHER)
        used += snprintf(text + used, (size_t)(CLEAN_TEXT - used),
                         "UPDATE tb_seckill_voucher SET stock = %ld, version = 0, token = 0, begin_time = " AT
                         ", end_time = " AT " WHERE voucher_id = %" PRId64 ";",
                         setup->stock, setup->begin, setup->end, setup->voucher);
    if (used > 0) text[used - 1] = '\0';
}

/* Numbers handed out before are handed out again: two runs of one schedule must be alike. */
static bool restart_numbers(Stores *stores, const long deleted[2], Error *error)
{
    if (deleted[0] > 0 && !batch(stores, "TRUNCATE TABLE tb_order_0", NULL, 0, error)) return false;
    return deleted[1] == 0 || batch(stores, "TRUNCATE TABLE tb_order_1", NULL, 0, error);
}

bool stores_sql_clean(Stores *stores, const ShopSetup *setup, unsigned parts, Error *error)
{
    char text[CLEAN_TEXT];
    long affected[2] = {0};
    write_clean(text, setup, parts);
    if (!text[0]) return true;
    if (!batch(stores, text, affected, 2, error)) return false;
    return !(parts & CLEAN_NUMBERS) || restart_numbers(stores, affected, error);
}
