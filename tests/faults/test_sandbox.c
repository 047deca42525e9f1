/* test_sandbox.c -- every way in which a console may die: its servers end, its directory goes.
 *
 * The test starts itself again as a console that has nothing but a sandbox, and kills what it has
 * to. All waiting is on conditions: a process is gone when /proc says so (a zombie counts as gone:
 * it waits for its new parent only). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/sandbox.h"

enum { WAIT_MS = 60000, LOOK_NS = 1000000, FAMILY = 8 };

static char base[64]; /* TMPDIR of the consoles of this test */
static char self[4096];

/* ---- processes --------------------------------------------------------------------------------
 */

static bool gone(pid_t pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return true;
    char *got = fgets(line, sizeof line, file);
    fclose(file);
    const char *end = got ? strrchr(line, ')') : NULL;
    return !end || end[2] == 'Z' || end[2] == 'X';
}

static int children_of(pid_t pid, pid_t child[FAMILY])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "re");
    int count = 0, number;
    if (!file) return 0;
    while (count < FAMILY && fscanf(file, "%d", &number) == 1) child[count++] = number;
    fclose(file);
    return count;
}

/* True when a word of its command line is `word`. */
static bool runs_with(pid_t pid, const char *word)
{
    char path[64], words[8192];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
    if (fd >= 0) close(fd);
    if (length <= 0) return false;
    words[length] = 0;
    for (char *at = words; at < words + length; at += strlen(at) + 1)
        if (strcmp(at, word) == 0) return true;
    return false;
}

/* ---- a console
 * ------------------------------------------------------------------------------------ */

typedef struct Console {
    pid_t pid, keeper;
    pid_t server[FAMILY];
    int servers;
    int out;      /* its standard output */
    int terminal; /* the near side of its terminal, -1: none */
} Console;

/* The console's own life: a sandbox, one line when it is ready, then it waits to die. */
static int console_main(void)
{
    Error error = {0};
    Sandbox *sandbox = sandbox_start(true, true, &error);
    if (!sandbox || !sandbox_wait_ready(sandbox, WAIT_MS, &error)) {
        printf("failed: %s\n", error.text);
        return 1;
    }
    printf("ready\n");
    fflush(stdout);
    for (;;) pause();
}

/* In the child: a session and a terminal of its own, so that signals come from there. */
static void take_terminal(const char *name)
{
    setsid();
    int fd = open(name, O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0) _exit(9);
    dup2(fd, 0);
    if (fd > 2) close(fd);
}

/* The test may itself be run by nohup, or behind an ampersand, where these are ignored. */
static void expect_signals(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_DFL);
}

static Console start_console(bool with_terminal)
{
    Console console = {.terminal = -1};
    int ends[2];
    char name[64] = "";
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    if (with_terminal) {
        console.terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        assert_true(console.terminal >= 0 && grantpt(console.terminal) == 0 &&
                    unlockpt(console.terminal) == 0);
        assert_int_equal(ptsname_r(console.terminal, name, sizeof name), 0);
    }
    console.pid = fork();
    if (console.pid == 0) {
        if (with_terminal)
            take_terminal(name);
        else
            setpgid(0, 0);
        dup2(ends[1], 1);
        expect_signals();
        execl(self, self, "--console", NULL);
        _exit(9);
    }
    assert_true(console.pid > 0);
    close(ends[1]);
    console.out = ends[0];
    return console;
}

static void look_at_family(Console *console)
{
    pid_t child[FAMILY];
    int count = children_of(console->pid, child);
    console->keeper = count > 0 && runs_with(child[0], "--keeper") ? child[0] : 0;
    console->servers = console->keeper ? children_of(console->keeper, console->server) : 0;
}

static void wait_ready(Console *console)
{
    char line[300] = "";
    struct pollfd wait = {.fd = console->out, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, WAIT_MS), 1);
    if (read(console->out, line, sizeof line - 1) <= 0 || strcmp(line, "ready\n") != 0)
        fail_msg("%s", line);
    look_at_family(console);
    assert_true(console->keeper > 0);
    assert_int_equal(console->servers, 2);
}

/* The moment when the data directory is being filled. */
static void wait_installing(Console *console)
{
    uint64_t end = clock_now_ns() + WAIT_MS * 1000000ull;
    while (clock_now_ns() < end) {
        look_at_family(console);
        for (int i = 0; i < console->servers; i++)
            if (runs_with(console->server[i], "--bootstrap")) return;
    }
    fail_msg("no installer was seen");
}

/* ---- what must be after a death
 * ---------------------------------------------------------------------- */

