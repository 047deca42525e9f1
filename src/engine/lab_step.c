/* The lab's step mode: one small world, the line of moves made in it, and the way back and forth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/lab_private.h"
#include "engine/mover.h"

struct LabStep {
    Stepper *stepper; /* NULL: nothing is open */
    Schedule line;    /* the moves made, and behind them those that were undone */
    int made;
    Schedule plan;    /* what is being played */
    int planned;      /* how far */
    int pace_ms;
    uint64_t due_ns;  /* 0: nothing is played */
    bool stop_told;   /* that the learner's script was stopped */
    unsigned luck;    /* for random moves */
    StepState now;
};

bool lab_step_make(Lab *lab)
{
    lab->step = calloc(1, sizeof *lab->step);
    if (lab->step) lab->step->luck = (unsigned)clock_now_ns();
    return lab->step != NULL;
}

void lab_step_free(Lab *lab)
{
    free(lab->view.step);
    free(lab->step);
    lab->view.step = NULL;
    lab->step = NULL;
}

/* ---- telling the console ----------------------------------------------------------------------- */

static void publish_step(Lab *lab)
{
    LabStep *step = lab->step;
    step->now.playing = step->due_ns != 0;
    step->now.planned = step->now.playing ? step->plan.count - step->planned : 0;
    step->now.undone = step->line.count - step->made;
    pthread_mutex_lock(&lab->mutex);
    if (!lab->view.step) lab->view.step = malloc(sizeof *lab->view.step);
    if (lab->view.step) *lab->view.step = step->now;
    lab->view.step_serial++;
    pthread_mutex_unlock(&lab->mutex);
    lab_publish(lab);
}

void lab_step_copy(const Lab *lab, LabView *view)
{
    if (!lab->view.step) return;
    if (!view->step) view->step = malloc(sizeof *view->step);
    if (view->step) *view->step = *lab->view.step;
}

static void refuse(Lab *lab, const char *why)
{
    StepState *now = &lab->step->now;
    snprintf(now->refusal, sizeof now->refusal, "%s", why);
    now->refused++;
    publish_step(lab);
}

/* The world broke: what was seen last stays on the screen. */
static void give_up(Lab *lab, const Error *why)
{
    const Stepper *stepper = lab->step->stepper;
    Error own = *why, *error = &own;
    OwnStop stop = stepper ? own_run_stopped(&stepper_world(stepper)->own) : OWN_RUNS;
    if (stepper) own_run_excuse(&stepper_world(stepper)->own, &own);
    lab->step->now.broken = true;
    lab->step->due_ns = 0;
    refuse(lab, error->text);
    lab_trouble(lab, error);
    lab_mend(lab, stop);
}

static void look(Lab *lab)
{
    stepper_view(lab->step->stepper, lab->observer, &lab->step->now.view);
}

/* ---- moving ---------------------------------------------------------------------------------------- */

/* One move at the end of what was made. It goes into the line only when it was carried out. */
static bool make_move(Lab *lab, const Move *move, Error *error)
{
    LabStep *step = lab->step;
    if (step->made == SCHEDULE_MOVES)
        return error_set(error, _("A run has at most %d moves."), SCHEDULE_MOVES);
    MoveResult result = stepper_move(step->stepper, move, error);
    if (result == MOVE_FAILED) step->now.broken = true;
    if (result >= MOVE_IMPOSSIBLE) return false;
    /* The same move as the one that was undone: the others behind it stay in reach. */
    Move *place = &step->line.move[step->made];
    bool same = step->made < step->line.count && place->kind == move->kind &&
                place->number == move->number && strcmp(place->key, move->key) == 0;
    *place = *move;
    step->made++;
    if (!same) step->line.count = step->made;
    return true;
}

/* A move with the truth before it, and the picture after it. */
static bool show_move(Lab *lab, const Move *move, Error *error)
{
    Snapshot before = lab->step->now.view.truth;
    if (!make_move(lab, move, error)) return false;
    lab->step->now.before = before;
    look(lab);
    return true;
}

/* A script of the learner's did not end. True when the server had to be ended for it: then the world is no more. */
static bool tell_stop(Lab *lab)
{
    LabStep *step = lab->step;
    OwnStop stop = step->stepper ? own_run_stopped(&stepper_world(step->stepper)->own) : OWN_RUNS;
    Error error = {""};
    if (own_stop_ended(stop)) {
        give_up(lab, &error);
        return true;
    }
    if (stop == OWN_KILLED && !step->stop_told) refuse(lab, own_stop_words(stop));
    step->stop_told = stop == OWN_KILLED;
    return false;
}

