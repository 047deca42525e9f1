#!/usr/bin/env bash
# picture.sh -- the pictures of the README, taken from the real console in a real race.
# Usage: LAB=.../seckill-lab tools/picture.sh PANE_SVG DIRECTORY      or: make picture
#
# Lesson oversell is opened and raced at half a second a step, and everybody is stopped as soon as
# more orders are written than there were vouchers. Then another console races at full speed to the end, in Chinese.
# Written are console.svg, console-zh.svg, and console.txt, the first as plain text.
pane_svg=$1
directory=$2
[ -n "$pane_svg" ] && [ -d "$directory" ] || { sed -n 's/^# Usage: //p' "$0" >&2; exit 2; }
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../tests/screen/screen_lib.sh"

fail() {
    echo "picture.sh: $1" >&2
    exit 1
}

# picture NAME TITLE
picture() {
    screen_tmux capture-pane -e -p -t t >"$screen_work/pane"
    "$pane_svg" "$2" <"$screen_work/pane" >"$screen_work/svg" || fail "no picture was made"
    cp "$screen_work/svg" "$directory/$1.svg"
}

screen_state=picture
screen_start 120x30 --lang en --theme dark --lesson oversell/check-then-update
screen_wait 'MariaDB ready' || fail 'the servers did not start'
screen_command 'pace 500'
screen_wait '500 ms a step' || fail 'the pace was not taken'
screen_keys r
screen_wait 'sold too many  *[1-9]' || fail 'nothing was oversold'
screen_keys Space
screen_wait '^ paused' || fail 'the race was not to be stopped'
picture console 'seckill-lab: 200 users race for 100 vouchers, and more are sold than there are'
screen_text | sed 's/ *$//' >"$directory/console.txt"

screen_start 120x30 --lang zh --theme dark --lesson oversell/check-then-update
screen_wait 'MariaDB 就绪' || fail 'the servers did not start'
screen_keys r
screen_wait '^ no-oversell 被打破' || fail 'the race did not end'
picture console-zh 'seckill-lab: 抢购结束, 首次违规的经过'
screen_keys q
screen_wait_end
