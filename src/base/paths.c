#include "base/paths.h"

#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    char program[PATH_MAX], data[PATH_MAX], locale[PATH_MAX], state[PATH_MAX], user_data[PATH_MAX];
    bool keep_program, other_program;
} paths;

static void copy_path(char *to, const char *from)
{
    snprintf(to, PATH_MAX, "%s", from);
}

/* "DIR/NAME", or NAME when it is absolute. A path too long for the system becomes empty. */
static void join_path(char *to, const char *directory, const char *name)
{
    char joined[2 * PATH_MAX];
    if (*name == '/')
        snprintf(joined, sizeof joined, "%s", name);
    else
        snprintf(joined, sizeof joined, "%s/%s", directory, name);
    to[0] = '\0';
    if (strlen(joined) < PATH_MAX) strcpy(to, joined);
}

/* The same without ".." in it, as people write a path; as it is where there is no such directory. */
static void join_plain(char *to, const char *directory, const char *name)
{
    char plain[PATH_MAX];
    join_path(to, directory, name);
    if (realpath(to, plain)) copy_path(to, plain);
}

/* "/a/b/c" becomes "/a/b". */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return true;
}

static void find_program(void)
{
    ssize_t length = readlink("/proc/self/exe", paths.program, sizeof paths.program - 1);
    paths.program[length > 0 ? length : 0] = '\0';
    /* Rebuilt while it ran: the new file stands under the old name. */
    char *gone = strstr(paths.program, " (deleted)");
    if (gone && gone[10] == '\0') *gone = '\0';
}

/* Reads DIR/build-tree.conf, which configure wrote beside the program. */
static bool read_build_tree(const char *directory)
{
    char name[PATH_MAX], line[PATH_MAX];
    join_path(name, directory, "build-tree.conf");
    FILE *file = fopen(name, "re");
    if (!file) return false;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "source=", 7) == 0) join_plain(paths.data, directory, line + 7);
        if (strncmp(line, "locale=", 7) == 0) join_plain(paths.locale, directory, line + 7);
    }
    fclose(file);
    return true;
}

/* Tests are programs of their own, BUILD/tests/KIND/NAME. What they start is BUILD/seckill-lab. */
static void find_build_tree(void)
{
    char directory[PATH_MAX];
    copy_path(directory, paths.program);
    if (!go_up(directory) || read_build_tree(directory)) return;
    if (!strstr(directory, "/tests/")) return;
    if (!go_up(directory) || !go_up(directory) || !read_build_tree(directory)) return;
    paths.other_program = !paths.keep_program;
    if (paths.other_program) join_path(paths.program, directory, PACKAGE_TARNAME);
}

static void make_directories(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

/* The XDG rule: the variable when it is an absolute path, else below the home directory. */
static void find_own_directory(char *to, const char *variable, const char *below_home)
{
    char base[PATH_MAX];
    const char *value = getenv(variable);
    if (value && *value == '/') {
        copy_path(base, value);
    } else {
        const char *home = getenv("HOME");
        const struct passwd *entry = home && *home == '/' ? NULL : getpwuid(getuid());
        join_path(base, entry ? entry->pw_dir : home && *home == '/' ? home : "/", below_home);
    }
    join_path(to, base, PACKAGE_TARNAME);
    if (*to) make_directories(to);
}

static void find_all(void)
{
    copy_path(paths.data, LAB_DATA_DIR);
    copy_path(paths.locale, LAB_LOCALE_DIR);
    find_program();
    find_build_tree();
    const char *data = getenv("SECKILL_LAB_DATA"), *locale = getenv("SECKILL_LAB_LOCALE");
    if (data && *data) copy_path(paths.data, data);
    if (locale && *locale) copy_path(paths.locale, locale);
}

static void find_state(void)
{
    find_own_directory(paths.state, "XDG_STATE_HOME", ".local/state");
}

static void find_user_data(void)
{
    find_own_directory(paths.user_data, "XDG_DATA_HOME", ".local/share");
}

static void find_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all);
}

const char *paths_data(void)
{
    find_once();
    return paths.data;
}

const char *paths_locale(void)
{
    find_once();
    return paths.locale;
}

void paths_keep_program(void)
{
    paths.keep_program = true;
}

const char *paths_program(void)
{
    find_once();
    return paths.program;
}

const char *paths_program_file(void)
{
    find_once();
    return paths.other_program ? paths.program : "/proc/self/exe";
}

const char *paths_state(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_state);
    return paths.state;
}

const char *paths_user_data(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_user_data);
    return paths.user_data;
}
