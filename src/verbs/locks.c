/* locks.c -- four kinds of locks and five strategies, tried on a real Redis: what each caller got. */
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/text.h"
#include "engine/lock_table.h"
#include "store/stores.h"
#include "verbs/json.h"
#include "verbs/verbs.h"

enum { SERVERS_MS = 60000, POLL_MS = 10, KIND = 12, STRATEGY = 22, CALL = 20, GOT = 16, WAITED = 10 };

/* ---- for people --------------------------------------------------------------------------------- */

static void print_cell(const char *what, int columns, TextAlign align)
{
    char cell[200];
    fputs(text_pad(cell, sizeof cell, what, columns, align), stdout);
}

static void print_head(void)
{
    print_cell(_("lock"), KIND, TEXT_LEFT);
    print_cell(_("strategy"), STRATEGY, TEXT_LEFT);
    print_cell(_("what is called"), CALL, TEXT_LEFT);
    print_cell(_("it got"), GOT, TEXT_LEFT);
    print_cell(_("waited"), WAITED, TEXT_RIGHT);
    putchar('\n');
    fflush(stdout);
}

static void print_row(const LockRow *row)
{
    char waited[32];
    snprintf(waited, sizeof waited, _("%.1f ms"), row->waited_ms);
    print_cell(lock_kind_name(row->kind), KIND, TEXT_LEFT);
    print_cell(lock_strategy_name(row->strategy), STRATEGY, TEXT_LEFT);
    print_cell(lock_strategy_call(row->strategy), CALL, TEXT_LEFT);
    print_cell(lock_outcome_words(row->outcome), GOT, TEXT_LEFT);
    print_cell(waited, WAITED, TEXT_RIGHT);
    if (row->error[0]) printf("  %s", row->error);
    putchar('\n');
    fflush(stdout);
}

static void print_end(void)
{
    putchar('\n');
    printf(_("Each time another one holds it for %d ms; a wait is limited to %d ms."),
           LOCK_TABLE_HOLD_MS, LOCK_TABLE_WAIT_MS);
    putchar('\n');
    puts(_("Readers share. Of the others, keep-trying alone ends with the lock."));
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *row_json(const LockRow *row)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:b}", "kind", lock_kind_name(row->kind), "strategy",
                     lock_strategy_name(row->strategy), "call", lock_strategy_call(row->strategy), "outcome",
                     lock_outcome_name(row->outcome), "error", json_text_or_null(row->error), "waited_ms",
                     json_rounded(row->waited_ms, 3), "as_claimed", row->outcome == lock_row_expected(row));
}

static json_t *table_json(const LockTable *table)
{
    json_t *rows = json_array();
    for (int i = 0; i < LOCK_TABLE_ROWS; i++) json_array_append_new(rows, row_json(&table->row[i]));
    return json_pack("{s:i, s:i, s:o}", "wait_ms", LOCK_TABLE_WAIT_MS, "hold_ms", LOCK_TABLE_HOLD_MS, "rows", rows);
}

/* ---- the table --------------------------------------------------------------------------------------- */

/* For people, in the order of the table, each as soon as those before it are there. */
static void run_all(LockTabler *tabler, LockTable *table, bool json)
{
    int printed = 0;
    if (!json) print_head();
    do {
        clock_sleep_ns(POLL_MS * 1000000u);
        lock_tabler_look(tabler, table);
        while (!json && printed < LOCK_TABLE_ROWS && table->row[printed].outcome >= LOCK_ROW_LOCKED)
            print_row(&table->row[printed++]);
    } while (!table->over);
    if (!json) print_end();
}

static int judge(const LockTable *table, int status)
{
    for (int i = 0; i < LOCK_TABLE_ROWS; i++) {
        const LockRow *row = &table->row[i];
        if (row->outcome == LOCK_ROW_NONE) return verb_fail(EXIT_NO_SERVER, _("%s Run it again."), row->error);
        if (row->outcome != lock_row_expected(row)) status = EXIT_NOT_AS_CLAIMED;
    }
    return status;
}

static int locks_on(Stores *stores, bool json)
{
    Error error;
    RedisAddress redis;
    SqlAddress sql;
    LockTable table;
    if (!stores_wait(stores, SERVERS_MS, &error)) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    stores_addresses(stores, &redis, &sql);
    LockTabler *tabler = lock_tabler_open(&redis, &error);
    if (!tabler) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    run_all(tabler, &table, json);
    lock_tabler_close(tabler);
    return judge(&table, json ? json_print(table_json(&table)) : EXIT_AS_CLAIMED);
}

int verb_locks(const Options *options)
{
    Error error;
    Stores *stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error);
    if (!stores) return verb_fail(EXIT_USAGE, "%s", error.text);
    int status = locks_on(stores, options->given[OPTION_JSON]);
    stores_close(stores);
    return status;
}
