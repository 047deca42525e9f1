#!/usr/bin/env bash
# live.sh -- what the learner does with a running console: races, pace, pause, stop, variants, the
# ":" line, the display to a file, and progress that is there again the next time.
. "$(dirname "$0")/screen_lib.sh"

screen_start 80x24 --lang en --lesson oversell
screen_wait 'MariaDB ready' || exit 1

# A slow race: one sees it run.
screen_command 'pace 300'
check 'pace is said' screen_wait '300 ms a step'
screen_keys r
check 'racing' screen_wait '^ racing'
check 'the crowd stands at a line' screen_wait 'sql_.*(me,.* [0-9][0-9]*  *│'
screen_keys Space
check 'paused' screen_wait '^ paused'
screen_keys v
check 'no other variant while a race is on' screen_wait 'x stops it'
screen_resize 132x40
check 'a larger screen in the race' screen_wait 'What to watch'
screen_resize 20x5
screen_wait 'room' >/dev/null
screen_resize 80x24
screen_keys Space
check 'it breaks, live' screen_wait 'no-oversell  *BROKEN'
check 'and ends' screen_wait 'no-oversell is BROKEN'
check 'the story is told' screen_wait 'FIRST VIOLATION'

screen_keys r
screen_wait '^ racing' >/dev/null
screen_keys C-c
check 'Ctrl-C stops the race' screen_wait 'The race was stopped'

# Variants.
screen_command 'variant redis-get-set'
check 'another variant' screen_wait 'Oversell  redis-get-set'
check 'its stock is in Redis' screen_wait 'in Redis  *100'
screen_command 'pace 0'
screen_keys r
check 'its key is shown' screen_wait 'seckill:stock:1  *string'
check 'its race ends' screen_wait 'is BROKEN: '

# What was typed wrong changes nothing and says one line.
screen_command 'users 0'
check 'a number out of bounds' screen_wait ':users takes a whole number from 1 to 10000'
screen_command 'variant nonsense'
check 'a variant that is not there' screen_wait 'no variant "nonsense"'
screen_command 'nonsense'
check 'a command that is not there' screen_wait 'no command "nonsense"'
screen_command 'redis'
check 'an argument that is missing' screen_wait ':redis needs'

# Asking the stores.
screen_command 'users 7'
check 'seven users' screen_wait '7 users'
screen_command 'redis GET seckill:stock:1'
check 'Redis answers' screen_wait '^── redis GET'
check 'with the stock' screen_wait '^ "*100"*$'
screen_keys Escape
check 'the answer is put away' screen_wait_gone '^── redis GET'
screen_command 'sql SELECT stock FROM tb_seckill_voucher'
check 'the database answers' screen_wait '(1 row)'
screen_keys Escape

# One that takes its time is seen to run, and can be cancelled.
screen_command 'sql SELECT SLEEP(4) + 40'
check 'a slow query is seen to run' screen_wait '^ asking: sql SELECT SLEEP(4) .*x cancels'
screen_keys x
check 'and is cancelled' screen_wait '^── sql SELECT SLEEP'
check 'nothing waits any more' screen_wait_gone 'asking:'
screen_keys Escape

# The ":" line.
screen_type ':les'
screen_keys Tab
check 'a name is completed' screen_wait '^ :lesson $\|^ :lesson$'
screen_type 'opt'
screen_keys Tab
check 'a lesson is completed' screen_wait '^ :lesson optimistic-lock'
screen_keys Enter
check 'and opened' screen_wait '^ 03 Optimistic lock'
screen_keys :
screen_keys Up
check 'the history goes back' screen_wait '^ :lesson optimistic-lock'
screen_keys Escape
check 'Escape leaves the line' screen_wait '^ r race'
screen_type ':超卖中文'
screen_keys Left Left x
check 'wide characters can be edited' screen_wait '^ :超卖x中文'
screen_keys C-c
screen_wait '^ r race' >/dev/null

screen_command "save-display $screen_work/display"
check 'the display is saved' screen_wait 'The display is in'
screen_same() {
    [ -s "$screen_work/display" ] || return 1
    # All but the line that says so.
    diff <(head -n 22 "$screen_work/display") <(screen_text | head -n 22 | sed 's/ *$//') | sed 's/^/# /'
    [ "${PIPESTATUS[0]}" -eq 0 ]
}
check 'as it was on the screen' screen_same
screen_command 'save-display /nonexistent/file'
check 'a file that cannot be written' screen_wait 'Cannot write /nonexistent/file'

screen_keys L
check 'the language changes' screen_wait '03 乐观锁'
screen_keys L
screen_wait '03 Optimistic lock' >/dev/null

screen_command 'ascii on'
check 'signs of every terminal' screen_wait_gone '│'
screen_command 'theme mono'
check 'no colours' screen_wait '03 Optimistic lock'
no_colours() { ! screen_tmux capture-pane -e -p -t t | grep -q $'\033\[[0-9;]*3[0-8]'; }
check 'none at all' no_colours

# Idle: no frames, hardly any time.
screen_ticks() { awk '{print $14 + $15}' "/proc/$(screen_pid)/stat"; }
screen_idle() {
    local begin end
    begin=$(screen_ticks)
    sleep 3 # the measured time itself
    end=$(screen_ticks)
    [ $((end - begin)) -le 3 ] || { echo "# $((end - begin)) ticks in 3 s"; return 1; }
}
screen_wait_gone 'Cannot write' >/dev/null
check 'an idle console uses at most 1 % of a processor' screen_idle

screen_keys q
check 'it ends' screen_wait_end
check 'with status 0' [ "${screen_status:-}" = 0 ]

# The next time.
screen_start 80x24 --lang en
check 'opens where it was left' screen_wait '^ 03 Optimistic lock'
screen_keys c
check 'remembers what was raced' screen_wait 'Oversell  *✓  *2/6'
screen_keys q
screen_wait_end

# The mouse, as xterm and its likes report it.
click() { screen_tmux send-keys -t t -l $'\033'"[<0;$1;$2M"$'\033'"[<0;$1;$2m"; }
export SCREEN_TERM=xterm-256color
screen_start 80x24 --lang en --lesson 03
screen_wait '^ 03 Optimistic lock'
screen_wait 'MariaDB ready'
click 30 3
check 'a click on a tab' screen_wait '^ *─────────────$'
click 3 24
check 'a click on the last line' screen_wait 'no-undersell is BROKEN'
screen_keys c
screen_wait '▸ 03'
click 10 6
check 'a click on a lesson' screen_wait '▸ 02  Oversell'
click 10 6
check 'a second one opens it' screen_wait '^ 02 Oversell'
screen_keys q
screen_wait_end
check_done
