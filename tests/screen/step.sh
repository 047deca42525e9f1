#!/usr/bin/env bash
# step.sh -- the learner is the scheduler: moves, undo, redo, runs, hints, replays, waits, at three
# sizes and in both languages.
. "$(dirname "$0")/screen_lib.sh"

declare -A word=(
    [en.goal]='Goal: Make the shop sell two of one' [zh.goal]='目标：'
    [en.par]='par: 1 switch' [zh.par]='最少：切换 1 次'
    [en.reached]='✓ reached: 1 switch, par 1' [zh.reached]='✓ 达成：切换 1 次，最少 1 次'
    [en.none]=' 0 moves' [zh.none]=' 0 步'
    [en.two]=' 2 moves, 1 switch' [zh.two]=' 2 步，切换 1 次'
    [en.all]=' 8 moves, 1 switch' [zh.all]=' 8 步，切换 1 次'
    [en.broken]='no-oversell is BROKEN: 2 orders for 1 in stock' [zh.broken]='no-oversell 被打破'
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
)

for language in en zh; do
    for size in 60x16 80x24 160x50; do
        screen_state=step-$language-$size
        at="$language $size"
        screen_start "$size" --lang "$language" --lesson oversell
        screen_wait "${word[$language.ready]}" || continue
        screen_keys s
        check "$at goal said beforehand" screen_wait "${word[$language.goal]}"
        check "$at par" screen_wait "${word[$language.par]}"
        check "$at no move yet" screen_wait "${word[$language.none]}"
        screen_keys a
        screen_keys b
        check "$at two moves" screen_wait "${word[$language.two]}"
        check "$at what each sends next" screen_wait '▸ B  UPDATE stock = stock - 1'
        check "$at two moves aligned" screen_aligned "$size"
        screen_keys B
        screen_keys A
        check "$at goal reached" screen_wait "${word[$language.reached]}"
        check "$at the line" screen_wait 'A B B B B A A A$'
        check "$at all moves" screen_wait "${word[$language.all]}"
        check "$at all moves aligned" screen_aligned "$size"
        [ "$size" = 60x16 ] || check "$at what broke" screen_wait "${word[$language.broken]}"
        screen_keys l
        check "$at listing" screen_wait 'long stock = sql_select_stock(me, voucher);'
        screen_keys q
        screen_wait_end
    done
done

# ---- back and forth ------------------------------------------------------------------------------
screen_state=step
screen_start 80x24 --lang en --lesson oversell
screen_wait 'MariaDB ready' || exit 1
screen_keys s
screen_wait ' 0 moves' >/dev/null
# The view between the first line and the state, to be compared. Order ids are times: never equal.
body() { screen_text | head -n 21 | sed 's/[0-9]\{18\}/ID/'; }
for move in a b b a; do screen_keys $move; done
check 'four moves' screen_wait ' 4 moves, 2 switches'
check 'what changed is marked' screen_wait 'stock -1 was 0'
body >"$screen_work/four"
screen_keys b
check 'a fifth' screen_wait ' 5 moves'
check 'its key is marked' screen_wait 'icr:order:[0-9:]* *1 *was -'
screen_keys u
check 'undo' screen_wait ' 4 moves, 2 switches, 1 undone'
same() { diff "$screen_work/four" <(body) | sed 's/^/# /'; [ "${PIPESTATUS[0]}" -eq 0 ]; }
screen_same() {
    local end=$((SECONDS + screen_patience))
    until diff -q "$screen_work/four" <(body) >/dev/null; do
        [ $SECONDS -lt $end ] || { same; return 1; }
        read -r -t 0.03 <> <(:)
    done
    return 0
}
# The hand went from B to A with the undo, as it was after the fourth move.
check 'undo equals a run from the start' screen_same
screen_keys U
check 'redo' screen_wait ' 5 moves'
screen_keys U
check 'nothing more to redo' screen_wait 'nothing that was undone'
screen_keys R
check 'restart' screen_wait ' 0 moves, 0 switches, 5 undone'
screen_keys u
check 'nothing to undo' screen_wait 'nothing to undo'
for move in U U U U; do screen_keys $move; done
screen_wait ' 4 moves' >/dev/null
check 'all made again: the same screen' screen_same
screen_keys m
check 'a random move' screen_wait ' 5 moves'
screen_keys R
screen_wait ' 0 moves' >/dev/null
screen_keys A
check 'one runs on to its end' screen_wait ' 4 moves, 0 switches'
check 'and is told' screen_wait '= ordered'
screen_keys a
check 'an impossible move says why' screen_wait 'A cannot move: its request is answered'
check 'and changes nothing' screen_wait 'stock=1 : A A A A$'
screen_keys Right Enter
check 'Enter moves the chosen one' screen_wait '= sold out'
check 'nothing broke' screen_wait 'Everybody is done, and nothing broke'

