/* What stands between the answer and the order: the queues in the nodes' memory, and the stream with its group. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/chart.h"
#include "tui/panel.h"
#include "tui/queue_scene.h"

enum {
    MOST_LINES = 32,
    SIGN = 2,
    TITLE_CHART = 14, /* columns of the small chart */
    CHART_FROM = 34,  /* with fewer columns there is none behind the title */
    SIDES_FROM = 70,  /* from here on nodes and consumers stand beside the numbers */
    FILL = 12         /* the bar of a queue that can be full */
};

typedef struct Line {
    char label[80], number[60];
    Style style;
    bool sign; /* something is wrong here */
    long part, whole; /* of a bar; whole 0: none */
} Line;

/* Three groups, one behind the other: what is urgent, nodes or consumers one a line, and the rest. Where there is room,
 * the middle one stands beside the others. */
static struct {
    Line line[MOST_LINES];
    int lines, parts_at, rest_at;
    char title[80], right[80];
    const long *points;
    int count;
    bool roomy;
} shown;

/* ---- lines ------------------------------------------------------------------------------------------------ */

static Line *add(const char *label, Style style)
{
    static Line spare;
    Line *line = shown.lines < MOST_LINES ? &shown.line[shown.lines++] : &spare;
    *line = (Line){.style = style};
    snprintf(line->label, sizeof line->label, "%s", label);
    return line;
}

static void add_number(const char *label, long number, Style style)
{
    number_grouped(add(label, style)->number, sizeof shown.line[0].number, number);
}

/* Only where there is some. */
static void add_trouble(const char *label, long number, Style style)
{
    if (number == 0) return;
    add_number(label, number, style);
    shown.line[shown.lines - 1].sign = true;
}

static void add_seconds(Text *text, const char *format, long ms)
{
    text_format(text, format, (double)ms / 1000);
}

/* ---- queues in memory ----------------------------------------------------------------------------------------- */

static void add_consumers(const QueuesView *queues)
{
    bool fewer = queues->consumers_alive < queues->consumers;
    Line *line = add(_("consumers alive"), fewer ? STYLE_WARN : STYLE_TEXT);
    snprintf(line->number, sizeof line->number, _("%d of %d"), queues->consumers_alive, queues->consumers);
    line->sign = fewer;
}

static void add_node(const QueueView *node, int number)
{
    char name[16], depth[32], capacity[32];
    snprintf(name, sizeof name, "n%d", number + 1);
    Line *line = add(name, node->depth >= node->capacity ? STYLE_WARN : STYLE_TEXT);
    line->sign = node->dead;
    if (node->dead) {
        line->style = STYLE_BROKEN;
        snprintf(line->number, sizeof line->number, "%s", _("dead, nothing is left"));
        return;
    }
    number_grouped(depth, sizeof depth, node->depth);
    number_grouped(capacity, sizeof capacity, node->capacity);
    snprintf(line->number, sizeof line->number, _("%s of %s"), depth, capacity);
    line->part = node->depth;
    line->whole = node->capacity;
}

static void memory_lines(const QueuesView *queues)
{
    QueueView sum = {0};
    for (int i = 0; i < queues->nodes; i++) {
        const QueueView *node = &queues->node[i];
        sum.in_hand += node->in_hand;
        sum.put += node->put;
        sum.refused += node->refused;
        sum.dropped += node->dropped;
        sum.lost += node->lost;
    }
    add_trouble(_("gone with a process"), sum.lost, STYLE_BROKEN);
    add_trouble(_("dropped by an error"), sum.dropped, STYLE_BROKEN);
    add_trouble(_("refused, it was full"), sum.refused, STYLE_WARN);
    add_consumers(queues);
    shown.parts_at = shown.lines;
    for (int i = 0; i < queues->nodes; i++) add_node(&queues->node[i], i);
    shown.rest_at = shown.lines;
    add_number(_("in a consumer's hand"), sum.in_hand, STYLE_TEXT);
    add_number(_("put in so far"), sum.put, STYLE_TEXT);
}

/* ---- the stream -------------------------------------------------------------------------------------------------- */

static void add_known(const char *label, long number)
{
    if (number >= 0)
        add_number(label, number, STYLE_TEXT);
    else
        snprintf(add(label, STYLE_QUIET)->number, sizeof shown.line[0].number, "%s", _("not known"));
}

/* "c1  2 pending   idle 1.2 s  x3": of its oldest entry how long ago it was delivered, and how often. */
static void add_consumer(const StreamConsumer *consumer)
{
    Text text = {0};
    bool again = consumer->deliveries > 1;
    Line *line = add(consumer->name, again ? STYLE_WARN : STYLE_TEXT);
    text_format(&text, _("%ld pending"), consumer->pending);
    if (consumer->pending > 0) {
        add_seconds(&text, _("  for %.1f s"), consumer->oldest_idle_ms);
        text_format(&text, "  x%ld", consumer->deliveries);
    } else {
        add_seconds(&text, _("  idle %.1f s"), consumer->idle_ms);
    }
    snprintf(line->number, sizeof line->number, "%s", text_string(&text));
    text_free(&text);
}

