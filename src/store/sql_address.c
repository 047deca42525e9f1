/* sql_address.c -- where a MySQL or MariaDB server is: the URL, and the address for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "store/sql_link.h"
#include "store/url.h"

static bool wrong_form(Error *error)
{
    return error_set(error,
                     _("That is not a MySQL URL. Write mysql://user[:password]@host[:port] or "
                       "mysql+unix:///path/to.sock?user=NAME; in a password, write @ as %%40 "
                       "and / as %%2F."));
}

static bool take_socket(const Url *url, SqlAddress *address, Error *error)
{
    static const char *const names[] = {"user"};
    if (url->host[0] || url->path[0] != '/' || !url->path[1]) return wrong_form(error);
    if (!url_query_only(url, names, 1)) return wrong_form(error);
    if (strlen(url->path) >= sizeof address->socket)
        return error_set(error,
                         _("The path of the MySQL socket is too long: a socket's path has at "
                           "most %d bytes."),
                         (int)sizeof address->socket - 1);
    strcpy(address->socket, url->path);
    if (url_query(url, "user", address->user, sizeof address->user) < 0) return wrong_form(error);
    return true;
}

static bool take_host(const Url *url, SqlAddress *address, Error *error)
{
    if (!url->host[0] || url->query[0]) return wrong_form(error);
    /* The lab has a database of its own: a name here would be taken for a promise to use it. */
    if (url->path[0] && strcmp(url->path, "/") != 0 && strcmp(url->path, "/seckill_lab") != 0)
        return error_set(error,
                         _("The lab uses a database of its own, seckill_lab, and no other: leave "
                           "the database out of the MySQL URL."));
    strcpy(address->host, url->host);
    address->port = url->port;
    return true;
}

static void find_password(SqlAddress *address)
{
    const char *found = getenv("SECKILL_LAB_MYSQL_PASSWORD");
    if (!found || !found[0]) found = getenv("MYSQL_PWD");
    if (found && strlen(found) < sizeof address->password) strcpy(address->password, found);
}

bool sql_address_parse(const char *text, SqlAddress *address, Error *error)
{
    memset(address, 0, sizeof *address);
    Url url;
    if (!url_split(text, &url)) return wrong_form(error);
    bool is_unix = strcmp(url.scheme, "mysql+unix") == 0 || strcmp(url.scheme, "mariadb+unix") == 0;
    bool is_host = strcmp(url.scheme, "mysql") == 0 || strcmp(url.scheme, "mariadb") == 0;
    if (!is_unix && !is_host) return wrong_form(error);
    strcpy(address->user, url.user);
    strcpy(address->password, url.password);
    if (is_unix ? !take_socket(&url, address, error) : !take_host(&url, address, error))
        return false;
    if (!address->user[0])
        return error_set(error,
                         _("The MySQL URL names no user. Write mysql://user[:password]@host[:port] "
                           "or mysql+unix:///path/to.sock?user=NAME."));
    if (!url.has_password) find_password(address);
    address->option_files = true;
    return true;
}

const char *sql_address_show(const SqlAddress *address, char *text, int size)
{
    bool six = strchr(address->host, ':') != NULL;
    if (address->socket[0])
        snprintf(text, (size_t)size, "mysql+unix://%s", address->socket);
    else if (address->port)
        snprintf(text, (size_t)size, "mysql://%s%s%s:%d", six ? "[" : "", address->host,
                 six ? "]" : "", address->port);
    else
        snprintf(text, (size_t)size, "mysql://%s%s%s", six ? "[" : "", address->host,
                 six ? "]" : "");
    return text;
}
