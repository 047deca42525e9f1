/* locks_fixture.h -- a Redis of its own to try locks on, with two connections' worth of ports. */
#ifndef TESTS_LOCKS_FIXTURE_H
#define TESTS_LOCKS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "lock/port_redis.h"

enum { LEASE = 30000 };

extern RedisAddress address;
extern RedisPort *port_a, *port_b;

/* For cmocka: the group's setup and teardown, and the setup of a test, which empties Redis. */
int fixture_open(void **state);
int fixture_close(void **state);
int fixture_clean(void **state);

/* One command, its words parted by blanks. The reply is the caller's; none fails the test. */
redisReply *ask(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Its reply as a number; a text that is one counts. */
#define number_of(...) number_and_free(ask(__VA_ARGS__))
long long number_and_free(redisReply *reply);
bool is_text(redisReply *reply, const char *text);
/* A lock named lock:order:7. */
Lock make(RedisPort *port, LockKind kind, const char *owner);

#define assert_near(value, wanted) assert_in_range((value), (wanted) - 2000, (wanted))

#endif
