/* test_engine_servers.c -- what can happen to the servers of a fleet: names, numbers, and when it can. In world
 * memory alone: no server is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "engine/fault.h"
#include "engine/mover.h"
#include "engine/servers.h"
#include "engine/touch.h"

static World *world;
static int fd;
static Error error;

enum { ALL_DEEDS = (1 << SERVER_DEEDS) - 1 };

/* A world as it is when its fleet was just cleaned. */
static void make_world(FleetKind kind, unsigned deeds)
{
    Spec spec = {.variant = &variants[0], .users = 2, .requests = 1, .nodes = 1, .servers = kind, .server_moves = deeds};
    world = world_create(&spec, MODE_STEP, &fd, &error);
    assert_non_null(world);
    world->servers.count = (uint32_t)fleet_kind_servers(kind);
    atomic_store(&world->servers.master, kind == FLEET_INDEPENDENT ? -1 : 0);
}

static void end_world(void)
{
    world_close(world);
    close(fd);
}

static bool can(ServerMove deed, int server)
{
    return servers_can(world, server_move(deed, server));
}

static void happened(ServerMove deed)
{
    world->servers.happened |= 1u << deed;
}

/* ---- names and numbers ---------------------------------------------------------------------------- */

static void every_move_has_a_number(void **state)
{
    (void)state;
    for (int move = 0; move < SERVER_MOVES; move++) {
        int server;
        ServerMove deed = server_move_deed(move, &server);
        assert_int_equal(server_move(deed, server), move);
        assert_int_equal(server_deed_find(server_deed_name(deed)), deed);
    }
    assert_int_equal(server_deed_find("explode"), SERVER_DEEDS);
}

static void moves_are_written_and_read(void **state)
{
    (void)state;
    static const char *const words[SERVER_MOVES] = {
        "failover", "cut", "mend", "!s1", "!s2", "!s3", "^s1", "^s2", "^s3", "^s1:empty", "^s2:empty", "^s3:empty"};
    Spec spec = {.users = 1, .requests = 1, .nodes = 1, .servers = FLEET_INDEPENDENT};
    for (int move = 0; move < SERVER_MOVES; move++) {
        char text[64];
        Schedule one = {.count = 1, .move = {mover_move(&spec, ACTOR_SERVER + move)}}, again;
        assert_string_equal(schedule_write(&one, text, sizeof text), words[move]);
        assert_true(schedule_parse(text, &again, &error));
        assert_int_equal(again.count, 1);
        assert_int_equal(mover_of_move(&spec, &again.move[0]), ACTOR_SERVER + move);
    }
    static const char *const wrong[] = {"!s", "!s0", "^s", "^s2:", "^s2:kept", "^s:empty", "s2", "cuts", "!sx"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Schedule read;
        assert_false(schedule_parse(wrong[i], &read, &error));
    }
    Schedule beyond;
    assert_true(schedule_parse("!s4", &beyond, &error));
    assert_int_equal(mover_of_move(&spec, &beyond.move[0]), -1);
}

