# shop.mk -- the sources of src/shop, one a line, in alphabetical order.
shop_sources = \
	src/shop/async_queue.c \
	src/shop/atomic_redis.c \
	src/shop/failover.c \
	src/shop/global_id.c \
	src/shop/local_lock.c \
	src/shop/lock_component.c \
	src/shop/lua_eligibility.c \
	src/shop/one_order.c \
	src/shop/optimistic_lock.c \
	src/shop/oversell.c \
	src/shop/redis_lock.c \
	src/shop/redisson.c \
	src/shop/register.c \
	src/shop/stream_queue.c \
	src/shop/tour.c
