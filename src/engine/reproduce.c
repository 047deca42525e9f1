#include "engine/reproduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/mover.h"
#include "engine/explore.h"
#include "engine/step_kind.h"

enum { CAST = 2, SLICE_MS = 50, SHRINK_MS = 3000 };

/* ---- who is who in the small world ------------------------------------------------------------- */

/* The actors of the story, in the order of their first appearance: A, B. */
typedef struct Roles {
    int count;
    int actor[CAST];    /* in the race */
    int node[CAST];
    int64_t user[CAST];
    int requests[CAST]; /* of it, in the story */
    bool struck;        /* a lease ran out, or a node was killed */
} Roles;

static int role_of(const Roles *roles, int actor)
{
    for (int i = 0; i < roles->count; i++)
        if (roles->actor[i] == actor) return i;
    return -1;
}

static bool is_strike(const StoryLine *line)
{
    return line->kind == EVENT_FAULT && (line->code == CONSOLE_EXPIRED || line->code == CONSOLE_CRASHED ||
                                          line->code == CONSOLE_SERVER_MOVE);
}

static void find_roles(const Report *report, Roles *roles)
{
    *roles = (Roles){.count = 0};
    for (int i = 0; i < report->story_lines; i++) {
        const StoryLine *line = &report->story[i];
        roles->struck |= is_strike(line);
        if (line->actor < 0) continue;
        int role = role_of(roles, line->actor);
        if (role < 0 && roles->count < CAST) {
            role = roles->count++;
            roles->actor[role] = line->actor;
            roles->node[role] = line->node;
            roles->user[role] = line->user;
        }
        if (role >= 0 && line->kind == EVENT_ANSWER) roles->requests[role]++;
    }
}

/* A world of just these: two requests at once of one user, or users with as many requests as the
 * story tells of; on one node where they shared one. Nothing goes wrong in it that did not before; a lease may have run out unseen. */
static void make_world(const Spec *small, const Roles *roles, Spec *world)
{
    *world = *small;
    bool pair = roles->count == CAST;
    bool same_user = pair && roles->user[0] == roles->user[1];
    int requests = 1;
    for (int i = 0; i < roles->count; i++)
        if (roles->requests[i] > requests) requests = roles->requests[i];
    world->users = same_user ? 1 : roles->count;
    world->requests = same_user ? CAST : small->at_once ? 1 : requests;
    world->nodes = pair && roles->node[0] != roles->node[1] ? CAST : 1;
    if (!roles->struck) world->fault_crash = false;
}

/* ---- the order of the story ------------------------------------------------------------------------ */

/* A step took effect at some moment between its sending and its reply; which one decides the order
 * of steps that overlapped. All replies, or all sendings, are the two orders that are tried. */
typedef enum Moment { MOMENT_REPLY, MOMENT_SENDING, MOMENTS } Moment;

typedef struct Plan {
    int count;
    uint16_t move[MAX_PLAN];
} Plan;

static uint64_t moment_of(const StoryLine *line, Moment moment)
{
    return moment == MOMENT_REPLY ? line->at_ns : line->sent_ns;
}

/* Who moves, in the small world; -1: this line is no move. */
static int mover_of(const Roles *roles, const Spec *world, const StoryLine *line)
{
    if (line->kind == EVENT_STEP) return role_of(roles, line->actor);
    if (!is_strike(line)) return -1;
    if (line->code == CONSOLE_EXPIRED) return ACTOR_CLOCK;
    if (line->code == CONSOLE_SERVER_MOVE) return ACTOR_SERVER + (int)line->value;
    for (int i = 0; i < roles->count; i++)
        if (roles->node[i] == line->node) return ACTOR_CRASH + spec_node(world, i);
    return -1;
}

static void order_of_story(const Report *report, const Roles *roles, Moment moment, Plan *plan)
{
    const StoryLine *order[STORY_LINES];
    int count = 0;
    for (int i = 0; i < report->story_lines; i++) {
        const StoryLine *line = &report->story[i];
        int at = count++;
        for (; at > 0 && moment_of(order[at - 1], moment) > moment_of(line, moment); at--)
            order[at] = order[at - 1];
        order[at] = line;
    }
    plan->count = 0;
    for (int i = 0; i < count; i++) {
        int mover = mover_of(roles, &report->schedule_world, order[i]);
        if (mover >= 0) plan->move[plan->count++] = (uint16_t)mover;
    }
}

