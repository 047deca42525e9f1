/* What the lock as a component needs beside the locks: its name from a template, exceptions. See steps.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/refusal.h"
#include "engine/steps_core.h"

/* ---- exceptions ------------------------------------------------------------------------------------ */

void throw_exception(Actor *me, const char *message)
{
    Touch nothing = {0};
    StepCall call = {.step = STEP_THROW, .key = message, .touch = &nothing};
    error_set(&me->error, "%s", message);
    gate_enter(me, &call);
    gate_leave(me, &call, STORE_REFUSED, 0, refusal_code(message));
    actor_throw(me, ANSWER_ERROR);
}

/* ---- names ------------------------------------------------------------------------------------------ */

typedef struct Argument {
    const char *name; /* between #{ and } */
    int64_t value;
} Argument;

/* NULL: there is none of that name. */
static const Argument *argument_named(const Argument *arguments, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(arguments[i].name) == length && strncmp(arguments[i].name, name, length) == 0)
            return &arguments[i];
    return NULL;
}

/* Where the text behind a "#{name}" goes on; NULL: `at` does not begin with one. */
static const char *behind_template(const char *at)
{
    if (strncmp(at, "#{", 2) != 0) return NULL;
    const char *close = strchr(at, '}');
    return close ? close + 1 : NULL;
}

LockKey lock_name_from(Actor *me, const char *template, VoucherId voucher)
{
    const Argument arguments[] = {{"userId", me->user}, {"voucherId", voucher}};
    LockKey key = {""};
    size_t used = 0;
    for (const char *at = template; *at && used < sizeof key.text;) {
        const char *behind = behind_template(at);
        const Argument *argument =
            behind ? argument_named(arguments, 2, at + 2, (size_t)(behind - at) - 3) : NULL;
        if (behind && !argument) throw_exception(me, "no such argument in the lock's name");
        int wrote = argument ? snprintf(key.text + used, sizeof key.text - used, "%" PRId64, argument->value)
                             : snprintf(key.text + used, sizeof key.text - used, "%c", *at);
        used += (size_t)wrote;
        at = behind ? behind : at + 1;
    }
    if (used >= sizeof key.text) throw_exception(me, "the lock's name is too long");
    return key;
}
