/* list.c -- the lessons and their variants, with what each claims. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "course/course.h"
#include "verbs/json.h"
#include "verbs/verbs.h"

static json_t *invariant_names(const bool which[INVARIANT_COUNT])
{
    json_t *names = json_array();
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (which[i]) json_array_append_new(names, json_string(invariant_name((Invariant)i)));
    return names;
}

static json_t *world_json(const Spec *spec)
{
    return json_pack("{s:i, s:I, s:i, s:i}", "users", spec->users, "stock", (json_int_t)spec->stock,
                     "nodes", spec->nodes, "requests", spec->requests);
}

static json_t *variant_json(const LessonVariant *variant)
{
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "name", variant->name, "title",
                     variant_text(variant)->title, "mended", variant->mended, "breaks",
                     invariant_names(variant->race.breaks), "keeps",
                     invariant_names(variant->race.keeps), "world", world_json(&variant->small),
                     "race", world_json(&variant->race));
}

static json_t *lesson_json(const Lesson *lesson)
{
    json_t *variants = json_array();
    for (int i = 0; i < lesson->variant_count; i++)
        json_array_append_new(variants, variant_json(&lesson->variants[i]));
    const LessonText *text = lesson_text(lesson);
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "number", lesson->number, "name", lesson->name,
                     "title", text->title, "summary", text->summary, "variants", variants);
}

static int print_json(const Course *course)
{
    json_t *lessons = json_array();
    for (int i = 0; i < course->count; i++)
        json_array_append_new(lessons, lesson_json(&course->lessons[i]));
    return json_print(json_pack("{s:o}", "lessons", lessons));
}

static void append_names(Text *line, const char *word, const bool which[INVARIANT_COUNT])
{
    const char *before = word;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (!which[i]) continue;
        text_format(line, "%s %s", before, invariant_name((Invariant)i));
        before = ",";
    }
}

static void print_variant(const LessonVariant *variant)
{
    char name[128];
    Text claim = {0};
    text_pad(name, sizeof name, variant->name, 26, TEXT_LEFT);
    append_names(&claim, _("breaks"), variant->race.breaks);
    if (variant->mended) append_names(&claim, _("keeps"), variant->race.keeps);
    printf("    %s %s\n", name, text_string(&claim));
    text_free(&claim);
}

static void print_lesson(const Lesson *lesson)
{
    const LessonText *text = lesson_text(lesson);
    printf("%s %s  %s\n", lesson->number, lesson->name, text->title);
    printf("    %s\n", text->summary);
    for (int i = 0; i < lesson->variant_count; i++) print_variant(&lesson->variants[i]);
}

int verb_list(const Options *options)
{
    Error error;
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);
    int status = EXIT_AS_CLAIMED;
    if (options->given[OPTION_JSON]) status = print_json(course);
    for (int i = 0; !options->given[OPTION_JSON] && i < course->count; i++) {
        if (i > 0) putchar('\n');
        print_lesson(&course->lessons[i]);
    }
    course_free(course);
    return status;
}
