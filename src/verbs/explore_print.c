#include "verbs/explore_print.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "course/schedule_text.h"

enum { LABEL = 12, NUMBER = 12 };

/* One line "  label       what": labels in a column of their own, in any language. */
static void print_line(const char *label, const char *what)
{
    char column[80];
    printf("  %s%s\n", text_pad(column, sizeof column, label, LABEL, TEXT_LEFT), what);
}

static void print_share(Text *line, double part, double whole)
{
    char share[32];
    text_format(line, _("%.0f of %.0f"), part, whole);
    if (part > 0 && part < whole) text_format(line, "  %s", text_share(share, sizeof share, part, whole));
}

static void print_space(const Exploration *exploration)
{
    char covers[200];
    Text line = {0};
    exploration_covers(exploration, covers, sizeof covers);
    print_line(_("world"), covers);
    const char *all = !exploration->complete ? _("%.0f so far")
                      : exploration->options.preemptions >= 0 ? _("all %.0f within the bound")
                                                              : _("all %.0f");
    text_format(&line, all, exploration->unpruned);
    if (exploration->options.prune)
        text_format(&line,
                    ngettext(", which %ld run stands for", ", which %ld runs stand for",
                             (unsigned long)exploration->runs),
                    exploration->runs);
    if (!exploration->counted) text_append(&line, _(" (some runs stand for more than was counted)"));
    print_line(_("schedules"), text_string(&line));
    text_free(&line);
}

static void print_verdicts(const Exploration *exploration)
{
    const Spec *spec = &exploration->spec;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (!spec->breaks[i] && !spec->keeps[i]) continue;
        double broke = exploration->violating[i];
        char name[80];
        Text line = {0};
        if (broke > 0) {
            text_format(&line, "%s  ", _("BROKEN"));
            print_share(&line, broke, exploration->unpruned);
        } else {
            text_append(&line, exploration->complete ? _("kept by all") : _("kept so far"));
        }
        text_pad(name, sizeof name, invariant_name((Invariant)i), 18, TEXT_LEFT);
        printf("  %s %s %s\n", broke > 0 ? "x" : "=", name, text_string(&line));
        text_free(&line);
    }
}

static void print_numbers(const char *label, double all, double broken)
{
    char column[80];
    printf("  %s%*.0f%*.0f\n", text_pad(column, sizeof column, label, 16, TEXT_LEFT), NUMBER, all,
           NUMBER, broken);
}

static void print_preemptions(const Exploration *exploration)
{
    char first[80], all[80], broken[80];
    text_pad(first, sizeof first, _("switches"), 16, TEXT_LEFT);
    text_pad(all, sizeof all, _("schedules"), NUMBER, TEXT_RIGHT);
    text_pad(broken, sizeof broken, _("broken"), NUMBER, TEXT_RIGHT);
    printf("\n  %s%s%s\n", first, all, broken);
    for (int i = 0; i < CLASS_PREEMPTIONS; i++) {
        if (exploration->by_preemptions[i] == 0) continue;
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        print_numbers(label, exploration->by_preemptions[i],
                      exploration->violating_by_preemptions[i]);
    }
}

static void print_outcomes(const Exploration *exploration)
{
    printf("\n%s\n", _("Outcomes"));
    for (int i = 0; i < exploration->outcomes; i++) {
        const ExploreOutcome *outcome = &exploration->outcome[i];
        Text names = {0};
        for (int k = 0; k < INVARIANT_COUNT; k++)
            if (outcome->broken >> k & 1)
                text_format(&names, "%s%s", names.length ? _(", ") : "   x ",
                            invariant_name((Invariant)k));
        printf("%*.0f  %s%s\n", NUMBER, outcome->schedules, outcome->text, text_string(&names));
        text_free(&names);
    }
    if (exploration->outcomes_left_out > 0)
        printf("%*ld  %s\n", NUMBER, exploration->outcomes_left_out, _("runs with other outcomes"));
}

static void print_shortest(const Lesson *lesson, const LessonVariant *variant,
                           const Exploration *exploration)
{
    if (exploration->best.schedules == 0) return;
    static Schedule schedule;
    char line[SCHEDULE_TEXT];
    const ExploreCell *cell = &exploration->best;
    exploration_schedule(exploration, cell, &schedule);
    printf("\n");
    printf(ngettext("Shortest schedule that breaks something: %d switch",
                    "Shortest schedule that breaks something: %d switches",
                    (unsigned long)cell->preemptions),
           cell->preemptions);
    printf("\n%s\n", schedule_text_write(lesson, variant, &exploration->spec, &schedule, line));
}

void explore_print(const Lesson *lesson, const LessonVariant *variant,
                   const Exploration *exploration)
{
    char why[300];
    printf(_("%s %s  %s: %s\n\n"), lesson->number, lesson_text(lesson)->title, variant->name,
           variant_text(variant)->title);
    print_space(exploration);
    print_verdicts(exploration);
    print_preemptions(exploration);
    print_outcomes(exploration);
    print_shortest(lesson, variant, exploration);
    printf("\n");
    printf(_("%s, in %.2f s, %.0f runs/s."),
           exploration->complete ? _("Complete") : _("NOT complete"), exploration->seconds,
           exploration->seconds > 0 ? (double)exploration->runs / exploration->seconds : 0);
    if (!exploration->complete)
        printf("\n%s\n", _("No verdict: only a complete exploration gives one."));
    else if (exploration_as_claimed(exploration, why, sizeof why))
        printf("\n%s\n", _("This is what the lesson claims of this variant."));
    else
        printf(_("\nThis is NOT what the lesson claims of this variant: %s.\n"), why);
}
