/* The report's first lines: what broke, by how much, and whether that was to be expected. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/flow.h"
#include "tui/panel.h"

static Flow shown;

/* What the outcome means, held against what the variant claims. */
static const char *claim_words(const Report *report, bool broken)
{
    if (report_as_claimed(report))
        return broken ? _("That is what this variant is here to show.")
                      : _("That is what this variant claims.");
    if (broken) return _("That is not what this variant claims.");
    return _("This variant can break, but it did not this time: race again, or with a slower "
             "pace.");
}

static Style claim_style(const Report *report)
{
    return report_as_claimed(report) ? STYLE_QUIET : STYLE_WARN;
}

static int verdict_update(const Scene *scene, int columns)
{
    flow_free(&shown);
    if (!scene->report) return 0;

    const Report *report = scene->report;
    char headline[600];
    report_headline(report, headline, sizeof headline);
    bool broken = report->first_broken < INVARIANT_COUNT;
    flow_text(&shown, broken ? STYLE_BROKEN : STYLE_KEPT, headline, columns, 0);
    if (report->stopped)
        flow_text(&shown, STYLE_WARN, report_stopped_words(report), columns, 0);
    else
        flow_text(&shown, claim_style(report), claim_words(report, broken), columns, 0);
    if (report->trouble[0]) flow_text(&shown, STYLE_WARN, report->trouble, columns, 0);
    return shown.lines;
}

static void verdict_draw(const Scene *scene, const Area *area)
{
    (void)scene;
    flow_draw(&shown, area, 0);
}

const Panel panel_verdict = {"verdict", 0, 1, verdict_update, verdict_draw};
