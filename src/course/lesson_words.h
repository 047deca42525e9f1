/* lesson_words.h -- what a lesson tells: lessons/{en,zh}/NN-name.md. */
#ifndef COURSE_LESSON_WORDS_H
#define COURSE_LESSON_WORDS_H

#include "course/course.h"

/* Reads the words of one language into a lesson whose variants are known (lesson_yaml_read()).
 * After an error the lesson holds what was read so far. */
bool lesson_words_read(const char *path, const char *name, Language language, Lesson *lesson,
                       Error *error);

#endif
