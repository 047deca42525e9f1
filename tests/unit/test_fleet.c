/* test_fleet.c -- several real Redis servers: what a failover loses, what it keeps, and that the clean
 * state is always had again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/fleet.h"
#include "store/fleet_private.h"
#include "store/sandbox.h"

static Error error;

static Fleet *open_fleet(FleetKind kind)
{
    Fleet *fleet = fleet_open(kind, &error);
    if (!fleet) fail_msg("%s", error.text);
    return fleet;
}

/* fine() shows why it is not. */
static void fine(bool done)
{
    if (!done) fail_msg("%s", error.text);
}

static void put(Fleet *fleet, int server, const char *key, const char *value)
{
    redisReply *reply = NULL;
    assert_non_null(fleet_link(fleet, server));
    assert_int_equal(redis_link_command(fleet_link(fleet, server), &reply, &error, "SET %s %s", key, value),
                     STORE_OK);
    freeReplyObject(reply);
}

/* "" when there is no such key. */
static const char *get(Fleet *fleet, int server, const char *key)
{
    static char value[64];
    redisReply *reply = NULL;
    assert_non_null(fleet_link(fleet, server));
    assert_int_equal(redis_link_command(fleet_link(fleet, server), &reply, &error, "GET %s", key), STORE_OK);
    snprintf(value, sizeof value, "%s", reply->str ? reply->str : "");
    freeReplyObject(reply);
    return value;
}

static FleetState state_of(const Fleet *fleet)
{
    FleetState state;
    fleet_state(fleet, &state);
    return state;
}

static void assert_clean_pair(Fleet *fleet)
{
    FleetState state = state_of(fleet);
    assert_int_equal(state.servers, 2);
    assert_int_equal(state.master, 0);
    assert_int_equal(state.role[0], FLEET_MASTER);
    assert_int_equal(state.role[1], FLEET_REPLICA);
    assert_false(state.cut);
    for (int i = 0; i < 2; i++) assert_string_equal(get(fleet, i, "k"), "");
}

/* ---- a master and its replica -------------------------------------------------------------------- */

static void what_reached_the_replica_survives(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    assert_clean_pair(fleet);
    put(fleet, 0, "k", "there");
    fine(fleet_catch_up(fleet, &error));
    assert_string_equal(get(fleet, 1, "k"), "there");
    fine(fleet_failover(fleet, &error));
    assert_int_equal(state_of(fleet).master, 1);
    assert_int_equal(state_of(fleet).role[0], FLEET_DEAD);
    assert_string_equal(get(fleet, 1, "k"), "there");
    put(fleet, 1, "k", "written to the new one");
    assert_null(fleet_link(fleet, 0));
    fine(fleet_clean(fleet, &error));
    assert_clean_pair(fleet);
    fleet_close(fleet);
}

static void what_did_not_reach_it_is_lost(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    for (int round = 0; round < 20; round++) {
        put(fleet, 0, "k", "old");
        fine(fleet_catch_up(fleet, &error));
        fine(fleet_cut(fleet, &error));
        put(fleet, 0, "k", "new");
        assert_string_equal(get(fleet, 1, "k"), "old");
        fine(fleet_failover(fleet, &error));
        assert_string_equal(get(fleet, 1, "k"), "old");
        fine(fleet_clean(fleet, &error));
        assert_clean_pair(fleet);
    }
    fleet_close(fleet);
}

static void a_mended_link_brings_the_rest(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    fine(fleet_cut(fleet, &error));
    assert_false(fleet_cut(fleet, &error));
    put(fleet, 0, "k", "late");
    assert_string_equal(get(fleet, 1, "k"), "");
    fine(fleet_mend(fleet, &error));
    assert_string_equal(get(fleet, 1, "k"), "late");
    assert_false(fleet_mend(fleet, &error));
    fleet_close(fleet);
}

/* WAIT knows the difference: this is what a careful client relies on. */
static void wait_tells_whether_it_arrived(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    for (int cut = 0; cut < 2; cut++) {
        redisReply *reply = NULL;
        if (cut) fine(fleet_cut(fleet, &error));
        put(fleet, 0, "k", "v");
        assert_int_equal(redis_link_command(fleet_link(fleet, 0), &reply, &error, "WAIT 1 50"), STORE_OK);
        assert_int_equal(reply->integer, cut ? 0 : 1);
        freeReplyObject(reply);
    }
    fleet_close(fleet);
}

static void a_master_comes_back_with_or_without_its_data(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    put(fleet, 0, "k", "v");
    fine(fleet_catch_up(fleet, &error));
    fine(fleet_kill(fleet, 0, &error));
    assert_false(fleet_kill(fleet, 0, &error));
    assert_int_equal(state_of(fleet).master, -1);
    fine(fleet_restart(fleet, 0, false, &error));
    assert_int_equal(state_of(fleet).master, 0);
    assert_string_equal(get(fleet, 0, "k"), "v");
    fine(fleet_kill(fleet, 0, &error));
    fine(fleet_restart(fleet, 0, true, &error));
    assert_string_equal(get(fleet, 0, "k"), "");
    assert_string_equal(get(fleet, 1, "k"), ""); /* an empty master empties its replica */
    fine(fleet_clean(fleet, &error));
    assert_clean_pair(fleet);
    fleet_close(fleet);
}

