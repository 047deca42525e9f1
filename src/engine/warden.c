#include "engine/warden.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/i18n.h"

enum { LOOK_NS = 50000000, HEAR_MS = 100, STUCK_NS = 2000000000, SERVERS_MS = 60000, MORE_MEMORY = 512 << 20 };

/* So long a script may run before others hear BUSY. Redis looks at its clock only after some 100,000 instructions of
 * Lua, so that a short script is never taken for a long one, however slow the machine. */
static const char limit_name[] = "lua-time-limit", limit_ms[] = "500";

struct Warden {
    OwnRun *run;
    Sandbox *sandbox;
    RedisLink *link;
    char limit_before[24];
    pid_t server;
    bool memory_limited;
    struct rlimit memory_before;
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

/* A call that takes for ever, inside Lua or inside Redis, hears no SCRIPT KILL. */
static void kill_server(Warden *warden)
{
    atomic_store(&warden->run->stopped, OWN_STUCK);
    sandbox_kill(warden->sandbox, SERVER_REDIS);
}

/* How much of a processor the server has used; 0 where that cannot be known. */
static uint64_t server_ns(const Warden *warden)
{
    clockid_t clock;
    struct timespec used;
    if (warden->server <= 0 || clock_getcpuclockid(warden->server, &clock) != 0) return 0;
    if (clock_gettime(clock, &used) != 0) return 0;
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

/* Waits for the answer. False when there is none to be had: the server has worked all that time on something else. Its
 * own time counts, not ours: on a busy machine an answer may take long. */
static bool hear(Warden *warden)
{
    uint64_t began = server_ns(warden);
    struct pollfd from = {.fd = redis_link_context(warden->link)->fd, .events = POLLIN};
    while (poll(&from, 1, HEAR_MS) == 0)
        if (server_ns(warden) > began + STUCK_NS) return false;
    return true;
}

/* False when the server is gone. */
static bool look(Warden *warden)
{
    redisReply *reply = NULL;
    Error ignored;
    if (redis_link_send(warden->link, &ignored, 1, (const char *[]){"PING"}, NULL) == STORE_OK && !hear(warden)) {
        kill_server(warden);
        return false;
    }
    if (redis_link_receive(warden->link, &reply, &ignored) == STORE_LOST) {
        atomic_store(&warden->run->stopped, OWN_DIED);
        return false;
    }
    if (said(reply, "BUSY")) stop_script(warden);
    freeReplyObject(reply);
    return !own_stop_ended(own_run_stopped(warden->run));
}

static void *watch(void *data)
{
    Warden *warden = data;
    while (!atomic_load(&warden->over) && look(warden)) futex_wait(&warden->over, 0, LOOK_NS);
    return NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A script that doubles a string asks for all there is before its time is over. So the server may have only so much more
 * than it has; Lua then says "not enough memory", which is an error like any other. */
static void limit_memory(Warden *warden)
{
    char path[64];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)warden->server);
    FILE *file = fopen(path, "re");
    bool known = file && fscanf(file, "%ld", &pages) == 1;
    if (file) fclose(file);
    if (!known || prlimit(warden->server, RLIMIT_AS, NULL, &warden->memory_before) != 0) return;
    struct rlimit now = warden->memory_before;
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MORE_MEMORY;
    if (now.rlim_cur > now.rlim_max) return;
    warden->memory_limited = prlimit(warden->server, RLIMIT_AS, &now, NULL) == 0;
}

static void unlimit_memory(const Warden *warden)
{
    if (warden->memory_limited) prlimit(warden->server, RLIMIT_AS, &warden->memory_before, NULL);
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
    ServerStatus status[SERVER_COUNT];
    stores_status(stores, status);
    warden->server = status[SERVER_REDIS].pid;
    stores_addresses(stores, &address, NULL);
    run->script = *script;
    atomic_store(&run->stopped, OWN_RUNS);
    atomic_store(&run->failed, 0);
    atomic_store(&run->odd, OWN_FITS);
    warden->link = redis_link_open(&address, error);
    bool ready = warden->link && script_user_make(warden->link, &address, &script->keys, &run->address, error);
    if (ready) shorten_limit(warden);
    if (ready && warden->server > 0) limit_memory(warden);
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
    unlimit_memory(warden);
    if (!own_stop_ended(own_run_stopped(warden->run))) {
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
    if (!own_stop_ended(stop) || !sandbox) return true;
    sandbox_restart(sandbox, SERVER_REDIS, true);
    return stores_wait(stores, SERVERS_MS, error);
}
