#include "course/exercise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/text.h"
#include "course/listing.h"
#include "course/schedule_text.h"

/* ---- finding --------------------------------------------------------------------------------- */

LessonVariant *exercise_at(const Course *course, int number, const Lesson **lesson)
{
    for (int i = 0; i < course->count; i++)
        for (int j = 0; j < course->lessons[i].variant_count; j++) {
            LessonVariant *variant = &course->lessons[i].variants[j];
            if (!variant->exercise || number-- > 0) continue;
            if (lesson) *lesson = &course->lessons[i];
            return variant;
        }
    return NULL;
}

static bool no_exercise(const Course *course, const char *name, Error *error)
{
    Text list = {0};
    const Lesson *lesson;
    const LessonVariant *variant;
    for (int i = 0; (variant = exercise_at(course, i, &lesson)); i++)
        text_format(&list, "%s%s/%s", i ? ", " : "", lesson->name, variant->name);
    char shown[80];
    text_clean(shown, sizeof shown, name, strlen(name));
    error_set(error, _("there is no exercise in %s; there are %s"), shown, text_string(&list));
    text_free(&list);
    return false;
}

bool exercise_find(const Course *course, const char *name, const Lesson **lesson, LessonVariant **variant,
                   Error *error)
{
    const LessonVariant *found;
    if (!course_find(course, name, lesson, &found, error)) return false;
    bool any = strchr(name, '/') == NULL;
    *variant = NULL;
    for (int i = 0; !*variant && i < (*lesson)->variant_count; i++) {
        LessonVariant *candidate = &(*lesson)->variants[i];
        if (candidate->exercise && (any || candidate == found)) *variant = candidate;
    }
    return *variant || no_exercise(course, name, error);
}

/* ---- files ----------------------------------------------------------------------------------- */

const char *exercise_path(const Lesson *lesson, const Exercise *exercise, char path[EXERCISE_PATH])
{
    snprintf(path, EXERCISE_PATH, "%s/exercises/%s/%s", paths_user_data(), lesson->name, exercise->script);
    return path;
}

const char *exercise_path_short(const char *path, char text[EXERCISE_PATH])
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && strncmp(path, home, length) == 0 && path[length] == '/')
        snprintf(text, EXERCISE_PATH, "~%s", path + length);
    else
        snprintf(text, EXERCISE_PATH, "%s", path);
    return text;
}

static bool cannot_read(const char *path, const char *why, Error *error)
{
    char shown[300];
    text_clean(shown, sizeof shown, path, strlen(path));
    return error_set(error, _("%s cannot be read: %s."), shown, why);
}

/* At most OWN_TEXT - 1 bytes; *length says how many. The caller's, free. */
static char *read_text(const char *path, size_t *length, Error *error)
{
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, OWN_TEXT + 1) : NULL;
    bool fine = text != NULL;
    *length = fine ? fread(text, 1, OWN_TEXT, file) : 0;
    if (!fine || ferror(file)) fine = cannot_read(path, strerror(errno), error);
    if (fine && *length == OWN_TEXT)
        fine = error_set(error, _("The script is too long: %d bytes are the most."), OWN_TEXT - 1);
    if (file) fclose(file);
    if (fine) return text;
    free(text);
    return NULL;
}

char *exercise_text(const char *name, Error *error)
{
    char path[EXERCISE_PATH];
    size_t length;
    snprintf(path, sizeof path, "%s/lua/%s", paths_data(), name);
    return read_text(path, &length, error);
}

static const OwnScript *own_of(const Exercise *exercise, const char *text)
{
    static OwnScript own; /* large */
    memset(&own, 0, sizeof own);
    own.keys = exercise->keys;
    snprintf(own.name, sizeof own.name, "%s", exercise->script);
    snprintf(own.text, sizeof own.text, "%s", text);
    return own_script_keep(&own);
}

const OwnScript *exercise_read(const Exercise *exercise, const char *path, Error *error)
{
    size_t length;
    char *text = read_text(path, &length, error);
    const OwnScript *own = NULL;
    if (text && strlen(text) < length)
        cannot_read(path, _("it holds a NUL byte"), error);
    else if (text)
        own = own_of(exercise, text);
    free(text);
    return own;
}

static void make_directories(char *path)
{
    for (char *at = path + strlen(paths_user_data()) + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
}

/* Whole, or not at all. */
static bool write_text(const char *path, const char *text, Error *error)
{
    char fresh[EXERCISE_PATH + 16];
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "we");
    bool fine = file && fputs(text, file) != EOF;
    if (file) fine = fclose(file) == 0 && fine;
    if (fine && rename(fresh, path) == 0) return true;
    error_set(error, _("Your copy of the script cannot be written to %s: %s."), path, strerror(errno));
    if (file) unlink(fresh);
    return false;
}

static bool write_shipped(const Exercise *exercise, char *path, Error *error)
{
    char *text = exercise_text(exercise->script, error);
    if (!text) return false;
    make_directories(path);
    bool written = write_text(path, text, error);
    free(text);
    return written;
}

bool exercise_begin(const Lesson *lesson, const Exercise *exercise, Error *error)
{
    char path[EXERCISE_PATH];
    exercise_path(lesson, exercise, path);
    return access(path, F_OK) == 0 || write_shipped(exercise, path, error);
}

