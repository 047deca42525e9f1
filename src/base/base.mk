# base.mk -- the sources of src/base, one a line, in alphabetical order.
base_sources = \
	src/base/clock.c \
	src/base/clock.h \
	src/base/error.c \
	src/base/error.h \
	src/base/futex.c \
	src/base/futex.h \
	src/base/hash.h \
	src/base/i18n.c \
	src/base/i18n.h \
	src/base/paths.c \
	src/base/paths.h \
	src/base/text.c \
	src/base/text.h
