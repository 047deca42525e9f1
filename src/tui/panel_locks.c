/* Each lock: where it lives, who has it, how long its lease still runs, who waits; what went wrong with it; and
 * who waits for whom. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/world.h"
#include "tui/panel.h"

enum {
    SIGN = 2,
    HOME = 6,
    HOLDER = 9,
    HOLDER_GONE = 13, /* with words before the name */
    HOLDER_MORE = 4,  /* where there is much room */
    BAR = 6,
    BAR_MORE = 12, /* where there is much room */
    LEFT = 7,
    WAITERS = 4,
    NAME_LEAST = 12,
    BAR_FROM = 44, /* with fewer columns there is no bar, the seconds alone */
    ROOMY_COLUMNS = 60,
    MOST_LINES = 64
};

typedef enum LineKind {
    LINE_LOCK,
    LINE_MORE, /* owner, count, waiters: in the large form */
    LINE_OVERLAP,
    LINE_MIS_DELETE,
    LINE_ABANDONED,
    LINE_CYCLE,
    LINE_WAIT
} LineKind;

typedef struct Line {
    LineKind kind;
    int index; /* of the lock, or of the wait */
} Line;

static struct {
    Line line[MOST_LINES];
    int lines, name, holder, bar, waiters; /* the last four: columns */
    bool roomy;
} shown;

static const LocksView *locks_of(const Scene *scene)
{
    if (scene->step) return &scene->step->view.locks;
    return scene->racing || scene->report ? &scene->view->race.locks : NULL;
}

/* ---- which lines there are ------------------------------------------------------------------------------ */

static void add(LineKind kind, int index)
{
    if (shown.lines < MOST_LINES) shown.line[shown.lines++] = (Line){kind, index};
}

static void add_lock(const LockView *lock, int index)
{
    add(LINE_LOCK, index);
    bool more = lock->owner[0] || lock->count > 1 || lock->waiters > 0 || lock->own_object || lock->watchdog > 0;
    if (shown.roomy && more) add(LINE_MORE, index);
    if (lock->overlap.times > 0) add(LINE_OVERLAP, index);
    if (lock->mis_delete.times > 0) add(LINE_MIS_DELETE, index);
    if (lock->abandoned) add(LINE_ABANDONED, index);
}

/* A wait for a lock that the list shows is told there, when there is no room for both. */
static bool told_already(const LocksView *locks, const WaitView *wait)
{
    if (shown.roomy) return false;
    for (int i = 0; i < locks->locks; i++)
        for (int k = 0; k < locks->lock[i].waiters && k < LOCK_WAITERS; k++)
            if (locks->lock[i].waiter[k] == wait->waiter) return true;
    return false;
}

static void find_columns(const LocksView *locks, int columns)
{
    bool gone = false, waited_for = false;
    int widest = NAME_LEAST;
    for (int i = 0; i < locks->locks; i++) {
        const LockView *lock = &locks->lock[i];
        int name = text_columns(lock->name) + 1;
        if (name > widest) widest = name;
        gone |= lock->count > 0 && lock->holder_gone;
        waited_for |= lock->waiters > 0;
    }
    shown.bar = columns >= BAR_FROM ? BAR : 0;
    shown.holder = (gone ? HOLDER_GONE : HOLDER) + (shown.roomy ? HOLDER_MORE : 0);
    shown.waiters = waited_for ? WAITERS : 0;
    int rest = columns - SIGN - HOME - shown.holder - shown.bar - LEFT - shown.waiters;
    shown.name = widest < rest || rest < 1 ? widest : rest;
    if (shown.roomy && rest - shown.name > BAR_MORE) shown.bar += BAR_MORE;
}

