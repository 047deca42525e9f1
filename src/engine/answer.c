#include "engine/answer.h"

#include "base/i18n.h"

static const struct {
    const char *name, *words;
    bool no;
} answer_kinds[ANSWER_COUNT] = {
    [ANSWER_ORDERED] = {"ordered", N_("ordered"), false},
    [ANSWER_SOLD_OUT] = {"sold_out", N_("sold out"), true},
    [ANSWER_DUPLICATE] = {"duplicate", N_("bought already"), true},
    [ANSWER_BUSY] = {"busy", N_("try again later"), true},
    [ANSWER_NOT_BEGUN] = {"not_begun", N_("not begun"), true},
    [ANSWER_ENDED] = {"ended", N_("ended"), true},
    [ANSWER_ERROR] = {"error", N_("error"), true},
    [ANSWER_UNKNOWN] = {"unknown", N_("unknown"), false},
    [ANSWER_NOT_FOUND] = {"not_found", N_("no such order"), true},
    [ANSWER_ISSUED] = {"issued", N_("id issued"), false},
};

const char *answer_name(AnswerKind kind)
{
    return answer_kinds[kind].name;
}

const char *answer_words(AnswerKind kind)
{
    return _(answer_kinds[kind].words);
}

bool answer_is_no(AnswerKind kind)
{
    return answer_kinds[kind].no;
}
