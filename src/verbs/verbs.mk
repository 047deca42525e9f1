# verbs.mk -- the sources of src/verbs, one a line, in alphabetical order.
verbs_sources = \
	src/verbs/bench.c \
	src/verbs/bench.h \
	src/verbs/bench_gate.c \
	src/verbs/bench_outside.c \
	src/verbs/bench_race.c \
	src/verbs/crash_json.c \
	src/verbs/crash_print.c \
	src/verbs/crash_print.h \
	src/verbs/doctor.c \
	src/verbs/doctor.h \
	src/verbs/doctor_programs.c \
	src/verbs/doctor_servers.c \
	src/verbs/doctor_terminal.c \
	src/verbs/explore.c \
	src/verbs/explore_json.c \
	src/verbs/explore_print.c \
	src/verbs/explore_print.h \
	src/verbs/json.c \
	src/verbs/json.h \
	src/verbs/list.c \
	src/verbs/options.c \
	src/verbs/options.h \
	src/verbs/replay.c \
	src/verbs/report_json.c \
	src/verbs/report_json.h \
	src/verbs/report_print.c \
	src/verbs/report_print.h \
	src/verbs/run.c \
	src/verbs/step.c \
	src/verbs/step_json.c \
	src/verbs/step_print.c \
	src/verbs/step_print.h \
	src/verbs/verbs.c \
	src/verbs/verbs.h \
	src/verbs/world_options.c \
	src/verbs/world_options.h
