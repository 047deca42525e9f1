/* hash.h -- FNV-1a, 64 bit: names of resources in footprints, hashes of listings. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 1469598103934665603ull

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    while (length-- > 0) hash = (hash ^ *at++) * 1099511628211ull;
    return hash;
}

static inline uint64_t hash_string(uint64_t hash, const char *text)
{
    while (*text) hash = (hash ^ (unsigned char)*text++) * 1099511628211ull;
    return hash;
}

static inline uint64_t hash_number(uint64_t hash, int64_t number)
{
    return hash_bytes(hash, &number, sizeof number);
}

#endif
