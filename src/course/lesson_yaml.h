/* lesson_yaml.h -- what a lesson states: lessons/NN-name.yaml. */
#ifndef COURSE_LESSON_YAML_H
#define COURSE_LESSON_YAML_H

#include "course/course.h"

/* Reads everything but the words and the listings into a zeroed `lesson`. After an error the
 * lesson holds what was read so far. `name` is how errors call the file,
 * "lessons/02-oversell.yaml"; number and name of the lesson must agree with it. */
bool lesson_yaml_read(const char *path, const char *name, Lesson *lesson, Error *error);

#endif
