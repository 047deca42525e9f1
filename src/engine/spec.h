/* spec.h -- one world to run: who, how many, with what, and what is claimed of it. */
#ifndef ENGINE_SPEC_H
#define ENGINE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/fault.h"
#include "engine/invariant.h"
#include "engine/own_script.h"
#include "engine/variant.h"
#include "store/stores.h"

enum { MAX_USERS = 10000, MAX_NODES = 8, MAX_REQUESTS = 1000000, QUEUE_CAPACITY = 1 << 20, BASKETS = 4 };

/* The sale window, seen from the moment of the run. */
typedef enum Window { WINDOW_OPEN, WINDOW_NOT_BEGUN, WINDOW_ENDED } Window;

typedef struct Spec {
    const Variant *variant;
    int users;         /* 1..MAX_USERS */
    int requests;      /* by each user */
    bool at_once;      /* a user's requests come at the same time, each on a thread of its own */
    long stock;
    int nodes;         /* 1..MAX_NODES; user u is served by node u % nodes */
    int consumers;     /* threads on each node that carry out what was put into a queue */
    int queue;         /* capacity of the queue in the memory of each node; 0: QUEUE_CAPACITY */
    StreamSetup stream; /* what stands in stream.orders before the first step */
    bool watchdogs;    /* each node has one, which renews the locks that its users hold */
    uint64_t seed;
    int limit_s;       /* a race is ended after so long: who has no answer by then waits for ever; 0: never */
    int pace_ms;       /* every actor rests about this long before each step; 0: full speed */
    Window window;
    bool unique_order; /* see ShopSetup */
    bool stock_in_sql;   /* the database's counter is part of the variant */
    bool stock_in_redis; /* seckill:stock:{id} is */
    int64_t clock;     /* not 0: the clock that steps read stands still at this second (1970) */
    bool not_loaded;     /* stock_in_redis, but the key is missing at the start: Redis was emptied */
    int basket[BASKETS]; /* user u wants basket[(u - 1) % baskets] at once */
    int baskets;         /* 0: everybody wants one */
    Preset preset[PRESETS]; /* "{today}" in a key becomes yyyy:MM:dd of the clock; the values "{begin}"
                               and "{end}" become those of the sale window, in seconds since 1970 */
    int presets;
    Fault fault[MAX_FAULTS]; /* armed from the start of every run */
    int faults;
    bool fault_clk;      /* exploring: a lease may run out at any step */
    bool clk_after_crash; /* ... but only the lease of a holder that was killed */
    bool fault_crash;    /* exploring: one node may be killed at any step */
    bool fault_restart;  /* ... and may be started again at any later one: its consumers go on */
    bool fault_freeze;   /* exploring: one node may stand still for longer than its leases */
    FleetKind servers;   /* further Redis servers, for the locks; FLEET_NONE: none */
    bool link_cut;       /* the replica hears nothing of its master from the start */
    unsigned server_moves;   /* exploring: ServerMove, as bits: each may happen once, at any step */
    unsigned server_victims; /* ... and to these servers alone, as bits; 0: to any */
    int preemptions;     /* exploring: the bound that the claim is made within; 0: none */
    const OwnScript *own; /* a script of the learner's in the place of one of lua/'s; NULL: none */
    bool breaks[INVARIANT_COUNT], keeps[INVARIANT_COUNT]; /* the claim; judged are both */
} Spec;

/* How many vouchers the user wants in one order. */
long spec_basket(const Spec *spec, int64_t user);
/* How many actors this world has: the users' come first, then the consumers, then the watchdogs. */
int spec_actors(const Spec *spec);
int spec_user_actors(const Spec *spec);
/* False, with a line: what `text` names is of user `actor` (from 0), whom this world has not. Where a user's requests
 * come at once, each is an actor of its own, and the line says so. */
bool spec_refuse_user(const Spec *spec, int actor, const char *text, Error *error);
/* What an actor is, and its number among its like, from 0. */
typedef enum Role { ROLE_USER, ROLE_CONSUMER, ROLE_WATCHDOG, ROLE_COUNT } Role;
Role spec_role(const Spec *spec, int actor, int *number);
/* The actor of that role and number, -1 when there is none. */
int spec_actor(const Spec *spec, Role role, int number);
/* The clean state of the stores that the spec begins with. */
void spec_setup(const Spec *spec, ShopSetup *setup);

#endif
