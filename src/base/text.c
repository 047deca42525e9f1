#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { REPLACEMENT = 0xFFFD };

/* ---- a string that grows ------------------------------------------------------------------- */

static void text_reserve(Text *text, size_t more)
{
    size_t need = text->length + more + 1;
    if (need <= text->size) return;
    size_t size = text->size ? text->size : 64;
    while (size < need) size *= 2;
    char *data = realloc(text->data, size);
    if (!data) {
        fputs("seckill-lab: out of memory\n", stderr);
        abort();
    }
    text->data = data;
    text->size = size;
}

void text_append_bytes(Text *text, const char *bytes, size_t length)
{
    text_reserve(text, length);
    if (length > 0) memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_append(Text *text, const char *more)
{
    text_append_bytes(text, more, strlen(more));
}

void text_append_char(Text *text, char c)
{
    text_append_bytes(text, &c, 1);
}

void text_format(Text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        text_reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

const char *text_string(const Text *text)
{
    return text->data ? text->data : "";
}

char *text_take(Text *text)
{
    text_reserve(text, 0);
    text->data[text->length] = '\0';
    char *taken = text->data;
    *text = (Text){0};
    return taken;
}

void text_reset(Text *text)
{
    text->length = 0;
    if (text->data) text->data[0] = '\0';
}

void text_free(Text *text)
{
    free(text->data);
    *text = (Text){0};
}

/* ---- UTF-8 --------------------------------------------------------------------------------- */

/* Length of the valid character at `bytes`, 0 when there is none. Overlong forms, surrogates and
 * everything beyond U+10FFFF are invalid. */
static size_t decode(const char *bytes, size_t length, uint32_t *character)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0) return 0;
    unsigned char first = (unsigned char)bytes[0];
    if (first < 0x80) {
        *character = first;
        return 1;
    }
    size_t count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (count == 0 || first > 0xF4 || count > length) return 0;
    uint32_t value = first & (0x7Fu >> count);
    for (size_t i = 1; i < count; i++) {
        unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xC0) != 0x80) return 0;
        value = value << 6 | (next & 0x3F);
    }
    if (value < smallest[count] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *character = value;
    return count;
}

uint32_t text_next(const char **at)
{
    if (**at == '\0') return 0;
    uint32_t character;
    size_t length = decode(*at, strnlen(*at, 4), &character);
    if (length == 0) {
        *at += 1;
        return REPLACEMENT;
    }
    *at += length;
    return character;
}

int text_encode(uint32_t character, char out[4])
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    int count = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (int i = count - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (character & 0x3F));
        character >>= 6;
    }
    out[0] = (char)((0xF00u >> count) | character);
    return count;
}

/* ---- cleaning ------------------------------------------------------------------------------ */

static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

/* Marks that move the text around them, or break the line, without being seen. */
static bool is_hidden_mark(uint32_t character)
{
    return character == 0x061C || character == 0x200E || character == 0x200F ||
           (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069) || character == 0xFEFF;
}

/* Writes what is shown for the next character of `bytes`; returns how many bytes it was. */
static size_t clean_one(const char *bytes, size_t length, char shown[12])
{
    uint32_t character;
    size_t used = decode(bytes, length, &character);
    if (used == 0) {
        snprintf(shown, 12, "\\x%02x", (unsigned char)bytes[0]);
        return 1;
    }
    if (character == '\n')
        strcpy(shown, "\\n");
    else if (character == '\r')
        strcpy(shown, "\\r");
    else if (character == '\t')
        strcpy(shown, "\\t");
    else if (character < 0x80 && is_control(character))
        snprintf(shown, 12, "\\x%02x", (unsigned)character);
    else if (is_control(character) || is_hidden_mark(character))
        snprintf(shown, 12, "\\u%04x", (unsigned)character);
    else {
        memcpy(shown, bytes, used);
        shown[used] = '\0';
    }
    return used;
}

