/* typed_words.c -- a typed line becomes words, and what may not be sent is known by them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/i18n.h"
#include "store/observe_private.h"

/* ---- words --------------------------------------------------------------------------------------
 */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* One character behind a backslash within "..."; moves on behind it. */
static char escaped(const char **at)
{
    static const char from[] = "nrtba", to[] = "\n\r\t\b\a";
    char c = *(*at)++;
    if (c == 'x' && hex_value((*at)[0]) >= 0 && hex_value((*at)[1]) >= 0) {
        c = (char)(hex_value((*at)[0]) * 16 + hex_value((*at)[1]));
        *at += 2;
        return c;
    }
    const char *found = c ? strchr(from, c) : NULL;
    return found ? to[found - from] : c;
}

/* A quoted part, from behind the opening quote. A closing quote ends the word: "a"b is wrong. */
static bool take_quoted(const char **at, char quote, Text *word)
{
    while (**at && **at != quote) {
        char c = *(*at)++;
        if (c == '\\' && quote == '"' && **at)
            c = escaped(at);
        else if (c == '\\' && quote == '\'' && **at == '\'')
            c = *(*at)++;
        text_append_bytes(word, &c, 1);
    }
    if (**at != quote) return false;
    (*at)++;
    return !**at || isspace((unsigned char)**at);
}

static bool take_word(const char **at, Text *word)
{
    while (**at && !isspace((unsigned char)**at)) {
        char c = *(*at)++;
        if (c == '"' || c == '\'') return take_quoted(at, c, word);
        text_append_bytes(word, &c, 1);
    }
    return true;
}

bool words_split(const char *line, Words *words)
{
    memset(words, 0, sizeof *words);
    for (;;) {
        while (isspace((unsigned char)*line)) line++;
        if (!*line) return true;
        Text word = {0};
        if (words->count == TYPED_WORDS || !take_word(&line, &word)) {
            text_free(&word);
            words_free(words);
            return false;
        }
        words->length[words->count] = word.length;
        words->word[words->count++] = text_take(&word);
    }
}

void words_free(Words *words)
{
    for (int i = 0; i < words->count; i++) free(words->word[i]);
    words->count = 0;
}

/* ---- Redis commands that are not sent
 * ----------------------------------------------------------------- */

typedef enum Why { WHY_BLOCKS, WHY_ENDS, WHY_CHANGES_LINK, WHY_YOURS } Why;

/* A second word of NULL stands for any. WHY_YOURS counts only on the learner's own server. */
static const struct Refusal {
    const char *command, *second;
    Why why;
} refusals[] = {
    {"shutdown", NULL, WHY_ENDS},      {"subscribe", NULL, WHY_BLOCKS},
    {"psubscribe", NULL, WHY_BLOCKS},  {"ssubscribe", NULL, WHY_BLOCKS},
    {"monitor", NULL, WHY_BLOCKS},     {"sync", NULL, WHY_BLOCKS},
    {"psync", NULL, WHY_BLOCKS},       {"blpop", NULL, WHY_BLOCKS},
    {"brpop", NULL, WHY_BLOCKS},       {"brpoplpush", NULL, WHY_BLOCKS},
    {"blmove", NULL, WHY_BLOCKS},      {"blmpop", NULL, WHY_BLOCKS},
    {"bzpopmin", NULL, WHY_BLOCKS},    {"bzpopmax", NULL, WHY_BLOCKS},
    {"bzmpop", NULL, WHY_BLOCKS},      {"wait", NULL, WHY_BLOCKS},
    {"waitaof", NULL, WHY_BLOCKS},     {"debug", "sleep", WHY_BLOCKS},
    {"client", "pause", WHY_BLOCKS},   {"client", "reply", WHY_CHANGES_LINK},
    {"hello", NULL, WHY_CHANGES_LINK}, {"quit", NULL, WHY_CHANGES_LINK},
    {"debug", "segfault", WHY_ENDS},   {"flushall", NULL, WHY_YOURS},
    {"flushdb", NULL, WHY_YOURS},      {"config", NULL, WHY_YOURS},
    {"debug", NULL, WHY_YOURS},        {"acl", NULL, WHY_YOURS},
    {"module", NULL, WHY_YOURS},       {"replicaof", NULL, WHY_YOURS},
    {"slaveof", NULL, WHY_YOURS},      {"failover", NULL, WHY_YOURS},
    {"cluster", NULL, WHY_YOURS},      {"save", NULL, WHY_YOURS},
    {"bgsave", NULL, WHY_YOURS},       {"bgrewriteaof", NULL, WHY_YOURS},
    {"swapdb", NULL, WHY_YOURS},       {"select", NULL, WHY_YOURS},
    {"move", NULL, WHY_YOURS},         {"migrate", NULL, WHY_YOURS},
    {"copy", NULL, WHY_YOURS},         {"client", "kill", WHY_YOURS},
    {"function", NULL, WHY_YOURS},     {"script", "flush", WHY_YOURS},
    {"script", "debug", WHY_BLOCKS},
};

static const char *why_words(Why why)
{
    switch (why) {
    case WHY_BLOCKS:
        return _("Not sent: this command waits, and the console would wait with it.");
    case WHY_ENDS:
        return _("Not sent: this would end the server. To see a server die, use the faults.");
    case WHY_CHANGES_LINK:
        return _("Not sent: this would change how the console talks to Redis.");
    case WHY_YOURS:
        break;
    }
    return _("Not sent: this is your own server, and the command reaches beyond the lab's keys.");
}

static bool matches(const struct Refusal *refusal, const Words *words)
{
    if (strcasecmp(words->word[0], refusal->command) != 0) return false;
    return !refusal->second ||
           (words->count > 1 && strcasecmp(words->word[1], refusal->second) == 0);
}

/* XREAD and XREADGROUP wait when they are told BLOCK. */
static bool stream_blocks(const Words *words)
{
    if (strncasecmp(words->word[0], "xread", 5) != 0) return false;
    for (int i = 1; i < words->count && strcasecmp(words->word[i], "streams") != 0; i++)
        if (strcasecmp(words->word[i], "block") == 0) return true;
    return false;
}

/* A script can do what its caller may: look into it as well. */
static bool script_reaches_far(const Words *words)
{
    static const char *const far[] = {"flush", "config", "shutdown", "select", "swapdb"};
    if (strncasecmp(words->word[0], "eval", 4) != 0) return false;
    for (int i = 1; i < words->count; i++)
        for (size_t k = 0; k < sizeof far / sizeof *far; k++)
            if (strcasestr(words->word[i], far[k])) return true;
    return false;
}

const char *observe_redis_refusal(const Words *words, bool own)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if ((refusals[i].why != WHY_YOURS || own) && matches(&refusals[i], words))
            return why_words(refusals[i].why);
    if (stream_blocks(words)) return why_words(WHY_BLOCKS);
    return own && script_reaches_far(words) ? why_words(WHY_YOURS) : NULL;
}
