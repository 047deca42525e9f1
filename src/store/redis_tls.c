#include "store/redis_tls.h"

#include "base/i18n.h"

#ifdef HAVE_HIREDIS_SSL

#include <hiredis/hiredis_ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static redisSSLContext *tls_context;
static redisSSLContextError tls_error;
static pthread_once_t tls_once = PTHREAD_ONCE_INIT;

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

static void make_context(void)
{
    redisInitOpenSSL();
    const char *file = getenv("SSL_CERT_FILE");
    if (file && !file[0]) file = NULL;
    tls_context = redisCreateSSLContext(file, file ? NULL : authority_directory(), NULL, NULL, NULL, &tls_error);
}

bool redis_tls_start(redisContext *context, const RedisAddress *address, Error *error)
{
    pthread_once(&tls_once, make_context);
    if (!tls_context)
        return error_set(error, _("TLS cannot be set up: %s. Check SSL_CERT_FILE and SSL_CERT_DIR."),
                         redisSSLContextGetError(tls_error));
    if (redisInitiateSSLWithContext(context, tls_context) == REDIS_OK) return true;
    char shown[320];
    return error_set(error, _("No TLS with %s: %s. Check that this port speaks TLS, and that SSL_CERT_FILE "
                              "names the authority that signed its certificate."),
                     redis_address_show(address, shown, sizeof shown), context->errstr);
}

#else

bool redis_tls_start(redisContext *context, const RedisAddress *address, Error *error)
{
    (void)context, (void)address;
    return error_set(error, _("rediss:// needs TLS, and this program was built without it: install a "
                              "hiredis with hiredis_ssl and build again, or use redis://."));
}

#endif
