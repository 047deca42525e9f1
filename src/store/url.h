/* url.h -- takes a store's URL apart. Inside src/store only.
 *
 * Nothing of a URL is ever shown in an error: a mistyped one may have its password anywhere. */
#ifndef STORE_URL_H
#define STORE_URL_H

#include <stdbool.h>

typedef struct Url {
    char scheme[16];
    char user[64];
    char password[256];
    bool has_user, has_password;
    char host[256];  /* without the brackets of an IPv6 address; empty when there is none */
    int port;        /* 0: not given */
    char path[256];  /* with its leading slash, decoded; empty when there is none */
    char query[256]; /* behind the question mark, still encoded */
} Url;

/* False when the text is no URL of the form
 * scheme://[user[:password]@][host[:port]][/path][?query], or a part of it is too long.
 * Thread-safe. */
bool url_split(const char *text, Url *url);

/* The decoded value of `name` in the query. 1: found, 0: not there, -1: malformed or too long. */
int url_query(const Url *url, const char *name, char *value, int size);
/* True when the query holds no other names than the `count` ones given. */
bool url_query_only(const Url *url, const char *const *names, int count);

/* A whole decimal number between the limits, nothing else around it. */
bool url_number(const char *text, long least, long most, int *number);

#endif
