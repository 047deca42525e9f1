/* exercise_yaml.h -- the block `exercise` of a variant in a lesson's yaml. */
#ifndef COURSE_EXERCISE_YAML_H
#define COURSE_EXERCISE_YAML_H

#include "course/course.h"
#include "course/yaml_file.h"

/* Makes variant->exercise. The variant's own world and claim must have been read. */
bool exercise_yaml_read(YamlFile *file, const yaml_node_t *node, LessonVariant *variant);

#endif
