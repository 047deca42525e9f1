/* paths.h -- where the program's own files are: lessons, Lua scripts, message catalogues, state. */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#include <stddef.h>

/* Directory that holds lessons/ and lua/. In order: $SECKILL_LAB_DATA; the source tree, when the
 * program runs from its build tree; the installed data directory. Never NULL, never freed. */
const char *paths_data(void);
/* Directory of the message catalogues (the same three places; $SECKILL_LAB_LOCALE). */
const char *paths_locale(void);
/* $XDG_STATE_HOME/seckill-lab (made when missing, 0700), for progress and history. Never freed. */
const char *paths_state(void);
/* $XDG_DATA_HOME/seckill-lab (made when missing, 0700), for the learner's own files. */
const char *paths_user_data(void);
/* Absolute path of the running program, for starting node processes. Never freed. */
const char *paths_program(void);
/* What to execute for it: the very file that runs, also when a newer one stands under its name by now. A node shares
 * memory with who starts it, and must be of the same build. */
const char *paths_program_file(void);
/* In the build tree a test starts seckill-lab, not itself. One that has a register of variants of its
 * own must be its own nodes: it calls this before anything else, and sees to the hidden verbs. */
void paths_keep_program(void);

#endif
