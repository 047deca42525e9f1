#include "engine/own_script.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"

/* ---- keeping --------------------------------------------------------------------------------- */

typedef struct Kept {
    struct Kept *next;
    OwnScript script;
} Kept;

static bool same_script(const OwnScript *one, const OwnScript *other)
{
    if (strcmp(one->name, other->name) != 0 || strcmp(one->text, other->text) != 0) return false;
    if (one->keys.count != other->keys.count) return false;
    for (int i = 0; i < one->keys.count; i++)
        if (strcmp(one->keys.pattern[i], other->keys.pattern[i]) != 0) return false;
    return true;
}

const OwnScript *own_script_keep(const OwnScript *script)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static Kept *kept;
    pthread_mutex_lock(&mutex);
    Kept *found = kept;
    while (found && !same_script(&found->script, script)) found = found->next;
    if (!found) {
        found = malloc(sizeof *found);
        if (!found) {
            fputs(_("seckill-lab: out of memory\n"), stderr);
            abort();
        }
        *found = (Kept){kept, *script};
        kept = found;
    }
    pthread_mutex_unlock(&mutex);
    return &found->script;
}

/* ---- how it went ----------------------------------------------------------------------------- */

void own_run_note(OwnRun *run, const char *words)
{
    uint32_t first = 0;
    if (strncmp(words, "BUSY", 4) == 0) return; /* of another one's run: it says nothing about this */
    if (!atomic_compare_exchange_strong(&run->failed, &first, 1)) return;
    snprintf(run->error, sizeof run->error, "%s", words);
    atomic_store(&run->failed, 2);
}

const char *own_run_error(const OwnRun *run)
{
    return atomic_load(&run->failed) == 2 ? run->error : NULL;
}

void own_run_returned(OwnRun *run, OwnSays says, const redisReply *reply)
{
    bool answer = reply->integer >= 0 && reply->integer <= 2;
    OwnOdd odd = OWN_WORDS;
    if (reply->type == REDIS_REPLY_NIL) odd = OWN_NOTHING;
    if (reply->type == REDIS_REPLY_ARRAY) odd = OWN_TABLE;
    if (reply->type == REDIS_REPLY_INTEGER) odd = says == OWN_SAYS_COUNT || answer ? OWN_FITS : OWN_NUMBER;
    if (odd == OWN_FITS) return;
    atomic_store(&run->says, says);
    atomic_store(&run->number, reply->integer);
    atomic_store(&run->odd, odd);
}

const char *own_run_odd(const OwnRun *run, char *text, int size)
{
    static const char *const words[][OWN_NUMBER] = {
        [OWN_SAYS_ANSWER] = {
            [OWN_FITS] = "",
            [OWN_NOTHING] = N_("it returned nothing, which is none of 0, 1, 2"),
            [OWN_TABLE] = N_("it returned a table, which is none of 0, 1, 2"),
            [OWN_WORDS] = N_("it returned a text, which is none of 0, 1, 2"),
        },
        [OWN_SAYS_COUNT] = {
            [OWN_FITS] = "",
            [OWN_NOTHING] = N_("it returned nothing, which is no number"),
            [OWN_TABLE] = N_("it returned a table, which is no number"),
            [OWN_WORDS] = N_("it returned a text, which is no number"),
        },
    };
    uint32_t odd = atomic_load(&run->odd), says = atomic_load(&run->says);
    if (odd == OWN_NUMBER)
        snprintf(text, (size_t)size, _("it returned %lld, which is none of 0, 1, 2"), (long long)atomic_load(&run->number));
    else
        snprintf(text, (size_t)size, "%s", *words[says][odd] ? _(words[says][odd]) : "");
    return text;
}

OwnStop own_run_stopped(const OwnRun *run)
{
    return (OwnStop)atomic_load(&run->stopped);
}

static const struct {
    const char *words;
    const char *brief; /* for one line of a small screen */
} stops[] = {
    [OWN_RUNS] = {"", ""},
    [OWN_KILLED] = {N_("The script did not end: it was stopped after half a second (SCRIPT KILL)."),
                    N_("The script did not end: it was stopped after half a second (SCRIPT KILL).")},
    [OWN_SERVER_ENDED] = {N_("The script did not end, and had written already: Redis refuses to kill such a one, so the "
                             "private server was ended and started again."),
                          N_("The script hung after a write: the private Redis was ended and started anew.")},
    [OWN_STUCK] = {N_("The script did not end, and Redis heard nobody any more: the private server was killed and "
                      "started again."),
                   N_("The script hung inside one call: the private Redis was killed and started anew.")},
    [OWN_DIED] = {N_("The private Redis died while it ran the script, most likely of want of memory. It was started "
                     "again."),
                  N_("The private Redis died while it ran the script. It was started anew.")},
};

const char *own_stop_words(OwnStop stop)
{
    return stop == OWN_RUNS ? "" : _(stops[stop].words);
}

bool own_run_excuse(const OwnRun *run, Error *error)
{
    OwnStop stop = own_run_stopped(run);
    if (stop == OWN_RUNS) return false;
    error_set(error, "%s", _(stops[stop].brief));
    return true;
}

int own_error_line(const char *words)
{
    static const char mark[] = "user_script:";
    int line = 0;
    for (const char *at = strstr(words, mark); at; at = strstr(at + 1, mark)) {
        int number = atoi(at + sizeof mark - 1);
        if (number > 0) line = number;
        if (line > 0) break;
    }
    return line;
}

const char *own_script_line(const OwnScript *script, int number, char *text, int size)
{
    const char *at = script->text;
    for (int line = 1; line < number && at; line++) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    text[0] = '\0';
    if (!at || number < 1) return text;
    while (*at == ' ' || *at == '\t') at++;
    return text_clean(text, (size_t)size, at, strcspn(at, "\r\n"));
}
