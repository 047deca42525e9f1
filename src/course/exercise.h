/* exercise.h -- a script for the learner to mend: their copy, how it is put in the shipped one's place, and what it is
 * examined in.
 *
 * The copy is $XDG_DATA_HOME/seckill-lab/exercises/LESSON/SCRIPT; the shipped file is never written to. */
#ifndef COURSE_EXERCISE_H
#define COURSE_EXERCISE_H

#include "course/course.h"
#include "engine/exam.h"

enum { EXERCISE_PATH = 4200 };

/* "LESSON[/VARIANT]": the variant with the exercise, without a variant the lesson's first one. False with a line that
 * names those there are. */
bool exercise_find(const Course *course, const char *name, const Lesson **lesson, LessonVariant **variant,
                   Error *error);
/* The number-th exercise of the course, counted from 0; NULL past the last. */
LessonVariant *exercise_at(const Course *course, int number, const Lesson **lesson);

/* Where the learner's copy is, or will be. Returns `path`. */
const char *exercise_path(const Lesson *lesson, const Exercise *exercise, char path[EXERCISE_PATH]);
/* The same with "~" for the home directory: for the screen. */
const char *exercise_path_short(const char *path, char text[EXERCISE_PATH]);
/* Makes the copy, unless there is one: false with a line when it cannot. */
bool exercise_begin(const Lesson *lesson, const Exercise *exercise, Error *error);
/* The shipped script again. What was there is kept beside it, as FILE.old. */
bool exercise_reset(const Lesson *lesson, const Exercise *exercise, Error *error);

/* Reads a script of the learner's. The pointer lives as long as the program; NULL with a line: it cannot be read, is too
 * long, or holds a NUL. */
const OwnScript *exercise_read(const Exercise *exercise, const char *path, Error *error);
/* The text of lua/NAME, the shipped script or the solution; the caller's, free. NULL with a line. */
char *exercise_text(const char *name, Error *error);

/* Puts a script in the shipped one's place: the variant's listing, hash and worlds are those of the exercise then, and
 * everything that is run of it runs this script. For the thread that owns the course. */
bool exercise_put_on(LessonVariant *variant, const OwnScript *own, Error *error);
/* Of a script that is put on: the variant's small world is the number-th of the exercise; its schedule lines are of that
 * world then. */
void exercise_choose_world(LessonVariant *variant, int number);
/* The variant as it is shipped. */
void exercise_take_off(LessonVariant *variant);
/* A schedule line of a variant with an exercise may have been made with a script of the learner's: the one in `file`, or
 * (NULL) the learner's copy as it is now. Then that is put on, and the line can be read. Returns the variant; NULL: it was
 * not. */
LessonVariant *exercise_put_on_for(const Course *course, const char *line, const char *file);

/* What the script is to be examined in. */
void exercise_exam(const LessonVariant *variant, const OwnScript *own, ExamSpec *spec);

/* ---- for the loader ---- */

/* The script must be one that the listing names, and both files must be there; no other exercise of the lesson may have
 * the same script. */
bool exercise_check(const Lesson *lesson, const LessonVariant *variant, Error *error);
void exercise_free(LessonVariant *variant);

#endif
