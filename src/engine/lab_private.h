/* lab_private.h -- shared by lab.c and the files lab_*.c alone: the inside of the lab. */
#ifndef ENGINE_LAB_PRIVATE_H
#define ENGINE_LAB_PRIVATE_H

#include <pthread.h>

#include "engine/lab.h"

typedef struct Lab Lab;
typedef struct Request Request;

/* Carries a request out, on the lab's thread. */
typedef void (*Serve)(Lab *lab, const Request *request);

struct Request {
    Serve serve;
    int number;
    bool flag;
    char *text;     /* the request's; freed when it was served */
    char *more;     /* likewise */
    Spec spec;
    ExploreOptions options;
};

enum { REQUESTS = 32 };

typedef struct LabStep LabStep;       /* lab_step.c */
typedef struct LabExplore LabExplore; /* lab_explore.c */
typedef struct LabCrash LabCrash;     /* lab_crash.c */
typedef struct LabCompare LabCompare; /* lab_compare.c */
typedef struct LabLocks LabLocks;     /* lab_locks.c */
typedef struct LabExam LabExam;       /* lab_exam.c */

struct Lab {
    pthread_t thread;
    pthread_mutex_t mutex; /* guards queue, view, and all that the view points to */
    Request queue[REQUESTS + 1]; /* the last place is kept for the end */
    int queued;
    LabView view;
    int news_fd;  /* for the console: a new view */
    int asked_fd; /* for the lab's thread: a new request */

    /* The rest is the lab thread's own. */
    Stores *stores;
    Observer *observer;
    Race *race;
    LabStep *step;       /* never NULL */
    LabExplore *explore; /* never NULL */
    LabCrash *crash;     /* never NULL */
    LabCompare *compare; /* never NULL */
    LabLocks *locks;     /* never NULL */
    LabExam *exam;       /* never NULL */
    bool ready;          /* the stores were reached */
    bool reproduced;     /* the report's schedule was looked for */
    bool elsewhere;      /* the stores hold a small world, not what `draft` is about */
    bool quitting;
    int missed;          /* looks in a row at which a server of the learner's own did not answer */
    uint64_t snapshot_due_ns;
    LabView draft;
};

/* ---- for the console's side: puts a request in the queue (its texts are the lab's from then on) ---- */
void lab_ask(Lab *lab, const Request *request);

/* ---- for the lab's thread ---- */

/* Makes the draft the view, and tells the console. */
void lab_publish(Lab *lab);
/* The message, and the phase that the servers' state makes of it. */
void lab_trouble(Lab *lab, const Error *error);
/* A server was started anew: waits for it, and takes the clean state up again. */
void lab_reconnect(Lab *lab);
/* Ends step mode, exploring, the crash table, the comparison and the table of locks, so that the stores are free for something else. */
void lab_clear_small(Lab *lab);

/* A server of the learner's own does not answer (lab_own.c). Takes seconds where it hangs. */
bool lab_own_lost(Lab *lab);
/* The message is then what to do about it, and `what` was seen of it. */
void lab_own_advice(Lab *lab, const char *what);
/* After an idle look at the stores: one of them has gone since. */
bool lab_own_went(Lab *lab);

/* While a race runs: tells it of servers that went or came back, and connects to them again. */
void lab_watch_servers(Lab *lab);

bool lab_step_make(Lab *lab);
void lab_step_free(Lab *lab);
/* Gives up the world in step mode, if there is one. What it showed stays in the view. */
void lab_step_end(Lab *lab);
/* Moves are being made by themselves; `*due_ns` is when the next one is. */
bool lab_step_plays(const Lab *lab, uint64_t *due_ns);
void lab_step_slice(Lab *lab);
/* The learner may have changed something by hand: looks at the stores again. */
void lab_step_refresh(Lab *lab);
/* Copies what is new of lab->view to the console's. With the mutex held. */
void lab_step_copy(const Lab *lab, LabView *view);

bool lab_explore_make(Lab *lab);
void lab_explore_free(Lab *lab);
void lab_explore_end(Lab *lab);
bool lab_explore_runs(const Lab *lab);
void lab_explore_slice(Lab *lab);
void lab_explore_copy(const Lab *lab, LabView *view);

bool lab_crash_make(Lab *lab);
void lab_crash_free(Lab *lab);
void lab_crash_end(Lab *lab);
bool lab_crash_runs(const Lab *lab);
void lab_crash_slice(Lab *lab);
void lab_crash_copy(const Lab *lab, LabView *view);

bool lab_compare_make(Lab *lab);
void lab_compare_free(Lab *lab);
void lab_compare_end(Lab *lab);
bool lab_compare_runs(const Lab *lab);
void lab_compare_slice(Lab *lab);
void lab_compare_copy(const Lab *lab, LabView *view);

bool lab_locks_make(Lab *lab);
void lab_locks_free(Lab *lab);
void lab_locks_end(Lab *lab);
bool lab_locks_runs(const Lab *lab);
void lab_locks_slice(Lab *lab);

/* A server that a script of the learner's made it necessary to end is started again. */
void lab_mend(Lab *lab, OwnStop stop);
bool lab_exam_make(Lab *lab);
void lab_exam_free(Lab *lab);
void lab_exam_end(Lab *lab);
bool lab_exam_runs(const Lab *lab);
void lab_exam_slice(Lab *lab);
void lab_exam_copy(const Lab *lab, LabView *view);

#endif
