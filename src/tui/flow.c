#include "tui/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MAX_CELLS = 8, CELL_GAP = 2, LEAST_COLUMNS = 8 };

/* ---- runs ------------------------------------------------------------------------------------ */

void flow_free(Flow *flow)
{
    for (int i = 0; i < flow->run_count; i++) free(flow->runs[i].text);
    free(flow->runs);
    *flow = (Flow){0};
}

static void run_add(Flow *flow, int line, int column, Style style, const char *text, size_t length)
{
    if (flow->run_count == flow->run_room) {
        int room = flow->run_room ? flow->run_room * 2 : 64;
        FlowRun *runs = realloc(flow->runs, (size_t)room * sizeof *runs);
        if (!runs) abort();
        flow->runs = runs;
        flow->run_room = room;
    }
    char *copy = strndup(text, length);
    if (!copy) abort();
    flow->runs[flow->run_count++] = (FlowRun){line, column, text_columns(copy), style, copy};
}

/* ---- filling a paragraph -----------------------------------------------------------------------
 */

/* Where the next piece goes. Pieces are held back until it is known that the line may break behind
 * them: a word in two styles, or a character with its closing mark, moves to the next line whole.
 */
typedef struct Filler {
    Flow *flow;
    int left, columns; /* first column of the lines, and the first one too many */
    int line, column;
    bool blank; /* a blank stands between what is on the line and what is held */
    struct Piece {
        Style style;
        const char *text;
        size_t length;
    } held[64];
    int held_count, held_columns;
} Filler;

static bool wide(uint32_t c)
{
    return text_char_columns(c) == 2;
}

static bool among(uint32_t c, const char *marks)
{
    while (*marks)
        if (text_next(&marks) == c) return true;
    return false;
}

/* Marks that a line may not begin, or end, with. */
static bool closing(uint32_t c)
{
    return among(c, "，。、；：？！）》〉」』】”’…—·,.;:?!)]}%");
}

static bool opening(uint32_t c)
{
    return among(c, "（《〈「『【“‘([{");
}

/* A held word that is longer than a whole line is cut where the line ends. */
static void filler_split(Filler *fill, const struct Piece *piece)
{
    const char *at = piece->text, *end = piece->text + piece->length, *begin = at;
    int begin_column = fill->column;
    while (at < end) {
        const char *next = at;
        int width = text_char_columns(text_next(&next));
        if (fill->column + width > fill->columns && fill->column > fill->left) {
            run_add(fill->flow, fill->line, begin_column, piece->style, begin,
                    (size_t)(at - begin));
            fill->line++;
            begin = at;
            begin_column = fill->column = fill->left;
        }
        fill->column += width;
        at = next;
    }
    if (at > begin)
        run_add(fill->flow, fill->line, begin_column, piece->style, begin, (size_t)(at - begin));
}

static void filler_release(Filler *fill)
{
    if (fill->held_count == 0) return;
    bool first = fill->column == fill->left;
    int blank = fill->blank && !first ? 1 : 0;
    if (!first && fill->column + blank + fill->held_columns > fill->columns) {
        fill->line++;
        fill->column = fill->left;
        blank = 0;
    }
    fill->column += blank;
    for (int i = 0; i < fill->held_count; i++) filler_split(fill, &fill->held[i]);
    fill->held_count = fill->held_columns = 0;
    fill->blank = false;
}

static void filler_hold(Filler *fill, Style style, const char *text, size_t length, int columns)
{
    struct Piece *last = fill->held_count ? &fill->held[fill->held_count - 1] : NULL;
    if (last && last->style == style && last->text + last->length == text) {
        last->length += length;
    } else {
        if (fill->held_count == (int)(sizeof fill->held / sizeof *fill->held)) filler_release(fill);
        fill->held[fill->held_count++] = (struct Piece){style, text, length};
    }
    fill->held_columns += columns;
}

