/* doctor.c -- what is here, what is missing, and what to do about it. */
#include "verbs/doctor.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "verbs/json.h"
#include "verbs/verbs.h"

static const struct {
    const char *name, *sign, *word;
} states[] = {
    [PART_FINE] = {"ok", "=", N_("found")},
    [PART_NOTE] = {"note", "!", N_("note")},
    [PART_MISSING] = {"missing", "x", N_("MISSING")},
};

Part *findings_add(Findings *findings, const char *name, const char *label)
{
    Part *part = &findings->part[findings->count < PARTS - 1 ? findings->count++ : PARTS - 1];
    *part = (Part){.name = name, .label = label};
    return part;
}

static bool all_well(const Findings *findings)
{
    for (int i = 0; i < findings->count; i++)
        if (findings->part[i].state == PART_MISSING) return false;
    return true;
}

static int print_json(const Findings *findings)
{
    json_t *parts = json_array();
    for (int i = 0; i < findings->count; i++) {
        const Part *part = &findings->part[i];
        json_array_append_new(parts, json_pack("{s:s, s:s, s:o, s:o}", "name", part->name, "state",
                                               states[part->state].name, "found",
                                               json_text_or_null(part->found), "advice",
                                               json_text_or_null(part->advice)));
    }
    return json_print(json_pack("{s:b, s:o}", "ok", all_well(findings), "parts", parts));
}

static void print_part(const Part *part)
{
    char label[80], word[40];
    text_pad(label, sizeof label, _(part->label), 14, TEXT_LEFT);
    text_pad(word, sizeof word, _(states[part->state].word), 8, TEXT_LEFT);
    printf("%s %s %s %s\n", states[part->state].sign, label, word, part->found);
    if (*part->advice)
        printf("  %s %s\n", text_pad(label, sizeof label, "", 23, TEXT_LEFT), part->advice);
}

static void print_plain(const Findings *findings)
{
    for (int i = 0; i < findings->count; i++) print_part(&findings->part[i]);
    printf("\n%s\n", all_well(findings) ? _("All is well.")
                                        : _("Something is missing: see the lines marked x."));
}

int verb_doctor(const Options *options)
{
    static Findings findings;
    doctor_programs(&findings);
    doctor_servers(&findings, options);
    doctor_terminal(&findings);
    int status = EXIT_AS_CLAIMED;
    if (options->given[OPTION_JSON])
        status = print_json(&findings);
    else
        print_plain(&findings);
    return status == EXIT_AS_CLAIMED && !all_well(&findings) ? EXIT_NO_SERVER : status;
}
