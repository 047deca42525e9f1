/* fault.h -- what can be made to go wrong at a gate, and how it is written down.
 *
 *   stall  B@select-stock=3000   B sleeps 3000 ms before it sends that step
 *   freeze n1@insert-order=2000  the whole node is stopped (SIGSTOP) there, and goes on 2000 ms later
 *   error  B@insert-order        the step is not sent; the purchase gets an error instead
 *   crash  n1@insert-order       the node is killed (SIGKILL) before the step is sent,
 *   crash  n1@insert-order:after or after the server has executed it and before the user acts on it
 *   expire lock:order:7@commit   that key runs out when the step is about to be sent
 *   slow   n1=20                 every step of the node takes 20 ms more
 *   failover A@count-orders      when A comes to that step: the master dies, the replica becomes the master,
 *   cut-link A@master-lock       the replica hears its master no more,
 *   mend-link A@commit           or hears it again
 *   kill-server 2@count-orders   when the first comes to that step: that Redis server is killed,
 *   restart-server 2:empty@commit  or comes back, `empty` or `kept` (with its data)
 *
 * WHO is an actor's letter (A, u27), a consumer (c1), a node (n1) or * for everybody. A fault of one actor or node hits
 * once; one of everybody hits each of them every time. A step may be cut short: "select". */
#ifndef ENGINE_FAULT_H
#define ENGINE_FAULT_H

#include <stdbool.h>

#include "base/error.h"

typedef enum FaultKind {
    FAULT_STALL,
    FAULT_FREEZE,
    FAULT_ERROR,
    FAULT_CRASH,
    FAULT_EXPIRE,
    FAULT_SLOW,
    FAULT_FAILOVER, /* of servers; see server_move.h */
    FAULT_CUT_LINK,
    FAULT_MEND_LINK,
    FAULT_KILL_SERVER,
    FAULT_RESTART_SERVER,
    FAULT_KINDS
} FaultKind;

enum { MAX_FAULTS = 16, FAULT_KEY = 64 };

typedef struct Fault {
    FaultKind kind;
    int actor;  /* 0-based, -1: any */
    int consumer; /* from 1, 0: any */
    int node;   /* 0-based, -1: any */
    int step;   /* StepId; STEP_NONE: every step */
    int ms;
    bool after; /* crash: after the server executed the step */
    bool every; /* hits every time, not once */
    char key[FAULT_KEY]; /* expire */
    int server; /* kill-server, restart-server: 0-based */
    bool empty; /* restart-server: without its data */
} Fault;

/* "stall", "freeze", ...; FAULT_KINDS when there is none of that name. */
FaultKind fault_kind_find(const char *name);
const char *fault_kind_name(FaultKind kind);
/* What happens to a server, as a number of server_move.h; -1: it is another kind of fault. */
int fault_server_move(const Fault *fault);
/* Reads what stands behind the name, as above. A wrong one: false, and a line with the right form. */
bool fault_parse(FaultKind kind, const char *text, Fault *fault, Error *error);
/* The same form again, with the name: "stall B@select-stock=3000". Returns `text`. */
const char *fault_write(const Fault *fault, char *text, int size);

#endif
