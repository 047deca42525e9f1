# bench.mk -- figures, not tests: `make bench` builds and runs them.
EXTRA_PROGRAMS += tests/bench/bench_explore
