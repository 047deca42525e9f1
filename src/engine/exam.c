#include "engine/exam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "engine/race.h"
#include "engine/referee.h"
#include "engine/warden.h"

enum { POLL_NS = 2000000, RACE_PATIENCE_S = 20, MOST_RUNS = 200000 };

typedef enum Stage { STAGE_LOAD, STAGE_TRIAL, STAGE_RACE, STAGE_EXPLORE, STAGE_OVER } Stage;

struct Examiner {
    Stores *stores;
    ExamSpec spec;
    Stage stage;
    int races;          /* made */
    Observer *observer;
    Explorer *explorer; /* of the world at hand; NULL: not begun */
    uint64_t began_ns;
    Exam exam;
};

/* ---- names ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *words;
} checks[EXAM_CHECKS] = {
    [EXAM_LOADS] = {"loads", N_("Redis takes the script")},
    [EXAM_RUNS] = {"runs", N_("it comes to its end, without an error")},
    [EXAM_SELLS] = {"sells", N_("without faults it sells exactly what it should")},
    [EXAM_EXPLORED] = {"explored", N_("no schedule breaks anything")},
};

const char *exam_check_name(ExamCheck check)
{
    return checks[check].name;
}

const char *exam_check_words(ExamCheck check)
{
    return _(checks[check].words);
}

const char *exam_trouble_words(const Exam *exam)
{
    static const char *const words[EXAM_CHECKS + 1] = {
        [EXAM_LOADS] = N_("Redis does not take the script"),
        [EXAM_RUNS] = N_("the script ends with an error"),
        [EXAM_SELLS] = N_("without faults it does not sell what it should"),
        [EXAM_EXPLORED] = N_("a schedule breaks something"),
        [EXAM_CHECKS] = "",
    };
    ExamCheck failed = exam_failed(exam);
    if (failed == EXAM_RUNS && exam->stopped != OWN_RUNS) return _("the script does not end");
    return *words[failed] ? _(words[failed]) : "";
}

ExamCheck exam_failed(const Exam *exam)
{
    int check = 0;
    while (check < EXAM_CHECKS && exam->mark[check] != EXAM_FAILED) check++;
    return (ExamCheck)check;
}

bool exam_has_counterexample(const Exam *exam)
{
    return exam->explored.best.schedules > 0;
}

/* ---- noting what was seen -------------------------------------------------------------------- */

static void mark(Exam *exam, ExamCheck check, ExamMark how, const char *detail)
{
    exam->mark[check] = how;
    snprintf(exam->detail[check], sizeof exam->detail[check], "%.199s", detail);
}

static bool trouble(Examiner *examiner, const Error *error)
{
    examiner->exam.troubled = true;
    examiner->exam.trouble = *error;
    examiner->stage = STAGE_OVER;
    return false;
}

static void note_error(Exam *exam, const char *words)
{
    if (exam->error[0]) return;
    snprintf(exam->error, sizeof exam->error, "%s", words);
    exam->error_line = own_error_line(words);
}

/* After a run of any kind. False when the script did not end: then no further run makes sense. */
static bool look_at_script(Examiner *examiner, const OwnRun *run)
{
    Exam *exam = &examiner->exam;
    exam->stopped = own_run_stopped(run);
    if (exam->stopped != OWN_RUNS) {
        mark(exam, EXAM_RUNS, EXAM_FAILED, own_stop_words(exam->stopped));
        examiner->stage = STAGE_OVER;
        return false;
    }
    if (!exam->odd[0]) own_run_odd(run, exam->odd, sizeof exam->odd);
    const char *words = own_run_error(run);
    if (!words) return true;
    note_error(exam, words);
    mark(exam, EXAM_RUNS, EXAM_FAILED, "");
    return true;
}

/* ---- does it load? --------------------------------------------------------------------------- */

static bool load(Examiner *examiner)
{
    Exam *exam = &examiner->exam;
    Error error = {""};
    redisReply *reply = NULL;
    const char *words[] = {"SCRIPT", "LOAD", examiner->spec.race[0].own->text};
    StoreStatus status = redis_link_argv(stores_redis(examiner->stores), &reply, &error, 3, words, NULL);
    if (reply) freeReplyObject(reply);
    if (status == STORE_LOST) return trouble(examiner, &error);
    examiner->stage = STAGE_TRIAL;
    if (status == STORE_OK) {
        mark(exam, EXAM_LOADS, EXAM_PASSED, "");
        return true;
    }
    note_error(exam, error.text);
    mark(exam, EXAM_LOADS, EXAM_FAILED, "");
    examiner->stage = STAGE_OVER;
    return false;
}

/* ---- does it sell? --------------------------------------------------------------------------- */

/* To the end, or until the script is stopped, or nobody gets on any more. */
static void run_race(Race *race)
{
    bool stopping = false;
    uint64_t limit = clock_now_ns() + RACE_PATIENCE_S * UINT64_C(1000000000);
    race_release(race);
    while (race_poll(race, NULL)) {
        clock_sleep_ns(POLL_NS);
        bool enough = own_run_stopped(&race_world(race)->own) != OWN_RUNS || clock_now_ns() > limit;
        if (enough && !stopping) race_stop(race);
        stopping = stopping || enough;
    }
}

