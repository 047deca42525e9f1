/* bench_start.c -- how long it takes from the start of the program to its first whole frame on the
 * terminal: until the last word of the last line has come. Prints the middle of several starts.
 * Usage: bench_start LAB */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { STARTS = 9, PATIENCE_MS = 20000, ROOM = 1 << 16 };

static const char last_word[] = "command"; /* of the last line, in English */

static pid_t start(const char *lab, int *terminal)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    pid_t pid = forkpty(terminal, NULL, NULL, &size);
    if (pid != 0) return pid;
    setenv("TERM", "xterm-256color", 1);
    execl(lab, lab, "--lang", "en", "--lesson", "oversell", (char *)NULL);
    _exit(127);
}

/* Milliseconds until the word has come; -1: it did not. */
static double wait_for_frame(int terminal, uint64_t begin)
{
    static char text[ROOM];
    size_t used = 0;
    struct pollfd from = {.fd = terminal, .events = POLLIN};
    while (used < sizeof text - 1 && poll(&from, 1, PATIENCE_MS) == 1) {
        ssize_t got = read(terminal, text + used, sizeof text - 1 - used);
        if (got <= 0) return -1;
        used += (size_t)got;
        text[used] = '\0';
        if (strstr(text, last_word)) return (double)(clock_now_ns() - begin) / 1e6;
    }
    return -1;
}

/* What it still has to say is read, so that it can end. */
static void leave(int terminal, pid_t pid)
{
    static char rest[ROOM];
    if (write(terminal, "q", 1) != 1) kill(pid, SIGTERM);
    while (read(terminal, rest, sizeof rest) > 0) continue;
    waitpid(pid, NULL, 0);
    close(terminal);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    double ms[STARTS];
    if (argc != 2) return 2;
    for (int i = 0; i < STARTS; i++) {
        int terminal;
        uint64_t begin = clock_now_ns();
        pid_t pid = start(argv[1], &terminal);
        if (pid < 0) return 3;
        ms[i] = wait_for_frame(terminal, begin);
        leave(terminal, pid);
        if (ms[i] < 0) {
            fprintf(stderr, "bench_start: no frame was seen\n");
            return 1;
        }
    }
    qsort(ms, STARTS, sizeof *ms, by_size);
    printf("first frame: %.0f ms after the start, %.0f to %.0f in %d starts (aim: under 150)\n",
           ms[STARTS / 2], ms[0], ms[STARTS - 1], STARTS);
    return 0;
}
