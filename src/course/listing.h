/* listing.h -- the code on the screen, cut from the text of the source that was compiled. */
#ifndef COURSE_LISTING_H
#define COURSE_LISTING_H

#include "course/course.h"

/* Cuts `function` out of `source` (the whole text of a C file in the style of src/shop: a
 * function begins and ends at the first column), with the comment directly above it, then the
 * functions of the same file that it names, and those that they name, in the order of their first
 * mention. False when there is no such function; nothing is left to free then. */
bool listing_cut(const char *source, const char *function, const char *behind, Listing *listing);
/* Appends the text of every script that the listing names ("unlock.lua"), from lua/; its lines have
 * no source line. `own` (may be NULL) is read in the place of the script of its name. False with a line that
 * says which cannot be read. */
bool listing_add_scripts(Listing *listing, const OwnScript *own, Error *error);
/* The listing cut anew from the code of a variant, with its scripts. */
bool listing_make(const Variant *code, const OwnScript *own, Listing *listing, Error *error);
void listing_clear(Listing *listing);

#endif
