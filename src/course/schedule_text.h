/* schedule_text.h -- the pasteable line: made of a schedule and its world, and read back.
 *
 *     oversell/check-then-update@3f9a1c20 users=2 stock=1 : A B B B B A A A
 *
 * The hash is of all that the line does not say and its result depends on: the listing, and the
 * shop that the lesson's yaml describes (unique index, window, clock, presets). A line whose hash is
 * another one was made for another code: it is refused, nothing is run. */
#ifndef COURSE_SCHEDULE_TEXT_H
#define COURSE_SCHEDULE_TEXT_H

#include "course/course.h"
#include "engine/report.h"
#include "engine/schedule.h"

enum { SCHEDULE_TEXT = 1400 }; /* the longest line and its NUL */

/* Writes the line; `spec` says how many users, requests, vouchers and nodes there are. Returns
 * `text`. */
const char *schedule_text_write(const Lesson *lesson, const LessonVariant *variant,
                                const Spec *spec, const Schedule *schedule,
                                char text[SCHEDULE_TEXT]);
/* The line of the schedule that a race was turned into; empty when it has none. */
const char *schedule_text_of_report(const Lesson *lesson, const LessonVariant *variant,
                                    const Report *report, char text[SCHEDULE_TEXT]);

/* Reads a line: finds the variant, checks the hash, makes the world (the variant's small one where
 * the line says nothing), and checks that every move is one of its actors'. False with one line
 * that says what is wrong. */
bool schedule_text_read(const Course *course, const char *text, const Lesson **lesson,
                        const LessonVariant **variant, Spec *spec, Schedule *schedule,
                        Error *error);
/* Every move must be one that this world knows. Where the schedule has a lease run out or a node
 * killed, the world lets that happen. */
bool schedule_text_fits(Spec *spec, const Schedule *schedule, Error *error);

/* The hash in the line. */
uint32_t schedule_text_hash(const LessonVariant *variant);

#endif