static void an_old_master_comes_back_as_a_replica(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    fine(fleet_cut(fleet, &error));
    put(fleet, 0, "k", "of the old one");
    fine(fleet_failover(fleet, &error));
    put(fleet, 1, "k", "of the new one");
    fine(fleet_restart(fleet, 0, false, &error));
    assert_int_equal(state_of(fleet).role[0], FLEET_REPLICA);
    assert_int_equal(state_of(fleet).master, 1);
    assert_string_equal(get(fleet, 0, "k"), "of the new one");
    fine(fleet_clean(fleet, &error));
    assert_clean_pair(fleet);
    fleet_close(fleet);
}

/* Exploring makes thousands of runs: a clean state after a failover must be quick. The bound is wide,
 * since other tests share this machine. */
static void a_run_with_a_failover_takes_some_ten_ms(void **unused)
{
    (void)unused;
    enum { RUNS = 20 };
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    uint64_t began = clock_now_ns();
    for (int i = 0; i < RUNS; i++) {
        put(fleet, 0, "k", "v");
        fine(fleet_failover(fleet, &error));
        fine(fleet_clean(fleet, &error));
    }
    double ms = (double)(clock_now_ns() - began) / 1e6 / RUNS;
    print_message("# %.1f ms a failover and a clean state\n", ms);
    assert_true(ms < 150);
    fleet_close(fleet);
}

/* ---- three masters ---------------------------------------------------------------------------------- */

static void masters_know_nothing_of_each_other(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_INDEPENDENT);
    assert_int_equal(state_of(fleet).servers, 3);
    put(fleet, 0, "k", "a");
    put(fleet, 1, "k", "b");
    assert_string_equal(get(fleet, 2, "k"), "");
    fine(fleet_kill(fleet, 1, &error));
    assert_string_equal(get(fleet, 0, "k"), "a");
    fine(fleet_restart(fleet, 1, false, &error));
    assert_string_equal(get(fleet, 1, "k"), "b");
    fine(fleet_kill(fleet, 1, &error));
    fine(fleet_restart(fleet, 1, true, &error));
    assert_string_equal(get(fleet, 1, "k"), "");
    assert_false(fleet_failover(fleet, &error));
    assert_false(fleet_cut(fleet, &error));
    assert_false(fleet_kill(fleet, 3, &error));
    fine(fleet_kill(fleet, 2, &error));
    fine(fleet_clean(fleet, &error));
    for (int i = 0; i < 3; i++) assert_string_equal(get(fleet, i, "k"), "");
    fleet_close(fleet);
}

/* ---- sentinels ----------------------------------------------------------------------------------------- */

static void sentinels_promote_by_themselves(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_SENTINEL);
    for (int round = 0; round < 3; round++) {
        assert_clean_pair(fleet);
        put(fleet, 0, "k", "there");
        fine(fleet_catch_up(fleet, &error));
        if (round == 1) fine(fleet_cut(fleet, &error));
        put(fleet, 0, "k", "last");
        if (round != 1) fine(fleet_catch_up(fleet, &error));
        fine(fleet_failover(fleet, &error));
        assert_int_equal(state_of(fleet).master, 1);
        assert_string_equal(get(fleet, 1, "k"), round == 1 ? "there" : "last");
        put(fleet, 1, "k", "the new one takes it");
        fine(fleet_clean(fleet, &error));
    }
    fleet_close(fleet);
}

/* Two of three are enough. */
static void a_dead_sentinel_is_not_waited_for(void **unused)
{
    (void)unused;
    ServerStatus status;
    Fleet *fleet = open_fleet(FLEET_SENTINEL);
    sandbox_extra_kill(fleet->sandbox, FLEET_SERVERS);
    do {
        clock_sleep_ns(1000000);
        sandbox_extra_status(fleet->sandbox, FLEET_SERVERS, &status);
    } while (status.state == SERVER_READY);
    fine(fleet_failover(fleet, &error));
    assert_int_equal(state_of(fleet).master, 1);
    fleet_close(fleet);
}

/* ---- secrets ------------------------------------------------------------------------------------------- */

static bool file_has(const char *path, const char *words)
{
    char text[16384];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t length = read(fd, text, sizeof text);
    close(fd);
    return length > 0 && memmem(text, (size_t)length, words, strlen(words));
}

static void no_command_line_tells_the_password(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_SENTINEL);
    RedisAddress address;
    fleet_address(fleet, 0, &address);
    assert_true(strlen(address.password) >= 32);
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while ((entry = readdir(processes))) {
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        if (file_has(path, address.password)) fail_msg("%s tells it", path);
    }
    closedir(processes);
    strcpy(address.password, "wrong");
    assert_null(redis_link_open(&address, &error));
    fleet_close(fleet);
}