static int leftovers(void)
{
    DIR *list = opendir(base);
    int count = 0;
    struct dirent *entry;
    assert_non_null(list);
    while ((entry = readdir(list))) count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

static void wait_gone(pid_t pid, const char *what)
{
    uint64_t end = clock_now_ns() + WAIT_MS * 1000000ull;
    while (!gone(pid)) {
        if (clock_now_ns() > end) fail_msg("%s %d lives on", what, (int)pid);
        clock_sleep_ns(LOOK_NS);
    }
}

static void wait_all_gone(Console *console)
{
    waitpid(console->pid, NULL, 0);
    wait_gone(console->keeper, "keeper");
    for (int i = 0; i < console->servers; i++) wait_gone(console->server[i], "server");
    close(console->out);
    if (console->terminal >= 0) close(console->terminal);
}

/* The keeper tidies up before it ends: nothing to wait for. */
static void nothing_left(Console *console)
{
    wait_all_gone(console);
    assert_int_equal(leftovers(), 0);
}

/* Nobody was left to tidy up: the next console does. */
static void next_start_tidies_up(Console *console)
{
    wait_all_gone(console);
    assert_int_equal(leftovers(), 1);
    Console next = start_console(false);
    wait_ready(&next);
    uint64_t end = clock_now_ns() + WAIT_MS * 1000000ull;
    while (leftovers() != 1 && clock_now_ns() < end) clock_sleep_ns(LOOK_NS);
    assert_int_equal(leftovers(), 1); /* its own */
    kill(next.pid, SIGKILL);
    nothing_left(&next);
}

/* ---- the tests
 * ------------------------------------------------------------------------------------------- */

static void console_killed(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_ready(&console);
    assert_int_equal(leftovers(), 1);
    kill(console.pid, SIGKILL);
    nothing_left(&console);
}

static void keeper_killed(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_ready(&console);
    kill(console.keeper, SIGKILL);
    for (int i = 0; i < console.servers; i++) wait_gone(console.server[i], "server");
    assert_false(gone(console.pid));
    kill(console.pid, SIGKILL);
    next_start_tidies_up(&console);
}

static void both_killed(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_ready(&console);
    kill(console.keeper, SIGKILL);
    kill(console.pid, SIGKILL);
    next_start_tidies_up(&console);
}

static void keeper_told_to_end(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_ready(&console);
    kill(console.keeper, SIGTERM);
    wait_gone(console.keeper, "keeper");
    assert_int_equal(leftovers(), 0);
    kill(console.pid, SIGKILL);
    nothing_left(&console);
}

static void group_told_to_end(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_ready(&console);
    kill(-console.pid, SIGTERM);
    nothing_left(&console);
}

static void console_killed_while_installing(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_installing(&console);
    kill(console.pid, SIGKILL);
    nothing_left(&console);
}

static void both_killed_while_installing(void **state)
{
    (void)state;
    Console console = start_console(false);
    wait_installing(&console);
    kill(console.keeper, SIGKILL);
    kill(console.pid, SIGKILL);
    next_start_tidies_up(&console);
}

static void terminal_closed(void **state)
{
    (void)state;
    Console console = start_console(true);
    wait_ready(&console);
    close(console.terminal);
    console.terminal = -1;
    nothing_left(&console);
}

/* ^C goes to all of the terminal's group: the keeper and the servers are not in it. */
static void interrupted_at_terminal(void **state)
{
    (void)state;
    Console console = start_console(true);
    wait_ready(&console);
    assert_int_not_equal(getpgid(console.keeper), getpgid(console.pid));
    for (int i = 0; i < console.servers; i++)
        assert_int_not_equal(getsid(console.server[i]), getsid(console.pid));
    assert_int_equal(write(console.terminal, "\x03", 1), 1);
    nothing_left(&console);
}

static void two_consoles(void **state)
{
    (void)state;
    Console one = start_console(false), two = start_console(false);
    wait_ready(&one);
    wait_ready(&two);
    assert_int_equal(leftovers(), 2);
    kill(one.pid, SIGKILL);
    wait_all_gone(&one);
    assert_int_equal(leftovers(), 1);
    for (int i = 0; i < two.servers; i++) assert_false(gone(two.server[i]));
    kill(two.pid, SIGKILL);
    nothing_left(&two);
}

/* What looks like ours and is not stays. */
static void foreign_directories_stay(void **state)
{
    (void)state;
    char without_lock[100], other_lock[100], file[120];
    snprintf(without_lock, sizeof without_lock, "%s/seckill-lab-aaaaaa", base);
    snprintf(other_lock, sizeof other_lock, "%s/seckill-lab-bbbbbb", base);
    assert_int_equal(mkdir(without_lock, 0700), 0);
    assert_int_equal(mkdir(other_lock, 0700), 0);
    snprintf(file, sizeof file, "%s/lock", other_lock);
    FILE *lock = fopen(file, "we");
    fputs("somebody else's\n", lock);
    fclose(lock);
    Console console = start_console(false);
    wait_ready(&console);
    kill(console.pid, SIGKILL);
    wait_all_gone(&console);
    assert_int_equal(leftovers(), 2);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(other_lock), 0);
    assert_int_equal(rmdir(without_lock), 0);
}

