#!/usr/bin/env bash
# lock_component.sh -- lesson 12 on real servers: the name from its template, what each strategy does with a lock
# that is taken, the option that is refused, and who may be inside together. Claims are proved elsewhere.
. "$LAB_SOURCE/tests/claims/tap.sh"

# steps VARIANT MOVES OPTIONS...: one line a move, "ACTOR STEP: RESULT ANSWER", in $work/moves.
steps() {
    "$LAB" step "lock-component/$1" --schedule "$2" "${@:3}" --lang en --json </dev/null >"$work/out" 2>"$work/err"
    [ $? -le 1 ] && [ ! -s "$work/err" ] && awk -F'"' '
        /^      "actor"/ { actor = $4 }
        /^      "step"/ { step = $4 }
        /^      "label"/ { label = $4 }
        /^      "result"/ { result = $4 }
        /^      "answer"/ { print actor, step ": " result, (/null/ ? "-" : $4), label }
    ' "$work/out" >"$work/moves"
}

# told LINE...: each is the beginning of one of the moves.
told() {
    local line
    for line; do
        grep -q -F -e "$line" "$work/moves" || { echo "# no move '$line'"; sed 's/^/#   /' "$work/moves"; return 1; }
    done
}

steps skip-fast "A B" && told "A rlock-take: got it - lock_take.lua lock:coupon:1" "B rlock-take: taken busy"
result "skip-fast: one attempt, and no error" $?

steps fail-fast "A B B" && told "B rlock-take: taken -" "B throw: too many requests error throw too many requests"
result "fail-fast: one attempt, and an exception that says why" $?

steps skip-after-timeout "A B B B B B" &&
    told "B rlock-take: taken -" "B subscribe: ok -" "B await: no message -" "B unsubscribe: ok busy"
result "skip-after-timeout: listens, waits, and leaves without an error" $?

steps fail-after-timeout "A B B B B B B" && told "B await: no message -" "B throw: the wait is over error"
result "fail-after-timeout: the same, with an exception" $?

steps skip-after-timeout "A B B B A A A A A B B" && told "B await: a message -" "B rlock-take: got it -"
result "a lock that comes free in time is had" $?

steps keep-trying "A B B B A A A A A B B" && told "A rlock-give: free now ordered" "B await: a message -" "B rlock-take: got it -"
result "keep-trying: woken by a message" $?

"$LAB" step lock-component/keep-trying --schedule "A B B B B" --lang en --json </dev/null >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q '^seckill-lab: Move 5: B cannot move' "$work/err"
result "keep-trying: no wait ends by itself" $?

steps per-user "A B" && told "B rlock-take: taken busy lock_take.lua lock:coupon:1"
result "the name has the user in it" $?

steps per-user "A C" --users 2 && told "A rlock-take: got it - lock_take.lua lock:coupon:1" \
    "C rlock-take: got it - lock_take.lua lock:coupon:2"
result "two users do not keep each other out" $?

steps no-lease "A B" && told "A throw: auto_unlock off needs a lease_ms error" "B throw: auto_unlock off needs a lease_ms error" &&
    ! grep -q 'take\|give' "$work/moves"
result "auto-unlock off without a lease is refused before anything is locked" $?

steps until-lease-ends "A A A A A B" && told "A insert-order: ok ordered" "B rlock-take: taken busy" && ! grep -q 'give' "$work/moves"
result "auto-unlock off with a lease: taken until that is over" $?

steps read-write "A B A B" && told "A read-take: got it" "B read-take: got it" "A select-stock: 2" "B select-stock: 2"
result "readers are inside together" $?

steps read-write "A A B A A" && told "B read-take: got it" "A read-give: held on" "A write-take: taken"
result "and keep a writer out" $?

steps upgrade "A A A A A w1" && told "A read-take: got it" "A write-take: taken" "w1 renew: renewed" &&
    grep -q '"detail": "1 waits for ever"' "$work/out"
result "from reading to writing: waits for itself, and is renewed" $?

steps fair "A A A A A B B B A C" && told "A fair-give: free now ordered" "C fair-take: taken -"
result "fair: who comes later is put behind, though the lock is free" $?

steps reentrant "A A A A A B B B A C" && told "A rlock-give: free now ordered" "C rlock-take: got it -"
result "reentrant: who comes later may have it" $?

echo "1..$number"
