#!/usr/bin/env bash
# locks.sh -- every kind of lock and every strategy on the screen: rows that fill in, both sizes, both languages.
. "$(dirname "$0")/screen_lib.sh"

declare -A word=(
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.key]='w kinds, strategies' [zh.key]='w 种类和策略'
    [en.title]='Kinds and strategies' [zh.title]='锁的种类和策略'
    [en.over]='^ Readers share' [zh.over]='^ 读锁可以共享'
    [en.skipped]='skipped: null' [zh.skipped]='跳过：null'
    [en.throws]='throws too many requests' [zh.throws]='抛异常 too many requests'
    [en.late]='throws the wait is over' [zh.late]='抛异常 the wait is over'
    [en.got]='has the lock' [zh.got]='拿到锁'
    [en.note]='^ Each time another one holds .* for 1500 ms; .* 1000 ms' [zh.note]='^ 每一行都另有一人.* 1500 毫秒.* 1000 毫秒'
    [en.wide]='what is called' [zh.wide]='策略 .* 调用'
    [en.stopped]='Stopped: r begins again' [zh.stopped]='已停止'
)

for language in en zh; do
    screen_state=locks-$language
    screen_start 80x24 --lang "$language" --lesson lock-component
    screen_wait "${word[$language.ready]}" || continue
    screen_keys Enter
    screen_wait '^ 12 .*skip-'
    screen_keys w
    check "$language: the table has a key" screen_wait "${word[$language.title]}"
    check "$language: it comes to its end" screen_wait "${word[$language.over]}"
    check "$language: skipped" screen_wait "^ . reentrant  skip-fast .* ${word[$language.skipped]}\$"
    check "$language: an exception" screen_wait "^ . fair *fail-fast .* ${word[$language.throws]}\$"
    check "$language: readers share" screen_wait "^ . read *fail-fast .* ${word[$language.got]}\$"
    screen_keys G # two more rows
    check "$language: an exception after a second" screen_wait "^ . write *fail-after-timeout .* [19][0-9][0-9][0-9]*\.[0-9] .*${word[$language.late]}\$"
    check "$language: the last of twenty rows" screen_wait "^ . write *keep-trying .* ${word[$language.got]}\$"
    check "$language: all within 80 columns" screen_aligned 80x24
    screen_resize 160x50
    check "$language: what was done, where there is room" screen_wait "${word[$language.note]}"
    check "$language: all within 160 columns" screen_aligned 160x50
    screen_resize 80x24
    screen_wait_gone "${word[$language.wide]}"
    check "$language: how long, where there is little" screen_wait "${word[$language.note]}"
    check "$language: all within 80 columns again" screen_aligned 80x24
    screen_keys Escape
    check "$language: back to where it was asked for" screen_wait '^ 12 .*skip-'
    screen_keys c
    screen_command locks
    check "$language: a command, too" screen_wait "${word[$language.over]}"
done

# Stopped in the middle, and begun again.
screen_keys r
screen_wait '第 [0-9]* 行' >/dev/null
screen_keys x
check 'stopped' screen_wait "${word[zh.stopped]}"
screen_keys r
check 'again, and to the end' screen_wait "${word[zh.over]}"
screen_keys q
check 'it ends' screen_wait_end
check_done