static void faults_name_moves(void **state)
{
    (void)state;
    static const struct {
        FaultKind kind;
        const char *text;
        int move;
    } faults[] = {
        {FAULT_FAILOVER, "A@commit", SERVER_FAILOVER},
        {FAULT_CUT_LINK, "B@count-orders", SERVER_CUT},
        {FAULT_MEND_LINK, "*@commit", SERVER_MEND},
        {FAULT_KILL_SERVER, "2@commit", SERVER_KILL + 1},
        {FAULT_RESTART_SERVER, "3:kept@commit", SERVER_KEPT + 2},
        {FAULT_RESTART_SERVER, "1:empty@commit", SERVER_EMPTY},
        {FAULT_STALL, "A@commit=5", -1},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        Fault fault, again;
        char text[200];
        assert_true(fault_parse(faults[i].kind, faults[i].text, &fault, &error));
        assert_int_equal(fault_server_move(&fault), faults[i].move);
        fault_write(&fault, text, sizeof text);
        assert_true(fault_parse(faults[i].kind, strchr(text, ' ') + 1, &again, &error));
        assert_memory_equal(&again, &fault, sizeof fault);
    }
    static const struct {
        FaultKind kind;
        const char *text;
    } wrong[] = {{FAULT_KILL_SERVER, "4@commit"},       {FAULT_KILL_SERVER, "2:empty@commit"},
                 {FAULT_RESTART_SERVER, "2@commit"},    {FAULT_RESTART_SERVER, "2:full@commit"},
                 {FAULT_KILL_SERVER, "@commit"},        {FAULT_FAILOVER, "commit"},
                 {FAULT_RESTART_SERVER, "0:kept@commit"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Fault fault;
        assert_false(fault_parse(wrong[i].kind, wrong[i].text, &fault, &error));
    }
}

/* ---- when it can happen ------------------------------------------------------------------------------ */

static void a_pair(void **state)
{
    (void)state;
    make_world(FLEET_REPLICATED, ALL_DEEDS);
    assert_true(can(SERVER_DOES_FAILOVER, 0));
    assert_true(can(SERVER_DOES_CUT, 0));
    assert_false(can(SERVER_DOES_MEND, 0));
    assert_true(can(SERVER_DOES_KILL, 1));
    assert_false(can(SERVER_DOES_KILL, 2)); /* there are two */
    assert_false(can(SERVER_DOES_KEPT, 0)); /* it lives */

    atomic_store(&world->servers.cut, 1);
    happened(SERVER_DOES_CUT);
    assert_false(can(SERVER_DOES_CUT, 0));
    assert_true(can(SERVER_DOES_MEND, 0));

    atomic_store(&world->servers.dead, 1);
    atomic_store(&world->servers.master, 1);
    happened(SERVER_DOES_FAILOVER);
    assert_false(can(SERVER_DOES_FAILOVER, 0));
    assert_false(can(SERVER_DOES_MEND, 0)); /* nobody is left to hear */
    assert_true(can(SERVER_DOES_EMPTY, 0));
    end_world();
}

/* A replica whose master was killed by itself can still be promoted; without a replica there is nobody. */
static void nobody_to_promote(void **state)
{
    (void)state;
    make_world(FLEET_SENTINEL, ALL_DEEDS);
    atomic_store(&world->servers.dead, 1);
    atomic_store(&world->servers.master, -1);
    assert_true(can(SERVER_DOES_FAILOVER, 0));
    assert_false(can(SERVER_DOES_CUT, 0));
    atomic_store(&world->servers.dead, 2);
    atomic_store(&world->servers.master, 0);
    assert_false(can(SERVER_DOES_FAILOVER, 0));
    assert_false(servers_could(world, server_move(SERVER_DOES_FAILOVER, 0), &error));
    assert_non_null(strstr(error.text, "no replica"));
    end_world();
}

static void three_masters(void **state)
{
    (void)state;
    make_world(FLEET_INDEPENDENT, ALL_DEEDS);
    assert_false(can(SERVER_DOES_FAILOVER, 0));
    assert_false(can(SERVER_DOES_CUT, 0));
    assert_true(can(SERVER_DOES_KILL, 2));
    atomic_store(&world->servers.dead, 4);
    happened(SERVER_DOES_KILL);
    assert_false(can(SERVER_DOES_KILL, 0)); /* one in a run */
    assert_true(can(SERVER_DOES_KEPT, 2));
    assert_true(can(SERVER_DOES_EMPTY, 2));
    assert_false(can(SERVER_DOES_KEPT, 0));
    happened(SERVER_DOES_EMPTY);
    assert_false(can(SERVER_DOES_KEPT, 2)); /* it comes back once, in one of the two ways */
    end_world();
}

static void only_what_the_world_allows(void **state)
{
    (void)state;
    make_world(FLEET_INDEPENDENT, 1u << SERVER_DOES_KILL);
    world->spec.server_victims = 2;
    assert_false(can(SERVER_DOES_KILL, 0));
    assert_true(can(SERVER_DOES_KILL, 1));
    atomic_store(&world->servers.dead, 2);
    assert_false(can(SERVER_DOES_KEPT, 1));
    end_world();
    make_world(FLEET_NONE, ALL_DEEDS);
    for (int move = 0; move < SERVER_MOVES; move++) assert_false(servers_can(world, move));
    end_world();
}

/* What happens to one server does not touch a step at another; in a pair it touches every step there. */
static void what_it_touches(void **state)
{
    (void)state;
    Touch at_two = {0}, at_three = {0};
    touch_add(&at_two, touch_server(1), false);
    touch_add(&at_three, touch_server(2), false);
    make_world(FLEET_INDEPENDENT, ALL_DEEDS);
    Touch kill = servers_touch(world, server_move(SERVER_DOES_KILL, 1));
    Touch other = servers_touch(world, server_move(SERVER_DOES_KILL, 2));
    assert_true(touch_conflict(&kill, &at_two));
    assert_false(touch_conflict(&kill, &at_three));
    assert_true(touch_conflict(&kill, &other));
    end_world();
    Touch at_master = {0};
    touch_add(&at_master, touch_server(0), false);
    make_world(FLEET_REPLICATED, ALL_DEEDS);
    for (int move = 0; move < SERVER_MOVES; move++) {
        Touch touch = servers_touch(world, move);
        assert_true(touch_conflict(&touch, &at_master));
    }
    end_world();
}

int main(void)
{
    i18n_start("en");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_has_a_number), cmocka_unit_test(moves_are_written_and_read),
        cmocka_unit_test(faults_name_moves),       cmocka_unit_test(a_pair),
        cmocka_unit_test(nobody_to_promote),       cmocka_unit_test(three_masters),
        cmocka_unit_test(only_what_the_world_allows), cmocka_unit_test(what_it_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
