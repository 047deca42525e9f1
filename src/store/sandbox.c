/* sandbox.c -- the console's side of the sandbox: starts the keeper and believes what it says. */
#include "store/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/paths.h"
#include "store/keeper.h"

extern char **environ;

struct Sandbox {
    pthread_mutex_t mutex;
    int fd;       /* our end of the pair; stays the same number for life */
    pid_t keeper; /* 0: none */
    int mute;     /* the far end of a silent pair while there is no keeper, else -1 */
    bool deaf;    /* the keeper has hung up */
    bool wanted[SERVER_COUNT];
    ServerStatus status[KEPT_SERVERS];
    unsigned starts_before[KEPT_SERVERS]; /* under keepers that are gone */
    unsigned serial[KEPT_SERVERS];        /* of the last restart ordered: older news is stale */
    char directory[SANDBOX_PATH];
};

/* ---- words
 * ------------------------------------------------------------------------------------------ */

static const char *server_name(int server)
{
    return server == SERVER_SQL ? "MariaDB" : "Redis";
}

static void missing_words(int server, char *text, size_t size)
{
    if (server != SERVER_SQL)
        snprintf(text, size,
                 _("No redis-server here. Install it (Debian: apt install redis-tools), or give "
                   "your own with --redis URL."));
    else
        snprintf(text, size,
                 _("No mariadbd here. Install it (Debian: apt install mariadb-server-core), or "
                   "give your own with --mysql URL."));
}

static void trouble_words(const News *news, char *text, size_t size)
{
    const char *name = server_name(news->server);
    switch (news->trouble) {
    case TROUBLE_NONE:
        text[0] = 0;
        break;
    case TROUBLE_MISSING:
        missing_words(news->server, text, size);
        break;
    case TROUBLE_DIRECTORY:
        snprintf(text, size,
                 _("No room for the private servers: %s. Set TMPDIR to a directory you can write "
                   "to."),
                 news->detail);
        break;
    case TROUBLE_INSTALL:
        snprintf(text, size,
                 _("MariaDB's data directory cannot be filled: %s. Check the room in TMPDIR."),
                 news->detail);
        break;
    case TROUBLE_START:
        snprintf(text, size, _("%s does not start: %s"), name, news->detail);
        break;
    case TROUBLE_TIME:
        snprintf(text, size, _("%s takes too long to start: %s"), name, news->detail);
        break;
    case TROUBLE_ENDED:
        snprintf(text, size, _("%s has ended (%s). It can be started again."), name, news->detail);
        break;
    }
}

/* ---- the keeper
 * ---------------------------------------------------------------------------------------- */

static bool spawn_keeper(Sandbox *sandbox, int end)
{
    char servers[3] = "", *at = servers;
    for (int i = 0; i < SERVER_COUNT; i++)
        if (sandbox->wanted[i]) *at++ = "rm"[i];
    *at = 0;
    char *const words[] = {"seckill-lab", "--keeper", sandbox->directory, servers, NULL};

    /* A session of its own: no signal of the terminal reaches it. Handlers and masks of the
     * console's are not handed on. */
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawn_file_actions_adddup2(&files, end, KEEPER_FD);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    int failed =
        posix_spawn(&sandbox->keeper, paths_program(), &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failed) sandbox->keeper = 0;
    errno = failed;
    return !failed;
}

/* Puts a silent pair in the place of one that hung up, so that nobody who waits on the descriptor
 * spins. */
static void silence(Sandbox *sandbox)
{
    int ends[2];
    if (sandbox->mute >= 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    dup3(ends[0], sandbox->fd, O_CLOEXEC);
    close(ends[0]);
    sandbox->mute = ends[1];
}

static void end_silence(Sandbox *sandbox)
{
    if (sandbox->mute >= 0) close(sandbox->mute);
    sandbox->mute = -1;
}

/* Makes the pair and starts a keeper on it. sandbox->fd keeps its number when it has one. */
static bool start_keeper(Sandbox *sandbox, Error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error,
                         _("The private servers cannot be started: %s. Close some programs and try "
                           "again."),
                         strerror(errno));
    bool fine = spawn_keeper(sandbox, ends[1]);
    close(ends[1]);
    if (!fine) {
        close(ends[0]);
        return error_set(error,
                         _("The private servers cannot be started: %s. Close some programs and try "
                           "again."),
                         strerror(errno));
    }
    if (sandbox->fd < 0) {
        sandbox->fd = ends[0];
    } else {
        dup3(ends[0], sandbox->fd, O_CLOEXEC);
        close(ends[0]);
        end_silence(sandbox);
    }
    sandbox->deaf = false;
    for (int i = 0; i < KEPT_SERVERS; i++) {
        sandbox->starts_before[i] = sandbox->status[i].starts;
        sandbox->serial[i] = 0;
        if (i < SERVER_COUNT && sandbox->wanted[i]) sandbox->status[i].state = SERVER_STARTING;
    }
    return true;
}

