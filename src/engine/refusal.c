#include "engine/refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

enum { KIND_SHIFT = 20, LINE_MASK = 0xfffff }; /* kind from 1 on: above 1048575, and SQL's are below 65536 */

/* As Redis and its Lua write them; below them, exceptions of the shop. */
static const char *const known[] = {
    "attempt to compare string with number",
    "attempt to compare number with string",
    "attempt to compare nil with number",
    "attempt to compare number with nil",
    "attempt to compare boolean with number",
    "attempt to compare number with boolean",
    "attempt to perform arithmetic on",
    "attempt to concatenate",
    "attempt to call",
    "attempt to index",
    "Unknown Redis command called from script",
    "Wrong number of args calling Redis command from script",
    "value is not an integer or out of range",
    "Operation against a key holding the wrong kind of value",
    "Error compiling script",
    "can't access at least one of the keys",
    "can't run this command or subcommand",
    "This Redis command is not allowed from script",
    "Script killed by user with SCRIPT KILL",
    "Script attempted to access nonexistent global variable",
    "Attempt to modify a readonly table",
    "too many requests",
    "the wait is over",
    "auto_unlock off needs a lease_ms",
    "no such argument in the lock's name",
    "the lock's name is too long",
    "NOGROUP",
};

/* "user_script:4:" names the line; it comes first in newer versions, after the hash in older ones. */
static unsigned line_in(const char *text)
{
    const char *mark = strstr(text, "user_script:");
    long line = mark ? strtol(mark + strlen("user_script:"), NULL, 10) : 0;
    return line > 0 && line <= LINE_MASK ? (unsigned)line : 0;
}

unsigned refusal_code(const char *text)
{
    for (unsigned i = 0; text && i < sizeof known / sizeof known[0]; i++)
        if (strstr(text, known[i])) return (i + 1) << KIND_SHIFT | line_in(text);
    return 0;
}

const char *refusal_words(unsigned code, char *text, int size)
{
    unsigned kind = code >> KIND_SHIFT, line = code & LINE_MASK;
    text[0] = '\0';
    if (kind == 0 || kind > sizeof known / sizeof known[0]) return text;
    if (line > 0)
        snprintf(text, (size_t)size, _("line %u: %s"), line, known[kind - 1]);
    else
        snprintf(text, (size_t)size, "%s", known[kind - 1]);
    return text;
}
