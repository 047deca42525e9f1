# course.mk -- the sources of src/course, one a line, in alphabetical order.
course_sources = \
	src/course/course.h \
	src/course/progress.h \
	src/course/shop_sources.h
