#include "course/course.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "course/array.h"
#include "course/exercise.h"
#include "course/lesson_words.h"
#include "course/lesson_yaml.h"
#include "course/listing.h"
#include "course/markdown.h"
#include "course/shop_sources.h"

static const char *const language_directory[LANGUAGE_COUNT] = {"en", "zh"};

/* ---- freeing ------------------------------------------------------------------------------- */

void blocks_free(Block *blocks, int count)
{
    for (int i = 0; i < count; i++) block_clear(&blocks[i]);
    free(blocks);
}

static void lesson_text_clear(LessonText *text)
{
    free(text->title);
    free(text->summary);
    for (int i = 0; i < text->section_count; i++) {
        free(text->sections[i].heading);
        blocks_free(text->sections[i].blocks, text->sections[i].block_count);
    }
    free(text->sections);
}

static void variant_clear(LessonVariant *variant)
{
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        VariantText *text = &variant->text[language];
        free(text->title);
        free(text->goal);
        free(text->hint);
        blocks_free(text->blocks, text->block_count);
    }
    exercise_free(variant);
    listing_clear(&variant->listing);
    free(variant->shortest);
    free(variant->name);
}

static void lesson_clear(Lesson *lesson)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++) lesson_text_clear(&lesson->text[i]);
    for (int i = 0; i < lesson->variant_count; i++) variant_clear(&lesson->variants[i]);
    free(lesson->variants);
    free(lesson->number);
    free(lesson->name);
}

void course_free(Course *course)
{
    if (!course) return;
    for (int i = 0; i < course->count; i++) lesson_clear(&course->lessons[i]);
    free(course->lessons);
    free(course);
}

/* ---- loading ------------------------------------------------------------------------------- */

static bool cut_listings(Lesson *lesson, Error *error)
{
    for (int i = 0; i < lesson->variant_count; i++) {
        LessonVariant *variant = &lesson->variants[i];
        const char *source = shop_source(variant->code->file);
        if (!source || !listing_cut(source, variant->code->function, variant->code->consumer_function,
                                    &variant->listing))
            return error_set(error,
                             _("%s:1: there is no function '%s' here, which "
                               "src/shop/register.c names for %s/%s"),
                             variant->code->file, variant->code->function, lesson->name,
                             variant->name);
        if (!listing_add_scripts(&variant->listing, NULL, error)) return false;
        if (!exercise_check(lesson, variant, error)) return false;
    }
    return true;
}

/* `file` is NN-name.yaml; the words have the same name in the directory of their language. */
static bool load_lesson(const char *directory, const char *file, Lesson *lesson, Error *error)
{
    char name[300], path[4400];
    snprintf(name, sizeof name, "lessons/%s", file);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (!lesson_yaml_read(path, name, lesson, error)) return false;
    int stem = (int)(strlen(file) - strlen(".yaml"));
    for (Language language = LANGUAGE_EN; language < LANGUAGE_COUNT; language++) {
        snprintf(name, sizeof name, "lessons/%s/%.*s.md", language_directory[language], stem, file);
        snprintf(path, sizeof path, "%s/%s", directory, name);
        if (!lesson_words_read(path, name, language, lesson, error)) return false;
    }
    return cut_listings(lesson, error);
}

/* Each registered variant must belong to a lesson; those of the lessons there are have been seen
 * to. */
static bool check_register(const Course *course, Error *error)
{
    for (int i = 0; i < variant_count; i++)
        if (!course_lesson(course, variants[i].lesson))
            return error_set(error,
                             _("src/shop/register.c:1: '%s' is registered for lesson '%s', but "
                               "there is no lessons/NN-%s.yaml"),
                             variants[i].name, variants[i].lesson, variants[i].lesson);
    return true;
}

static bool check_numbers(const Course *course, Error *error)
{
    for (int i = 1; i < course->count; i++) {
        const Lesson *lesson = &course->lessons[i], *before = lesson - 1;
        if (strcmp(lesson->number, before->number) == 0)
            return error_set(error, _("lessons/%s-%s.yaml:1: number %s is taken by lesson '%s'"),
                             lesson->number, lesson->name, lesson->number, before->name);
    }
    return true;
}

