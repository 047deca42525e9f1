# store.mk -- the sources of src/store, one a line, in alphabetical order.
store_sources = \
	src/store/observe.h \
	src/store/redis_link.h \
	src/store/sandbox.h \
	src/store/sql_link.h \
	src/store/status.h \
	src/store/stores.h
