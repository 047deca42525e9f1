/* test_servers.c -- what happens to the Redis servers of lesson 11 while a console watches: in a race and in step
 * mode, seen in the snapshots that the panels show. All waiting is on conditions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../claims/lab.h"
#include "base/text.h"
#include "console.h"
#include "engine/server_move.h"

static Console console;
static long before;

static void check(Text *trouble, bool fine, const char *what)
{
    if (!fine) text_format(trouble, "%s\n", what);
}

/* ---- what is waited for -------------------------------------------------------------------------- */

static const FleetView *fleet(const Console *from)
{
    return &from->view.snapshot.fleet;
}

static bool second_is_master(const Console *from)
{
    return fleet(from)->state.servers == 2 && fleet(from)->state.master == 1 &&
           fleet(from)->state.role[0] == FLEET_DEAD;
}

static bool first_follows(const Console *from)
{
    return fleet(from)->state.role[0] == FLEET_REPLICA && fleet(from)->state.master == 1;
}

static bool third_is_dead(const Console *from)
{
    return fleet(from)->state.servers == 3 && fleet(from)->state.role[2] == FLEET_DEAD &&
           !fleet(from)->server[2].answers;
}

static bool third_is_back(const Console *from)
{
    return fleet(from)->state.role[2] == FLEET_MASTER && fleet(from)->server[2].answers;
}

static bool is_cut(const Console *from)
{
    return fleet(from)->state.cut;
}

static bool has_begun(const Console *from)
{
    return is_racing(from) && from->view.race.answers[ANSWER_DUPLICATE] > 20;
}

/* Whoever is told "bought already" had the lock. */
static bool locks_again(const Console *from)
{
    return from->view.race.answers[ANSWER_DUPLICATE] > before + 20;
}

static bool is_refused(const Console *from)
{
    return from->view.message[0] != '\0';
}

/* A race that goes on until it is stopped. */
static void endless(const char *name)
{
    Spec spec = console_race_spec(&console, name);
    spec.users = 4;
    spec.requests = 100000;
    spec.at_once = false;
    spec.faults = 0;
    spec.pace_ms = 2;
    console_race(&console, &spec);
}

static void note(void)
{
    before = console.view.race.answers[ANSWER_DUPLICATE];
}

static void stop(Text *trouble)
{
    lab_stop_race(console.lab);
    check(trouble, console_until(&console, is_over), "the race does not end");
}

/* ---- races ------------------------------------------------------------------------------------------- */

static void failover_in_a_race(const char *name, const char *title)
{
    Text trouble = {0};
    endless(name);
    check(&trouble, console_until(&console, has_begun), "the race does not begin");
    lab_server_move(console.lab, server_move(SERVER_DOES_FAILOVER, 0));
    check(&trouble, console_until(&console, second_is_master), "server 2 is not the master");
    note();
    check(&trouble, console_until(&console, locks_again), "nobody gets the lock from the new master");
    lab_server_move(console.lab, server_move(SERVER_DOES_EMPTY, 0));
    check(&trouble, console_until(&console, first_follows), "server 1 does not come back as a replica");
    note();
    check(&trouble, console_until(&console, locks_again), "nobody gets the lock afterwards");
    stop(&trouble);
    lab_case(title, &trouble);
}

static void a_cut_in_a_race(void)
{
    Text trouble = {0};
    endless("failover/one-master");
    check(&trouble, console_until(&console, has_begun), "the race does not begin");
    lab_server_move(console.lab, server_move(SERVER_DOES_CUT, 0));
    check(&trouble, console_until(&console, is_cut), "the link is not cut");
    lab_server_move(console.lab, server_move(SERVER_DOES_CUT, 0));
    check(&trouble, console_until(&console, is_refused), "a second cut is not refused");
    check(&trouble, strstr(console.view.message, "link") != NULL, "the refusal does not say why");
    note();
    check(&trouble, console_until(&console, locks_again), "the master alone gives no lock");
    stop(&trouble);
    lab_case("a cut in the middle of a race, and a second one is refused", &trouble);
}

static void a_server_of_three(void)
{
    Text trouble = {0};
    endless("failover/redlock-one-down");
    check(&trouble, console_until(&console, has_begun), "the race does not begin");
    lab_server_move(console.lab, server_move(SERVER_DOES_KILL, 2));
    check(&trouble, console_until(&console, third_is_dead), "server 3 is not dead");
    note();
    check(&trouble, console_until(&console, locks_again), "two of three give no lock");
    lab_server_move(console.lab, server_move(SERVER_DOES_KEPT, 2));
    check(&trouble, console_until(&console, third_is_back), "server 3 is not back");
    stop(&trouble);
    lab_case("a server of three dies and comes back in the middle of a race", &trouble);
}

/* ---- step mode ------------------------------------------------------------------------------------------ */

static bool has_rows(const Console *from)
{
    return from->view.step && from->view.step->open && from->view.step->view.rows == 2;
}

static void a_lock_that_the_replica_never_had(void)
{
    Text trouble = {0};
    const Lesson *lesson;
    const LessonVariant *variant;
    Error error = {""};
    if (!course_find(console.course, "failover/one-master", &lesson, &variant, &error)) exit(1);
    lab_step_open(console.lab, &variant->small, NULL, "cut A");
    check(&trouble, console_until(&console, has_rows), "the moves are not made");
    if (console.view.step) {
        const FleetView *now = &console.view.step->view.truth.fleet;
        check(&trouble, now->state.cut && now->server[0].key_count == 1 && now->server[1].key_count == 0,
              "the lock is not on server 1 alone");
        check(&trouble, strcmp(now->server[0].keys[0].name, "lock:order:1") == 0, "it has another name");
    }
    lab_step_close(console.lab);
    lab_case("after a cut the lock is on server 1, and server 2 has none", &trouble);
}

int main(void)
{
    console_open(&console);
    failover_in_a_race("failover/one-master", "a failover by command: the race goes on with the new master");
    failover_in_a_race("failover/sentinel", "a failover by sentinels: the race goes on with the new master");
    a_cut_in_a_race();
    a_server_of_three();
    a_lock_that_the_replica_never_had();
    console_close(&console);
    return lab_done();
}
