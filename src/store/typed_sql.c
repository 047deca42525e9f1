/* typed_sql.c -- a query typed by the learner, its rows as an aligned table. */
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/i18n.h"
#include "store/observe_private.h"
#include "store/sql_private.h"

enum { TABLE_ROWS = 200, TABLE_COLUMNS = 32, CELL_COLUMNS = 60, ANSWER_SECONDS = 5 };

/* ---- the table
 * --------------------------------------------------------------------------------------- */

typedef struct Table {
    int columns;
    int width[TABLE_COLUMNS];
    bool number[TABLE_COLUMNS];
    char **cells; /* the names, then rows of `columns` */
    long rows, room;
    bool more, failed;
} Table;

static bool looks_like_number(const char *text)
{
    if (*text == '-') text++;
    size_t digits = strspn(text, "0123456789");
    if (!digits) return false;
    text += digits;
    if (*text == '.') text += 1 + strspn(text + 1, "0123456789");
    return !*text;
}

static char *make_cell(const char *value)
{
    Text text = {0};
    char cut[CELL_COLUMNS * 4 + 8];
    text_append_clean(&text, value ? value : "NULL", value ? strlen(value) : 4);
    text_cut(cut, sizeof cut, text_string(&text), CELL_COLUMNS, "…");
    text_free(&text);
    return strdup(cut);
}

static bool make_room(Table *table)
{
    if ((table->rows + 1) * table->columns <= table->room) return true;
    long room = table->room ? table->room * 2 : 16 * table->columns;
    char **cells = realloc(table->cells, (size_t)room * sizeof *cells);
    if (!cells) return false;
    table->cells = cells;
    table->room = room;
    return true;
}

static bool add_row(void *data, long index, int columns, char **values)
{
    Table *table = data;
    if (index < 0) table->columns = columns < TABLE_COLUMNS ? columns : TABLE_COLUMNS;
    if (index >= TABLE_ROWS) {
        table->more = true;
        return false;
    }
    if (!make_room(table)) return !(table->failed = true);
    for (int i = 0; i < table->columns; i++) {
        char *cell = make_cell(values[i]);
        if (!cell) return !(table->failed = true);
        int width = text_columns(cell);
        if (width > table->width[i]) table->width[i] = width;
        if (index == 0) table->number[i] = true;
        if (index >= 0 && values[i] && !looks_like_number(cell)) table->number[i] = false;
        table->cells[table->rows * table->columns + i] = cell;
    }
    table->rows++;
    return true;
}

static void print_row(Text *text, const Table *table, long row)
{
    char padded[CELL_COLUMNS * 4 + 16];
    for (int i = 0; i < table->columns; i++) {
        bool last = i + 1 == table->columns && !table->number[i];
        const char *cell = table->cells[row * table->columns + i];
        text_append(text, i ? " | " : "");
        text_append(text, last ? cell
                               : text_pad(padded, sizeof padded, cell, table->width[i],
                                          table->number[i] ? TEXT_RIGHT : TEXT_LEFT));
    }
    text_append(text, "\n");
}

static void print_rule(Text *text, const Table *table)
{
    for (int i = 0; i < table->columns; i++) {
        text_append(text, i ? "-+-" : "");
        for (int k = 0; k < table->width[i]; k++) text_append(text, "-");
    }
    text_append(text, "\n");
}

static void print_table(Text *text, const Table *table)
{
    long rows = table->rows - 1; /* without the names */
    print_row(text, table, 0);
    print_rule(text, table);
    for (long row = 1; row < table->rows; row++) print_row(text, table, row);
    if (table->more)
        text_format(text, _("(the first %d rows)"), TABLE_ROWS);
    else
        text_format(text, ngettext("(%ld row)", "(%ld rows)", (unsigned long)rows), rows);
}

static void table_free(Table *table)
{
    for (long i = 0; i < table->rows * table->columns; i++) free(table->cells[i]);
    free(table->cells);
}

