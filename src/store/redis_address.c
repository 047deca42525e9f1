/* redis_address.c -- where a Redis server is: the URL, and the address as people may see it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "store/redis_link.h"
#include "store/url.h"

static bool wrong_form(Error *error)
{
    return error_set(error,
                     _("That is not a Redis URL. Write redis://[user:password@]host[:port][/db], "
                       "rediss://... for TLS, or unix:///path/to.sock[?db=N]; in a password, "
                       "write @ as %%40 and / as %%2F."));
}

static bool take_db(const char *text, RedisAddress *address, Error *error)
{
    if (url_number(text, 0, 65535, &address->db)) return true;
    return error_set(error,
                     _("The database in the Redis URL must be a number, as in redis://host/0 "
                       "or unix:///path/to.sock?db=0."));
}

static bool take_socket(const Url *url, RedisAddress *address, Error *error)
{
    static const char *const names[] = {"db"};
    if (url->host[0] || url->path[0] != '/' || !url->path[1]) return wrong_form(error);
    if (!url_query_only(url, names, 1)) return wrong_form(error);
    if (strlen(url->path) >= sizeof address->socket)
        return error_set(error,
                         _("The path of the Redis socket is too long: a socket's path has at "
                           "most %d bytes."),
                         (int)sizeof address->socket - 1);
    strcpy(address->socket, url->path);
    char db[16];
    int found = url_query(url, "db", db, sizeof db);
    if (found < 0) return wrong_form(error);
    return found == 0 || take_db(db, address, error);
}

static bool take_host(const Url *url, RedisAddress *address, Error *error)
{
    if (!url->host[0] || url->query[0]) return wrong_form(error);
    strcpy(address->host, url->host);
    address->port = url->port ? url->port : 6379;
    if (!url->path[0] || !url->path[1]) return true;
    return take_db(url->path + 1, address, error);
}

/* The names that are usual for a password kept out of the URL. */
static void find_password(RedisAddress *address)
{
    const char *found = getenv("SECKILL_LAB_REDIS_PASSWORD");
    if (!found || !found[0]) found = getenv("REDISCLI_AUTH");
    if (found && strlen(found) < sizeof address->password) strcpy(address->password, found);
}

bool redis_address_parse(const char *text, RedisAddress *address, Error *error)
{
    memset(address, 0, sizeof *address);
    Url url;
    if (!url_split(text, &url)) return wrong_form(error);
    bool is_unix = strcmp(url.scheme, "unix") == 0;
    address->tls = strcmp(url.scheme, "rediss") == 0;
    if (!is_unix && !address->tls && strcmp(url.scheme, "redis") != 0) return wrong_form(error);
#ifndef HAVE_HIREDIS_SSL
    if (address->tls)
        return error_set(error,
                         _("rediss:// needs TLS, and this program was built without it: install "
                           "a hiredis with hiredis_ssl and build again, or use redis://."));
#endif
    strcpy(address->user, url.user);
    strcpy(address->password, url.password);
    if (!url.has_password) find_password(address);
    if (url.has_user && !address->password[0])
        return error_set(error,
                         _("The Redis URL names a user but no password. Write "
                           "redis://user:password@host, or redis://:password@host without a user, "
                           "or set REDISCLI_AUTH."));
    return is_unix ? take_socket(&url, address, error) : take_host(&url, address, error);
}

const char *redis_address_show(const RedisAddress *address, char *text, int size)
{
    bool six = strchr(address->host, ':') != NULL;
    if (address->socket[0] && address->db)
        snprintf(text, (size_t)size, "unix://%s?db=%d", address->socket, address->db);
    else if (address->socket[0])
        snprintf(text, (size_t)size, "unix://%s", address->socket);
    else
        snprintf(text, (size_t)size, "%s://%s%s%s:%d/%d", address->tls ? "rediss" : "redis",
                 six ? "[" : "", address->host, six ? "]" : "", address->port, address->db);
    return text;
}
