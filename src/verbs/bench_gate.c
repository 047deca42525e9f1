/* bench_gate.c -- what the gate costs a step, tracing on, at full speed.
 *
 * One actor passes in and out without sending anything, so all that is measured is the gate: two
 * readings of the clock and one event. The best of several rounds counts, since everything that
 * disturbs only adds to it. */
#include <unistd.h>

#include "base/clock.h"
#include "engine/gate.h"
#include "engine/touch.h"
#include "verbs/bench.h"

enum { STEPS = 1000000, ROUNDS = 7, LINE = 12 };

static double round_ns(Actor *me)
{
    Touch touch = {0};
    touch_add(&touch, touch_voucher(1), true);
    uint64_t begin = clock_now_ns();
    for (int i = 0; i < STEPS; i++) {
        StepCall call = {.step = STEP_DECREMENT, .argument = 1, .touch = &touch};
        gate_enter(gate_at(me, LINE), &call);
        gate_leave(me, &call, STORE_OK, 1, 0);
    }
    return (double)(clock_now_ns() - begin) / STEPS;
}

static double clock_round_ns(void)
{
    uint64_t begin = clock_now_ns(), sum = 0;
    for (int i = 0; i < STEPS; i++) sum += clock_now_ns();
    return sum == 0 ? 0 : (double)(clock_now_ns() - begin) / STEPS;
}

bool bench_gate(Figures *figures, Error *error)
{
    Spec spec = {.variant = variants, .users = 1, .requests = 1, .nodes = 1, .stock = 1};
    int fd;
    World *world = world_create(&spec, MODE_RACE, &fd, error);
    if (!world) return false;
    Actor me = {.world = world,
                .slot = world_slot(world, 0),
                .ring = world_ring(world, 0),
                .user = 1,
                .random = 1};
    figures->gate.step_ns = round_ns(&me);
    figures->gate.clock_ns = clock_round_ns();
    for (int i = 1; i < ROUNDS; i++) {
        double step_ns = round_ns(&me), clock_ns = clock_round_ns();
        if (step_ns < figures->gate.step_ns) figures->gate.step_ns = step_ns;
        if (clock_ns < figures->gate.clock_ns) figures->gate.clock_ns = clock_ns;
    }
    world_close(world);
    close(fd);
    return true;
}
