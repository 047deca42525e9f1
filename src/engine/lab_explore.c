/* The lab's exploring, in slices between which requests are heard; and luck, one race a slice. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/lab_private.h"

enum {
    SLICE_MS = 30,
    PUBLISH_MS = 50,
    LUCK_POLL_NS = 500000,
    LUCK_PATIENCE_S = 10, /* a race of a small world that does not end */
    MOST_CELLS = 200000   /* so much memory an exploration may take: 20 MB, and as much to show it */
};

struct LabExplore {
    Explorer *explorer; /* NULL: none is at work */
    uint64_t published_ns;
    ExploreState now; /* result.cell is the explorer's, while it lives */
    long cell_room;   /* of the shared copy, in lab->view.explore */
};

bool lab_explore_make(Lab *lab)
{
    lab->explore = calloc(1, sizeof *lab->explore);
    return lab->explore != NULL;
}

static void free_shared(Lab *lab)
{
    if (lab->view.explore) free(lab->view.explore->result.cell);
    free(lab->view.explore);
    lab->view.explore = NULL;
}

void lab_explore_free(Lab *lab)
{
    free_shared(lab);
    free(lab->explore);
    lab->explore = NULL;
}

/* ---- telling the console ----------------------------------------------------------------------- */

/* Takes over `from`, but only those cells that `to` has not yet. `*room` counts cells. */
static void copy_state(ExploreState *to, const ExploreState *from, long *room)
{
    ExploreCell *cell = to->result.cell;
    long have = to->serial == from->serial ? to->result.cells : 0;
    long wanted = from->result.cells;
    if (wanted > *room) {
        long more = wanted > *room * 2 ? wanted : *room * 2;
        ExploreCell *larger = realloc(cell, (size_t)more * sizeof *cell);
        if (larger) {
            cell = larger;
            *room = more;
        } else {
            wanted = *room;
        }
    }
    if (wanted > have && from->result.cell)
        memcpy(cell + have, from->result.cell + have, (size_t)(wanted - have) * sizeof *cell);
    *to = *from;
    to->result.cell = cell;
    to->result.cells = wanted;
    to->result.cell_room = *room;
}

static void publish_explore(Lab *lab)
{
    LabExplore *explore = lab->explore;
    explore->published_ns = clock_now_ns();
    pthread_mutex_lock(&lab->mutex);
    if (!lab->view.explore) lab->view.explore = calloc(1, sizeof *lab->view.explore);
    if (lab->view.explore) copy_state(lab->view.explore, &explore->now, &explore->cell_room);
    lab->view.explore_serial++;
    pthread_mutex_unlock(&lab->mutex);
    lab_publish(lab);
}

void lab_explore_copy(const Lab *lab, LabView *view)
{
    if (!lab->view.explore) return;
    if (!view->explore) view->explore = calloc(1, sizeof *view->explore);
    if (!view->explore) return;
    long room = view->explore->result.cell_room;
    copy_state(view->explore, lab->view.explore, &room);
}

/* ---- exploring ------------------------------------------------------------------------------------- */

static void take_result(LabExplore *explore)
{
    if (explore->explorer) explore->now.result = *explorer_result(explore->explorer);
}

/* The explorer and its nodes go; what it found stays. */
static void end_explorer(Lab *lab)
{
    LabExplore *explore = lab->explore;
    take_result(explore);
    explore->now.running = false;
    publish_explore(lab); /* the last cells, as long as they are there */
    explorer_close(explore->explorer);
    explore->explorer = NULL;
    explore->now.result.cell = NULL;
}

static void serve_explore(Lab *lab, const Request *request)
{
    LabExplore *explore = lab->explore;
    Error error = {""};
    ExploreOptions options = request->options;
    if (lab->race || !lab->ready) return;
    lab_clear_small(lab);
    lab->elsewhere = true;
    if (options.limit == 0 || options.limit > MOST_CELLS) options.limit = MOST_CELLS;
    explore->now = (ExploreState){.serial = explore->now.serial + 1, .luck = explore->now.luck};
    explore->now.result.spec = request->spec;
    explore->now.result.shortest = -1;
    explore->explorer = explorer_open(lab->stores, &request->spec, &options, &error);
    if (!explore->explorer) {
        explore->now.result.failed = explore->now.result.over = true;
        explore->now.result.error = error;
        publish_explore(lab);
        lab_trouble(lab, &error);
        return;
    }
    explore->now.running = true;
    take_result(explore);
    publish_explore(lab);
}