static void stream_lines(const QueuesView *queues, const StreamView *stream)
{
    if (!stream->has_group) add(_("there is no group g1"), STYLE_WARN)->sign = true;
    add_trouble(_("set aside, a dead letter"), stream->set_aside, STYLE_WARN);
    if (stream->has_group) add_known(_("not read yet"), stream->lag);
    if (stream->has_group) add_number(_("read, not acknowledged"), stream->pending, STYLE_TEXT);
    shown.parts_at = shown.lines;
    for (int i = 0; i < stream->consumers; i++) add_consumer(&stream->consumer[i]);
    shown.rest_at = shown.lines;
    if (stream->has_group) add_known(_("acknowledged"), stream->acked);
    add_number(_("entries, read or not"), stream->length, STYLE_TEXT);
    if (queues->consumers > 0) add_consumers(queues);
}

/* ---- the panel ------------------------------------------------------------------------------------------------------ */

static int wanted_rows(int columns)
{
    int parts = shown.rest_at - shown.parts_at, numbers = shown.lines - parts;
    bool beside = columns >= SIDES_FROM;
    int lines = !beside ? shown.lines : parts > numbers ? parts : numbers;
    return 1 + lines + (shown.roomy ? CHART_ROWS + 1 : 0);
}

/* Where there is little room: not what goes without saying. */
static void leave_out_consumers(const QueuesView *queues)
{
    bool alive = queues->consumers_alive == queues->consumers;
    if (!queues->in_memory || !alive || shown.parts_at == 0) return;
    int behind = shown.lines - shown.parts_at; /* their line is the last of the first group */
    memmove(&shown.line[shown.parts_at - 1], &shown.line[shown.parts_at], (size_t)behind * sizeof shown.line[0]);
    shown.parts_at--;
    shown.rest_at--;
    shown.lines--;
}

static int queue_update(const Scene *scene, int columns)
{
    QueueScene now;
    shown.lines = shown.parts_at = shown.rest_at = 0;
    if (!queue_scene(scene, &now)) return 0;
    const QueuesView *queues = now.queues;
    bool stream = queues->in_stream;
    if (stream)
        stream_lines(queues, now.stream);
    else
        memory_lines(queues);
    if (!scene->roomy) leave_out_consumers(queues);
    snprintf(shown.title, sizeof shown.title, "%s", stream ? _("STREAM stream.orders") : _("QUEUE in memory"));
    char waiting[32];
    snprintf(shown.right, sizeof shown.right, _("%s waiting"), number_grouped(waiting, sizeof waiting, queues->waiting));
    shown.points = now.points;
    shown.count = now.count;
    shown.roomy = scene->roomy && now.count > 1;
    return scene->roomy ? wanted_rows(columns) : 1 + shown.rest_at; /* the rest where there is room left */
}

static void line_draw(const Area *area, int row, const Line *line)
{
    if (line->sign) area_put(area, row, 0, 1, line->style, line->style == STYLE_BROKEN ? theme_glyph(GLYPH_BROKEN) : "!");
    int end = area_put(area, row, SIGN, 0, STYLE_TEXT, line->label);
    int columns = text_columns(line->number);
    int room = area->columns - end - columns - 4;
    if (line->whole > 0 && room >= FILL) area_bar(area, row, end + 2, FILL, line->style, line->part, line->whole);
    area_put_right(area, row, area->columns, area->columns - end - 1, line->style, line->number);
}

static void lines_draw(const Area *area, int row, int from, int behind)
{
    for (int i = from; i < behind; i++) line_draw(area, row++, &shown.line[i]);
}

static void title_draw(const Area *area, bool chart)
{
    int end = area_put(area, 0, 0, 0, STYLE_TITLE, shown.title);
    int right = text_columns(shown.right);
    area_put_right(area, 0, area->columns, right, STYLE_STRONG, shown.right);
    int room = area->columns - end - right - 4;
    if (!chart || room < TITLE_CHART / 2) return;
    int columns = room < TITLE_CHART ? room : TITLE_CHART;
    chart_draw(area, 0, 1, area->columns - right - 2 - columns, columns, shown.points, shown.count, 1);
}

static void queue_draw(const Scene *scene, const Area *area)
{
    (void)scene;
    bool beside = area->columns >= SIDES_FROM;
    int rows = wanted_rows(area->columns);
    bool large = shown.roomy && area->rows >= rows;
    title_draw(area, !large && shown.count > 1);
    int lines = area->rows - 1 - (large ? CHART_ROWS + 1 : 0);
    if (beside) {
        int half = (area->columns - 4) / 2;
        Area numbers = area_part(area, 1, 0, lines, half);
        Area parts = area_part(area, 1, half + 4, lines, area->columns - half - 4);
        lines_draw(&numbers, 0, 0, shown.parts_at);
        lines_draw(&numbers, shown.parts_at, shown.rest_at, shown.lines);
        lines_draw(&parts, 0, shown.parts_at, shown.rest_at);
    } else {
        Area all = area_part(area, 1, 0, lines, area->columns);
        lines_draw(&all, 0, 0, shown.lines);
    }
    if (large)
        chart_draw(area, area->rows - CHART_ROWS, CHART_ROWS, SIGN, area->columns - SIGN, shown.points, shown.count, 1);
}

const Panel panel_queue = {"queue", 0, 3, queue_update, queue_draw};
