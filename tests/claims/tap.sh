# tap.sh -- what the scripts of this directory share: a directory of their own, one TAP line a case, and running
# the program. To be sourced.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

# What was printed last, on both ways.
said() {
    cat "$work/out" "$work/err"
}

# result NAME STATUS [DETAIL]: one case; without a detail a failure shows what was printed last.
result() {
    number=$((number + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf '%s\n' "${3-$(said)}" | sed 's/^/# /' | head -n 60
    fi
}

# lab STATUS ARGS...: runs the program; output in $work/out and $work/err. STATUS may be "any".
lab() {
    local expected=$1 status
    shift
    "$LAB" "$@" </dev/null >"$work/out" 2>"$work/err"
    status=$?
    [ "$expected" = any ] || [ "$status" -eq "$expected" ] && return 0
    echo "# $* ended with status $status, not $expected"
    return 1
}

# out PATTERN...: every pattern is a line of the output.
out() {
    local pattern
    for pattern; do
        grep -q -e "$pattern" "$work/out" || { echo "# no line '$pattern'"; return 1; }
    done
}
