/* doctor.h -- the parts that the doctor looks at. */
#ifndef VERBS_DOCTOR_H
#define VERBS_DOCTOR_H

#include "verbs/options.h"

typedef enum PartState {
    PART_FINE,
    PART_NOTE,   /* works, with something to know */
    PART_MISSING /* something cannot work without it */
} PartState;

typedef struct Part {
    const char *name;  /* in JSON: "redis" */
    const char *label; /* N_() */
    PartState state;
    char found[256];
    char advice[400]; /* what to do; empty when there is nothing to do */
} Part;

enum { PARTS = 16 };

typedef struct Findings {
    Part part[PARTS];
    int count;
} Findings;

/* Adds a part; the caller fills in what is left. Never NULL. */
Part *findings_add(Findings *findings, const char *name, const char *label);

void doctor_programs(Findings *findings); /* this program, libraries, lessons, catalogue, state */
void doctor_terminal(Findings *findings); /* terminal, locale, threads */
/* The server programs; then both servers are started (or connected to), which is the only proof. */
void doctor_servers(Findings *findings, const Options *options);

#endif
