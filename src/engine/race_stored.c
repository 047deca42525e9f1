/* How long orders took to be stored: read from the trace. See race.c. */
#include <stdlib.h>

#include "engine/race_private.h"
#include "engine/step_kind.h"

/* What an actor has written and not yet committed. */
typedef struct Writer {
    bool in_transaction;
    int64_t user; /* whose order; 0: none */
} Writer;

typedef struct Stored {
    uint64_t *asked, *stored; /* by user, from 0; 0: not seen */
    Writer *writer;           /* by actor */
    long users;
} Stored;

static void note_stored(Stored *stored, Writer *writer, uint64_t at_ns)
{
    bool known = writer->user >= 1 && writer->user <= stored->users;
    if (known && stored->stored[writer->user - 1] == 0) stored->stored[writer->user - 1] = at_ns;
    writer->user = 0;
}

static void take_step(Stored *stored, Writer *writer, const Event *event)
{
    bool inserts = event->step == STEP_INSERT_ORDER || event->step == STEP_INSERT_IGNORE;
    if (event->status != STORE_OK) return;
    if (event->step == STEP_BEGIN) writer->in_transaction = true;
    if (event->step == STEP_ROLLBACK) *writer = (Writer){0};
    if (inserts && event->value == 1) writer->user = event->second;
    bool commits = event->step == STEP_COMMIT || (inserts && !writer->in_transaction);
    if (event->step == STEP_COMMIT) writer->in_transaction = false;
    if (commits) note_stored(stored, writer, event->end_ns);
}

static void take_answer(Stored *stored, const World *world, const TraceEvent *at)
{
    int64_t user = world_slot(world, at->actor)->user;
    bool yes = at->event.code == ANSWER_ORDERED && user >= 1 && user <= stored->users;
    if (yes && stored->asked[user - 1] == 0) stored->asked[user - 1] = at->event.begin_ns;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void fill_times(const Stored *stored, double *ms, Report *report)
{
    long count = 0;
    for (long i = 0; i < stored->users; i++)
        if (stored->asked[i] && stored->stored[i] > stored->asked[i])
            ms[count++] = (double)(stored->stored[i] - stored->asked[i]) / 1e6;
    qsort(ms, (size_t)count, sizeof *ms, by_size);
    if (count == 0) return;
    report->stored_p50_ms = ms[(count - 1) / 2];
    report->stored_p99_ms = ms[(count - 1) * 99 / 100];
}

void race_fill_stored(const Race *race, Report *report)
{
    const World *world = race->world;
    size_t users = (size_t)race->spec.users;
    Stored stored = {.asked = calloc(users, sizeof *stored.asked), .stored = calloc(users, sizeof *stored.stored),
                     .writer = calloc(world->actors + 1, sizeof *stored.writer), .users = (long)users};
    double *ms = calloc(users, sizeof *ms);
    bool room = stored.asked && stored.stored && stored.writer && ms;
    for (long i = 0; room && i < race->trace.count; i++) {
        const TraceEvent *at = &race->trace.events[i];
        if (at->actor >= world->actors) continue;
        if (at->event.kind == EVENT_STEP) take_step(&stored, &stored.writer[at->actor], &at->event);
        if (at->event.kind == EVENT_ANSWER) take_answer(&stored, world, at);
    }
    if (room) fill_times(&stored, ms, report);
    free(stored.asked);
    free(stored.stored);
    free(stored.writer);
    free(ms);
}
