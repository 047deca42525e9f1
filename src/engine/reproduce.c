#include "engine/reproduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/baton.h"
#include "engine/explore.h"
#include "engine/step_kind.h"

enum { CAST = 2, SLICE_MS = 50, SHRINK_MS = 3000 };

/* ---- who is who in the small world ------------------------------------------------------------- */

/* The actors of the story, in the order of their first appearance: A, B. */
typedef struct Roles {
    int count;
    int actor[CAST];    /* in the race */
    int64_t user[CAST];
    int requests[CAST]; /* of it, in the story */
} Roles;

static int role_of(const Roles *roles, int actor)
{
    for (int i = 0; i < roles->count; i++)
        if (roles->actor[i] == actor) return i;
    return -1;
}

static void find_roles(const Report *report, Roles *roles)
{
    roles->count = 0;
    for (int i = 0; i < report->story_lines; i++) {
        const StoryLine *line = &report->story[i];
        int role = role_of(roles, line->actor);
        if (role < 0 && roles->count < CAST) {
            role = roles->count++;
            roles->actor[role] = line->actor;
            roles->user[role] = line->user;
            roles->requests[role] = 0;
        }
        if (role >= 0 && line->step == STEP_NONE) roles->requests[role]++;
    }
}

/* A world of just these: two requests at once of one user, or users with as many requests as the
 * story tells of. */
static void make_world(const Spec *small, const Roles *roles, Spec *world)
{
    *world = *small;
    bool same_user = roles->count == CAST && roles->user[0] == roles->user[1];
    int requests = 1;
    for (int i = 0; i < roles->count; i++)
        if (roles->requests[i] > requests) requests = roles->requests[i];
    world->users = same_user ? 1 : roles->count;
    world->requests = same_user ? CAST : small->at_once ? 1 : requests;
    if (world->nodes > roles->count) world->nodes = roles->count;
}

/* ---- the order of the story ------------------------------------------------------------------------ */

/* A step took effect at some moment between its sending and its reply; which one decides the order
 * of steps that overlapped. All replies, or all sendings, are the two orders that are tried. */
typedef enum Moment { MOMENT_REPLY, MOMENT_SENDING, MOMENTS } Moment;

static uint64_t moment_of(const StoryLine *line, Moment moment)
{
    return moment == MOMENT_REPLY ? line->at_ns : line->sent_ns;
}

static void order_of_story(const Report *report, const Roles *roles, Moment moment, Schedule *schedule)
{
    const StoryLine *order[STORY_LINES];
    int count = 0;
    for (int i = 0; i < report->story_lines; i++) {
        const StoryLine *line = &report->story[i];
        if (line->step == STEP_NONE) continue;
        int at = count++;
        for (; at > 0 && moment_of(order[at - 1], moment) > moment_of(line, moment); at--)
            order[at] = order[at - 1];
        order[at] = line;
    }
    schedule->count = 0;
    for (int i = 0; i < count; i++)
        schedule_add_user(schedule, role_of(roles, order[i]->actor));
}

/* ---- running it again ---------------------------------------------------------------------------------- */

/* Whoever is not done yet goes on, one after the other. False: nobody can. */
static bool finish(Stepper *stepper, Schedule *made, Error *error)
{
    const World *world = stepper_world(stepper);
    while (atomic_load(&world->done) < world->actors) {
        uint32_t enabled = baton_enabled(world);
        if (enabled == 0 || made->count == SCHEDULE_MOVES) return false;
        Move move = {.kind = MOVE_USER, .number = __builtin_ctz(enabled)};
        if (stepper_move(stepper, &move, error) >= MOVE_IMPOSSIBLE) return false;
        schedule_add_user(made, move.number);
    }
    return true;
}

/* Walks the schedule; a move that is impossible here is left out, since in another world a loop may
 * be shorter. `made` gets what was really done. */
static bool walk(Stepper *stepper, const Schedule *wanted, Schedule *made, Error *error)
{
    made->count = 0;
    for (int i = 0; i < wanted->count; i++) {
        MoveResult result = stepper_move(stepper, &wanted->move[i], error);
        if (result == MOVE_FAILED) return false;
        if (result != MOVE_IMPOSSIBLE) schedule_add_user(made, wanted->move[i].number);
    }
    return finish(stepper, made, error);
}

/* Does this order break the invariant in this world? */
static bool breaks_again(Stepper *stepper, const Schedule *wanted, int invariant, Schedule *made,
                         Error *error)
{
    Snapshot truth;
    Verdict verdict[INVARIANT_COUNT];
    char outcome[OUTCOME_LENGTH];
    return stepper_reset(stepper, error) && walk(stepper, wanted, made, error) &&
           stepper_judge(stepper, &truth, verdict, outcome, sizeof outcome, error) &&
           verdict[invariant].state == VERDICT_BROKEN;
}

static bool try_world(Stores *stores, Report *report, const Roles *roles, const Spec *world,
                      Schedule *made, bool *again, Error *error)
{
    Stepper *stepper = stepper_open(stores, world, error);
    if (!stepper) return false;
    error->text[0] = '\0';
    Schedule *wanted = malloc(sizeof *wanted);
    for (Moment moment = 0; wanted && moment < MOMENTS && !*again; moment++) {
        order_of_story(report, roles, moment, wanted);
        *again = breaks_again(stepper, wanted, report->first_broken, made, error);
    }
    if (*again) {
        const World *seen = stepper_world(stepper);
        report->schedule_preemptions =
            classes_preemptions(seen->moves, (int)atomic_load(&seen->move_count));
    }
    free(wanted);
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
    long best = result->shortest_of[report->first_broken];
    if (!failed && best >= 0 && result->cell[best].preemptions < report->schedule_preemptions) {
        exploration_schedule(&result->cell[best], schedule);
        report->schedule_preemptions = result->cell[best].preemptions;
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

bool reproduce_race(Stores *stores, const Spec *small, Report *report, Error *error)
{
    Error unwanted;
    if (!error) error = &unwanted;
    Roles roles;
    report->schedule[0] = report->schedule_note[0] = '\0';
    if (report->first_broken == INVARIANT_COUNT || report->story_lines == 0) return true;
    find_roles(report, &roles);
    make_world(small, &roles, &report->schedule_world);

    Schedule *made = malloc(sizeof *made);
    if (!made) return error_set(error, "%s", _("Out of memory."));
    bool again = false;
    bool fine = try_world(stores, report, &roles, &report->schedule_world, made, &again, error);
    if (fine && again) fine = keep_schedule(stores, report, made, error);
    if (fine && !again)
        snprintf(report->schedule_note, sizeof report->schedule_note,
                 ngettext("Did not reproduce: %d actor alone, in the recorded order, keeps %s.",
                          "Did not reproduce: %d actors alone, in the recorded order, keep %s.",
                          (unsigned long)roles.count),
                 roles.count, invariant_name((Invariant)report->first_broken));
    free(made);
    if (!fine) report->schedule[0] = '\0';
    return fine;
}