char *text_clean(char *out, size_t size, const char *bytes, size_t length)
{
    if (size == 0) return out;
    size_t end = 0;
    for (size_t at = 0; at < length;) {
        char shown[12];
        at += clean_one(bytes + at, length - at, shown);
        size_t more = strlen(shown);
        if (end + more >= size) break;
        memcpy(out + end, shown, more);
        end += more;
    }
    out[end] = '\0';
    return out;
}

void text_append_clean(Text *text, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        char shown[12];
        at += clean_one(bytes + at, length - at, shown);
        text_append(text, shown);
    }
}

char *text_share(char *out, size_t size, double part, double whole)
{
    double percent = whole > 0 ? 100 * part / whole : 0;
    bool all = part >= whole, near_an_end = percent < 1 || percent > 99;
    if (part <= 0 || all || !near_an_end) {
        snprintf(out, size, "%.0f %%", percent);
        return out;
    }
    if (percent < 0.1) percent = 0.1;
    if (percent > 99.9) percent = 99.9;
    snprintf(out, size, "%.1f %%", percent);
    return out;
}

/* ---- width --------------------------------------------------------------------------------- */

/* The C library knows best, and ncurses asks it too. This table answers where the library does not
 * know: in a locale that is not UTF-8, and for characters newer than the library. */
static const struct {
    uint32_t first, last;
    int columns;
} widths[] = {
    {0x0300, 0x036F, 0},   {0x0483, 0x0489, 0},   {0x1100, 0x115F, 2},   {0x200B, 0x200D, 0},
    {0x20D0, 0x20FF, 0},   {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},   {0xA960, 0xA97C, 2},
    {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},
    {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},   {0x1F300, 0x1F64F, 2},
    {0x1F680, 0x1F6FF, 2}, {0x1F900, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}, {0xE0100, 0xE01EF, 0},
};

int text_char_columns(uint32_t character)
{
    if (character >= 0x20 && character < 0x7F) return 1;
    if (is_control(character)) return 1;
    int columns = wcwidth((wchar_t)character);
    if (columns >= 0) return columns;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (character >= widths[i].first && character <= widths[i].last) return widths[i].columns;
    return 1;
}

int text_columns(const char *text)
{
    int columns = 0;
    for (uint32_t c; (c = text_next(&text)) != 0;) columns += text_char_columns(c);
    return columns;
}

/* Copies whole characters into `out` until `columns` or `size` is used up. *rest is where it
 * stopped. Marks of no width stay with the character before them. */
static int copy_columns(char *out, size_t size, const char *text, int columns, const char **rest)
{
    int used = 0;
    size_t end = 0;
    for (;;) {
        *rest = text;
        uint32_t c = text_next(&text);
        if (c == 0) break;
        if (is_control(c)) c = REPLACEMENT;
        int wide = text_char_columns(c);
        char bytes[4];
        size_t length = (size_t)text_encode(c, bytes);
        if (used + wide > columns || end + length >= size) break;
        memcpy(out + end, bytes, length);
        end += length;
        used += wide;
    }
    out[end] = '\0';
    return used;
}

int text_cut(char *out, size_t size, const char *text, int columns, const char *ellipsis)
{
    if (size == 0) return 0;
    const char *rest;
    int used = copy_columns(out, size, text, columns, &rest);
    if (*rest == '\0' || !ellipsis) return used;
    int mark = text_columns(ellipsis);
    size_t mark_bytes = strlen(ellipsis);
    if (mark > columns || mark_bytes >= size) return used;
    used = copy_columns(out, size - mark_bytes, text, columns - mark, &rest);
    strcat(out, ellipsis);
    return used + mark;
}

char *text_pad(char *out, size_t size, const char *text, int columns, TextAlign align)
{
    if (size == 0) return out;
    int used = text_cut(out, size, text, columns, "…");
    size_t length = strlen(out);
    size_t fill = columns > used ? (size_t)(columns - used) : 0;
    if (length + fill >= size) fill = size - 1 - length;
    size_t before = align == TEXT_RIGHT ? fill : align == TEXT_CENTER ? fill / 2 : 0;
    memmove(out + before, out, length);
    memset(out, ' ', before);
    memset(out + before + length, ' ', fill - before);
    out[length + fill] = '\0';
    return out;
}
