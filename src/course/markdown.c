#include "course/markdown.h"

#include <errno.h>
#include <md4c.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "course/array.h"

enum { MAX_DEPTH = 8, REPLACEMENT = 0xfffd, FIRST_WIDE = 0x2e80 };

/* Where the reader stands: md4c calls it at each begin, end and piece of text. */
typedef struct Reader {
    const char *text;
    size_t length;
    Markdown *markdown;
    Error *error;
    bool refused;
    const char *pending; /* why the next text will be refused: only text has a line */
    const char *seen;    /* start of the last text seen, and its line */
    int line;
    Text words;                 /* of the span that is being gathered */
    SpanStyle style;            /* of those words */
    int strong, emphasis, code; /* how deep inside each */
    bool open;                  /* the last block takes text */
    bool broken;                /* the line has ended; a blank may have to stand for it */
    SpanStyle break_style;      /* of that blank */
    int depth;                  /* of lists */
    int number[MAX_DEPTH];      /* of the next item; 0: the list has no numbers */
    bool fresh_item;            /* an item whose first paragraph is to come */
    bool in_code_block, in_table;
    int row;
} Reader;

bool markdown_refuse(const Markdown *markdown, int line, Error *error, const char *format, ...)
{
    char reason[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return error_set(error, "%s:%d: %s", markdown->name, line, reason);
}

/* md4c stops when a callback returns less than 0; some of its callers pass over what is more. */
static int refuse(Reader *reader, const char *reason)
{
    reader->refused = true;
    markdown_refuse(reader->markdown, reader->line, reader->error, "%s", reason);
    return -1;
}

/* ---- blocks and spans ---------------------------------------------------------------------- */

static Block *current(Reader *reader)
{
    return &reader->markdown->blocks[reader->markdown->count - 1].block;
}

static void add_span(Block *block, SpanStyle style, char *text)
{
    block->spans = array_grow(block->spans, block->span_count, sizeof *block->spans);
    block->spans[block->span_count++] = (Span){style, text};
}

/* The words gathered so far become a span. */
static void end_span(Reader *reader)
{
    if (reader->open && reader->words.length > 0)
        add_span(current(reader), reader->style, text_take(&reader->words));
    else
        text_reset(&reader->words);
}

/* A cell is one span, even when it is empty; so is a line of code. */
static void end_whole_span(Reader *reader, SpanStyle style)
{
    add_span(current(reader), style, text_take(&reader->words));
    reader->style = SPAN_PLAIN;
}

static void end_block(Reader *reader)
{
    end_span(reader);
    reader->open = reader->broken = false;
}

static void begin_block(Reader *reader, BlockKind kind, int level, int number)
{
    end_block(reader);
    Markdown *markdown = reader->markdown;
    markdown->blocks = array_grow(markdown->blocks, markdown->count, sizeof *markdown->blocks);
    markdown->blocks[markdown->count++].block =
        (Block){.kind = kind, .level = level, .number = number};
    reader->open = true;
}

/* ---- lists --------------------------------------------------------------------------------- */

static int begin_list(Reader *reader, int first_number)
{
    if (reader->depth == MAX_DEPTH) return refuse(reader, _("this list is nested too deep"));
    reader->number[reader->depth++] = first_number;
    return 0;
}

static void begin_item(Reader *reader)
{
    int *number = &reader->number[reader->depth - 1];
    begin_block(reader, BLOCK_ITEM, reader->depth, *number);
    if (*number > 0) (*number)++;
    reader->fresh_item = true;
}

/* The first paragraph of an item is the item itself. */
static void begin_paragraph(Reader *reader)
{
    if (!reader->fresh_item) begin_block(reader, BLOCK_PARAGRAPH, reader->depth, 0);
    reader->fresh_item = false;
}

/* ---- callbacks ----------------------------------------------------------------------------- */

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    Reader *reader = data;
    if (type != MD_BLOCK_P && type != MD_BLOCK_LI) reader->fresh_item = false;
    switch (type) {
    case MD_BLOCK_H:
        begin_block(reader, BLOCK_HEADING, (int)((MD_BLOCK_H_DETAIL *)detail)->level, 0);
        return 0;
    case MD_BLOCK_P:
        begin_paragraph(reader);
        return 0;
    case MD_BLOCK_UL:
        return begin_list(reader, 0);
    case MD_BLOCK_OL:
        return begin_list(reader, (int)((MD_BLOCK_OL_DETAIL *)detail)->start);
    case MD_BLOCK_LI:
        begin_item(reader);
        return 0;
    case MD_BLOCK_CODE:
        begin_block(reader, BLOCK_CODE, reader->depth, 0);
        reader->in_code_block = true;
        return 0;
    case MD_BLOCK_TABLE:
        reader->in_table = true;
        reader->row = 0;
        return 0;
    case MD_BLOCK_TR:
        begin_block(reader, BLOCK_ROW, reader->depth, ++reader->row);
        return 0;
    case MD_BLOCK_QUOTE:
        reader->pending = _("quotes are not shown; use a paragraph");
        return 0;
    case MD_BLOCK_HR:
        reader->pending = _("the rule before this is not shown; use a heading");
        return 0;
    default:
        return 0;
    }
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    (void)detail;
    Reader *reader = data;
    switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        reader->depth--;
        end_block(reader);
        return 0;
    case MD_BLOCK_CODE:
        if (reader->words.length > 0) end_whole_span(reader, SPAN_CODE);
        reader->in_code_block = false;
        end_block(reader);
        return 0;
    case MD_BLOCK_TH:
        end_whole_span(reader, SPAN_STRONG);
        return 0;
    case MD_BLOCK_TD:
        end_whole_span(reader, reader->style);
        return 0;
    case MD_BLOCK_TABLE:
        reader->in_table = false;
        end_block(reader);
        return 0;
    case MD_BLOCK_H:
    case MD_BLOCK_P:
        end_block(reader);
        return 0;
    default:
        return 0;
    }
}

