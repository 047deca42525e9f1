#include "verbs/compare_print.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"

enum { LEAST_NAME = 22 };

static const int widths[MEASURE_COUNT] = {
    [MEASURE_THROUGHPUT] = 11, [MEASURE_P50] = 9, [MEASURE_P99] = 9,  [MEASURE_MAX] = 9,
    [MEASURE_STORED] = 11,     [MEASURE_SQL] = 8, [MEASURE_REDIS] = 8,
};

static void row_name(const CompareChoice *choice, int row, Text *text)
{
    text_format(text, "%s %s", choice->lesson[row]->number, choice->variant[row]->name);
}

static int name_columns(const CompareChoice *choice)
{
    int most = LEAST_NAME;
    for (int i = 0; i < choice->count; i++) {
        Text name = {0};
        row_name(choice, i, &name);
        if (text_columns(text_string(&name)) > most) most = text_columns(text_string(&name));
        text_free(&name);
    }
    return most;
}

static void print_cell(const char *what, int columns, TextAlign align)
{
    char cell[120];
    fputs(text_pad(cell, sizeof cell, what, columns, align), stdout);
}

static void print_world(const Spec *spec)
{
    printf(ngettext("%d user", "%d users", (unsigned long)spec->users), spec->users);
    fputs(_(", "), stdout);
    printf(ngettext("%d request each", "%d requests each", (unsigned long)spec->requests), spec->requests);
    fputs(_(", "), stdout);
    printf(_("stock %ld"), spec->stock);
    fputs(_(", "), stdout);
    printf(ngettext("%d node", "%d nodes", (unsigned long)spec->nodes), spec->nodes);
    printf(", %s\n\n", _("full speed"));
}

void compare_print_head(const CompareChoice *choice, const Comparison *comparison)
{
    print_world(&comparison->row[0].spec);
    print_cell("", name_columns(choice) + 2, TEXT_LEFT);
    for (int i = 0; i < MEASURE_COUNT; i++) print_cell(compare_title((Measure)i), widths[i], TEXT_RIGHT);
    putchar('\n');
    fflush(stdout);
}

static void print_numbers(const Comparison *comparison, int row, bool ratios)
{
    char text[32];
    double number;
    for (int i = 0; i < MEASURE_COUNT; i++) {
        const char *what = "-";
        if (!ratios && compare_measure(&comparison->row[row], (Measure)i, &number))
            what = compare_write((Measure)i, number, text);
        if (ratios && compare_ratio(comparison, row, (Measure)i, &number)) what = compare_write_ratio(number, text);
        print_cell(what, widths[i], TEXT_RIGHT);
    }
    putchar('\n');
}

static void print_verdict(const CompareRow *row, int columns)
{
    Text text = {0};
    Invariant broken = compare_broken(row);
    if (broken < INVARIANT_COUNT)
        text_format(&text, "   x %s", invariant_name(broken));
    else
        text_format(&text, "   = %s", row->complete ? _("kept") : _("not all answered"));
    print_cell(text_string(&text), columns, TEXT_LEFT);
    text_free(&text);
}

void compare_print_row(const CompareChoice *choice, const Comparison *comparison, int row)
{
    Text name = {0};
    int columns = name_columns(choice) + 2;
    row_name(choice, row, &name);
    print_cell(text_string(&name), columns, TEXT_LEFT);
    text_free(&name);
    print_numbers(comparison, row, false);
    print_verdict(&comparison->row[row], columns);
    print_numbers(comparison, row, true);
    if (!comparison->row[row].counted)
        printf("   %s\n", _("not every step was seen: there were more commands than counted"));
    fflush(stdout);
}

static void print_broken(const CompareChoice *choice, const CompareRow *row, int index)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (row->verdict[i].state != VERDICT_BROKEN) continue;
        printf(_("%s/%s: "), choice->lesson[index]->name, choice->variant[index]->name);
        printf(_("%s is BROKEN: %s."), invariant_name((Invariant)i), row->verdict[i].detail);
        putchar('\n');
    }
}

void compare_print_end(const CompareChoice *choice, const Comparison *comparison)
{
    putchar('\n');
    for (int i = 0; i < COMPARE_MOMENTS; i++) puts(compare_moment(i));
    for (int i = 0; i < comparison->done; i++) print_broken(choice, &comparison->row[i], i);
}
