#!/usr/bin/env bash
# small_worlds.sh -- explore, step and replay on real servers: what they print, their JSON, their exit
# status, and that a schedule found by one of them is understood by the others.
. "$LAB_SOURCE/tests/claims/tap.sh"
mkdir "$work/tmp"
export TMPDIR=$work/tmp

# refuses STATUS PATTERN ARGS...: one line on stderr that matches, nothing on stdout.
refuses() {
    local status=$1 pattern=$2
    shift 2
    lab "$status" "$@" --lang en && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q -e "^seckill-lab: $pattern" "$work/err"
    result "refuses: $*" $? "$(said)"
}

# field NAME: a string at the top of the JSON that was printed.
field() {
    sed -n "s/^  \"$1\": \"\\(.*\\)\",*\$/\\1/p" "$work/out"
}

# clean_json: one object, and nothing but it.
clean_json() {
    [ ! -s "$work/err" ] && [ "$(head -c 1 "$work/out")" = "{" ] && [ "$(tail -n 1 "$work/out")" = "}" ]
}

# --- explore ---------------------------------------------------------------------------------------

lab 0 explore oversell/check-then-update --json && clean_json &&
    out '^  "lesson": "oversell"' '^  "variant": "check-then-update"' '^  "users": 2,' '^  "stock": 1,' \
        '^  "nodes": 1,' '^  "requests": 1,' '^  "schedules": 6,' '^  "unpruned": 46,' \
        '^    "no-oversell": 40,' '^    "books-balance": 0,' '^    "one-per-user": null,' \
        '^      "outcome": "stock=-1 orders=2 A=ordered B=ordered",' '^      "schedules": 40,' \
        '^  "preemptions": 1,' '^  "complete": true' '^  "as_claimed": true' '^  "bound": null' \
        '^  "covers": "2 users, stock 1, 1 node, no faults"' '^  "seconds": [0-9]' '^  "rate": [0-9]'
result "explore --json: the contract, with the known numbers" $? "$(said)"
line=$(field shortest)

[ "$(grep -A 2 '"preemptions": 2,' "$work/out" | tr -d ' \n')" = '"preemptions":2,"schedules":6,"violating":6' ]
result "by_preemptions speaks of schedules, not of runs" $? "$(said)"

lab 0 explore oversell/check-then-update --no-prune --json &&
    out '^  "schedules": 46,' '^  "unpruned": 46,' '^    "no-oversell": 40,' '^  "pruned": false' &&
    [ "$(field shortest)" = "$line" ]
result "explore --no-prune comes to the same" $? "$(said)"

lab 0 explore oversell/check-then-update --preemptions 1 --json &&
    out '^  "unpruned": 8,' '^    "no-oversell": 2,' '^  "bound": 1,' '^  "complete": true' \
        '^  "covers": "2 users, stock 1, 1 node, no faults, at most 1 preemption"'
result "explore --preemptions bounds the space, and says so" $? "$(said)"

lab 0 explore 02 --lang en &&
    out '^  world  *2 users, stock 1, 1 node, no faults' '^  schedules  *all 46, which 6 runs stand for' \
        '^  x no-oversell  *BROKEN  40 of 46  87 %' '^  = unique-ids  *kept by all' '^  1  *6  *2$' \
        '^ *40  stock=-1 orders=2 A=ordered B=ordered   x no-oversell' '^oversell/check-then-update@' \
        '^Complete, in' '^This is what the lesson claims'
result "explore for people" $? "$(said)"

lab 0 explore 02 --lang zh && out '超卖' '^oversell/check-then-update@'
result "explore in Chinese" $? "$(said)"

lab 0 explore 03/stock-gt-0 --json && out '^  "shortest": null' '^  "preemptions": null' '^    "no-undersell": 0,'
result "explore of a mended variant: no schedule, null" $? "$(said)"

# One buyer alone never oversells.
lab 1 explore 02 --users 1 --json && out '^  "complete": true' '^  "as_claimed": false' '^  "users": 1,'
result "explore of a world where nothing breaks: status 1" $? "$(said)"

