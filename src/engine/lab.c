#include "engine/lab_private.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/reproduce.h"

enum {
    RACE_POLL_MS = 20,
    SNAPSHOT_MS = 100,     /* while a race runs */
    IDLE_SNAPSHOT_MS = 1000,
    SERVER_TIMEOUT_MS = 60000
};

/* ---- telling the console -------------------------------------------------------------------- */

void lab_publish(Lab *lab)
{
    pthread_mutex_lock(&lab->mutex);
    LabView *view = &lab->view;
    /* What the view points to is published by those who make it. */
    lab->draft.answer = view->answer;
    lab->draft.answer_serial = view->answer_serial;
    lab->draft.step = view->step;
    lab->draft.step_serial = view->step_serial;
    lab->draft.explore = view->explore;
    lab->draft.explore_serial = view->explore_serial;
    lab->draft.crash = view->crash;
    lab->draft.crash_serial = view->crash_serial;
    lab->draft.compare = view->compare;
    lab->draft.compare_serial = view->compare_serial;
    lab->draft.exam = view->exam;
    lab->draft.exam_serial = view->exam_serial;
    *view = lab->draft;
    pthread_mutex_unlock(&lab->mutex);
    uint64_t one = 1;
    if (write(lab->news_fd, &one, sizeof one) < 0) return; /* already full: the news is known */
}

static void set_phase(Lab *lab, LabPhase phase)
{
    lab->draft.phase = phase;
    stores_status(lab->stores, lab->draft.server);
    lab_publish(lab);
}

static void set_message(Lab *lab, const char *text)
{
    snprintf(lab->draft.message, sizeof lab->draft.message, "%s", text);
}

static void answer_with(Lab *lab, char *text)
{
    pthread_mutex_lock(&lab->mutex);
    free(lab->view.answer);
    lab->view.answer = text;
    lab->view.answer_serial++;
    pthread_mutex_unlock(&lab->mutex);
    lab_publish(lab);
}

/* ---- watching -------------------------------------------------------------------------------------- */

static void note_history(LabView *view)
{
    if (view->history == HISTORY) {
        memmove(view->stock_history, view->stock_history + 1, (HISTORY - 1) * sizeof(long));
        memmove(view->orders_history, view->orders_history + 1, (HISTORY - 1) * sizeof(long));
        memmove(view->waiting_history, view->waiting_history + 1, (HISTORY - 1) * sizeof(long));
        view->history--;
    }
    bool in_redis = view->spec.stock_in_redis && !view->spec.stock_in_sql;
    view->stock_history[view->history] = in_redis ? view->snapshot.redis_stock : view->snapshot.stock;
    view->waiting_history[view->history] = view->race.queues.waiting;
    view->orders_history[view->history++] = view->snapshot.orders;
}

static void take_snapshot(Lab *lab)
{
    observer_take(lab->observer, 1, &lab->draft.snapshot);
    lab->draft.has_snapshot = true;
    if (lab->race) {
        race_locks(lab->race, &lab->draft.snapshot);
        race_queues(lab->race, &lab->draft.snapshot, &lab->draft.race.queues);
        note_history(&lab->draft);
        race_verdicts_now(lab->race, &lab->draft.snapshot, lab->draft.verdict);
    }
    int period = lab->race ? SNAPSHOT_MS : IDLE_SNAPSHOT_MS;
    lab->snapshot_due_ns = clock_now_ns() + (uint64_t)period * 1000000u;
}

/* An idle console publishes only what changed, so that it can sleep. */
static bool idle_news(const Lab *lab)
{
    static const size_t after_time = offsetof(Snapshot, sql_ok);
    const char *old = (const char *)&lab->view.snapshot, *new = (const char *)&lab->draft.snapshot;
    return memcmp(old + after_time, new + after_time, sizeof(Snapshot) - after_time) != 0 ||
           memcmp(lab->view.server, lab->draft.server, sizeof lab->view.server) != 0;
}

static void look_around(Lab *lab)
{
    stores_status(lab->stores, lab->draft.server);
    if (lab->elsewhere)
        lab->snapshot_due_ns = clock_now_ns() + (uint64_t)IDLE_SNAPSHOT_MS * 1000000u;
    else
        take_snapshot(lab);
    if (!lab->elsewhere && lab->draft.phase != LAB_BROKEN && lab_own_went(lab))
        lab_trouble(lab, &(Error){""});
    else if (idle_news(lab))
        lab_publish(lab);
}

/* ---- requests ---------------------------------------------------------------------------------------- */

