#include "engine/server_move.h"

#include <string.h>

#include "base/i18n.h"

static const struct {
    const char *name, *words;
} deeds[SERVER_DEEDS] = {
    [SERVER_DOES_FAILOVER] = {"failover", N_("the master dies, the replica becomes the master")},
    [SERVER_DOES_CUT] = {"cut-link", N_("the replica hears its master no more")},
    [SERVER_DOES_MEND] = {"mend-link", N_("the replica hears its master again")},
    [SERVER_DOES_KILL] = {"kill-server", N_("a server is killed")},
    [SERVER_DOES_KEPT] = {"back-kept", N_("a server comes back with its data")},
    [SERVER_DOES_EMPTY] = {"back-empty", N_("a server comes back empty")},
};

const char *server_deed_name(ServerMove deed)
{
    return deeds[deed].name;
}

const char *server_deed_words(ServerMove deed)
{
    return _(deeds[deed].words);
}

ServerMove server_deed_find(const char *name)
{
    int deed = 0;
    while (deed < SERVER_DEEDS && strcmp(deeds[deed].name, name) != 0) deed++;
    return (ServerMove)deed;
}

ServerMove server_move_deed(int move, int *server)
{
    *server = move < SERVER_KILL ? 0 : (move - SERVER_KILL) % FLEET_SERVERS;
    if (move < SERVER_KILL) return (ServerMove)move;
    return (ServerMove)(SERVER_DOES_KILL + (move - SERVER_KILL) / FLEET_SERVERS);
}

int server_move(ServerMove deed, int server)
{
    if (deed < SERVER_DOES_KILL) return (int)deed;
    return SERVER_KILL + ((int)deed - SERVER_DOES_KILL) * FLEET_SERVERS + server;
}