lab 1 explore 02 --users 1 --lang en && out '^This is NOT what .*no-oversell is claimed to break'
result "explore says how a claim is wrong" $? "$(said)"

# --- Ctrl-C: as soon as the nodes are there ---------------------------------------------------------

# interrupt ARGS...: its status must be 130. at=--keeper: while its servers start.
at=--node
interrupt() {
    "$LAB" "$@" </dev/null >"$work/out" 2>"$work/err" &
    local pid=$!
    until [ -n "$(ps --ppid "$pid" -o args= | grep -e "$at")" ] || ! kill -0 "$pid" 2>/dev/null; do :; done
    kill -INT "$pid"
    wait "$pid" 2>/dev/null
    [ $? -eq 130 ]
}

# One line, and it says so.
interrupted() {
    [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^seckill-lab: Interrupted' "$work/err"
}

interrupt explore 02/window-checked --users 4 --no-prune --lang en --json && interrupted &&
    [ "$(head -c 1 "$work/out")" = "{" ] && out '^  "complete": false' '^  "as_claimed": null'
result "Ctrl-C: explore says what it has, and that it is not complete" $? "$(said)"

interrupt explore 02/window-checked --users 4 --no-prune --lang en && interrupted && out '^NOT complete' '^No verdict' &&
    ! grep -q 'lesson claims' "$work/out"
result "Ctrl-C: explore for people gives no verdict" $? "$(said)"

interrupt explore 06/two-nodes --table --faults crash --lang en && interrupted
result "Ctrl-C: the crash table says so" $? "$(said)"

interrupt run 02 --pace 1000 --lang en && interrupted && [ ! -s "$work/out" ]
result "Ctrl-C: run says so, and gives no report" $? "$(said)"

at=--keeper interrupt step 02 --schedule "A B A B" --lang en && interrupted && [ ! -s "$work/out" ]
result "Ctrl-C: step says so, and gives no report" $? "$(said)"

interrupt run 02 --pace 1000 --lang zh && grep -q '^seckill-lab: 中断' "$work/err"
result "Ctrl-C: in Chinese" $? "$(said)"

lab 0 step 04/insert-first --schedule "A A A B B B C C C A A" --lang en && out 'waited since [69]: 1213' 'waited since [69]: ok'
result "a deadlock in step mode: one gets in, the other 1213" $? "$(said)"

# Chinese sentences have Chinese marks, whatever they are put together from.
chinese_marks() {
    ! grep -nP '\p{Han} ?[,;]|\p{Han}:|[,;] ?\p{Han}|: \p{Han}' "$work/out"
}
lab 0 run 02 --users 20 --stock 5 --requests 2 --lang zh && chinese_marks
result "the marks of run in Chinese" $? "$(said)"
lab 0 step 04 --schedule "A B A B A B" --lang zh && chinese_marks
result "the marks of step in Chinese" $? "$(said)"
lab 0 explore 02/absolute-update --lang zh && chinese_marks
result "the marks of explore in Chinese" $? "$(said)"
lab 0 explore 06 --table --faults crash --lang zh && chinese_marks
result "the marks of the crash table in Chinese" $? "$(said)"

# --- replay ------------------------------------------------------------------------------------------

lab 0 replay "$line" --json && clean_json && [ "$(field schedule)" = "$line" ] &&
    out '^  "over": true' '^  "preemptions": 1,' &&
    [ "$(grep -A 1 '"no-oversell"' "$work/out" | tail -n 1 | tr -d ' ')" = '"ok":false,' ]
result "replay of explore's shortest breaks it again" $? "$(said)"

printf '# found on a Monday\n\n%s\n' "$line" >"$work/kept"
lab 0 replay "$work/kept" --lang en && out "x no-oversell  *BROKEN" "^8 moves, 1 switch"
result "replay reads a file" $? "$(said)"

lab 0 run global-id/clock-only --users 20 --json && raced=$(field schedule) && [ -n "$raced" ] &&
    out '^  "schedule_note": "Breaks again' &&
    lab 0 replay "$raced" --json &&
    [ "$(grep -A 1 '"unique-ids"' "$work/out" | tail -n 1 | tr -d ' ')" = '"ok":false,' ]
result "a race that broke something becomes a schedule that replays" $? "$(said)"

# A lease that ran out in a race, by its own time, is a move of the clock here.
lab 0 run 09/compare-and-delete --json && raced=$(field schedule) && [[ $raced = *" clk "* ]] && lab 0 replay "$raced" --json
result "a race in which a lease ran out becomes a schedule with clk" $? "$(said)"

refuses 2 "This schedule was made for another version" replay "oversell/check-then-update@0badc0de users=2 : A"
refuses 2 "Move 2: there is no actor C" replay "${line%%:*}: A C"
refuses 2 "Move 9: A cannot move: its request is answered" replay "$line A"
refuses 2 ".*is no move" replay "${line%%:*}: A ?"
printf '%s\n' "$line A" >"$work/wrong"
refuses 2 "$work/wrong: Move 9: A cannot move" replay "$work/wrong"
printf '%s\n' 'oversell/check-then-update@0badc0de users=2 : A' >"$work/wrong"
refuses 2 "$work/wrong: This schedule was made for another" replay "$work/wrong"
refuses 2 "The schedule line has no moves" replay "${line%%:*}:"
refuses 2 "The schedule has no moves" step 02 --schedule " "
refuses 2 ".*neither a file nor a schedule line" replay nowhere
refuses 2 ".*LESSON/VARIANT@HASH" replay "oversell@1 : A"
refuses 2 "there is no lesson" replay "nothing/check-then-update@1 : A"
: >"$work/empty"
refuses 2 ".*holds no schedule line" replay "$work/empty"

# --- step ----------------------------------------------------------------------------------------------

lab 0 step oversell/check-then-update --schedule "A B A*2" --json && clean_json &&
    out '^      "move": 4,' '^      "actor": "A",' '^      "step": "select-stock",' '^      "label": "SELECT stock WHERE voucher_id = 1",' \
        '^      "result": "1",' '^      "state": "ready",' '^  "over": false' '^      "next": "INSERT order of user 1",' \
        '^      "next": "UPDATE stock = stock - 1",' &&
    [ "$(grep -c '^      "move": ' "$work/out")" -eq 4 ] &&
    [ "$(grep -A 1 '"books-balance"' "$work/out" | tail -n 1 | tr -d ' ')" = '"ok":null,' ]
result "step --json: moves, who stands where, and no verdict before the end" $? "$(said)"

lab 0 step 04/check-in-transaction --schedule "A A A B B B" --lang en &&
    out '^ *A (user 1)  *B (user 1)' '^ 6  *takes one if there is any: WAITS$' \
        '^B waits for a row of tb_seckill_voucher' '^A would send next: INCR'
result "step shows who waits, and for what" $? "$(said)"

lab 0 step 04/check-in-transaction --schedule "A A A B B B A A A B B B" --json &&
    [ "$(grep -c '^      "replied_at": 9,' "$work/out")" -eq 2 ] && out '^      "answer": "ordered",'
result "step tells when the reply of one that waited came" $? "$(said)"

refuses 2 "Move 7: B cannot move: it waits for a row lock" step 04/check-in-transaction --schedule "A A A B B B B"
refuses 2 "Move 2: there is no actor C" step 02 --schedule "A C"
refuses 2 "Move 2: there is no actor c1, this world has 2." step 02 --schedule "A c1"
refuses 2 "Move 1: there is no node 2" step 02 --schedule "!n2"
refuses 2 "Move 2: No lease can run out here" step 02 --schedule "A clk"
refuses 2 "step needs a schedule" step 02
refuses 2 "At most 26 can take turns" step 02 --schedule A --users 27
refuses 2 "there is no lesson" step 99 --schedule A
refuses 3 ".*nowhere.sock" step 02 --schedule A --redis unix:///nowhere.sock

left=$(ls -A "$work/tmp")
[ -z "$left" ]
result "no directory is left behind" $? "$left"

left=$(grep -l -a "$work/tmp" /proc/[0-9]*/cmdline 2>/dev/null)
[ -z "$left" ]
result "no process is left behind" $? "$left"

echo "1..$number"