static void start_view(Lab *lab, const Spec *spec)
{
    lab_clear_small(lab);
    lab->elsewhere = false;
    lab->draft.spec = *spec;
    lab->draft.history = 0;
    lab->draft.has_report = false;
    lab->draft.message[0] = '\0';
    memset(&lab->draft.race, 0, sizeof lab->draft.race);
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        bool judged = spec->breaks[i] || spec->keeps[i];
        lab->draft.verdict[i] = (Verdict){judged ? VERDICT_UNKNOWN : VERDICT_NONE, ""};
    }
}

static bool server_is(const ServerStatus server[SERVER_COUNT], ServerState state)
{
    for (int i = 0; i < SERVER_COUNT; i++)
        if (server[i].state == state) return true;
    return false;
}

static bool stores_alive(Lab *lab)
{
    ServerStatus status[SERVER_COUNT];
    stores_status(lab->stores, status);
    return !server_is(status, SERVER_DOWN) && !server_is(status, SERVER_FAILED) && !lab_own_lost(lab);
}

void lab_trouble(Lab *lab, const Error *error)
{
    LabPhase calm = lab->draft.has_report ? LAB_DONE : LAB_IDLE;
    set_message(lab, error->text);
    lab_own_advice(lab, error->text);
    set_phase(lab, stores_alive(lab) ? calm : LAB_BROKEN);
}

/* What takes long is done a slice at a time, between which requests are heard. At most one of them is at work. */
static const struct LongTask {
    bool (*runs)(const Lab *lab);
    void (*slice)(Lab *lab);
    void (*end)(Lab *lab);
    bool looks_on; /* others do the work: a look now and then is enough */
} long_tasks[] = {
    {lab_explore_runs, lab_explore_slice, lab_explore_end, false},
    {lab_crash_runs, lab_crash_slice, lab_crash_end, false},
    {lab_compare_runs, lab_compare_slice, lab_compare_end, true},
    {lab_locks_runs, lab_locks_slice, lab_locks_end, true},
    {lab_exam_runs, lab_exam_slice, lab_exam_end, false},
};
enum { LONG_TASKS = sizeof long_tasks / sizeof long_tasks[0] };

void lab_clear_small(Lab *lab)
{
    lab_step_end(lab);
    for (int i = 0; i < LONG_TASKS; i++) long_tasks[i].end(lab);
}

static void do_prepare(Lab *lab, const Request *request)
{
    if (lab->race || !lab->ready) return;
    start_view(lab, &request->spec);
    ShopSetup setup;
    Error error = {""};
    spec_setup(&request->spec, &setup);
    if (!stores_prepare(lab->stores, &setup, &error)) {
        lab_trouble(lab, &error);
        return;
    }
    take_snapshot(lab);
    set_phase(lab, LAB_IDLE);
}

static void do_race(Lab *lab, const Request *request)
{
    if (lab->race || !lab->ready) return;
    start_view(lab, &request->spec);
    set_phase(lab, LAB_PREPARING);
    Error error = {""};
    lab->race = race_open(lab->stores, &request->spec, &error);
    if (!lab->race) {
        lab_trouble(lab, &error);
        return;
    }
    take_snapshot(lab);
    race_release(lab->race);
    set_phase(lab, LAB_RACING);
}

static void do_pause(Lab *lab, const Request *request)
{
    if (lab->race) race_pause(lab->race, request->number);
}

static void do_pace(Lab *lab, const Request *request)
{
    if (!lab->race) return;
    race_pace(lab->race, request->number);
    lab->draft.spec.pace_ms = request->number;
}

static void do_stop(Lab *lab, const Request *request)
{
    (void)request;
    if (lab->race) race_stop(lab->race);
}

static void do_reproduce(Lab *lab, const Request *request)
{
    Report *report = &lab->draft.report;
    if (lab->race || !lab->ready || !lab->draft.has_report || lab->reproduced) return;
    lab_clear_small(lab);
    lab->elsewhere = lab->reproduced = true;
    lab->draft.reproducing = true;
    lab_publish(lab);
    Error error = {""};
    bool fine = reproduce_race(lab->stores, &request->spec, report, &error);
    lab->draft.reproducing = false;
    lab->draft.report_serial++;
    if (fine) {
        lab_publish(lab);
        return;
    }
    snprintf(report->schedule_note, sizeof report->schedule_note, "%.190s", error.text);
    lab_trouble(lab, &error);
}

static char *not_ready(void)
{
    return strdup(_("The servers are not ready yet."));
}

