#include "verbs/report_print.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "course/schedule_text.h"
#include "engine/mover.h"
#include "engine/world.h"

enum { LABEL = 12 };

/* One line "  label       what": labels in a column of their own, in any language. */
static void print_line(const char *label, const char *what)
{
    char column[80];
    printf("  %s%s\n", text_pad(column, sizeof column, label, LABEL, TEXT_LEFT), what);
}

static void print_world(const Lesson *lesson, const LessonVariant *variant, const Spec *spec)
{
    Text line = {0};
    printf(_("%s %s  %s: %s\n"), lesson->number, lesson_text(lesson)->title, variant->name,
           variant_text(variant)->title);
    text_format(&line, ngettext("%d user", "%d users", (unsigned long)spec->users), spec->users);
    text_append(&line, _(", "));
    text_format(&line,
                ngettext("%d request each", "%d requests each", (unsigned long)spec->requests),
                spec->requests);
    if (spec->stock_in_sql || spec->stock_in_redis) {
        text_append(&line, _(", "));
        text_format(&line, _("stock %ld"), spec->stock);
    }
    text_append(&line, _(", "));
    text_format(&line, ngettext("%d node", "%d nodes", (unsigned long)spec->nodes), spec->nodes);
    text_append(&line, _(", "));
    if (spec->pace_ms > 0)
        text_format(&line, _("pace %d ms"), spec->pace_ms);
    else
        text_append(&line, _("full speed"));
    printf("%s\n\n", text_string(&line));
    text_free(&line);
}

static void print_answers(const Report *report)
{
    Text line = {0};
    for (int i = 0; i < ANSWER_COUNT; i++) {
        if (report->answers[i] == 0) continue;
        if (line.length > 0) text_append(&line, _(", "));
        text_format(&line, "%ld %s", report->answers[i], answer_words((AnswerKind)i));
    }
    if (line.length == 0) text_append(&line, _("none"));
    print_line(_("answers"), text_string(&line));
    text_free(&line);
}

static void print_truth(const Report *report)
{
    const Snapshot *truth = &report->truth;
    Text line = {0};
    if (report->spec.stock_in_sql) text_format(&line, _("stock %ld, "), truth->stock);
    text_format(&line, ngettext("%ld order", "%ld orders", (unsigned long)truth->orders),
                truth->orders);
    print_line(_("database"), truth->sql_ok ? text_string(&line) : _("did not answer"));
    text_reset(&line);
    if (truth->has_redis_stock) text_format(&line, _("stock %ld"), truth->redis_stock);
    if (truth->has_redis_stock && truth->has_buyers) text_append(&line, _(", "));
    if (truth->has_buyers)
        text_format(&line, ngettext("%ld buyer", "%ld buyers", (unsigned long)truth->buyers),
                    truth->buyers);
    if (!truth->redis_ok)
        print_line("Redis", _("did not answer"));
    else if (line.length > 0)
        print_line("Redis", text_string(&line));
    text_free(&line);
}

static void print_speed(const Report *report)
{
    Text line = {0};
    text_format(&line, _("%.3f s, %.0f requests/s"), report->seconds, report->throughput);
    print_line(_("time"), text_string(&line));
    text_reset(&line);
    text_format(&line, _("half within %.1f ms, 99 of 100 within %.1f ms, all within %.1f ms"),
                report->p50_ms, report->p99_ms, report->max_ms);
    if (report->answered > 0) print_line(_("latency"), text_string(&line));
    text_reset(&line);
    text_format(&line, _("%.1f for an order, %ld at most"), report->attempts_mean,
                report->attempts_max);
    if (report->attempts_max > 1) print_line(_("attempts"), text_string(&line));
    text_free(&line);
}

/* Where the answer comes first: when the orders were there, too. */
static void print_stored(const Report *report)
{
    if (report->spec.consumers == 0) return;
    Text line = {0};
    if (report->stored > 0)
        text_format(&line, _("half within %.1f ms, 99 of 100 within %.1f ms of the first step; all after %.3f s"),
                    report->stored_p50_ms, report->stored_p99_ms, report->stored_seconds);
    else
        text_append(&line, _("none"));
    print_line(_("stored"), text_string(&line));
    text_free(&line);
}

