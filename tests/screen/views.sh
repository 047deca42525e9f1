#!/usr/bin/env bash
# views.sh -- every view at three sizes and in both languages: what must be there is there, nothing
# is wider than the screen, and wide characters move no column.
. "$(dirname "$0")/screen_lib.sh"

# The words to look for, in each language.
declare -A word=(
    [en.course]='LESSONS' [zh.course]='^ 课 '
    [en.oversell]='02  *Oversell' [zh.oversell]='02  *超卖'
    [en.stock]='STOCK' [zh.stock]='库存'
    [en.broken]='no-oversell  *BROKEN' [zh.broken]='no-oversell  *被打破'
    [en.headline]='no-oversell is BROKEN: [0-9]* orders for 100 in stock'
    [zh.headline]='no-oversell 被打破：.*100'
    [en.story]='FIRST VIOLATION' [zh.story]='首次违反'
    [en.figures]='FIGURES' [zh.figures]='指标\|数字'
    [en.keys]='^ KEYS HERE' [zh.keys]='^ 这里的键'
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.small]='A little more room' [zh.small]='请把窗口放大'
)

for language in en zh; do
    for size in 60x16 80x24 160x50; do
        screen_state=views-$language-$size
        at="$language $size"
        screen_start "$size" --lang "$language"
        check "$at course" screen_wait "${word[$language.course]}"
        check "$at course: lesson 02" screen_wait "${word[$language.oversell]}"
        check "$at servers" screen_wait "${word[$language.ready]}"
        check "$at course aligned" screen_aligned "$size"

        screen_keys 2
        check "$at lesson" screen_wait "^ ${word[$language.oversell]}  *check-t"
        check "$at lesson aligned" screen_aligned "$size"
        screen_keys l
        check "$at listing" screen_wait 'long stock = sql_select_stock(me, voucher);'
        screen_keys l
        screen_wait_gone 'src/shop/oversell.c' >/dev/null

        screen_keys r
        check "$at race: what must hold" screen_wait "${word[$language.broken]}"
        check "$at race: story" screen_wait "${word[$language.story]}"
        check "$at race: stock" screen_wait "${word[$language.stock]}"
        check "$at race aligned" screen_aligned "$size"

        screen_keys o
        check "$at report: headline" screen_wait "${word[$language.headline]}"
        check "$at report aligned" screen_aligned "$size"
        screen_keys G
        check "$at report: figures" screen_wait "${word[$language.figures]}"

        screen_keys '?'
        check "$at help" screen_wait "${word[$language.keys]}"
        check "$at help aligned" screen_aligned "$size"
        screen_resize 50x12
        check "$at too small" screen_wait "${word[$language.small]}"
        screen_resize "$size"
        check "$at large enough again" screen_wait "${word[$language.keys]}"
        screen_keys q
        check "$at left" screen_wait_end
    done
done
check_done
