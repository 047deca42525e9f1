/* story.h -- the story of the first violation: the steps of the one or two actors involved, in time
 * order, with what each saw. */
#ifndef ENGINE_STORY_H
#define ENGINE_STORY_H

#include "engine/referee.h"

/* Fills report->story for report->first_broken. The trace is sorted here. */
void story_tell(Report *report, Trace *trace, const Finding *finding, uint64_t released_ns);

/* The `rows` lines that tell it best: the one where it broke, what each of the two had read last, what they
 * took and locked; then the others, the nearest first, and last what came afterwards. */
void story_choose(const Report *report, int rows, bool shown[STORY_LINES]);

/* One event in words, translated: "takes one", "1 row"; an answer: "is told", "ordered 42". */
void story_words(const Event *event, char *words, int words_size, char *result, int result_size);

#endif