# ---- the hint, then the solution -------------------------------------------------------------------
screen_keys g
check 'the hint comes first' screen_wait 'Hint: Which line believes'
check 'and says so' screen_wait 'g once more shows'
screen_keys g
check 'show me plays' screen_wait 'showing: move [0-9] of 8'
check 'to the goal' screen_wait '✓ reached: 1 switch, par 1'
screen_wait ' 8 moves' >/dev/null
screen_keys u
check 'and back from there' screen_wait ' 7 moves.* 1 undone'
screen_keys h
check 'the hint is put away' screen_wait_gone 'Hint:'
screen_keys g
screen_wait 'showing: move [1-7] of 8' >/dev/null
screen_keys h
screen_keys g
screen_wait 'showing: move [1-7] of 8' >/dev/null
screen_keys x
check 'a play can be stopped' screen_wait_gone 'showing'
screen_command 'line'
check 'the whole line' screen_wait '^ oversell/check-then-update@[0-9a-f]* users=2 stock=1 : A'
screen_keys Escape

# ---- pasted lines ------------------------------------------------------------------------------------
hash=$(screen_text | sed -n 's/.*check-then-update@\([0-9a-f]*\).*/\1/p' | head -n 1)
replay() {
    screen_type ":replay $1"
    screen_keys Enter
}
replay "oversell/check-then-update@$hash users=2 stock=1 : A B A B"
check 'a line is replayed' screen_wait ' 4 moves, 3 switches'
replay "oversell/check-then-update@00000001 users=2 stock=1 : A A A"
check 'a stale line is refused' screen_wait 'made for another version'
check 'with both hashes' screen_wait "the code's is $hash"
screen_keys Escape
check 'and nothing was run' screen_wait ' 4 moves, 3 switches'
replay "oversell/check-then-update@$hash users=2 stock=1 : A B C"
check 'an unknown actor' screen_wait 'there is no actor C'
replay "oversell/check-then-update@$hash users=2 stock=1 : A A A A A"
check 'an impossible move' screen_wait 'Move 5: A cannot move'
check 'the line is not walked by half' screen_wait ' 0 moves'
replay "oversell/check-then-update@$hash users=3 stock=2 : C B A"
check 'a world of its own' screen_wait '3 users  stock 2'
check 'with its moves' screen_wait ' 3 moves'
screen_keys c
check 'three actors' screen_wait ' 4 moves'
screen_command 'move A B'
check 'moves can be typed' screen_wait 'C B A C A B$'
screen_command 'users 2'
check 'a world of another size' screen_wait '2 users  stock 1'
screen_command 'users 40'
check 'not of any size' screen_wait 'At most 26 can take turns'
screen_command 'step A B'
check 'step with moves' screen_wait ' 2 moves, 1 switch'
screen_command 'sql UPDATE tb_seckill_voucher SET stock = 5'
screen_wait '^── sql UPDATE' >/dev/null
screen_keys Escape
check 'what the learner changes is seen' screen_wait 'stock 5 was 1'