Sandbox *sandbox_start(bool redis, bool sql, Error *error)
{
    Sandbox *sandbox = calloc(1, sizeof *sandbox);
    if (!sandbox) {
        error_set(error, _("Out of memory."));
        return NULL;
    }
    pthread_mutex_init(&sandbox->mutex, NULL);
    sandbox->fd = sandbox->mute = -1;
    sandbox->wanted[SERVER_REDIS] = redis;
    sandbox->wanted[SERVER_SQL] = sql;
    sandbox_dir_choose(sandbox->directory);
    if (start_keeper(sandbox, error)) return sandbox;
    pthread_mutex_destroy(&sandbox->mutex);
    free(sandbox);
    return NULL;
}

/* The keeper is gone, and its servers die with it. */
static void keeper_lost(Sandbox *sandbox)
{
    sandbox->deaf = true;
    if (sandbox->keeper) waitpid(sandbox->keeper, NULL, 0);
    sandbox->keeper = 0;
    silence(sandbox);
    for (int i = 0; i < KEPT_SERVERS; i++) {
        ServerStatus *status = &sandbox->status[i];
        if (status->state == SERVER_ABSENT || status->state == SERVER_FAILED) continue;
        status->state = SERVER_DOWN;
        status->pid = 0;
        snprintf(status->message, sizeof status->message,
                 _("%s has ended with its keeper. It can be started again."), server_name(i));
    }
}

static void take_in(Sandbox *sandbox, const News *news)
{
    if (news->server < 0 || news->server >= KEPT_SERVERS || news->serial != sandbox->serial[news->server]) return;
    ServerStatus *status = &sandbox->status[news->server];
    *status = news->status;
    status->starts += sandbox->starts_before[news->server];
    trouble_words(news, status->message, sizeof status->message);
}

static void listen_to_keeper(Sandbox *sandbox)
{
    while (!sandbox->deaf) {
        News news;
        ssize_t got = recv(sandbox->fd, &news, sizeof news, MSG_DONTWAIT);
        if (got == (ssize_t)sizeof news)
            take_in(sandbox, &news);
        else if (got < 0 && errno == EAGAIN)
            return;
        else if (got >= 0 || errno != EINTR)
            keeper_lost(sandbox);
    }
}

/* ---- asking
 * ---------------------------------------------------------------------------------------------- */

void sandbox_status(Sandbox *sandbox, ServerStatus status[SERVER_COUNT])
{
    pthread_mutex_lock(&sandbox->mutex);
    listen_to_keeper(sandbox);
    memcpy(status, sandbox->status, SERVER_COUNT * sizeof *status);
    pthread_mutex_unlock(&sandbox->mutex);
}

int sandbox_fd(const Sandbox *sandbox)
{
    return sandbox->fd;
}

void sandbox_addresses(const Sandbox *sandbox, RedisAddress *redis, SqlAddress *sql)
{
    RedisAddress redis_address;
    SqlAddress sql_address;
    keeper_server_address(sandbox->directory, &redis_address, &sql_address);
    if (redis) *redis = redis_address;
    if (sql) *sql = sql_address;
}

/* 1: all ready, 0: not yet, -1: one cannot be had. */
static int readiness(Sandbox *sandbox, const char **message, ServerStatus status[SERVER_COUNT])
{
    int ready = 1;
    sandbox_status(sandbox, status);
    for (int i = 0; i < SERVER_COUNT; i++) {
        *message = status[i].message;
        if (status[i].state == SERVER_FAILED || status[i].state == SERVER_DOWN) return -1;
        if (status[i].state == SERVER_STARTING) ready = 0;
    }
    return ready;
}

bool sandbox_wait_ready(Sandbox *sandbox, int timeout_ms, Error *error)
{
    enum { SLICE_MS = 100 }; /* another thread may take the news that woke neither of us */
    uint64_t end = clock_now_ns() + (uint64_t)timeout_ms * 1000000u;
    for (;;) {
        ServerStatus status[SERVER_COUNT];
        const char *message;
        int ready = readiness(sandbox, &message, status);
        if (ready > 0) return true;
        if (ready < 0) return error_set(error, "%s", message);
        uint64_t now = clock_now_ns();
        if (now >= end)
            return error_set(
                error,
                _("The private servers are not ready after %d s. Try again, or give your "
                  "own with --redis URL and --mysql URL."),
                timeout_ms / 1000);
        int left = (int)((end - now) / 1000000u) + 1;
        struct pollfd wait = {.fd = sandbox->fd, .events = POLLIN};
        poll(&wait, 1, left < SLICE_MS ? left : SLICE_MS);
    }
}

