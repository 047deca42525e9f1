# faults.mk -- bash scripts that print TAP. They find the program in $LAB, the source tree in
# $LAB_SOURCE. server_scripts may start servers and tmux; check_scripts need neither.
check_scripts +=
server_scripts += tests/faults/midrace.sh
server_scripts += tests/faults/flags.sh
server_tests += tests/faults/test_sandbox

# Programs that print TAP themselves; a console without a screen is shared by them.
faults_console = tests/faults/console.c tests/faults/console.h tests/claims/lab.c tests/claims/lab.h
server_tests += tests/faults/test_live
tests_faults_test_live_SOURCES = tests/faults/test_live.c $(faults_console)
server_tests += tests/faults/test_random
tests_faults_test_random_SOURCES = tests/faults/test_random.c $(faults_console)
server_tests += tests/faults/test_servers
tests_faults_test_servers_SOURCES = tests/faults/test_servers.c $(faults_console)
server_tests += tests/faults/test_locks_race
tests_faults_test_locks_race_SOURCES = tests/faults/test_locks_race.c tests/claims/lab.c tests/claims/lab.h
tests_faults_test_locks_race_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/claims