/* Takes in one stretch of text. `before` is the character before it, in whatever style. */
static uint32_t filler_take(Filler *fill, Style style, const char *text, uint32_t before)
{
    while (*text) {
        const char *at = text;
        uint32_t c = text_next(&text);
        if (c == ' ' || c == '\t' || c == '\n') {
            filler_release(fill);
            fill->blank = true;
        } else {
            bool may_break = before && (wide(c) || wide(before)) && !closing(c) && !opening(before);
            if (may_break) filler_release(fill);
            filler_hold(fill, style, at, (size_t)(text - at), text_char_columns(c));
        }
        before = c;
    }
    return before;
}

static Style span_style(SpanStyle style)
{
    static const Style styles[] = {
        [SPAN_PLAIN] = STYLE_TEXT,
        [SPAN_STRONG] = STYLE_STRONG,
        [SPAN_EMPHASIS] = STYLE_STRONG,
        [SPAN_CODE] = STYLE_CODE,
    };
    return styles[style];
}

/* Lays spans out between the columns `left` and `columns`; returns the line behind them. */
static int spans_fill(Flow *flow, const Span *spans, int count, int line, int left, int columns)
{
    if (columns < left + LEAST_COLUMNS) columns = left + LEAST_COLUMNS;
    Filler fill = {.flow = flow, .left = left, .columns = columns, .line = line, .column = left};
    uint32_t before = 0;
    for (int i = 0; i < count; i++)
        before = filler_take(&fill, span_style(spans[i].style), spans[i].text, before);
    filler_release(&fill);
    return fill.line + 1;
}

/* ---- tables: a group of rows, whose columns are as wide as their widest cell --------------------
 */

static void cell_widths(const Block *rows, int count, int columns, int width[MAX_CELLS])
{
    int cells = 0;
    memset(width, 0, MAX_CELLS * sizeof *width);
    for (int r = 0; r < count; r++) {
        for (int c = 0; c < rows[r].span_count && c < MAX_CELLS; c++) {
            int wanted = text_columns(rows[r].spans[c].text);
            if (wanted > width[c]) width[c] = wanted;
            if (c + 1 > cells) cells = c + 1;
        }
    }
    /* Too wide: the widest gives way, cell by cell. */
    for (;;) {
        int sum = (cells - 1) * CELL_GAP, widest = 0;
        for (int c = 0; c < cells; c++) {
            sum += width[c];
            if (width[c] > width[widest]) widest = c;
        }
        if (sum <= columns || width[widest] <= LEAST_COLUMNS) return;
        width[widest]--;
    }
}

static int by_place(const void *one, const void *other)
{
    const FlowRun *a = one, *b = other;
    return a->line != b->line ? a->line - b->line : a->column - b->column;
}

static int rows_fill(Flow *flow, const Block *rows, int count, int columns)
{
    int width[MAX_CELLS];
    cell_widths(rows, count, columns, width);
    int line = flow->lines;
    for (int r = 0; r < count; r++) {
        int left = 0, behind = line + 1, first = flow->run_count;
        for (int c = 0; c < rows[r].span_count && c < MAX_CELLS; c++) {
            int end = spans_fill(flow, &rows[r].spans[c], 1, line, left, left + width[c]);
            if (end > behind) behind = end;
            left += width[c] + CELL_GAP;
        }
        qsort(flow->runs + first, (size_t)(flow->run_count - first), sizeof *flow->runs, by_place);
        line = behind;
    }
    return line;
}

/* ---- blocks
 * --------------------------------------------------------------------------------------- */

static int item_fill(Flow *flow, const Block *block, int columns)
{
    int left = block->level > 1 ? (block->level - 1) * 2 : 0;
    char mark[16];
    if (block->number > 0)
        snprintf(mark, sizeof mark, "%d.", block->number);
    else
        snprintf(mark, sizeof mark, "%s", theme_glyph(GLYPH_BULLET));
    run_add(flow, flow->lines, left, STYLE_QUIET, mark, strlen(mark));
    int text_left = left + text_columns(mark) + 1;
    return spans_fill(flow, block->spans, block->span_count, flow->lines, text_left, columns);
}

static int code_fill(Flow *flow, const Block *block)
{
    for (int i = 0; i < block->span_count; i++) {
        const char *text = block->spans[i].text;
        run_add(flow, flow->lines + i, 2, STYLE_CODE, text, strlen(text));
    }
    return flow->lines + block->span_count;
}