# ---- waiting is asked from the server ----------------------------------------------------------------
screen_command 'lesson one-order-per-user/check-in-transaction'
check 'another variant in step mode' screen_wait '04 One order.*step by step'
screen_wait ' 0 moves' >/dev/null
screen_command 'move A A A A A B B B'
check 'a move that waits' screen_wait '8 *decr.* WAITS'
check 'for whom and for what' screen_wait 'B  waits for A: a row of tb_seckill'
screen_keys b
check 'who waits cannot move' screen_wait 'B cannot move: it waits for a row lock'
screen_keys a
check 'the late reply' screen_wait '(since 8) 1 row'
screen_keys u
check 'undo into the wait' screen_wait 'B  waits for A'
# Three that want one place: the one who has it rolls back, and of the other two one ends in a deadlock.
screen_command 'lesson one-order-per-user/insert-first'
screen_wait ' 0 moves' >/dev/null
screen_command 'move A A A B B B C C C A A'
check 'a deadlock is seen' screen_wait '│ .*(since [0-9]*) 1213'
screen_command 'lesson one-order-per-user/check-in-transaction'
screen_wait ' 0 moves' >/dev/null
screen_command 'move A A A A A B B B A'
screen_wait ' 9 moves' >/dev/null
screen_keys u
screen_wait ' 8 moves' >/dev/null
screen_keys Escape
check 'Escape goes up' screen_wait '^ r race'
screen_keys s
check 'and back to the world as it was' screen_wait ' 8 moves.* 1 undone'

# ---- two leases: one sees which the clock ends, and chooses ------------------------------------------
screen_keys q
screen_wait_end
screen_start 60x20 --lang en --lesson mis-delete
screen_wait 'MariaDB ready' >/dev/null
screen_keys s
screen_wait ' 0 moves' >/dev/null
screen_command 'users 2'
screen_wait '2 users x 2' >/dev/null
screen_command 'move A C'
check 'which lease the clock ends' screen_wait 'k  ends lock:order:1 (1 of 2'
check 'the first line is not run over' screen_wait '^ 08 .*…  *2 users x 2'
screen_keys y
check 'another is chosen' screen_wait 'k  ends lock:order:2 (2 of 2'
screen_keys i
check 'the locks, where they have no room of their own' screen_wait '^ LOCKS'
screen_keys k
check 'the chosen one has ended' screen_wait ': A C clk:lock:order:2'
screen_keys i
screen_keys q
screen_wait_end
screen_start 80x24 --lang en --lesson oversell
screen_wait 'MariaDB ready' >/dev/null

# ---- a race that broke something ----------------------------------------------------------------------
screen_keys Escape
screen_command 'lesson oversell'
screen_command 'pace 0'
screen_keys r
screen_wait 'no-oversell is BROKEN' >/dev/null
screen_keys o
check 'the story becomes a line' screen_wait 'oversell/check-then-update@'
check 'which can be stepped through' screen_wait 's steps through it'
screen_keys s
check 'and is stepped through' screen_wait ' 8 moves, 1 switch'
check 'to the same end' screen_wait 'no-oversell is BROKEN: 2 orders for 1 in stock'
screen_keys q
check 'it ends' screen_wait_end
check 'with status 0' [ "${screen_status:-}" = 0 ]

# ---- the mouse -------------------------------------------------------------------------------------------
click() { screen_tmux send-keys -t t -l $'\033'"[<0;$1;$2M"$'\033'"[<0;$1;$2m"; }
export SCREEN_TERM=xterm-256color
screen_start 80x24 --lang en --lesson oversell
screen_wait 'MariaDB ready'
screen_keys s
screen_wait ' 0 moves' >/dev/null
row=$(screen_text | grep -n '^ . B  SELECT' | cut -d: -f1)
click 8 "$row"
check 'a click moves an actor' screen_wait ' 1 move,'
check 'the right one' screen_wait 'stock=1 : B$'
screen_keys q
screen_wait_end
check_done
