#!/usr/bin/env bash
# usage.sh -- the command line without servers: help, errors, exit statuses, and the man page.
set -u
man=$LAB_SOURCE/docs/seckill-lab.1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

# result NAME STATUS [DETAIL]: one TAP line.
result() {
    number=$((number + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf '%s\n' "${3-}" | sed 's/^/# /' | head -n 20
    fi
}

# For one call: with=VARIABLE=VALUE refuses ...
with=

# refuses STATUS PATTERN ARGS...: this status, one line on stderr that matches, nothing on stdout.
refuses() {
    local status=$1 pattern=$2 got
    shift 2
    env ${with:+"$with"} "$LAB" "$@" </dev/null >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$status" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q -e "^seckill-lab: .*$pattern" "$work/err"
    result "refuses: $(printf '%s ' "$@" | tr -dc '[:print:]')" $? "status $got, $(cat "$work/err" "$work/out")"
}

# prints PATTERN ARGS...: status 0, nothing on stderr, and a line that matches.
prints() {
    local pattern=$1 got
    shift
    env ${with:+"$with"} "$LAB" "$@" </dev/null >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq 0 ] && [ ! -s "$work/err" ] && grep -q -e "$pattern" "$work/out"
    result "prints: $*" $? "status $got, $(cat "$work/err" "$work/out")"
}

refuses 2 "no verb 'fly'" fly
refuses 2 "no option '--wings'" --wings
refuses 2 "no option '-x'" -x
refuses 2 "no option '--userss=3'" --userss=3
refuses 2 "no option '--\\\\x1b\[2J'" $'--\e[2J'
refuses 2 "there is no lesson 'fly'" compare 05 fly
refuses 2 "lesson oversell has no variant 'fly'" compare 02/fly
refuses 2 "is one word too many" compare 02 02 02 02 02 02 02 02 02 02 02 02 02 02 02 02 02
refuses 2 "compare knows no --pace" compare --pace 3
refuses 2 "1 to 10000, not '0'" run oversell --users 0
refuses 2 "1 to 10000, not '10001'" run oversell --users=10001
refuses 2 "1 to 10000, not '5x'" run oversell --users 5x
refuses 2 "1 to 10000, not ''" run oversell --users=
refuses 2 "1 to 10000, not ' 5'" run oversell --users ' 5'
refuses 2 "1 to 10000, not '99999999999999999999'" run oversell --users 99999999999999999999
refuses 2 "0 to 1000000000, not '-1'" run oversell --stock -1
refuses 2 "--users needs a value" run oversell --users
refuses 2 "--json takes no value" list --json=yes
refuses 2 "--lang takes one of en|zh, not 'fr'" --lang fr
refuses 2 "--lang takes one of en|zh, not 'e'" --lang e
refuses 2 "--redis is empty" run oversell --redis ""
refuses 2 "list knows no --users" list --users 3
refuses 2 "--json is for the verbs" --json
refuses 2 "Usage: seckill-lab run LESSON" run
refuses 2 "Usage: seckill-lab run LESSON" run oversell tour
refuses 2 "one word too many" run a b c d
refuses 2 "no lesson 'nothing'" run nothing
refuses 2 "'nothing'" run oversell/nothing
refuses 2 "10000 users with 1000 requests" run oversell --users 10000 --requests 1000
refuses 2 "\"B=3\" is no stall: it reads WHO@STEP=MS" run oversell --stall B=3
refuses 2 "\"B@commit\" is no stall" run oversell --stall B@commit
refuses 2 "\"B@commit=0\" is no stall" run oversell --stall B@commit=0
refuses 2 "\"B@commit=600001\" is no stall" run oversell --stall B@commit=600001
refuses 2 "\"b@commit=5\" is no stall" run oversell --stall b@commit=5
refuses 2 "\"u0@commit=5\" is no stall" run oversell --stall u0@commit=5
refuses 2 "\"A@commit=5\" is no freeze: it reads NODE@STEP=MS" run oversell --freeze A@commit=5
refuses 2 "\"n1@commit:late\" is no crash: it reads NODE@STEP\[:before|after\]" run oversell --crash n1@commit:late
refuses 2 "\"@commit\" is no expire: it reads KEY@STEP" run oversell --expire @commit
refuses 2 "\"A\" is no error: it reads WHO@STEP" run oversell --error A
refuses 2 "\"A=5\" is no slow: it reads NODE=MS" run oversell --slow A=5
refuses 2 "no step \"insrt\".*insert-order" run oversell --error A@insrt
refuses 2 "no step \"fly\".*select-stock" run oversell --error A@fly
refuses 2 "no step \"\\\\x1b\[2J\"" run oversell --error A@$'\e[2J'
refuses 2 "there is no node 3, there is 1" run oversell --crash n3@commit
refuses 2 "there is no user 201, there are 200" run oversell --error u201@commit
refuses 2 "there is no actor 26, the last is 20 (users: 10, requests at once of each: 2)" run failover --users 10 --failover Z@count-orders
refuses 2 "--stall is one too many: 16 faults" run oversell $(printf -- '--stall A@commit=1 %.0s' {1..17})
refuses 2 "--stall needs a value: --stall WHO@STEP=MS" run oversell --stall
refuses 2 "step knows no --stall" step oversell --schedule A --stall A@commit=5
refuses 2 "explore knows no --crash" explore oversell --crash n1@commit
refuses 2 "URL" run oversell --redis nonsense
refuses 2 "URL" run oversell --mysql nonsense
refuses 3 "needs a terminal"
refuses 3 "needs a terminal" --lesson oversell

refuses 2 "/dev/zero holds no schedule line" replay /dev/zero
with=SECKILL_LAB_LANG=fr refuses 2 "SECKILL_LAB_LANG takes one of en|zh" list
with=SECKILL_LAB_REDIS=nonsense refuses 2 "URL" run oversell
with=SECKILL_LAB_MYSQL=nonsense refuses 2 "URL" run oversell
with=SECKILL_LAB_DATA=/nowhere refuses 3 "/nowhere" list

prints "^seckill-lab [0-9]" --version
prints "^Options" --help
prints "seckill-lab run LESSON" run --help
prints "^02 oversell" list
prints "check-then-update *breaks no-oversell" list
prints "^用法" --help --lang zh
with=SECKILL_LAB_LANG=zh prints "^用法" --help
with=SECKILL_LAB_LANG=zh prints "^Usage" --help --lang=en
with=LC_ALL=C prints "^用法" --lang zh --help
with=LC_ALL=zh_CN.UTF-8 prints "^用法" --help

# Every option and verb of the program is in the man page, with its bounds, and the other way round.
LC_ALL=C.UTF-8 "$LAB" --help --lang en >"$work/help"
said=$(sed -n 's/^  --\([a-z-]*\).*/\1/p' "$work/help" | sort)
manual=$(sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/s/^\.BI\{0,1\} \\-\\-\([a-z\\-]*\).*/\1/p' "$man" |
    tr -d '\\' | sort)
[ -n "$said" ] && [ "$said" = "$manual" ]
result "the man page has the options of the program" $? "$(diff <(echo "$said") <(echo "$manual"))"

said=$(sed -n 's/^  seckill-lab \([a-z]\{1,\}\).*/\1/p' "$work/help" | sort)
manual=$(sed -n '/^\.SH VERBS/,/^\.SH OPTIONS/s/^\.BI\{0,1\} \([a-z]\{1,\}\).*/\1/p' "$man" | sort)
[ -n "$said" ] && [ "$said" = "$manual" ]
result "the man page has the verbs of the program" $? "$(diff <(echo "$said") <(echo "$manual"))"

missing=$(sed -n 's/^ *\([0-9]* to [0-9]*\), else.*/\1/p' "$work/help" | while read -r bounds; do
    grep -q -F "$bounds" "$man" || echo "$bounds"
done)
[ -z "$missing" ]
result "the man page has the bounds of the program" $? "$missing"

# As does the program's own table of steps.
said=$(sed -n 's/^ *\[STEP_[A-Z_]*\] = {"\([a-z-]*\)".*/\1/p' "$LAB_SOURCE/src/engine/step_kind.c" | grep -v '^none$' | sort)
manual=$(sed -n '/^\.SH STEPS/,/^\.SH EXIT/p' "$man" | sed '1,/^\.PP/d; /^\.SH/d' | tr -d '\\. \n' | tr , '\n' | sort)
[ -n "$said" ] && [ "$said" = "$manual" ]
result "the man page has the steps of the program" $? "$(diff <(echo "$said") <(echo "$manual"))"

missing=$("$LAB" list | sed -n 's/^\([0-9][0-9]\) .*/\1/p' | while read -r number; do
    grep -q "^| $number " "$LAB_SOURCE/README.md" || echo "$number"
done)
[ -z "$missing" ]
result "every lesson is in the table of the README" $? "$missing"

version=$("$LAB" --version | head -n 1)
grep -q "^\.TH .*\"${version/-/\\\\-}\"" "$man"
result "the man page is of this version" $? "$version"

if command -v man >/dev/null && command -v groff >/dev/null; then
    warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$man" 2>&1 >/dev/null)
    [ -z "$warnings" ]
    result "the man page is well formed" $? "$warnings"
else
    result "the man page is well formed # SKIP man is not installed" 0
fi

"$LAB" list --json >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] &&
    tr -d ' \n' <"$work/out" | grep -q '^{"lessons":\[{"number":"00","name":"tour",.*}\]}$'
result "list --json is one object" $? "$(head -n 5 "$work/out" "$work/err")"

"$LAB" list | head -n 1 >/dev/null
result "a reader that goes away is no error" "${PIPESTATUS[0]}"

if [ -c /dev/full ]; then
    "$LAB" list >/dev/full 2>"$work/err"
    [ $? -eq 3 ] && grep -q "cannot be written" "$work/err"
    result "a full disk is told" $? "$(cat "$work/err")"
fi

echo "1..$number"
