/* clock.h -- the two clocks: one that only goes forward, one that people read. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC in ns: comparable between the processes of one machine. Thread-safe. */
uint64_t clock_now_ns(void);
/* Seconds since 1970-01-01T00:00:00Z. Thread-safe. */
int64_t clock_wall_seconds(void);
/* Sleeps for `ns`; goes on sleeping after a signal. */
void clock_sleep_ns(uint64_t ns);

#endif
