/* observe_keys.c -- the keys of the panel: which ones, their types, lifetimes and values.
 *
 * However many keys there are, a snapshot looks at a few hundred names and asks for two dozen: in
 * two writes, one for types and lifetimes, one for values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/observe_private.h"
#include "store/stores_private.h"

enum { CANDIDATES = 512, ENOUGH_SCANNED = 400, ASKED = 2 * SNAPSHOT_KEYS, SHOWN_MEMBERS = 5 };

typedef struct Candidates {
    KeyName name[CANDIDATES];
    int count;
} Candidates;

/* ---- which keys -------------------------------------------------------------------------------
 */

static void add_name(Candidates *candidates, const char *bytes, size_t length)
{
    static const char marker[] = "seckill:lab";
    if (candidates->count == CANDIDATES || length >= sizeof candidates->name[0].bytes) return;
    if (length == sizeof marker - 1 && memcmp(bytes, marker, length) == 0) return;
    KeyName *name = &candidates->name[candidates->count++];
    memset(name, 0, sizeof *name);
    memcpy(name->bytes, bytes, length);
    name->length = length;
}

/* The order on the screen: the sale first, then queues and counters, then the locks, of which
 * there may be one for each user. */
static int rank_of(const KeyName *name)
{
    static const char *const order[] = {
        "seckill:", "stream.", "COUPON:", "QUEUE:", "icr:", "lock:", "redisson_"};
    int count = (int)(sizeof order / sizeof *order);
    for (int i = 0; i < count; i++)
        if (strncmp(name->bytes, order[i], strlen(order[i])) == 0) return i;
    return count;
}

static int compare_names(const void *a, const void *b)
{
    const KeyName *one = a, *other = b;
    int rank = rank_of(one) - rank_of(other);
    if (rank) return rank;
    int natural = strverscmp(one->bytes, other->bytes); /* lock:order:9 before lock:order:10 */
    return natural ? natural : memcmp(one->bytes, other->bytes, sizeof one->bytes);
}

static void sort_and_unite(Candidates *candidates)
{
    qsort(candidates->name, (size_t)candidates->count, sizeof *candidates->name, compare_names);
    int kept = 0;
    for (int i = 0; i < candidates->count; i++) {
        if (kept && compare_names(&candidates->name[kept - 1], &candidates->name[i]) == 0) continue;
        candidates->name[kept++] = candidates->name[i];
    }
    candidates->count = kept;
}

static void add_scanned(Candidates *candidates, const redisReply *scanned)
{
    const redisReply *keys = scanned->element[1];
    for (size_t i = 0; i < keys->elements; i++)
        add_name(candidates, keys->element[i]->str, keys->element[i]->len);
}

static bool scan_on(Observer *observer, Candidates *candidates, const redisReply *first)
{
    char cursor[24];
    add_scanned(candidates, first);
    snprintf(cursor, sizeof cursor, "%s", first->element[0]->str);
    while (strcmp(cursor, "0") != 0 && candidates->count < ENOUGH_SCANNED) {
        redisReply *reply;
        StoreStatus status =
            redis_link_command(observer->redis, &reply, NULL, "SCAN %s COUNT 200", cursor);
        if (status == STORE_OK) {
            add_scanned(candidates, reply);
            snprintf(cursor, sizeof cursor, "%s", reply->element[0]->str);
        }
        if (reply) freeReplyObject(reply);
        if (status != STORE_OK) return status == STORE_REFUSED;
    }
    return true;
}

/* The sale's own keys are never missed among thousands of others, and what was shown stays. */
static void add_known(Candidates *candidates, const KeyMemory *memory, int64_t voucher)
{
    char name[64];
    snprintf(name, sizeof name, "seckill:stock:%lld", (long long)voucher);
    add_name(candidates, name, strlen(name));
    snprintf(name, sizeof name, "seckill:order:%lld", (long long)voucher);
    add_name(candidates, name, strlen(name));
    add_name(candidates, "stream.orders", strlen("stream.orders"));
    for (int i = 0; i < memory->count; i++)
        add_name(candidates, memory->name[i].bytes, memory->name[i].length);
}

