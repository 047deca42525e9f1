/* server_move.h -- what can happen to the Redis servers of a fleet, by name and number. See servers.h. */
#ifndef ENGINE_SERVER_MOVE_H
#define ENGINE_SERVER_MOVE_H

#include "store/fleet.h"

/* What happens. */
typedef enum ServerMove {
    SERVER_DOES_FAILOVER,
    SERVER_DOES_CUT,
    SERVER_DOES_MEND,
    SERVER_DOES_KILL,
    SERVER_DOES_KEPT,  /* it comes back with its data */
    SERVER_DOES_EMPTY, /* ... or without */
    SERVER_DEEDS
} ServerMove;

/* As numbers of moves, behind ACTOR_SERVER: the last three are counted up by the server. */
enum {
    SERVER_FAILOVER,
    SERVER_CUT,
    SERVER_MEND,
    SERVER_KILL,
    SERVER_KEPT = SERVER_KILL + FLEET_SERVERS,
    SERVER_EMPTY = SERVER_KEPT + FLEET_SERVERS,
    SERVER_MOVES = SERVER_EMPTY + FLEET_SERVERS
};

/* The parts of a move's number, and the other way round. */
ServerMove server_move_deed(int move, int *server);
int server_move(ServerMove deed, int server);
/* "failover", "cut-link", "mend-link", "kill-server", "back-kept", "back-empty": as faults are
 * named in a lesson's world and on the command line. SERVER_DEEDS: there is none of that name. */
const char *server_deed_name(ServerMove deed);
ServerMove server_deed_find(const char *name);
/* "the replica becomes the master": translated. */
const char *server_deed_words(ServerMove deed);

#endif
