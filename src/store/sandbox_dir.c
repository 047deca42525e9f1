#include "store/sandbox_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

static const char dir_prefix[] = "seckill-lab-";
static const char lock_line[] = "seckill-lab sandbox\n";
enum { RANDOM_LETTERS = 6, EMPTY_SECONDS = 60 };

/* ---- the name -----------------------------------------------------------------------------------
 */

static bool usable_base(const char *base)
{
    struct stat about;
    size_t length = base ? strlen(base) : 0;
    if (!length || base[0] != '/' || length + sizeof dir_prefix + RANDOM_LETTERS + 1 > SANDBOX_PATH)
        return false;
    return stat(base, &about) == 0 && S_ISDIR(about.st_mode) && access(base, W_OK | X_OK) == 0;
}

void sandbox_dir_choose(char path[SANDBOX_PATH])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const char *base = getenv("TMPDIR");
    if (!usable_base(base)) base = "/tmp";
    unsigned char random[RANDOM_LETTERS];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        uint64_t now = clock_now_ns() ^ (uint64_t)getpid() << 32;
        memcpy(random, &now, sizeof random);
    }
    int at = snprintf(path, SANDBOX_PATH, "%s/%s", base, dir_prefix);
    for (int i = 0; i < RANDOM_LETTERS; i++) path[at++] = letters[random[i] % (sizeof letters - 1)];
    path[at] = 0;
}

static bool our_name(const char *name)
{
    size_t prefix = sizeof dir_prefix - 1;
    if (strncmp(name, dir_prefix, prefix) != 0 || strlen(name) != prefix + RANDOM_LETTERS)
        return false;
    return strspn(name + prefix, "abcdefghijklmnopqrstuvwxyz0123456789") == RANDOM_LETTERS;
}

/* ---- removing
 * ------------------------------------------------------------------------------------- */

static void remove_inside(int directory);

static void remove_entry(int directory, const char *name)
{
    if (unlinkat(directory, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
    int inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) return;
    remove_inside(inner);
    close(inner);
    unlinkat(directory, name, AT_REMOVEDIR);
}

/* Everything but the lock file, which alone tells that the rest is ours. */
static void remove_inside(int directory)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) {
        if (copy >= 0) close(copy);
        return;
    }
    struct dirent *entry;
    while ((entry = readdir(list)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
            strcmp(entry->d_name, "lock"))
            remove_entry(directory, entry->d_name);
    closedir(list);
}

static int open_directory(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void sandbox_dir_empty(const char *path)
{
    int directory = open_directory(path);
    if (directory < 0) return;
    remove_inside(directory);
    close(directory);
}

static bool only_lock_left(int directory)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) {
        if (copy >= 0) close(copy);
        return false;
    }
    int entries = 0;
    struct dirent *entry;
    while ((entry = readdir(list)))
        entries += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
                   strcmp(entry->d_name, "lock");
    closedir(list);
    return entries == 0;
}

/* A server that is just dying may still make a file behind our back: hence the rounds. */
bool sandbox_dir_remove(const char *path)
{
    enum { ROUNDS = 100, ROUND_NS = 10000000 };
    int directory = open_directory(path);
    if (directory < 0) return errno == ENOENT;
    for (int round = 0; round < ROUNDS; round++) {
        remove_inside(directory);
        if (only_lock_left(directory)) break;
        clock_sleep_ns(ROUND_NS);
    }
    unlinkat(directory, "lock", 0);
    close(directory);
    return rmdir(path) == 0 || errno == ENOENT;
}

/* ---- making
 * ---------------------------------------------------------------------------------------- */

static int give_up(int fd, const char *path, char *reason, int size)
{
    snprintf(reason, (size_t)size, "%s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}

static void remove_leftover(const char *path);

int sandbox_dir_make(const char *path, char *reason, int size)
{
    if (mkdir(path, 0700) != 0) {
        if (errno != EEXIST) return give_up(-1, path, reason, size);
        remove_leftover(path);
        if (mkdir(path, 0700) != 0) return give_up(-1, path, reason, size);
    }
    /* Locked under another name first: the name `lock` never stands for an unlocked file of a
     * living keeper. */
    char fresh[SANDBOX_PATH + 16], lock[SANDBOX_PATH + 16];
    snprintf(fresh, sizeof fresh, "%s/lock-new", path);
    snprintf(lock, sizeof lock, "%s/lock", path);
    int fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return give_up(-1, path, reason, size);
    ssize_t length = (ssize_t)sizeof lock_line - 1;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 || write(fd, lock_line, (size_t)length) != length ||
        rename(fresh, lock) != 0)
        return give_up(fd, path, reason, size);
    return fd;
}

/* ---- leftovers
 * --------------------------------------------------------------------------------------- */

/* The lock of a directory that is ours and whose keeper is dead, now held by us; else -1. */
static int lock_leftover(int directory)
{
    int fd = openat(directory, "lock", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    struct stat about;
    char line[sizeof lock_line] = "";
    ssize_t length = (ssize_t)sizeof lock_line - 1;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
        pread(fd, line, (size_t)length, 0) == length &&
        memcmp(line, lock_line, (size_t)length) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Killed within the microseconds between making the directory and its lock: nothing is in it but,
 * perhaps, the unnamed lock. Only an old one is taken for such. */
static void remove_stillborn(const char *path, int directory, const struct stat *about)
{
    if (time(NULL) - about->st_mtime < EMPTY_SECONDS) return;
    if (unlinkat(directory, "lock-new", 0) == 0 || errno == ENOENT) rmdir(path);
}

static void remove_leftover(const char *path)
{
    int directory = open_directory(path);
    struct stat about;
    if (directory < 0) return;
    if (fstat(directory, &about) == 0 && about.st_uid == geteuid() &&
        (about.st_mode & 0777) == 0700) {
        int lock = lock_leftover(directory);
        if (lock >= 0) {
            sandbox_dir_remove(path);
            close(lock);
        } else if (faccessat(directory, "lock", F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
            remove_stillborn(path, directory, &about);
        }
    }
    close(directory);
}

static void sweep(const char *base)
{
    DIR *list = opendir(base);
    if (!list) return;
    struct dirent *entry;
    while ((entry = readdir(list))) {
        char path[SANDBOX_PATH];
        if (!our_name(entry->d_name)) continue;
        if (snprintf(path, sizeof path, "%s/%s", base, entry->d_name) < (int)sizeof path)
            remove_leftover(path);
    }
    closedir(list);
}

void sandbox_dir_sweep(const char *path)
{
    char base[SANDBOX_PATH];
    snprintf(base, sizeof base, "%s", path);
    char *slash = strrchr(base, '/');
    if (slash && slash != base) *slash = 0;
    sweep(base);
    if (strcmp(base, "/tmp") != 0) sweep("/tmp");
}
