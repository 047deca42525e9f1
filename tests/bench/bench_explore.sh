#!/usr/bin/env bash
# bench_explore.sh -- the explorer's figures: its speed against the raw cost of the same commands, and
# how many schedules of each variant are run with and without pruning.
# Usage: bench_explore.sh PROGRAM LAB     bench_explore and seckill-lab, as built
set -u
program=$1
lab=$2

"$program" || exit
echo

# field NAME: its number or word in the JSON on the standard input.
field() {
    sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p"
}

printf '%-46s %9s %9s %9s %9s  %s\n' variant schedules runs 'given up' violating complete
"$lab" list --json | sed -n 's/^      "name": "\(.*\)",$/L \1/p; s/^          "name": "\(.*\)",$/V \1/p' |
    while read -r kind name; do
        if [ "$kind" = L ]; then
            lesson=$name
            continue
        fi
        json=$("$lab" explore "$lesson/$name" --json </dev/null) || echo "$lesson/$name is not as claimed" >&2
        printf '%-46s %9s %9s %9s %9s  %s\n' "$lesson/$name" $(field unpruned <<<"$json") \
            $(field schedules <<<"$json") $(field repetitions <<<"$json") \
            $(field violating_any <<<"$json") $(field complete <<<"$json")
    done