static void explore_slice(Lab *lab)
{
    LabExplore *explore = lab->explore;
    bool more = explorer_slice(explore->explorer, SLICE_MS);
    if (!more) {
        OwnStop stop = own_run_stopped(&explorer_world(explore->explorer)->own);
        end_explorer(lab);
        if (explore->now.result.failed) lab_trouble(lab, &explore->now.result.error);
        lab_mend(lab, stop);
        return;
    }
    if (clock_now_ns() - explore->published_ns < (uint64_t)PUBLISH_MS * 1000000u) return;
    take_result(explore);
    publish_explore(lab);
}

/* ---- luck ---------------------------------------------------------------------------------------------- */

static void serve_luck(Lab *lab, const Request *request)
{
    LabExplore *explore = lab->explore;
    if (lab->race || !lab->ready) return;
    lab_clear_small(lab);
    lab->elsewhere = true;
    explore->now.luck = (Luck){.running = request->number > 0, .spec = request->spec,
                               .wanted = request->number};
    publish_explore(lab);
}

static bool race_once(Lab *lab, Verdict verdict[INVARIANT_COUNT], Error *error)
{
    static Report report; /* large; the lab's thread alone comes here */
    Race *race = race_open(lab->stores, &lab->explore->now.luck.spec, error);
    if (!race) return false;
    uint64_t limit = clock_now_ns() + LUCK_PATIENCE_S * 1000000000ull;
    race_release(race);
    while (race_poll(race, NULL)) {
        clock_sleep_ns(LUCK_POLL_NS);
        if (clock_now_ns() > limit) race_stop(race);
    }
    race_judge(race, lab->observer, &report);
    race_close(race);
    memcpy(verdict, report.verdict, sizeof report.verdict);
    return report.trouble[0] ? error_set(error, "%s", report.trouble) : true;
}

static void luck_slice(Lab *lab)
{
    Luck *luck = &lab->explore->now.luck;
    Verdict verdict[INVARIANT_COUNT];
    Error error = {""};
    if (!race_once(lab, verdict, &error)) {
        luck->running = false;
        publish_explore(lab);
        lab_trouble(lab, &error);
        return;
    }
    bool any = false;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        bool broken = verdict[i].state == VERDICT_BROKEN;
        luck->broke[i] += broken;
        any |= broken;
    }
    luck->broke_any += any;
    luck->running = ++luck->races < luck->wanted;
    if (!luck->running || clock_now_ns() - lab->explore->published_ns > (uint64_t)PUBLISH_MS * 1000000u)
        publish_explore(lab);
}

/* ---- for the lab's thread -------------------------------------------------------------------------------- */

bool lab_explore_runs(const Lab *lab)
{
    return lab->explore->explorer || lab->explore->now.luck.running;
}

void lab_explore_slice(Lab *lab)
{
    if (lab->explore->explorer)
        explore_slice(lab);
    else
        luck_slice(lab);
}

void lab_explore_end(Lab *lab)
{
    LabExplore *explore = lab->explore;
    if (!lab_explore_runs(lab)) return;
    explore->now.stopped = explore->explorer != NULL;
    explore->now.luck.running = false;
    if (explore->explorer)
        end_explorer(lab);
    else
        publish_explore(lab);
}

static void serve_stop(Lab *lab, const Request *request)
{
    (void)request;
    lab_explore_end(lab);
}

/* ---- for the console --------------------------------------------------------------------------------------- */

void lab_explore(Lab *lab, const Spec *spec, const ExploreOptions *options)
{
    lab_ask(lab, &(Request){.serve = serve_explore, .spec = *spec, .options = *options});
}

void lab_luck(Lab *lab, const Spec *spec, int races)
{
    lab_ask(lab, &(Request){.serve = serve_luck, .spec = *spec, .number = races});
}

void lab_explore_stop(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_stop});
}
