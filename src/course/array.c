#include "course/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

/* The array is moved only when `count` reaches a power of two: its size need not be kept. */
void *array_grow(void *array, int count, size_t element_size)
{
    size_t used = (size_t)count;
    if ((used & (used - 1)) == 0) {
        array = reallocarray(array, used ? used * 2 : 1, element_size);
        if (!array) {
            fputs(_("seckill-lab: out of memory\n"), stderr);
            abort();
        }
    }
    memset((char *)array + used * element_size, 0, element_size);
    return array;
}
