/* flow.h -- lesson text laid out in lines of a given width.
 *
 * A flow is a list of runs: pieces of text in one style at a place. The console draws them, the
 * plain walk prints them. Lines break at blanks and between CJK characters, but never before a
 * closing mark or after an opening one. */
#ifndef TUI_FLOW_H
#define TUI_FLOW_H

#include <stdio.h>

#include "course/course.h"
#include "tui/area.h"

typedef struct FlowRun {
    int line, column, columns;
    Style style;
    char *text;
} FlowRun;

typedef struct Flow {
    FlowRun *runs; /* by line, then column */
    int run_count, run_room;
    int lines;
} Flow;

void flow_free(Flow *flow);
/* Adds what the course loaded, with a blank line between paragraphs. */
void flow_blocks(Flow *flow, const Block *blocks, int count, int columns);
/* Adds one paragraph in one style; its further lines are indented by `hang` columns. */
void flow_text(Flow *flow, Style style, const char *text, int columns, int hang);
/* Adds one line as it stands, blanks and all; what is too long is broken behind a blank or between CJK characters,
 * hard where there is neither. */
void flow_line(Flow *flow, Style style, const char *text, size_t length, int columns);
void flow_blank(Flow *flow);
/* The lines from `top` on, as many as the area has. */
void flow_draw(const Flow *flow, const Area *area, int top);
void flow_print(const Flow *flow, FILE *file);

#endif
