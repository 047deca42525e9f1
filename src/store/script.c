#include "store/script.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/paths.h"

enum { SCRIPTS = 32, NAME = 64, WORDS = 16, LONGEST = 64 << 10 };

typedef struct Script {
    char name[NAME];
    char *text;
    char sha[SCRIPT_SHA]; /* empty: not loaded yet */
} Script;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Script scripts[SCRIPTS];
static int script_count;

static char *read_script(const char *name, Error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/lua/%s", paths_data(), name);
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, LONGEST) : NULL;
    size_t length = text ? fread(text, 1, LONGEST - 1, file) : 0;
    if (length == 0) {
        error_set(error, _("The script lua/%s cannot be read: %s."), name, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file) fclose(file);
    return text;
}

/* Call with the mutex held. */
static Script *find_script(const char *name, Error *error)
{
    for (int i = 0; i < script_count; i++)
        if (strcmp(scripts[i].name, name) == 0) return &scripts[i];
    if (script_count == SCRIPTS || strlen(name) >= NAME) {
        error_set(error, _("There is no room for the script %s."), name);
        return NULL;
    }
    char *text = read_script(name, error);
    if (!text) return NULL;
    Script *script = &scripts[script_count++];
    *script = (Script){.text = text};
    snprintf(script->name, sizeof script->name, "%s", name);
    return script;
}

void script_replace(const char *name, const char *text)
{
    pthread_mutex_lock(&mutex);
    Script *script = &scripts[script_count++];
    *script = (Script){.text = strdup(text)};
    snprintf(script->name, sizeof script->name, "%s", name);
    pthread_mutex_unlock(&mutex);
}

static StoreStatus load_script(RedisLink *link, Script *script, Error *error)
{
    redisReply *reply = NULL;
    const char *words[] = {"SCRIPT", "LOAD", script->text};
    StoreStatus status = redis_link_argv(link, &reply, error, 3, words, NULL);
    if (status == STORE_OK && reply->type == REDIS_REPLY_STRING)
        snprintf(script->sha, sizeof script->sha, "%s", reply->str);
    if (reply) freeReplyObject(reply);
    return status;
}

static StoreStatus sha_of(RedisLink *link, const char *name, bool again, char sha[SCRIPT_SHA], Error *error)
{
    StoreStatus status = STORE_OK;
    pthread_mutex_lock(&mutex);
    Script *script = find_script(name, error);
    if (!script)
        status = STORE_REFUSED;
    else if (again || script->sha[0] == '\0')
        status = load_script(link, script, error);
    if (status == STORE_OK) memcpy(sha, script->sha, sizeof script->sha);
    pthread_mutex_unlock(&mutex);
    return status;
}

bool script_is_unknown(const redisReply *reply)
{
    return reply && reply->type == REDIS_REPLY_ERROR && strncmp(reply->str, "NOSCRIPT", 8) == 0;
}

StoreStatus script_load(RedisLink *link, const char *name, char sha[SCRIPT_SHA], Error *error)
{
    return sha_of(link, name, true, sha, error);
}

StoreStatus script_run_sha(RedisLink *link, redisReply **reply, Error *error, const char *sha, int keys,
                           int count, const char **words)
{
    char key_count[12];
    const char *all[WORDS + 3] = {"EVALSHA", sha, key_count};
    *reply = NULL;
    if (count > WORDS) count = WORDS;
    snprintf(key_count, sizeof key_count, "%d", keys);
    memcpy(all + 3, words, (size_t)count * sizeof *words);
    return redis_link_argv(link, reply, error, count + 3, all, NULL);
}

StoreStatus script_run(RedisLink *link, redisReply **reply, Error *error, const char *name, int keys,
                       int count, const char **words)
{
    char sha[SCRIPT_SHA];
    *reply = NULL;
    for (int round = 0;; round++) {
        StoreStatus status = sha_of(link, name, round > 0, sha, error);
        if (status != STORE_OK) return status;
        status = script_run_sha(link, reply, error, sha, keys, count, words);
        if (round > 0 || !script_is_unknown(*reply)) return status;
        freeReplyObject(*reply);
        *reply = NULL;
    }
}
