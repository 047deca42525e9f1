#!/usr/bin/env bash
# exercise.sh -- the exercises without a screen: what passes and what does not, Redis's own words with the line, a script
# that does not end, one that reaches for what is not its own, and the learner's copy.
. "$LAB_SOURCE/tests/claims/tap.sh"
mkdir "$work/tmp"
export TMPDIR=$work/tmp XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state HOME=$work
unset SECKILL_LAB_REDIS
export SECKILL_LAB_LANG=en
exercise=lua-unlock/script-fails-midway
copy=$work/data/seckill-lab/exercises/lua-unlock/sell_midway.lua
shipped=$LAB_SOURCE/lua/sell_midway.lua
solution=$LAB_SOURCE/lua/solutions/sell_midway.lua

# one_line PATTERN: nothing on stdout, and this one line on stderr.
one_line() {
    [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -e "$1" "$work/err"
}

# script TEXT: a file that holds it.
script() {
    printf '%s\n' "$1" >"$work/script.lua"
}

# ---- the list, the copy, the task ----------------------------------------------------------------

lab 0 exercise && out "^09 $exercise *not begun" && [ ! -e "$copy" ]
result "the exercises are listed, and nothing is written for it" $?

lab 1 exercise 09 && cmp -s "$copy" "$shipped" && out "^  = loads" "^  x runs" "^  x sells" "^  x explored"
result "without a file the learner's copy is made and checked: as it is shipped it fails" $?

out "^Redis says:" "@user_script:4" "^  $copy:4: redis.call('SADD', KEYS\[2\])"
result "Redis's own words, and the line of the learner's file" $?

lab 0 exercise --json && out '"checked": "runs"' '"begun": true' '"solved": false'
result "how far it went is kept" $?

lab 1 exercise 09 --json && line=$(sed -n 's/^ *"shortest": "\(.*\)",$/\1/p' "$work/out") && [ -n "$line" ] &&
    lab 1 replay "$line" && out "^ 1  runs the script: line 4: Wrong number of args" "^  x books-balance"
result "the counterexample is a line that replay carries out with the learner's script" $?

for hint in 1 2 3 3; do
    lab 0 exercise 09 --show hint && out "^Hint $hint of 3" || break
done
result "one hint more each time, three in all" $?

lab 0 exercise 09 --show solution && sed '/^$/,$d' "$work/out" | cmp -s - "$solution"
result "the solution is the file of lua/solutions" $?

lab 0 exercise 09 --show script && cmp -s "$work/out" "$shipped"
result "the script as it is shipped" $?

lab 0 exercise 09 --show task --lang zh && out "把 *sell_midway.lua *改对"
result "the task, in Chinese" $?

# ---- what passes -----------------------------------------------------------------------------------

cp "$solution" "$copy"
lab 0 exercise "$exercise" && out "^  = loads" "^  = runs" "^  = sells" "^  = explored" "^Passed" \
    "20 buyers, 30 in stock: 20 sold" "30 buyers, 20 in stock: 20 sold"
result "the solution passes" $?

lab 0 exercise && out "^09 $exercise *solved" && lab 0 exercise --json && out '"checked": "passed"' '"hints": 4'
result "solved is remembered" $?

echo "return -1 -- mine" >"$copy"
lab 0 exercise 09 --reset && cmp -s "$copy" "$shipped" && grep -q mine "$copy.old" && lab 0 exercise &&
    out "^09 $exercise *solved"
result "reset: the shipped script, the old one beside it, and solved stays solved" $?

: >"$work/script.lua"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"passed": false' '"failed": "sells"' '"sold": 0' \
    '"no-undersell"' && [ "$(cat "$copy")" = "$(cat "$shipped")" ]
result "an empty script does not pass, and a file of its own leaves the copy alone" $?

script "redis.call('SADD', KEYS[2], ARGV[1])
return redis.call('DECR', KEYS[1])"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "sells"' '"no-oversell"' \
    '"shortest": "lua-unlock/script-fails-midway@.* users=2 stock=1 : '
result "the argument put in is not enough" $?

script "local stock = tonumber(redis.call('GET', KEYS[1]))
if stock < 1 then return -1 end
redis.call('SADD', KEYS[2], ARGV[1])
return redis.call('DECR', KEYS[1])"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "explored"' '"one-per-user"' \
    '"shortest": "lua-unlock/script-fails-midway@.* users=1 requests=2 stock=2 : A'
result "a user who buys twice is found by exploring" $?

line=$(sed -n 's/^ *"shortest": "\(.*\)",$/\1/p' "$work/out")
lab 1 replay "$line" --script "$work/script.lua" && out "^  x one-per-user" && lab 2 replay "$line" &&
    one_line "another version of lua-unlock"
result "its line is replayed with the file, and refused without it" $?

script "local stock = redis.call('GET', KEYS[1])
if tonumber(stock) <= 0 then return 1 end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end
redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2], ARGV[1])
return 0"
lab 1 exercise 14 --script "$work/script.lua" --json && out '"failed": "runs"' 'compare nil with number' '"line": 2' \
    '"violates": \[\]' '"shortest": "lua-eligibility/as-written@.* users=2 stock=1 : A B"'
