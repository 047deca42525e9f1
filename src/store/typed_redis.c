/* typed_redis.c -- a Redis command typed by the learner, answered as redis-cli would. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/i18n.h"
#include "store/observe_private.h"

enum { ANSWER_LINES = 400, ANSWER_SECONDS = 5 };

typedef struct Printer {
    Text text;
    int lines;
    bool raw; /* INFO and its like: text for people, not a value */
} Printer;

/* ---- replies
 * ---------------------------------------------------------------------------------------- */

static void end_line(Printer *printer)
{
    text_append(&printer->text, "\n");
    printer->lines++;
}

/* As redis-cli, but a character that can be read stays readable. */
static void print_quoted(Text *text, const char *bytes, size_t length)
{
    text_append(text, "\"");
    for (size_t at = 0; at < length;) {
        size_t plain = at;
        while (plain < length && bytes[plain] != '"' && bytes[plain] != '\\') plain++;
        text_append_clean(text, bytes + at, plain - at);
        if (plain < length) text_format(text, "\\%c", bytes[plain++]);
        at = plain;
    }
    text_append(text, "\"");
}

static void print_raw(Printer *printer, const char *bytes, size_t length)
{
    while (length && printer->lines < ANSWER_LINES) {
        const char *end = memchr(bytes, '\n', length);
        size_t line = end ? (size_t)(end - bytes) : length, shown = line;
        if (shown && bytes[shown - 1] == '\r') shown--;
        text_append_clean(&printer->text, bytes, shown);
        end_line(printer);
        line += end != NULL;
        bytes += line;
        length -= line;
    }
}

static void print_reply(Printer *printer, const redisReply *reply, int indent);

/* "1) ", "10) ": the numbers stand right-aligned; what is inside stands behind them. */
static void print_array(Printer *printer, const redisReply *reply, int indent)
{
    if (reply->elements == 0) {
        text_append(&printer->text, _("(empty array)"));
        end_line(printer);
        return;
    }
    int digits = snprintf(NULL, 0, "%zu", reply->elements);
    for (size_t i = 0; i < reply->elements && printer->lines < ANSWER_LINES; i++) {
        if (i) text_format(&printer->text, "%*s", indent, "");
        text_format(&printer->text, "%*zu) ", digits, i + 1);
        print_reply(printer, reply->element[i], indent + digits + 2);
    }
}

static void print_reply(Printer *printer, const redisReply *reply, int indent)
{
    Text *text = &printer->text;
    switch (reply->type) {
    case REDIS_REPLY_ARRAY:
        print_array(printer, reply, indent);
        return;
    case REDIS_REPLY_INTEGER:
        text_format(text, "(integer) %lld", reply->integer);
        break;
    case REDIS_REPLY_NIL:
        text_append(text, "(nil)");
        break;
    case REDIS_REPLY_STATUS:
        text_append_clean(text, reply->str, reply->len);
        break;
    case REDIS_REPLY_ERROR:
        text_append(text, "(error) ");
        text_append_clean(text, reply->str, reply->len);
        break;
    default:
        if (printer->raw) {
            print_raw(printer, reply->str, reply->len);
            return;
        }
        print_quoted(text, reply->str, reply->len);
    }
    end_line(printer);
}

static bool answers_in_prose(const Words *words)
{
    static const char *const commands[] = {"info",    "lolwut", "client",
                                           "cluster", "memory", "latency"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcasecmp(words->word[0], commands[i]) == 0) return true;
    return false;
}

static char *print_answer(const Words *words, const redisReply *reply)
{
    Printer printer = {.raw = answers_in_prose(words)};
    print_reply(&printer, reply, 0);
    if (printer.lines >= ANSWER_LINES) text_append(&printer.text, _("(the rest is left out)"));
    char *answer = text_take(&printer.text);
    size_t length = strlen(answer);
    if (length && answer[length - 1] == '\n') answer[length - 1] = 0;
    return answer;
}

/* ---- the typed line
 * ------------------------------------------------------------------------------------- */

static char *say(const char *words)
{
    Text text = {0};
    text_append(&text, words);
    return text_take(&text);
}

static bool have_link(Observer *observer, Error *error)
{
    if (observer->typed_redis && redis_link_context(observer->typed_redis)) return true;
    bool fine =
        observer->typed_redis
            ? redis_link_reopen(observer->typed_redis, error)
            : (observer->typed_redis = redis_link_open(&observer->redis_address, error)) != NULL;
    if (fine)
        redisSetTimeout(redis_link_context(observer->typed_redis),
                        (struct timeval){.tv_sec = ANSWER_SECONDS});
    return fine;
}

static StoreStatus send_words(Observer *observer, const Words *words, redisReply **reply,
                              Error *error)
{
    return redis_link_argv(observer->typed_redis, reply, error, words->count,
                           (const char **)words->word, words->length);
}

/* A link that was left over from before the server was restarted has been hung up on. Looked for
 * without sending anything: a command is never sent twice, and within a MULTI each one counts. */
static void drop_stale(Observer *observer)
{
    redisContext *context =
        observer->typed_redis ? redis_link_context(observer->typed_redis) : NULL;
    char byte;
    if (!context || recv(context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0) return;
    redis_link_close(observer->typed_redis);
    observer->typed_redis = NULL;
}

static char *ask(Observer *observer, const Words *words)
{
    Error error = {0};
    redisReply *reply;
    drop_stale(observer);
    if (!have_link(observer, &error)) return say(error.text);
    if (send_words(observer, words, &reply, &error) == STORE_LOST) return say(error.text);
    char *answer = print_answer(words, reply);
    freeReplyObject(reply);
    return answer;
}

char *observer_redis(Observer *observer, const char *line)
{
    Words words;
    if (!words_split(line, &words))
        return say(_("The quotes do not match, or there are too many words."));
    if (words.count == 0) return say(_("Give a Redis command, such as: KEYS *"));
    const char *refusal = observe_redis_refusal(&words, observer->redis_own);
    char *answer = refusal ? say(refusal) : ask(observer, &words);
    words_free(&words);
    return answer;
}
