#include "store/url.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Decodes %XX. A decoded NUL or control byte is refused: no name, path or password needs one. */
static bool decode(const char *from, size_t length, char *to, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < length; i++) {
        int c = (unsigned char)from[i];
        if (c == '%') {
            if (i + 2 >= length || hex_digit(from[i + 1]) < 0 || hex_digit(from[i + 2]) < 0)
                return false;
            c = hex_digit(from[i + 1]) * 16 + hex_digit(from[i + 2]);
            i += 2;
        }
        if (c < 0x20 || c == 0x7f || at + 1 >= size) return false;
        to[at++] = (char)c;
    }
    to[at] = 0;
    return true;
}

bool url_number(const char *text, long least, long most, int *number)
{
    if (text[0] < '0' || text[0] > '9') return false;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || value < least || value > most) return false;
    *number = (int)value;
    return true;
}

/* user[:password] in front of the last @ of the authority. */
static bool split_login(const char *login, size_t length, Url *url)
{
    const char *colon = memchr(login, ':', length);
    size_t user = colon ? (size_t)(colon - login) : length;
    url->has_user = user > 0;
    url->has_password = colon != NULL;
    if (!decode(login, user, url->user, sizeof url->user)) return false;
    return !colon || decode(colon + 1, length - user - 1, url->password, sizeof url->password);
}

static bool split_host(const char *host, size_t length, Url *url)
{
    const char *end = host + length, *colon;
    if (length && host[0] == '[') {
        const char *bracket = memchr(host, ']', length);
        if (!bracket || (bracket + 1 < end && bracket[1] != ':')) return false;
        if (!decode(host + 1, (size_t)(bracket - host) - 1, url->host, sizeof url->host))
            return false;
        colon = bracket + 1 < end ? bracket + 1 : NULL;
    } else {
        colon = memchr(host, ':', length);
        size_t name = colon ? (size_t)(colon - host) : length;
        if (!decode(host, name, url->host, sizeof url->host)) return false;
    }
    if (!colon) return true;
    char digits[8];
    size_t left = (size_t)(end - colon) - 1;
    return decode(colon + 1, left, digits, sizeof digits) &&
           url_number(digits, 1, 65535, &url->port);
}

bool url_split(const char *text, Url *url)
{
    memset(url, 0, sizeof *url);
    const char *mark = strstr(text, "://");
    if (!mark || mark == text || (size_t)(mark - text) >= sizeof url->scheme) return false;
    memcpy(url->scheme, text, (size_t)(mark - text));

    const char *authority = mark + 3;
    /* A password typed raw may hold a slash: the login reaches to the last @ before the query. */
    const char *query = strchr(authority, '?');
    const char *end = query ? query : authority + strlen(authority);
    const char *at = memrchr(authority, '@', (size_t)(end - authority));
    if (authority[0] == '/') at = NULL; /* no authority, and an @ is part of the path */
    if (at && !split_login(authority, (size_t)(at - authority), url)) return false;

    const char *host = at ? at + 1 : authority;
    const char *slash = memchr(host, '/', (size_t)(end - host));
    const char *host_end = slash ? slash : end;
    if (!split_host(host, (size_t)(host_end - host), url)) return false;
    if (slash && !decode(slash, (size_t)(end - slash), url->path, sizeof url->path)) return false;
    if (!query) return true;
    if (strlen(query + 1) >= sizeof url->query) return false;
    strcpy(url->query, query + 1);
    return true;
}

int url_query(const Url *url, const char *name, char *value, int size)
{
    size_t length = strlen(name);
    for (const char *at = url->query; *at;) {
        size_t part = strcspn(at, "&");
        if (part > length && strncmp(at, name, length) == 0 && at[length] == '=')
            return decode(at + length + 1, part - length - 1, value, (size_t)size) ? 1 : -1;
        at += part + (at[part] == '&');
    }
    return 0;
}

static bool known(const char *at, size_t part, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (part > length && strncmp(at, names[i], length) == 0 && at[length] == '=') return true;
    }
    return false;
}

bool url_query_only(const Url *url, const char *const *names, int count)
{
    for (const char *at = url->query; *at;) {
        size_t part = strcspn(at, "&");
        if (!known(at, part, names, count)) return false;
        at += part + (at[part] == '&');
    }
    return true;
}
