#include "engine/one_cpu.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 512 };

struct OneCpu {
    cpu_set_t all, one;
    pid_t thread[THREADS]; /* those that were moved; 0 is the calling thread */
    int threads;
};

static void move_thread(OneCpu *one, long thread)
{
    if (one->threads == THREADS || sched_setaffinity((pid_t)thread, sizeof one->one, &one->one) != 0)
        return;
    one->thread[one->threads++] = (pid_t)thread;
}

static void move_process(OneCpu *one, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *directory = opendir(path);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        long thread = strtol(entry->d_name, NULL, 10);
        if (thread > 0) move_thread(one, thread);
    }
    closedir(directory);
}

static bool move_row(void *data, long index, int columns, char **values)
{
    long thread = index >= 0 && columns > 0 && values[0] ? strtol(values[0], NULL, 10) : 0;
    if (thread > 0) move_thread(data, thread);
    return true;
}

/* The server's background threads stay where they are: they have work of their own to do. */
static void move_servers(OneCpu *one, Stores *stores)
{
    ServerStatus status[SERVER_COUNT];
    stores_status(stores, status);
    /* The first thread of redis-server is the one that runs commands. */
    if (status[SERVER_REDIS].state == SERVER_READY) move_thread(one, status[SERVER_REDIS].pid);
    /* MariaDB tells the thread of each connection. A MySQL refuses the question. */
    if (status[SERVER_SQL].state == SERVER_READY)
        sql_link_rows(stores_sql(stores),
                      "SELECT TID FROM information_schema.PROCESSLIST WHERE USER <> 'system user'", move_row,
                      one, NULL);
}

OneCpu *one_cpu_begin(Stores *stores, const World *world)
{
    OneCpu *one = calloc(1, sizeof *one);
    int here = sched_getcpu();
    if (!one || here < 0 || sched_getaffinity(0, sizeof one->all, &one->all) != 0 || CPU_COUNT(&one->all) < 2) {
        free(one);
        return NULL;
    }
    CPU_SET(here, &one->one);
    move_thread(one, 0);
    for (int i = 0; i < world->spec.nodes; i++)
        if (world->node[i].pid > 0) move_process(one, world->node[i].pid);
    move_servers(one, stores);
    return one;
}

void one_cpu_end(OneCpu *one)
{
    if (!one) return;
    for (int i = 0; i < one->threads; i++) sched_setaffinity(one->thread[i], sizeof one->all, &one->all);
    free(one);
}
