#!/usr/bin/env bash
# catalogue.sh -- the Chinese catalogue holds every string of the sources, translated.
set -u
po=$LAB_SOURCE/po/zh_CN.po
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

if ! command -v xgettext msgcmp msgattrib >/dev/null; then
    echo "1..0 # SKIP the gettext tools are not installed"
    exit 0
fi
echo 1..6

number=0
# check NAME COMMAND...: one case; what the command says is shown when it fails.
check() {
    local name=$1 out
    shift
    number=$((number + 1))
    if out=$("$@" 2>&1); then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        printf '%s\n' "$out" | sed 's/^/# /' | head -n 40
    fi
}

complete() {
    "$LAB_SOURCE/tools/extract-strings" "$LAB_SOURCE" "$work/now.pot" && msgcmp "$po" "$work/now.pot"
}

# none ATTRIBUTE: no entry of this kind.
none() {
    msgattrib "$1" "$po" >"$work/found" && ! grep '^\(#~ \)\?msgid "..*"' "$work/found"
}

# Verbs and units behind a number, and numbers that are never 1: limits of the program, and what is only
# said above 1.
others='(s|ms|is|does|has)[ ".,:;]|at (the )?most|armed already|limit|the first %d rows|there is room for'
others="$others|in all\"|threads are more|with %d requests each|  %d nodes|INCR/s by|crowd|lessons, %d|colours"

# What is counted has a plural of its own, so that nobody reads "1 orders".
agree() {
    msgcat --no-wrap "$po" | awk '/^msgid "/ { id = $0; getline; if ($0 !~ /^msgid_plural/) print id }' |
        grep -E '%[0-9.]*(l|ll)?d [a-z]*s\b' | grep -Ev "$others" >"$work/found"
    ! cat "$work/found" | grep .
}

check "the catalogue is well formed" msgfmt --check -o /dev/null "$po"
check "every string of the sources is translated" complete
check "no translation is a guess" none --only-fuzzy
check "a count and its noun agree" agree
# In Chinese marks are full-width, but in front of a command (:sql) and inside code.
marks() {
    msgcat --no-wrap "$po" | grep '^msgstr' | grep -P '\p{Han} ?[,;!?]|\p{Han}:( |$|%)|[,;!?]\p{Han}|\p{Han}\(|\)\p{Han}' |
        grep -v '“键: 值”\|!n1\|按 ?' >"$work/found"
    ! grep . "$work/found"
}

check "Chinese has its own marks" marks
check "no translation is left over (make update-po)" none --only-obsolete