/* ---- what is not sent
 * -------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *query)
{
    while (isspace((unsigned char)*query) || *query == '(') query++;
    return query;
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$') length++;
    return length;
}

static bool word_is(const char *at, const char *word)
{
    size_t length = strlen(word);
    return word_length(at) == length && strncasecmp(at, word, length) == 0;
}

static bool begins_with_one_of(const char *query, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (word_is(query, words[i])) return true;
    return false;
}

/* Behind a quoted part: its closing quote is passed. */
static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote) at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static bool our_table(const char *at, size_t length)
{
    static const char *const names[] = {"seckill_lab",      "tb_voucher", "tb_seckill_voucher",
                                        "tb_voucher_order", "tb_order_0", "tb_order_1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncasecmp(at, names[i], length) == 0) return true;
    return false;
}

/* True when a statement that writes names nothing but tables of ours: each word in front of a dot
 * is one of them, and nothing is hidden in backquotes or comments. */
static bool stays_at_home(const char *query)
{
    for (const char *at = query; *at;) {
        if (*at == '`' || (*at == '/' && at[1] == '*')) return false;
        if (*at == '\'' || *at == '"') {
            at = skip_quoted(at);
            continue;
        }
        size_t length = word_length(at);
        if (!length) {
            at++;
            continue;
        }
        const char *behind = at + length;
        while (isspace((unsigned char)*behind)) behind++;
        if (*behind == '.' && !our_table(at, length) && !looks_like_number(at) &&
            !isdigit((unsigned char)*at))
            return false;
        at += length;
    }
    return true;
}

static bool has_word(const char *query, const char *word)
{
    for (const char *at = query; *at;) {
        if (*at == '\'' || *at == '"') {
            at = skip_quoted(at);
            continue;
        }
        if (word_is(at, word)) return true;
        size_t length = word_length(at);
        at += length ? length : 1;
    }
    return false;
}

/* The learner's own server: reading, transactions, and writing to the lab's tables. */
static bool harmless(const char *query)
{
    static const char *const reads[] = {"select", "show", "desc", "describe", "explain", "help"};
    static const char *const writes[] = {"insert", "update", "delete", "replace"};
    static const char *const ends[] = {"begin", "start", "commit", "rollback", "savepoint"};
    if (strstr(query, "/*!") || strstr(query, "/*M!")) return false;
    if (begins_with_one_of(query, reads, 6))
        return !has_word(query, "outfile") && !has_word(query, "dumpfile");
    if (begins_with_one_of(query, ends, 5)) return true;
    return begins_with_one_of(query, writes, 4) && stays_at_home(query);
}

const char *observe_sql_refusal(const char *query, bool own)
{
    query = skip_blanks(query);
    if (word_is(query, "shutdown"))
        return _("Not sent: this would end the server. To see a server die, use the faults.");
    if (!own || harmless(query)) return NULL;
    return _(
        "Not sent: this is your own server, where the console reads, and writes to the tables of "
        "seckill_lab alone.");
}

/* ---- the typed query
 * ------------------------------------------------------------------------------------------ */

static char *say(const char *words)
{
    Text text = {0};
    text_append(&text, words);
    return text_take(&text);
}

/* A query that runs for ever, or waits for a lock, gives up before the console seems dead. */
static void limit_patience(SqlLink *link)
{
    sql_link_text(link, "SET SESSION innodb_lock_wait_timeout = 3, lock_wait_timeout = 3", NULL,
                  NULL);
    bool maria = strstr(sql_link_version(link), "MariaDB") != NULL;
    sql_link_text(link,
                  maria ? "SET SESSION max_statement_time = 5"
                        : "SET SESSION max_execution_time = 5000",
                  NULL, NULL);
}

static bool have_link(Observer *observer, Error *error)
{
    if (observer->typed_sql && sql_alive(observer->typed_sql)) return true;
    bool fine = observer->typed_sql
                    ? sql_link_reopen(observer->typed_sql, error)
                    : (observer->typed_sql = sql_link_open_within(
                           &observer->sql_address, true, 2 * ANSWER_SECONDS, error)) != NULL;
    if (fine) limit_patience(observer->typed_sql);
    return fine;
}

static void print_result(Text *text, const Observer *observer, const Table *table)
{
    if (table->failed) {
        text_append(text, _("Out of memory."));
    } else if (table->columns) {
        print_table(text, table);
    } else {
        long rows = sql_affected(observer->typed_sql);
        text_format(text,
                    ngettext("OK, %ld row changed", "OK, %ld rows changed", (unsigned long)rows),
                    rows);
    }
}

static char *ask(Observer *observer, const char *query)
{
    Error error = {0};
    if (!have_link(observer, &error)) return say(error.text);
    Table table = {0};
    Text text = {0};
    atomic_store(&observer->typed_id, sql_link_id(observer->typed_sql));
    StoreStatus status = sql_link_rows(observer->typed_sql, query, add_row, &table, &error);
    atomic_store(&observer->typed_id, 0);
    if (status == STORE_OK) print_result(&text, observer, &table);
    if (status == STORE_REFUSED) text_format(&text, "ERROR %s", error.text);
    if (status == STORE_LOST) text_append(&text, error.text);
    table_free(&table);
    return text_take(&text);
}

/* ---- and its end
 * ------------------------------------------------------------------------------------------ */

typedef struct Cancel {
    SqlAddress address;
    uint64_t id;
} Cancel;

static void *cancel(void *data)
{
    Cancel *wanted = data;
    char text[60];
    snprintf(text, sizeof text, "KILL QUERY %llu", (unsigned long long)wanted->id);
    SqlLink *link = sql_link_open_within(&wanted->address, false, ANSWER_SECONDS, NULL);
    if (link) sql_link_text(link, text, NULL, NULL);
    sql_link_close(link);
    free(wanted);
    return NULL;
}

/* Connecting may take its time: a thread of its own does it, with what it needs in its hand. */
void observer_sql_cancel(Observer *observer)
{
    pthread_t thread;
    uint64_t id = atomic_load(&observer->typed_id);
    Cancel *wanted = id ? malloc(sizeof *wanted) : NULL;
    if (!wanted) return;
    *wanted = (Cancel){observer->sql_address, id};
    if (pthread_create(&thread, NULL, cancel, wanted) == 0)
        pthread_detach(thread);
    else
        free(wanted);
}

char *observer_sql(Observer *observer, const char *query)
{
    char *copy = strdup(query);
    if (!copy) return say(_("Out of memory."));
    size_t length = strlen(copy);
    while (length && (copy[length - 1] == ';' || isspace((unsigned char)copy[length - 1])))
        copy[--length] = 0;
    const char *refusal = length ? observe_sql_refusal(copy, observer->sql_own)
                                 : _("Give a query, such as: SELECT * FROM tb_seckill_voucher");
    char *answer = refusal ? say(refusal) : ask(observer, copy);
    free(copy);
    return answer;
}
