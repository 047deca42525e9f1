/* warden.h -- looks after a world that runs a script of the learner's.
 *
 * While it is open, the private Redis has a user for that script alone (store/script_user.h), and a thread watches
 * that the server answers. A script that runs longer than half a second is killed (SCRIPT KILL); where Redis refuses
 * that, since the script has written, or hears nobody any more, the server is ended. The server may not take more than
 * half a gigabyte for it. What happened is noted in the OwnRun. */
#ifndef ENGINE_WARDEN_H
#define ENGINE_WARDEN_H

#include "engine/own_script.h"
#include "store/stores.h"

typedef struct Warden Warden;

/* Fills `run`. NULL with one line when the stores' Redis is the learner's own (a server that may have to be ended
 * must be ours) or knows no users. `run` must outlive the warden. */
Warden *warden_open(Stores *stores, const OwnScript *script, OwnRun *run, Error *error);
/* The user goes. NULL is allowed. */
void warden_close(Warden *warden);

/* False with one line where such a script cannot be run at all: see warden_open(). */
bool warden_allows(Stores *stores, Error *error);
/* A server that a warden had to end is started again, empty. True when the stores can be used (again). */
bool warden_mend(Stores *stores, OwnStop stop, Error *error);

#endif
