#include "base/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t timeout_ns)
{
    struct timespec limit = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                             .tv_nsec = (long)(timeout_ns % 1000000000u)};
    long result = syscall(SYS_futex, word, FUTEX_WAIT, seen, timeout_ns ? &limit : NULL, NULL, 0);
    return !(result != 0 && errno == ETIMEDOUT);
}

void futex_wake(_Atomic uint32_t *word, int how_many)
{
    syscall(SYS_futex, word, FUTEX_WAKE, how_many, NULL, NULL, 0);
}

void futex_bump(_Atomic uint32_t *word)
{
    atomic_fetch_add(word, 1);
    futex_wake(word, INT_MAX);
}
