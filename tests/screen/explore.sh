#!/usr/bin/env bash
# explore.sh -- the field of all schedules: at three sizes and in both languages, growing, stopped,
# moved over, filtered, opened; luck beside proof.
. "$(dirname "$0")/screen_lib.sh"

declare -A word=(
    [en.proof]='proof *of all 46 schedules 40 break (87.0 %)' [zh.proof]='证明 *全部 46 种顺序里有 40 种出错（87.0 %）'
    [en.cells]='\. kept 6   x broken 40' [zh.cells]='\. 成立 6   x 被打破 40'
    [en.luck]='luck *[0-9]* of 200 free races: \|luck *200 free races: ' [zh.luck]='运气 *自由竞争'
    [en.one]='▸ A B B B B A A A  *1 switch$' [zh.one]='▸ A B B B B A A A  *切换 1 次$'
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.step]=' 8 moves, 1 switch' [zh.step]=' 8 步，切换 1 次'
)

for language in en zh; do
    for size in 60x16 80x24 160x50; do
        screen_state=explore-$language-$size
        at="$language $size"
        screen_start "$size" --lang "$language" --lesson oversell
        screen_wait "${word[$language.ready]}" || continue
        screen_keys e
        check "$at proof" screen_wait "${word[$language.proof]}"
        check "$at a cell a schedule" screen_wait "${word[$language.cells]}"
        check "$at the shortest is chosen" screen_wait "${word[$language.one]}"
        check "$at field" screen_wait '^ *5  *6  *6  *x \?x \?x \?x \?x \?x'
        check "$at luck beside proof" screen_wait "${word[$language.luck]}"
        check "$at aligned" screen_aligned "$size"
        screen_keys Enter
        check "$at the cell is stepped through" screen_wait "${word[$language.step]}"
        screen_keys q
        screen_wait_end
    done
done

# ---- a small space: classes, filters, luck ---------------------------------------------------------------
screen_state=explore
screen_start 80x24 --lang en --lesson oversell
screen_wait 'MariaDB ready' || exit 1
screen_keys e
screen_wait 'kept 6   x broken 40' >/dev/null
check 'all kept invariants are said to be kept' screen_wait '= books-balance *kept'
check 'and the broken one counted' screen_wait 'x no-oversell *40$'
check 'outcomes' screen_wait 'OUTCOMES'
check 'what it covers' screen_wait '^ 2 users, stock 1, 1 node, no faults'
check 'complete, as claimed' screen_wait 'Complete, and as the lesson claims'
check 'luck was tried' screen_wait 'luck *200 free races: [0-9]* broke (\|luck *200 free races: none'
screen_keys w
check 'classes' screen_wait 'kept 2   x broken 4 .*class of equal'
check 'the same proof' screen_wait 'of all 46 schedules 40 break'
screen_keys w
check 'and each schedule again' screen_wait 'kept 6   x broken 40'
screen_keys i
check 'one invariant' screen_wait 'kept 6   x no-oversell 40'
screen_keys i
check 'another' screen_wait 'kept 46   x books-balance 0'
check 'which nothing breaks' screen_wait 'of all 46 schedules none breaks'
screen_keys i i i
check 'any' screen_wait 'kept 6   x broken 40'

# ---- moving over it ------------------------------------------------------------------------------------------
screen_keys Home
check 'the first cell' screen_wait '▸ A A A A B *0 switches'
check 'kept' screen_wait '^ = kept   stock=0 orders=1'
screen_keys Right
check 'the next' screen_wait '▸ B B B B A *0 switches'
screen_keys Tab
check 'the next broken one' screen_wait '^ x no-oversell   stock=-1 orders=2'
screen_keys End
check 'the last cell' screen_wait '6 switches$'
screen_keys Up
check 'a row up' screen_wait '5 switches$'
screen_keys g
check 'the shortest again' screen_wait '▸ A B B B B A A A *1 switch$'
screen_keys Home
screen_keys Enter
check 'a kept cell opens, too' screen_wait ' 5 moves, 0 switches'
check 'and breaks nothing' screen_wait 'nothing broke'
screen_keys u
check 'undo through it' screen_wait ' 4 moves.* 1 undone'
screen_keys Escape
check 'Escape: back to the field' screen_wait 'kept 6   x broken 40'
screen_keys Escape
check 'and up' screen_wait '^ r race'
screen_keys e
check 'the result is still there' screen_wait 'kept 6   x broken 40'
screen_command 'explore 1'
check 'a bound' screen_wait 'at most 1 preemption'
check 'and what is within it' screen_wait 'of all 8 schedules 2 break'
screen_command 'explore nonsense'
check 'a bound that is none' screen_wait ':explore takes nothing'

# ---- a larger one: growing, stopped, opened ---------------------------------------------------------------------
screen_command 'users 4'
check 'more users' screen_wait '^ 4 users, stock 1'
check 'all their schedules, by classes' screen_wait 'class of equal'
screen_wait 'Complete' >/dev/null
screen_command 'explore all'
check 'it grows' screen_wait 'exploring .* runs/s'
cells() { screen_text | sed -n 's/.*x broken \([0-9,]*\).*/\1/p' | tr -d ,; }
first=$(cells)
grown() { local now; now=$(cells); [ "${now:-0}" -gt "${first:-0}" ]; }
wait_grown() {
    local end=$((SECONDS + screen_patience))
    until grown; do
        [ $SECONDS -lt $end ] || { screen_text | sed 's/^/# | /'; return 1; }
        read -r -t 0.03 <> <(:)
    done
    return 0
}
check 'and grows' wait_grown
check 'says the time left' screen_wait 'about [0-9]* s left'
check 'never complete before it is' screen_wait 'schedules so far'
screen_resize 100x30
check 'resized while it runs' screen_wait 'exploring .* runs/s'
screen_keys Right
screen_keys x
check 'stopped' screen_wait 'Stopped: NOT complete'
check 'a cell of it' screen_wait '^ ▸ [ABCD]'
screen_keys Enter
check 'is stepped through' screen_wait '[0-9] moves, [0-9]* switch'
check 'four actors' screen_wait 'a A moves  b B moves  c C moves  d D moves'
screen_keys e
screen_wait 'Stopped' >/dev/null
screen_keys r
screen_wait 'exploring' >/dev/null
screen_keys c
check 'left while it runs' screen_wait 'LESSONS'
screen_keys Enter
screen_wait '^ r race' >/dev/null
screen_command 'pace 0'
screen_keys r
check 'a race ends an exploration' screen_wait 'no-oversell is BROKEN'

# ---- nothing breaks ------------------------------------------------------------------------------------------------
screen_command 'lesson optimistic-lock/stock-gt-0'
screen_keys s
screen_wait ' 0 moves' >/dev/null
screen_keys g
check 'there is nothing to show' screen_wait 'No schedule breaks this variant'
screen_keys e
check 'a proof that it holds' screen_wait 'of all 70 schedules none breaks'
screen_keys v
check 'the next variant is explored at once' screen_wait 'version.*all schedules'
check 'with its own proof' screen_wait 'of all 42 schedules 12 break'
screen_keys q
check 'it ends' screen_wait_end
check 'with status 0' [ "${screen_status:-}" = 0 ]
check_done
