/* array.h -- arrays that grow by one element at a time while the lessons are read. */
#ifndef COURSE_ARRAY_H
#define COURSE_ARRAY_H

#include <stddef.h>

/* Makes room for one more element behind the `count` there are, and zeroes it. Returns the array,
 * which may have moved; it is freed with free(). Never NULL: without memory the program says so
 * and aborts. */
void *array_grow(void *array, int count, size_t element_size);

#endif
