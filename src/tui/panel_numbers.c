/* The figures of a finished race. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/panel.h"

enum { MAX_FIGURES = 16 };

static struct {
    const char *label[MAX_FIGURES];
    char number[MAX_FIGURES][40];
    int count;
} shown;

static void figure(const char *label, const char *number)
{
    if (shown.count == MAX_FIGURES) return;
    shown.label[shown.count] = label;
    snprintf(shown.number[shown.count], sizeof shown.number[0], "%s", number);
    shown.count++;
}

static void figure_ms(const char *label, double ms)
{
    char number[40];
    snprintf(number, sizeof number, _("%.1f ms"), ms);
    figure(label, number);
}

static void figure_long(const char *label, long value)
{
    char number[32];
    figure(label, number_grouped(number, sizeof number, value));
}

static int numbers_update(const Scene *scene, int columns)
{
    (void)columns;
    shown.count = 0;
    const Report *report = scene->report;
    if (!report) return 0;

    char text[40];
    snprintf(text, sizeof text, _("%.2f s"), report->seconds);
    figure(_("time"), text);
    figure_long(_("requests a second"), (long)(report->throughput + 0.5));
    figure_ms(_("latency p50"), report->p50_ms);
    figure_ms(_("latency p99"), report->p99_ms);
    figure_ms(_("latency max"), report->max_ms);
    if (report->spec.consumers > 0 && report->stored > 0) {
        figure_ms(_("stored p50"), report->stored_p50_ms);
        figure_ms(_("stored p99"), report->stored_p99_ms);
        snprintf(text, sizeof text, _("%.2f s"), report->stored_seconds);
        figure(_("all stored after"), text);
    }
    figure_long(_("steps"), report->steps);
    if (report->attempts_mean > 0) {
        snprintf(text, sizeof text, "%.1f", report->attempts_mean);
        figure(_("attempts for an order"), text);
        figure_long(_("at most"), report->attempts_max);
    }
    figure_ms(_("all released within"), report->release_ms);
    if (report->nodes_lost > 0) figure_long(_("nodes lost"), report->nodes_lost);
    if (report->trace_lost > 0) figure_long(_("events not recorded"), report->trace_lost);
    return 1 + shown.count;
}

static void numbers_draw(const Scene *scene, const Area *area)
{
    (void)scene;
    panel_title(area, _("FIGURES"), NULL);
    for (int i = 0; i < shown.count; i++)
        panel_number(area, 1 + i, shown.label[i], STYLE_TEXT, shown.number[i]);
}

const Panel panel_numbers = {"numbers", 3, 3, numbers_update, numbers_draw};
