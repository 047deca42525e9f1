#include "verbs/json.h"

#include <math.h>
#include <stdio.h>

#include "base/i18n.h"
#include "verbs/verbs.h"

int json_print(json_t *object)
{
    if (!object) return verb_fail(EXIT_NO_SERVER, _("The result cannot be written as JSON."));
    int failed = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    json_decref(object);
    putchar('\n');
    if (failed) return verb_fail(EXIT_NO_SERVER, _("The result cannot be written as JSON."));
    return EXIT_AS_CLAIMED;
}

json_t *json_number_or_null(bool applies, long number)
{
    return applies ? json_integer(number) : json_null();
}

json_t *json_text_or_null(const char *text)
{
    return *text ? json_string(text) : json_null();
}

json_t *json_rounded(double number, int digits)
{
    double scale = pow(10, digits);
    return json_real(round(number * scale) / scale);
}

static json_t *verdict_json(const Verdict *verdict)
{
    json_t *ok = verdict->state == VERDICT_KEPT     ? json_true()
                 : verdict->state == VERDICT_BROKEN ? json_false()
                                                    : json_null();
    return json_pack("{s:o, s:o}", "ok", ok, "detail", json_text_or_null(verdict->detail));
}

json_t *json_verdicts(const Verdict verdict[INVARIANT_COUNT])
{
    json_t *invariants = json_object();
    for (int i = 0; i < INVARIANT_COUNT; i++)
        json_object_set_new(invariants, invariant_name((Invariant)i), verdict_json(&verdict[i]));
    return invariants;
}
