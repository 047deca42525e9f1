# store.mk -- the sources of src/store, one a line, in alphabetical order.
store_sources = \
	src/store/keeper.c \
	src/store/keeper.h \
	src/store/keeper_server.c \
	src/store/keeper_spawn.c \
	src/store/observe.h \
	src/store/redis_address.c \
	src/store/redis_link.c \
	src/store/redis_link.h \
	src/store/redis_tls.c \
	src/store/redis_tls.h \
	src/store/row_waits.c \
	src/store/row_waits.h \
	src/store/sandbox.c \
	src/store/sandbox.h \
	src/store/sandbox_dir.c \
	src/store/sandbox_dir.h \
	src/store/sandbox_find.c \
	src/store/sql_address.c \
	src/store/sql_link.c \
	src/store/sql_link.h \
	src/store/sql_private.h \
	src/store/sql_statement.c \
	src/store/sql_text.c \
	src/store/status.h \
	src/store/stores.c \
	src/store/stores.h \
	src/store/stores_private.h \
	src/store/stores_redis.c \
	src/store/stores_sql.c \
	src/store/url.c \
	src/store/url.h
