/* gate.h -- the one place that every step passes, on its way out and on its way back.
 *
 * Race mode: the actor is let through; only when a switch is thrown (`attention`) does it look at
 * pace, pause and stalls. Two clock readings and one event of 64 bytes are the whole cost.
 *
 * Step mode: exactly one actor runs between two gates: the one that has the baton. See baton.h. */
#ifndef ENGINE_GATE_H
#define ENGINE_GATE_H

#include "engine/actor.h"
#include "engine/step_kind.h"

/* A stop wakes whoever waits, but for one who is just about to fall asleep: so long it sleeps at most. */
enum { STOP_LOOK_NS = 1000000000 };

/* One step on its way. The caller fills the first part, the gate the rest. */
typedef struct StepCall {
    StepId step;
    const char *key;          /* shown in the command; NULL when it has none */
    int64_t argument, second; /* shown in the command */
    const Touch *touch;       /* what it reads and writes; looked at in step mode only */
    uint32_t lock;            /* local lock that it takes or gives back: place + 1, else 0 */
    int lock_move;            /* +1 takes, -1 gives back */
    uint32_t signal, seen;    /* waits for a signal: place + 1, and how often it has seen it given */
    bool may_end;             /* ... or until a limit, which is over at any moment in step mode */
    bool takes;               /* it takes one of what the signal was given for: see Wait */
    uint32_t late;            /* ... or ends when that signal is given: place + 1 */
    uint32_t gives;           /* signal that it gives when its reply is the number 0: place + 1 */
    int (*given)(Actor *me, const redisReply *reply); /* ... or as often as this says of its reply */
    const char *owner;        /* a reply that is a string is told as OwnerValue, seen from this name */
    bool reply_is_ok;         /* a status or an array is told as 1, nil as 0 */
    int64_t (*tell)(const redisReply *reply); /* what is told of the reply; NULL: its number */
    const char *tolerates;    /* how an error of Redis begins that does not throw; NULL: none */
    uint64_t begin_ns;
} StepCall;

/* Before the command is sent. Returns when the actor may send it; does not return when the
 * actor is made to fail or its node is killed here. */
void gate_enter(Actor *me, StepCall *call);
/* After the reply was read. Records the event. A status other than STORE_OK does not throw: that is
 * the step's decision. `code` is the server's error number, 0 when none. */
void gate_leave(Actor *me, StepCall *call, StoreStatus status, int64_t value, unsigned code);

/* In the middle of a step, that of `call` which has a signal: returns true as soon as it was given more
 * often than `seen`, false after `ms` (-1: no limit). Step mode lets the step be made only when it was
 * given, unless `may_end` (then a wait can be over without it, as by a limit); so it does not wait here.
 * Throws when the run is stopped. */
bool gate_await(Actor *me, const StepCall *call, int64_t ms);
/* Step mode, in a step that takes: notes that it has. True: one of what it waited for is there; false: the
 * wait is over without. */
bool gate_take(Actor *me, const StepCall *call);
/* A race, around a command in which the server makes the actor wait for something to take: so it is known
 * that it has nothing to do. */
void gate_idle(Actor *me, const StepCall *call);
void gate_busy(Actor *me);
/* Gives a signal, inside a step that others wait for. */
void gate_send(Actor *me, uint32_t place);

/* The request's answer: recorded as an event, counted, and, when it is a yes or an unknown, entered
 * in the list that the referee compares with the orders. */
void gate_answer(Actor *me, Answer answer);

/* Waits at the start for run number `seen` + 1; returns the new number, or 0 to end the thread. */
uint32_t gate_start(Actor *me, uint32_t seen);
/* All requests are answered (or the run was stopped). */
void gate_done(Actor *me);

/* ---- the switches of a race, for the console; any thread ---- */

void gate_pause(World *world, bool pause);
/* Everybody rests about so long before each step; 0: full speed. */
void gate_pace(World *world, int pace_ms);
/* No new request; whoever rests, pauses or is stalled leaves at once. */
void gate_stop(World *world);
/* The spec has faults that gates must look for. */
void gate_look(World *world);

/* True in step mode: the step must describe itself fully. */
static inline bool gate_steps(const Actor *me)
{
    return me->world->mode == MODE_STEP;
}

/* Notes the source line of the step that comes now. Returns `me`. */
Actor *gate_at(Actor *me, int line);

#endif