/* ---- types and lifetimes ------------------------------------------------------------------------
 */

static bool next_number(RedisLink *link, long *number)
{
    redisReply *reply;
    if (redis_link_receive(link, &reply, NULL) == STORE_LOST) return false;
    *number = reply->type == REDIS_REPLY_INTEGER ? (long)reply->integer : 0;
    freeReplyObject(reply);
    return true;
}

static bool next_type(RedisLink *link, char *type, size_t size)
{
    redisReply *reply;
    if (redis_link_receive(link, &reply, NULL) == STORE_LOST) return false;
    snprintf(type, size, "%s", reply->type == REDIS_REPLY_STATUS ? reply->str : "none");
    freeReplyObject(reply);
    return true;
}

/* Asks for all candidates' types; keeps the keys that are there, as many as are shown. */
static bool ask_types(Observer *observer, const Candidates *candidates, KeyMemory *now)
{
    redisContext *context = redis_link_context(observer->redis);
    int asked = candidates->count < ASKED ? candidates->count : ASKED;
    for (int i = 0; context && i < asked; i++) {
        redisAppendCommand(context, "TYPE %b", candidates->name[i].bytes,
                           candidates->name[i].length);
        redisAppendCommand(context, "PTTL %b", candidates->name[i].bytes,
                           candidates->name[i].length);
    }
    for (int i = 0; i < asked; i++) {
        KeyView view = {0};
        if (!next_type(observer->redis, view.type, sizeof view.type)) return false;
        if (!next_number(observer->redis, &view.ttl_ms)) return false;
        bool gone = strcmp(view.type, "none") == 0 || view.ttl_ms == -2; /* -2: went in between */
        if (gone || now->count == SNAPSHOT_KEYS) continue;
        text_clean(view.name, sizeof view.name, candidates->name[i].bytes,
                   candidates->name[i].length);
        now->name[now->count] = candidates->name[i];
        now->view[now->count++] = view;
    }
    return true;
}

/* ---- sizes and values
 * ------------------------------------------------------------------------------ */

typedef struct TypeQuestions {
    const char *type, *size, *value;
} TypeQuestions;

static const TypeQuestions questions[] = {
    {"string", "STRLEN %b", "GETRANGE %b 0 120"},
    {"list", "LLEN %b", "LRANGE %b 0 4"},
    {"hash", "HLEN %b", "HSCAN %b 0 COUNT 5"},
    {"set", "SCARD %b", "SSCAN %b 0 COUNT 5"},
    {"zset", "ZCARD %b", "ZRANGE %b 0 4 WITHSCORES"},
    {"stream", "XLEN %b", "XREVRANGE %b + - COUNT 2"},
};

static const TypeQuestions *questions_of(const char *type)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (strcmp(questions[i].type, type) == 0) return &questions[i];
    return NULL;
}

static void append_scalar(Text *text, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER)
        text_format(text, "%lld", reply->integer);
    else if (reply->str)
        text_append_clean(text, reply->str, reply->len);
}

/* a, b, c -- or a=1, b=2 when the members come in pairs. */
static void append_members(Text *text, const redisReply *members, bool pairs)
{
    size_t step = pairs ? 2 : 1;
    for (size_t i = 0; i + step <= members->elements && i < step * SHOWN_MEMBERS; i += step) {
        if (i) text_append(text, ", ");
        append_scalar(text, members->element[i]);
        if (!pairs) continue;
        text_append(text, "=");
        append_scalar(text, members->element[i + 1]);
    }
}

