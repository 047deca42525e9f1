/* test_engine_component.c -- the name of a lock from its template. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "engine/actor.h"
#include "engine/refusal.h"

static const char *named(const char *template)
{
    static LockKey key;
    Actor me = {.user = 7};
    key = lock_name_from(&me, template, 12);
    return key.text;
}

static void fills_in_arguments(void **state)
{
    (void)state;
    assert_string_equal(named("lock:coupon:#{userId}"), "lock:coupon:7");
    assert_string_equal(named("lock:coupon:#{voucherId}"), "lock:coupon:12");
    assert_string_equal(named("lock:#{voucherId}:#{userId}:x"), "lock:12:7:x");
    assert_string_equal(named("#{userId}"), "7");
}

static void leaves_other_text_alone(void **state)
{
    (void)state;
    assert_string_equal(named("lock:coupon"), "lock:coupon");
    assert_string_equal(named("lock:{userId}"), "lock:{userId}"); /* a hash tag */
    assert_string_equal(named("lock:#{userId"), "lock:#{userId");
    assert_string_equal(named(""), "");
}

static void uses_its_room_to_the_end(void **state)
{
    (void)state;
    const char *name = named("012345678901234567890123456789012345678901234#{voucherId}");
    assert_string_equal(name, "01234567890123456789012345678901234567890123412");
    assert_int_equal(strlen(name), sizeof((LockKey *)0)->text - 1);
}

/* Exceptions of the shop are known by their message, wherever a step's result is told. */
static void exceptions_have_words(void **state)
{
    (void)state;
    static const char *const messages[] = {"too many requests", "the wait is over", "auto_unlock off needs a lease_ms",
                                           "no such argument in the lock's name", "the lock's name is too long"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        char text[120];
        assert_string_equal(refusal_words(refusal_code(messages[i]), text, sizeof text), messages[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_in_arguments),
        cmocka_unit_test(leaves_other_text_alone),
        cmocka_unit_test(uses_its_room_to_the_end),
        cmocka_unit_test(exceptions_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