static int heading_fill(Flow *flow, const Block *block, int columns)
{
    int first = flow->run_count;
    int end = spans_fill(flow, block->spans, block->span_count, flow->lines, 0, columns);
    for (int i = first; i < flow->run_count; i++) flow->runs[i].style = STYLE_TITLE;
    return end;
}

static bool together(BlockKind one, BlockKind next)
{
    return one == next && (one == BLOCK_ITEM || one == BLOCK_ROW);
}

void flow_blocks(Flow *flow, const Block *blocks, int count, int columns)
{
    for (int i = 0; i < count; i++) {
        const Block *block = &blocks[i];
        if (flow->lines > 0 && !(i > 0 && together(blocks[i - 1].kind, block->kind))) flow->lines++;
        int rows = 1;
        switch (block->kind) {
        case BLOCK_ITEM:
            flow->lines = item_fill(flow, block, columns);
            break;
        case BLOCK_CODE:
            flow->lines = code_fill(flow, block);
            break;
        case BLOCK_HEADING:
            flow->lines = heading_fill(flow, block, columns);
            break;
        case BLOCK_ROW:
            while (i + rows < count && blocks[i + rows].kind == BLOCK_ROW) rows++;
            flow->lines = rows_fill(flow, block, rows, columns);
            i += rows - 1;
            break;
        case BLOCK_PARAGRAPH:
            flow->lines =
                spans_fill(flow, block->spans, block->span_count, flow->lines, 0, columns);
            break;
        }
    }
}

void flow_text(Flow *flow, Style style, const char *text, int columns, int hang)
{
    int first = flow->run_count, line = flow->lines;
    Span span = {SPAN_PLAIN, (char *)text};
    flow->lines = spans_fill(flow, &span, 1, line, hang, columns);
    for (int i = first; i < flow->run_count; i++) flow->runs[i].style = style;
    if (hang > 0 && first < flow->run_count) {
        /* The first line has `hang` columns more: it begins at the edge. */
        for (int i = first; i < flow->run_count; i++)
            if (flow->runs[i].line == line) flow->runs[i].column -= hang;
    }
}

void flow_line(Flow *flow, Style style, const char *text, size_t length, int columns)
{
    const char *end = text + length, *begin = text, *good = NULL; /* the last place to break at */
    int used = 0, used_good = 0;
    uint32_t before = 0;
    while (text < end) {
        const char *next = text;
        uint32_t c = text_next(&next);
        int width = text_char_columns(c);
        bool may_break = before && (before == ' ' || wide(c) || wide(before)) && c != ' ' && !closing(c) && !opening(before);
        if (may_break && used > 0) {
            good = text;
            used_good = used;
        }
        if (used + width > columns && text > begin) {
            const char *cut = good && good > begin ? good : text;
            run_add(flow, flow->lines++, 0, style, begin, (size_t)(cut - begin));
            used = cut == text ? 0 : used - used_good;
            begin = cut;
            good = NULL;
        }
        used += width;
        before = c;
        text = next;
    }
    run_add(flow, flow->lines++, 0, style, begin, (size_t)(end - begin));
}

void flow_blank(Flow *flow)
{
    flow->lines++;
}

/* ---- showing
 * --------------------------------------------------------------------------------------- */

void flow_draw(const Flow *flow, const Area *area, int top)
{
    for (int i = 0; i < flow->run_count; i++) {
        const FlowRun *run = &flow->runs[i];
        if (run->line < top) continue;
        if (run->line >= top + area->rows) break;
        area_put(area, run->line - top, run->column, 0, run->style, run->text);
    }
}

void flow_print(const Flow *flow, FILE *file)
{
    int at = 0;
    for (int line = 0; line < flow->lines; line++) {
        int column = 0;
        for (; at < flow->run_count && flow->runs[at].line == line; at++) {
            const FlowRun *run = &flow->runs[at];
            fprintf(file, "%*s%s", run->column > column ? run->column - column : 0, "", run->text);
            column = run->column + run->columns;
        }
        fputc('\n', file);
    }
}
