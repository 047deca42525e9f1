/* sandbox.h -- a private redis-server and mariadbd, on unix sockets in a fresh 0700 directory.
 *
 * A helper process of our own (the keeper: the same program, started again) starts the servers and
 * waits on a pipe to the console. When the console ends, however it ends, the keeper ends the
 * servers and removes the directory. If the keeper itself is killed, the servers die with it
 * (PR_SET_PDEATHSIG) and the next start removes the directory: each one holds a lock file that its
 * keeper keeps locked while it lives. Two consoles have two directories and never meet. */
#ifndef STORE_SANDBOX_H
#define STORE_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "store/redis_link.h"
#include "store/sql_link.h"

typedef enum ServerKind { SERVER_REDIS, SERVER_SQL, SERVER_COUNT } ServerKind;
enum { EXTRA_SERVERS = 6 }; /* further Redis servers that a keeper can hold; see fleet.h */
typedef enum ServerState {
    SERVER_ABSENT, /* not wanted: the learner's own server is used instead */
    SERVER_STARTING,
    SERVER_READY,
    SERVER_DOWN,  /* was ready, and died or was stopped */
    SERVER_FAILED /* could not be started; `message` says why and what to do */
} ServerState;

typedef struct ServerStatus {
    ServerState state;
    pid_t pid;
    unsigned starts; /* how often it has been started */
    double seconds;  /* from the start to ready */
    char version[32];
    char message[200];
} ServerStatus;

typedef struct Sandbox Sandbox;

/* Starts the keeper, which starts the wanted servers in parallel; returns at once (a few ms).
 * Call from a thread that lives as long as the program (the keeper dies with that thread). */
Sandbox *sandbox_start(bool redis, bool sql, Error *error);
/* Takes in what the keeper has said since; never blocks. Thread-safe. */
void sandbox_status(Sandbox *sandbox, ServerStatus status[SERVER_COUNT]);
/* Readable whenever there is news for sandbox_status(). */
int sandbox_fd(const Sandbox *sandbox);
/* Waits until every wanted server is ready; false when one failed or the time is up. */
bool sandbox_wait_ready(Sandbox *sandbox, int timeout_ms, Error *error);
/* Where the servers listen. Valid from sandbox_start() on; either may be NULL. */
void sandbox_addresses(const Sandbox *sandbox, RedisAddress *redis, SqlAddress *sql);
/* Asks the keeper to SIGKILL a server, or to start a dead one again (`empty`: without its data).
 * Returns at once; the status tells. */
void sandbox_kill(Sandbox *sandbox, ServerKind kind);
void sandbox_restart(Sandbox *sandbox, ServerKind kind, bool empty);
/* Further Redis servers, 0..EXTRA_SERVERS - 1: none of them is started by sandbox_start(). */
typedef struct ExtraPlan {
    int port;          /* on 127.0.0.1, as well as the socket; 0: the socket alone */
    bool sentinel;     /* redis-server --sentinel */
    bool appends;      /* keeps an append-only file */
    char password[48]; /* goes into its configuration file (mode 0600), never on a command line */
} ExtraPlan;
/* Starts one (a running one is killed first), `empty` or with the data it had. Returns at once. */
void sandbox_extra_start(Sandbox *sandbox, int extra, const ExtraPlan *plan, bool empty);
void sandbox_extra_kill(Sandbox *sandbox, int extra);
/* Like sandbox_status(): SERVER_ABSENT before it was started. */
void sandbox_extra_status(Sandbox *sandbox, int extra, ServerStatus *status);
/* Its unix socket. Returns `path`. */
const char *sandbox_extra_socket(const Sandbox *sandbox, int extra, char path[108]);
/* Ends the servers, waits for the keeper, removes the directory. NULL is allowed. */
void sandbox_stop(Sandbox *sandbox);

/* The keeper's whole life; main calls it for the hidden verb. */
int sandbox_keeper_main(int argc, char **argv);

/* Paths of the server programs found on this machine, NULL when missing: redis-server itself, or
 * redis-check-rdb (the same multi-call binary, started under the name redis-server). */
const char *sandbox_find_redis(void);
const char *sandbox_find_mariadbd(void);
const char *sandbox_find_install_db(void);

#endif
