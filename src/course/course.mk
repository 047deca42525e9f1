# course.mk -- the sources of src/course, one a line, in alphabetical order.
course_sources = \
	src/course/array.c \
	src/course/array.h \
	src/course/compare_choice.c \
	src/course/compare_choice.h \
	src/course/course.c \
	src/course/course.h \
	src/course/exercise.c \
	src/course/exercise.h \
	src/course/exercise_exam.c \
	src/course/exercise_yaml.c \
	src/course/exercise_yaml.h \
	src/course/lesson_words.c \
	src/course/lesson_words.h \
	src/course/lesson_yaml.c \
	src/course/lesson_yaml.h \
	src/course/listing.c \
	src/course/listing.h \
	src/course/listing_scripts.c \
	src/course/markdown.c \
	src/course/markdown.h \
	src/course/progress.c \
	src/course/progress.h \
	src/course/schedule_text.c \
	src/course/schedule_text.h \
	src/course/shop_sources.h \
	src/course/world_yaml.c \
	src/course/world_yaml.h \
	src/course/yaml_file.c \
	src/course/yaml_file.h