/* Shows what came of it: the new picture, or why there is none. */
static void tell(Lab *lab, bool fine, const Error *error)
{
    if (tell_stop(lab)) return;
    if (fine)
        publish_step(lab);
    else if (lab->step->now.broken)
        give_up(lab, error);
    else
        refuse(lab, error->text);
}

/* Runs the first `count` moves of the line again, from a clean state. */
static bool rerun(Lab *lab, int count, Error *error)
{
    LabStep *step = lab->step;
    if (!stepper_reset(step->stepper, error)) {
        step->now.broken = true;
        return false;
    }
    step->made = 0;
    while (step->made + 1 < count)
        if (!make_move(lab, &step->line.move[step->made], error)) return false;
    look(lab);
    step->now.before = step->now.view.truth;
    return count == 0 || show_move(lab, &step->line.move[step->made], error);
}

/* ---- requests ------------------------------------------------------------------------------------------ */

/* The world to be moved; NULL when there is none, which was said then. Whatever was being played
 * ends here. */
static LabStep *open_step(Lab *lab)
{
    LabStep *step = lab->step;
    step->due_ns = 0;
    if (step->stepper && !step->now.broken) return step;
    refuse(lab, _("No world stands in step mode: open it with R."));
    return NULL;
}

/* The preemptions of the shortest schedule, found by walking it. */
static bool learn_par(Lab *lab, const char *shortest, Error *error)
{
    LabStep *step = lab->step;
    step->now.par = -1;
    if (!shortest || !schedule_parse(shortest, &step->line, NULL)) return true;
    int count = step->line.count;
    if (rerun(lab, count, error)) step->now.par = step->now.view.preemptions;
    return !step->now.broken;
}

/* Makes the moves one by one; a wrong one ends it, and what was made stays. */
static bool walk(Lab *lab, const Schedule *moves, Error *error)
{
    for (int i = 0; i < moves->count; i++) {
        Error why = {""};
        if (show_move(lab, &moves->move[i], &why)) continue;
        if (moves->count == 1) return error_set(error, "%s", why.text);
        return error_set(error, _("Move %d: %s"), i + 1, why.text);
    }
    return true;
}

static void serve_open(Lab *lab, const Request *request)
{
    LabStep *step = lab->step;
    Error error = {""};
    if (lab->race || !lab->ready) return;
    lab_clear_small(lab);
    lab->elsewhere = true;
    step->line.count = step->made = 0;
    step->now = (StepState){.spec = request->spec, .par = -1, .refused = step->now.refused};
    step->stepper = stepper_open(lab->stores, &request->spec, &error);
    if (!step->stepper) {
        give_up(lab, &error);
        return;
    }
    step->now.open = true;
    bool fine = learn_par(lab, request->text, &error);
    step->line.count = 0;
    fine = fine && rerun(lab, 0, &error);
    if (fine && request->more) {
        fine = schedule_parse(request->more, &step->plan, &error) && walk(lab, &step->plan, &error);
        Error ignored;
        /* A line that cannot be walked is not walked by half. */
        if (!fine && !step->now.broken) rerun(lab, 0, &ignored);
        if (!fine) step->line.count = step->made;
    }
    tell(lab, fine, &error);
}

static void serve_move(Lab *lab, const Request *request)
{
    LabStep *step = open_step(lab);
    Error error = {""};
    if (!step) return;
    bool fine = schedule_parse(request->text, &step->plan, &error) && walk(lab, &step->plan, &error);
    tell(lab, fine, &error);
}

static bool at_gate(const LabStep *step, int actor)
{
    const StepView *view = &step->now.view;
    return actor < view->actors && view->actor[actor].state == ACTOR_AT_GATE;
}

static void serve_run_on(Lab *lab, const Request *request)
{
    LabStep *step = open_step(lab);
    Error error = {""};
    if (!step) return;
    const Move move = mover_move(&stepper_world(step->stepper)->spec, request->number);
    bool fine = show_move(lab, &move, &error);
    while (fine && at_gate(step, request->number)) fine = show_move(lab, &move, &error);
    tell(lab, fine, &error);
}

