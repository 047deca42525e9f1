#!/usr/bin/env bash
# bench_screen.sh -- the figures that need the real console in a terminal: its start, what watching a
# race costs the race, what an idle console and a deep queue cost, and the memory of 10,000 users. One line each.
# Usage: bench_screen.sh BENCH_START LAB      as built; or: make bench
start=$1
LAB=$2
export LC_ALL=C.UTF-8
SCREEN_PATIENCE=120
. "$(dirname "$0")/../screen/screen_lib.sh"

fail() {
    echo "bench_screen.sh: $1" >&2
    exit 1
}
# middle: of the numbers on the standard input, one a line.
middle() { sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }'; }

# ---- start ----------------------------------------------------------------------------------------

XDG_STATE_HOME=$screen_work/start.state "$start" "$LAB" || fail 'no start was measured'
screen_start 80x24 --lang en --lesson oversell
screen_wait 'Redis ready.*MariaDB ready' >/dev/null || fail 'the servers did not start'
echo "servers ready, as the console says:$(screen_text | grep 'MariaDB ready' | tr -s ' ')"

# ---- an idle console --------------------------------------------------------------------------------

children() { ps -o pid= --ppid "$1" | tr -d ' '; }
ticks() { awk '{ sum += $14 + $15 } END { print sum + 0 }' $(printf '/proc/%s/stat ' "$@"); }
idle_seconds=10
pid=$(screen_pid)
keeper=$(children "$pid")
servers=$(children "$keeper")
before=$(ticks "$pid") servers_before=$(ticks $servers)
read -r -t $idle_seconds <> <(:) # a figure over time needs that time
after=$(ticks "$pid") servers_after=$(ticks $servers)
awk -v console=$((after - before)) -v servers=$((servers_after - servers_before)) \
    -v hz="$(getconf CLK_TCK)" -v seconds=$idle_seconds 'BEGIN {
    printf "idle: the console takes %.2f %% of a processor over %d s (aim: under 1), its servers %.2f %%\n",
           100 * console / hz / seconds, seconds, 100 * servers / hz / seconds }'

# ---- the screen's cost ---------------------------------------------------------------------------------

race='global-id/redis-incr --users 50 --requests 4000 --pace 0'
rounds=5
headless() { "$LAB" run $race --json | sed -n 's/^  "throughput": \([0-9.]*\),/\1/p'; }
# Reading the screen takes processor time that the race misses: half a second between two looks.
look_seldom() {
    until screen_text | grep -q "$1"; do read -r -t 0.5 <> <(:); done
}
# The race in the console: the number stands in the line above the last.
watched() {
    screen_keys r
    screen_wait '  x stop' >/dev/null || fail 'no race was seen'
    look_seldom 'r again'
    screen_text | sed -n 's/.* \([0-9,]*\) requests\/s *$/\1/p' | tr -d ,
}
screen_start 160x50 --lang en --lesson $race
screen_wait 'MariaDB ready' >/dev/null || fail 'the servers did not start'
for _ in $(seq $rounds); do
    headless >>"$screen_work/headless"
    watched >>"$screen_work/watched"
done
alone=$(middle <"$screen_work/headless")
seen=$(middle <"$screen_work/watched")
awk -v alone="$alone" -v seen="$seen" -v rounds=$rounds 'BEGIN {
    printf "screen: %d requests/s without, %d with the console watching at 160x50 (middle of %d each): ratio %.2f (aim: 0.95 or more)\n",
           alone, seen, rounds, seen / alone }'

# ---- a million entries -------------------------------------------------------------------------------------

# A race on the stream, held as soon as all are answered: the Queue panel is looked at ten times a second.
screen_start 80x24 --lang en --lesson stream-queue/hardened --pace 20
screen_wait 'MariaDB ready' >/dev/null || fail 'the servers did not start'
pid=$(screen_pid)
looked_at() {
    local before
    before=$(ticks "$pid")
    read -r -t $idle_seconds <> <(:)
    echo $(($(ticks "$pid") - before))
}
screen_keys r
screen_wait 'still wait' >/dev/null || fail 'nothing waited in the stream'
screen_keys Space
screen_wait ' paused' >/dev/null || fail 'the race was not held'
few=$(looked_at)
screen_type ":redis EVAL \"for i = 1, 1000000 do redis.call('XADD', 'stream.orders', '*', 'user', i, 'voucher', 1) end\" 0"
screen_keys Enter
screen_wait '(nil)' >/dev/null || fail 'the entries were not added'
screen_keys Escape
screen_wait '1,000,[0-9]* waiting' >/dev/null || fail 'a million entries were not seen'
many=$(looked_at)
awk -v few="$few" -v many="$many" -v hz="$(getconf CLK_TCK)" -v seconds=$idle_seconds 'BEGIN {
    printf "queue: watching it takes %.2f %% of a processor with some entries, %.2f %% with a million (aim: no difference)\n",
           100 * few / hz / seconds, 100 * many / hz / seconds }'

# ---- ten thousand users ---------------------------------------------------------------------------------

pss() { cat $(printf '/proc/%s/smaps_rollup ' "$@") 2>/dev/null | awk '/^Pss:/ { sum += $2 } END { print int(sum / 1024) }'; }
screen_start 120x36 --lang en --lesson oversell --users 10000 --pace 0
screen_wait 'MariaDB ready' >/dev/null || fail 'the servers did not start'
pid=$(screen_pid)
keeper=$(children "$pid")
screen_keys r
most=0 most_all=0
until screen_text | grep -q 'r again'; do
    nodes=$(children "$pid" | grep -v "^$keeper\$")
    lab=$(pss "$pid" $nodes) all=$(pss "$pid" $nodes "$keeper" $(children "$keeper"))
    [ "$lab" -gt "$most" ] && most=$lab
    [ "$all" -gt "$most_all" ] && most_all=$all
done
screen_keys o
screen_wait 'all released within' >/dev/null || fail 'no report was seen'
answered=$(screen_text | sed -n 's/.*ANSWERS  *\([0-9,]* of [0-9,]*\).*/\1/p')
released=$(screen_text | sed -n 's/.*all released within  *\([0-9.]* ms\).*/\1/p')
echo "crowd: console and node take $most MB, $most_all MB with both servers; all released within $released; answered: $answered"
screen_keys q
screen_wait_end
