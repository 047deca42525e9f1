#include "course/progress.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/paths.h"

/* {"version": 1, "last": {"lesson": "oversell", "variant": "..."},
 *  "lessons": {"oversell": {"read": true, "raced": {"check-then-update": true}}}} */
struct Progress {
    json_t *root;
};

enum { VERSION = 1 };

static void file_path(char *path, size_t size, const char *ending)
{
    snprintf(path, size, "%s/progress.json%s", paths_state(), ending);
}

/* A file of a later version, or of something else altogether, counts as damaged too. */
static bool is_ours(const json_t *root)
{
    return json_is_object(root) && json_integer_value(json_object_get(root, "version")) == VERSION;
}

static json_t *read_file(void)
{
    char path[4400], beside[4400];
    file_path(path, sizeof path, "");
    json_t *root = json_load_file(path, 0, NULL);
    if (is_ours(root)) return root;
    json_decref(root);
    file_path(beside, sizeof beside, ".damaged");
    rename(path, beside); /* fails when there was no file, which is no trouble */
    return NULL;
}

Progress *progress_load(void)
{
    Progress *progress = malloc(sizeof *progress);
    json_t *root = read_file();
    if (!root) root = json_pack("{s:i}", "version", VERSION);
    if (!progress || !root) {
        fputs(_("seckill-lab: out of memory\n"), stderr);
        abort();
    }
    progress->root = root;
    return progress;
}

void progress_free(Progress *progress)
{
    if (!progress) return;
    json_decref(progress->root);
    free(progress);
}

/* The object under a key, made when it is missing or is something else. */
static json_t *object_of(json_t *parent, const char *key)
{
    json_t *object = json_object_get(parent, key);
    if (json_is_object(object)) return object;
    object = json_object();
    json_object_set_new(parent, key, object);
    return object;
}

static json_t *lesson_of(const Progress *progress, const char *lesson)
{
    return json_object_get(json_object_get(progress->root, "lessons"), lesson);
}

bool progress_read(const Progress *progress, const char *lesson)
{
    return json_is_true(json_object_get(lesson_of(progress, lesson), "read"));
}

bool progress_raced(const Progress *progress, const char *lesson, const char *variant)
{
    json_t *raced = json_object_get(lesson_of(progress, lesson), "raced");
    return json_is_true(json_object_get(raced, variant));
}

void progress_note_read(Progress *progress, const char *lesson)
{
    json_t *of_lesson = object_of(object_of(progress->root, "lessons"), lesson);
    json_object_set_new(of_lesson, "read", json_true());
}

void progress_note_raced(Progress *progress, const char *lesson, const char *variant)
{
    json_t *of_lesson = object_of(object_of(progress->root, "lessons"), lesson);
    json_object_set_new(object_of(of_lesson, "raced"), variant, json_true());
}

/* ---- exercises ------------------------------------------------------------------------------- */

static json_t *exercise_of(const Progress *progress, const char *lesson, const char *variant)
{
    return json_object_get(json_object_get(lesson_of(progress, lesson), "exercises"), variant);
}

static json_t *exercise_made(Progress *progress, const char *lesson, const char *variant)
{
    json_t *of_lesson = object_of(object_of(progress->root, "lessons"), lesson);
    return object_of(object_of(of_lesson, "exercises"), variant);
}

bool progress_solved(const Progress *progress, const char *lesson, const char *variant)
{
    return json_is_true(json_object_get(exercise_of(progress, lesson, variant), "solved"));
}

const char *progress_checked(const Progress *progress, const char *lesson, const char *variant)
{
    const char *checked = json_string_value(json_object_get(exercise_of(progress, lesson, variant), "checked"));
    return checked ? checked : "";
}

int progress_hints(const Progress *progress, const char *lesson, const char *variant)
{
    return (int)json_integer_value(json_object_get(exercise_of(progress, lesson, variant), "hints"));
}

void progress_note_checked(Progress *progress, const char *lesson, const char *variant, const char *result)
{
    json_t *exercise = exercise_made(progress, lesson, variant);
    json_object_set_new(exercise, "checked", json_string(result));
    if (strcmp(result, "passed") == 0) json_object_set_new(exercise, "solved", json_true());
}

void progress_note_hints(Progress *progress, const char *lesson, const char *variant, int hints)
{
    json_object_set_new(exercise_made(progress, lesson, variant), "hints", json_integer(hints));
}

void progress_note_reset(Progress *progress, const char *lesson, const char *variant)
{
    json_t *exercise = exercise_made(progress, lesson, variant);
    json_object_del(exercise, "checked");
    json_object_del(exercise, "hints");
}

/* ---- the last lesson ------------------------------------------------------------------------- */

const char *progress_last(const Progress *progress)
{
    return json_string_value(json_object_get(json_object_get(progress->root, "last"), "lesson"));
}

const char *progress_last_variant(const Progress *progress)
{
    return json_string_value(json_object_get(json_object_get(progress->root, "last"), "variant"));
}

void progress_note_last(Progress *progress, const char *lesson, const char *variant)
{
    json_object_set_new(progress->root, "last",
                        json_pack("{s:s, s:s?}", "lesson", lesson, "variant", variant));
}

const char *progress_unkept(void)
{
    return _("Progress is not kept: point XDG_STATE_HOME to a directory you can write in.");
}

/* The new file is whole on disk before it takes the old one's place. */
bool progress_save(const Progress *progress)
{
    char path[4400], fresh[4400], ending[32];
    snprintf(ending, sizeof ending, ".%ld", (long)getpid());
    file_path(path, sizeof path, "");
    file_path(fresh, sizeof fresh, ending);
    FILE *stream = fopen(fresh, "we");
    if (!stream) return false;
    bool written = json_dumpf(progress->root, stream, JSON_INDENT(2) | JSON_SORT_KEYS) == 0 &&
                   fputc('\n', stream) != EOF && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    written = fclose(stream) == 0 && written;
    if (written && rename(fresh, path) == 0) return true;
    unlink(fresh);
    return false;
}
