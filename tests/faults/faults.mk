# faults.mk -- bash scripts that print TAP. They find the program in $LAB, the source tree in
# $LAB_SOURCE. server_scripts may start servers and tmux; check_scripts need neither.
check_scripts +=
server_scripts +=
server_tests += tests/faults/test_sandbox
