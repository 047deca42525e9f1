#!/usr/bin/env bash
# million.sh -- a million requests for 10,000 in stock, through the queue: every invariant holds, and memory
# stays within bounds. It takes minutes: with $SECKILL_LAB_LONG only.
set -u
if [ -z "${SECKILL_LAB_LONG-}" ]; then
    echo "1..0 # SKIP takes minutes: ./check --long"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
limit_kb=$((400 * 1024))

# PSS of the program and its nodes, and that of its servers, in kB.
memory() {
    local pid kb own=0 servers=0
    for pid in $1 $(children "$1"); do
        kb=$(sed -n 's/^Pss: *\([0-9]*\).*/\1/p' "/proc/$pid/smaps_rollup" 2>/dev/null)
        case $(cat "/proc/$pid/comm" 2>/dev/null) in
        redis* | valkey* | maria* | mysql*) servers=$((servers + ${kb:-0})) ;;
        *) own=$((own + ${kb:-0})) ;;
        esac
    done
    echo "$own $servers"
}

children() {
    local child
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
        echo "$child"
        children "$child"
    done
}

# million NUMBER USERS REQUESTS: one race.
million() {
    local users=$2 requests=$3 most=0 most_servers=0 own servers status seconds
    "$LAB" run async-queue/hardened --users "$users" --requests "$requests" --stock 10000 --json --lang en \
        </dev/null >"$work/report" 2>"$work/error" &
    local pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        read -r own servers < <(memory "$pid")
        [ "$own" -le "$most" ] || most=$own
        [ "$servers" -le "$most_servers" ] || most_servers=$servers
        timeout 1 tail --pid="$pid" -f /dev/null # looks again after a second, or at the end
    done
    wait "$pid"
    status=$?
    seconds=$(sed -n 's/^  "seconds": \([0-9.]*\).*/\1/p' "$work/report")
    echo "# $users users, $requests requests each: $seconds s, at most $((most / 1024)) MB, the servers $((most_servers / 1024)) MB"
    if [ "$status" -eq 0 ] && [ "$most" -lt "$limit_kb" ]; then
        echo "ok $1 - a million requests by $users users break nothing, within $((limit_kb / 1024)) MB"
    else
        echo "not ok $1 - a million requests by $users users break nothing, within $((limit_kb / 1024)) MB"
        echo "# status $status $(cat "$work/error")"
        grep -B 2 '"detail": "' "$work/report" | sed 's/^/# /'
    fi
}

echo "1..2"
million 1 1000 1000
million 2 10000 100
