# unit.mk -- cmocka programs; tests/unit/test_NAME is built from tests/unit/test_NAME.c alone and
# linked with everything but main.c.
# unit_tests need no server and finish within seconds; server_tests may start a sandbox.
unit_tests += tests/unit/test_course
unit_tests += tests/unit/test_course_markdown
unit_tests += tests/unit/test_course_progress
unit_tests += tests/unit/test_course_refusals
unit_tests += tests/unit/test_course_schedule
unit_tests += tests/unit/test_engine_classes
unit_tests += tests/unit/test_engine_component
unit_tests += tests/unit/test_engine_explore
unit_tests += tests/unit/test_engine_explore_random
unit_tests += tests/unit/test_engine_fault
unit_tests += tests/unit/test_engine_gate
unit_tests += tests/unit/test_engine_locks
unit_tests += tests/unit/test_engine_pool
unit_tests += tests/unit/test_engine_queue
unit_tests += tests/unit/test_engine_referee
unit_tests += tests/unit/test_engine_refusal
unit_tests += tests/unit/test_engine_schedule
unit_tests += tests/unit/test_engine_servers
unit_tests += tests/unit/test_engine_story
unit_tests += tests/unit/test_engine_trace
unit_tests += tests/unit/test_exercise
unit_tests += tests/unit/test_i18n
unit_tests += tests/unit/test_paths
unit_tests += tests/unit/test_report_json
unit_tests += tests/unit/test_shop_sources
unit_tests += tests/unit/test_store_address
unit_tests += tests/unit/test_text
unit_tests += tests/unit/test_tui
server_tests += tests/unit/test_fleet
server_tests += tests/unit/test_lock
server_tests += tests/unit/test_lock_waiting
server_tests += tests/unit/test_store
server_tests += tests/unit/test_stream_view
server_tests += tests/unit/test_store_own
check_scripts += tests/unit/catalogue.sh
check_scripts += tests/unit/usage.sh

# Made-up programs on plain memory, shared by the tests of the explorer.
toy_sources = tests/unit/toy.c tests/unit/toy.h tests/unit/toy_run.c \
	tests/unit/toy_explore.c tests/unit/toy_explore.h
tests_unit_test_engine_explore_SOURCES = tests/unit/test_engine_explore.c $(toy_sources)
tests_unit_test_engine_explore_random_SOURCES = tests/unit/test_engine_explore_random.c $(toy_sources)

# Redisson's rules on a real Redis.
locks_fixture = tests/unit/locks_fixture.c tests/unit/locks_fixture.h
tests_unit_test_lock_SOURCES = tests/unit/test_lock.c $(locks_fixture)
tests_unit_test_lock_waiting_SOURCES = tests/unit/test_lock_waiting.c $(locks_fixture)
