# claims.mk -- bash scripts that print TAP. They find the program in $LAB, the source tree in
# $LAB_SOURCE. server_scripts may start servers and tmux; check_scripts need neither.
check_scripts +=
server_scripts +=
server_scripts += tests/claims/races.sh
server_scripts += tests/claims/verbs.sh

# cmocka-free programs that print TAP themselves: their cases come from the lessons.
server_tests += tests/claims/test_claims
tests_claims_test_claims_SOURCES = tests/claims/test_claims.c tests/claims/lab.c tests/claims/lab.h
