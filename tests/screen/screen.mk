# screen.mk -- bash scripts that print TAP. They find the program in $LAB, the source tree in
# $LAB_SOURCE. server_scripts may start servers and tmux; check_scripts need neither.
check_scripts +=
server_scripts += tests/screen/views.sh
server_scripts += tests/screen/live.sh
server_scripts += tests/screen/step.sh
server_scripts += tests/screen/exercise.sh
server_scripts += tests/screen/explore.sh
server_scripts += tests/screen/compare.sh
server_scripts += tests/screen/faults.sh
server_scripts += tests/screen/ends.sh
server_scripts += tests/screen/locks.sh
server_scripts += tests/screen/own.sh
server_scripts += tests/screen/plain.sh
server_scripts += tests/screen/queue.sh
EXTRA_DIST += tests/screen/screen_lib.sh