/* ---- running it again ---------------------------------------------------------------------------------- */

/* Walks the plan, then on to the end. A move that is impossible here is left out, since in another
 * world a loop may be shorter. */
static bool walk(Stepper *stepper, Plan *plan, Error *error)
{
    for (;;) {
        RunEnd end = stepper_run(stepper, plan->move, plan->count, false, 0, error);
        if (end != RUN_IMPOSSIBLE) return end == RUN_COMPLETE || end == RUN_STUCK;
        int at = (int)stepper_world(stepper)->position;
        if (at >= plan->count) return false;
        plan->count--;
        memmove(&plan->move[at], &plan->move[at + 1], (size_t)(plan->count - at) * sizeof plan->move[0]);
    }
}

static void take_moves(const World *world, Report *report, Schedule *made)
{
    int count = (int)atomic_load(&world->move_count);
    made->count = 0;
    for (int i = 0; i < count && i < SCHEDULE_MOVES; i++)
        made->move[made->count++] = mover_move(&world->spec, world->moves[i].actor);
    report->schedule_preemptions = classes_preemptions(world->moves, count);
}

/* Does this order break the invariant in this world? */
static bool breaks_again(Stepper *stepper, Plan *plan, int invariant, Error *error)
{
    Snapshot truth;
    Verdict verdict[INVARIANT_COUNT];
    char outcome[OUTCOME_LENGTH];
    return walk(stepper, plan, error) &&
           stepper_judge(stepper, &truth, verdict, outcome, sizeof outcome, error) &&
           verdict[invariant].state == VERDICT_BROKEN;
}

/* In a race a lease runs out inside Redis, and no event tells when. Where it may run out in this world, too, by
 * itself or while its node stands still, each place in the order is tried. */
static bool breaks_with(Stepper *stepper, const Plan *plan, int move, int invariant, Error *error)
{
    for (int at = 1; at < plan->count && plan->count < MAX_PLAN && !stepper_broken(stepper); at++) {
        Plan longer = *plan;
        memmove(&longer.move[at + 1], &longer.move[at], (size_t)(plan->count - at) * sizeof longer.move[0]);
        longer.move[at] = (uint16_t)move;
        longer.count++;
        if (breaks_again(stepper, &longer, invariant, error)) return true;
    }
    return false;
}

static bool breaks_when_a_lease_ends(Stepper *stepper, const Plan *plan, const Spec *world, int invariant, Error *error)
{
    if (world->fault_clk && breaks_with(stepper, plan, ACTOR_CLOCK, invariant, error)) return true;
    for (int node = 0; world->fault_freeze && node < world->nodes; node++)
        if (breaks_with(stepper, plan, ACTOR_FREEZE + node, invariant, error)) return true;
    return false;
}

static bool try_orders(Stores *stores, Report *report, const Roles *roles, Schedule *made, bool *again,
                       Error *error)
{
    Plan plan;
    Stepper *stepper = stepper_open(stores, &report->schedule_world, error);
    if (!stepper) return false;
    for (Moment moment = 0; moment < MOMENTS && !*again; moment++) {
        order_of_story(report, roles, moment, &plan);
        Plan recorded = plan; /* what is impossible without the clock may not be with it */
        *again = breaks_again(stepper, &recorded, report->first_broken, error) ||
                 (!roles->struck &&
                  breaks_when_a_lease_ends(stepper, &plan, &report->schedule_world, report->first_broken, error));
    }
    if (*again) take_moves(stepper_world(stepper), report, made);
    bool lost = stepper_broken(stepper);
    stepper_close(stepper);
    return !lost;
}

/* ---- shrinking ------------------------------------------------------------------------------------------- */

/* The schedule of this world that breaks the invariant with the fewest preemptions, if the explorer
 * comes across a better one in time. */
