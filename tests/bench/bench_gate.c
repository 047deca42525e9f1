/* bench_gate.c -- what the gate costs a step, tracing on, at full speed: one line.
 *
 * One actor passes in and out without sending anything, so all that is measured is the gate: two
 * readings of the clock and one event. The best of several rounds is printed, since everything that
 * disturbs only adds to it. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/gate.h"
#include "engine/touch.h"

enum { STEPS = 1000000, ROUNDS = 7 };

static double round_ns(Actor *me)
{
    Touch touch = {0};
    touch_add(&touch, touch_voucher(1), true);
    uint64_t begin = clock_now_ns();
    for (int i = 0; i < STEPS; i++) {
        StepCall call = {.step = STEP_DECREMENT, .argument = 1, .touch = &touch};
        gate_enter(gate_at(me, 12), &call);
        gate_leave(me, &call, STORE_OK, 1, 0);
    }
    return (double)(clock_now_ns() - begin) / STEPS;
}

static double clock_ns(void)
{
    uint64_t begin = clock_now_ns(), sum = 0;
    for (int i = 0; i < STEPS; i++) sum += clock_now_ns();
    return sum == 0 ? 0 : (double)(clock_now_ns() - begin) / STEPS;
}

int main(void)
{
    Spec spec = {.variant = variants, .users = 1, .requests = 1, .nodes = 1, .stock = 1};
    Error error;
    int fd;
    World *world = world_create(&spec, MODE_RACE, &fd, &error);
    if (!world) {
        fprintf(stderr, "%s\n", error.text);
        return 3;
    }
    Actor me = {.world = world,
                .slot = world_slot(world, 0),
                .ring = world_ring(world, 0),
                .user = 1,
                .random = 1};
    double best = round_ns(&me);
    for (int i = 1; i < ROUNDS; i++) {
        double ns = round_ns(&me);
        if (ns < best) best = ns;
    }
    printf("gate: %.0f ns a step, tracing on (aim: under 200); reading the clock: %.0f ns, twice a "
           "step\n",
           best, clock_ns());
    world_close(world);
    close(fd);
    return 0;
}
