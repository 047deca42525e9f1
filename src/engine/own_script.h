/* own_script.h -- a Lua script that the learner wrote, in the place of one of lua/'s: the exercises.
 *
 * A world whose spec has one is run with care, see warden.h: the script is sent over connections of a user
 * who may touch the exercise's keys and nothing else, and one that does not end is stopped. */
#ifndef ENGINE_OWN_SCRIPT_H
#define ENGINE_OWN_SCRIPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/redis_link.h"
#include "store/script_user.h"

enum { OWN_NAME = 64, OWN_TEXT = 16 << 10 };

typedef struct OwnScript {
    char name[OWN_NAME]; /* of the script of lua/ whose place it takes: "sell_midway.lua" */
    ScriptKeys keys;     /* what it may touch */
    char text[OWN_TEXT]; /* may be empty: that is a script, too */
} OwnScript;

/* A copy that lives as long as the program; the same content gives the same pointer, so that two specs can be
 * compared. Thread-safe. Never NULL. */
const OwnScript *own_script_keep(const OwnScript *script);

/* How a script that did not end was stopped. */
typedef enum OwnStop {
    OWN_RUNS,
    OWN_KILLED,       /* SCRIPT KILL: it had written nothing */
    /* The server went with it: */
    OWN_SERVER_ENDED, /* it had written, and Redis refuses to kill such a one */
    OWN_STUCK,        /* it was inside one long call, and Redis heard nobody */
    OWN_DIED          /* Redis died of it: there was no memory left */
} OwnStop;

/* A server that must be started again. */
static inline bool own_stop_ended(OwnStop stop)
{
    return stop >= OWN_SERVER_ENDED;
}

/* What a script is to return: an answer, which is 0, 1 or 2, or how many are left, any number. */
typedef enum OwnSays { OWN_SAYS_ANSWER, OWN_SAYS_COUNT } OwnSays;
/* What it returned instead. */
typedef enum OwnOdd { OWN_FITS, OWN_NOTHING, OWN_TABLE, OWN_WORDS, OWN_NUMBER } OwnOdd;

/* The part of a world that is about it. All zero: the world runs the scripts of lua/. */
typedef struct OwnRun {
    OwnScript script;
    RedisAddress address;     /* with the user who may do little */
    _Atomic uint32_t stopped; /* OwnStop */
    _Atomic uint32_t failed;  /* 0 not yet, 1 the words are being written, 2 they stand in `error` */
    char error[400];          /* Redis's own words, of the first failure */
    _Atomic uint32_t says;    /* OwnSays, with an odd one */
    _Atomic uint32_t odd;     /* OwnOdd, the last one that was seen */
    _Atomic int64_t number;   /* with OWN_NUMBER */
} OwnRun;

/* For a node: what Redis said when it refused the script, or the script failed. Only the first is kept. */
void own_run_note(OwnRun *run, const char *words);
/* Redis's words; NULL: it has not failed. */
const char *own_run_error(const OwnRun *run);
/* For a node: what a script returned that is to say this. Keeps it when it is something else. */
void own_run_returned(OwnRun *run, OwnSays says, const redisReply *reply);
/* Translated: "it returned 7, which is none of 0, 1, 2"; empty when it never did. Returns `text`. */
const char *own_run_odd(const OwnRun *run, char *text, int size);
OwnStop own_run_stopped(const OwnRun *run);
/* When it was stopped: says so in `error` (translated, one line) and returns true. */
bool own_run_excuse(const OwnRun *run, Error *error);
/* Translated: what it means that a script did not end. */
const char *own_stop_words(OwnStop stop);

/* The line that Redis's words are about: of "... user_script:3: ..." it is 3. 0: they name none. */
int own_error_line(const char *words);
/* Line `number` (from 1) of the script, clean, without the blanks before it; empty when there is none. Returns `text`. */
const char *own_script_line(const OwnScript *script, int number, char *text, int size);

#endif
