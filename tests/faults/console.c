#include "console.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"

enum { LOOK_MS = 20 };
static const uint64_t patience_ns = 60000000000ull;

/* ---- looking --------------------------------------------------------------------------------- */

void console_look(Console *console, int ms)
{
    struct pollfd news = {.fd = lab_fd(console->lab), .events = POLLIN};
    poll(&news, 1, ms);
    lab_view(console->lab, &console->view);
}

bool console_until(Console *console, Condition condition)
{
    uint64_t limit = clock_now_ns() + patience_ns;
    lab_view(console->lab, &console->view);
    while (!condition(console)) {
        if (clock_now_ns() > limit) return false;
        console_look(console, LOOK_MS);
    }
    return true;
}

bool is_racing(const Console *console)
{
    return console->view.phase == LAB_RACING;
}

bool is_over(const Console *console)
{
    return (console->view.phase == LAB_DONE || console->view.phase == LAB_BROKEN) &&
           console->view.report_serial != console->report_before;
}

void console_race(Console *console, const Spec *spec)
{
    console->report_before = console->view.report_serial;
    lab_race(console->lab, spec);
}

bool is_ready(const Console *console)
{
    return console->view.server[SERVER_REDIS].state == SERVER_READY &&
           console->view.server[SERVER_SQL].state == SERVER_READY;
}

static bool is_up(const Console *console)
{
    LabPhase phase = console->view.phase;
    return phase == LAB_BROKEN || (phase == LAB_IDLE && is_ready(console));
}

static _Noreturn void bail_out(const char *why)
{
    printf("Bail out! %s\n", why);
    exit(1);
}

void console_open(Console *console)
{
    Error error = {""};
    *console = (Console){0};
    i18n_start("en");
    console->course = course_load(&error);
    if (!console->course) bail_out(error.text);
    console->lab = lab_open(NULL, NULL, &error);
    if (!console->lab) bail_out(error.text);
    if (!console_until(console, is_up) || console->view.phase != LAB_IDLE) bail_out(console->view.message);
}

void console_close(Console *console)
{
    lab_close(console->lab);
    lab_view_free(&console->view);
    course_free(console->course);
}

Spec console_race_spec(Console *console, const char *name)
{
    Error error;
    const Lesson *lesson;
    const LessonVariant *variant;
    if (!course_find(console->course, name, &lesson, &variant, &error)) bail_out(error.text);
    return variant->race;
}

/* ---- counting ------------------------------------------------------------------------------------ */

/* The word behind `name`, or after it and an equals sign, on a server's own command line. */
static bool find_word(pid_t pid, const char *name, char *value, size_t size)
{
    char path[64], words[8192];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
    if (fd >= 0) close(fd);
    if (pid <= 0 || length <= 0) return false;
    words[length] = '\0';
    size_t name_length = strlen(name);
    for (char *at = words; at < words + length; at += strlen(at) + 1) {
        if (strncmp(at, name, name_length) != 0) continue;
        const char *found = at[name_length] == '=' ? at + name_length + 1 : at + strlen(at) + 1;
        snprintf(value, size, "%s", found);
        return true;
    }
    return false;
}

/* Redis writes a title over its command line; its socket lies beside the directory it works in. */
static bool find_redis(pid_t pid, char *socket, size_t size)
{
    char path[64], directory[4096];
    snprintf(path, sizeof path, "/proc/%d/cwd", (int)pid);
    ssize_t length = pid > 0 ? readlink(path, directory, sizeof directory - 1) : -1;
    if (length <= 0) return false;
    directory[length] = '\0';
    return snprintf(socket, size, "%s.sock", directory) < (int)size;
}

static long long first_number(RedisLink *link, const char *command, const char *key)
{
    redisReply *reply = NULL;
    redis_link_argv(link, &reply, NULL, 2, (const char *[]){command, key}, NULL);
    long long number = reply && reply->type == REDIS_REPLY_INTEGER ? reply->integer
                       : reply && reply->type == REDIS_REPLY_STRING ? atoll(reply->str) : -99;
    if (reply) freeReplyObject(reply);
    return number;
}

static void count_redis(RedisLink *link, Count *count)
{
    redisReply *keys = NULL;
    count->has_redis_stock = first_number(link, "EXISTS", "seckill:stock:1") == 1;
    if (count->has_redis_stock) count->redis_stock = (long)first_number(link, "GET", "seckill:stock:1");
    count->redis = redis_link_argv(link, &keys, NULL, 2, (const char *[]){"KEYS", "lock:*"}, NULL) == STORE_OK;
    for (size_t i = 0; keys && i < keys->elements; i++)
        count->abandoned += first_number(link, "TTL", keys->element[i]->str) == -1;
    if (keys) freeReplyObject(keys);
}

static bool ask_sql(SqlLink *link, const char *query, long *number)
{
    SqlResult result;
    if (sql_link_text(link, query, &result, NULL) != STORE_OK || result.rows < 1) return false;
    *number = (long)result.value[0];
    return true;
}

static void count_sql(SqlLink *link, Count *count)
{
    count->sql = ask_sql(link, "SELECT stock FROM tb_seckill_voucher WHERE voucher_id = 1", &count->stock) &&
                 ask_sql(link, "SELECT COUNT(*) FROM tb_voucher_order WHERE voucher_id = 1", &count->orders) &&
                 ask_sql(link, "SELECT COUNT(*) FROM (SELECT user_id FROM tb_voucher_order WHERE voucher_id = 1"
                               " GROUP BY user_id HAVING COUNT(*) > 1) AS twice", &count->duplicate_users);
}

void console_count(Console *console, Count *count)
{
    *count = (Count){0};
    RedisAddress redis = {0};
    SqlAddress sql = {.user = "root"};
    if (find_redis(console->view.server[SERVER_REDIS].pid, redis.socket, sizeof redis.socket)) {
        RedisLink *link = redis_link_open(&redis, NULL);
        if (link) count_redis(link, count);
        redis_link_close(link);
    }
    if (find_word(console->view.server[SERVER_SQL].pid, "--socket", sql.socket, sizeof sql.socket)) {
        SqlLink *link = sql_link_open(&sql, true, NULL);
        if (link) count_sql(link, count);
        sql_link_close(link);
    }
}

/* ---- processes --------------------------------------------------------------------------------------- */

/* Children are listed with the thread that made them. */
int console_children(void)
{
    int count = 0, pid;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        char path[300];
        snprintf(path, sizeof path, "/proc/self/task/%s/children", task->d_name);
        FILE *file = fopen(path, "re");
        while (file && fscanf(file, "%d", &pid) == 1) count++;
        if (file) fclose(file);
    }
    if (tasks) closedir(tasks);
    return count;
}

int console_servers(const Console *console)
{
    int count = 0;
    for (int i = 0; i < SERVER_COUNT; i++) {
        pid_t pid = console->view.server[i].pid;
        count += pid > 0 && kill(pid, 0) == 0;
    }
    return count;
}
