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