bool exercise_reset(const Lesson *lesson, const Exercise *exercise, Error *error)
{
    char path[EXERCISE_PATH], old[EXERCISE_PATH + 8];
    exercise_path(lesson, exercise, path);
    snprintf(old, sizeof old, "%s.old", path);
    rename(path, old); /* fails when there was none, which is no trouble */
    return write_shipped(exercise, path, error);
}

/* ---- in the shipped one's place -------------------------------------------------------------- */

bool exercise_put_on(LessonVariant *variant, const OwnScript *own, Error *error)
{
    Exercise *exercise = variant->exercise;
    Listing listing;
    if (exercise->put_on && variant->race.own == own) {
        exercise_choose_world(variant, 0);
        return true;
    }
    if (!listing_make(variant->code, own, &listing, error)) return false;
    exercise_take_off(variant);
    exercise->put_on = true;
    exercise->shipped_listing = variant->listing;
    exercise->shipped_small = variant->small;
    exercise->shipped_race = variant->race;
    exercise->shipped_shortest = variant->shortest;
    variant->listing = listing;
    variant->shortest = NULL;
    variant->race.own = own;
    exercise_choose_world(variant, 0);
    memcpy(variant->race.keeps, variant->small.keeps, sizeof variant->race.keeps);
    memset(variant->race.breaks, 0, sizeof variant->race.breaks);
    return true;
}

void exercise_choose_world(LessonVariant *variant, int number)
{
    variant->small = variant->exercise->world[number];
    variant->small.own = variant->race.own;
}

void exercise_take_off(LessonVariant *variant)
{
    Exercise *exercise = variant->exercise;
    if (!exercise || !exercise->put_on) return;
    listing_clear(&variant->listing);
    exercise->put_on = false;
    variant->listing = exercise->shipped_listing;
    variant->small = exercise->shipped_small;
    variant->race = exercise->shipped_race;
    variant->shortest = exercise->shipped_shortest;
    exercise->shipped_listing = (Listing){0};
    exercise->shipped_shortest = NULL;
}

LessonVariant *exercise_put_on_for(const Course *course, const char *line, const char *file)
{
    static ScheduleLine parsed;
    char path[EXERCISE_PATH];
    const OwnScript *own;
    if (!schedule_line_parse(line, &parsed, NULL)) return NULL;
    const Lesson *lesson = course_lesson(course, parsed.lesson);
    for (int i = 0; lesson && i < lesson->variant_count; i++) {
        LessonVariant *variant = &lesson->variants[i];
        if (!variant->exercise || strcmp(variant->name, parsed.variant) != 0) continue;
        if (schedule_text_hash(variant) == parsed.hash) return NULL; /* of the script that is in place */
        const char *from = file ? file : exercise_path(lesson, variant->exercise, path);
        if (!(own = exercise_read(variant->exercise, from, NULL)) ||
            !exercise_put_on(variant, own, NULL))
            return NULL;
        for (int world = 0; world < variant->exercise->worlds; world++) {
            exercise_choose_world(variant, world);
            if (schedule_text_hash(variant) == parsed.hash) return variant;
        }
        exercise_take_off(variant);
    }
    return NULL;
}

/* ---- for the loader -------------------------------------------------------------------------- */

static bool names_script(const Listing *listing, const char *script)
{
    for (int i = 0; i < listing->count; i++)
        if (strstr(listing->lines[i].text, script)) return true;
    return false;
}

static bool is_shared(const Lesson *lesson, const LessonVariant *variant)
{
    for (int i = 0; i < lesson->variant_count; i++) {
        const LessonVariant *other = &lesson->variants[i];
        if (other != variant && other->exercise && strcmp(other->exercise->script, variant->exercise->script) == 0)
            return true;
    }
    return false;
}

static bool is_there(const char *name, Error *error)
{
    char *text = exercise_text(name, error);
    free(text);
    return text != NULL;
}

bool exercise_check(const Lesson *lesson, const LessonVariant *variant, Error *error)
{
    const Exercise *exercise = variant->exercise;
    if (!exercise) return true;
    if (!names_script(&variant->listing, exercise->script))
        return error_set(error, _("lessons/%s-%s.yaml:1: the exercise of '%s' is about %s, which its code does not name"),
                         lesson->number, lesson->name, variant->name, exercise->script);
    if (is_shared(lesson, variant))
        return error_set(error, _("lessons/%s-%s.yaml:1: two exercises are about %s"), lesson->number, lesson->name,
                         exercise->script);
    return is_there(exercise->script, error) && is_there(exercise->solution, error);
}

static void clear(Blocks *blocks)
{
    blocks_free(blocks->blocks, blocks->count);
}

void exercise_free(LessonVariant *variant)
{
    Exercise *exercise = variant->exercise;
    if (!exercise) return;
    exercise_take_off(variant);
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        ExerciseText *text = &exercise->text[language];
        clear(&text->task);
        for (int i = 0; i < EXERCISE_HINTS; i++) clear(&text->hint[i]);
        clear(&text->solution);
    }
    free(exercise->script);
    free(exercise->solution);
    free(exercise);
    variant->exercise = NULL;
}
