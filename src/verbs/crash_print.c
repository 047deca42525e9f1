#include "verbs/crash_print.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/mover.h"
#include "course/schedule_text.h"

enum { LABEL = 12, WHEN = 14, INDENT = WHEN + 7 };

static void print_line(const char *label, const char *what)
{
    char column[80];
    printf("  %s%s\n", text_pad(column, sizeof column, label, LABEL, TEXT_LEFT), what);
}

static void print_schedule(const Lesson *lesson, const LessonVariant *variant, const CrashTable *table)
{
    char line[SCHEDULE_TEXT];
    print_line(_("schedule"),
               schedule_text_write(lesson, variant, &table->spec, &table->schedule, line));
}

/* ---- one row ------------------------------------------------------------------------------- */

static void print_step(const CrashTable *table, const CrashRow *row)
{
    char actor[12];
    printf(_("\n%3d  %s %s  (%s)\n"), row->move + 1, mover_name(&table->spec, row->actor, actor), row->words,
           row->command);
}

static const char *when(const CrashRow *row)
{
    return row->waits ? _("while it waits") : row->after ? _("killed after") : _("killed before");
}

static void add_stores(Text *line, const CrashTable *table, const CrashRow *row)
{
    if (table->spec.stock_in_sql) text_format(line, _("stock %ld, "), row->truth.stock);
    if (row->truth.has_redis_stock) text_format(line, _("in Redis %ld, "), row->truth.redis_stock);
    text_format(line, ngettext("%ld order", "%ld orders", (unsigned long)row->truth.orders),
                row->truth.orders);
}

static void add_told(Text *line, const CrashTable *table, const CrashRow *row)
{
    for (int i = 0; i < spec_user_actors(&table->spec); i++) {
        const CrashTold *told = &row->told[i];
        char actor[12];
        text_format(line, _("; %s: %s"), mover_name(&table->spec, i, actor),
                    told->answered ? answer_words(told->answer)
                    : told->dead   ? _("told nothing")
                                   : _("waits"));
    }
}

/* A lock with a lease comes free by itself; one without never does. */
static void print_locks(const CrashRow *row)
{
    for (int i = 0; i < row->locks; i++) {
        const LockView *lock = &row->lock[i];
        printf("%*s", INDENT, "");
        if (lock->home != LOCK_IN_REDIS)
            printf(_("- %s is held\n"), lock->name);
        else if (lock->ttl_ms < 0)
            printf(_("- %s is left, without a lease (TTL -1)\n"), lock->name);
        else
            printf(_("- %s is left, with a lease of %.1f s\n"), lock->name, (double)lock->ttl_ms / 1000);
    }
}

static void print_broken(const CrashRow *row)
{
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (row->verdict[i].state == VERDICT_BROKEN)
            printf(_("%*sx %s: %s\n"), INDENT, "", invariant_name((Invariant)i), row->verdict[i].detail);
}

static void print_row(const CrashTable *table, const CrashRow *row)
{
    Text line = {0};
    char column[80];
    add_stores(&line, table, row);
    add_told(&line, table, row);
    printf("     %s  %s\n", text_pad(column, sizeof column, when(row), WHEN, TEXT_LEFT), text_string(&line));
    text_free(&line);
    print_locks(row);
    if (row->unheard) printf("%*s! %s\n", INDENT, "", _("told nothing, yet it happened"));
    print_broken(row);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void print_sum(const CrashTable *table)
{
    printf("\n");
    if (!table->over) printf(_("NOT complete, of %d: "), table->wanted);
    printf(ngettext("%d crash", "%d crashes", (unsigned long)table->rows), table->rows);
    printf(ngettext(", %d breaks something", ", %d break something", (unsigned long)table->broken_any),
           table->broken_any);
    printf(ngettext(", in %d something happened that nobody was told of.",
                    ", in %d something happened that nobody was told of.",
                    (unsigned long)table->unheard),
           table->unheard);
    printf("\n");
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (!table->spec.breaks[i] && !table->spec.keeps[i]) continue;
        char name[80];
        text_pad(name, sizeof name, invariant_name((Invariant)i), 18, TEXT_LEFT);
        if (table->broken[i] > 0)
            printf(_("  x %s BROKEN by %d of %d\n"), name, table->broken[i], table->rows);
        else
            printf(table->over ? _("  = %s kept by all\n") : _("  = %s kept so far\n"), name);
    }
}

void crash_print(const Lesson *lesson, const LessonVariant *variant, const CrashTable *table)
{
    printf(_("%s %s  %s: %s\n\n"), lesson->number, lesson_text(lesson)->title, variant->name,
           variant_text(variant)->title);
    print_schedule(lesson, variant, table);
    for (int i = 0; i < table->rows; i++) {
        const CrashRow *row = &table->row[i];
        if (i == 0 || table->row[i - 1].move != row->move) print_step(table, row);
        print_row(table, row);
    }
    print_sum(table);
}
