/* replay.c -- a pasted schedule line, or a file that holds one, carried out again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/i18n.h"
#include "base/text.h"
#include "course/exercise.h"
#include "verbs/step_print.h"
#include "verbs/verbs.h"
#include "verbs/world_options.h"

/* The first line that is not blank and no comment. */
static bool read_file(const char *path, char line[SCHEDULE_TEXT], Error *error)
{
    char shown[120];
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(error, _("%s cannot be read."),
                         text_clean(shown, sizeof shown, path, strlen(path)));
    bool found = false;
    /* A line that begins with a NUL is of no text: /dev/zero has no end. */
    while (!found && fgets(line, SCHEDULE_TEXT, file) && line[0]) {
        size_t blank = strspn(line, " \t\r\n");
        found = line[blank] != '\0' && line[blank] != '#';
    }
    fclose(file);
    if (found) {
        static char name[120];
        verb_fail_about(text_clean(name, sizeof name, path, strlen(path)));
        return true;
    }
    return error_set(error, _("%s holds no schedule line."),
                     text_clean(shown, sizeof shown, path, strlen(path)));
}

/* A word with a blank or an @ in it that names no file is a line. */
static bool read_line(const char *word, char line[SCHEDULE_TEXT], Error *error)
{
    struct stat about;
    if (stat(word, &about) == 0 && !S_ISDIR(about.st_mode)) return read_file(word, line, error);
    if (!strchr(word, '@')) {
        char shown[120];
        return error_set(error, _("'%s' is neither a file nor a schedule line. A line reads "
                                  "LESSON/VARIANT@HASH users=2 stock=1 : A A B B (in quotes)."),
                         text_clean(shown, sizeof shown, word, strlen(word)));
    }
    if (strlen(word) >= SCHEDULE_TEXT) return error_set(error, "%s", _("The schedule line is too long."));
    strcpy(line, word);
    return true;
}

static bool is_small(const Spec *spec, Error *error)
{
    static const Options nothing;
    Spec same;
    return world_options_small(&nothing, spec, &same, error);
}

int verb_replay(const Options *options)
{
    static Schedule schedule;
    char line[SCHEDULE_TEXT];
    Error error;
    Course *course = course_load(&error);
    if (!course) return verb_fail(EXIT_NO_SERVER, "%s", error.text);

    const Lesson *lesson;
    const LessonVariant *variant;
    Spec spec;
    int status;
    bool read = read_line(options->word[1], line, &error);
    if (read) exercise_put_on_for(course, line, options->text[OPTION_SCRIPT]); /* it may be of the learner's own script */
    if (read &&
        schedule_text_read(course, line, &lesson, &variant, &spec, &schedule, &error) &&
        is_small(&spec, &error))
        status = step_schedule(options, lesson, variant, &spec, &schedule);
    else
        status = verb_fail(EXIT_USAGE, "%s", error.text);
    course_free(course);
    return status;
}
