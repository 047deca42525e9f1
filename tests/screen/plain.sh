#!/usr/bin/env bash
# plain.sh -- the walk as linear text: commands from a pipe, a race, and nothing but text.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state
mkdir -p "$work/state"
number=0
failed=0
check() {
    local name=$1
    shift
    number=$((number + 1))
    if "$@"; then echo "ok $number - $name"; else echo "not ok $number - $name"; failed=1; fi
}
has() { grep -q -e "$1" "$work/out" || { echo "# not there: $1"; sed 's/^/# | /' "$work/out"; return 1; }; }
plain() { "$LAB" --plain "$@" >"$work/out" 2>"$work/error"; status=$?; }

plain --lang en < <(printf '%s\n' 2 text code 'variant redis-get-set' 'users 50' race \
    'redis GET seckill:stock:1' 'users x' nonsense quit)
check 'status 0' [ "$status" = 0 ]
check 'no word on stderr' [ ! -s "$work/error" ]
check 'lessons' has '^02 Oversell\. '
check 'lesson opened' has '^Lesson 02, Oversell\. Variant check-then-update'
check 'a section' has '^What to watch$'
check 'the code, line by line' has '^ *[0-9]*  Answer buy_check_then_update('
check 'the race' has '^50 users buy'
check 'its verdict' has 'no-oversell'
check 'a wrong number' has 'users takes a whole number'
check 'a wrong word' has 'no word "nonsense"'
no_escapes() { ! grep -q $'\033' "$work/out"; }
check 'no control sequences' no_escapes

# Step mode and exploring, in words.
plain --lang en < <(printf '%s\n' 'move A' 4 'variant check-in-transaction' 'step A A A A A B B B' 'move A B' undo \
    'move B B B' stand 'move Z' restart explore 'variant unique-index' stand quit)
check 'no world yet' has '^No world stands in step mode'
check 'the goal' has '^Goal: Give one user two orders'
check 'a move in words' has '^2\. A counts own orders: 0\.$'
check 'a wait' has '^8\. B takes one if there is any: it has to wait\.$'
check 'for whom' has '^B waits for A: a row of tb_seckill_voucher\.$'
check 'its end' has '^   B, waiting since 8, goes on: 1 row\.$'
check 'an answer' has '^   A is told: ordered\.$'
check 'what broke' has '^one-per-user is BROKEN: 1 user has more than one order\.$'
check 'the line' has 'check-in-transaction@[0-9a-f]* .* : A A A A A B B B A B B B$'
check 'a move that is none' has 'there is no actor Z'
check 'explored' has '^  x one-per-user  *BROKEN'
check 'as claimed' has '^This is what the lesson claims'
check 'another variant has no world yet' [ "$(grep -c '^No world stands' "$work/out")" = 2 ]
replayed=$(grep -o 'one-order-per-user/check-in-tr.*: A A A A A B B B A B B B$' "$work/out" | head -n 1)
plain --lang en < <(printf '%s\n' 2 "replay $replayed" 'replay nonsense' quit)
check 'a line is replayed' has '^one-per-user is BROKEN'
check 'a wrong line is refused' has 'nonsense\|LESSON/VARIANT'

plain --lang zh < <(printf '%s\n' lessons help)
check 'Chinese, until the input ends' has '^02 超卖'
check 'status 0 at the end of the input' [ "$status" = 0 ]
mkdir -p "$work/unwritable"
touch "$work/unwritable/seckill-lab"
XDG_STATE_HOME=$work/unwritable plain --lang en < <(printf '%s\n' 2 3)
check 'progress that cannot be kept is said' has '^Progress is not kept'
check 'once' [ "$(grep -c '^Progress is not kept' "$work/out")" = 1 ]
plain --lang en --lesson nonsense </dev/null
check 'a lesson that is not there: status 2' [ "$status" = 2 ]
check 'in one line' [ "$(wc -l <"$work/error")" = 1 ]
echo "1..$number"
exit $failed