/* ---- ordering
 * ---------------------------------------------------------------------------------------------- */

static void give_order(Sandbox *sandbox, Order order)
{
    if (sandbox->deaf) return;
    if (send(sandbox->fd, &order, sizeof order, MSG_NOSIGNAL) < 0) listen_to_keeper(sandbox);
}

static void order_kill(Sandbox *sandbox, int server)
{
    pthread_mutex_lock(&sandbox->mutex);
    give_order(sandbox, (Order){.kind = ORDER_KILL, .server = server});
    pthread_mutex_unlock(&sandbox->mutex);
}

/* A server that could not even be asked for. */
static void note_failure(Sandbox *sandbox, int server, const Error *error)
{
    ServerStatus *status = &sandbox->status[server];
    snprintf(status->message, sizeof status->message, "%.199s", error->text);
}

static void order_start(Sandbox *sandbox, int server, const ExtraPlan *plan, bool empty)
{
    sandbox->status[server].state = SERVER_STARTING;
    Order order = {ORDER_RESTART, server, empty, ++sandbox->serial[server], *plan};
    give_order(sandbox, order);
}

void sandbox_kill(Sandbox *sandbox, ServerKind kind)
{
    order_kill(sandbox, (int)kind);
}

/* A keeper that was killed is started anew, in the same place, with all servers. */
void sandbox_restart(Sandbox *sandbox, ServerKind kind, bool empty)
{
    pthread_mutex_lock(&sandbox->mutex);
    listen_to_keeper(sandbox);
    Error error;
    if (!sandbox->deaf) {
        sandbox->wanted[kind] = true;
        order_start(sandbox, (int)kind, &(ExtraPlan){0}, empty);
    } else if (!start_keeper(sandbox, &error)) {
        note_failure(sandbox, (int)kind, &error);
    }
    pthread_mutex_unlock(&sandbox->mutex);
}

/* ---- extra servers
 * -------------------------------------------------------------------------------------------- */

void sandbox_extra_start(Sandbox *sandbox, int extra, const ExtraPlan *plan, bool empty)
{
    int server = SERVER_COUNT + extra;
    Error error;
    pthread_mutex_lock(&sandbox->mutex);
    listen_to_keeper(sandbox);
    if (sandbox->deaf && !start_keeper(sandbox, &error)) {
        note_failure(sandbox, server, &error);
        sandbox->status[server].state = SERVER_FAILED;
    } else {
        order_start(sandbox, server, plan, empty);
    }
    pthread_mutex_unlock(&sandbox->mutex);
}

void sandbox_extra_kill(Sandbox *sandbox, int extra)
{
    order_kill(sandbox, SERVER_COUNT + extra);
}

void sandbox_extra_status(Sandbox *sandbox, int extra, ServerStatus *status)
{
    pthread_mutex_lock(&sandbox->mutex);
    listen_to_keeper(sandbox);
    *status = sandbox->status[SERVER_COUNT + extra];
    pthread_mutex_unlock(&sandbox->mutex);
}

const char *sandbox_extra_socket(const Sandbox *sandbox, int extra, char path[108])
{
    return keeper_extra_path(extra, sandbox->directory, ".sock", path, 108);
}

void sandbox_stop(Sandbox *sandbox)
{
    if (!sandbox) return;
    enum { PATIENCE_MS = 5000 };
    if (sandbox->keeper) {
        shutdown(sandbox->fd,
                 SHUT_WR); /* the keeper reads the end and goes; its own end closes then */
        uint64_t end = clock_now_ns() + PATIENCE_MS * 1000000ull;
        while (!sandbox->deaf && clock_now_ns() < end) {
            struct pollfd wait = {.fd = sandbox->fd, .events = POLLIN};
            poll(&wait, 1, 100);
            listen_to_keeper(sandbox);
        }
        if (!sandbox->deaf) kill(sandbox->keeper, SIGKILL);
        if (!sandbox->deaf) waitpid(sandbox->keeper, NULL, 0);
    }
    sandbox_dir_remove(sandbox->directory); /* nothing to do, unless the keeper was killed */
    close(sandbox->fd);
    end_silence(sandbox);
    pthread_mutex_destroy(&sandbox->mutex);
    free(sandbox);
}