static int is_yaml(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot && strcmp(dot, ".yaml") == 0;
}

static bool load_all(Course *course, const char *directory, Error *error)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/lessons", directory);
    struct dirent **files;
    int count = scandir(path, &files, is_yaml, alphasort);
    if (count < 0)
        return error_set(error, _("%s cannot be read: %s; SECKILL_LAB_DATA names another place"),
                         path, strerror(errno));
    bool loaded = true;
    for (int i = 0; i < count; i++) {
        if (loaded) {
            course->lessons = array_grow(course->lessons, course->count, sizeof *course->lessons);
            Lesson *lesson = &course->lessons[course->count++];
            loaded = load_lesson(directory, files[i]->d_name, lesson, error);
        }
        free(files[i]);
    }
    free(files);
    return loaded && check_numbers(course, error) && check_register(course, error);
}

Course *course_load_from(const char *directory, Error *error)
{
    Course *course = array_grow(NULL, 0, sizeof *course);
    if (load_all(course, directory, error)) return course;
    course_free(course);
    return NULL;
}

Course *course_load(Error *error)
{
    return course_load_from(paths_data(), error);
}

/* ---- finding ------------------------------------------------------------------------------- */

/* "02", "2", "oversell", "02-oversell" */
static bool lesson_is_called(const Lesson *lesson, const char *name)
{
    if (strcmp(lesson->number, name) == 0 || strcmp(lesson->name, name) == 0) return true;
    if (lesson->number[0] == '0' && strcmp(lesson->number + 1, name) == 0) return true;
    size_t digits = strlen(lesson->number);
    return strncmp(lesson->number, name, digits) == 0 && name[digits] == '-' &&
           strcmp(lesson->name, name + digits + 1) == 0;
}

const Lesson *course_lesson(const Course *course, const char *name)
{
    for (int i = 0; i < course->count; i++)
        if (lesson_is_called(&course->lessons[i], name)) return &course->lessons[i];
    return NULL;
}

const LessonVariant *lesson_variant(const Lesson *lesson, const char *name)
{
    for (int i = 0; i < lesson->variant_count; i++)
        if (strcmp(lesson->variants[i].name, name) == 0) return &lesson->variants[i];
    return NULL;
}

static bool no_such_lesson(const Course *course, const char *name, Error *error)
{
    Text list = {0};
    for (int i = 0; i < course->count; i++)
        text_format(&list, "%s%s-%s", i ? ", " : "", course->lessons[i].number,
                    course->lessons[i].name);
    char shown[80];
    text_clean(shown, sizeof shown, name, strlen(name));
    error_set(error, _("there is no lesson '%s'; there are %s"), shown, text_string(&list));
    text_free(&list);
    return false;
}

static bool no_such_variant(const Lesson *lesson, const char *name, Error *error)
{
    Text list = {0};
    for (int i = 0; i < lesson->variant_count; i++)
        text_format(&list, "%s%s", i ? ", " : "", lesson->variants[i].name);
    char shown[80];
    text_clean(shown, sizeof shown, name, strlen(name));
    error_set(error, _("lesson %s has no variant '%s'; it has %s"), lesson->name, shown,
              text_string(&list));
    text_free(&list);
    return false;
}

bool course_find(const Course *course, const char *name, const Lesson **lesson,
                 const LessonVariant **variant, Error *error)
{
    const char *slash = strchrnul(name, '/');
    char *lesson_name = strndup(name, (size_t)(slash - name));
    *lesson = course_lesson(course, lesson_name);
    bool found = *lesson || no_such_lesson(course, lesson_name, error);
    free(lesson_name);
    if (!found) return false;
    *variant = *slash ? lesson_variant(*lesson, slash + 1) : &(*lesson)->variants[0];
    return *variant || no_such_variant(*lesson, slash + 1, error);
}

const LessonText *lesson_text(const Lesson *lesson)
{
    return &lesson->text[i18n_language()];
}

const VariantText *variant_text(const LessonVariant *variant)
{
    return &variant->text[i18n_language()];
}
