/* bench_outside.c -- what is asked of others: redis-benchmark, and the kernel about memory. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verbs/bench.h"

extern char **environ;

/* ---- redis-benchmark ---------------------------------------------------------------------------
 */

/* One that is cleaned away like the others, should the DEL not come to it. */
#define RIVAL_KEY "icr:order:2000:01:01"

static pid_t start_rival(char *const *arguments, int out)
{
    static const char *const programs[] = {"redis-benchmark", "valkey-benchmark"};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    pid_t pid = -1;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (posix_spawnp(&pid, programs[i], &files, NULL, arguments, environ) == 0)
            break;
        else
            pid = -1;
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

/* The last line is "INCR key","59934.07",...: newer versions have a head above it. */
static double read_rate(FILE *from)
{
    char line[512];
    double rate = 0;
    while (fgets(line, sizeof line, from)) {
        const char *number = strstr(line, "\",\"");
        if (number) rate = strtod(number + 3, NULL);
    }
    return rate;
}

static double run_rival(char *const *arguments)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return 0;
    pid_t pid = start_rival(arguments, ends[1]);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    double rate = pid > 0 && from ? read_rate(from) : 0;
    if (from)
        fclose(from);
    else
        close(ends[0]);
    int status = 1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return status == 0 ? rate : 0;
}

enum { BEFORE_COMMAND = 10 };

double bench_rival_command(Stores *stores, int connections, long requests, const char *const *command)
{
    RedisAddress address;
    char clients[16], count[24];
    stores_addresses(stores, &address, NULL);
    snprintf(clients, sizeof clients, "%d", connections);
    snprintf(count, sizeof count, "%ld", requests);
    const char *arguments[BEFORE_COMMAND + BENCH_WORDS + 1] = {
        "redis-benchmark", "-s", address.socket, "-c", clients, "-n", count, "-r", clients, "--csv"};
    for (int i = 0; command[i] && i < BENCH_WORDS; i++) arguments[BEFORE_COMMAND + i] = command[i];
    return run_rival((char *const *)arguments);
}

double bench_rival(Stores *stores, int connections, long requests)
{
    static const char *const incr[] = {"INCR", RIVAL_KEY, NULL};
    double rate = bench_rival_command(stores, connections, requests, incr);
    Error error;
    redisReply *reply = NULL;
    redis_link_command(stores_redis(stores), &reply, &error, "DEL %s", RIVAL_KEY);
    if (reply) freeReplyObject(reply);
    return rate;
}

double bench_rival_script(Stores *stores, const char *sha, int connections, long requests)
{
    const char *const evalsha[] = {"EVALSHA",       sha, "2", "seckill:stock:1", "seckill:order:1",
                                   "__rand_int__", NULL};
    return bench_rival_command(stores, connections, requests, evalsha);
}

/* ---- memory
 * -------------------------------------------------------------------------------------- */

static FILE *open_proc(int pid, const char *name)
{
    char path[64];
    if (pid > 0)
        snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    else
        snprintf(path, sizeof path, "/proc/self/%s", name);
    return fopen(path, "re");
}

static long number_in(int pid, const char *file, const char *format)
{
    char line[256];
    long number = 0;
    FILE *from = open_proc(pid, file);
    if (!from) return 0;
    while (fgets(line, sizeof line, from) && sscanf(line, format, &number) != 1) continue;
    fclose(from);
    return number;
}

long bench_memory_kb(int pid)
{
    return pid < 0 ? 0 : number_in(pid, "smaps_rollup", "Pss: %ld kB");
}

int bench_parent(int pid)
{
    return pid <= 0 ? -1 : (int)number_in(pid, "status", "PPid: %ld");
}
