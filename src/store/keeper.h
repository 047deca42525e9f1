/* keeper.h -- what the console and its keeper say to each other, and the keeper's own parts.
 * Inside src/store only.
 *
 * Both ends are the same program, so that messages are plain structs on a SOCK_SEQPACKET pair. */
#ifndef STORE_KEEPER_H
#define STORE_KEEPER_H

#include <stdint.h>

#include "store/sandbox.h"
#include "store/sandbox_dir.h"

enum { KEEPER_FD = 3 }; /* where the keeper finds its end of the pair */

/* All that a keeper can keep: the kinds of ServerKind, then the extra ones. */
enum { KEPT_SERVERS = SERVER_COUNT + EXTRA_SERVERS };

typedef enum OrderKind { ORDER_STOP, ORDER_KILL, ORDER_RESTART } OrderKind;

typedef struct Order {
    OrderKind kind;
    int server;
    bool empty;
    unsigned serial; /* of a restart, counted for each server */
    ExtraPlan plan;  /* of a restart of an extra one */
} Order;

/* Why a server is not there. The console makes a sentence of it, in the learner's language. */
typedef enum Trouble {
    TROUBLE_NONE,
    TROUBLE_MISSING,   /* no such program */
    TROUBLE_DIRECTORY, /* the sandbox's directory cannot be made; detail: why */
    TROUBLE_INSTALL,   /* the data directory could not be filled; detail: the last words */
    TROUBLE_START,     /* it ended before it was ready; detail: its last words */
    TROUBLE_TIME,      /* not ready within the time; detail: its last words */
    TROUBLE_ENDED      /* it was ready, and ended; detail: how */
} Trouble;

/* status.message stays empty on the wire. */
typedef struct News {
    int server;
    ServerStatus status;
    unsigned serial; /* of the last restart obeyed */
    Trouble trouble;
    char detail[160];
} News;

/* ---- inside the keeper ------------------------------------------------------------------------
 */

typedef enum Phase { PHASE_NONE, PHASE_INSTALLING, PHASE_STARTING, PHASE_UP } Phase;

typedef struct Server {
    int kind; /* ServerKind, or SERVER_COUNT + number of an extra one */
    ExtraPlan plan;
    bool wanted;
    Phase phase;
    pid_t pid; /* of the installer or the server; 0: none */
    uint64_t began_ns;
    bool again, empty; /* start again when the process that is ending has ended */
    unsigned serial;
    ServerStatus status;
} Server;

/* Starts the next process of a server that has none: the installer if its data directory is not
 * filled yet, else the server itself. */
void keeper_server_start(Server *server, const char *directory, Trouble *trouble, char *detail,
                         int size);
/* After the installer has ended well. */
void keeper_server_installed(Server *server, const char *directory, Trouble *trouble, char *detail,
                             int size);
/* Forgets the data of a server that does not run. */
void keeper_server_erase(const Server *server, const char *directory);
/* True when it answers; notes its version. */
bool keeper_server_ready(Server *server, const char *directory);
/* The last words of its log, clean, one line. */
void keeper_server_words(const Server *server, const char *directory, char *words, int size);
void keeper_server_address(const char *directory, RedisAddress *redis, SqlAddress *sql);

/* Extra servers, by their number. All that belongs to number 0 is called extra1: its directory of data,
 * extra1.conf, .log, .sock. */
pid_t keeper_extra_start(int extra, const ExtraPlan *plan, const char *directory);
const char *keeper_extra_path(int extra, const char *directory, const char *ending, char *path, int size);

typedef struct Launch {
    const char *program;
    char *const *words;
    const char *home;  /* its working directory */
    const char *input; /* its standard input; NULL: nothing */
    const char *log;   /* takes its output */
    bool one_cpu;      /* keep it on one processor */
} Launch;

/* Starts a program that dies with the keeper. 0 when it cannot be started. */
pid_t keeper_spawn(const Launch *launch);

#endif