/* One buyer alone, first: what goes wrong for everybody is found at the price of one. */
static void try_once(Examiner *examiner)
{
    Spec spec = examiner->spec.race[0];
    Error error = {""};
    spec.users = 1;
    Race *race = race_open(examiner->stores, &spec, &error);
    examiner->stage = STAGE_RACE;
    if (!race) {
        trouble(examiner, &error);
        return;
    }
    run_race(race);
    look_at_script(examiner, &race_world(race)->own);
    race_close(race);
    /* Twenty of them would only take twenty times as long. */
    if (strstr(examiner->exam.error, "not enough memory")) examiner->stage = STAGE_OVER;
}

static void note_race(Exam *exam, int number, const Report *report)
{
    const Spec *spec = &report->spec;
    ExamRace *race = &exam->race[number];
    char detail[200] = "";
    long demand = referee_demand(spec);
    *race = (ExamRace){true, spec->users, spec->stock, demand < spec->stock ? demand : spec->stock,
                       report->truth.orders};
    if (exam->mark[EXAM_SELLS] == EXAM_FAILED) return;
    if (exam->odd[0])
        snprintf(detail, sizeof detail, "%s", exam->odd);
    else if (race->sold != race->wanted)
        snprintf(detail, sizeof detail, _("%d buyers, %ld in stock: %ld sold, it should be %ld"), race->users,
                 race->stock, race->sold, race->wanted);
    else if (report->first_broken < INVARIANT_COUNT)
        snprintf(detail, sizeof detail, "%s: %s", invariant_name((Invariant)report->first_broken),
                 report->verdict[report->first_broken].detail);
    else if (!report->complete)
        snprintf(detail, sizeof detail, "%s", _("not every request was answered"));
    mark(exam, EXAM_SELLS, detail[0] ? EXAM_FAILED : EXAM_PASSED, detail);
    if (number + 1 < EXAM_RACES && !detail[0]) exam->mark[EXAM_SELLS] = EXAM_OPEN;
}

/* The report is large: on no thread's stack, and, since users' threads would pay for it, in none's own memory. */
static void judge_once(Examiner *examiner, Race *race)
{
    Error error = {""};
    Report *report = malloc(sizeof *report);
    if (report) race_judge(race, examiner->observer, report);
    if (!report || report->trouble[0]) {
        error_set(&error, "%s", report ? report->trouble : _("Out of memory."));
        trouble(examiner, &error);
    } else {
        note_race(&examiner->exam, examiner->races, report);
    }
    free(report);
}

static void race_once(Examiner *examiner)
{
    Error error = {""};
    Race *race = race_open(examiner->stores, &examiner->spec.race[examiner->races], &error);
    if (!race) {
        trouble(examiner, &error);
        return;
    }
    run_race(race);
    if (look_at_script(examiner, &race_world(race)->own)) judge_once(examiner, race);
    race_close(race);
    if (++examiner->races == EXAM_RACES && examiner->stage == STAGE_RACE) examiner->stage = STAGE_EXPLORE;
}

/* ---- does it hold? --------------------------------------------------------------------------- */

static bool begin_exploring(Examiner *examiner)
{
    const Spec *spec = &examiner->spec.world[examiner->exam.world];
    ExploreOptions options = {.prune = true, .preemptions = spec->preemptions > 0 ? spec->preemptions : -1,
                              .limit = MOST_RUNS};
    Error error = {""};
    examiner->explorer = explorer_open(examiner->stores, spec, &options, &error);
    return examiner->explorer || trouble(examiner, &error);
}

/* The cells are the explorer's own, and go with it. */
static void take_exploration(Examiner *examiner)
{
    Exploration *explored = &examiner->exam.explored;
    *explored = *explorer_result(examiner->explorer);
    explored->cell = NULL;
    explored->cells = 0;
    explored->shortest = -1;
}

static void judge_exploration(Examiner *examiner)
{
    Exam *exam = &examiner->exam;
    const Exploration *explored = &exam->explored;
    char detail[200] = "";
    exam->schedules += explored->runs;
    exam->unpruned += explored->unpruned;
    exploration_covers(explored, exam->covers[exam->world], sizeof exam->covers[0]);
    if (explored->violating_any > 0) {
        for (int i = INVARIANT_COUNT - 1; i >= 0; i--)
            if (explored->best.broken >> i & 1)
                snprintf(detail, sizeof detail, "%s: %s", invariant_name((Invariant)i),
                         invariant_words((Invariant)i));
        mark(exam, EXAM_EXPLORED, EXAM_FAILED, exam->odd[0] ? exam->odd : detail);
    } else if (exam->odd[0]) {
        mark(exam, EXAM_EXPLORED, EXAM_FAILED, exam->odd);
    } else if (!explored->complete) {
        mark(exam, EXAM_EXPLORED, EXAM_FAILED, _("the schedules are too many: they could not all be run"));
    }
    bool last = exam->world + 1 == examiner->spec.worlds;
    if (exam->mark[EXAM_EXPLORED] == EXAM_FAILED || exam_has_counterexample(exam) || last)
        examiner->stage = STAGE_OVER;
    else
        exam->world++;
    if (exam->mark[EXAM_EXPLORED] == EXAM_OPEN && last && !exam_has_counterexample(exam)) mark(exam, EXAM_EXPLORED, EXAM_PASSED, "");
}

