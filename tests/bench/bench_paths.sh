#!/usr/bin/env bash
# bench_paths.sh -- the same sale by different paths: what the user waits for when the database decides
# (lesson 05), and when Redis decides and the order is written at once, or later (lesson 14). The best of
# three races each: whatever else the machine does only adds.
# Usage: bench_paths.sh LAB     seckill-lab, as built
set -u
lab=$1
users=100 requests=2 stock=50

# number NAME: its first value in the JSON on the standard input.
number() {
    sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" | head -n 1
}

printf '%d users with %d requests, stock %d\n' "$users" "$requests" "$stock"
printf '%-32s %12s %10s %10s\n' variant requests/s 'p50 ms' 'p99 ms'
for variant in local-lock/lock-whole-method local-lock/lock-per-user lua-eligibility/mended \
    lua-eligibility/request-path; do
    for _ in 1 2 3; do
        json=$("$lab" run "$variant" --users "$users" --requests "$requests" --stock "$stock" --json </dev/null) ||
            echo "$variant is not as claimed" >&2
        printf '%s %s %s\n' "$(number throughput <<<"$json")" "$(number p50 <<<"$json")" "$(number p99 <<<"$json")"
    done | sort -rn | head -n 1 | xargs printf '%-32s %12.0f %10.1f %10.1f\n' "$variant"
done
