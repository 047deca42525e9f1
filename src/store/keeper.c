/* keeper.c -- the life of the keeper: starts the servers, watches them, and when the console is
 * gone or says so, ends them and removes their directory. One thread, one poll(). */
#include "store/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { START_SECONDS = 40, LOOK_MS = 3 };

typedef struct Keeper {
    char directory[SANDBOX_PATH];
    int lock;
    int signals; /* signalfd: SIGCHLD, SIGTERM */
    int console; /* pidfd of the console, -1 where the kernel has none */
    bool ending, swept;
    Server server[KEPT_SERVERS];
} Keeper;

/* ---- telling -----------------------------------------------------------------------------------
 */

/* A console that does not listen must not stop the keeper: what does not fit is lost with it. */
static void tell(const Server *server, Trouble trouble, const char *detail)
{
    News news = {.server = server->kind,
                 .status = server->status,
                 .serial = server->serial,
                 .trouble = trouble};
    snprintf(news.detail, sizeof news.detail, "%s", detail);
    if (send(KEEPER_FD, &news, sizeof news, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) return;
}

static void set_state(Server *server, ServerState state, Trouble trouble, const char *detail)
{
    server->status.state = state;
    server->status.pid = server->phase == PHASE_INSTALLING ? 0 : server->pid;
    tell(server, trouble, detail);
}

/* ---- the servers' lives
 * ---------------------------------------------------------------------------- */

static void start(Keeper *keeper, Server *server)
{
    Trouble trouble;
    char detail[160];
    server->again = false;
    if (server->empty) keeper_server_erase(server, keeper->directory);
    server->empty = false;
    keeper_server_start(server, keeper->directory, &trouble, detail, sizeof detail);
    server->status.starts++;
    server->status.seconds = 0;
    set_state(server, trouble ? SERVER_FAILED : SERVER_STARTING, trouble, detail);
}

static void installed(Keeper *keeper, Server *server)
{
    Trouble trouble = TROUBLE_NONE;
    char detail[160] = "";
    keeper_server_installed(server, keeper->directory, &trouble, detail, sizeof detail);
    set_state(server, trouble ? SERVER_FAILED : SERVER_STARTING, trouble, detail);
}

static void how_it_ended(int status, char *text, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(text, size, "SIG%s",
                 sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
    else
        snprintf(text, size, "exit %d", WEXITSTATUS(status));
}

static void ended(Keeper *keeper, Server *server, int status)
{
    char detail[160];
    Phase phase = server->phase;
    server->pid = 0;
    server->phase = PHASE_NONE;
    if (server->again) {
        start(keeper, server);
        return;
    }
    if (phase == PHASE_INSTALLING && status == 0) {
        installed(keeper, server);
        return;
    }
    if (phase == PHASE_UP) {
        how_it_ended(status, detail, sizeof detail);
        set_state(server, SERVER_DOWN, TROUBLE_ENDED, detail);
        return;
    }
    keeper_server_words(server, keeper->directory, detail, sizeof detail);
    if (!detail[0]) how_it_ended(status, detail, sizeof detail);
    set_state(server, SERVER_FAILED, phase == PHASE_INSTALLING ? TROUBLE_INSTALL : TROUBLE_START,
              detail);
}

static void reap(Keeper *keeper)
{
    for (int i = 0; i < KEPT_SERVERS; i++) {
        Server *server = &keeper->server[i];
        int status;
        if (server->pid && waitpid(server->pid, &status, WNOHANG) == server->pid)
            ended(keeper, server, status);
    }
}

/* Servers that are starting: ready by now, or out of time? */
static void look_after(Keeper *keeper, Server *server)
{
    if (server->phase != PHASE_STARTING && server->phase != PHASE_INSTALLING) return;
    double seconds = (double)(clock_now_ns() - server->began_ns) / 1e9;
    if (server->phase == PHASE_STARTING && keeper_server_ready(server, keeper->directory)) {
        server->phase = PHASE_UP;
        server->status.seconds = seconds;
        set_state(server, SERVER_READY, TROUBLE_NONE, "");
        return;
    }
    if (seconds < START_SECONDS) return;
    char detail[160];
    keeper_server_words(server, keeper->directory, detail, sizeof detail);
    kill(server->pid, SIGKILL);
    waitpid(server->pid, NULL, 0);
    server->pid = 0;
    server->phase = PHASE_NONE;
    set_state(server, SERVER_FAILED, TROUBLE_TIME, detail);
}

/* ---- orders
 * -------------------------------------------------------------------------------------------- */

static void restart(Keeper *keeper, Server *server, const Order *order)
{
    server->wanted = true;
    server->empty = order->empty;
    server->serial = order->serial;
    server->plan = order->plan;
    if (!server->pid) {
        start(keeper, server);
        return;
    }
    server->again = true;
    kill(server->pid, SIGKILL);
}

static void obey(Keeper *keeper, const Order *order)
{
    if (order->kind == ORDER_STOP) keeper->ending = true;
    if (order->kind == ORDER_STOP || order->server < 0 || order->server >= KEPT_SERVERS) return;
    Server *server = &keeper->server[order->server];
    if (order->kind == ORDER_RESTART) restart(keeper, server, order);
    if (order->kind == ORDER_KILL && server->pid) kill(server->pid, SIGKILL);
}

/* All orders that are there; the end of the stream means that the console is gone. */
static void hear(Keeper *keeper)
{
    for (;;) {
        Order order;
        ssize_t got = recv(KEEPER_FD, &order, sizeof order, MSG_DONTWAIT);
        if (got == (ssize_t)sizeof order) {
            obey(keeper, &order);
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        keeper->ending = true;
        return;
    }
}

static void hear_signals(Keeper *keeper)
{
    struct signalfd_siginfo info;
    while (read(keeper->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo == SIGTERM) keeper->ending = true;
}

/* ---- the keeper itself
 * ---------------------------------------------------------------------------------- */

/* Not one descriptor of the console's may stay: a pipe or a terminal held open here would keep
 * somebody waiting. */
static void close_inherited(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, KEEPER_FD + 1, ~0u, 0) == 0) return;
#endif
    DIR *list = opendir("/proc/self/fd");
    if (!list) return;
    int own = dirfd(list);
    struct dirent *entry;
    while ((entry = readdir(list))) {
        int fd = atoi(entry->d_name);
        if (fd > KEEPER_FD && fd != own) close(fd);
    }
    closedir(list);
}

/* The terminal's signals are the console's affair: it decides when all ends. */
static void ignore_terminal(void)
{
    static const int ignored[] = {SIGINT,  SIGHUP,  SIGQUIT, SIGTSTP, SIGTTIN,
                                  SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
}

static int open_signals(void)
{
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    sigaddset(&taken, SIGTERM);
    sigprocmask(SIG_SETMASK, &taken, NULL);
    return signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int watch_console(void)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, getppid(), 0);
#else
    return -1;
#endif
}

static bool any_in(const Keeper *keeper, Phase phase)
{
    for (int i = 0; i < KEPT_SERVERS; i++)
        if (keeper->server[i].phase == phase) return true;
    return false;
}

/* How long to sleep. A server that starts is looked at every few ms; one that installs ends with
 * a SIGCHLD and is only held against the clock. */
static int patience_of(const Keeper *keeper)
{
    if (any_in(keeper, PHASE_STARTING)) return LOOK_MS;
    return any_in(keeper, PHASE_INSTALLING) ? 1000 : -1;
}

/* The dust of others can wait until our own servers are up. */
static void sweep_once(Keeper *keeper)
{
    if (keeper->swept || any_in(keeper, PHASE_STARTING) || any_in(keeper, PHASE_INSTALLING)) return;
    keeper->swept = true;
    sandbox_dir_sweep(keeper->directory);
}

static void watch(Keeper *keeper)
{
    while (!keeper->ending) {
        sweep_once(keeper);
        struct pollfd wait[] = {
            {KEEPER_FD, POLLIN, 0}, {keeper->signals, POLLIN, 0}, {keeper->console, POLLIN, 0}};
        if (poll(wait, 3, patience_of(keeper)) < 0 && errno != EINTR) return;
        hear_signals(keeper);
        reap(keeper);
        for (int i = 0; i < KEPT_SERVERS; i++) look_after(keeper, &keeper->server[i]);
        if (wait[0].revents) hear(keeper);
        if (wait[2].revents & POLLIN) keeper->ending = true;
    }
}

static void end_servers(Keeper *keeper)
{
    for (int i = 0; i < KEPT_SERVERS; i++)
        if (keeper->server[i].pid) kill(keeper->server[i].pid, SIGKILL);
    for (int i = 0; i < KEPT_SERVERS; i++)
        if (keeper->server[i].pid) waitpid(keeper->server[i].pid, NULL, 0);
}

/* Without a directory no server can be; the console is told why before the keeper goes. */
static int no_directory(Keeper *keeper, const char *reason)
{
    for (int i = 0; i < KEPT_SERVERS; i++) {
        if (!keeper->server[i].wanted) continue;
        set_state(&keeper->server[i], SERVER_FAILED, TROUBLE_DIRECTORY, reason);
    }
    return 1;
}

static bool from_console(int argc)
{
    struct stat about;
    return argc == 4 && fstat(KEEPER_FD, &about) == 0 && S_ISSOCK(about.st_mode);
}

/* PROGRAM --keeper DIRECTORY SERVERS, where SERVERS is of the letters r and m. */
int sandbox_keeper_main(int argc, char **argv)
{
    if (!from_console(argc) || strlen(argv[2]) >= SANDBOX_PATH) {
        fprintf(stderr, "seckill-lab: --keeper is for the console's own use.\n");
        return 2;
    }
    ignore_terminal();
    close_inherited();
    fcntl(KEEPER_FD, F_SETFD, FD_CLOEXEC);
    umask(077);
    Keeper keeper = {.signals = open_signals(), .console = watch_console()};
    strcpy(keeper.directory, argv[2]);
    for (int i = 0; i < KEPT_SERVERS; i++) {
        keeper.server[i].kind = i;
        keeper.server[i].wanted = i < SERVER_COUNT && strchr(argv[3], "rm"[i]) != NULL;
    }

    char reason[160];
    keeper.lock = sandbox_dir_make(keeper.directory, reason, sizeof reason);
    if (keeper.lock < 0) return no_directory(&keeper, reason);
    for (int i = 0; i < KEPT_SERVERS; i++)
        if (keeper.server[i].wanted) start(&keeper, &keeper.server[i]);
    watch(&keeper);
    end_servers(&keeper);
    sandbox_dir_remove(keeper.directory);
    close(keeper.lock);
    return 0;
}
