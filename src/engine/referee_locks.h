/* referee_locks.h -- the judges of locks. Private to referee.c. */
#ifndef ENGINE_REFEREE_LOCKS_H
#define ENGINE_REFEREE_LOCKS_H

#include "engine/referee.h"

void referee_say(Verdict *verdict, VerdictState state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void judge_mutual_exclusion(const Case *judged, Verdict *verdict, Finding *finding);
void judge_owner_release(const Case *judged, Verdict *verdict, Finding *finding);
/* Who asked before another one asked, and was granted the lock after it. */
void judge_fair_order(const Case *judged, Verdict *verdict, Finding *finding);
void judge_progress(const Case *judged, Verdict *verdict, Finding *finding);

#endif