static int change_style(Reader *reader, MD_SPANTYPE type, int by)
{
    switch (type) {
    case MD_SPAN_STRONG:
        reader->strong += by;
        return 0;
    case MD_SPAN_EM:
        reader->emphasis += by;
        return 0;
    case MD_SPAN_CODE:
        reader->code += by;
        return 0;
    default:
        return refuse(reader, _("links and pictures are not shown; write the words alone"));
    }
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    (void)detail;
    return change_style(data, type, +1);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    (void)detail;
    return change_style(data, type, -1);
}

static SpanStyle style_now(const Reader *reader)
{
    if (reader->code) return SPAN_CODE;
    if (reader->strong) return SPAN_STRONG;
    return reader->emphasis ? SPAN_EMPHASIS : SPAN_PLAIN;
}

/* The line of a piece of text, when md4c hands out a piece of the file itself. */
static void note_line(Reader *reader, const char *text)
{
    if (text < reader->seen || text >= reader->text + reader->length) return;
    for (; reader->seen < text; reader->seen++) reader->line += *reader->seen == '\n';
    if (!reader->open) return;
    MarkdownBlock *block = &reader->markdown->blocks[reader->markdown->count - 1];
    if (block->line == 0) block->line = reader->line;
}

static uint32_t last_character(const char *words, size_t length)
{
    const char *at = words + length;
    while (at > words && ((unsigned char)*--at & 0xc0) == 0x80) {
    }
    return text_next(&at);
}

/* The last character before a broken line. */
static uint32_t character_before(Reader *reader)
{
    if (reader->words.length > 0) return last_character(reader->words.data, reader->words.length);
    const Block *block = current(reader);
    if (block->span_count == 0) return 0;
    const char *span = block->spans[block->span_count - 1].text;
    return last_character(span, strlen(span));
}

/* The end of a line is a blank, except between two characters of a script that has none. */
static void join_lines(Reader *reader, const char *after)
{
    reader->broken = false;
    if (character_before(reader) >= FIRST_WIDE && text_next(&after) >= FIRST_WIDE) return;
    if (reader->style != reader->break_style) end_span(reader);
    reader->style = reader->break_style;
    text_append_char(&reader->words, ' ');
}

static void add_code(Reader *reader, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            end_whole_span(reader, SPAN_CODE);
        else
            text_append_char(&reader->words, text[i]);
    }
}

/* A cell of a table stays one span: plain, when its words have several styles. */
static void add_words_to_cell(Reader *reader, const char *text, size_t length)
{
    SpanStyle style = style_now(reader);
    bool mixed = reader->words.length > 0 && reader->style != style;
    reader->style = mixed ? SPAN_PLAIN : style;
    text_append_bytes(&reader->words, text, length);
}

