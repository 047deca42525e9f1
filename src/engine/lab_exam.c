/* The lab's exam of the learner's script: a slice of exploring, or a race, at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/lab_private.h"

enum { SLICE_MS = 30, PUBLISH_MS = 50 };

struct LabExam {
    Examiner *examiner; /* NULL: none is at work */
    uint64_t published_ns;
    ExamState now;
};

bool lab_exam_make(Lab *lab)
{
    lab->exam = calloc(1, sizeof *lab->exam);
    return lab->exam != NULL;
}

void lab_exam_free(Lab *lab)
{
    free(lab->view.exam);
    lab->view.exam = NULL;
    free(lab->exam);
    lab->exam = NULL;
}

void lab_mend(Lab *lab, OwnStop stop)
{
    Sandbox *sandbox = stores_sandbox(lab->stores);
    if (!own_stop_ended(stop) || !sandbox) return;
    sandbox_restart(sandbox, SERVER_REDIS, true);
    lab_reconnect(lab);
}

/* ---- telling the console --------------------------------------------------------------------- */

static void publish_exam(Lab *lab)
{
    lab->exam->published_ns = clock_now_ns();
    pthread_mutex_lock(&lab->mutex);
    if (!lab->view.exam) lab->view.exam = malloc(sizeof *lab->view.exam);
    if (lab->view.exam) *lab->view.exam = lab->exam->now;
    lab->view.exam_serial++;
    pthread_mutex_unlock(&lab->mutex);
    stores_status(lab->stores, lab->draft.server);
    lab_publish(lab);
}

void lab_exam_copy(const Lab *lab, LabView *view)
{
    if (!lab->view.exam) return;
    if (!view->exam) view->exam = malloc(sizeof *view->exam);
    if (view->exam) *view->exam = *lab->view.exam;
}

/* ---- examining ------------------------------------------------------------------------------- */

static void end_examiner(Lab *lab)
{
    LabExam *exam = lab->exam;
    exam->now.exam = *examiner_result(exam->examiner);
    exam->now.running = false;
    examiner_close(exam->examiner);
    exam->examiner = NULL;
    publish_exam(lab);
}

static void refuse(Lab *lab, const Error *error)
{
    Exam *exam = &lab->exam->now.exam;
    exam->troubled = exam->over = true;
    exam->trouble = *error;
    publish_exam(lab);
}

/* The request's text is an ExamSpec: it is too large to lie in every request. */
static void serve_exam(Lab *lab, const Request *request)
{
    LabExam *exam = lab->exam;
    Error error = {""};
    const ExamSpec *spec = (const ExamSpec *)(const void *)request->text;
    if (lab->race || !lab->ready || !spec) return;
    lab_clear_small(lab);
    lab->elsewhere = true;
    exam->now = (ExamState){.serial = exam->now.serial + 1, .own = spec->race[0].own,
                            .variant = spec->race[0].variant, .worlds = spec->worlds};
    exam->examiner = examiner_open(lab->stores, spec, &error);
    if (!exam->examiner) {
        refuse(lab, &error);
        return;
    }
    exam->now.running = true;
    publish_exam(lab);
}

void lab_exam_slice(Lab *lab)
{
    LabExam *exam = lab->exam;
    bool more = examiner_slice(exam->examiner, SLICE_MS);
    exam->now.exam = *examiner_result(exam->examiner);
    if (!more) {
        end_examiner(lab);
        if (exam->now.exam.troubled) lab_trouble(lab, &exam->now.exam.trouble);
        return;
    }
    if (clock_now_ns() - exam->published_ns > (uint64_t)PUBLISH_MS * 1000000u) publish_exam(lab);
}

/* ---- for the lab's thread -------------------------------------------------------------------- */

bool lab_exam_runs(const Lab *lab)
{
    return lab->exam->examiner != NULL;
}

void lab_exam_end(Lab *lab)
{
    if (!lab_exam_runs(lab)) return;
    lab->exam->now.stopped = true;
    end_examiner(lab);
}

static void serve_stop(Lab *lab, const Request *request)
{
    (void)request;
    lab_exam_end(lab);
}

/* ---- for the console ------------------------------------------------------------------------- */

void lab_exam(Lab *lab, const ExamSpec *spec)
{
    ExamSpec *copy = malloc(sizeof *copy);
    if (copy) *copy = *spec;
    lab_ask(lab, &(Request){.serve = serve_exam, .text = (char *)copy});
}

void lab_exam_stop(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = serve_stop});
}
