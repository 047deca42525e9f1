#!/usr/bin/env bash
# ends.sh -- every way out gives the terminal back, and leaves nothing running.
. "$(dirname "$0")/screen_lib.sh"

children() { ps -o pid= --ppid "$1" 2>/dev/null; }
ended() {
    local end=$((SECONDS + screen_patience)) pid
    for pid in $1; do
        while kill -0 "$pid" 2>/dev/null; do
            [ $SECONDS -lt $end ] || { echo "# still running: $(ps -o args= -p "$pid")"; return 1; }
            read -r -t 0.05 <> <(:)
        done
    done
}
restored() { diff "$screen_work/before" "$screen_work/after" | sed 's/^/# /'; [ "${PIPESTATUS[0]}" -eq 0 ]; }
# Off the alternate screen, cursor on, mouse off.
given_back() {
    screen_wait LEFT || return 1
    [ "$(screen_tmux display-message -p -t t '#{alternate_on}#{cursor_flag}#{mouse_any_flag}')" = 010 ]
}
family() { local pid; for pid in $(children "$1"); do echo "$pid"; children "$pid"; done; }

# way NAME STATUS COMMAND...: starts, leaves that way, looks.
way() {
    local name=$1 status=$2 all
    shift 2
    screen_state=ends
    screen_start 80x24 --lang en --lesson oversell
    screen_wait 'MariaDB ready' || return
    all=$(family "$(screen_pid)")
    "$@"
    check "$name: ends" screen_wait_end
    check "$name: status $status" [ "${screen_status:-}" = "$status" ]
    check "$name: terminal modes as before" restored
    check "$name: screen given back" given_back
    check "$name: nothing left running" ended "$all"
}
signal() { kill -"$1" "$(screen_pid)"; }
racing_then() {
    screen_command 'pace 300'
    screen_keys r
    screen_wait '^ racing' >/dev/null
    "$@"
}

stepping_then() {
    screen_keys s
    screen_wait ' 0 moves' >/dev/null
    screen_keys a
    screen_wait ' 1 move' >/dev/null
    "$@"
}
exploring_then() {
    screen_keys e
    screen_command 'users 4'
    screen_wait 'Complete' >/dev/null
    screen_command 'explore all'
    screen_wait 'exploring' >/dev/null
    "$@"
}

way 'q' 0 screen_keys q
way 'Ctrl-C' 0 screen_keys C-c
way 'SIGTERM' 143 signal TERM
way 'SIGHUP' 129 signal HUP
way 'SIGSEGV' 139 signal SEGV
way 'SIGABRT' 134 signal ABRT
way 'SIGTERM in a race' 143 racing_then signal TERM
way 'q in a race' 0 racing_then screen_keys q
way 'q in step mode' 0 stepping_then screen_keys q
way 'SIGTERM in step mode' 143 stepping_then signal TERM
way 'q while exploring' 0 exploring_then screen_keys q
way 'SIGSEGV while exploring' 139 exploring_then signal SEGV

# A terminal that goes away.
screen_start 80x24 --lang en
screen_wait 'MariaDB ready'
pid=$(screen_pid)
all="$pid $(family "$pid")"
screen_tmux kill-server
check 'lost terminal: all ends' ended "$all"

# Neither is a terminal.
out=$("$LAB" --lang en </dev/null 2>&1)
status=$?
check 'no terminal: status 3' [ "$status" = 3 ]
check 'no terminal: one line' [ "$(printf '%s\n' "$out" | wc -l)" = 1 ]
check 'no terminal: says what to do' grep -q -e '--plain' <<<"$out"

# A server killed under a running console.
screen_start 80x24 --lang en --lesson oversell
screen_wait 'MariaDB ready'
kill -9 "$(for p in $(family "$(screen_pid)"); do ps -o pid=,args= -p "$p"; done | awk '$2 ~ /mariadbd/ {print $1; exit}')"
check 'database killed: said' screen_wait 'MariaDB is down'
check 'database killed: with the way out' screen_wait 'R restart servers'
screen_keys R
check 'database back' screen_wait_gone 'is down'
screen_wait_gone 'starting' >/dev/null
screen_keys r
check 'and racing again' screen_wait 'no-oversell  *BROKEN'
screen_keys q
screen_wait_end

# Progress that cannot be written.
screen_state=unwritable
mkdir -p "$screen_work/unwritable"
touch "$screen_work/unwritable/seckill-lab"
screen_start 80x24 --lang en --lesson oversell
check 'progress not kept: said' screen_wait '^ Progress is not kept: point XDG_STATE_HOME .* write in\.'
screen_keys q
screen_wait_end
check_done
