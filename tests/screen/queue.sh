#!/usr/bin/env bash
# queue.sh -- what stands between the answer and the order: the queue, and told against stored, in the race, in the
# report and in step mode; consumers that are moved by hand. Both languages and sizes, and without other signs than ASCII.
. "$(dirname "$0")/screen_lib.sh"

declare -A word=(
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.queue]='QUEUE in memory .* 99 waiting' [zh.queue]='内存队列 .* 99 张在等'
    [en.dropped]='x dropped by an error  *1 ' [zh.dropped]='x 因异常丢掉  *1 '
    [en.alive]='! consumers alive  *0 of 1' [zh.alive]='! 活着的消费者  *0 / 1'
    [en.told]='told yes  *100 ' [zh.told]='说抢到  *100 '
    [en.lost]='x lost  *1$' [zh.lost]='x 丢失  *1$'
    [en.drains]='all answered, [0-9]* orders\? still wait' [zh.drains]='都答复了，还有 [0-9]* 张订单在等'
    [en.judged]='BROKEN: ' [zh.judged]='被打破：'
    [en.waits]='c1 waits for an order in the queue' [zh.waits]='c1 在等队列里的订单'
    [en.one]='QUEUE in memory  *1 waiting' [zh.one]='内存队列  *1 张在等'
    [en.next]='c1 moves' [zh.next]='c1 走'
    [en.next_step]='^ ▸ c1 SELECT COUNT' [zh.next_step]='^ ▸ c1 SELECT COUNT'
    [en.ended]='c1 was ended by an error' [zh.ended]='c1 被异常终止了'
    [en.column]='c1  consumer ' [zh.column]='c1  消费者 '
)

for language in en zh; do
    screen_state=queue-$language
    screen_start 80x24 --lang "$language" --lesson async-queue/consumer-dies
    screen_wait "${word[$language.ready]}" || continue
    screen_keys Enter r
    check "$language: what waits" screen_wait "${word[$language.queue]}"
    check "$language: what an error dropped" screen_wait "${word[$language.dropped]}"
    check "$language: nobody is left" screen_wait "${word[$language.alive]}"
    check "$language: told" screen_wait "${word[$language.told]}"
    check "$language: and lost" screen_wait "${word[$language.lost]}"
    screen_wait "${word[$language.judged]}" >/dev/null
    check "$language: all within 80 columns" screen_aligned 80x24
    screen_resize 160x50
    screen_keys o
    check "$language: the report has it, too" screen_wait "${word[$language.dropped]}"
    check "$language: all within 160 columns" screen_aligned 160x50

    # By hand: A puts, c1 takes, and falls over the error of this variant's world.
    screen_resize 80x24
    screen_command 'step A A A'
    check "$language: a key for the consumer" screen_wait "${word[$language.next]}"
    check "$language: one waits" screen_wait "${word[$language.one]}"
    screen_keys c c
    check "$language: c moves it" screen_wait "${word[$language.next_step]}"
    screen_keys C
    check "$language: an error ends it" screen_wait "${word[$language.ended]}"
    screen_keys R
    check "$language: at the start it waits" screen_wait "${word[$language.waits]}"
    screen_resize 160x50
    check "$language: its column says what it is" screen_wait "${word[$language.column]}"
    check "$language: step mode within 160 columns" screen_aligned 160x50

    # A race whose consumer lives: the answers first, the orders later.
    screen_resize 80x24
    screen_command 'variant hardened'
    screen_command 'users 60'
    screen_command 'stock 40'
    screen_command 'pace 25'
    screen_keys r
    check "$language: answered, and not stored yet" screen_wait "${word[$language.drains]}"
    screen_keys x
    screen_wait_gone "${word[$language.drains]}" >/dev/null
done

screen_state=queue-ascii
screen_start 80x24 --lang en --ascii --lesson async-queue/hardened --users 60 --stock 40 --pace 25
screen_wait 'MariaDB ready' >/dev/null
screen_keys Enter r
check 'ASCII: a chart of what waits' screen_wait 'QUEUE in memory  *[*#+=:._-]\{3,\} .* waiting'
only_ascii() { ! screen_text | LC_ALL=C grep '[^ -~]'; }
check 'ASCII: nothing else' only_ascii
check_done
