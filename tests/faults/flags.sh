#!/usr/bin/env bash
# flags.sh -- every fault by its flag: that it strikes where it is told to, what each user is told, and what
# both stores hold afterwards; the crash table, and that its rows can be stepped through again.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

result() {
    number=$((number + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        { cat "$work/why" "$work/err"; head -n 60 "$work/out"; } | sed 's/^/# /'
    fi
}

# lab ARGS...: runs the program, with --json; any outcome will do, but for an error.
lab() {
    : >"$work/why"
    "$LAB" "$@" --json --lang en </dev/null >"$work/out" 2>"$work/err"
    [ $? -le 1 ] && return 0
    echo "ended with an error: $*" >"$work/why"
    return 1
}

# is NAME=VALUE...: the first field of that name has that value.
is() {
    local pair got
    for pair; do
        got=$(sed -n "s/^ *\"${pair%%=*}\": \(.*[^,]\),\{0,1\}$/\1/p" "$work/out" | head -n 1)
        [ "$got" = "${pair#*=}" ] && continue
        echo "${pair%%=*} is $got, not ${pair#*=}" >>"$work/why"
        return 1
    done
}

# verdict NAME true|false|null
verdict() {
    grep -A 1 "^    \"$1\": {" "$work/out" | grep -q "\"ok\": $2" && return 0
    echo "$1 is not $2" >>"$work/why"
    return 1
}

# at_least NAME NUMBER
at_least() {
    local got
    got=$(sed -n "s/^ *\"$1\": \([0-9.]*\),\{0,1\}$/\1/p" "$work/out" | head -n 1)
    awk -v got="$got" -v least="$2" 'BEGIN { exit !(got >= least) }' && return 0
    echo "$1 is $got, less than $2" >>"$work/why"
    return 1
}

one="--users 1 --requests 1"

lab run 05/lock-per-user $one --stall A@commit=400 && at_least seconds 0.4 && is fired=1 ordered=1 orders=1
result "stall: one user waits" $?

lab run 05/lock-per-user $one --stall '*@commit=100' --stall n1@begin=100 --stall u1@lock=100 &&
    at_least seconds 0.3 && is fired=1 ordered=1
result "stall: everybody, a node, a user by number" $?

# A request begins when it is asked, not when it is let through: a rest in front of its first step counts.
lab run 05/lock-per-user $one --stall A@lock=300 && at_least max 300 && is fired=1 ordered=1
result "stall: in front of the first step, it is part of the latency" $?

lab run 05/lock-per-user $one --freeze n1@commit=500 && at_least seconds 0.5 && is fired=1 ordered=1 orders=1
result "freeze: the node stands still, and goes on" $?

lab run 05/lock-per-user $one --slow n1=40 && at_least seconds 0.28 && at_least fired 7 && is ordered=1
result "slow: every step takes longer" $?

lab run 05/lock-per-user $one --error A@insert-order && is fired=1 ordered=0 error=1 orders=0 stock=200 &&
    verdict books-balance true
result "error: the transaction is rolled back" $?

lab run 02/check-then-update $one --stock 5 --error A@insert-order && is error=1 orders=0 &&
    verdict books-balance false
result "error: without a transaction the books do not balance" $?

lab run 07/set-nx-ex $one --crash n1@commit &&
    is fired=1 nodes_lost=1 ordered=0 unknown=0 orders=0 complete=false && verdict books-balance true
result "crash before the commit: nothing has happened" $?

lab run 07/set-nx-ex $one --crash n1@commit:after && is fired=1 nodes_lost=1 ordered=0 orders=1 complete=false &&
    verdict answer-true true && verdict progress true
result "crash after the commit: told nothing, yet it happened" $?

lab run 07/setnx-finally $one --crash n1@insert-order:before && is orders=0 nodes_lost=1 &&
    verdict progress false && verdict books-balance true
result "crash: the lock without a lease is abandoned" $?

lab run 07/set-nx-ex --users 1 --stall A@insert-order=600 --stall B@set-nx-ex=300 --expire lock:order:1@set-nx-ex &&
    is ordered=2 orders=2 && verdict mutual-exclusion false && verdict owner-release false &&
    grep -q '"words": "a lease is ended (injected)"' "$work/out"
result "expire: the key is gone, and the story tells that it was done by hand" $?

lab run 07/set-nx-ex $one --expire lock:order:99@commit && is fired=0 ordered=1
result "expire: a key that never was, never hit" $?

lab run 04/check-then-insert --users 1 --requests 1 --twice && is ordered=1 orders=1
result "twice with requests given: as many as given" $?

lab run 02/check-then-update --users 3 --stock 9 --twice && is requests=2 ordered=6 orders=6
result "twice: every request comes again" $?

lab run 05/lock-per-user $one --stall A@rollback=50 && is fired=0 ordered=1
"$LAB" run 05/lock-per-user $one --stall A@rollback=50 --lang en </dev/null 2>"$work/err" |
    grep -q '^  ? stall A@rollback=50 *NEVER HIT'
result "a fault that never hit is said so" $?

"$LAB" run 07/set-nx-ex --users 1 --stall A@insert-order=600 --stall B@set-nx-ex=300 \
    --expire lock:order:1@set-nx-ex --lang en </dev/null >"$work/out" 2>"$work/err"
grep -q '^ *[0-9.]* ms  --  *a lease is ended (injected)' "$work/out" &&
    grep -q '^ *[0-9.]* ms  A (user 1) ' "$work/out" && grep -q '^ *[0-9.]* ms  B (user 1) ' "$work/out"
result "the story: a row for what nobody did, letters for two requests of one user" $?

# ---- exploring with other faults than the lesson's ------------------------------------------------

lab explore 07/set-nx-ex --faults none && is complete=true as_claimed=true && grep -q '"covers": ".*no faults"' "$work/out"
result "explore --faults none" $?

lab explore 07/setnx --faults crash --error A@begin && is complete=true &&
    grep -q '"covers": ".*a node killed at any step.*"' "$work/out"
result "explore --faults crash, with one more error" $?

# ---- the crash table -----------------------------------------------------------------------------------

lab explore 07/setnx-expire --faults crash --table && cp "$work/out" "$work/table" &&
    [ "$(grep -c '"killed": "before"' "$work/out")" -eq 17 ] &&
    [ "$(grep -c '"killed": "after"' "$work/out")" -eq 15 ] &&
    [ "$(grep -c '"unheard": true' "$work/out")" -eq 4 ] &&
    [ "$(grep -c '"abandoned": true' "$work/out")" -eq 4 ] &&
    [ "$(grep -c '"ttl_ms": -1' "$work/out")" -eq 4 ] && is as_claimed=true
result "the table: before and after every step, locks left for ever, what nobody was told" $?

# Each row's own schedule leads to the same stock and orders again.
awk -F'"' '
    /^      "stock": /    { stock = $3 }
    /^      "orders": /   { orders = $3 }
    /^      "schedule": / { gsub(/[: ,]/, "", stock); gsub(/[: ,]/, "", orders); print stock, orders, $4 }
' "$work/table" | sort -u -k 3 | awk 'NR % 3 == 1' >"$work/rows"
wrong=0
[ -s "$work/rows" ] || wrong=1
while read -r stock orders line; do
    lab replay "$line" && grep -A 4 '"truth": {' "$work/out" | tr -d ' \n' | grep -q "\"stock\":$stock,\"orders\":$orders" &&
        continue
    echo "stock $stock, orders $orders: $line" >>"$work/why"
    wrong=1
    break
done <"$work/rows"
result "a row's schedule can be replayed, and comes to the same" $wrong

"$LAB" explore 07/set-nx-ex --faults crash --table --schedule "A A A A B" --lang en </dev/null >"$work/out" 2>"$work/err"
grep -q 'users=1 requests=2 stock=2 nodes=2 : A A A A B A' "$work/out" && grep -q '^  5  B tries to take the lock' "$work/out" &&
    grep -q 'killed after .*A: told nothing; B: try again later' "$work/out" &&
    grep -q -- '- lock:order:1 is left, with a lease of' "$work/out" && grep -q '! told nothing, yet it happened' "$work/out"
result "the table of a given schedule, for people" $?

"$LAB" explore 04/unique-index --faults crash --table --schedule "A A A B B B" --nodes 2 --lang en </dev/null >"$work/out" 2>"$work/err" &&
    grep -q '^     while it waits ' "$work/out"
result "the table: killed while it waits for a row" $?

# --- the servers of lesson 11: one user alone, and what becomes of the lock he asks for -----------------

lab run failover/noscript-reload $one --failover A@next-id && is ordered=1 error=0 orders=1
result "failover: the lock is given back to the new master" $?

# The lesson's own fault kills server 3; with another one dead there are not two of three.
lab run failover/redlock-one-down $one --kill-server 1@server-lock && is ordered=0 busy=1 orders=0
result "kill-server: with one of three left nobody has the lock" $?

lab run failover/redlock-one-down $one --kill-server 1@server-lock --restart-server 1:empty@server-lock &&
    is ordered=1 orders=1
result "restart-server: back in time, it counts again" $?

lab run failover/wait-replica $one --mend-link A@master-wait && is ordered=1 busy=0
result "cut-link and mend-link: WAIT finds the replica again" $?

"$LAB" run 07/set-nx-ex --failover A@commit --lang en </dev/null >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'one Redis only' "$work/err"
result "failover: refused where there is one Redis" $?

lab step failover/one-master --schedule "cut A A failover B" &&
    grep -q '"step": "master-lock"' "$work/out" && grep -q '"schedule": ".*: cut A A failover B"' "$work/out" &&
    verdict mutual-exclusion false
result "moves of servers in a schedule, and what they come to" $?

echo "1..$number"