/* Stream entries: their id and fields, the newest first. */
static void append_entries(Text *text, const redisReply *entries)
{
    for (size_t i = 0; i < entries->elements; i++) {
        const redisReply *entry = entries->element[i];
        if (entry->type != REDIS_REPLY_ARRAY || entry->elements != 2) continue;
        if (i) text_append(text, "; ");
        append_scalar(text, entry->element[0]);
        text_append(text, " ");
        append_members(text, entry->element[1], true);
    }
}

void observe_value(const char *type, const redisReply *reply, char *value, size_t size)
{
    Text text = {0};
    bool array = reply->type == REDIS_REPLY_ARRAY;
    bool pairs = strcmp(type, "hash") == 0 || strcmp(type, "zset") == 0;
    bool scan = array && reply->elements == 2 && reply->element[1]->type == REDIS_REPLY_ARRAY &&
                (strcmp(type, "hash") == 0 || strcmp(type, "set") == 0);
    if (strcmp(type, "stream") == 0 && array)
        append_entries(&text, reply);
    else if (scan)
        append_members(&text, reply->element[1], pairs);
    else if (array)
        append_members(&text, reply, pairs);
    else if (reply->type == REDIS_REPLY_STRING)
        append_scalar(&text, reply);
    text_cut(value, size, text_string(&text), (int)size - 4, "…");
    text_free(&text);
}

static bool ask_values(Observer *observer, KeyMemory *now)
{
    redisContext *context = redis_link_context(observer->redis);
    for (int i = 0; context && i < now->count; i++) {
        const TypeQuestions *ask = questions_of(now->view[i].type);
        if (!ask) continue;
        redisAppendCommand(context, ask->size, now->name[i].bytes, now->name[i].length);
        redisAppendCommand(context, ask->value, now->name[i].bytes, now->name[i].length);
    }
    for (int i = 0; i < now->count; i++) {
        KeyView *view = &now->view[i];
        if (!questions_of(view->type)) continue;
        redisReply *reply;
        if (!next_number(observer->redis, &view->size)) return false;
        if (redis_link_receive(observer->redis, &reply, NULL) == STORE_LOST) return false;
        observe_value(view->type, reply, view->value, sizeof view->value);
        freeReplyObject(reply);
    }
    return true;
}

/* ---- against what was before
 * ------------------------------------------------------------------------ */

static const KeyView *seen_before(const KeyMemory *memory, const KeyName *name)
{
    for (int i = 0; i < memory->count; i++)
        if (memory->name[i].length == name->length &&
            memcmp(memory->name[i].bytes, name->bytes, name->length) == 0)
            return &memory->view[i];
    return NULL;
}

static void compare(const KeyMemory *before, KeyMemory *now)
{
    for (int i = 0; i < now->count; i++) {
        KeyView *view = &now->view[i];
        const KeyView *old = seen_before(before, &now->name[i]);
        view->ttl_max_ms = view->ttl_ms;
        if (old && view->ttl_ms >= 0 && old->ttl_max_ms > view->ttl_ms)
            view->ttl_max_ms = old->ttl_max_ms;
        view->changed =
            before->any && (!old || strcmp(old->type, view->type) != 0 || old->size != view->size ||
                            strcmp(old->value, view->value) != 0);
    }
}

bool observe_keys(Observer *observer, int64_t voucher, const redisReply *scanned, long total,
                  Snapshot *snapshot)
{
    Candidates candidates;
    candidates.count = 0;
    KeyMemory now = {.any = true};
    add_known(&candidates, &observer->memory, voucher);
    if (!scan_on(observer, &candidates, scanned)) return false;
    sort_and_unite(&candidates);
    if (!ask_types(observer, &candidates, &now) || !ask_values(observer, &now)) return false;
    compare(&observer->memory, &now);
    observer->memory = now;
    memcpy(snapshot->keys, now.view, sizeof now.view);
    snapshot->key_count = now.count;
    long left = total - now.count - (observer->redis_own ? 1 : 0); /* the marker is not shown */
    snapshot->keys_left_out = left > 0 ? left : 0;
    return true;
}