static void add_words(Reader *reader, const char *text, size_t length)
{
    SpanStyle style = style_now(reader);
    if (reader->broken) join_lines(reader, text);
    if (style != reader->style) end_span(reader);
    reader->style = style;
    text_append_bytes(&reader->words, text, length);
}

static int read_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE length, void *data)
{
    Reader *reader = data;
    note_line(reader, text);
    if (reader->pending) return refuse(reader, reader->pending);
    reader->fresh_item = false;
    if (reader->in_code_block) {
        add_code(reader, text, length);
        return 0;
    }
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        reader->broken = true;
        reader->break_style = style_now(reader);
        return 0;
    }
    if (type == MD_TEXT_ENTITY)
        return refuse(reader, _("write the character itself, not its name"));
    if (!reader->open) return refuse(reader, _("this text belongs to no paragraph"));
    if (type == MD_TEXT_NORMAL && (memmem(text, length, "**", 2) || memchr(text, '`', length)))
        return refuse(reader,
                      _("a ** or ` here opens or closes nothing; put a blank on its outer side"));
    if (reader->in_table)
        add_words_to_cell(reader, text, length);
    else
        add_words(reader, text, length);
    return 0;
}

/* ---- the file ------------------------------------------------------------------------------ */

static char *read_file(const char *path, size_t *length)
{
    FILE *stream = fopen(path, "re");
    if (!stream) return NULL;
    Text text = {0};
    char piece[4096];
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, stream)) > 0) text_append_bytes(&text, piece, got);
    bool failed = ferror(stream);
    fclose(stream);
    *length = text.length;
    if (!failed) return text_take(&text);
    text_free(&text);
    return NULL;
}

/* What would disturb a terminal never gets past here. */
static bool check_characters(const Markdown *markdown, const char *text, size_t length,
                             Error *error)
{
    int line = 1;
    for (const char *at = text; at < text + length;) {
        unsigned char byte = (unsigned char)*at;
        const char *start = at;
        uint32_t character = text_next(&at);
        if (byte == '\n') {
            line++;
            continue;
        }
        if (byte == '\t') return markdown_refuse(markdown, line, error, _("a tab: use blanks"));
        if (character < 0x20 || (character >= 0x7f && character < 0xa0))
            return markdown_refuse(markdown, line, error, _("a control character (0x%02x)"), byte);
        if (character == REPLACEMENT && at == start + 1)
            return markdown_refuse(markdown, line, error, _("this is not UTF-8"));
    }
    return true;
}

static bool parse(const char *text, size_t length, Markdown *markdown, Error *error)
{
    static const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_NOHTML,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = read_text,
    };
    Reader reader = {.text = text,
                     .length = length,
                     .markdown = markdown,
                     .error = error,
                     .seen = text,
                     .line = 1};
    int status = md_parse(text, (MD_SIZE)length, &parser, &reader);
    if (status == 0 && reader.pending) status = refuse(&reader, reader.pending);
    text_free(&reader.words);
    if (status == 0) return true;
    if (!reader.refused) error_set(error, _("%s cannot be read: out of memory"), markdown->name);
    return false;
}

bool markdown_read(const char *path, const char *name, Markdown *markdown, Error *error)
{
    *markdown = (Markdown){.name = name};
    size_t length = 0;
    char *text = read_file(path, &length);
    if (!text) return error_set(error, _("%s cannot be read: %s"), name, strerror(errno));
    bool read =
        check_characters(markdown, text, length, error) && parse(text, length, markdown, error);
    free(text);
    if (!read) markdown_clear(markdown);
    return read;
}

void block_clear(Block *block)
{
    for (int i = 0; i < block->span_count; i++) free(block->spans[i].text);
    free(block->spans);
    *block = (Block){0};
}

void markdown_clear(Markdown *markdown)
{
    for (int i = 0; i < markdown->count; i++) block_clear(&markdown->blocks[i].block);
    free(markdown->blocks);
    *markdown = (Markdown){.name = markdown->name};
}

char *block_words(const Block *block, int first)
{
    Text words = {0};
    for (int i = first; i < block->span_count; i++) text_append(&words, block->spans[i].text);
    const char *start = text_string(&words);
    start += strspn(start, " ");
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ') length--;
    char *trimmed = strndup(start, length);
    text_free(&words);
    return trimmed;
}
