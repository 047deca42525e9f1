#include "store/redis_tls.h"

#include "base/i18n.h"

#ifdef HAVE_HIREDIS_SSL

#include <hiredis/hiredis_ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static redisSSLContext *tls_context;
static char tls_host[sizeof((RedisAddress *)0)->host]; /* the name that tls_context asks for */

/* Where authorities are kept on the usual systems, when the environment does not say. */
static const char *authority_directory(void)
{
    static const char *const places[] = {"/etc/ssl/certs", "/etc/pki/tls/certs"};
    const char *named = getenv("SSL_CERT_DIR");
    if (named && named[0]) return named;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], R_OK) == 0) return places[i];
    return NULL;
}

/* With the mutex held: a context that asks for this host. Connections made with an older one keep
 * what they need of it. */
static bool have_context(const char *host, Error *error)
{
    if (tls_context && strcmp(tls_host, host) == 0) return true;
    if (!tls_context) redisInitOpenSSL();
    redisFreeSSLContext(tls_context);
    const char *file = getenv("SSL_CERT_FILE");
    if (file && !file[0]) file = NULL;
    redisSSLContextError reason = REDIS_SSL_CTX_NONE;
    tls_context =
        redisCreateSSLContext(file, file ? NULL : authority_directory(), NULL, NULL, host, &reason);
    snprintf(tls_host, sizeof tls_host, "%s", host);
    if (tls_context) return true;
    return error_set(error, _("TLS cannot be set up: %s. Check SSL_CERT_FILE and SSL_CERT_DIR."),
                     redisSSLContextGetError(reason));
}

bool redis_tls_start(redisContext *context, const RedisAddress *address, Error *error)
{
    pthread_mutex_lock(&mutex);
    bool ready = have_context(address->host, error);
    bool started = ready && redisInitiateSSLWithContext(context, tls_context) == REDIS_OK;
    pthread_mutex_unlock(&mutex);
    char shown[320];
    if (!ready || started) return started;
    return error_set(
        error,
        _("No TLS with %s: %s. Check that this port speaks TLS, and that SSL_CERT_FILE "
          "names the authority that signed its certificate."),
        redis_address_show(address, shown, sizeof shown), context->errstr);
}

#else

bool redis_tls_start(redisContext *context, const RedisAddress *address, Error *error)
{
    (void)context, (void)address;
    return error_set(error,
                     _("rediss:// needs TLS, and this program was built without it: install a "
                       "hiredis with hiredis_ssl and build again, or use redis://."));
}

#endif
