#!/usr/bin/env bash
# exercise.sh -- a script is mended from the console: the editor gets the terminal and gives it back, the check, the
# counterexample on the learner's own script, hints, reset, at three sizes and in both languages.
. "$(dirname "$0")/screen_lib.sh"
unset SECKILL_LAB_REDIS

declare -A word=(
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.task]='EXERCISE: sell_midway.lua' [zh.task]='练习：sell_midway.lua'
    [en.error]='Not passed: the script ends with an error' [zh.error]='没有通过：脚本报错'
    [en.own]='Your script. BROKEN: no-oversell' [zh.own]='你的脚本。被破坏：no-oversell'
    [en.passed]='Passed: nothing breaks in these worlds' [zh.passed]='通过：这些世界里都不出错'
    [en.hint]='HINT 1 of 3' [zh.hint]='提示 1 / 3'
)
solution=$LAB_SOURCE/lua/solutions/sell_midway.lua

# An editor that puts the wanted file in the place of the one it is given, and says how it found the terminal.
editor=$screen_work/editor
cat >"$editor" <<END
#!/bin/sh
stty -a >'$screen_work/inside'
[ ! -e '$screen_work/next' ] || cp '$screen_work/next' "\$1"
exit \$(cat '$screen_work/editor-status' 2>/dev/null || echo 0)
END
chmod +x "$editor"

# exercise_start STATE SIZE LANGUAGE: the console with the exercise open.
exercise_start() {
    screen_state=$1
    export XDG_DATA_HOME=$screen_work/$1 EDITOR=$editor
    unset VISUAL
    rm -f "$screen_work/next" "$screen_work/editor-status"
    copy=$XDG_DATA_HOME/seckill-lab/exercises/lua-unlock/sell_midway.lua
    screen_start "$2" --lang "$3" --lesson lua-unlock/script-fails-midway
    screen_wait "${word[$3.ready]}" || return 1
    screen_keys M
    screen_wait "${word[$3.task]}"
}
next() { printf '%s\n' "$1" >"$screen_work/next"; }

for language in en zh; do
    for size in 60x16 80x24 160x50; do
        at="$language $size"
        check "$at the exercise opens" exercise_start "exercise-$language-$size" "$size" "$language" || continue
        check "$at aligned" screen_aligned "$size"
        check "$at the copy is the shipped script" cmp -s "$copy" "$LAB_SOURCE/lua/sell_midway.lua"
        screen_keys r
        check "$at as it is shipped it fails" screen_wait "${word[$language.error]}"
        check "$at Redis's words with the line" screen_wait 'user_script:4'
        check "$at the counterexample stands in step mode, on the learner's script" screen_wait "${word[$language.own]}"
        screen_keys Escape
        screen_wait_gone 'user_script:4' && screen_keys Escape
        check "$at back at the exercise" screen_wait "${word[$language.error]}"
        screen_keys h
        check "$at a hint" screen_wait "${word[$language.hint]}"
        check "$at a hint aligned" screen_aligned "$size"
        cp "$solution" "$screen_work/next"
        screen_keys e
        check "$at edited, checked, passed" screen_wait "${word[$language.passed]}"
        check "$at the copy was edited" cmp -s "$copy" "$solution"
        check "$at passed aligned" screen_aligned "$size"
        screen_keys q
        screen_wait_end
        check "$at the terminal is as it was" cmp "$screen_work/before" "$screen_work/after"
    done
done

# ---- the terminal, and editors that fail ---------------------------------------------------------

exercise_start one 80x24 en
next 'return -1'
screen_keys e
check 'an edited script fails, and its schedule opens' screen_wait 'Your script. BROKEN: no-undersell'
check 'the editor had the terminal as the shell left it' cmp "$screen_work/before" "$screen_work/inside"
check 'the listing is that of the script' screen_wait 'lua-unlock/script-fails-midway@[0-9a-f]* users=2 stock=1 : A B'
screen_keys a
screen_keys Escape
check 'keys go to the console again' screen_wait 'without faults it does not sell what it should'
screen_keys e
check 'nothing changed: nothing is checked' screen_wait 'Nothing was changed'
echo 3 >"$screen_work/editor-status"
screen_keys e
check 'an editor that fails is one line' screen_wait 'ended with status 3'
rm "$screen_work/editor-status"

# ---- scripts that do not end -----------------------------------------------------------------------

next 'while true do end'
screen_keys e
check 'an endless script is stopped, and said to be' screen_wait 'was stopped after half a second'
next "redis.call('INCR', KEYS[1])
while true do end"
screen_keys e
check 'one that has written ends the private server' screen_wait 'had written already'
cp "$solution" "$screen_work/next"
screen_keys e
check 'which stands again for the next check' screen_wait 'Passed: nothing breaks'
screen_keys s
check 'the script can be stepped through' screen_wait 'Your script: nothing is broken so far'
screen_wait 'A *EVALSHA'
screen_keys a
screen_keys a
screen_keys a
check 'move by move' screen_wait ' A A A$'
screen_keys t
check 'the lesson has the shipped script' screen_wait 'Story'
screen_keys l
check 'in its listing, too' screen_wait "redis.call('SADD', KEYS\[2\])"
screen_keys l

# ---- hints, solution, reset ------------------------------------------------------------------------

screen_keys M
screen_wait 'EXERCISE'
for number in 1 2 3; do
    screen_keys h
    check "hint $number" screen_wait "HINT $number of 3"
done
screen_keys h
check 'then the solution' screen_wait 'SOLUTION'
screen_keys Z
check 'reset' screen_wait 'The shipped script again'
check 'the shipped script is back' cmp -s "$copy" "$LAB_SOURCE/lua/sell_midway.lua"
check 'the other one is kept' cmp -s "$copy.old" "$solution"
screen_keys c
screen_wait 'Lua'
screen_keys q
screen_wait_end
check 'left' [ "$screen_status" = 0 ]
check 'solved is kept' grep -q '"solved": true' "$screen_work/one/seckill-lab/progress.json"

# ---- no editor ---------------------------------------------------------------------------------------

editor=/nowhere/editor
exercise_start two 80x24 en
screen_keys e
check 'an editor that is not there is one line' screen_wait 'The editor "/nowhere/editor" is not here: set VISUAL or EDITOR'
screen_keys q
screen_wait_end
check 'left after it' [ "$screen_status" = 0 ]

check_done
