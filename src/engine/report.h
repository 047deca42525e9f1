/* report.h -- what a race came to: numbers, verdicts, and the story of the first violation. */
#ifndef ENGINE_REPORT_H
#define ENGINE_REPORT_H

#include "engine/answer.h"
#include "engine/queues_view.h"
#include "engine/spec.h"
#include "store/observe.h"

enum { STORY_LINES = 24 };

/* One step of the story, in time order. */
typedef struct StoryLine {
    int actor;           /* 0-based; -1: the console or the clock did it */
    int64_t user;        /* its user number */
    int node;
    int line;            /* of the source file, 0 when unknown */
    int kind;            /* EventKind */
    unsigned code;       /* AnswerKind, FaultKind or ConsoleEvent; of a step the server's error number */
    int step;            /* StepId; STEP_NONE for an answer */
    int64_t value;       /* of the event */
    uint64_t at_ns;      /* when its reply was read, since the release */
    uint64_t sent_ns;    /* when it was sent, since the release */
    bool telling;        /* the line where the invariant broke */
    int weight;          /* where there is no room for all: the lightest are left out first, see story.h */
    char words[96];      /* translated: "reads the stock" */
    char result[64];     /* "1", "ok", "1062 duplicate key" */
} StoryLine;

typedef struct Report {
    Spec spec;
    bool complete;       /* every request was answered */
    bool stopped;        /* the learner stopped it */
    double seconds;      /* from the release to the last answer */
    double throughput;   /* answers a second */
    double release_ms;   /* from the starting signal to the last actor running */
    long answered;
    long answers[ANSWER_COUNT];
    double p50_ms, p99_ms, max_ms; /* of a request, from its asking to its answer */
    double attempts_mean;  /* attempts per order, where a variant tries again; 0: none */
    long attempts_max;
    Snapshot truth;      /* both stores, when the race was over */
    QueuesView queues;   /* of the same moment */
    double stored_p50_ms, stored_p99_ms; /* from an order's first step to the commit that stored it; 0: none */
    Verdict verdict[INVARIANT_COUNT];
    int first_broken;    /* Invariant that the story is about; INVARIANT_COUNT: none broke */
    StoryLine story[STORY_LINES];
    int story_lines;
    long steps;          /* steps taken by all actors */
    double yes_seconds;  /* from the release until the last "ordered" was told; 0: nobody was */
    long redis_commands, sql_statements; /* of these, by everybody; at least so many when trace_lost */
    long stored;         /* orders that the trace saw stored, and from the release to the moment when the */
    double stored_seconds; /* last of them was: its INSERT, or the COMMIT behind it, was answered */
    long trace_lost;     /* events overwritten before they were read; the story may have gaps */
    int nodes_lost;      /* nodes that died in the race */
    struct {
        Fault fault;
        long fired;      /* 0: it never hit, which the report says */
    } fault[MAX_FAULTS];
    int faults;
    char trouble[240];   /* a server lost, a node died: one line; empty when all went well */
    char schedule[256];  /* the story as moves of a small world; empty: see schedule_note */
    Spec schedule_world; /* that world: just the actors of the story */
    int schedule_preemptions;
    char schedule_note[200]; /* translated: how the schedule was found, or why there is none */
} Report;

/* The race was stopped: how far it had come, in a sentence. */
const char *report_stopped_words(const Report *report);
/* True when what broke is what the variant claims to break, and nothing else did. */
bool report_as_claimed(const Report *report);
/* One plain sentence for each broken invariant: "no-oversell is BROKEN: 112 orders for 100 in stock." */
void report_headline(const Report *report, char *text, int size);

#endif
