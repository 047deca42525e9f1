/* futex.h -- waiting on a word of memory that several processes share. futex(2). */
#ifndef BASE_FUTEX_H
#define BASE_FUTEX_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Sleeps while *word == seen; may return early. timeout_ns 0: no limit. False: the time is up. */
bool futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t timeout_ns);
void futex_wake(_Atomic uint32_t *word, int how_many);
/* Adds one and wakes everybody. */
void futex_bump(_Atomic uint32_t *word);

#endif
