#include "store/script_user.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/i18n.h"

static const char user_name[] = "seckill-lab-script";

/* What may be done is listed; of that, what reaches beyond a key of one's own is taken out again. */
static const char *const allowed[] = {
    "+@read",  "+@write",      "-@dangerous", "-@admin", "-@blocking", "+evalsha", "+script|load",
    "+ping",   "+time",        "-scan",       "-randomkey", "-dbsize", "-move",
};
enum { ALLOWED = sizeof allowed / sizeof *allowed };

static bool make_password(char *text, size_t size)
{
    unsigned char byte[24];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte || size < 2 * sizeof byte + 1) return false;
    for (size_t i = 0; i < sizeof byte; i++) snprintf(text + 2 * i, 3, "%02x", byte[i]);
    return true;
}

static bool give(RedisLink *link, int count, const char **words, Error *error)
{
    redisReply *reply = NULL;
    StoreStatus status = redis_link_argv(link, &reply, error, count, words, NULL);
    if (reply) freeReplyObject(reply);
    return status == STORE_OK;
}

bool script_user_make(RedisLink *link, const RedisAddress *where, const ScriptKeys *keys,
                      RedisAddress *address, Error *error)
{
    char password[sizeof address->password], secret[sizeof address->password + 1];
    char pattern[SCRIPT_KEYS][SCRIPT_KEY + 1];
    const char *words[8 + SCRIPT_KEYS + ALLOWED] = {"ACL", "SETUSER", user_name, "reset", "on", secret};
    int count = 6;
    if (!make_password(password, sizeof password))
        return error_set(error, "%s", _("The system gives no random numbers: the script cannot be run safely."));
    snprintf(secret, sizeof secret, ">%s", password);
    for (int i = 0; i < keys->count; i++) {
        snprintf(pattern[i], sizeof pattern[i], "~%s", keys->pattern[i]);
        words[count++] = pattern[i];
    }
    for (int i = 0; i < ALLOWED; i++) words[count++] = allowed[i];
    Error said = {""};
    if (!give(link, count, words, &said))
        return error_set(error,
                         _("Your own script needs a Redis that has users (ACL), from version 6 on; this one says: "
                           "%.200s"),
                         said.text);
    /* COPY can write into another database; before 6.2 there is none. */
    give(link, 4, (const char *[]){"ACL", "SETUSER", user_name, "-copy"}, NULL);
    *address = *where;
    snprintf(address->user, sizeof address->user, "%s", user_name);
    snprintf(address->password, sizeof address->password, "%s", password);
    return true;
}

void script_user_remove(RedisLink *link)
{
    give(link, 3, (const char *[]){"ACL", "DELUSER", user_name}, NULL);
}