/* The console lives on without its keeper, and starts another. */
static void keeper_replaced(void **state)
{
    (void)state;
    Error error = {0};
    ServerStatus status[SERVER_COUNT];
    pid_t child[FAMILY];
    Sandbox *sandbox = sandbox_start(true, true, &error);
    assert_non_null(sandbox);
    if (!sandbox_wait_ready(sandbox, WAIT_MS, &error)) fail_msg("%s", error.text);
    assert_int_equal(children_of(getpid(), child), 1);
    kill(child[0], SIGKILL);
    struct pollfd news = {.fd = sandbox_fd(sandbox), .events = POLLIN};
    assert_int_equal(poll(&news, 1, WAIT_MS), 1);
    sandbox_status(sandbox, status);
    assert_int_equal(status[SERVER_REDIS].state, SERVER_DOWN);
    assert_int_equal(status[SERVER_SQL].state, SERVER_DOWN);
    assert_int_equal(children_of(getpid(), child), 0); /* no zombie */
    assert_int_equal(poll(&news, 1, 0), 0);            /* and no spinning */
    assert_false(sandbox_wait_ready(sandbox, WAIT_MS, &error));

    sandbox_restart(sandbox, SERVER_REDIS, false);
    if (!sandbox_wait_ready(sandbox, WAIT_MS, &error)) fail_msg("%s", error.text);
    sandbox_status(sandbox, status);
    assert_int_equal(status[SERVER_REDIS].starts, 2);
    assert_int_equal(status[SERVER_SQL].starts, 2);
    sandbox_stop(sandbox);
    assert_int_equal(leftovers(), 0);
    assert_int_equal(children_of(getpid(), child), 0);
}

/* A place where root may write and nobody can: said plainly, by both servers. */
static void no_room(void **state)
{
    (void)state;
    Error error = {0};
    ServerStatus status[SERVER_COUNT];
    if (geteuid() != 0) skip();
    setenv("TMPDIR", "/proc", 1);
    Sandbox *sandbox = sandbox_start(true, true, &error);
    setenv("TMPDIR", base, 1);
    assert_non_null(sandbox);
    assert_false(sandbox_wait_ready(sandbox, WAIT_MS, &error));
    assert_non_null(strstr(error.text, "TMPDIR"));
    assert_non_null(strstr(error.text, "/proc/seckill-lab-"));
    sandbox_status(sandbox, status);
    assert_int_equal(status[SERVER_REDIS].state, SERVER_FAILED);
    uint64_t end = clock_now_ns() + WAIT_MS * 1000000ull;
    while (status[SERVER_SQL].state == SERVER_STARTING && clock_now_ns() < end)
        sandbox_status(sandbox, status);
    assert_int_equal(status[SERVER_SQL].state, SERVER_FAILED);
    sandbox_stop(sandbox);
}

static int make_base(void **state)
{
    (void)state;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return -1;
    self[length] = 0;
    strcpy(base, "/tmp/seckill-test-XXXXXX");
    if (!mkdtemp(base)) return -1;
    return setenv("TMPDIR", base, 1);
}

static int remove_base(void **state)
{
    (void)state;
    return rmdir(base);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0) return sandbox_keeper_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--console") == 0) return console_main();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(console_killed),
        cmocka_unit_test(keeper_killed),
        cmocka_unit_test(both_killed),
        cmocka_unit_test(keeper_told_to_end),
        cmocka_unit_test(group_told_to_end),
        cmocka_unit_test(console_killed_while_installing),
        cmocka_unit_test(both_killed_while_installing),
        cmocka_unit_test(terminal_closed),
        cmocka_unit_test(interrupted_at_terminal),
        cmocka_unit_test(two_consoles),
        cmocka_unit_test(foreign_directories_stay),
        cmocka_unit_test(keeper_replaced),
        cmocka_unit_test(no_room),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