static void serve_random(Lab *lab, const Request *request)
{
    (void)request;
    LabStep *step = open_step(lab);
    Error error = {""};
    if (!step) return;
    /* Nodes are not killed at random. */
    int able[ACTOR_CLOCK + 1], count = 0;
    for (int i = 0; i <= ACTOR_CLOCK; i++)
        if (step->now.view.enabled >> i & 1) able[count++] = i;
    if (count == 0) {
        refuse(lab, _("Nobody can move any more: u goes back, R to the start."));
        return;
    }
    const Move move = mover_move(&stepper_world(step->stepper)->spec, able[rand_r(&step->luck) % count]);
    tell(lab, show_move(lab, &move, &error), &error);
}

static void serve_undo(Lab *lab, const Request *request)
{
    (void)request;
    LabStep *step = open_step(lab);
    Error error = {""};
    if (!step) return;
    if (step->made == 0)
        refuse(lab, _("This is the start: there is nothing to undo."));
    else
        tell(lab, rerun(lab, step->made - 1, &error), &error);
}

static void serve_redo(Lab *lab, const Request *request)
{
    (void)request;
    LabStep *step = open_step(lab);
    Error error = {""};
    if (!step) return;
    if (step->made == step->line.count) {
        refuse(lab, _("There is nothing that was undone."));
        return;
    }
    const Move move = step->line.move[step->made];
    tell(lab, show_move(lab, &move, &error), &error);
}

static void serve_restart(Lab *lab, const Request *request)
{
    (void)request;
    LabStep *step = open_step(lab);
    Error error = {""};
    if (step) tell(lab, rerun(lab, 0, &error), &error);
}

static void serve_play(Lab *lab, const Request *request)
{
    LabStep *step = open_step(lab);
    Error error = {""};
    if (!step) return;
    bool fine = schedule_parse(request->text, &step->plan, &error) && rerun(lab, 0, &error);
    if (fine && step->plan.count > 0) {
        step->planned = 0;
        step->pace_ms = request->number;
        step->due_ns = clock_now_ns() + (uint64_t)step->pace_ms * 1000000u;
    }
    tell(lab, fine, &error);
}

static void serve_stop(Lab *lab, const Request *request)
{
    (void)request;
    if (lab->step->due_ns == 0) return;
    lab->step->due_ns = 0;
    publish_step(lab);
}

static void serve_close(Lab *lab, const Request *request)
{
    (void)request;
    lab_step_end(lab);
}

/* ---- for the lab's thread ---------------------------------------------------------------------------------- */

void lab_step_end(Lab *lab)
{
    LabStep *step = lab->step;
    if (!step->stepper) return;
    stepper_close(step->stepper);
    step->stepper = NULL;
    step->due_ns = 0;
    step->now.open = false;
    publish_step(lab);
}

bool lab_step_plays(const Lab *lab, uint64_t *due_ns)
{
    *due_ns = lab->step->due_ns;
    return lab->step->due_ns != 0;
}

void lab_step_slice(Lab *lab)
{
    LabStep *step = lab->step;
    Error error = {""};
    bool fine = show_move(lab, &step->plan.move[step->planned++], &error);
    bool more = fine && step->planned < step->plan.count;
    step->due_ns = more ? step->due_ns + (uint64_t)step->pace_ms * 1000000u : 0;
    tell(lab, fine, &error);
}

void lab_step_refresh(Lab *lab)
{
    if (!lab->step->stepper || lab->step->now.broken) return;
    look(lab);
    publish_step(lab);
}

/* ---- for the console --------------------------------------------------------------------------------------- */

static char *copy_of(const char *text)
{
    return text ? strdup(text) : NULL;
}

void lab_step_open(Lab *lab, const Spec *spec, const char *shortest, const char *moves)
{
    lab_ask(lab, &(Request){.serve = serve_open, .spec = *spec, .text = copy_of(shortest),
                            .more = copy_of(moves)});
}

void lab_step_move(Lab *lab, const char *moves)
{
    lab_ask(lab, &(Request){.serve = serve_move, .text = copy_of(moves)});
}

void lab_step_run_on(Lab *lab, int actor)
{
    lab_ask(lab, &(Request){.serve = serve_run_on, .number = actor});
}

void lab_step_random(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_random});
}

void lab_step_undo(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_undo});
}

void lab_step_redo(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_redo});
}

void lab_step_restart(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_restart});
}

void lab_step_play(Lab *lab, const char *moves, int pace_ms)
{
    lab_ask(lab, &(Request){.serve = serve_play, .text = copy_of(moves), .number = pace_ms});
}

void lab_step_stop(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_stop});
}

void lab_step_close(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_close});
}
