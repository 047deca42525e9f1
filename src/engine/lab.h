/* lab.h -- the engine as the console sees it: requests go in, copies of the state come out.
 *
 * The lab has one thread of its own that owns stores, races and the observer. The console never
 * waits for it: every call here returns at once, and a byte on lab_fd() says that a new view is
 * there. All functions are for the console's one thread. */
#ifndef ENGINE_LAB_H
#define ENGINE_LAB_H

#include "engine/race.h"

typedef enum LabPhase {
    LAB_STARTING,  /* servers coming up */
    LAB_BROKEN,    /* a server cannot be had; `message` says why and what to do */
    LAB_IDLE,      /* ready, nothing has run for this spec yet */
    LAB_PREPARING,
    LAB_RACING,
    LAB_JUDGING,
    LAB_DONE       /* `report` holds the last race */
} LabPhase;

enum { HISTORY = 120 };

typedef struct LabView {
    LabPhase phase;
    char message[400];          /* one line, of the last trouble; empty */
    ServerStatus server[SERVER_COUNT];
    Snapshot snapshot;
    bool has_snapshot;
    RaceProgress race;
    Spec spec;                  /* of the race on the screen */
    Verdict verdict[INVARIANT_COUNT];
    long stock_history[HISTORY], orders_history[HISTORY]; /* one point a snapshot, oldest first */
    int history;
    Report report;
    bool has_report;
    unsigned answer_serial;     /* grows when `answer` is new */
    char *answer;               /* of :redis and :sql; owned by the view, see lab_view_free */
} LabView;

typedef struct Lab Lab;

/* Opens the stores and starts the thread. Fails only on a malformed URL or lack of memory: all
 * else is told in the view. */
Lab *lab_open(const char *redis_url, const char *sql_url, Error *error);
/* Ends everything: race, nodes, servers. */
void lab_close(Lab *lab);
int lab_fd(const Lab *lab);
/* Empties lab_fd() and copies the newest view. A view must be zeroed before its first use. */
void lab_view(Lab *lab, LabView *view);
void lab_view_free(LabView *view);

/* Brings the shop into the clean state of `spec`, so that the panels show it before the race. */
void lab_prepare(Lab *lab, const Spec *spec);
void lab_race(Lab *lab, const Spec *spec);
void lab_pause(Lab *lab, bool pause);
void lab_pace(Lab *lab, int pace_ms);
void lab_stop_race(Lab *lab);
void lab_redis(Lab *lab, const char *line);
void lab_sql(Lab *lab, const char *query);
/* Starts a server that is down again (sandbox) or connects again (the learner's own). */
void lab_restart(Lab *lab);

#endif
