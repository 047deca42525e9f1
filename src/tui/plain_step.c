#include "tui/plain_step.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/stepper.h"

struct PlainStep {
    Observer *observer;
    const Lesson *lesson;
    const LessonVariant *variant;
    Spec spec;
    Stepper *stepper;
    Schedule made;
    StepView view;
    bool broken_told[INVARIANT_COUNT];
};

/* ---- telling ----------------------------------------------------------------------------------- */

static void row_tell(const StepRow *row, int number)
{
    if (row->name[0])
        printf(_("%d. %s %s: %s.\n"), number, row->name, row->words, row->waits ? _("it has to wait") : row->result);
    else
        printf(_("%d. %s: %s.\n"), number, row->command, row->words);
    if (row->answered) printf(_("   %s is told: %s.\n"), row->name, answer_words(row->answer));
}

/* Replies that came now to steps that had to wait. */
static void late_tell(const StepView *before, const StepView *now)
{
    for (int i = 0; i < before->rows && i < now->rows; i++) {
        const StepRow *row = &now->row[i];
        if (before->row[i].waits && !row->waits)
            printf(_("   %s, waiting since %d, goes on: %s.\n"), row->name, i + 1, row->result);
        if (row->answered && !before->row[i].answered)
            printf(_("   %s is told: %s.\n"), row->name, answer_words(row->answer));
    }
}

static void actors_tell(const StepView *view)
{
    for (int i = 0; i < view->actors; i++) {
        const StepActor *actor = &view->actor[i];
        if (actor->state == ACTOR_WAITING && actor->waits_for_name[0])
            printf(_("%s waits for %s: %s.\n"), actor->name, actor->waits_for_name, actor->waiting_on);
        else if (actor->state == ACTOR_WAITING)
            printf(_("%s waits: %s.\n"), actor->name, actor->waiting_on);
        else if (actor->state == ACTOR_AT_GATE)
            printf(_("%s would do next: %s (%s).\n"), actor->name, actor->words, actor->command);
        else if (actor->state == ACTOR_DEAD)
            printf(_("%s is dead.\n"), actor->name);
        else
            printf(_("%s is done.\n"), actor->name);
    }
}

static void truth_tell(const PlainStep *step)
{
    const Snapshot *truth = &step->view.truth;
    if (step->spec.stock_in_sql && truth->sql_ok) printf(_("database: stock %ld, orders %ld\n"), truth->stock, truth->orders);
    else if (truth->sql_ok) printf(_("database: orders %ld\n"), truth->orders);
    if (truth->has_redis_stock) printf(_("Redis: stock %ld\n"), truth->redis_stock);
    for (int i = 0; i < truth->key_count; i++) {
        const KeyView *key = &truth->keys[i];
        if (key->ttl_ms >= 0)
            printf(_("key %s: %s, with a lease\n"), key->name, key->value);
        else
            printf(_("key %s: %s\n"), key->name, key->value);
    }
}

/* Each once, when it is first seen. */
static void broken_tell(PlainStep *step)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const Verdict *verdict = &step->view.verdict[i];
        bool broken = verdict->state == VERDICT_BROKEN;
        if (broken && !step->broken_told[i]) printf(_("%s is BROKEN: %s.\n"), invariant_name((Invariant)i), verdict->detail);
        step->broken_told[i] = broken;
    }
    if (step->view.stuck)
        puts(_("Somebody waits for ever. One move back: undo."));
    else if (step->view.over)
        puts(_("Everybody is done. One move back: undo; from the start: restart."));
}

static void look(PlainStep *step)
{
    stepper_view(step->stepper, step->observer, &step->view);
}

void plain_step_tell(PlainStep *step)
{
    char line[SCHEDULE_TEXT];
    actors_tell(&step->view);
    truth_tell(step);
    puts(schedule_text_write(step->lesson, step->variant, &step->spec, &step->made, line));
}

/* ---- moving ------------------------------------------------------------------------------------ */

static bool make(PlainStep *step, const Move *move, Error *error)
{
    if (step->made.count == SCHEDULE_MOVES) return error_set(error, _("A run has at most %d moves."), SCHEDULE_MOVES);
    MoveResult result = stepper_move(step->stepper, move, error);
    if (result >= MOVE_IMPOSSIBLE) return false;
    step->made.move[step->made.count++] = *move;
    return true;
}

static bool make_and_tell(PlainStep *step, const Move *move)
{
    Error error = {""};
    static StepView before;
    before = step->view;
    if (!make(step, move, &error)) {
        puts(error.text);
        return false;
    }
    look(step);
    for (int i = before.rows; i < step->view.rows; i++) row_tell(&step->view.row[i], i + 1);
    late_tell(&before, &step->view);
    broken_tell(step);
    fflush(stdout);
    return true;
}

static void moves_make(PlainStep *step, const Schedule *moves)
{
    for (int i = 0; i < moves->count; i++)
        if (!make_and_tell(step, &moves->move[i])) break;
}

void plain_step_move(PlainStep *step, const char *text)
{
    static Schedule moves;
    Error error = {""};
    Spec world = step->spec; /* stays as it was opened */
    if (!schedule_parse(text, &moves, &error) || !schedule_text_fits(&world, &moves, &error)) {
        puts(error.text);
        return;
    }
    moves_make(step, &moves);
    if (!step->view.over) actors_tell(&step->view);
}

/* The first `count` moves once more. */
static void run_again(PlainStep *step, int count)
{
    Error error = {""};
    bool fine = stepper_reset(step->stepper, &error);
    step->made.count = 0;
    while (fine && step->made.count < count) fine = make(step, &step->made.move[step->made.count], &error);
    if (!fine) puts(error.text);
    look(step);
    for (int i = 0; i < INVARIANT_COUNT; i++) step->broken_told[i] = step->view.verdict[i].state == VERDICT_BROKEN;
}

void plain_step_undo(PlainStep *step)
{
    if (step->made.count == 0) {
        puts(_("There is nothing to undo."));
        return;
    }
    run_again(step, step->made.count - 1);
    plain_step_tell(step);
}

void plain_step_restart(PlainStep *step)
{
    run_again(step, 0);
    plain_step_tell(step);
}

/* ---- begin and end ------------------------------------------------------------------------------ */

PlainStep *plain_step_open(Stores *stores, Observer *observer, const Lesson *lesson, const LessonVariant *variant,
                           const Spec *spec, const Schedule *moves, Error *error)
{
    PlainStep *step = calloc(1, sizeof *step);
    if (!step) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    step->observer = observer;
    step->lesson = lesson;
    step->variant = variant;
    step->spec = *spec;
    step->stepper = stepper_open(stores, &step->spec, error);
    if (!step->stepper || !stepper_reset(step->stepper, error)) {
        plain_step_close(step);
        return NULL;
    }
    look(step);
    if (moves) moves_make(step, moves);
    plain_step_tell(step);
    return step;
}

void plain_step_close(PlainStep *step)
{
    if (!step) return;
    stepper_close(step->stepper);
    free(step);
}
