/* script_user.h -- a user of Redis (ACL) for connections that run a script of the learner's: it may run scripts
 * and the plain commands on the keys it is given, and nothing else. The server itself refuses the rest, also when
 * the script asks for it: FLUSHALL, CONFIG, SHUTDOWN, KEYS, SCAN, SELECT, other keys. */
#ifndef STORE_SCRIPT_USER_H
#define STORE_SCRIPT_USER_H

#include "store/redis_link.h"

enum { SCRIPT_KEYS = 4, SCRIPT_KEY = 48 };

/* Patterns as ACL writes them: "seckill:stock:*". */
typedef struct ScriptKeys {
    int count;
    char pattern[SCRIPT_KEYS][SCRIPT_KEY];
} ScriptKeys;

/* Makes the user, or makes it anew. `link`: a connection that may do so. `address` is filled: the server at `where`
 * with that user and a fresh random password. False with one line (a Redis before 6 has no users). */
bool script_user_make(RedisLink *link, const RedisAddress *where, const ScriptKeys *keys,
                      RedisAddress *address, Error *error);
/* The user goes, and its connections with it. */
void script_user_remove(RedisLink *link);

#endif
