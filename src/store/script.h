/* script.h -- the Lua scripts of a node: read from lua/ once, loaded into Redis, known by their sha. */
#ifndef STORE_SCRIPT_H
#define STORE_SCRIPT_H

#include "store/redis_link.h"

/* Runs lua/`name` by EVALSHA with `keys` of the `count` words as KEYS. The script is loaded (SCRIPT
 * LOAD) at its first use, and again when the server says NOSCRIPT, as it does after a restart.
 * Thread-safe; the link is the caller's. The reply is the caller's, as in redis_link_argv(). */
StoreStatus script_run(RedisLink *link, redisReply **reply, Error *error, const char *name, int keys,
                       int count, const char **words);

/* From now on this process runs `text` (copied) wherever lua/`name` is asked for. Before its first use. */
void script_replace(const char *name, const char *text);
/* EVALSHA of a script that was loaded, without a second try: for a lesson on what comes of that. */
StoreStatus script_run_sha(RedisLink *link, redisReply **reply, Error *error, const char *sha, int keys,
                           int count, const char **words);
/* The server said NOSCRIPT. */
bool script_is_unknown(const redisReply *reply);

enum { SCRIPT_SHA = 48 };

/* Loads lua/`name` into the server and tells its sha, for who sends EVALSHA on his own. Thread-safe. */
StoreStatus script_load(RedisLink *link, const char *name, char sha[SCRIPT_SHA], Error *error);

#endif
