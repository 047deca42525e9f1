# part.sh -- explores the lessons from number $1 to $2: a share of the claims, so that shares can run side by side.
exec "${LAB%/*}/tests/claims/test_claims" --lessons "$1" "$2"
