/* sandbox_find.c -- where the server programs are. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/sandbox.h"

/* Servers often stand where an ordinary user's PATH does not reach. */
static const char usual_places[] =
    "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin:/usr/local/bin:/bin:/usr/libexec:/usr/lib/mysql/bin";

static char redis_path[256], mariadbd_path[256], install_path[256];

static bool look_along(const char *places, const char *name, char *found, size_t size)
{
    while (places && *places) {
        size_t length = strcspn(places, ":");
        int written = snprintf(found, size, "%.*s/%s", (int)length, places, name);
        if (length && written < (int)size && access(found, X_OK) == 0) return true;
        places += length + (places[length] == ':');
    }
    found[0] = 0;
    return false;
}

static void look_for(const char *const *names, char *found, size_t size)
{
    for (; *names; names++) {
        if (look_along(getenv("PATH"), *names, found, size)) return;
        if (look_along(usual_places, *names, found, size)) return;
    }
}

static void look(void)
{
    static const char *const redis[] = {"redis-server", "valkey-server", "redis-check-rdb", NULL};
    static const char *const mariadbd[] = {"mariadbd", NULL};
    static const char *const install[] = {"mariadb-install-db", NULL};
    look_for(redis, redis_path, sizeof redis_path);
    look_for(mariadbd, mariadbd_path, sizeof mariadbd_path);
    look_for(install, install_path, sizeof install_path);
}

static const char *known(const char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return path[0] ? path : NULL;
}

const char *sandbox_find_redis(void)
{
    return known(redis_path);
}

const char *sandbox_find_mariadbd(void)
{
    return known(mariadbd_path);
}

const char *sandbox_find_install_db(void)
{
    return known(install_path);
}
