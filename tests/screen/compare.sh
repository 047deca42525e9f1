#!/usr/bin/env bash
# compare.sh -- the same sale side by side on the screen: rows that fill in, both sizes, both languages.
. "$(dirname "$0")/screen_lib.sh"

declare -A word=(
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.runs]='[0-9] of [0-9]* answered' [zh.runs]='/ *[0-9]*\|共 [0-9]*'
    [en.kept]='Nothing broke' [zh.kept]='都守住了'
    [en.stopped]='Stopped: r begins again' [zh.stopped]='已停止'
    [en.wrong]="there is no lesson '77'" [zh.wrong]='77'
    [en.world]='Side by side .*300 users  stock 100$' [zh.world]='并排对比 .*300 个用户  库存 100$'
    [en.bars]='^ UNTIL THE LAST YES' [zh.bars]='^ 最后一声'
    [en.moment]='^ stored: from the start' [zh.moment]='^ 落库：'
)
# A row: sign, number, name, seven numbers.
numbers='\( *[0-9.]\{1,\}\)\{7\}$'
multiples='\( *x[0-9.]\{1,\}\)\{7\}$'

for language in en zh; do
    screen_state=compare-$language
    screen_start 80x24 --lang "$language" --lesson local-lock --users 300 --stock 100
    screen_wait "${word[$language.ready]}" || continue
    screen_keys Enter
    screen_wait '^ 05 .*lock-inside-tran'
    screen_keys m
    check "$language: the world is one for all" screen_wait "${word[$language.world]}"
    check "$language: a row with its numbers" screen_wait "^ = 05 lock-per-user $numbers"
    check "$language: and all are done" screen_wait "${word[$language.kept]}"
    check "$language: the last row stands" screen_wait "^ = 09 compare-and-delete $numbers"
    check "$language: as multiples of the first" screen_wait "^  *[^ ]* $multiples"
    check "$language: what was measured" screen_wait "${word[$language.moment]}"
    check "$language: all within 80 columns" screen_aligned 80x24
    screen_resize 160x50
    check "$language: bars where there is room" screen_wait "${word[$language.bars]}"
    check "$language: all within 160 columns" screen_aligned 160x50
    screen_resize 80x24
    screen_wait_gone "${word[$language.bars]}"

    screen_keys Escape
    check "$language: back to where it was asked for" screen_wait '^ 05 .*lock-inside-tran'
    screen_command 'compare 09/script-fails-midway 05/lock-whole-method'
    check "$language: chosen by name, a broken one" screen_wait "^ x 09 script-fails-midway .* - *-\$"
    check "$language: says what broke" screen_wait '^      no-oversell'
    check "$language: in a sentence" screen_wait '^ 09 .*: no-oversell'
    screen_command 'compare 77'
    check "$language: a lesson that is not there" screen_wait "${word[$language.wrong]}"
    screen_keys Down Enter
    check "$language: opened as a lesson" screen_wait '^ 05 .* lock-whole-method'
done

# Stopped in the middle, and begun again.
screen_command 'users 8000'
screen_command 'compare'
screen_wait 'answered\|得到答复\|race\|第' >/dev/null
screen_keys x
check 'stopped' screen_wait "${word[zh.stopped]}"
screen_command 'users 50'
screen_keys r
check 'again, and to the end' screen_wait "${word[zh.kept]}"
screen_keys q
check 'it ends' screen_wait_end
check_done
