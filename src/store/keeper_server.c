/* keeper_server.c -- how redis-server and mariadbd are started for a sandbox.
 *
 * Both listen on a socket in the sandbox's directory and nowhere else. Passwords are not needed:
 * the directory's mode keeps others out. Nothing is ever synced to the disk, which is safe against
 * a killed server (the pages are the kernel's) and only unsafe against a power cut. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "store/keeper.h"

enum { WORD = 160 };

static const char *const log_names[SERVER_COUNT] = {"redis.log", "mariadb.log"};
static const char *const socket_names[SERVER_COUNT] = {"redis.sock", "mariadb.sock"};
static const char *const data_names[SERVER_COUNT] = {"redis", "mariadb"};

static void in_directory(char path[WORD], const char *directory, const char *name)
{
    snprintf(path, WORD, "%s/%s", directory, name);
}

void keeper_server_address(const char *directory, RedisAddress *redis, SqlAddress *sql)
{
    memset(redis, 0, sizeof *redis);
    memset(sql, 0, sizeof *sql);
    snprintf(redis->socket, sizeof redis->socket, "%s/%s", directory, socket_names[SERVER_REDIS]);
    snprintf(sql->socket, sizeof sql->socket, "%s/%s", directory, socket_names[SERVER_SQL]);
    snprintf(sql->user, sizeof sql->user, "root");
}

static bool is_extra(const Server *server)
{
    return server->kind >= SERVER_COUNT;
}

void keeper_server_erase(const Server *server, const char *directory)
{
    char data[WORD];
    if (is_extra(server))
        keeper_extra_path(server->kind - SERVER_COUNT, directory, "", data, sizeof data);
    else
        in_directory(data, directory, data_names[server->kind]);
    sandbox_dir_empty(data);
    rmdir(data);
}

static void begin(Server *server, Phase phase, pid_t pid)
{
    server->phase = phase;
    server->pid = pid;
}

/* ---- Redis
 * --------------------------------------------------------------------------------------- */

static long redis_clients(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max > 20100) return 20000;
    return limit.rlim_max > 200 ? (long)limit.rlim_max - 100 : 100;
}

static pid_t start_redis(const char *directory)
{
    char data[WORD], log[WORD], sock[WORD], clients[24];
    in_directory(data, directory, data_names[SERVER_REDIS]);
    in_directory(log, directory, log_names[SERVER_REDIS]);
    in_directory(sock, directory, socket_names[SERVER_REDIS]);
    snprintf(clients, sizeof clients, "%ld", redis_clients());
    mkdir(data, 0700);
    unlink(sock);
    /* The name in front decides what the multi-call binary is. */
    char *const words[] = {"redis-server",
                           "--port",
                           "0",
                           "--unixsocket",
                           sock,
                           "--unixsocketperm",
                           "700",
                           "--dir",
                           data,
                           "--save",
                           "",
                           "--appendonly",
                           "no",
                           "--maxclients",
                           clients,
                           "--tcp-backlog",
                           "1024",
                           "--daemonize",
                           "no",
                           "--databases",
                           "16",
                           NULL};
    return keeper_spawn(
        &(Launch){.program = sandbox_find_redis(), .words = words, .home = directory, .log = log});
}

/* ---- MariaDB: filling the data directory
 * -------------------------------------------------------------- */

/* Where the SQL text of the system tables lies, beside the server program. The names changed with
 * MariaDB 11; `base` gets the server's --basedir. */
static bool find_system_sql(char base[WORD], char tables[PATH_MAX], char rows[PATH_MAX])
{
    static const char *const shares[] = {"mariadb", "mysql"}, *const prefixes[] = {"mariadb",
                                                                                   "mysql"};
    char program[PATH_MAX];
    if (!realpath(sandbox_find_mariadbd(), program)) return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (!slash) return false;
        *slash = 0;
    }
    if (strlen(program) >= WORD) return false;
    strcpy(base, program);
    for (int i = 0; i < 4; i++) {
        const char *share = shares[i / 2], *prefix = prefixes[i % 2];
        int a = snprintf(tables, PATH_MAX, "%s/share/%s/%s_system_tables.sql", base, share, prefix);
        int b =
            snprintf(rows, PATH_MAX, "%s/share/%s/%s_system_tables_data.sql", base, share, prefix);
        if (a < PATH_MAX && b < PATH_MAX && access(tables, R_OK) == 0 && access(rows, R_OK) == 0)
            return true;
    }
    return false;
}

static bool append_file(FILE *to, const char *path)
{
    FILE *from = fopen(path, "re");
    if (!from) return false;
    char block[8192];
    size_t got;
    while ((got = fread(block, 1, sizeof block, from)) > 0) fwrite(block, 1, got, to);
    bool fine = !ferror(from);
    fclose(from);
    return fine;
}

/* What the server reads in its bootstrap: the system tables, with a root that needs no password. */
static bool write_bootstrap(const char *path, const char *tables, const char *rows)
{
    FILE *file = fopen(path, "we");
    if (!file) return false;
    fputs("create database if not exists mysql;\nuse mysql;\nSET @auth_root_socket=NULL;\n", file);
    bool fine = append_file(file, tables) && append_file(file, rows);
    return fclose(file) == 0 && fine;
}

