/* sandbox_dir.h -- the sandbox's directory: made, locked while its keeper lives, removed; and the
 * leftovers of keepers that were killed. Inside src/store only.
 *
 * A directory of ours has mode 0700, our uid, a name seckill-lab-XXXXXX, and in it a file `lock`
 * that begins with a line of ours. The file appears already locked (flock), so whoever can lock
 * it knows that its keeper is dead. */
#ifndef STORE_SANDBOX_DIR_H
#define STORE_SANDBOX_DIR_H

#include <stdbool.h>

#include "base/error.h"

enum { SANDBOX_PATH = 88 }; /* leaves room for the sockets' names within 107 bytes */

/* Writes the path of a directory that does not exist yet, under $TMPDIR or /tmp. */
void sandbox_dir_choose(char path[SANDBOX_PATH]);
/* Makes and locks it. One that a dead keeper left under this name is removed first. Returns the
 * descriptor that holds the lock, or -1 and the reason. */
int sandbox_dir_make(const char *path, char *reason, int size);
/* Removes the directory with all that is in it, the lock file last. Follows no links. */
bool sandbox_dir_remove(const char *path);
/* Empties a directory below it, e.g. a data directory. */
void sandbox_dir_empty(const char *path);
/* Removes what dead keepers of this user left beside `path` and in /tmp. */
void sandbox_dir_sweep(const char *path);

#endif
