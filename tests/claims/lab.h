/* lab.h -- what the tests on real servers share: one sandbox a program, and TAP. */
#ifndef TESTS_LAB_H
#define TESTS_LAB_H

#include <stdbool.h>

#include "base/text.h"
#include "store/stores.h"

/* For a program with a register of variants of its own, which must be its own nodes: call first in
 * main. True: this process was a node or a keeper, and has ended with *status. */
bool lab_child(int argc, char **argv, int *status);
/* The sandbox, ready. Ends the program with a TAP bail-out when it cannot be had. */
Stores *lab_stores(void);
/* $SECKILL_LAB_LONG: also what takes many minutes. */
bool lab_long(void);

/* One TAP case: passed when nothing stands in `trouble`, else its lines are the diagnosis. Frees it. */
void lab_case(const char *name, Text *trouble);
/* The TAP plan; ends the sandbox. Returns the exit status. */
int lab_done(void);

#endif
