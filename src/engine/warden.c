#include "engine/warden.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/i18n.h"

enum { LOOK_NS = 50000000, SERVERS_MS = 60000 };

/* So long a script may run before others hear BUSY. Redis looks at its clock only after some 100,000 instructions of
 * Lua, so that a short script is never taken for a long one, however slow the machine. */
static const char limit_name[] = "lua-time-limit", limit_ms[] = "500";

struct Warden {
    OwnRun *run;
    Sandbox *sandbox;
    RedisLink *link;
    char limit_before[24];
    pthread_t thread;
    _Atomic uint32_t over; /* futex */
};

/* ---- watching -------------------------------------------------------------------------------- */

static bool said(const redisReply *reply, const char *code)
{
    return reply && reply->type == REDIS_REPLY_ERROR && strncmp(reply->str, code, strlen(code)) == 0;
}

static StoreStatus tell(Warden *warden, redisReply **reply, const char *command)
{
    Error ignored;
    return redis_link_command(warden->link, reply, &ignored, command);
}

/* A script that has written cannot be killed: nobody could say what half of it is worth. */
static void end_server(Warden *warden)
{
    redisReply *reply = NULL;
    atomic_store(&warden->run->stopped, OWN_SERVER_ENDED);
    StoreStatus status = tell(warden, &reply, "SHUTDOWN NOSAVE");
    if (reply) freeReplyObject(reply);
    if (status != STORE_LOST) sandbox_kill(warden->sandbox, SERVER_REDIS);
}

/* Noted before it is done: whoever is let go by it must find the note. NOTBUSY: it came to its end by itself at the last
 * moment, and was too slow all the same. */
static void stop_script(Warden *warden)
{
    redisReply *reply = NULL;
    atomic_store(&warden->run->stopped, OWN_KILLED);
    if (tell(warden, &reply, "SCRIPT KILL") == STORE_LOST) return;
    if (said(reply, "UNKILLABLE")) end_server(warden);
    freeReplyObject(reply);
}

/* False when the server is gone. */
static bool look(Warden *warden)
{
    redisReply *reply = NULL;
    if (tell(warden, &reply, "PING") == STORE_LOST) return false;
    if (said(reply, "BUSY")) stop_script(warden);
    freeReplyObject(reply);
    return own_run_stopped(warden->run) != OWN_SERVER_ENDED;
}

static void *watch(void *data)
{
    Warden *warden = data;
    while (!atomic_load(&warden->over) && look(warden)) futex_wait(&warden->over, 0, LOOK_NS);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void set_limit(Warden *warden, const char *ms)
{
    redisReply *reply = NULL;
    Error ignored;
    redis_link_command(warden->link, &reply, &ignored, "CONFIG SET %s %s", limit_name, ms);
    if (reply) freeReplyObject(reply);
}

static void shorten_limit(Warden *warden)
{
    redisReply *reply = NULL;
    Error ignored;
    StoreStatus status = redis_link_command(warden->link, &reply, &ignored, "CONFIG GET %s", limit_name);
    bool known = status == STORE_OK && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2;
    if (known) snprintf(warden->limit_before, sizeof warden->limit_before, "%s", reply->element[1]->str);
    if (reply) freeReplyObject(reply);
    set_limit(warden, limit_ms);
}

/* What an endless script has gathered in memory goes with all scripts; nodes load theirs again. */
static void forget_scripts(Warden *warden)
{
    redisReply *reply = NULL;
    if (tell(warden, &reply, "SCRIPT FLUSH") != STORE_LOST) freeReplyObject(reply);
}

bool warden_allows(Stores *stores, Error *error)
{
    ServerStatus status[SERVER_COUNT];
    stores_status(stores, status);
    if (status[SERVER_REDIS].state != SERVER_ABSENT) return true;
    return error_set(error, "%s",
                     _("Exercises use the private Redis only: leave --redis and SECKILL_LAB_REDIS out."));
}

Warden *warden_open(Stores *stores, const OwnScript *script, OwnRun *run, Error *error)
{
    RedisAddress address;
    if (!warden_allows(stores, error)) return NULL;
    Warden *warden = calloc(1, sizeof *warden);
    if (!warden) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    warden->run = run;
    warden->sandbox = stores_sandbox(stores);
    stores_addresses(stores, &address, NULL);
    run->script = *script;
    atomic_store(&run->stopped, OWN_RUNS);
    atomic_store(&run->failed, 0);
    warden->link = redis_link_open(&address, error);
    bool ready = warden->link && script_user_make(warden->link, &address, &script->keys, &run->address, error);
    if (ready) shorten_limit(warden);
    int refused = ready ? pthread_create(&warden->thread, NULL, watch, warden) : 0;
    if (ready && refused == 0) return warden;
    if (refused) error_set(error, _("Cannot start a thread: %s."), strerror(refused));
    redis_link_close(warden->link);
    free(warden);
    return NULL;
}

void warden_close(Warden *warden)
{
    if (!warden) return;
    futex_bump(&warden->over);
    pthread_join(warden->thread, NULL);
    if (own_run_stopped(warden->run) != OWN_SERVER_ENDED) {
        script_user_remove(warden->link);
        if (own_run_stopped(warden->run) == OWN_KILLED) forget_scripts(warden);
        if (warden->limit_before[0]) set_limit(warden, warden->limit_before);
    }
    redis_link_close(warden->link);
    free(warden);
}

bool warden_mend(Stores *stores, OwnStop stop, Error *error)
{
    Sandbox *sandbox = stores_sandbox(stores);
    if (stop != OWN_SERVER_ENDED || !sandbox) return true;
    sandbox_restart(sandbox, SERVER_REDIS, true);
    return stores_wait(stores, SERVERS_MS, error);
}
