/* pane_svg.c -- turns a terminal pane with its colours into a picture (SVG).
 *
 * Reads what `tmux capture-pane -e -p` writes: UTF-8 text, SGR sequences, one line a row. Every run
 * of text is given the exact length of its cells, so that columns stand as in the terminal whatever
 * font the reader has; a wide (CJK) character has two cells. Rules, bars and charts are drawn,
 * since a font would leave gaps between the rows.
 *
 * Usage: pane_svg [TITLE] <pane >picture.svg */
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { MAX_ROWS = 200, MAX_COLUMNS = 400, MARGIN = 16, ROW = 19, FONT = 14, BASELINE = 14 };
static const double cell_width = 8.4; /* 0.6 of the font's size, as monospaced fonts have it */

static const unsigned paper = 0x14171c, ink = 0xd4d7dc;

typedef struct Pen {
    unsigned front, back; /* 0xRRGGBB */
    bool bold, dim, underline, reverse;
} Pen;

typedef struct Cell {
    wchar_t sign; /* 0: the second half of a wide one */
    int width;
    Pen pen;
} Cell;

static Cell pane[MAX_ROWS][MAX_COLUMNS];
static int used[MAX_ROWS]; /* columns */
static int rows, columns;

static const Pen plain_pen = {.front = ink, .back = paper};

/* ---- colours ------------------------------------------------------------------------------------
 */

static unsigned palette(int number)
{
    static const unsigned basic[16] = {0x2e3440, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd,
                                       0x56b6c2, 0xd4d7dc, 0x5c6370, 0xff7b85, 0xb5e090, 0xffd68a,
                                       0x7cc4ff, 0xdd9bf0, 0x7fd5df, 0xffffff};
    static const int cube[6] = {0, 95, 135, 175, 215, 255};
    if (number < 16) return basic[number < 0 ? 0 : number];
    if (number >= 232) {
        int grey = 8 + 10 * (number - 232);
        return (unsigned)(grey << 16 | grey << 8 | grey);
    }
    number -= 16;
    return (unsigned)(cube[number / 36] << 16 | cube[number / 6 % 6] << 8 | cube[number % 6]);
}

/* 38;5;N or 38;2;R;G;B: returns how many numbers were taken. */
static int long_colour(const int *number, int count, unsigned *colour)
{
    if (count >= 3 && number[1] == 5) {
        *colour = palette(number[2]);
        return 3;
    }
    if (count >= 5 && number[1] == 2) {
        *colour = (unsigned)(number[2] << 16 | number[3] << 8 | number[4]);
        return 5;
    }
    return count;
}

static int take_sgr(Pen *pen, const int *number, int count)
{
    int n = number[0];
    if (n == 38) return long_colour(number, count, &pen->front);
    if (n == 48) return long_colour(number, count, &pen->back);
    if (n == 0) *pen = plain_pen;
    if (n == 1) pen->bold = true;
    if (n == 2) pen->dim = true;
    if (n == 22) pen->bold = pen->dim = false;
    if (n == 4 || n == 24) pen->underline = n == 4;
    if (n == 7 || n == 27) pen->reverse = n == 7;
    if (n >= 30 && n <= 37) pen->front = palette(n - 30);
    if (n >= 90 && n <= 97) pen->front = palette(n - 90 + 8);
    if (n >= 40 && n <= 47) pen->back = palette(n - 40);
    if (n >= 100 && n <= 107) pen->back = palette(n - 100 + 8);
    if (n == 39) pen->front = ink;
    if (n == 49) pen->back = paper;
    return 1;
}

/* `text` is behind "ESC [". Returns what follows the sequence. */
static const char *take_sequence(Pen *pen, const char *text)
{
    int number[32], count = 0;
    for (;;) {
        char *end;
        number[count++] = (int)strtol(text, &end, 10);
        text = end;
        if (*text != ';' || count == 32) break;
        text++;
    }
    if (*text == 'm')
        for (int i = 0; i < count;) i += take_sgr(pen, number + i, count - i);
    return *text ? text + 1 : text;
}

/* ---- reading
 * --------------------------------------------------------------------------------------- */

