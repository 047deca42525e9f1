/* console.h -- a console without a screen, for the tests of faults: the lab, driven as the screen drives it,
 * and both of its servers asked by connections of the test's own. All waiting is on conditions. */
#ifndef TESTS_CONSOLE_H
#define TESTS_CONSOLE_H

#include "course/course.h"
#include "engine/lab.h"

typedef struct Console {
    Lab *lab;
    LabView view;
    Course *course;
    unsigned report_before; /* number of the last report before the race */
} Console;

/* Both servers are up when this returns; ends the program with a TAP bail-out when they cannot be had. */
void console_open(Console *console);
void console_close(Console *console);

typedef bool (*Condition)(const Console *console);
/* Looks until the condition holds; false after a minute. */
bool console_until(Console *console, Condition condition);
/* Takes the newest view, after at most so many ms. */
void console_look(Console *console, int ms);

void console_race(Console *console, const Spec *spec);

bool is_racing(const Console *console);
bool is_over(const Console *console); /* the last race: it has been judged */
bool is_ready(const Console *console); /* both servers */

/* The race of a variant, "07/set-nx-ex". */
Spec console_race_spec(Console *console, const char *name);

/* What both stores hold, counted by the test itself. */
typedef struct Count {
    bool sql, redis;  /* false: this one does not answer */
    long stock, orders, duplicate_users; /* users with more than one */
    bool has_redis_stock;
    long redis_stock;
    long abandoned;   /* lock:* keys without a TTL */
} Count;
void console_count(Console *console, Count *count);

/* Child processes of this one: the keeper of the servers, and nodes. */
int console_children(void);
/* Processes of the two servers that live. */
int console_servers(const Console *console);

#endif