static bool servers_live(Stores *stores)
{
    ServerStatus status[SERVER_COUNT];
    stores_status(stores, status);
    for (int i = 0; i < SERVER_COUNT; i++)
        if (status[i].state != SERVER_READY && status[i].state != SERVER_ABSENT) return false;
    return true;
}

/* With both servers there it is the script's doing: one that looks at the time, or at chance, does not repeat itself. */
static void fail_exploration(Examiner *examiner, const Error *error)
{
    mark(&examiner->exam, EXAM_EXPLORED, EXAM_FAILED, error->text);
    examiner->stage = STAGE_OVER;
}

/* The shortest run in which somebody was answered with an error: it breaks no invariant, and shows all the same
 * where the script fails. */
static void find_failing_run(Examiner *examiner)
{
    const Exploration *all = explorer_result(examiner->explorer);
    ExploreCell *best = &examiner->exam.explored.best;
    for (long i = 0; i < all->cells; i++) {
        const ExploreCell *cell = &all->cell[i];
        if (!strstr(all->outcome[cell->outcome].text, "=error")) continue;
        bool better = best->schedules == 0 || cell->preemptions < best->preemptions ||
                      (cell->preemptions == best->preemptions && cell->count < best->count);
        if (better) *best = *cell;
    }
}

static void explore(Examiner *examiner, int ms)
{
    if (!examiner->explorer && !begin_exploring(examiner)) return;
    bool more = explorer_slice(examiner->explorer, ms);
    take_exploration(examiner);
    if (more) return;
    const Exploration *explored = &examiner->exam.explored;
    bool fine = look_at_script(examiner, &explorer_world(examiner->explorer)->own);
    Error error = explored->error;
    if (examiner->exam.error[0] && explored->violating_any == 0) find_failing_run(examiner);
    explorer_close(examiner->explorer);
    examiner->explorer = NULL;
    if (!fine) return;
    if (explored->failed && !servers_live(examiner->stores))
        trouble(examiner, &error);
    else if (explored->failed)
        fail_exploration(examiner, &error);
    else
        judge_exploration(examiner);
}

/* ---- the whole ------------------------------------------------------------------------------- */

Examiner *examiner_open(Stores *stores, const ExamSpec *spec, Error *error)
{
    if (!warden_allows(stores, error)) return NULL;
    Observer *observer = observer_open(stores, error);
    Examiner *examiner = observer ? calloc(1, sizeof *examiner) : NULL;
    if (!examiner) {
        if (observer) error_set(error, "%s", _("Out of memory."));
        observer_close(observer);
        return NULL;
    }
    examiner->stores = stores;
    examiner->spec = *spec;
    examiner->observer = observer;
    examiner->began_ns = clock_now_ns();
    examiner->exam.explored.shortest = -1;
    return examiner;
}

/* What was not come to means nothing any more. */
static void finish(Examiner *examiner)
{
    Exam *exam = &examiner->exam;
    Error error = {""};
    bool untried = exam->mark[EXAM_LOADS] == EXAM_PASSED && exam->mark[EXAM_RUNS] == EXAM_OPEN && !exam->troubled;
    if (untried) exam->mark[EXAM_RUNS] = EXAM_PASSED;
    exam->passed = !exam->troubled;
    for (int i = 0; i < EXAM_CHECKS; i++) {
        if (exam->mark[i] == EXAM_OPEN) exam->mark[i] = EXAM_LEFT_OUT;
        if (exam->mark[i] != EXAM_PASSED) exam->passed = false;
    }
    if (!warden_mend(examiner->stores, exam->stopped, &error)) trouble(examiner, &error);
    exam->over = true;
}

bool examiner_slice(Examiner *examiner, int ms)
{
    Exam *exam = &examiner->exam;
    if (exam->over) return false;
    if (examiner->stage == STAGE_LOAD)
        load(examiner);
    else if (examiner->stage == STAGE_TRIAL)
        try_once(examiner);
    else if (examiner->stage == STAGE_RACE)
        race_once(examiner);
    else if (examiner->stage == STAGE_EXPLORE)
        explore(examiner, ms);
    exam->seconds = (double)(clock_now_ns() - examiner->began_ns) / 1e9;
    if (examiner->stage == STAGE_OVER) finish(examiner);
    return !exam->over;
}

const Exam *examiner_result(const Examiner *examiner)
{
    return &examiner->exam;
}

void examiner_close(Examiner *examiner)
{
    if (!examiner) return;
    explorer_close(examiner->explorer);
    observer_close(examiner->observer);
    free(examiner);
}
