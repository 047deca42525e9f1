/* doctor_servers.c -- the two servers: the programs, and whether they really come up. */
#include "verbs/doctor.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "store/stores.h"

enum { SERVERS_MS = 60000 };

static void look_at_program(Findings *findings, const char *name, const char *label,
                            const char *path, const char *advice)
{
    Part *part = findings_add(findings, name, label);
    if (path) {
        /* One program under two names: Debian packs it without a service under the other one. */
        bool alias = strstr(path, "redis-check-rdb") != NULL;
        snprintf(part->found, sizeof part->found, alias ? _("%s, the same program: it runs as redis-server") : "%s",
                 path);
        return;
    }
    part->state = PART_MISSING;
    snprintf(part->advice, sizeof part->advice, "%s", advice);
}

static void look_at_programs(Findings *findings, const Options *options)
{
    const char *redis =
        _("Debian, Ubuntu: apt-get install redis-tools (no service is started); "
          "elsewhere the package redis or valkey; or use your own with --redis URL.");
    const char *sql =
        _("Debian, Ubuntu: apt-get install mariadb-server-core (no service is started); "
          "elsewhere the package mariadb-server; or use your own with --mysql URL.");
    if (!options->text[OPTION_REDIS])
        look_at_program(findings, "redis-server", N_("redis-server"), sandbox_find_redis(), redis);
    if (options->text[OPTION_MYSQL]) return;
    look_at_program(findings, "mariadbd", N_("mariadbd"), sandbox_find_mariadbd(), sql);
    look_at_program(findings, "mariadb-install-db", N_("install-db"), sandbox_find_install_db(),
                    sql);
}

/* The version that a connected server gives of itself; empty when it cannot be asked. */
static void ask_version(Stores *stores, int kind, char *version, size_t size)
{
    version[0] = '\0';
    if (kind == SERVER_SQL) {
        SqlLink *link = stores_sql(stores);
        const char *name = link ? sql_link_version(link) : "";
        text_clean(version, size, name, strlen(name));
        return;
    }
    RedisLink *link = stores_redis(stores);
    redisReply *reply = NULL;
    Error error;
    if (link && redis_link_command(link, &reply, &error, "INFO server") == STORE_OK && reply->str) {
        const char *found = strstr(reply->str, "redis_version:");
        if (found) text_clean(version, size, found + 14, strcspn(found + 14, "\r\n"));
    }
    freeReplyObject(reply);
}

static void show_own(Part *part, const char *address, const char *version)
{
    if (*version) {
        snprintf(part->found, sizeof part->found, _("your own, version %s, %s"), version, address);
        return;
    }
    /* Which of the two is to blame, the line of trouble says. */
    part->state = PART_NOTE;
    snprintf(part->found, sizeof part->found, _("your own, %s"), address);
}

static void show_server(Part *part, const ServerStatus *status)
{
    if (status->state == SERVER_READY) {
        snprintf(part->found, sizeof part->found, _("version %s, ready after %.2f s"),
                 status->version, status->seconds);
        return;
    }
    part->state = PART_MISSING;
    snprintf(part->found, sizeof part->found, "%s", _("does not come up"));
    snprintf(part->advice, sizeof part->advice, "%s", status->message);
}

static void show_servers(Findings *findings, Stores *stores, const char *trouble)
{
    static const struct {
        const char *name, *label;
    } names[SERVER_COUNT] = {{"redis", N_("Redis")}, {"database", N_("database")}};
    ServerStatus status[SERVER_COUNT];
    char address[SERVER_COUNT][400];
    RedisAddress redis;
    SqlAddress sql;
    stores_status(stores, status);
    stores_addresses(stores, &redis, &sql);
    redis_address_show(&redis, address[SERVER_REDIS], sizeof address[SERVER_REDIS]);
    sql_address_show(&sql, address[SERVER_SQL], sizeof address[SERVER_SQL]);

    bool told = false;
    for (int kind = 0; kind < SERVER_COUNT; kind++) {
        Part *part = findings_add(findings, names[kind].name, names[kind].label);
        char version[64] = "";
        if (!trouble) ask_version(stores, kind, version, sizeof version);
        if (status[kind].state == SERVER_ABSENT)
            show_own(part, address[kind], version);
        else
            show_server(part, &status[kind]);
        told = told || *part->advice;
    }
    if (!trouble || told) return;
    Part *part = findings_add(findings, "stores", N_("both servers"));
    part->state = PART_MISSING;
    snprintf(part->advice, sizeof part->advice, "%s", trouble);
}

void doctor_servers(Findings *findings, const Options *options)
{
    look_at_programs(findings, options);
    Error error;
    Stores *stores = stores_open(options->text[OPTION_REDIS], options->text[OPTION_MYSQL], &error);
    if (!stores) {
        Part *part = findings_add(findings, "stores", N_("both servers"));
        part->state = PART_MISSING;
        snprintf(part->advice, sizeof part->advice, "%s", error.text);
        return;
    }
    bool well = stores_wait(stores, SERVERS_MS, &error);
    show_servers(findings, stores, well ? NULL : error.text);
    stores_close(stores);
}
