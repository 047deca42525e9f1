/* markdown.h -- a markdown text as a flat list of blocks, by md4c.
 *
 * Strict: links, pictures, quotes and rules are refused, as is a mark that was meant to be strong
 * or code and would be shown as it stands. HTML is plain text. The text must be UTF-8 without
 * control characters. */
#ifndef COURSE_MARKDOWN_H
#define COURSE_MARKDOWN_H

#include "course/course.h"

/* A block and the line on which it begins. Headings of every level are among them. */
typedef struct MarkdownBlock {
    Block block;
    int line;
} MarkdownBlock;

typedef struct Markdown {
    const char *name; /* as errors show it; the caller's */
    MarkdownBlock *blocks;
    int count;
} Markdown;

/* False: "name:line: reason" in `error`, nothing left to free. */
bool markdown_read(const char *path, const char *name, Markdown *markdown, Error *error);
void markdown_clear(Markdown *markdown);

/* "name:line: reason" in `error`. Returns false. */
bool markdown_refuse(const Markdown *markdown, int line, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void block_clear(Block *block);
/* The words of a block without their styles, from span `first` on, without blanks at the ends. The
 * caller's, free. */
char *block_words(const Block *block, int first);

#endif