/* The same program that serves later, reading the system tables' SQL. Doing this without the
 * mariadb-install-db script means that there is one process, and it dies with the keeper.
 * On one processor: while InnoDB makes its files, the thread that flushes pages may miss the one
 * call that it is waiting for and oversleep by a second, one start in six; not when threads take
 * turns. */
static pid_t start_bootstrap(const char *directory, const char *data, const char *base,
                             const char *input)
{
    char data_word[WORD + 16], base_word[WORD + 16], log[WORD];
    in_directory(log, directory, log_names[SERVER_SQL]);
    snprintf(data_word, sizeof data_word, "--datadir=%s", data);
    snprintf(base_word, sizeof base_word, "--basedir=%s", base);
    char *const words[] = {"mariadbd",
                           "--no-defaults",
                           "--bootstrap",
                           base_word,
                           data_word,
                           "--enforce-storage-engine=",
                           "--max-allowed-packet=8M",
                           "--net-buffer-length=16K",
                           "--loose-debug-no-sync",
                           "--loose-innodb-log-file-size=32M",
                           "--loose-innodb-fast-shutdown=3",
                           "--loose-innodb-buffer-pool-size=16M",
                           geteuid() == 0 ? "--user=root" : NULL,
                           NULL};
    return keeper_spawn(&(Launch){.program = sandbox_find_mariadbd(),
                                  .words = words,
                                  .home = directory,
                                  .input = input,
                                  .log = log,
                                  .one_cpu = true});
}

/* Where the SQL text is not to be found, the distribution's own script knows. */
static pid_t start_install_script(const char *directory, const char *data)
{
    char data_word[WORD + 16], log[WORD];
    if (!sandbox_find_install_db()) return 0;
    in_directory(log, directory, log_names[SERVER_SQL]);
    snprintf(data_word, sizeof data_word, "--datadir=%s", data);
    char *const words[] = {"mariadb-install-db",
                           "--no-defaults",
                           data_word,
                           "--skip-test-db",
                           "--auth-root-authentication-method=normal",
                           geteuid() == 0 ? "--user=root" : NULL,
                           NULL};
    return keeper_spawn(&(Launch){
        .program = sandbox_find_install_db(), .words = words, .home = directory, .log = log});
}

static pid_t start_install(const char *directory, const char *data)
{
    char base[WORD], tables[PATH_MAX], rows[PATH_MAX], input[WORD];
    mkdir(data, 0700);
    in_directory(input, directory, "bootstrap.sql");
    if (find_system_sql(base, tables, rows) && write_bootstrap(input, tables, rows))
        return start_bootstrap(directory, data, base, input);
    return start_install_script(directory, data);
}

/* ---- MariaDB: serving
 * -------------------------------------------------------------------------------------- */

static pid_t start_mariadbd(const char *directory)
{
    char data[WORD], log[WORD], sock[WORD], pid[WORD];
    char data_word[WORD + 16], socket_word[WORD + 16], tmp_word[WORD + 16], pid_word[WORD + 16];
    in_directory(data, directory, data_names[SERVER_SQL]);
    in_directory(log, directory, log_names[SERVER_SQL]);
    in_directory(sock, directory, socket_names[SERVER_SQL]);
    in_directory(pid, directory, "mariadb.pid");
    snprintf(data_word, sizeof data_word, "--datadir=%s", data);
    snprintf(socket_word, sizeof socket_word, "--socket=%s", sock);
    snprintf(tmp_word, sizeof tmp_word, "--tmpdir=%s", directory);
    snprintf(pid_word, sizeof pid_word, "--pid-file=%s", pid);
    unlink(sock);
    /* What a version may not know is written with --loose. */
    char *const words[] = {"mariadbd",
                           "--no-defaults",
                           data_word,
                           socket_word,
                           tmp_word,
                           pid_word,
                           "--skip-networking",
                           "--skip-name-resolve",
                           "--skip-log-bin",
                           "--skip-slave-start",
                           "--performance-schema=OFF",
                           "--max-connections=600",
                           "--thread-cache-size=256",
                           "--thread-stack=256K",
                           "--back-log=1024",
                           "--max-prepared-stmt-count=200000",
                           "--table-open-cache=1000",
                           "--open-files-limit=8192",
                           "--key-buffer-size=1M",
                           "--loose-aria-pagecache-buffer-size=8M",
                           "--loose-query-cache-size=0",
                           "--innodb-buffer-pool-size=64M",
                           "--innodb-flush-log-at-trx-commit=2",
                           "--loose-debug-no-sync",
                           "--loose-innodb-log-file-size=32M",
                           "--loose-innodb-stats-persistent=0",
                           "--loose-innodb-buffer-pool-load-at-startup=0",
                           "--loose-innodb-buffer-pool-dump-at-shutdown=0",
                           "--loose-feedback=OFF",
                           "--character-set-server=utf8mb4",
                           geteuid() == 0 ? "--user=root" : NULL,
                           NULL};
    return keeper_spawn(&(Launch){
        .program = sandbox_find_mariadbd(), .words = words, .home = directory, .log = log});
}

