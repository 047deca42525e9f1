# engine.mk -- the sources of src/engine, one a line, in alphabetical order.
engine_sources = \
	src/engine/answer.h \
	src/engine/invariant.h \
	src/engine/lab.h \
	src/engine/race.h \
	src/engine/report.h \
	src/engine/spec.h \
	src/engine/step_kind.h \
	src/engine/steps.h \
	src/engine/variant.h \
	src/engine/world.c \
	src/engine/world.h
