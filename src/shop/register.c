/* register.c -- everything that can be bought with. A new variant is one line here. */
#include "engine/variant.h"

#include <string.h>

/* clang-format off */
/*      lesson                name                      function                      file */
#define VARIANTS(V, W) \
    V("tour",                "mended",                   buy_mended,                   "tour") \
    V("global-id",           "auto-increment",           issue_auto_increment,         "global_id") \
    V("global-id",           "clock-only",               issue_clock_only,             "global_id") \
    V("global-id",           "redis-incr",               issue_redis_incr,             "global_id") \
    V("global-id",           "counter-overflow",         issue_counter_overflow,       "global_id") \
    V("oversell",            "check-then-update",        buy_check_then_update,        "oversell") \
    V("oversell",            "absolute-update",          buy_absolute_update,          "oversell") \
    V("oversell",            "redis-get-set",            buy_redis_get_set,            "oversell") \
    V("oversell",            "window-checked",           buy_window_checked,           "oversell") \
    V("oversell",            "too-early",                buy_window_checked,           "oversell") \
    V("oversell",            "too-late",                 buy_window_checked,           "oversell") \
    V("optimistic-lock",     "version",                  buy_version,                  "optimistic_lock") \
    V("optimistic-lock",     "cas-stock",                buy_cas_stock,                "optimistic_lock") \
    V("optimistic-lock",     "cas-retry",                buy_cas_retry,                "optimistic_lock") \
    V("optimistic-lock",     "stock-gt-0",               buy_stock_gt_0,               "optimistic_lock") \
    V("one-order-per-user",  "check-then-insert",        buy_check_then_insert,        "one_order") \
    V("one-order-per-user",  "check-in-transaction",     buy_check_in_transaction,     "one_order") \
    V("one-order-per-user",  "unique-index",             buy_unique_index,             "one_order") \
    V("one-order-per-user",  "unique-index-no-rollback", buy_unique_index_no_rollback, "one_order") \
    V("one-order-per-user",  "insert-ignore-unread",     buy_insert_ignore_unread,     "one_order") \
    V("one-order-per-user",  "insert-first",             buy_insert_first,             "one_order") \
    V("local-lock",          "lock-inside-transaction",  buy_lock_inside_transaction,   "local_lock") \
    V("local-lock",          "lock-new-object",          buy_lock_new_object,           "local_lock") \
    V("local-lock",          "no-transaction",           buy_no_transaction,            "local_lock") \
    V("local-lock",          "lock-whole-method",        buy_lock_whole_method,         "local_lock") \
    V("local-lock",          "lock-per-user",            buy_lock_per_user,             "local_lock") \
    V("cluster",             "two-nodes",                buy_lock_per_user,             "local_lock") \
    V("cluster",             "one-node",                 buy_lock_per_user,             "local_lock") \
    V("redis-lock",          "mysql-get-lock",           buy_mysql_get_lock,            "redis_lock") \
    V("redis-lock",          "setnx",                    buy_setnx,                     "redis_lock") \
    V("redis-lock",          "setnx-finally",            buy_setnx_finally,             "redis_lock") \
    V("redis-lock",          "setnx-expire",             buy_setnx_expire,              "redis_lock") \
    V("redis-lock",          "lease-cut-to-zero",        buy_lease_cut_to_zero,         "redis_lock") \
    V("redis-lock",          "set-nx-ex",                buy_set_nx_ex,                 "redis_lock") \
    V("mis-delete",          "delete-blind",             buy_delete_blind,              "redis_lock") \
    V("mis-delete",          "thread-id-owner",          buy_thread_id_owner,           "redis_lock") \
    V("mis-delete",          "get-then-del",             buy_get_then_del,              "redis_lock") \
    V("lua-unlock",          "compare-and-delete",       buy_compare_and_delete,        "redis_lock") \
    V("lua-unlock",          "script-fails-midway",      buy_script_fails_midway,       "redis_lock") \
    V("redisson",            "not-reentrant",           buy_not_reentrant,             "redisson") \
    V("redisson",            "reentrant",               buy_reentrant,                 "redisson") \
    V("redisson",            "one-try",                 buy_one_try,                   "redisson") \
    V("redisson",            "subscribe-late",          buy_subscribe_late,            "redisson") \
    V("redisson",            "retry",                   buy_retry,                     "redisson") \
    V("redisson",            "no-renewal",              buy_no_renewal,                "redisson") \
    V("redisson",            "watchdog",                buy_watchdog,                  "redisson") \
    V("redisson",            "watchdog-frozen",         buy_watchdog,                  "redisson") \
    V("redisson",            "lease-given",             buy_lease_given,               "redisson") \
    V("redisson",            "thread-dies",             buy_thread_dies,               "redisson") \
    V("redisson",            "unlock-unchecked",        buy_unlock_unchecked,          "redisson") \
    V("redisson",            "fencing-token",           buy_fencing_token,             "redisson") \
    V("lock-component",      "skip-fast",               buy_skip_fast,                 "lock_component") \
    V("lock-component",      "fail-fast",               buy_fail_fast,                 "lock_component") \
    V("lock-component",      "skip-after-timeout",      buy_skip_after_timeout,        "lock_component") \
    V("lock-component",      "fail-after-timeout",      buy_fail_after_timeout,        "lock_component") \
    V("lock-component",      "keep-trying",             buy_keep_trying,               "lock_component") \
    V("lock-component",      "per-user",                buy_per_user,                  "lock_component") \
    V("lock-component",      "until-lease-ends",        buy_until_lease_ends,          "lock_component") \
    V("lock-component",      "no-lease",                buy_no_lease,                  "lock_component") \
    V("lock-component",      "reentrant",               buy_reentrant_lock,            "lock_component") \
    V("lock-component",      "fair",                    buy_fair,                      "lock_component") \
    V("lock-component",      "read-write",              buy_read_write,                "lock_component") \
    V("lock-component",      "upgrade",                 buy_upgrade,                   "lock_component") \
    V("atomic-redis",        "four-commands",            buy_four_commands,              "atomic_redis") \
    V("atomic-redis",        "decr-before-check",        buy_decr_before_check,          "atomic_redis") \
    V("atomic-redis",        "decr-and-give-back",       buy_decr_and_give_back,         "atomic_redis") \
    V("atomic-redis",        "multi-exec",               buy_multi_exec,                 "atomic_redis") \
    V("atomic-redis",        "watch",                    buy_watch,                      "atomic_redis") \
    V("atomic-redis",        "lua",                      buy_lua,                        "atomic_redis") \
    V("atomic-redis",        "lua-take-first",           buy_lua_take_first,             "atomic_redis") \
    V("atomic-redis",        "lua-basket",               buy_lua_basket,                 "atomic_redis") \
    V("lua-eligibility",     "as-written",               buy_as_written,                 "lua_eligibility") \
    V("lua-eligibility",     "mended",                   buy_eligible,                   "lua_eligibility") \
    V("lua-eligibility",     "nil-stock",                buy_nil_stock,                  "lua_eligibility") \
    V("lua-eligibility",     "missing-is-sold-out",      buy_eligible,                   "lua_eligibility") \
    V("lua-eligibility",     "load-on-miss",             buy_load_on_miss,               "lua_eligibility") \
    V("lua-eligibility",     "at-least-zero",            buy_at_least_zero,              "lua_eligibility") \
    V("lua-eligibility",     "no-window",                buy_eligible,                   "lua_eligibility") \
    V("lua-eligibility",     "no-window-late",           buy_eligible,                   "lua_eligibility") \
    V("lua-eligibility",     "window-in-script",         buy_window_in_script,           "lua_eligibility") \
    V("lua-eligibility",     "window-too-early",         buy_window_in_script,           "lua_eligibility") \
    V("lua-eligibility",     "window-too-late",          buy_window_in_script,           "lua_eligibility") \
    V("lua-eligibility",     "id-as-number",             buy_id_as_number,               "lua_eligibility") \
    V("lua-eligibility",     "id-as-text",               buy_id_as_text,                 "lua_eligibility") \
    V("lua-eligibility",     "split-in-four",            buy_split_in_four,              "lua_eligibility") \
    V("lua-eligibility",     "request-path",             buy_request_path,               "lua_eligibility") \
    V("failover",            "one-master",               buy_one_master,                "failover") \
    V("failover",            "wait-replica",             buy_wait_replica,              "failover") \
    V("failover",            "multilock",                buy_multilock,                 "failover") \
    V("failover",            "redlock",                  buy_redlock,                   "failover") \
    V("failover",            "redlock-one-down",         buy_redlock,                   "failover") \
    V("failover",            "redlock-kept",             buy_redlock,                   "failover") \
    V("failover",            "redlock-empty",            buy_redlock,                   "failover") \
    V("failover",            "sentinel",                 buy_one_master,                "failover") \
    V("failover",            "noscript",                 buy_noscript,                  "failover") \
    V("failover",            "noscript-reload",          buy_one_master,                "failover") \
    W("async-queue",         "consumer-dies",            buy_queued,        consume_until_error,    "async_queue") \
    W("async-queue",         "proxy-late",               buy_proxy_late,    consume_by_proxy,       "async_queue") \
    W("async-queue",         "queue-full",               buy_queued,        consume_and_log,        "async_queue") \
    W("async-queue",         "give-back",                buy_give_back,     consume_and_log,        "async_queue") \
    W("async-queue",         "dual-write",               buy_queued,        consume_and_log,        "async_queue") \
    W("async-queue",         "read-too-early",           buy_and_look,      consume_and_log,        "async_queue") \
    W("async-queue",         "same-user-twice",          buy_unnoted,       consume_and_note,       "async_queue") \
    W("async-queue",         "one-failure-closes",       buy_queued,        consume_or_close,       "async_queue") \
    W("async-queue",         "hardened",                 buy_hardened,      consume_hardened,       "async_queue") \
    W("async-queue",         "crash",                    buy_hardened,      consume_hardened,       "async_queue") \
    W("stream-queue",        "xadd-apart",              buy_xadd_apart,   consume_and_recover,    "stream_queue") \
    W("stream-queue",        "xadd-first",              buy_xadd_first,   consume_ack_after,      "stream_queue") \
    W("stream-queue",        "ack-first",               buy_streamed,     consume_ack_first,      "stream_queue") \
    W("stream-queue",        "new-only",                buy_streamed,     consume_new_only,       "stream_queue") \
    W("stream-queue",        "ack-after",               buy_streamed,     consume_ack_after,      "stream_queue") \
    W("stream-queue",        "pending-recovery",        buy_streamed,     consume_and_recover,    "stream_queue") \
    W("stream-queue",        "consumer-deleted",        buy_streamed,     consume_and_leave,      "stream_queue") \
    W("stream-queue",        "not-idempotent",          buy_streamed,     consume_not_idempotent, "stream_queue") \
    W("stream-queue",        "counted-twice",           buy_streamed,     consume_and_count,      "stream_queue") \
    W("stream-queue",        "poison-blocks",           buy_streamed,     consume_ack_after,      "stream_queue") \
    W("stream-queue",        "poison-set-aside",        buy_streamed,     consume_and_set_aside,  "stream_queue") \
    W("stream-queue",        "trimmed",                 buy_trimmed,      consume_ack_after,      "stream_queue") \
    W("stream-queue",        "group-at-dollar",         buy_streamed,     consume_from_now_on,    "stream_queue") \
    W("stream-queue",        "group-at-zero",           buy_streamed,     consume_from_the_start, "stream_queue") \
    W("stream-queue",        "nogroup-storm",           buy_streamed,     consume_in_a_storm,     "stream_queue") \
    W("stream-queue",        "hardened",                buy_streamed,     consume_for_good,       "stream_queue")
/* clang-format on */

/* The list is read twice: once for the prototypes, once for the table. */
#define DECLARE(lesson, name, function, file) Answer function(Actor *me, VoucherId voucher);
#define DECLARE_TWO(lesson, name, function, consumer, file) \
    Answer function(Actor *me, VoucherId voucher); \
    void consumer(Actor *me, VoucherId voucher);
VARIANTS(DECLARE, DECLARE_TWO)

#define ROW(lesson, name, function, file) \
    {lesson, name, function, "src/shop/" file ".c", #function, NULL, NULL},
#define ROW_TWO(lesson, name, function, consumer, file) \
    {lesson, name, function, "src/shop/" file ".c", #function, consumer, #consumer},
const Variant variants[] = {VARIANTS(ROW, ROW_TWO)};
const int variant_count = sizeof variants / sizeof variants[0];

const Variant *variant_find(const char *lesson, const char *name)
{
    for (int i = 0; i < variant_count; i++)
        if (strcmp(variants[i].lesson, lesson) == 0 && strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}
