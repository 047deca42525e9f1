/* exam.h -- is the learner's script right? Four checks, in this order:
 *
 *   loads     Redis takes the script;
 *   runs      it ends, and without an error, in every run that is made here;
 *   sells     two free races without faults, one with more vouchers than buyers and one with fewer, sell exactly
 *             min(stock, demand): a script that does nothing fails;
 *   explored  no schedule of the small worlds breaks anything, with the faults that they have.
 *
 * One thread drives an exam, slice by slice; its result may be read between slices. */
#ifndef ENGINE_EXAM_H
#define ENGINE_EXAM_H

#include "engine/explore.h"

enum { EXAM_WORLDS = 4, EXAM_RACES = 2 };

/* What is examined. Every spec has the script in `own`, and in `keeps` what must hold; `breaks` is empty. */
typedef struct ExamSpec {
    Spec world[EXAM_WORLDS]; /* to be explored */
    int worlds;
    Spec race[EXAM_RACES];   /* more stock than buyers, and less */
} ExamSpec;

typedef enum ExamCheck { EXAM_LOADS, EXAM_RUNS, EXAM_SELLS, EXAM_EXPLORED, EXAM_CHECKS } ExamCheck;
typedef enum ExamMark {
    EXAM_OPEN,    /* not come to yet */
    EXAM_PASSED,
    EXAM_FAILED,
    EXAM_LEFT_OUT /* means nothing where an earlier one failed */
} ExamMark;

/* One of the free races. */
typedef struct ExamRace {
    bool done;
    int users;
    long stock, wanted, sold; /* wanted: min(stock, demand) */
} ExamRace;

typedef struct Exam {
    ExamMark mark[EXAM_CHECKS];
    char detail[EXAM_CHECKS][200]; /* translated: what was seen; may be empty */
    ExamRace race[EXAM_RACES];
    char error[400];               /* Redis's own words, of the first failure; empty: none */
    int error_line;                /* of the script; 0: not told */
    char odd[160];                 /* translated: what it returned that means nothing; empty: never */
    OwnStop stopped;
    int world;                     /* being explored, or the last one that was */
    Exploration explored;          /* of that world, without cells */
    char covers[EXAM_WORLDS][160]; /* what was explored to its end: "2 users, stock 1, ..."; empty: not come to */
    long schedules;                /* run in all worlds */
    double unpruned;               /* those that they stand for */
    double seconds;
    bool over;                     /* nothing is left to be done */
    bool passed;
    bool troubled;                 /* it could not be carried out; `trouble` says why */
    Error trouble;
} Exam;

typedef struct Examiner Examiner;

/* NULL with a line when such a script cannot be run here (warden.h). Servers must be ready. */
Examiner *examiner_open(Stores *stores, const ExamSpec *spec, Error *error);
/* Goes on for about `ms`, or for one race. True while something is left. */
bool examiner_slice(Examiner *examiner, int ms);
const Exam *examiner_result(const Examiner *examiner);
/* A server that had to be ended has been started again by then, unless result.troubled says otherwise. */
void examiner_close(Examiner *examiner);

/* "loads", "runs", "sells", "explored": as in JSON. */
const char *exam_check_name(ExamCheck check);
/* Translated: "Redis takes the script". */
const char *exam_check_words(ExamCheck check);
/* Translated: what is wrong with a script that does not pass: "the script ends with an error". */
const char *exam_trouble_words(const Exam *exam);
/* The check that failed first; EXAM_CHECKS: none. */
ExamCheck exam_failed(const Exam *exam);
/* There is a schedule that breaks something, or in which the script fails: explored.best. */
bool exam_has_counterexample(const Exam *exam);

#endif
