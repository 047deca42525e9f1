/* bench_faults.c -- figures of locks and of recovering: one line each.
 *
 * Races are run in turn, so that both sides see the same machine; the median of five counts. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "console.h"

enum { RACES = 5 };

static Console console;

static double by_race(const char *name, int users, int step_ms)
{
    Spec spec = console_race_spec(&console, name);
    spec.users = users;
    spec.stock = 4L * users;
    spec.faults = spec.pace_ms = 0;
    char slow[20];
    for (int node = 1; step_ms > 0 && node <= spec.nodes; node++) {
        snprintf(slow, sizeof slow, "n%d=%d", node, step_ms);
        fault_parse(FAULT_SLOW, slow, &spec.fault[spec.faults++], NULL);
    }
    console_race(&console, &spec);
    if (console_until(&console, is_over)) return console.view.report.throughput;
    fprintf(stderr, "%s has no end\n", name);
    exit(1);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void compare(const char *one, const char *other, int users, int step_ms, const char *limit)
{
    double first[RACES], second[RACES];
    for (int i = 0; i < RACES; i++) {
        first[i] = by_race(one, users, step_ms);
        second[i] = by_race(other, users, step_ms);
    }
    qsort(first, RACES, sizeof *first, by_size);
    qsort(second, RACES, sizeof *second, by_size);
    double a = first[RACES / 2], b = second[RACES / 2];
    char pace[40] = "full speed";
    if (step_ms) snprintf(pace, sizeof pace, "%d ms a step", step_ms);
    printf("%s %.0f/s, %s %.0f/s: %.2f times, %d users twice, %s; %s\n", one, a, other, b, b / a, users, pace,
           limit);
    fflush(stdout);
}

/* ---- recovering ---------------------------------------------------------------------------------- */

static long before;

static bool has_answers(const Console *from)
{
    return is_racing(from) && from->view.race.answered >= 20;
}

static bool node_is_dead(const Console *from)
{
    return from->view.race.node_state[0] == NODE_GONE;
}

/* The race has one node: every answer is that node's. */
static bool answers_again(const Console *from)
{
    return from->view.race.answered > before;
}

static bool orders_again(const Console *from)
{
    return from->view.race.answers[ANSWER_ORDERED] > before;
}

static bool redis_is_down(const Console *from)
{
    return from->view.server[SERVER_REDIS].state == SERVER_DOWN;
}

static Spec endless(void)
{
    Spec spec = console_race_spec(&console, "02/check-then-update");
    spec.users = 100;
    spec.requests = 10000;
    spec.stock = 1000000;
    spec.nodes = 1;
    spec.pace_ms = 5;
    return spec;
}

static double seconds_since(uint64_t began)
{
    return (double)(clock_now_ns() - began) / 1e9;
}

static double recover_node(void)
{
    Spec spec = endless();
    console_race(&console, &spec);
    console_until(&console, has_answers);
    uint64_t began = clock_now_ns();
    lab_crash_node(console.lab, 0);
    console_until(&console, node_is_dead);
    before = console.view.race.answered;
    lab_start_node(console.lab, 0);
    bool fine = console_until(&console, answers_again);
    double seconds = seconds_since(began);
    lab_stop_race(console.lab);
    console_until(&console, is_over);
    return fine ? seconds : -1;
}

static double recover_redis(void)
{
    Spec spec = endless();
    console_race(&console, &spec);
    console_until(&console, has_answers);
    uint64_t began = clock_now_ns();
    lab_kill_server(console.lab, SERVER_REDIS);
    console_until(&console, redis_is_down);
    before = console.view.race.answers[ANSWER_ORDERED];
    lab_start_server(console.lab, SERVER_REDIS, false);
    bool fine = console_until(&console, orders_again);
    double seconds = seconds_since(began);
    lab_stop_race(console.lab);
    console_until(&console, is_over);
    return fine ? seconds : -1;
}

static void recover(const char *what, double (*once)(void))
{
    double seconds[RACES];
    for (int i = 0; i < RACES; i++) seconds[i] = once();
    qsort(seconds, RACES, sizeof *seconds, by_size);
    printf("%s: %.0f ms (of %d: %.0f to %.0f)\n", what, 1e3 * seconds[RACES / 2], RACES, 1e3 * seconds[0],
           1e3 * seconds[RACES - 1]);
    fflush(stdout);
}

int main(void)
{
    console_open(&console);
    compare("05/lock-whole-method", "05/lock-per-user", 200, 0,
            "two processors and the voucher's one row are the limit, not the lock");
    compare("05/lock-whole-method", "05/lock-per-user", 50, 2,
            "one lane, against the voucher's row, which is locked from the UPDATE to the COMMIT");
    compare("07/mysql-get-lock", "07/set-nx-ex", 200, 0, "both take two commands more than no lock; processors and row are the limit");
    recover("node killed, started again, serving again", recover_node);
    recover("Redis killed in mid-race, started again, selling again", recover_redis);
    console_close(&console);
    return 0;
}
