#!/usr/bin/env bash
# verbs.sh -- doctor and run on real servers: what they print, their exit status, and that nothing
# is left behind.
. "$LAB_SOURCE/tests/claims/tap.sh"
# Servers and their directories are made here, so that leftovers can be seen.
mkdir "$work/tmp"
export TMPDIR=$work/tmp

lab 0 doctor --lang en && out "^= Redis *found *version [5-9]" "^= database *found *version" "^All is well"
result "doctor finds everything" $? "$(said)"

lab 0 doctor --json && out '"ok": true' '"name": "redis"' '"name": "database"' '"name": "terminal"'
result "doctor --json" $? "$(said)"

lab 0 doctor --lang zh && out "^一切正常。"
result "doctor in Chinese" $? "$(said)"

lab 3 run tour --redis unix:///nowhere.sock && [ ! -s "$work/out" ] &&
    [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "nowhere.sock" "$work/err"
result "a Redis that is not there: one line, status 3" $? "$(said)"

lab 3 run tour --mysql mysql+unix:///nowhere.sock?user=me && [ ! -s "$work/out" ] &&
    [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "nowhere.sock" "$work/err"
result "a database that is not there: one line, status 3" $? "$(said)"

lab 3 doctor --lang en --redis unix:///nowhere.sock && out "^x .*MISSING" "nowhere.sock" "lines marked x"
result "doctor says which server is missing" $? "$(said)"

# A race shows it practically every time, not every time.
for _ in 1 2 3; do
    lab 0 run oversell/check-then-update --lang en && break
done
out "^200 users, 1 request each, stock 100, 1 node, full speed" "x no-oversell *BROKEN" \
    "^How no-oversell broke first" "reads the stock" "<-$" "^no-oversell is BROKEN: .* orders for 100 in stock" \
    "^This is what the lesson claims"
result "run tells what broke, and the story" $? "$(said)"

lab 0 run 03/stock-gt-0 --users 30 --stock 10 --nodes 2 --lang en &&
    out "^30 users, 1 request each, stock 10, 2 nodes" "10 ordered, 20 sold out" "stock 0, 10 orders" \
        "^All . invariants were kept"
result "options change the world" $? "$(said)"

# One buyer alone never oversells: what the variant claims to break did not break.
lab 1 run oversell/check-then-update --users 1 --lang en && out "^This is NOT what the lesson claims"
result "an outcome that is not as claimed: status 1" $? "$(said)"

lab 1 run oversell/check-then-update --users 1 --json &&
    out '^  "lesson": "oversell"' '^  "variant": "check-then-update"' '^  "users": 1,' '^  "stock": 100' \
        '^    "ordered": 1,' '^    "stock": 99,' '^    "orders": 1,' '^  "as_claimed": false' '^  "trouble": null' &&
    [ ! -s "$work/err" ] && [ "$(head -c 1 "$work/out")" = "{" ] && [ "$(tail -n 1 "$work/out")" = "}" ]
result "run --json is one object with the true numbers" $? "$(said)"

lab 0 run oversell/redis-get-set --json && out '^    "buyers": null' &&
    grep -A 2 '^  "redis": {' "$work/out" | grep -q '"stock": [0-9]' &&
    grep -A 2 '^  "db": {' "$work/out" | grep -q '"stock": null'
result "a stock that is kept in Redis is told there" $? "$(said)"

left=$(ls -A "$work/tmp")
[ -z "$left" ]
result "no directory is left behind" $? "$left"

left=$(grep -l -a "$work/tmp" /proc/[0-9]*/cmdline 2>/dev/null)
[ -z "$left" ]
result "no process is left behind" $? "$left"

echo "1..$number"
