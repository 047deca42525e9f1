#include "engine/report.h"

#include <stdio.h>

#include "base/i18n.h"

bool report_as_claimed(const Report *report)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (report->spec.breaks[i] && report->verdict[i].state != VERDICT_BROKEN) return false;
        if (report->spec.keeps[i] && report->verdict[i].state != VERDICT_KEPT) return false;
    }
    return true;
}

const char *report_stopped_words(const Report *report)
{
    bool all = report->answered == (long)report->spec.users * report->spec.requests;
    return all ? _("The race was stopped before every order was stored.")
               : _("The race was stopped before everybody had an answer.");
}

void report_headline(const Report *report, char *text, int size)
{
    int used = 0, judged = 0, broken = 0, unknown = 0;
    text[0] = '\0';
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (report->verdict[i].state == VERDICT_NONE) continue;
        judged++;
        if (report->verdict[i].state == VERDICT_UNKNOWN) unknown++;
        if (report->verdict[i].state != VERDICT_BROKEN) continue;
        if (broken++ > 0 && used < size - 1)
            used += snprintf(text + used, (size_t)(size - used), " ");
        if (used < size - 1)
            used += snprintf(text + used, (size_t)(size - used), _("%s is BROKEN: %s."),
                             invariant_name((Invariant)i), report->verdict[i].detail);
    }
    if (broken > 0) return;
    if (!report->complete)
        snprintf(text, (size_t)size, "%s", _("Nothing broke; not all were answered."));
    else if (unknown > 0)
        snprintf(text, (size_t)size, ngettext("Nothing is seen to break, but %d of %d invariant could not be judged.",
                                            "Nothing is seen to break, but %d of %d invariants could not be judged.",
                                            (unsigned long)judged),
                 unknown, judged);
    else
        snprintf(text, (size_t)size, ngettext("The %d invariant was kept.", "All %d invariants were kept.",
                                              (unsigned long)judged), judged);
}