/* The installer writes its log where the server will: what it had to say is of no more use. */
void keeper_server_installed(Server *server, const char *directory, Trouble *trouble, char *detail,
                             int size)
{
    char log[WORD], input[WORD], done[WORD];
    in_directory(log, directory, log_names[SERVER_SQL]);
    in_directory(input, directory, "bootstrap.sql");
    in_directory(done, directory, "mariadb/installed");
    unlink(log);
    unlink(input);
    int mark = open(done, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (mark >= 0) close(mark);
    begin(server, PHASE_STARTING, start_mariadbd(directory));
    if (server->pid) return;
    *trouble = TROUBLE_START;
    snprintf(detail, (size_t)size, "fork");
}

static void start_sql(Server *server, const char *directory)
{
    char data[WORD], done[WORD];
    in_directory(data, directory, data_names[SERVER_SQL]);
    in_directory(done, directory, "mariadb/installed");
    if (access(done, F_OK) == 0)
        begin(server, PHASE_STARTING, start_mariadbd(directory));
    else
        begin(server, PHASE_INSTALLING, start_install(directory, data));
}

void keeper_server_start(Server *server, const char *directory, Trouble *trouble, char *detail,
                         int size)
{
    const char *program =
        server->kind == SERVER_SQL ? sandbox_find_mariadbd() : sandbox_find_redis();
    *trouble = TROUBLE_NONE;
    detail[0] = 0;
    server->began_ns = clock_now_ns();
    if (!program) {
        *trouble = TROUBLE_MISSING;
        return;
    }
    if (server->kind == SERVER_REDIS)
        begin(server, PHASE_STARTING, start_redis(directory));
    else if (server->kind == SERVER_SQL)
        start_sql(server, directory);
    else
        begin(server, PHASE_STARTING,
              keeper_extra_start(server->kind - SERVER_COUNT, &server->plan, directory));
    if (server->pid) return;
    *trouble = server->phase == PHASE_INSTALLING ? TROUBLE_INSTALL : TROUBLE_START;
    snprintf(detail, (size_t)size, "%s",
             sandbox_find_install_db() ? "fork" : "mariadb-install-db?");
    server->phase = PHASE_NONE;
}

/* ---- is it there, and what did it say
 * ------------------------------------------------------------------------- */

static bool somebody_listens(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    bool yes = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    return yes;
}

static bool redis_answers(const RedisAddress *address, char *version, size_t size)
{
    RedisLink *link = redis_link_open(address, NULL);
    if (!link) return false;
    redisReply *reply;
    if (redis_link_command(link, &reply, NULL, "INFO server") == STORE_OK && reply->str) {
        const char *at = strstr(reply->str, "redis_version:");
        if (at) snprintf(version, size, "%.*s", (int)strcspn(at + 14, "\r\n"), at + 14);
    }
    if (reply) freeReplyObject(reply);
    redis_link_close(link);
    return true;
}

static bool sql_answers(const SqlAddress *address, char *version, size_t size)
{
    SqlLink *link = sql_link_open_within(address, false, 3, NULL);
    if (!link) return false;
    snprintf(version, size, "%s", sql_link_version(link));
    sql_link_close(link);
    return true;
}

/* Whoever started it has the password, and looks closer. */
static bool extra_ready(const Server *server, const char *directory)
{
    char sock[WORD];
    return somebody_listens(
        keeper_extra_path(server->kind - SERVER_COUNT, directory, ".sock", sock, sizeof sock));
}

bool keeper_server_ready(Server *server, const char *directory)
{
    if (is_extra(server)) return extra_ready(server, directory);
    RedisAddress redis;
    SqlAddress sql;
    keeper_server_address(directory, &redis, &sql);
    char *version = server->status.version;
    size_t size = sizeof server->status.version;
    if (server->kind == SERVER_REDIS)
        return somebody_listens(redis.socket) && redis_answers(&redis, version, size);
    /* mariadbd notes a connection that says nothing as aborted; the file tells without one. */
    return access(sql.socket, F_OK) == 0 && sql_answers(&sql, version, size);
}

/* Keeps the last line worth showing: one that tells of an error, else any. */
static void pick_line(char *line, char *words, size_t size, bool *telling)
{
    line[strcspn(line, "\n")] = 0;
    const char *mark = strstr(line, "[ERROR]");
    if (!mark && (*telling || !line[0])) return;
    if (mark) *telling = true;
    const char *from = mark ? mark + 7 + strspn(mark + 7, " ") : line;
    text_clean(words, size, from, strlen(from));
}

void keeper_server_words(const Server *server, const char *directory, char *words, int size)
{
    char log[WORD], line[512];
    bool telling = false;
    words[0] = 0;
    if (is_extra(server))
        keeper_extra_path(server->kind - SERVER_COUNT, directory, ".log", log, sizeof log);
    else
        in_directory(log, directory, log_names[server->kind]);
    FILE *file = fopen(log, "re");
    if (!file) return;
    while (fgets(line, sizeof line, file)) pick_line(line, words, (size_t)size, &telling);
    fclose(file);
}
