/* The names of the keys and channels beside a lock. See lock.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lock/lock.h"

/* The same slot for all of a lock's keys: the name becomes the tag, unless it has one. */
static bool has_tag(const char *name)
{
    const char *open = strchr(name, '{');
    const char *close = open ? strchr(open, '}') : NULL;
    return close && close > open + 1;
}

static const char *derived(const char *prefix, const char *name, const char *suffix, char *text)
{
    const char *form = has_tag(name) ? "%s%s%s" : "%s{%s}%s";
    snprintf(text, LOCK_KEY_LENGTH, form, prefix, name, suffix);
    return text;
}

/* A fair lock wakes one waiter only: each listens to a channel of its own. */
const char *lock_key_channel(const Lock *lock, char *text)
{
    char suffix[LOCK_OWNER_LENGTH + 2] = "";
    if (lock->kind == LOCK_READER || lock->kind == LOCK_WRITER)
        return derived("redisson_rwlock:", lock->name, "", text);
    if (lock->kind == LOCK_FAIR) snprintf(suffix, sizeof suffix, ":%s", lock->owner);
    return derived("redisson_lock__channel:", lock->name, suffix, text);
}

const char *lock_key_latch(const Lock *lock, char *text)
{
    char suffix[LOCK_OWNER_LENGTH + 24];
    snprintf(suffix, sizeof suffix, ":%s-%" PRIu64, lock->owner, lock->requests);
    return derived("redisson_unlock_latch:", lock->name, suffix, text);
}

const char *lock_key_queue(const Lock *lock, char *text)
{
    return derived("redisson_lock_queue:", lock->name, "", text);
}

const char *lock_key_deadlines(const Lock *lock, char *text)
{
    return derived("redisson_lock_timeout:", lock->name, "", text);
}

const char *lock_key_token(const Lock *lock, char *text)
{
    return derived("redisson_lock_token:", lock->name, "", text);
}

const char *lock_key_holds(const Lock *lock, char *text)
{
    char suffix[LOCK_OWNER_LENGTH + 20];
    snprintf(suffix, sizeof suffix, ":%s:rwlock_timeout", lock->owner);
    return derived("", lock->name, suffix, text);
}
