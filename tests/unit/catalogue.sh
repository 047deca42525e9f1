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
echo 1..4

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

check "the catalogue is well formed" msgfmt --check -o /dev/null "$po"
check "every string of the sources is translated" complete
check "no translation is a guess" none --only-fuzzy
check "no translation is left over (make update-po)" none --only-obsolete
