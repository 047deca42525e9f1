# lock.mk -- the sources of src/lock, one a line, in alphabetical order.
lock_sources = \
	src/lock/listener.c \
	src/lock/listener.h \
	src/lock/lock.c \
	src/lock/lock.h \
	src/lock/lock_names.c \
	src/lock/lock_private.h \
	src/lock/lock_send.c \
	src/lock/lock_set.c \
	src/lock/port_redis.c \
	src/lock/port_redis.h \
	src/lock/watchdog.c
