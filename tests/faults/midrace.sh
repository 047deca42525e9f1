#!/usr/bin/env bash
# midrace.sh -- kill -9 in the middle of a race, on the screen and without one: of a node, of each
# server, of the program itself. What is left says so in a line and goes on; what is gone leaves
# nothing running and nothing on disk.
. "$(dirname "$0")/../screen/screen_lib.sh"
export TMPDIR=$screen_work/tmp # where the servers' directories are made
mkdir "$TMPDIR"

children() { ps -o pid= --ppid "$1" 2>/dev/null | tr -d ' '; }
family() { local pid; for pid in $(children "$1"); do echo "$pid"; children "$pid"; done; }
# victim PROGRAM-PID WORD: its child or grandchild whose command line has the word; the first one.
victim() {
    local pid
    for pid in $(family "$1"); do
        tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q -e "$2" && echo "$pid" && return
    done
    return 1
}
# await NAME COMMAND...: until it succeeds.
await() {
    local what=$1 end=$((SECONDS + screen_patience))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "# in vain: $what"; return 1; }
        read -r -t 0.03 <> <(:)
    done
    return 0
}
# A zombie is gone: it only waits for its new parent.
is_gone() { ! grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null; }
all_gone() { local pid; for pid in $1; do is_gone "$pid" || return 1; done; }
disk_clean() { [ -z "$(ls -A "$TMPDIR")" ]; }
nothing_left() { await 'nothing running' all_gone "$1" && await 'nothing on disk' disk_clean; }

# ---- on the screen ----------------------------------------------------------------------------------

# kill_in_race WORD: races, and kills that part of the console while users stand at the lines.
kill_in_race() {
    screen_keys r
    screen_wait '^ racing' && screen_wait 'sql_.*(me,.* [0-9][0-9]*  *│' || return 1
    kill -9 "$(victim "$(screen_pid)" "$1")"
}
# Also while a server still starts: the race begins as soon as both are ready.
races_again() {
    screen_keys r
    screen_wait 'x stop' && screen_wait 'no-oversell is BROKEN'
}
# down_and_up SERVER WORD: said while it is down, up again with R, and raced on.
down_and_up() {
    check "$1 killed in a race" kill_in_race "$2"
    check "$1: said" screen_wait "$1 is down"
    check "$1: the race ends" screen_wait_gone 'x stop'
    check "$1: with the way out" screen_wait 'R restart servers'
    screen_keys R
    check "$1: started again" screen_wait_gone 'R restart servers'
    check "$1: racing again" races_again
}

screen_state=midrace
screen_start 100x30 --lang en --lesson oversell --pace 400
screen_wait 'MariaDB ready' || exit 1
check 'a node killed in a race' kill_in_race --node
check 'node: said' screen_wait 'Node 1 died in the middle of the race'
check 'node: racing again' races_again
down_and_up Redis redis
down_and_up MariaDB mariadbd

check 'the keeper of the servers killed in a race' kill_in_race --keeper
check 'keeper: said' screen_wait 'is down'
check 'keeper: the race ends' screen_wait_gone 'x stop'
screen_keys R
check 'keeper: both servers started again' screen_wait_gone 'R restart servers'
check 'keeper: racing again' races_again
everybody="$(screen_pid) $(family "$(screen_pid)")"
screen_keys q
check 'it still ends in order' screen_wait_end
check 'with status 0' [ "${screen_status:-}" = 0 ]
check 'the terminal is given back' screen_wait LEFT
check 'nothing is left running' await 'nothing running' all_gone "$everybody"
# The directory of the killed keeper is tidied away by the next start.
screen_start 100x30 --lang en --lesson oversell --nodes 2 --pace 400
screen_wait 'MariaDB ready' >/dev/null
check 'one directory, that of this console' await 'one directory' eval '[ "$(ls "$TMPDIR" | wc -l)" = 1 ]'
screen_keys r
check 'two nodes race' screen_wait '^ racing'
everybody="$(screen_pid) $(family "$(screen_pid)")"
kill -9 "$(screen_pid)"
check 'the console killed in a race: nothing is left' nothing_left "$everybody"

# ---- without a screen ---------------------------------------------------------------------------------

# A race that lasts until something happens to it. The stock is never sold out, so no-oversell cannot
# break, and the outcome of a race that goes on is never what the lesson claims.
start_race() {
    "$LAB" run oversell --lang en --users 20 --requests 20000 --stock 1000000 --pace 20 "$@" \
        >"$screen_work/out" 2>"$screen_work/err" </dev/null &
    race=$!
    await 'a race under way' under_way
}
# Its node has two threads or more that have waited for many steps.
under_way() {
    local node
    node=$(victim "$race" --node) || return 1
    cat "/proc/$node/task/"*/status 2>/dev/null |
        awk '/^voluntary_ctxt_switches/ && $2 > 50 { n++ } END { exit n < 2 }'
}
# killed WORD STATUS MESSAGE [ARGS...]: kills that part (itself: the program).
killed() {
    local word=$1 status=$2 message=$3 got everybody
    shift 3
    check "run, $word killed: a race under way" start_race "$@"
    everybody="$race $(family "$race")"
    if [ "$word" = itself ]; then kill -9 "$race"; else kill -9 "$(victim "$race" "$word")"; fi
    wait "$race" 2>/dev/null
    got=$?
    check "run, $word killed: status $status" eval '[ '$got' = '"$status"' ] || ! echo "# status '$got'"'
    check "run, $word killed: nothing is left" nothing_left "$everybody"
    [ -z "$message" ] && return
    check "run, $word killed: said" grep -q -e "$message" "$screen_work/out" "$screen_work/err"
}
one_line() { [ "$(wc -l <"$screen_work/err")" = 1 ]; }

killed --node 1 '^  trouble  *Node 1 died in the middle of the race'
killed --node 1 '"nodes_lost": 1' --json --nodes 2 --requests 200
# 2000 by the node that lives, and what the other one had answered before: not all of its 2000.
check 'run, one node of two killed: the other went on' \
    grep -q '"ordered": [23][0-9][0-9][0-9],' "$screen_work/out"
killed redis 3 '^seckill-lab: Redis did not answer when the race was over'
check 'run, redis killed: one line' one_line
killed mariadbd 3 '^seckill-lab: The database did not answer when the race was over'
check 'run, mariadbd killed: one line' one_line
killed itself 137 ''
check_done
