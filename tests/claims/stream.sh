#!/usr/bin/env bash
# stream.sh -- stream.orders (lesson 16), beyond its claims: a node killed at each step of the hardened consumer,
# in small worlds and in races, loses nothing and does nothing twice; what Redis says of a group, an entry that
# was trimmed, one that nobody can read; and a race ends though some entries are never read.
. "$LAB_SOURCE/tests/claims/tap.sh"
export SECKILL_LAB_LANG=en

# kept NAME...: these invariants were kept, or could not be said because a killed node's users were not answered.
kept() {
    local name
    for name; do
        grep -A 1 -e "^    \"$name\": {" "$work/out" | grep -q -e '"ok": true' || { echo "# $name"; return 1; }
    done
}

# ---- killed at any step, in small worlds ------------------------------------------------------------------------

lab 0 explore 16/hardened --users 2 --stock 2 --faults restart --preemptions 0 --json &&
    out '^  "complete": true,' '^  "counted": true,'
result "hardened: two orders, the node killed at any step and started again at any later one" $?

lab 0 explore 16/hardened --nodes 2 --faults crash --preemptions 0 --json && out '^  "complete": true,'
result "hardened: two nodes, one killed at any step for good; the other takes over" $?

lab 0 explore 16/hardened --nodes 2 --error c2@commit --faults none --preemptions 1 --json && out '^  "complete": true,'
result "hardened: a COMMIT that fails is done again" $?

# The same without what makes it hard: the explorer can tell.
lab 1 explore 16/ack-after --nodes 2 --faults crash --preemptions 0 --json && out '^  "complete": true,'
result "ack-after, with a node that does not come back: an order stays where it is" $?

# ---- and in races -------------------------------------------------------------------------------------------------

for step in read-pending read-new begin insert-order decrement-if-any commit ack; do
    lab any run 16/hardened --nodes 2 --users 60 --stock 30 --crash "n1@$step:after" --json &&
        out '^    "orders": 30,' '^    "duplicate_users": 0' '^    "waiting": 0,' '^    "lost": 0,' &&
        kept no-oversell one-per-user books-balance answer-true unique-ids
    result "hardened: kill -9 after $step, in the middle of a race" $?
done

# ---- what Redis says ------------------------------------------------------------------------------------------------

lab 0 step 16/nogroup-storm --schedule "c1 c1 c1 c1 c1 A A" --json && [ "$(grep -c '"result": "NOGROUP"' "$work/out")" -eq 5 ]
result "no group: every try is refused at once, before any order is there" $?

lab 0 step 16/group-at-zero --schedule "c1 A A A c1 c1 !n1 ^n1 c1 c1" --json && out '"result": "was there already"'
result "a group that is there keeps its place" $?

lab 0 step 16/group-at-dollar --schedule "A A c1 c1 c1" --json && out '"result": "none"' '"orders": 0'
result "a group at \$ does not see what came before it" $?

lab 0 step 16/poison-set-aside --schedule "c1*10 A A A c1*7" --json &&
    out '"result": "an entry without an order"' '"label": "XADD stream.orders.dead"' && [ "$(grep -c '"step": "deliveries"' "$work/out")" -eq 3 ]
result "an entry that cannot be read is delivered three times, then set aside" $?

lab 0 step 16/pending-recovery --schedule "A A A c1 c1 !n1 c2 c2 c2" --json &&
    [ "$(grep -A 8 '"step": "claim"' "$work/out" | grep -c '"result": "[0-9]\{18\}"')" -eq 1 ]
result "XAUTOCLAIM gives the dead consumer's entry to the one who asks" $?

# ---- a race ends, whatever nobody reads --------------------------------------------------------------------------------

lab 0 run 16/trimmed --json && out '^    "told": 100,' '^    "waiting": 0,' && ! out '^    "lost": 0,' >/dev/null
result "trimmed: the orders that went unread are lost, and the race is over" $?

lab 0 run 16/group-at-dollar --json && out '^    "told": 100,' '^    "stored": 0,' '^    "waiting": 0,' '^    "lost": 100,'
result "group at \$: what came before it is lost, and the race is over" $?

lab 0 run 16/xadd-first --json && out '^    "told": 100,' '^    "stored": 200,' '^    "acked": 200,' '^    "lag": 0$'
result "xadd-first: the race lasts until the orders of those who were sent home are stored, too" $?

lab 0 run 16/nogroup-storm --json && out '^    "stored": 0,' '^    "waiting": 100,' '^    "consumers_alive": 0,'
result "no group: all orders wait, and no consumer is left" $?

lab 0 run 16/poison-set-aside --json && out '^    "set_aside": 1,' '^    "stored": 100,' '^    "lost": 0,'
result "one dead letter, and everything else stored" $?

lab 0 run 16/new-only --json && out '^    "waiting": 1,'
result "new-only: one order stays pending with a dead consumer" $?

echo "1..$number"
