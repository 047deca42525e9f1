/* redis_tls.h -- TLS for a fresh hiredis connection. Inside src/store only. */
#ifndef STORE_REDIS_TLS_H
#define STORE_REDIS_TLS_H

#include "base/error.h"
#include "store/redis_link.h"

/* Shakes hands over TLS and checks the server's certificate against the system's authorities, or
 * against SSL_CERT_FILE / SSL_CERT_DIR: that one of them signed it (hiredis does not compare the
 * host's name). Thread-safe; shakes hands one connection at a time. Without hiredis_ssl: false, and
 * the error says so. */
bool redis_tls_start(redisContext *context, const RedisAddress *address, Error *error);

#endif
