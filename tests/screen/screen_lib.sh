# screen_lib.sh -- the console in a terminal of its own (tmux), with keys pressed and the screen
# read. Nothing waits for a time: everything waits for something to be seen.
#
# Needs $LAB. Every test that sources this has a tmux server and a state directory of its own.
set -u
screen_work=$(mktemp -d) || exit 1
screen_server=lab-screen-$$
screen_patience=${SCREEN_PATIENCE:-20} # seconds until something that must be seen is missed
screen_number=0
screen_failed=0

if ! command -v tmux >/dev/null; then
    echo "1..0 # SKIP tmux is not installed"
    exit 0
fi

screen_tmux() { tmux -L "$screen_server" -f /dev/null "$@"; }

screen_end() {
    screen_tmux kill-server 2>/dev/null
    rm -rf "$screen_work"
}
trap screen_end EXIT

# screen_start COLUMNSxROWS [ARGS...]: the console behind a shell, which says how it ended.
# $screen_state (a directory name) may be set to go on with the progress of another console.
screen_start() {
    local size=$1
    shift
    screen_tmux kill-server 2>/dev/null
    mkdir -p "$screen_work/${screen_state:=state}"
    rm -f "$screen_work/status" "$screen_work/before" "$screen_work/after"
    cat >"$screen_work/start" <<END
export XDG_STATE_HOME='$screen_work/$screen_state' TERM=\${SCREEN_TERM:-tmux-256color}
unset NO_COLOR COLORFGBG TMUX
stty -a >'$screen_work/before'
'$LAB' $* &
echo \$! >'$screen_work/pid'
fg %1 >/dev/null
echo \$? >'$screen_work/status.new'
stty -a >'$screen_work/after'
mv '$screen_work/status.new' '$screen_work/status'
echo LEFT
exec cat
END
    # The server that was just told to end may still answer, and refuse.
    local end=$((SECONDS + screen_patience))
    until screen_tmux new-session -d -s t -x "${size%x*}" -y "${size#*x}" \
        "bash --norc --noprofile -m '$screen_work/start'" 2>/dev/null; do
        [ $SECONDS -lt $end ] || return 1
        read -r -t 0.03 <> <(:)
    done
}

screen_pid() { cat "$screen_work/pid"; }
screen_keys() { screen_tmux send-keys -t t "$@"; }
screen_type() { screen_tmux send-keys -t t -l "$1"; }
screen_command() {
    screen_type ":$1"
    screen_wait ":$1"
    screen_keys Enter
}
screen_resize() { screen_tmux resize-window -t t -x "${1%x*}" -y "${1#*x}"; }
screen_text() { screen_tmux capture-pane -p -t t; }

# Waits until a line of the screen matches; screen_wait_gone: until none does.
screen_wait() {
    local end=$((SECONDS + screen_patience))
    while [ $SECONDS -lt $end ]; do
        screen_text | grep -q -e "$1" && return 0
        read -r -t 0.03 <> <(:)
    done
    echo "# not seen: $1"
    screen_text | sed 's/^/# | /'
    return 1
}
screen_wait_gone() {
    local end=$((SECONDS + screen_patience))
    while [ $SECONDS -lt $end ]; do
        screen_text | grep -q -e "$1" || return 0
        read -r -t 0.03 <> <(:)
    done
    echo "# still seen: $1"
    screen_text | sed 's/^/# | /'
    return 1
}
# Waits until the console has ended; its status is then in $screen_status.
screen_wait_end() {
    local end=$((SECONDS + screen_patience))
    until [ -e "$screen_work/status" ]; do
        [ $SECONDS -lt $end ] || { echo "# the console did not end"; return 1; }
        read -r -t 0.03 <> <(:)
    done
    screen_status=$(cat "$screen_work/status")
}
# Columns of a text on the screen.
screen_columns() { printf '%s' "$1" | wc -L; }

# Every line within the size; every vertical rule in the column of the one above it.
screen_aligned() {
    local size=$1 line at rules="" good=0
    while IFS= read -r line; do
        if [ "$(screen_columns "$line")" -gt "${size%x*}" ]; then
            echo "# too wide: $line"
            good=1
        fi
        case $line in *│*) ;; *) continue ;; esac
        at=$(screen_columns "${line%%│*}")
        [ -n "$rules" ] || rules=$at
        if [ "$at" -ne "$rules" ]; then
            echo "# rule in column $at, not $rules: $line"
            good=1
        fi
    done < <(screen_text)
    return $good
}

# check NAME COMMAND...: one case.
check() {
    local name=$1
    shift
    screen_number=$((screen_number + 1))
    if "$@"; then
        echo "ok $screen_number - $name"
    else
        echo "not ok $screen_number - $name"
        screen_failed=1
    fi
}
check_done() {
    echo "1..$screen_number"
    exit $screen_failed
}
