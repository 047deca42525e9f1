/* steps_core.h -- what the steps of all kinds share: links, footprints, and how a reply is judged.
 * Private to engine/steps_*.c. */
#ifndef ENGINE_STEPS_CORE_H
#define ENGINE_STEPS_CORE_H

#include "engine/gate.h"
#include "engine/touch.h"

/* Sends one Redis command as a step. A refusal or a lost connection throws. The reply is the
 * caller's. The step's `value` in the trace is `reply`'s integer or, for a string, its number. */
redisReply *redis_step(Actor *me, StepCall *call, int count, const char **words);

/* The two ends of a command on the actor's link, for steps that need more than one; to be called inside a step
 * (`call` is it) or between two. NULL: not connected; me->error says why. */
RedisLink *redis_borrow(Actor *me, StepCall *call);
void redis_return(Actor *me, StoreStatus status);
/* A command that belongs to the step just made, and is none by itself. -1 when it failed, or is no number. */
int64_t redis_aside(Actor *me, int count, const char **words);

/* The same with a script of lua/, see script.h. */
redisReply *script_step(Actor *me, StepCall *call, const char *name, int keys, int count,
                        const char **words);

/* Runs one statement as a step; `tolerated` is an error number that does not throw (0: none). The
 * value in the trace is picked from the result by `value_of`. */
SqlResult sql_step(Actor *me, StepCall *call, const char *statement, int count,
                   const int64_t *parameters, unsigned tolerated,
                   int64_t (*value_of)(const SqlResult *result));
/* START TRANSACTION, COMMIT, ROLLBACK. */
void sql_text_step(Actor *me, StepCall *call, const char *text);

/* The connection need not stay with the actor any more. */
void sql_let_go(Actor *me);
void redis_let_go(Actor *me);

int64_t value_first(const SqlResult *result);    /* first column of the first row */
int64_t value_affected(const SqlResult *result); /* rows changed */
int64_t value_insert_id(const SqlResult *result);

/* The second that the steps' clock shows, since 1970. */
int64_t steps_clock(const Actor *me);
/* icr:order:yyyy:MM:dd of that second, in UTC. Returns `key`. */
const char *counter_key(const Actor *me, char key[KEY_LENGTH]);

#endif