static bool shrink(Stores *stores, Report *report, Schedule *schedule, Error *error)
{
    ExploreOptions options = {.prune = true, .preemptions = -1};
    Explorer *explorer = explorer_open(stores, &report->schedule_world, &options, error);
    if (!explorer) return false;
    uint64_t limit = clock_now_ns() + SHRINK_MS * 1000000ull;
    while (explorer_slice(explorer, SLICE_MS) && clock_now_ns() < limit) {
    }
    const Exploration *result = explorer_result(explorer);
    bool failed = result->failed;
    if (failed) *error = result->error;
    const ExploreCell *best = &result->best_of[report->first_broken];
    if (!failed && best->schedules > 0 && best->preemptions <= report->schedule_preemptions) {
        exploration_schedule(result, best, schedule);
        report->schedule_preemptions = best->preemptions;
    }
    explorer_close(explorer);
    return !failed;
}

/* ---- all together ------------------------------------------------------------------------------------------- */

static void say_how(Report *report, int recorded)
{
    const Spec *world = &report->schedule_world;
    snprintf(report->schedule_note, sizeof report->schedule_note,
             ngettext("Breaks again in a world of %d user. Switches as recorded: %d, fewest: %d.",
                      "Breaks again in a world of %d users. Switches as recorded: %d, fewest: %d.",
                      (unsigned long)world->users),
             world->users, recorded, report->schedule_preemptions);
}

static void say_not(Report *report, const Roles *roles)
{
    snprintf(report->schedule_note, sizeof report->schedule_note,
             ngettext("Did not reproduce: %d actor alone, in the recorded order, keeps %s.",
                      "Did not reproduce: %d actors alone, in the recorded order, keep %s.",
                      (unsigned long)roles->count),
             roles->count, invariant_name((Invariant)report->first_broken));
}

static bool keep_schedule(Stores *stores, Report *report, Schedule *schedule, Error *error)
{
    int recorded = report->schedule_preemptions;
    if (!shrink(stores, report, schedule, error)) return false;
    schedule_write(schedule, report->schedule, sizeof report->schedule);
    if (strstr(report->schedule, "...")) report->schedule[0] = '\0';
    if (report->schedule[0])
        say_how(report, recorded);
    else
        snprintf(report->schedule_note, sizeof report->schedule_note, "%s",
                 _("Breaks again, but the schedule is too long for a line."));
    return true;
}

/* Those of the story alone, in their order. */
static bool play_again(Stores *stores, Report *report, const Roles *roles, Schedule *made, Error *error)
{
    bool again = false;
    if (!try_orders(stores, report, roles, made, &again, error)) return false;
    if (again) return keep_schedule(stores, report, made, error);
    say_not(report, roles);
    return true;
}

/* Where consumers store the orders, what broke depends on what all others had put into the queue before: two
 * actors alone seldom tell it. There it is looked for in the lesson's own small world. */
static bool find_in_small_world(Stores *stores, const Spec *small, Report *report, Schedule *schedule, Error *error)
{
    report->schedule_world = *small;
    report->schedule_preemptions = MAX_PLAN;
    schedule->count = 0;
    if (!shrink(stores, report, schedule, error)) return false;
    schedule_write(schedule, report->schedule, sizeof report->schedule);
    if (schedule->count == 0 || strstr(report->schedule, "...")) report->schedule[0] = '\0';
    if (report->schedule[0])
        snprintf(report->schedule_note, sizeof report->schedule_note,
                 ngettext("Breaks in the lesson's small world as well, with %d switch.",
                          "Breaks in the lesson's small world as well, with %d switches.",
                          (unsigned long)report->schedule_preemptions),
                 report->schedule_preemptions);
    else
        snprintf(report->schedule_note, sizeof report->schedule_note, _("No short schedule breaks %s in the lesson's small world."),
                 invariant_name((Invariant)report->first_broken));
    return true;
}

bool reproduce_race(Stores *stores, const Spec *small, Report *report, Error *error)
{
    Error unwanted;
    Roles roles;
    if (!error) error = &unwanted;
    report->schedule[0] = report->schedule_note[0] = '\0';
    if (report->first_broken == INVARIANT_COUNT || report->story_lines == 0) return true;
    find_roles(report, &roles);
    if (roles.count == 0) return true;
    make_world(small, &roles, &report->schedule_world);

    Schedule *made = malloc(sizeof *made);
    if (!made) return error_set(error, "%s", _("Out of memory."));
    bool fine = small->consumers > 0 ? find_in_small_world(stores, small, report, made, error)
                                     : play_again(stores, report, &roles, made, error);
    free(made);
    if (!fine) report->schedule[0] = '\0';
    return fine;
}