static void do_redis(Lab *lab, const Request *request)
{
    lab->draft.asking = lab->ready;
    if (lab->ready) lab_publish(lab);
    char *answer = lab->ready ? observer_redis(lab->observer, request->text) : not_ready();
    lab->draft.asking = false;
    answer_with(lab, answer);
    lab->snapshot_due_ns = 0;
    lab_step_refresh(lab);
}

static void do_sql(Lab *lab, const Request *request)
{
    lab->draft.asking = lab->ready;
    if (lab->ready) lab_publish(lab);
    char *answer = lab->ready ? observer_sql(lab->observer, request->text) : not_ready();
    lab->draft.asking = false;
    answer_with(lab, answer);
    lab->snapshot_due_ns = 0;
    lab_step_refresh(lab);
}

static void connect_stores(Lab *lab);

void lab_reconnect(Lab *lab)
{
    lab_clear_small(lab);
    lab->ready = false;
    set_phase(lab, LAB_STARTING);
    connect_stores(lab);
}

static void do_restart(Lab *lab, const Request *request)
{
    (void)request;
    if (!lab->race) lab_clear_small(lab);
    Sandbox *sandbox = stores_sandbox(lab->stores);
    ServerStatus status[SERVER_COUNT];
    stores_status(lab->stores, status);
    for (int i = 0; i < SERVER_COUNT; i++)
        if (sandbox && (status[i].state == SERVER_DOWN || status[i].state == SERVER_FAILED))
            sandbox_restart(sandbox, (ServerKind)i, false);
    if (!lab->race) lab_reconnect(lab);
}

static void do_quit(Lab *lab, const Request *request)
{
    (void)request;
    lab->quitting = true;
}

static bool next_request(Lab *lab, Request *request)
{
    pthread_mutex_lock(&lab->mutex);
    bool found = lab->queued > 0;
    if (found) {
        *request = lab->queue[0];
        lab->queued--;
        memmove(lab->queue, lab->queue + 1, (size_t)lab->queued * sizeof lab->queue[0]);
    }
    pthread_mutex_unlock(&lab->mutex);
    return found;
}

static void serve_requests(Lab *lab)
{
    Request request;
    while (next_request(lab, &request)) {
        request.serve(lab, &request);
        free(request.text);
        free(request.more);
    }
}

/* Sleeps for at most `ms`, or until the console asks for something. */
static void wait_for_request(Lab *lab, int ms)
{
    struct pollfd asked = {.fd = lab->asked_fd, .events = POLLIN};
    uint64_t count;
    if (poll(&asked, 1, ms) > 0 && read(lab->asked_fd, &count, sizeof count) < 0) return;
}

/* ---- the thread's life ------------------------------------------------------------------------------------ */

/* Waits for the servers in small steps, so that their state shows and a quit is heard. */
static void connect_stores(Lab *lab)
{
    Error error = {""};
    uint64_t limit = clock_now_ns() + (uint64_t)SERVER_TIMEOUT_MS * 1000000u;
    Sandbox *sandbox = stores_sandbox(lab->stores);
    while (sandbox && !lab->quitting && clock_now_ns() < limit) {
        stores_status(lab->stores, lab->draft.server);
        bool waiting = false;
        for (int i = 0; i < SERVER_COUNT; i++)
            waiting |= lab->draft.server[i].state == SERVER_STARTING;
        if (!waiting) break;
        lab_publish(lab);
        wait_for_request(lab, 50);
        serve_requests(lab);
    }
    if (lab->quitting) return;
    if (!stores_wait(lab->stores, 5000, &error) ||
        (!lab->observer && !(lab->observer = observer_open(lab->stores, &error)))) {
        set_message(lab, error.text);
        lab_own_advice(lab, error.text);
        set_phase(lab, LAB_BROKEN);
        return;
    }
    lab->ready = true;
    lab->missed = 0;
    lab->draft.message[0] = '\0';
    set_phase(lab, LAB_IDLE);
}

static void finish_race(Lab *lab)
{
    set_phase(lab, LAB_JUDGING);
    race_judge(lab->race, lab->observer, &lab->draft.report);
    race_locks(lab->race, &lab->draft.report.truth);
    race_poll(lab->race, &lab->draft.race);
    lab_watch_servers(lab); /* the last look of this race: what comes up later must be waited for */
    race_close(lab->race);
    lab->race = NULL;
    lab->draft.has_report = true;
    lab->draft.report_serial++;
    lab->reproduced = lab->draft.report.first_broken == INVARIANT_COUNT;
    lab->draft.snapshot = lab->draft.report.truth;
    memcpy(lab->draft.verdict, lab->draft.report.verdict, sizeof lab->draft.verdict);
    note_history(&lab->draft);
    set_message(lab, lab->draft.report.trouble);
    if (server_is(lab->draft.server, SERVER_STARTING)) { /* R was pressed in the race */
        lab_reconnect(lab);
        return;
    }
    if (stores_alive(lab)) {
        set_phase(lab, LAB_DONE);
        return;
    }
    lab_own_advice(lab, lab->draft.message);
    if (lab->draft.message[0] == '\0')
        set_message(lab, _("A server died in the middle of the race. Press R to start it again."));
    set_phase(lab, LAB_BROKEN);
}