/* ---- the end of a console ------------------------------------------------------------------------------ */

static long process_of(Fleet *fleet, int server)
{
    redisReply *reply = NULL;
    redis_link_command(fleet_link(fleet, server), &reply, NULL, "INFO server");
    const char *at = reply && reply->str ? strstr(reply->str, "process_id:") : NULL;
    long pid = at ? strtol(at + strlen("process_id:"), NULL, 10) : 0;
    if (reply) freeReplyObject(reply);
    return pid;
}

/* A zombie is gone: it waits for its new parent only. */
static bool is_gone(long pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file) return true;
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const char *end = read ? strrchr(line, ')') : NULL;
    return !end || end[2] == 'Z' || end[2] == 'X';
}

typedef struct Family {
    long pid[2];
    char socket[108];
} Family;

/* A console that has a fleet, and waits to die. */
static void console(int out)
{
    Family family = {0};
    RedisAddress address;
    Fleet *fleet = fleet_open(FLEET_REPLICATED, &error);
    for (int i = 0; fleet && i < 2; i++) family.pid[i] = process_of(fleet, i);
    if (fleet) fleet_address(fleet, 0, &address);
    if (fleet) memcpy(family.socket, address.socket, sizeof family.socket);
    if (write(out, &family, sizeof family) != (ssize_t)sizeof family) _exit(1);
    for (;;) pause();
}

/* The process that started this one: a server's keeper. */
static long parent_of(long pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    bool read = file && fgets(line, sizeof line, file);
    if (file) fclose(file);
    const char *end = read ? strrchr(line, ')') : NULL;
    return end ? strtol(end + 4, NULL, 10) : 0;
}

static void wait_gone(long pid)
{
    uint64_t limit = clock_now_ns() + 20000000000ull;
    while (!is_gone(pid)) {
        assert_true(clock_now_ns() < limit);
        clock_sleep_ns(1000000);
    }
}

/* A server that somebody else killed, and then all of them with their keeper. */
static void what_died_by_itself_is_there_again(void **unused)
{
    (void)unused;
    Fleet *fleet = open_fleet(FLEET_REPLICATED);
    long master = process_of(fleet, 0), replica = process_of(fleet, 1);
    kill((pid_t)master, SIGKILL);
    wait_gone(master);
    fine(fleet_clean(fleet, &error));
    assert_clean_pair(fleet);
    assert_int_equal(process_of(fleet, 1), replica);
    assert_true(process_of(fleet, 0) != master);
    kill((pid_t)parent_of(replica), SIGKILL);
    wait_gone(replica);
    fine(fleet_clean(fleet, &error));
    assert_clean_pair(fleet);
    put(fleet, 0, "k", "v");
    fine(fleet_failover(fleet, &error));
    fleet_close(fleet);
}

static void a_killed_console_takes_them_along(void **unused)
{
    (void)unused;
    int ends[2];
    Family family = {0};
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) console(ends[1]);
    assert_int_equal(read(ends[0], &family, sizeof family), sizeof family);
    assert_true(family.pid[0] > 0 && family.pid[1] > 0);
    assert_false(is_gone(family.pid[0]) || is_gone(family.pid[1]));
    assert_int_equal(access(family.socket, F_OK), 0);
    kill(child, SIGKILL);
    uint64_t limit = clock_now_ns() + 20000000000ull;
    while (!is_gone(family.pid[0]) || !is_gone(family.pid[1]) || access(family.socket, F_OK) == 0) {
        assert_true(clock_now_ns() < limit);
        clock_sleep_ns(1000000);
    }
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
}

static void names(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < FLEET_KINDS; kind++)
        assert_int_equal(fleet_kind_find(fleet_kind_name((FleetKind)kind)), kind);
    assert_int_equal(fleet_kind_find("many"), FLEET_KINDS);
    assert_int_equal(fleet_kind_servers(FLEET_NONE), 0);
    assert_int_equal(fleet_kind_servers(FLEET_SENTINEL), 2);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0) return sandbox_keeper_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(what_reached_the_replica_survives),
        cmocka_unit_test(what_did_not_reach_it_is_lost),
        cmocka_unit_test(a_mended_link_brings_the_rest),
        cmocka_unit_test(wait_tells_whether_it_arrived),
        cmocka_unit_test(a_master_comes_back_with_or_without_its_data),
        cmocka_unit_test(an_old_master_comes_back_as_a_replica),
        cmocka_unit_test(a_run_with_a_failover_takes_some_ten_ms),
        cmocka_unit_test(masters_know_nothing_of_each_other),
        cmocka_unit_test(sentinels_promote_by_themselves),
        cmocka_unit_test(a_dead_sentinel_is_not_waited_for),
        cmocka_unit_test(no_command_line_tells_the_password),
        cmocka_unit_test(what_died_by_itself_is_there_again),
        cmocka_unit_test(a_killed_console_takes_them_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
