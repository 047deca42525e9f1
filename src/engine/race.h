/* race.h -- one free race: real processes, real threads, released together.
 *
 * A Race is driven by one thread: open, then poll until it is over, then judge. All that other
 * threads may do is read the RaceProgress copies made by race_poll(). */
#ifndef ENGINE_RACE_H
#define ENGINE_RACE_H

#include "engine/locks_view.h"
#include "engine/queues_view.h"
#include "engine/report.h"

enum { LISTING_LINES = 400, RECENT_EVENTS = 16 };

/* Where an actor of a small world stands. */
typedef struct ActorView {
    int actor;
    int role;            /* Role */
    int64_t user;
    int node;
    int line;            /* of the source file; 0 before the first step */
    int state;           /* ActorState of world.h */
    int step;            /* StepId it stands at */
    char result[48];     /* of its last step */
} ActorView;

typedef struct RecentEvent {
    int actor;           /* -1: the console or the clock did it */
    int64_t user;
    int step;            /* STEP_NONE: the answer */
    uint64_t at_ns;      /* since the release */
    char words[64];
    char result[48];
    bool answer;
} RecentEvent;

/* A race as it stands now. */
typedef struct RaceProgress {
    bool released, over, paused;
    double seconds;
    long total, answered;      /* requests */
    long answers[ANSWER_COUNT];
    double throughput;         /* answers a second, from the release until all are answered */
    int actors, actors_done;
    int crowd[LISTING_LINES];  /* actors standing at source line n (index n) */
    ActorView actor[26];       /* the first 26 */
    int actor_views;
    RecentEvent recent[RECENT_EVENTS]; /* newest first */
    int recent_count;
    long steps;
    struct {
        Fault fault;
        bool armed;            /* false: taken back, or used up */
        long fired;
    } fault[MAX_FAULTS];
    int faults;
    int node_state[MAX_NODES]; /* NodeState of world.h */
    bool frozen[MAX_NODES];
    LocksView locks;           /* as of the last race_locks() */
    QueuesView queues;         /* as of the same moment */
} RaceProgress;

typedef struct Race Race;

/* Clean state, node processes started, every actor waiting at the start. Takes some 10 ms. */
Race *race_open(Stores *stores, const Spec *spec, Error *error);
void race_release(Race *race);
/* Reads what the actors did since the last call into the trace; fills `progress` when not NULL.
 * Call every few ms to 50 ms. Returns true while the race goes on. */
bool race_poll(Race *race, RaceProgress *progress);
void race_pause(Race *race, bool pause);
void race_pace(Race *race, int pace_ms);
void race_stop(Race *race);
/* Faults, while it runs: armed (see fault.h), taken back by their place, struck at once. */
bool race_arm(Race *race, const Fault *fault, Error *error);
void race_disarm(Race *race, int place);
bool race_crash_node(Race *race, int node, Error *error);
/* Its users go on with the requests that they had not begun. */
bool race_start_node(Race *race, int node, Error *error);
bool race_freeze_node(Race *race, int node, int ms, Error *error);
bool race_expire_key(Race *race, const char *key, Error *error);
/* Looks at the locks: who holds which, and who waits for whom. `truth`: a snapshot just taken. Asks the
 * database, at most a few times a second. Call it as often as snapshots are taken. */
void race_locks(Race *race, const Snapshot *truth);
/* The same of the queues; also into *view. */
void race_queues(Race *race, const Snapshot *truth, QueuesView *view);
/* Something happens to the fleet's servers, now: a number of server_move.h. A failover goes on by itself, and is
 * noted in the trace when it is over. */
bool race_server_move(Race *race, int move, Error *error);
/* Notes in the trace that a server was killed or started. */
void race_note_server(Race *race, ServerKind kind, bool up);
/* After race_poll() said it is over: reads the final truth and judges. */
void race_judge(Race *race, Observer *observer, Report *report);
/* The verdicts that can already be given from a snapshot while the race runs. */
void race_verdicts_now(const Race *race, const Snapshot *snapshot, Verdict verdict[INVARIANT_COUNT]);
/* Process ids of the nodes, 0 where a node is dead. */
int race_nodes(const Race *race, int pids[MAX_NODES]);
const World *race_world(const Race *race);
void race_close(Race *race);

/* A server does not answer: where nobody brings it back, a race would only collect errors. */
bool race_server_is_gone(Stores *stores);
/* open, release, poll to the end, judge, close: for the verbs. False when it could not be run. */
bool race_run(Stores *stores, const Spec *spec, Report *report, Error *error);

#endif
