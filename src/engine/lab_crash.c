/* The lab's crash table: a row a slice, between which requests are heard. */
#include <stdlib.h>
#include <string.h>

#include "engine/lab_private.h"

struct LabCrash {
    CrashTabler *tabler; /* NULL: none is at work */
    CrashState now;      /* table.row is the tabler's, while it lives */
};

bool lab_crash_make(Lab *lab)
{
    lab->crash = calloc(1, sizeof *lab->crash);
    return lab->crash != NULL;
}

void lab_crash_free(Lab *lab)
{
    if (lab->view.crash) free(lab->view.crash->table.row);
    free(lab->view.crash);
    lab->view.crash = NULL;
    free(lab->crash);
    lab->crash = NULL;
}

/* ---- telling the console ------------------------------------------------------------------------------ */

/* Takes over `from`, but only those rows that `to` has not yet. */
static void copy_state(CrashState *to, const CrashState *from)
{
    CrashRow *row = to->table.row;
    int room = to->row_room;
    int have = to->serial == from->serial ? to->table.rows : 0;
    int rows = from->table.rows;
    if (from->table.wanted > room) {
        CrashRow *larger = realloc(row, (size_t)from->table.wanted * sizeof *row);
        if (larger) {
            row = larger;
            room = from->table.wanted;
        }
    }
    if (rows > room) rows = room;
    if (rows > have && from->table.row)
        memcpy(row + have, from->table.row + have, (size_t)(rows - have) * sizeof *row);
    *to = *from;
    to->table.row = row;
    to->table.rows = rows;
    to->row_room = room;
}

static void publish_crash(Lab *lab)
{
    LabCrash *crash = lab->crash;
    pthread_mutex_lock(&lab->mutex);
    if (!lab->view.crash) lab->view.crash = calloc(1, sizeof *lab->view.crash);
    if (lab->view.crash) copy_state(lab->view.crash, &crash->now);
    lab->view.crash_serial++;
    pthread_mutex_unlock(&lab->mutex);
    lab_publish(lab);
}

void lab_crash_copy(const Lab *lab, LabView *view)
{
    if (!lab->view.crash) return;
    if (!view->crash) view->crash = calloc(1, sizeof *view->crash);
    if (!view->crash) return;
    copy_state(view->crash, lab->view.crash);
}

/* ---- making it ------------------------------------------------------------------------------------------ */

static void end_tabler(Lab *lab)
{
    LabCrash *crash = lab->crash;
    crash->now.table = *crash_tabler_table(crash->tabler);
    crash->now.running = false;
    publish_crash(lab); /* the last rows, as long as they are there */
    crash_tabler_close(crash->tabler);
    crash->tabler = NULL;
    crash->now.table.row = NULL;
}

static void refuse(Lab *lab, const Error *error)
{
    CrashTable *table = &lab->crash->now.table;
    table->refused = table->over = true;
    table->error = *error;
    publish_crash(lab);
}

static void serve_table(Lab *lab, const Request *request)
{
    static Schedule schedule;
    LabCrash *crash = lab->crash;
    Error error = {""};
    if (lab->race || !lab->ready) return;
    lab_clear_small(lab);
    lab->elsewhere = true;
    crash->now = (CrashState){.serial = crash->now.serial + 1, .table.spec = request->spec};
    if (request->text && !schedule_parse(request->text, &schedule, &error)) {
        refuse(lab, &error);
        return;
    }
    crash->tabler = crash_tabler_open(lab->stores, &request->spec, request->text ? &schedule : NULL, &error);
    if (!crash->tabler) {
        refuse(lab, &error);
        lab_trouble(lab, &error);
        return;
    }
    if (crash_tabler_table(crash->tabler)->over) {
        end_tabler(lab);
        return;
    }
    crash->now.running = true;
    crash->now.table = *crash_tabler_table(crash->tabler);
    publish_crash(lab);
}

void lab_crash_slice(Lab *lab)
{
    LabCrash *crash = lab->crash;
    bool more = crash_tabler_next(crash->tabler);
    if (more) {
        crash->now.table = *crash_tabler_table(crash->tabler);
        publish_crash(lab);
        return;
    }
    end_tabler(lab);
    if (crash->now.table.failed) lab_trouble(lab, &crash->now.table.error);
}

/* ---- for the lab's thread --------------------------------------------------------------------------------- */

bool lab_crash_runs(const Lab *lab)
{
    return lab->crash->tabler != NULL;
}

void lab_crash_end(Lab *lab)
{
    if (!lab_crash_runs(lab)) return;
    lab->crash->now.stopped = true;
    end_tabler(lab);
}

static void serve_stop(Lab *lab, const Request *request)
{
    (void)request;
    lab_crash_end(lab);
}

/* ---- for the console ---------------------------------------------------------------------------------------- */

void lab_crash_table(Lab *lab, const Spec *spec, const char *moves)
{
    lab_ask(lab, &(Request){.serve = serve_table, .spec = *spec, .text = moves ? strdup(moves) : NULL});
}

void lab_crash_stop(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_stop});
}