static void run_race_slice(Lab *lab)
{
    bool going = race_poll(lab->race, &lab->draft.race);
    if (clock_now_ns() >= lab->snapshot_due_ns) take_snapshot(lab);
    lab_watch_servers(lab);
    lab_publish(lab);
    if (!going) finish_race(lab);
}

/* One slice of whatever is going on. Returns how long there is nothing to do afterwards, in ms. */
static int live_slice(Lab *lab)
{
    uint64_t due_ns, now = clock_now_ns();
    if (lab->race) {
        run_race_slice(lab);
        return RACE_POLL_MS;
    }
    for (int i = 0; i < LONG_TASKS; i++) {
        const struct LongTask *task = &long_tasks[i];
        if (!task->runs(lab)) continue;
        task->slice(lab);
        return task->looks_on && task->runs(lab) ? RACE_POLL_MS : 0;
    }
    if (lab_step_plays(lab, &due_ns)) {
        if (now < due_ns) return (int)((due_ns - now) / 1000000u) + 1;
        lab_step_slice(lab);
        return 0;
    }
    if (lab->ready && now >= lab->snapshot_due_ns) look_around(lab);
    return IDLE_SNAPSHOT_MS;
}

static void *lab_thread(void *data)
{
    Lab *lab = data;
    connect_stores(lab);
    while (!lab->quitting) {
        serve_requests(lab);
        if (!lab->quitting) wait_for_request(lab, live_slice(lab));
    }
    if (lab->race) {
        race_stop(lab->race);
        race_close(lab->race);
    }
    lab_clear_small(lab);
    observer_close(lab->observer);
    stores_close(lab->stores);
    return NULL;
}

/* ---- for the console ------------------------------------------------------------------------------------------ */

/* The stores are opened by the lab's thread: the servers die with the thread that started them. */
typedef struct Opening {
    Lab *lab;
    const char *redis_url, *sql_url;
    Error *error;
    bool done, ok;
    pthread_cond_t changed;
} Opening;

static void *open_and_live(void *data)
{
    Opening *opening = data;
    Lab *lab = opening->lab;
    lab->stores = stores_open(opening->redis_url, opening->sql_url, opening->error);
    bool ok = lab->stores != NULL;
    pthread_mutex_lock(&lab->mutex);
    opening->done = true;
    opening->ok = ok;
    pthread_cond_signal(&opening->changed);
    pthread_mutex_unlock(&lab->mutex);
    return ok ? lab_thread(lab) : NULL;
}

static void lab_free(Lab *lab)
{
    close(lab->news_fd);
    close(lab->asked_fd);
    free(lab->view.answer);
    lab_step_free(lab);
    lab_explore_free(lab);
    lab_crash_free(lab);
    lab_compare_free(lab);
    lab_locks_free(lab);
    lab_exam_free(lab);
    pthread_mutex_destroy(&lab->mutex);
    free(lab);
}

static Lab *lab_make(Error *error)
{
    Lab *lab = calloc(1, sizeof *lab);
    if (lab && (!lab_step_make(lab) || !lab_explore_make(lab) || !lab_crash_make(lab) ||
                !lab_compare_make(lab) || !lab_locks_make(lab) || !lab_exam_make(lab))) {
        lab_step_free(lab);
        lab_explore_free(lab);
        lab_crash_free(lab);
        free(lab);
        lab = NULL;
    }
    if (!lab) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    pthread_mutex_init(&lab->mutex, NULL);
    lab->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    lab->asked_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return lab;
}

Lab *lab_open(const char *redis_url, const char *sql_url, Error *error)
{
    Lab *lab = lab_make(error);
    if (!lab) return NULL;
    Opening opening = {.lab = lab, .redis_url = redis_url, .sql_url = sql_url, .error = error,
                       .changed = PTHREAD_COND_INITIALIZER};
    int result = pthread_create(&lab->thread, NULL, open_and_live, &opening);
    if (result != 0) {
        error_set(error, _("Cannot start a thread: %s."), strerror(result));
        lab_free(lab);
        return NULL;
    }
    pthread_mutex_lock(&lab->mutex);
    while (!opening.done) pthread_cond_wait(&opening.changed, &lab->mutex);
    pthread_mutex_unlock(&lab->mutex);
    if (opening.ok) return lab;
    pthread_join(lab->thread, NULL);
    lab_free(lab);
    return NULL;
}

