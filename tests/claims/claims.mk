# claims.mk -- bash scripts that print TAP. They find the program in $LAB, the source tree in
# $LAB_SOURCE. server_scripts may start servers and tmux; check_scripts need neither.
check_scripts +=
server_scripts +=
server_scripts += tests/claims/exercise.sh
server_scripts += tests/claims/claims_00_06.sh
server_scripts += tests/claims/claims_07.sh
server_scripts += tests/claims/claims_08_09.sh
server_scripts += tests/claims/claims_10.sh
server_scripts += tests/claims/claims_11_12.sh
server_scripts += tests/claims/claims_13_on.sh
server_scripts += tests/claims/million.sh
server_scripts += tests/claims/lock_component.sh
server_scripts += tests/claims/races_00_10.sh
server_scripts += tests/claims/races_11_on.sh
EXTRA_DIST += tests/claims/races.sh
server_scripts += tests/claims/redis_sale.sh
server_scripts += tests/claims/stream.sh
EXTRA_DIST += tests/claims/part.sh tests/claims/tap.sh
server_scripts += tests/claims/small_worlds.sh
server_scripts += tests/claims/verbs.sh

# Programs that print TAP themselves, since their cases come from the lessons or take long.
# Its cases are run by the shares below.
server_helpers += tests/claims/test_claims
tests_claims_test_claims_SOURCES = tests/claims/test_claims.c tests/claims/lab.c tests/claims/lab.h
server_tests += tests/claims/test_exercises
tests_claims_test_exercises_SOURCES = tests/claims/test_exercises.c tests/claims/lab.c tests/claims/lab.h
server_tests += tests/claims/test_compare
server_tests += tests/claims/test_lock_table
server_tests += tests/claims/test_steps
tests_claims_test_steps_SOURCES = tests/claims/test_steps.c tests/claims/lab.c tests/claims/lab.h
