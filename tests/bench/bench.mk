# bench.mk -- figures, not tests: `make bench` builds and runs them, `seckill-lab bench` first.
bench_programs = tests/bench/bench_explore tests/bench/bench_failover tests/bench/bench_faults tests/bench/bench_locks tests/bench/bench_start
bench_scripts = tests/bench/bench_explore.sh tests/bench/bench_paths.sh tests/bench/bench_screen.sh
EXTRA_PROGRAMS += $(bench_programs)
EXTRA_DIST += $(bench_scripts)
CLEANFILES += $(bench_programs)
tests_bench_bench_start_LDADD = $(LDADD) -lutil

tests_bench_bench_faults_SOURCES = tests/bench/bench_faults.c $(faults_console)
tests_bench_bench_faults_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/faults

tests_bench_bench_locks_SOURCES = tests/bench/bench_locks.c tests/claims/lab.c tests/claims/lab.h
tests_bench_bench_locks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/claims

bench: seckill-lab $(bench_programs)
	./seckill-lab bench --lang en
	bash $(top_srcdir)/tests/bench/bench_screen.sh tests/bench/bench_start "$(abs_top_builddir)/seckill-lab"
	bash $(top_srcdir)/tests/bench/bench_explore.sh tests/bench/bench_explore ./seckill-lab
	bash $(top_srcdir)/tests/bench/bench_paths.sh ./seckill-lab
	tests/bench/bench_faults
	tests/bench/bench_failover
	tests/bench/bench_locks
.PHONY: bench
