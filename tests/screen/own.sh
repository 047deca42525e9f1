#!/usr/bin/env bash
# own.sh -- a console on servers of the learner's own, one of which goes away and comes back: what is said, and
# that R connects again. Another program's private servers play the learner's.
. "$(dirname "$0")/screen_lib.sh"

mkdir -p "$screen_work/tmp" "$screen_work/other"
mkfifo "$screen_work/words"
TMPDIR=$screen_work/tmp XDG_STATE_HOME=$screen_work/other "$LAB" --plain --lang en <"$screen_work/words" \
    >"$screen_work/said" 2>&1 &
other=$!
exec 9>"$screen_work/words"
printf '%s\n' 'sql DROP DATABASE seckill_lab' 'redis PING' >&9 # as a server that never saw the lab
until grep -q PONG "$screen_work/said"; do kill -0 $other || exit 1; read -r -t 0.05 <> <(:); done
redis=$(find "$screen_work/tmp" -type s -name 'redis*')
sql=$(find "$screen_work/tmp" -type s -name 'm*.sock')

pid=$(pgrep -f "mariadbd.*$screen_work/tmp" | head -n 1)
mapfile -d '' arguments <"/proc/$pid/cmdline"
program=$(readlink "/proc/$pid/exe")

screen_start 80x24 --lang en --lesson oversell --redis "unix://$redis?db=2" --mysql "mysql+unix://$sql?user=root"
screen_wait '^ r race' >/dev/null
screen_command 'pace 0'
screen_keys r
check 'it races on servers of ones own' screen_wait 'no-oversell is BROKEN'

kill -9 "$pid"
check 'the database is gone: said without being asked' screen_wait 'Your own database is gone: start it'
screen_keys Escape
check 'the way out is on the last line' screen_wait '^ R connect again'
screen_keys r
check 'a race says so, too' screen_wait 'Your own .* is gone: start it, then R connects again'
screen_keys R
check 'R without the server: what to check' screen_wait 'Check that'

"$program" "${arguments[@]:1}" >/dev/null 2>&1 &
again=$!
until [ -S "$sql" ] && ps -p $again >/dev/null && "$LAB" doctor --lang en --redis "unix://$redis?db=3" \
    --mysql "mysql+unix://$sql?user=root" >/dev/null 2>&1; do kill -0 $again || break; done
screen_keys Escape R
check 'R connects again' screen_wait_gone 'connect again'
screen_keys r
check 'and it races' screen_wait 'no-oversell is BROKEN'
screen_keys q
screen_wait_end
kill "$again"
echo quit >&9
wait $other
check_done