static void print_verdicts(const Report *report)
{
    static const struct {
        const char *sign, *word;
    } states[] = {
        [VERDICT_NONE] = {" ", ""},
        [VERDICT_UNKNOWN] = {"?", N_("unknown")},
        [VERDICT_KEPT] = {"=", N_("kept")},
        [VERDICT_BROKEN] = {"x", N_("BROKEN")},
    };
    printf("\n%s\n", _("What must hold"));
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const Verdict *verdict = &report->verdict[i];
        if (verdict->state == VERDICT_NONE) continue;
        char name[80], word[80];
        text_pad(name, sizeof name, invariant_name((Invariant)i), 18, TEXT_LEFT);
        text_pad(word, sizeof word, _(states[verdict->state].word), 8, TEXT_LEFT);
        printf("  %s %s %s %s\n", states[verdict->state].sign, name, word, verdict->detail);
    }
}

/* A fault that never hit has shown nothing, whatever the outcome. */
static void print_faults(const Report *report)
{
    if (report->faults == 0) return;
    printf("\n%s\n", _("Faults"));
    for (int i = 0; i < report->faults; i++) {
        long fired = report->fault[i].fired;
        char text[200], column[400];
        fault_write(&report->fault[i].fault, text, sizeof text);
        printf("  %s %s ", fired ? "!" : "?", text_pad(column, sizeof column, text, 36, TEXT_LEFT));
        if (fired == 0)
            printf("%s\n", _("NEVER HIT: nobody came there while it was armed"));
        else
            printf(ngettext("hit %ld time\n", "hit %ld times\n", (unsigned long)fired), fired);
    }
}

/* Two requests at once of one user are told apart by the letters that faults and schedules use. */
static void write_who(const Spec *spec, const StoryLine *line, char *who, size_t size)
{
    char name[12];
    bool nobody = line->actor < 0 || (line->kind == EVENT_FAULT && line->code >= CONSOLE_EXPIRED);
    if (nobody)
        snprintf(who, size, "--"); /* the console or the clock */
    else if (line->actor >= spec_user_actors(spec))
        snprintf(who, size, "%s", mover_name(spec, line->actor, name));
    else if (spec->at_once)
        snprintf(who, size, _("%s (user %lld)"), schedule_actor(line->actor, name), (long long)line->user);
    else
        snprintf(who, size, _("user %lld"), (long long)line->user);
}

static void print_story(const Report *report)
{
    if (report->story_lines == 0) return;
    printf("\n");
    printf(_("How %s broke first\n"), invariant_name((Invariant)report->first_broken));
    for (int i = 0; i < report->story_lines; i++) {
        const StoryLine *line = &report->story[i];
        char who[40], words[200];
        write_who(&report->spec, line, who, sizeof who);
        printf("  %8.3f ms  ", (double)line->at_ns / 1e6);
        text_pad(words, sizeof words, who, report->spec.at_once ? 16 : 12, TEXT_LEFT);
        printf("%s", words);
        text_pad(words, sizeof words, line->words, 36, TEXT_LEFT);
        printf("%s %s%s\n", words, line->result, line->telling ? "   <-" : "");
    }
}

static void print_schedule(const Lesson *lesson, const LessonVariant *variant, const Report *report)
{
    char line[SCHEDULE_TEXT];
    if (*report->schedule_note) printf("\n%s\n", report->schedule_note);
    schedule_text_of_report(lesson, variant, report, line);
    if (*line) printf("%s\n", line);
}

void report_print(const Lesson *lesson, const LessonVariant *variant, const Report *report)
{
    char headline[1200];
    print_world(lesson, variant, &report->spec);
    print_answers(report);
    print_truth(report);
    print_speed(report);
    print_stored(report);
    if (*report->trouble) print_line(_("trouble"), report->trouble);
    print_verdicts(report);
    print_faults(report);
    print_story(report);
    report_headline(report, headline, sizeof headline);
    printf("\n%s\n", headline);
    printf("%s\n", report_as_claimed(report)
                       ? _("This is what the lesson claims of this variant.")
                       : _("This is NOT what the lesson claims of this variant."));
    print_schedule(lesson, variant, report);
}
