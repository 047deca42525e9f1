/* action.h -- the one table of all that keys and clicks do. The last line of the screen and the
 * help are made from it, and every action is also a :command by its name. */
#ifndef TUI_ACTION_H
#define TUI_ACTION_H

#include "tui/app.h"

enum { ACTION_KEYS = 3, KEY_ESCAPE = 27, KEY_SPACE = ' ', KEY_TABULATOR = '\t', KEY_RETURN = '\r' };
#define CONTROL(letter) ((letter)&31)

typedef struct Action {
    const char *name;             /* for :name */
    int key[ACTION_KEYS];         /* 0: none */
    const char *label;            /* N_(): on the last line; NULL: not shown there */
    const char *help;             /* N_(); NULL: another row tells it */
    unsigned views;               /* IN(...) */
    bool (*when)(const App *app); /* NULL: always */
    void (*run)(App *app, int argument);
    int argument;
} Action;

extern const Action actions[];
extern const int action_count;

/* The action of `key` in the view on the screen; NULL: none. */
const Action *action_for_key(const App *app, int key);
const Action *action_named(const App *app, const char *name);
/* It only moves, or draws: what is open on top stays. */
bool action_keeps_popup(const Action *action);
bool action_ready(const App *app, const Action *action);
/* "r", "Space", "PgUp", "^L". Returns `text`. */
const char *key_label(int key, char text[16]);

/* The last line: what one can do here, as much as fits. */
void actions_draw(const App *app, const Area *line);

#endif