static void take_sign(int row, wchar_t sign, const Pen *pen)
{
    int width = wcwidth(sign);
    if (width < 1 || used[row] + width > MAX_COLUMNS) return;
    Cell *cell = &pane[row][used[row]];
    for (int i = 0; i < width; i++) cell[i] = (Cell){i == 0 ? sign : 0, width, *pen};
    used[row] += width;
    if (used[row] > columns) columns = used[row];
}

static void take_line(int row, const char *text, Pen *pen)
{
    mbstate_t state = {0};
    size_t left = strlen(text);
    while (left > 0) {
        if (text[0] == '\033' && text[1] == '[') {
            const char *after = take_sequence(pen, text + 2);
            left -= (size_t)(after - text);
            text = after;
            continue;
        }
        wchar_t sign;
        size_t length = mbrtowc(&sign, text, left, &state);
        if (length == (size_t)-1 || length == (size_t)-2 || length == 0) {
            fprintf(stderr, "pane_svg: line %d is not UTF-8\n", row + 1);
            exit(1);
        }
        take_sign(row, sign, pen);
        text += length;
        left -= length;
    }
}

static void read_pane(void)
{
    char *line = NULL;
    size_t size = 0;
    Pen pen = plain_pen;
    for (ssize_t length; rows < MAX_ROWS && (length = getline(&line, &size, stdin)) >= 0; rows++) {
        line[strcspn(line, "\r\n")] = '\0';
        take_line(rows, line, &pen);
    }
    free(line);
}

/* ---- drawing
 * --------------------------------------------------------------------------------------- */

static double left_of(int column)
{
    return MARGIN + column * cell_width;
}

static int top_of(int row)
{
    return MARGIN + row * ROW;
}

static unsigned front_of(const Pen *pen)
{
    unsigned front = pen->reverse ? pen->back : pen->front;
    if (!pen->dim) return front;
    /* Half way to the paper. */
    return ((front >> 1) & 0x7f7f7f) + ((paper >> 1) & 0x7f7f7f);
}

static unsigned back_of(const Pen *pen)
{
    return pen->reverse ? pen->front : pen->back;
}

static bool same_pen(const Pen *a, const Pen *b)
{
    return front_of(a) == front_of(b) && back_of(a) == back_of(b) && a->bold == b->bold &&
           a->underline == b->underline;
}

static void rectangle(double x, double y, double width, double height, unsigned colour)
{
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
           width, height, colour);
}

/* What is drawn and not written: its place within a cell, in parts of it. */
typedef struct Shape {
    wchar_t sign;
    double x, y, width, height;
} Shape;

static const Shape shapes[] = {
    {L'│', 0.46, 0, 0.12, 1},     {L'─', 0, 0.48, 1, 0.06},     {L'━', 0, 0.46, 1, 0.12},
    {L'▁', 0, 7 / 8.0, 1, 0.125}, {L'▂', 0, 6 / 8.0, 1, 0.25},  {L'▃', 0, 5 / 8.0, 1, 0.375},
    {L'▄', 0, 4 / 8.0, 1, 0.5},   {L'▅', 0, 3 / 8.0, 1, 0.625}, {L'▆', 0, 2 / 8.0, 1, 0.75},
    {L'▇', 0, 1 / 8.0, 1, 0.875}, {L'█', 0, 0, 1, 1},
};

static const Shape *shape_of(wchar_t sign)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].sign == sign) return &shapes[i];
    return NULL;
}

static void draw_shape(const Shape *shape, int row, int from, int until, const Pen *pen)
{
    double width = shape->width < 1 ? shape->width * cell_width : (until - from) * cell_width;
    rectangle(left_of(from) + shape->x * cell_width, top_of(row) + shape->y * ROW, width,
              shape->height * ROW, front_of(pen));
}

static void put_sign(wchar_t sign)
{
    char text[MB_LEN_MAX + 1] = "";
    mbstate_t state = {0};
    size_t length = wcrtomb(text, sign, &state);
    if (length == (size_t)-1) return;
    if (sign == L'&')
        fputs("&amp;", stdout);
    else if (sign == L'<')
        fputs("&lt;", stdout);
    else if (sign == L'>')
        fputs("&gt;", stdout);
    else
        printf("%.*s", (int)length, text);
}