static int locks_update(const Scene *scene, int columns)
{
    const LocksView *locks = locks_of(scene);
    shown.lines = 0;
    if (!scene->lesson->shows_locks || !scene->current || !locks) return 0;
    shown.roomy = scene->roomy && columns >= ROOMY_COLUMNS;
    find_columns(locks, columns);
    if (locks->cycle_length > 0) add(LINE_CYCLE, 0);
    for (int i = 0; i < locks->locks; i++) add_lock(&locks->lock[i], i);
    for (int i = 0; i < locks->waits; i++)
        if (!told_already(locks, &locks->wait[i])) add(LINE_WAIT, i);
    return shown.lines ? 1 + shown.lines : 0;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static const char *name_of(const Scene *scene, int actor, char *text, int size)
{
    if (actor < 0) {
        snprintf(text, (size_t)size, "%s", _("somebody"));
        return text;
    }
    return scene_actor(scene->spec, actor, spec_user(scene->spec, actor), text, size);
}

/* "A n1" */
static const char *place_of(const Scene *scene, const LockActor *who, char *text, int size)
{
    char name[24];
    name_of(scene, who->actor, name, sizeof name);
    if (who->actor < 0 || scene->spec->nodes == 1)
        snprintf(text, (size_t)size, "%s", name);
    else
        snprintf(text, (size_t)size, "%s n%d", name, who->node + 1);
    return text;
}

static const char *home_of(LockHome home, int node, char *text, int size)
{
    if (home == LOCK_IN_NODE)
        snprintf(text, (size_t)size, "n%d", node + 1);
    else
        snprintf(text, (size_t)size, "%s",
                 home == LOCK_IN_REDIS ? "Redis" : home == LOCK_IN_SQL ? "MySQL" : _("row"));
    return text;
}

static void waiters_text(const Scene *scene, const LockView *lock, Text *text)
{
    char name[24];
    for (int i = 0; i < lock->waiters && i < LOCK_WAITERS; i++)
        text_format(text, "%s%s", i ? " " : "", name_of(scene, lock->waiter[i], name, sizeof name));
    if (lock->waiters > LOCK_WAITERS) text_format(text, " +%d", lock->waiters - LOCK_WAITERS);
}

/* ---- drawing -------------------------------------------------------------------------------------------- */

static void lease_draw(const Area *area, int row, int column, const LockView *lock)
{
    char left[40];
    int end = column + shown.bar + LEFT - 1;
    if (lock->count == 0) return;
    if (lock->ttl_ms < 0) {
        bool redis = lock->home == LOCK_IN_REDIS;
        if (redis) area_put_right(area, row, end, shown.bar + LEFT - 1, STYLE_WARN, _("no TTL"));
        return;
    }
    snprintf(left, sizeof left, _("%.1f s"), (double)lock->ttl_ms / 1000);
    if (shown.bar)
        area_bar(area, row, column, shown.bar - 1, STYLE_ACCENT, lock->ttl_ms, lock->ttl_max_ms);
    area_put_right(area, row, end, LEFT - 1, lock->still ? STYLE_QUIET : STYLE_TEXT, left);
}

static void holder_draw(const Scene *scene, const Area *area, int row, int at, const LockView *lock)
{
    char holder[40];
    if (lock->count == 0) {
        area_put(area, row, at, shown.holder - 1, STYLE_QUIET, _("free"));
        return;
    }
    place_of(scene, &lock->holder, holder, sizeof holder);
    if (!lock->holder_gone) {
        area_put(area, row, at, shown.holder - 1, STYLE_STRONG, holder);
        return;
    }
    /* Where there is no room for all, the node gives way to the words. */
    char left[80];
    snprintf(left, sizeof left, _("left by %s"), holder);
    if (text_columns(left) >= shown.holder) {
        name_of(scene, lock->holder.actor, holder, sizeof holder);
        snprintf(left, sizeof left, _("left by %s"), holder);
    }
    area_put(area, row, at, shown.holder - 1, STYLE_WARN, left);
}

static void lock_draw(const Scene *scene, const Area *area, int row, const LockView *lock)
{
    char home[24], waiters[24];
    bool wrong = lock->overlap.times > 0 || lock->mis_delete.times > 0 || lock->abandoned;
    if (wrong) area_put(area, row, 0, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
    area_put(area, row, SIGN, shown.name - 1, STYLE_TEXT, lock->name);
    int at = SIGN + shown.name;
    area_put(area, row, at, HOME - 1, STYLE_QUIET, home_of(lock->home, lock->node, home, sizeof home));
    at += HOME;
    holder_draw(scene, area, row, at, lock);
    at += shown.holder;
    lease_draw(area, row, at, lock);
    at += shown.bar + LEFT;
    if (lock->waiters == 0) return;
    char name[24];
    if (lock->waiters == 1)
        snprintf(waiters, sizeof waiters, "+%s", name_of(scene, lock->waiter[0], name, sizeof name));
    if (lock->waiters > 1 || text_columns(waiters) > WAITERS)
        snprintf(waiters, sizeof waiters, "+%d", lock->waiters);
    area_put(area, row, at, shown.waiters, STYLE_WARN, waiters);
}

static void more_draw(const Scene *scene, const Area *area, int row, const LockView *lock)
{
    Text text = {0};
    if (lock->owner[0]) text_format(&text, _("value %s"), lock->owner);
    if (lock->count > 1) text_format(&text, "%s%s", text.length ? "   " : "", _("taken "));
    if (lock->count > 1)
        text_format(&text, ngettext("%d time", "%d times", (unsigned long)lock->count), lock->count);
    if (lock->watchdog > 0)
        text_format(&text, ngettext("%srenewed by w%d, %ld time", "%srenewed by w%d, %ld times",
                                    (unsigned long)lock->renewals),
                    text.length ? "   " : "", lock->watchdog, lock->renewals);
    if (lock->own_object)
        text_format(&text, "%s%s", text.length ? "   " : "", _("an object of its own: keeps nobody out"));
    if (lock->waiters > 0) {
        text_format(&text, "%s%s ", text.length ? "   " : "", _("waiting:"));
        waiters_text(scene, lock, &text);
    }
    area_put(area, row, SIGN + 2, 0, STYLE_QUIET, text_string(&text));
    text_free(&text);
}

static void clash_draw(const Scene *scene, const Area *area, int row, const ClashView *clash, bool overlap)
{
    char first[40], second[40], times[40] = "";
    Text text = {0};
    place_of(scene, &clash->first, first, sizeof first);
    place_of(scene, &clash->second, second, sizeof second);
    if (overlap)
        text_format(&text, _("overlap: %s and %s inside at once"), first, second);
    else
        text_format(&text, _("mis-delete: %s freed the lock of %s"), second, first);
    if (clash->times > 1) snprintf(times, sizeof times, " x%ld", clash->times);
    text_append(&text, times);
    area_put(area, row, SIGN, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
    area_put(area, row, SIGN + 2, 0, STYLE_BROKEN, text_string(&text));
    text_free(&text);
}

static void cycle_draw(const Scene *scene, const Area *area, int row, const LocksView *locks)
{
    Text text = {0};
    char name[24];
    text_format(&text, "%s ", _("DEADLOCK:"));
    for (int i = 0; i < locks->cycle_length; i++)
        text_format(&text, _("%s waits for "), name_of(scene, locks->cycle[i], name, sizeof name));
    text_append(&text, name_of(scene, locks->cycle[0], name, sizeof name));
    area_put(area, row, 0, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
    area_put(area, row, SIGN, 0, STYLE_BROKEN, text_string(&text));
    text_free(&text);
}

static void wait_draw(const Scene *scene, const Area *area, int row, const WaitView *wait)
{
    char waiter[24], holder[24], home[24], text[240];
    snprintf(text, sizeof text, _("%s waits for %s: %s (%s)"),
             name_of(scene, wait->waiter, waiter, sizeof waiter),
             name_of(scene, wait->holder, holder, sizeof holder), wait->on,
             home_of(wait->home, wait->node, home, sizeof home));
    area_put(area, row, SIGN, 0, STYLE_WARN, text);
}

static void line_draw(const Scene *scene, const Area *area, int row, const Line *line)
{
    const LocksView *locks = locks_of(scene);
    const LockView *lock = &locks->lock[line->kind < LINE_CYCLE ? line->index : 0];
    switch (line->kind) {
    case LINE_LOCK:
        lock_draw(scene, area, row, lock);
        break;
    case LINE_MORE:
        more_draw(scene, area, row, lock);
        break;
    case LINE_OVERLAP:
        clash_draw(scene, area, row, &lock->overlap, true);
        break;
    case LINE_MIS_DELETE:
        clash_draw(scene, area, row, &lock->mis_delete, false);
        break;
    case LINE_ABANDONED:
        area_put(area, row, SIGN, 1, STYLE_BROKEN, theme_glyph(GLYPH_BROKEN));
        area_put(area, row, SIGN + 2, 0, STYLE_BROKEN, _("abandoned: nobody will ever free it"));
        break;
    case LINE_CYCLE:
        cycle_draw(scene, area, row, locks);
        break;
    case LINE_WAIT:
        wait_draw(scene, area, row, &locks->wait[line->index]);
        break;
    }
}

/* Locks that the area has no room for, and those that the list had none for. */
static long locks_hidden(const LocksView *locks, int lines)
{
    long hidden = locks->left_out;
    for (int i = lines; i < shown.lines; i++) hidden += shown.line[i].kind == LINE_LOCK;
    return hidden;
}

static void locks_draw(const Scene *scene, const Area *area)
{
    const LocksView *locks = locks_of(scene);
    Text right = {0};
    int lines = area->rows - 1 < shown.lines ? area->rows - 1 : shown.lines;
    long hidden = locks_hidden(locks, lines);
    if (locks->overlaps > 0) text_format(&right, _("overlaps %ld  "), locks->overlaps);
    if (locks->mis_deletes > 0) text_format(&right, _("mis-deletes %ld  "), locks->mis_deletes);
    if (locks->abandoned > 0) text_format(&right, _("abandoned %ld  "), locks->abandoned);
    if (hidden > 0) text_format(&right, _("%ld more"), hidden);
    panel_title(area, _("LOCKS"), text_string(&right));
    for (int i = 0; i < lines; i++) line_draw(scene, area, 1 + i, &shown.line[i]);
    text_free(&right);
}

const Panel panel_locks = {"locks", 1, 4, locks_update, locks_draw};
