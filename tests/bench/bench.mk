# bench.mk -- figures, not tests: `make bench` builds and runs them.
bench_programs = tests/bench/bench_explore
bench_scripts = tests/bench/bench_explore.sh
EXTRA_PROGRAMS += $(bench_programs)
EXTRA_DIST += $(bench_scripts)
CLEANFILES += $(bench_programs)

bench: seckill-lab $(bench_programs)
	bash $(top_srcdir)/tests/bench/bench_explore.sh tests/bench/bench_explore ./seckill-lab
.PHONY: bench
