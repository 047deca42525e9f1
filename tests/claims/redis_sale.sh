#!/usr/bin/env bash
# redis_sale.sh -- sales that are decided in Redis (lessons 13 and 14), beyond their claims: what an error
# between WATCH and EXEC leaves behind, many users on few connections, and what is said of a script that fails.
. "$LAB_SOURCE/tests/claims/tap.sh"
export SECKILL_LAB_LANG=en

# outcomes N: so many different ones.
outcomes() {
    [ "$(grep -c '"outcome": ' "$work/out")" -eq "$1" ]
}

# An error leaves WATCH or MULTI open on its connection. Were the connection used again, the next run's
# commands would be queued, and more outcomes than these would be seen.
for step in is-buyer multi queue-decr queue-sadd exec; do
    lab 0 explore 13/watch --error "A@$step" --json &&
        out 'A=error B=ordered",' 'A=sold_out B=ordered",' && outcomes 2 && out '"no-undersell": 0,'
    result "an error at $step: A hears it, B buys, and nothing of it is left in the next run" $?
done

# More users than connections: each keeps its own from WATCH to EXEC, and no longer.
lab 0 run 13/watch --users 700 --requests 1 --stock 20 --json &&
    out '^    "ordered": 20,' '^    "sold_out": 680,' '^    "buyers": 20,'
result "700 users share fewer connections, each alone from WATCH to EXEC" $?

lab 0 run 13/multi-exec --users 700 --stock 100 --json && out '^    "error": 0,' '^    "unknown": 0,'
result "700 users queue on fewer connections" $?

lab 0 run 13/watch --users 50 --requests 1 --stock 10 --json &&
    [ "$(sed -n '/"attempts"/,/}/s/^ *"max": \([0-9]*\).*/\1/p' "$work/out")" -gt 1 ]
result "watch counts its attempts" $?

# Redis' own words, with the line of the script.
lab 0 step 14/as-written --schedule A --json &&
    out '^      "result": "line 6: attempt to compare string with number",' '^      "answer": "error",'
result "a script that fails: the line and the reason" $?

lab 0 step 14/nil-stock --schedule A --json && out '^      "result": "line 5: attempt to compare nil with number",'
result "a missing key: the line and the reason" $?

lab 0 step 14/load-on-miss --schedule "A A B B B B A A" --json &&
    out '^      "result": "5, not loaded",' '^      "label": "SET seckill:stock:1 1 NX",' \
        '^      "result": "was there already",' '^      "result": "1, sold out",'
result "the second who misses the stock does not write over what the first has sold" $?

# Before the begin, at an open hour, after the end: what the script says.
lab 0 run 14/window-too-early --users 20 --json && out '^    "not_begun": 20,' '^    "stock": 100,' &&
    lab 0 run 14/window-too-late --users 20 --json && out '^    "ended": 20,' &&
    lab 0 run 14/window-in-script --users 20 --json && out '^    "ordered": 20,' '^    "buyers": 20,'
result "the hours in the script" $?

# An id of 60 bits through a number of Lua: 128 of them are one.
lab 0 step 14/id-as-number --schedule "A A A B B B" --json && out '^      "result": "1062 duplicate key",'
result "two orders with one id: the second is refused by the primary key" $?

# A wants two, B one; one is left. Baskets are counted in vouchers.
lab 0 step 13/decr-and-give-back --schedule "A B B A" --json &&
    out '"detail": "0 of 1 sold; 1 who went without would have been content with the rest"'
result "sent away, with a voucher left that fitted" $?

lab 0 step 13/lua-basket --schedule "A B B B" --json && out '"detail": "1 vouchers in 1 orders*, for 1 in stock"'
result "a basket that is not full is not taken" $?

echo "1..$number"
