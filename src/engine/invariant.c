#include "engine/invariant.h"

#include <string.h>

#include "base/i18n.h"

static const struct {
    const char *name, *words;
} invariants[INVARIANT_COUNT] = {
    [NO_OVERSELL] = {"no-oversell", N_("never more orders than stock")},
    [NO_UNDERSELL] = {"no-undersell", N_("with enough buyers, all stock is sold")},
    [ONE_PER_USER] = {"one-per-user", N_("at most one order for a user")},
    [MUTUAL_EXCLUSION] = {"mutual-exclusion", N_("never two in the section a lock guards")},
    [OWNER_RELEASE] = {"owner-release", N_("only its holder releases a lock")},
    [PROGRESS] = {"progress", N_("nobody waits for ever")},
    [BOOKS_BALANCE] = {"books-balance", N_("stock and orders add up")},
    [ANSWER_TRUE] = {"answer-true", N_("what users were told is so")},
    [UNIQUE_IDS] = {"unique-ids", N_("no id is issued twice")},
    [IDS_ASCEND] = {"ids-ascend", N_("a later id is a greater one")},
    [SALE_WINDOW] = {"sale-window", N_("no order outside the sale window")},
    [FAIR_ORDER] = {"fair-order", N_("granted in the order of asking")},
};

const char *invariant_name(Invariant invariant)
{
    return invariants[invariant].name;
}

const char *invariant_words(Invariant invariant)
{
    return _(invariants[invariant].words);
}

Invariant invariant_find(const char *name)
{
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (strcmp(invariants[i].name, name) == 0) return (Invariant)i;
    return INVARIANT_COUNT;
}
