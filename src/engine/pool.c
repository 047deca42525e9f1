#include "engine/pool.h"

#include <pthread.h>
#include <stdlib.h>

struct Pool {
    pthread_mutex_t mutex;
    pthread_cond_t given;
    int capacity, out;   /* out: borrowed, or being opened */
    int free_count;
    void **free_links;
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
    pthread_cond_init(&pool->given, NULL);
    pool->capacity = capacity;
    pool->open = open;
    pool->close = close;
    pool->address = address;
    return pool;
}

void *pool_take(Pool *pool, Error *error)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->free_count == 0 && pool->out >= pool->capacity)
        pthread_cond_wait(&pool->given, &pool->mutex);
    void *link = pool->free_count > 0 ? pool->free_links[--pool->free_count] : NULL;
    pool->out++;
    pthread_mutex_unlock(&pool->mutex);
    if (link) return link;

    link = pool->open(pool->address, error);
    if (!link) pool_drop(pool, NULL);
    return link;
}

void pool_give(Pool *pool, void *link)
{
    pthread_mutex_lock(&pool->mutex);
    pool->free_links[pool->free_count++] = link;
    pool->out--;
    pthread_cond_signal(&pool->given);
    pthread_mutex_unlock(&pool->mutex);
}

void pool_drop(Pool *pool, void *link)
{
    if (link) pool->close(link);
    pthread_mutex_lock(&pool->mutex);
    pool->out--;
    pthread_cond_signal(&pool->given);
    pthread_mutex_unlock(&pool->mutex);
}

void pool_free(Pool *pool)
{
    if (!pool) return;
    while (pool->free_count > 0) pool->close(pool->free_links[--pool->free_count]);
    pthread_cond_destroy(&pool->given);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->free_links);
    free(pool);
}
