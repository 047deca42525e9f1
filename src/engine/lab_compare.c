/* The lab's comparison: one race after the other, a slice at a time, between which requests are heard. */
#include <stdlib.h>
#include <string.h>

#include "engine/lab_private.h"

struct LabCompare {
    Comparer *comparer; /* NULL: none is at work */
    CompareState now;
};

bool lab_compare_make(Lab *lab)
{
    lab->compare = calloc(1, sizeof *lab->compare);
    return lab->compare != NULL;
}

void lab_compare_free(Lab *lab)
{
    free(lab->view.compare);
    lab->view.compare = NULL;
    free(lab->compare);
    lab->compare = NULL;
}

/* ---- telling the console ------------------------------------------------------------------------------ */

static void publish_compare(Lab *lab)
{
    LabCompare *compare = lab->compare;
    if (compare->comparer) compare->now.result = *comparer_result(compare->comparer);
    pthread_mutex_lock(&lab->mutex);
    if (!lab->view.compare) lab->view.compare = calloc(1, sizeof *lab->view.compare);
    if (lab->view.compare) *lab->view.compare = compare->now;
    lab->view.compare_serial++;
    pthread_mutex_unlock(&lab->mutex);
    lab_publish(lab);
}

void lab_compare_copy(const Lab *lab, LabView *view)
{
    if (!lab->view.compare) return;
    if (!view->compare) view->compare = calloc(1, sizeof *view->compare);
    if (view->compare) *view->compare = *lab->view.compare;
}

/* ---- making it ------------------------------------------------------------------------------------------ */

static void end_comparer(Lab *lab)
{
    LabCompare *compare = lab->compare;
    compare->now.running = false;
    publish_compare(lab);
    comparer_close(compare->comparer);
    compare->comparer = NULL;
}

static void serve_compare(Lab *lab, const Request *request)
{
    LabCompare *compare = lab->compare;
    Error error = {""};
    if (lab->race || !lab->ready) return;
    lab_clear_small(lab);
    lab->elsewhere = true;
    compare->now = (CompareState){.serial = compare->now.serial + 1};
    compare->comparer = comparer_open(lab->stores, (const Spec *)(const void *)request->text, request->number, &error);
    if (!compare->comparer) {
        compare->now.result.failed = compare->now.result.over = true;
        compare->now.result.error = error;
        publish_compare(lab);
        lab_trouble(lab, &error);
        return;
    }
    compare->now.running = true;
    publish_compare(lab);
}

void lab_compare_slice(Lab *lab)
{
    LabCompare *compare = lab->compare;
    if (comparer_next(compare->comparer)) {
        publish_compare(lab);
        return;
    }
    end_comparer(lab);
    if (compare->now.result.failed) lab_trouble(lab, &compare->now.result.error);
}

/* ---- for the lab's thread --------------------------------------------------------------------------------- */

bool lab_compare_runs(const Lab *lab)
{
    return lab->compare->comparer != NULL;
}

void lab_compare_end(Lab *lab)
{
    if (!lab_compare_runs(lab)) return;
    lab->compare->now.stopped = true;
    end_comparer(lab);
}

static void serve_stop(Lab *lab, const Request *request)
{
    (void)request;
    lab_compare_end(lab);
}

/* ---- for the console ---------------------------------------------------------------------------------------- */

void lab_compare(Lab *lab, const Spec *specs, int count)
{
    size_t size = (size_t)count * sizeof *specs;
    char *copy = malloc(size);
    if (!copy) return;
    memcpy(copy, specs, size);
    lab_ask(lab, &(Request){.serve = serve_compare, .number = count, .text = copy});
}

void lab_compare_stop(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_stop});
}
