/* shop_sources.h -- the text of the shop's sources, as it was compiled. */
#ifndef COURSE_SHOP_SOURCES_H
#define COURSE_SHOP_SOURCES_H

/* The whole text of "src/shop/NAME.c", NUL-ended; NULL when there is no such file. The build makes
 * this function from the very files it compiles. Never freed. Thread-safe. */
const char *shop_source(const char *file);

#endif
