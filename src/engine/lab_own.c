/* Servers of the learner's own, of which no keeper tells us: whether they are there, and what to do when not. */
#include <stdio.h>

#include "base/i18n.h"
#include "engine/lab_private.h"

enum { MISSED = 2 }; /* so many looks in a row without an answer are no hiccup */

static ServerKind lost_one(Lab *lab)
{
    ServerKind kind = SERVER_REDIS;
    while (kind < SERVER_COUNT && !stores_own_lost(lab->stores, kind)) kind++;
    return kind;
}

bool lab_own_lost(Lab *lab)
{
    return lost_one(lab) < SERVER_COUNT;
}

void lab_own_advice(Lab *lab, const char *what)
{
    ServerKind kind = lost_one(lab);
    if (kind == SERVER_COUNT) return;
    char because[300];
    snprintf(because, sizeof because, "%s", what);
    const char *advice = kind == SERVER_REDIS ? _("Your own Redis is gone: start it, then R connects again.")
                                              : _("Your own database is gone: start it, then R connects again.");
    snprintf(lab->draft.message, sizeof lab->draft.message, "%s%s%s", advice, because[0] ? " " : "", because);
}

bool lab_own_went(Lab *lab)
{
    const Snapshot *seen = &lab->draft.snapshot;
    bool missed = (stores_own(lab->stores, SERVER_REDIS) && !seen->redis_ok) ||
                  (stores_own(lab->stores, SERVER_SQL) && !seen->sql_ok);
    lab->missed = missed ? lab->missed + 1 : 0;
    return lab->missed >= MISSED && lab_own_lost(lab);
}
