/* compare.h -- the same sale by several variants, one race after the other, side by side.
 *
 * Every row has the same users, stock, nodes, requests and seed, begins with clean stores, and is measured
 * by the same clock at the same moments:
 *   answer   from the moment a request is asked until its user is told
 *   stored   from the starting signal until the last order's row is in the database for good: the
 *            reply to its INSERT, or to the COMMIT behind it
 *   commands what everybody sent to a store, consumers and refused requests included, for each order
 * One thread. */
#ifndef ENGINE_COMPARE_H
#define ENGINE_COMPARE_H

#include "engine/race.h"

enum { COMPARE_ROWS = 16 };

typedef enum RowState { ROW_WAITS, ROW_RUNS, ROW_DONE } RowState;

typedef struct CompareRow {
    RowState state;
    Spec spec;
    long answered, total;    /* requests; also while it runs */
    bool complete;           /* every request was answered */
    double seconds;          /* until the last answer */
    double throughput;       /* answers a second, until then */
    long answers[ANSWER_COUNT];
    double p50_ms, p99_ms, max_ms;
    long stored;
    double yes_seconds;      /* until the last "ordered" was told; 0: nobody was */
    double stored_seconds;   /* until the last order was stored; 0: none was */
    long sql_statements, redis_commands;
    bool counted;            /* the trace has seen them all; false: there were at least so many */
    bool truth;              /* both stores could be asked at the end: false, and `orders` is not known */
    long orders;             /* rows in the database */
    Verdict verdict[INVARIANT_COUNT];
    char trouble[240];
} CompareRow;

typedef struct Comparison {
    CompareRow row[COMPARE_ROWS];
    int rows;
    int done;    /* rows that are complete */
    bool over;
    bool failed; /* a row could not be run: `error` says why; the rows before it stand */
    Error error;
} Comparison;

/* The numbers of the table, by which rows are held against each other. */
typedef enum Measure {
    MEASURE_THROUGHPUT, /* answers a second */
    MEASURE_P50,        /* latency of the answer, ms */
    MEASURE_P99,
    MEASURE_MAX,
    MEASURE_STORED,     /* ms until the last order was stored */
    MEASURE_SQL,        /* database statements for each order */
    MEASURE_REDIS,      /* Redis commands for each order */
    MEASURE_COUNT
} Measure;

typedef struct Comparer Comparer;

/* The same world for a variant: 2000 users, stock 1000, one node, unless the caller changes it. Of `race`, the
 * variant's own, the layout of the stores stays, and the claim; what every sale is judged by is judged, too. */
void compare_spec(const Spec *race, Spec *spec);

/* NULL without memory. 1 to COMPARE_ROWS specs, copied. Nothing runs yet. */
Comparer *comparer_open(Stores *stores, const Spec *specs, int count, Error *error);
/* One slice: begins a race, or looks after it. Returns false when all is over; else call it again after a few
 * ms. */
bool comparer_next(Comparer *comparer);
const Comparison *comparer_result(const Comparer *comparer);
/* Ends a race that runs; its row is given up. */
void comparer_close(Comparer *comparer);

/* False when the row has no such number: nothing was sold, the truth is not known, the race is not over. */
bool compare_measure(const CompareRow *row, Measure measure, double *number);
/* The same as a multiple of the first row's. */
bool compare_ratio(const Comparison *comparison, int row, Measure measure, double *ratio);
/* What stands over the column: translated, short. */
const char *compare_title(Measure measure);
/* "3172", "226.5", "8.0". Returns `text`. */
const char *compare_write(Measure measure, double number, char text[32]);
/* "x 1.38", "x 0.004". Returns `text`. */
const char *compare_write_ratio(double ratio, char text[32]);
/* At which moments all this was measured, and what it is worth: translated, a line each. */
enum { COMPARE_MOMENTS = 4 };
const char *compare_moment(int line);
/* The first invariant that broke; INVARIANT_COUNT: none. */
Invariant compare_broken(const CompareRow *row);
/* Nothing broke in this row but what its variant claims to break. */
bool compare_as_claimed(const CompareRow *row);

#endif
