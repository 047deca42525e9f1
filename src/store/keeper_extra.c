/* keeper_extra.c -- how the further Redis servers of a fleet are started.
 *
 * Each has a configuration file of its own in the sandbox's directory, written anew at every start: a
 * server may have rewritten it, and the password belongs on no command line. What was written survives
 * SIGKILL (the pages are the kernel's), so nothing is synced to the disk. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/keeper.h"

enum { WORD = 160 };

const char *keeper_extra_path(int extra, const char *directory, const char *ending, char *path, int size)
{
    snprintf(path, (size_t)size, "%s/extra%d%s", directory, extra + 1, ending);
    return path;
}

static void write_common(FILE *file, int extra, const ExtraPlan *plan, const char *directory)
{
    char path[WORD];
    fprintf(file, "port %d\n", plan->port);
    if (plan->port) fprintf(file, "bind 127.0.0.1\n");
    fprintf(file, "unixsocket %s\n", keeper_extra_path(extra, directory, ".sock", path, sizeof path));
    fprintf(file, "unixsocketperm 700\n");
    fprintf(file, "dir %s\n", keeper_extra_path(extra, directory, "", path, sizeof path));
    fprintf(file, "daemonize no\n");
    if (plan->password[0]) fprintf(file, "requirepass %s\n", plan->password);
}

/* The tick is short, so that a replica is up a few ms after it asked. A full copy goes straight from
 * memory to the replica's socket: there is next to nothing in these servers. */
static void write_data_server(FILE *file, const ExtraPlan *plan)
{
    fputs("save \"\"\nhz 100\ndynamic-hz no\ntcp-backlog 511\n"
          "repl-diskless-sync yes\nrepl-diskless-sync-delay 0\nrepl-diskless-load swapdb\n",
          file);
    if (plan->appends) fputs("appendonly yes\nappendfsync no\nauto-aof-rewrite-percentage 0\n", file);
    if (plan->password[0]) fprintf(file, "masterauth %s\n", plan->password);
}

static void write_sentinel(FILE *file, const ExtraPlan *plan)
{
    if (plan->password[0]) fprintf(file, "sentinel sentinel-pass %s\n", plan->password);
}

/* An append-only file with nothing in it. Made here, a server needs not wait for the disk until the one it makes
 * is safe there; an older Redis makes a single file, and does not wait. */
static void make_append_only(const char *data)
{
    char path[WORD + 64];
    snprintf(path, sizeof path, "%s/appendonlydir", data);
    if (mkdir(path, 0700) != 0) return; /* it is there: the server comes back with its data */
    snprintf(path, sizeof path, "%s/appendonlydir/appendonly.aof.1.incr.aof", data);
    FILE *file = fopen(path, "we");
    if (file) fclose(file);
    snprintf(path, sizeof path, "%s/appendonlydir/appendonly.aof.manifest", data);
    file = fopen(path, "we");
    if (!file) return;
    fputs("file appendonly.aof.1.incr.aof seq 1 type i\n", file);
    fclose(file);
}

static bool write_configuration(int extra, const ExtraPlan *plan, const char *directory, const char *path)
{
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file) {
        if (fd >= 0) close(fd);
        return false;
    }
    write_common(file, extra, plan, directory);
    if (plan->sentinel)
        write_sentinel(file, plan);
    else
        write_data_server(file, plan);
    return fclose(file) == 0;
}

pid_t keeper_extra_start(int extra, const ExtraPlan *plan, const char *directory)
{
    char configuration[WORD], log[WORD], data[WORD], sock[WORD];
    keeper_extra_path(extra, directory, ".conf", configuration, sizeof configuration);
    keeper_extra_path(extra, directory, ".log", log, sizeof log);
    unlink(keeper_extra_path(extra, directory, ".sock", sock, sizeof sock));
    mkdir(keeper_extra_path(extra, directory, "", data, sizeof data), 0700);
    if (plan->appends) make_append_only(data);
    if (!write_configuration(extra, plan, directory, configuration)) return 0;
    /* The name in front decides what the multi-call binary is. */
    char *const words[] = {"redis-server", configuration, plan->sentinel ? "--sentinel" : NULL, NULL};
    return keeper_spawn(
        &(Launch){.program = sandbox_find_redis(), .words = words, .home = directory, .log = log});
}
