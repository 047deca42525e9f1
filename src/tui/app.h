/* app.h -- the state of the console, and what can be done with it.
 *
 * Views draw it, actions and commands change it. All of it belongs to the one thread that draws;
 * stores and races are the lab's, which is only asked. */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "course/course.h"
#include "course/progress.h"
#include "engine/lab.h"
#include "tui/scene.h"
#include "tui/small_world.h"
#include "tui/view.h"
#include "tui/wish.h"

/* What is to be asked of the lab as soon as it is free. */
typedef enum Pending {
    PENDING_NOTHING,
    PENDING_PREPARE,
    PENDING_RACE,
    PENDING_STEP,
    PENDING_EXPLORE,
    PENDING_CRASH,
    PENDING_COMPARE,
    PENDING_LOCKS,
    PENDING_EXAM
} Pending;

struct App {
    const ConsoleOptions *options;
    Course *course;
    Progress *progress;
    Lab *lab;
    LabView view;         /* the newest copy of the lab's state */
    const Lesson *lesson; /* what is open; never NULL */
    const LessonVariant *variant;
    Wish wish;
    SmallWorld small;
    ViewId shown, before; /* the view on the screen, and the one Esc goes back to from help */
    ViewId above[VIEW_COUNT]; /* where Esc leads to from each of the others */
    Pending pending, sent; /* what is to be asked of the lab, and what was asked last */
    Report report; /* of the last race, whatever the lab does since */
    bool has_report;
    unsigned report_seen, answer_seen;
    bool trouble_shown; /* the whole of what the lab said when it broke */
    uint64_t asked_ns;  /* when the question below was sent */
    char question[200]; /* the :redis or :sql line that the next answer belongs to */
    char message[400];  /* said to the learner until the next key, or some seconds */
    uint64_t message_ns;
    Style message_style;
    bool unkept_said;     /* that progress cannot be written */
    uint64_t started_ns, now_ns;
    bool quit;
    int status;
    char dump_path[400]; /* :save-display, after the next frame; empty: none */
};

/* Writes the progress down. That it cannot be written is said once. */
void app_keep(App *app);
/* One line to the learner, instead of the state, until the next key. */
void app_say(App *app, Style style, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Everything as it is before the first frame. */
void app_start(App *app, const ConsoleOptions *options);
void app_show(App *app, ViewId view);
void app_back(App *app);
/* Opens a lesson (a variant of NULL: the first) and has the shop made ready for it. False while a
 * race is on, and says so. */
bool app_open(App *app, const Lesson *lesson, const LessonVariant *variant);
/* The same, but nothing is made ready: the caller asks the lab for something of its own. */
bool app_choose(App *app, const Lesson *lesson, const LessonVariant *variant);
/* The number of the open lesson, and of the open variant. */
int app_lesson_index(const App *app);
int app_variant_index(const App *app);
/* Makes the shop ready for the open variant, now or when the lab is free. */
void app_prepare(App *app);
/* Asks the lab for this, now or when it is free. */
void app_pend(App *app, Pending pending);

/* Something runs that must end before another begins. */
bool app_busy(const App *app);
bool app_racing(const App *app);
/* The same, or a race is about to begin. */
bool app_race_on(const App *app);
bool app_server_down(const App *app);
/* Of those: a server of the learner's own, or a private one. */
bool app_own_down(const App *app);
bool app_private_down(const App *app);
/* Says that a server is down, and what helps. */
void app_say_down(App *app);
void app_race(App *app);
void app_pace(App *app, int pace_ms);
int app_pace_now(const App *app);

/* Has the last race's story turned into a schedule, unless that was done. */
void app_reproduce(App *app);

/* When the message goes; 0: there is none. */
uint64_t app_message_end(const App *app);
/* Takes in a new state of the lab. */
void app_take(App *app);
/* The scene for the panels of the open variant; `spec` gives the room for the wished world. */
void app_scene(const App *app, Scene *scene, Spec *spec);
/* The scene of the last race's report. False when there is none. */
bool app_report_scene(const App *app, Scene *scene);

#endif
