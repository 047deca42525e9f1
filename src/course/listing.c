#include "course/listing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "course/array.h"

enum { TAB = 4 };

/* One line of the source: where it begins, without its newline. */
typedef struct Line {
    const char *text;
    int length;
} Line;

/* One function, by the indices of its lines. Its comment begins at `first`, its body ends at
 * `last`. */
typedef struct Function {
    int first, signature, last;
    char *name;
    bool taken;
} Function;

typedef struct Source {
    Line *lines;
    int line_count;
    Function *functions;
    int function_count;
} Source;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool begins(Line line, const char *text)
{
    int length = (int)strlen(text);
    return line.length >= length && strncmp(line.text, text, (size_t)length) == 0;
}

/* Where the comment begins that ends on the line above `signature`; `signature` without one. */
static int comment_start(const Source *source, int signature)
{
    int at = signature - 1;
    if (at < 0 || source->lines[at].length < 2) return signature;
    const Line *last = &source->lines[at];
    if (strncmp(last->text + last->length - 2, "*/", 2) != 0) return signature;
    while (at > 0 && !begins(source->lines[at], "/*")) at--;
    return begins(source->lines[at], "/*") ? at : signature;
}

/* The word before the first parenthesis of a line. */
static char *name_before_parenthesis(Line line)
{
    const char *open = memchr(line.text, '(', (size_t)line.length);
    const char *start = open;
    while (start && start > line.text && is_word(start[-1])) start--;
    return open && start < open ? strndup(start, (size_t)(open - start)) : NULL;
}

static void split_lines(Source *source, const char *text)
{
    while (*text) {
        int length = (int)strcspn(text, "\n");
        source->lines = array_grow(source->lines, source->line_count, sizeof *source->lines);
        source->lines[source->line_count++] = (Line){text, length};
        text += length + (text[length] == '\n');
    }
}

/* A function is a line with a name at the first column, "{" alone, and "}" alone. */
static void find_functions(Source *source)
{
    int signature = -1;
    for (int i = 0; i < source->line_count; i++) {
        Line line = source->lines[i];
        char first = line.length ? line.text[0] : '\0';
        bool starts = isalpha((unsigned char)first) && memchr(line.text, '(', (size_t)line.length);
        if (starts) signature = line.text[line.length - 1] == ';' ? -1 : i;
        if (!begins(line, "}") || line.length != 1 || signature < 0) continue;
        char *name = name_before_parenthesis(source->lines[signature]);
        if (!name) continue;
        source->functions =
            array_grow(source->functions, source->function_count, sizeof *source->functions);
        source->functions[source->function_count++] =
            (Function){comment_start(source, signature), signature, i, name, false};
        signature = -1;
    }
}

static void source_clear(Source *source)
{
    for (int i = 0; i < source->function_count; i++) free(source->functions[i].name);
    free(source->functions);
    free(source->lines);
}

static Function *function_named(const Source *source, const char *name, int length)
{
    for (int i = 0; i < source->function_count; i++) {
        Function *function = &source->functions[i];
        if ((int)strlen(function->name) == length &&
            strncmp(function->name, name, (size_t)length) == 0)
            return function;
    }
    return NULL;
}

/* ---- writing the listing ------------------------------------------------------------------- */

static void add_line(Listing *listing, int source_line, Line line)
{
    Text text = {0};
    for (int i = 0; i < line.length; i++) {
        if (line.text[i] != '\t') {
            text_append_bytes(&text, line.text + i, 1);
            continue;
        }
        int columns = text_columns(text_string(&text));
        for (int blank = TAB - columns % TAB; blank > 0; blank--) text_append(&text, " ");
    }
    listing->lines = array_grow(listing->lines, listing->count, sizeof *listing->lines);
    listing->lines[listing->count++] = (ListingLine){source_line, text_take(&text)};
    listing->hash = hash_bytes(listing->hash, line.text, (size_t)line.length);
    listing->hash = hash_string(listing->hash, "\n");
}

/* Past a comment or a literal that begins at `at`, else `at` itself. */
static const char *skip_quiet(const char *at, const char *end)
{
    if (end - at >= 2 && strncmp(at, "//", 2) == 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        return newline ? newline : end;
    }
    if (end - at >= 2 && strncmp(at, "/*", 2) == 0) {
        const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
        return close ? close + 2 : end;
    }
    if (*at != '"' && *at != '\'') return at;
    const char quote = *at++;
    while (at < end && *at != quote) at += *at == '\\' ? 2 : 1;
    return at < end ? at + 1 : end;
}

static void add_function(Source *source, Function *function, Listing *listing);

/* Also a function that is only named is part of the story: attempt(me, body, voucher). */
static void add_named_functions(Source *source, const Function *function, Listing *listing)
{
    const Line *last = &source->lines[function->last];
    const char *at = source->lines[function->signature].text;
    const char *end = last->text + last->length;
    while (at < end) {
        const char *behind = skip_quiet(at, end);
        if (behind == at && !is_word(*at)) behind++;
        if (behind != at) {
            at = behind;
            continue;
        }
        while (behind < end && is_word(*behind)) behind++;
        Function *named = function_named(source, at, (int)(behind - at));
        if (named && !named->taken) add_function(source, named, listing);
        at = behind;
    }
}

static void add_function(Source *source, Function *function, Listing *listing)
{
    function->taken = true;
    if (listing->count > 0) add_line(listing, 0, (Line){"", 0});
    for (int i = function->first; i <= function->last; i++)
        add_line(listing, i + 1, source->lines[i]);
    add_named_functions(source, function, listing);
}

bool listing_cut(const char *source_text, const char *function_name, const char *behind, Listing *listing)
{
    Source source = {0};
    split_lines(&source, source_text);
    find_functions(&source);
    *listing = (Listing){.hash = HASH_START};
    Function *function = function_named(&source, function_name, (int)strlen(function_name));
    if (function) add_function(&source, function, listing);
    Function *second = behind ? function_named(&source, behind, (int)strlen(behind)) : NULL;
    if (function && second && !second->taken) add_function(&source, second, listing);
    source_clear(&source);
    return function && (second || !behind);
}

void listing_clear(Listing *listing)
{
    for (int i = 0; i < listing->count; i++) free(listing->lines[i].text);
    free(listing->lines);
    *listing = (Listing){0};
}
