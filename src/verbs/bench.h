/* bench.h -- the figures of this machine that need no terminal: each measured by one function. */
#ifndef VERBS_BENCH_H
#define VERBS_BENCH_H

#include <stdbool.h>

#include "base/error.h"
#include "course/course.h"
#include "store/stores.h"

typedef struct Figures {
    struct {
        double redis_ms, sql_ms; /* from the start of a server to its readiness */
        double all_ms;           /* from nothing to both connected and the tables made */
    } start;
    struct {
        double step_ns;  /* one pass through the gate, tracing on */
        double clock_ns; /* one reading of the clock: two of them are in each step */
    } gate;
    struct {
        int users, requests;
        double per_second;       /* answers of lesson global-id/redis-incr */
        double rival_per_second; /* redis-benchmark, as many connections; 0: not installed */
    } redis;
    struct {
        int users, requests;
        double per_second;       /* answers of lesson lua-eligibility/request-path */
        double rival_per_second; /* redis-benchmark with the same script */
    } script;
    struct {
        int orders;
        double per_second;       /* stored by the consumer of lesson async-queue/dual-write, one at a time */
        double rival_per_second; /* the same transactions in a bare loop on one connection */
    } queue;
    struct {
        int waiting;             /* others, in the figures of a crowd */
        double per_second, crowd_per_second;             /* Redisson's lock taken and given back */
        double plain_per_second, plain_crowd_per_second; /* SET NX, compare and delete; again after 1 ms */
        double rival_per_second; /* the same two scripts by redis-benchmark, one connection; 0: not installed */
    } locks;
    struct {
        int users;
        long answered;
        double ready_ms;   /* until all users stand at the start */
        double release_ms; /* from the signal to the last user running */
        double seconds;    /* from the signal to the last answer */
        long lab_kb;       /* most memory of this program and its nodes (PSS); 0: unknown */
        long all_kb;       /* the same with both servers and their keeper */
    } crowd;
} Figures;

/* Each fills its part; false with one line when it cannot be measured. */
bool bench_gate(Figures *figures, Error *error);
bool bench_redis(Figures *figures, Stores *stores, const Course *course, Error *error);
bool bench_script(Figures *figures, Stores *stores, const Course *course, Error *error);
bool bench_queue(Figures *figures, Stores *stores, const Course *course, Error *error);
bool bench_locks(Figures *figures, Stores *stores, Error *error);
bool bench_crowd(Figures *figures, Stores *stores, const Course *course, Error *error);

/* INCRs a second of redis-benchmark (or valkey-benchmark) on a unix socket; 0: not installed, or it
 * failed. The key is removed. */
double bench_rival(Stores *stores, int connections, long requests);
/* The same with any command; it ends with NULL and has at most BENCH_WORDS words. __rand_int__ in one of them is one of
 * `connections` numbers. */
enum { BENCH_WORDS = 10 };
double bench_rival_command(Stores *stores, int connections, long requests, const char *const *command);
/* The same with one script, by its sha, on the keys of lesson 14, for `connections` different users. */
double bench_rival_script(Stores *stores, const char *sha, int connections, long requests);

/* The share of memory that a process has (PSS), in kB; 0 when it cannot be read. */
long bench_memory_kb(int pid);
/* The process that started `pid`, 0: unknown. */
int bench_parent(int pid);

#endif