/* Wide characters are placed one by one: no font is exactly of the width that two cells are. */
static void draw_signs(int row, int from, int until)
{
    bool wide = pane[row][from].width == 2;
    for (int i = from; i < until; i += pane[row][i].width) {
        if (wide) printf("<tspan x=\"%.1f\">", left_of(i) + cell_width - FONT / 2.0);
        put_sign(pane[row][i].sign);
        if (wide) fputs("</tspan>", stdout);
    }
}

static void draw_text(int row, int from, int until)
{
    const Pen *pen = &pane[row][from].pen;
    fputs("<text", stdout);
    if (pane[row][from].width == 1)
        printf(" x=\"%.1f\" textLength=\"%.1f\"", left_of(from), (until - from) * cell_width);
    printf(" y=\"%d\" fill=\"#%06x\"%s%s>", top_of(row) + BASELINE, front_of(pen),
           pen->bold ? " font-weight=\"bold\"" : "",
           pen->underline ? " text-decoration=\"underline\"" : "");
    draw_signs(row, from, until);
    puts("</text>");
}

/* Cells that can be drawn in one go: of one pen and one width; of one sign, when that is a shape.
 * Two blanks end a text, so that what stands far away does not depend on it. */
static int run_end(int row, int from)
{
    const Cell *cell = pane[row], *first = &cell[from];
    const Shape *shape = shape_of(first->sign);
    int i = from + first->width;
    for (; i < used[row] && same_pen(&cell[i].pen, &first->pen); i += cell[i].width) {
        if (cell[i].width != first->width) break;
        if (shape ? shape->width < 1 || cell[i].sign != first->sign
                  : shape_of(cell[i].sign) != NULL)
            break;
        if (!shape && cell[i].sign == L' ' && (i + 1 >= used[row] || cell[i + 1].sign == L' '))
            break;
    }
    return i;
}

static void draw_row(int row)
{
    for (int i = 0, end; i < used[row]; i = end) { /* the ground first: it must not cover signs */
        end = i + 1;
        while (end < used[row] && back_of(&pane[row][end].pen) == back_of(&pane[row][i].pen)) end++;
        if (back_of(&pane[row][i].pen) != paper)
            rectangle(left_of(i), top_of(row), (end - i) * cell_width, ROW,
                      back_of(&pane[row][i].pen));
    }
    for (int i = 0, end; i < used[row]; i = end) {
        const Cell *cell = &pane[row][i];
        end = i + 1;
        if (cell->sign == L' ' || cell->sign == 0) continue;
        end = run_end(row, i);
        const Shape *shape = shape_of(cell->sign);
        if (shape)
            draw_shape(shape, row, i, end, &cell->pen);
        else
            draw_text(row, i, end);
    }
}

static void put_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", stdout);
        else if (*text == '<')
            fputs("&lt;", stdout);
        else
            putchar(*text);
    }
}

int main(int argc, char **argv)
{
    if (!setlocale(LC_CTYPE, "C.UTF-8")) {
        fprintf(stderr, "pane_svg: this system has no locale C.UTF-8\n");
        return 1;
    }
    read_pane();
    if (rows == 0 || columns == 0) {
        fprintf(stderr, "pane_svg: the standard input holds no pane\n");
        return 1;
    }
    double width = 2 * MARGIN + columns * cell_width;
    int height = 2 * MARGIN + rows * ROW;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
           "viewBox=\"0 0 %.1f %d\" role=\"img\">\n<title>",
           width, height, width, height);
    put_text(argc > 1 ? argv[1] : "a terminal");
    printf("</title>\n<style>text{font-family:ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,"
           "\"Noto Sans Mono CJK SC\",monospace;font-size:%dpx;white-space:pre}"
           "rect{shape-rendering:crispEdges}</style>\n",
           FONT);
    printf("<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#%06x\" "
           "style=\"shape-rendering:auto\"/>\n",
           paper);
    for (int row = 0; row < rows; row++) draw_row(row);
    puts("</svg>");
    return fflush(stdout) == 0 ? 0 : 1;
}
