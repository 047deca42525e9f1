#include "engine/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/futex.h"

/* Who waits, in the order of coming. Each sleeps on a word of its own: with thousands of users, one
 * word for all of them (a condition variable) was seen to stop everybody for seconds. */
typedef struct Waiter {
    struct Waiter *next;
    _Atomic uint32_t told; /* futex: 0 while it waits */
    int in_vain;           /* how often it was told, and somebody else was quicker */
    void *link;            /* handed over to it, so that nobody can be */
} Waiter;

/* Whoever comes at the right moment may be quicker than the one who is only just waking up: that is what
 * makes a pool fast. So often it may happen to one and the same. */
enum { IN_VAIN = 4 };

struct Pool {
    pthread_mutex_t mutex;
    int capacity, out; /* out: borrowed, or being opened */
    int free_count;
    void **free_links;
    Waiter *first, **last;
    PoolOpen open;
    PoolClose close;
    const void *address;
};

Pool *pool_new(int capacity, PoolOpen open, PoolClose close, const void *address)
{
    Pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->free_links = calloc((size_t)capacity, sizeof(void *));
    if (!pool->free_links) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pool->last = &pool->first;
    pool->capacity = capacity;
    pool->open = open;
    pool->close = close;
    pool->address = address;
    return pool;
}

/* Gives the mutex back while it waits. Who came in vain goes on waiting at the head of the line. */
static void wait_in_line(Pool *pool, Waiter *me)
{
    Waiter **place = me->in_vain > 0 ? &pool->first : pool->last;
    atomic_store(&me->told, 0);
    me->next = *place;
    *place = me;
    if (!me->next) pool->last = &me->next;
    pthread_mutex_unlock(&pool->mutex);
    while (!atomic_load(&me->told)) futex_wait(&me->told, 0, 0);
    pthread_mutex_lock(&pool->mutex);
}

/* Takes the first out of the line; NULL when nobody waits. With the mutex held. */
static Waiter *next_in_line(Pool *pool)
{
    Waiter *waiter = pool->first;
    if (!waiter) return NULL;
    pool->first = waiter->next;
    if (!pool->first) pool->last = &pool->first;
    return waiter;
}

/* From the moment it is told, the waiter may be gone: its word is only woken, not looked at. */
static void tell(Waiter *waiter)
{
    if (!waiter) return;
    _Atomic uint32_t *told = &waiter->told;
    atomic_store(told, 1);
    futex_wake(told, 1);
}

void *pool_take(Pool *pool, Error *error)
{
    Waiter me = {0};
    pthread_mutex_lock(&pool->mutex);
    for (; !me.link && pool->free_count == 0 && pool->out >= pool->capacity; me.in_vain++)
        wait_in_line(pool, &me);
    void *link = me.link;
    if (!link) {
        if (pool->free_count > 0) link = pool->free_links[--pool->free_count];
        pool->out++;
    }
    pthread_mutex_unlock(&pool->mutex);
    if (link) return link;

    link = pool->open(pool->address, error);
    if (!link) pool_drop(pool, NULL);
    return link;
}

void pool_give(Pool *pool, void *link)
{
    pthread_mutex_lock(&pool->mutex);
    Waiter *waiter = next_in_line(pool);
    if (waiter && waiter->in_vain >= IN_VAIN) {
        waiter->link = link;
    } else {
        pool->free_links[pool->free_count++] = link;
        pool->out--;
    }
    pthread_mutex_unlock(&pool->mutex);
    tell(waiter);
}

void pool_drop(Pool *pool, void *link)
{
    if (link) pool->close(link);
    pthread_mutex_lock(&pool->mutex);
    pool->out--;
    Waiter *waiter = next_in_line(pool);
    pthread_mutex_unlock(&pool->mutex);
    tell(waiter);
}

void pool_free(Pool *pool)
{
    if (!pool) return;
    while (pool->free_count > 0) pool->close(pool->free_links[--pool->free_count]);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->free_links);
    free(pool);
}