result "an error that breaks nothing is found, and shown, too: a missing key" $?

# odd PATTERN SCRIPT: does not say 0, 1 or 2, and is told what it said instead.
odd() {
    script "$2"
    lab 1 exercise 14 --script "$work/script.lua" --json && out '"failed": "sells"' "it returned $1, which is none of 0, 1, 2"
}

odd 7 "return 7" && odd "a table" "return {0}" && odd "a text" "return 'yes'" && odd nothing "local unused = 1"
result "what is none of 0, 1, 2 is no yes: it is said what was returned" $?

# odd_left PATTERN VALUE: sells well, but says VALUE instead of -1 when it sells nothing.
odd_left() {
    sed "s/return -1/return $2/" "$solution" >"$work/script.lua"
    lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "sells"' "it returned $1, which is no number"
}

odd_left "a table" "{1}" && odd_left "a text" "'-1'" && odd_left nothing "false"
result "what is no number is no \"none left\", either" $?

script "return 3"
lab 1 exercise 16 --script "$work/script.lua" --json && out '"failed": "sells"' "it returned 3, which is none of 0, 1, 2"
result "nor is it one of a script that writes into the stream" $?

# ---- what Redis refuses ----------------------------------------------------------------------------

script "local a = = 1"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "loads"' 'user_script:1: unexpected symbol' \
    '"line": 1' '"source": "local a = = 1"' '"stopped": null'
result "a script that Redis cannot read: its words, the line, and what stands there" $?

# refused PATTERN SCRIPT: fails with these words of Redis's.
refused() {
    script "$2"
    lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "runs"' "$1"
}

refused "can't access at least one of the keys" "redis.call('SET', 'lock:order:1', 'x')" &&
    refused "can't access at least one of the keys" "return redis.call('GET', 'icr:order:2026:11:30')" &&
    refused "can't run this command" "redis.call('FLUSHALL')" && refused "can't run this command" "redis.call('KEYS', '*')" &&
    refused "can't run this command" "redis.call('SELECT', 1)" &&
    refused "can't run this command" "redis.call('COPY', KEYS[1], KEYS[1], 'DB', 1)" &&
    refused "not allowed from script" "redis.call('CONFIG', 'SET', 'maxmemory', '1')" &&
    refused "not allowed from script" "redis.call('SHUTDOWN', 'NOSAVE')" &&
    refused "nonexistent global variable 'os'" "os.execute('true')"
result "other keys, other commands and the world outside are refused by the server" $?

# ---- what does not end -----------------------------------------------------------------------------

script "while true do end"
lab 1 exercise 09 --script "$work/script.lua" && out "^  x runs" "^ *The script did not end: it was stopped .*SCRIPT KILL" \
    "^  - sells" "^  - explored"
result "an endless script is stopped, and said to be" $?

script "redis.call('INCR', KEYS[1])
while true do end"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "runs"' '"stopped": "server-ended"' \
    'had written already'
result "one that has written cannot be killed: the private server is ended and started again" $?

script "if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then while true do end end
local stock = tonumber(redis.call('GET', KEYS[1]))
if stock < 1 then return -1 end
redis.call('SADD', KEYS[2], ARGV[1])
return redis.call('DECR', KEYS[1])"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "runs"' '"stopped": "script-killed"' '"sold": 20'
result "one that only exploring gets to hang is stopped there" $?

script "local text = string.rep('a', 5000)
return text:find(string.rep('.-', 12) .. 'b')"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "runs"' '"stopped": "server-killed"'
result "one that hangs inside a single call hears no SCRIPT KILL: the private server is killed and started again" $?

script "local s = 'x'
while true do s = s .. s end"
lab 1 exercise 09 --script "$work/script.lua" --json && out '"failed": "runs"' 'not enough memory' '"stopped": null'
result "one that wants all the memory there is does not get it" $?

# ---- mistakes --------------------------------------------------------------------------------------

lab 2 exercise 09 --redis unix:///nowhere.sock && one_line "private Redis only"
result "a Redis of one's own is refused" $?

lab 2 exercise 00 && one_line "no exercise in 00; there are .*$exercise"
result "a lesson without an exercise" $?

lab 2 exercise 09 --script "$work/none.lua" && one_line "none.lua cannot be read: No such file"
result "a file that is not there" $?

head -c 20000 /dev/zero | tr '\0' '-' >"$work/script.lua"
lab 2 exercise 09 --script "$work/script.lua" && one_line "too long"
result "a file that is too long" $?

lab 2 exercise 09 --reset --show hint && one_line "only one can be done"
result "two things at a time" $?

[ -z "$(ls -A "$work/tmp")" ]
result "nothing is left behind" $?

echo "1..$number"