void lab_ask(Lab *lab, const Request *request)
{
    pthread_mutex_lock(&lab->mutex);
    bool room = lab->queued < REQUESTS || request->serve == do_quit;
    if (room) {
        lab->queue[lab->queued++] = *request;
    } else {
        free(request->text);
        free(request->more);
    }
    pthread_mutex_unlock(&lab->mutex);
    uint64_t one = 1;
    if (write(lab->asked_fd, &one, sizeof one) < 0) return; /* it is awake already */
}

void lab_close(Lab *lab)
{
    if (!lab) return;
    lab_ask(lab, &(Request){.serve = do_quit});
    pthread_join(lab->thread, NULL);
    lab_free(lab);
}

int lab_fd(const Lab *lab)
{
    return lab->news_fd;
}

void lab_view(Lab *lab, LabView *view)
{
    uint64_t count;
    if (read(lab->news_fd, &count, sizeof count) < 0) count = 0;
    pthread_mutex_lock(&lab->mutex);
    LabView old = {.answer = view->answer,
                   .answer_serial = view->answer_serial,
                   .step = view->step,
                   .step_serial = view->step_serial,
                   .explore = view->explore,
                   .explore_serial = view->explore_serial,
                   .crash = view->crash,
                   .crash_serial = view->crash_serial,
                   .compare = view->compare,
                   .compare_serial = view->compare_serial,
                   .exam = view->exam,
                   .exam_serial = view->exam_serial};
    *view = lab->view;
    view->answer = old.answer;
    if (old.answer_serial != lab->view.answer_serial) {
        free(old.answer);
        view->answer = lab->view.answer ? strdup(lab->view.answer) : NULL;
    }
    view->step = old.step;
    if (old.step_serial != lab->view.step_serial) lab_step_copy(lab, view);
    view->explore = old.explore;
    if (old.explore_serial != lab->view.explore_serial) lab_explore_copy(lab, view);
    view->crash = old.crash;
    if (old.crash_serial != lab->view.crash_serial) lab_crash_copy(lab, view);
    view->compare = old.compare;
    if (old.compare_serial != lab->view.compare_serial) lab_compare_copy(lab, view);
    view->exam = old.exam;
    if (old.exam_serial != lab->view.exam_serial) lab_exam_copy(lab, view);
    pthread_mutex_unlock(&lab->mutex);
}

void lab_view_free(LabView *view)
{
    free(view->answer);
    free(view->step);
    if (view->explore) free(view->explore->result.cell);
    free(view->explore);
    if (view->crash) free(view->crash->table.row);
    free(view->crash);
    free(view->compare);
    free(view->exam);
    *view = (LabView){.phase = view->phase};
}

void lab_prepare(Lab *lab, const Spec *spec)
{
    lab_ask(lab, &(Request){.serve = do_prepare, .spec = *spec});
}

void lab_race(Lab *lab, const Spec *spec)
{
    lab_ask(lab, &(Request){.serve = do_race, .spec = *spec});
}

void lab_pause(Lab *lab, bool pause)
{
    lab_ask(lab, &(Request){.serve = do_pause, .number = pause});
}

void lab_pace(Lab *lab, int pace_ms)
{
    lab_ask(lab, &(Request){.serve = do_pace, .number = pace_ms});
}

void lab_stop_race(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = do_stop});
}

void lab_redis(Lab *lab, const char *line)
{
    lab_ask(lab, &(Request){.serve = do_redis, .text = strdup(line)});
}

void lab_sql(Lab *lab, const char *query)
{
    lab_ask(lab, &(Request){.serve = do_sql, .text = strdup(query)});
}

void lab_sql_cancel(Lab *lab)
{
    pthread_mutex_lock(&lab->mutex);
    Observer *observer = lab->view.asking ? lab->observer : NULL;
    pthread_mutex_unlock(&lab->mutex);
    if (observer) observer_sql_cancel(observer);
}

void lab_restart(Lab *lab)
{
    lab_ask(lab, &(Request){.serve = do_restart});
}

void lab_reproduce(Lab *lab, const Spec *small)
{
    lab_ask(lab, &(Request){.serve = do_reproduce, .spec = *small});
}
