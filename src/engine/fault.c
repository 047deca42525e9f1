#include "engine/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "engine/schedule.h"
#include "engine/server_move.h"
#include "engine/step_kind.h"

enum { MAX_MS = 600000 };

static const struct {
    const char *name, *form;
} kinds[FAULT_KINDS] = {
    [FAULT_STALL] = {"stall", "WHO@STEP=MS"},
    [FAULT_FREEZE] = {"freeze", "NODE@STEP=MS"},
    [FAULT_ERROR] = {"error", "WHO@STEP"},
    [FAULT_CRASH] = {"crash", "NODE@STEP[:before|after]"},
    [FAULT_EXPIRE] = {"expire", "KEY@STEP"},
    [FAULT_SLOW] = {"slow", "NODE=MS"},
    [FAULT_FAILOVER] = {"failover", "WHO@STEP"},
    [FAULT_CUT_LINK] = {"cut-link", "WHO@STEP"},
    [FAULT_MEND_LINK] = {"mend-link", "WHO@STEP"},
    [FAULT_KILL_SERVER] = {"kill-server", "N@STEP"},
    [FAULT_RESTART_SERVER] = {"restart-server", "N:kept|empty@STEP"},
};

FaultKind fault_kind_find(const char *name)
{
    for (int i = 0; i < FAULT_KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) return (FaultKind)i;
    return FAULT_KINDS;
}

const char *fault_kind_name(FaultKind kind)
{
    return kinds[kind].name;
}

int fault_server_move(const Fault *fault)
{
    static const int moves[FAULT_KINDS] = {[FAULT_FAILOVER] = SERVER_FAILOVER + 1,
                                           [FAULT_CUT_LINK] = SERVER_CUT + 1,
                                           [FAULT_MEND_LINK] = SERVER_MEND + 1,
                                           [FAULT_KILL_SERVER] = SERVER_KILL + 1,
                                           [FAULT_RESTART_SERVER] = SERVER_KEPT + 1};
    int first = moves[fault->kind] - 1;
    if (fault->kind == FAULT_RESTART_SERVER && fault->empty) first = SERVER_EMPTY;
    return fault->kind >= FAULT_KILL_SERVER ? first + fault->server : first;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool refuse(FaultKind kind, const char *text, Error *error)
{
    char shown[120];
    text_clean(shown, sizeof shown, text, strlen(text));
    return error_set(error, _("\"%s\" is no %s: it reads %s."), shown, kinds[kind].name, kinds[kind].form);
}

/* Steps that the word may have meant: those that hold its first letters. */
static void list_steps(const char *word, char *list, size_t size)
{
    enum { LETTERS = 3 };
    char letters[LETTERS + 1];
    size_t used = 0;
    snprintf(letters, sizeof letters, "%s", word);
    list[0] = '\0';
    for (int i = 1; letters[0] && i < STEP_COUNT && used < size; i++)
        if (strstr(step_kinds[i].name, letters))
            used += (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", step_kinds[i].name);
    if (used == 0) snprintf(list, size, "select-stock, insert-order, commit, lock ...");
}

static bool refuse_step(const char *word, Error *error)
{
    char shown[80], list[200];
    text_clean(shown, sizeof shown, word, strlen(word));
    list_steps(word, list, sizeof list);
    return error_set(error, _("There is no step \"%s\". Steps are named %s (all of them: man seckill-lab)."),
                     shown, list);
}

static bool take_number(const char *text, int low, int high, int *number)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < low || value > high) return false;
    *number = (int)value;
    return true;
}

/* A letter, u27, c1, n1 or a star. */
static bool take_who(const char *word, Fault *fault)
{
    if (strcmp(word, "*") == 0) return fault->every = true;
    if (word[0] >= 'A' && word[0] <= 'Z' && word[1] == '\0') {
        fault->actor = word[0] - 'A';
        return true;
    }
    int number;
    if (word[0] == '\0' || !take_number(word + 1, 1, 100000, &number)) return false;
    if (word[0] == 'u') fault->actor = number - 1;
    if (word[0] == 'n') fault->node = number - 1;
    if (word[0] == 'c') fault->consumer = number;
    return word[0] == 'u' || word[0] == 'n' || word[0] == 'c';
}

/* "2", "2:empty", "2:kept". */
static bool take_server(FaultKind kind, char *text, Fault *fault)
{
    char *colon = strchr(text, ':');
    if ((colon != NULL) != (kind == FAULT_RESTART_SERVER)) return false;
    if (colon) {
        *colon = '\0';
        fault->empty = strcmp(colon + 1, "empty") == 0;
        if (!fault->empty && strcmp(colon + 1, "kept") != 0) return false;
    }
    int number;
    if (!take_number(text, 1, FLEET_SERVERS, &number)) return false;
    fault->server = number - 1;
    return true;
}

static bool takes_step(FaultKind kind)
{
    return kind != FAULT_SLOW;
}

static bool takes_ms(FaultKind kind)
{
    return kind == FAULT_STALL || kind == FAULT_FREEZE || kind == FAULT_SLOW;
}

static bool take_moment(char *step, Fault *fault)
{
    char *colon = strchr(step, ':');
    if (!colon) return true;
    *colon = '\0';
    fault->after = strcmp(colon + 1, "after") == 0;
    return fault->after || strcmp(colon + 1, "before") == 0;
}

/* Cuts the step off the text; with a name that none has it stays STEP_NONE, and *word says which. */
static bool read_step(FaultKind kind, char *text, Fault *fault, const char **word)
{
    char *at = strrchr(text, '@');
    if (!at) return false;
    *at = '\0';
    if (kind == FAULT_CRASH && !take_moment(at + 1, fault)) return false;
    fault->step = step_find(at + 1);
    *word = at + 1;
    return true;
}

static bool read_parts(FaultKind kind, char *text, Fault *fault, const char **word)
{
    char *equals = strrchr(text, '=');
    if (takes_ms(kind)) {
        if (!equals || !take_number(equals + 1, 1, MAX_MS, &fault->ms)) return false;
        *equals = '\0';
    }
    if (takes_step(kind) && !read_step(kind, text, fault, word)) return false;
    if (kind == FAULT_EXPIRE) {
        size_t length = strlen(text);
        if (length == 0 || length >= sizeof fault->key) return false;
        memcpy(fault->key, text, length + 1);
        return true;
    }
    if (kind == FAULT_KILL_SERVER || kind == FAULT_RESTART_SERVER) return take_server(kind, text, fault);
    if (!take_who(text, fault)) return false;
    if (fault_server_move(fault) >= 0) fault->every = false; /* of whoever comes first */
    bool needs_node = kind == FAULT_FREEZE || kind == FAULT_CRASH || kind == FAULT_SLOW;
    if (kind == FAULT_SLOW) fault->every = true;
    return !needs_node || fault->node >= 0;
}

bool fault_parse(FaultKind kind, const char *text, Fault *fault, Error *error)
{
    char copy[160];
    const char *word = NULL;
    *fault = (Fault){.kind = kind, .actor = -1, .node = -1, .step = STEP_NONE};
    if (strlen(text) >= sizeof copy) return refuse(kind, "...", error);
    snprintf(copy, sizeof copy, "%s", text);
    if (!read_parts(kind, copy, fault, &word)) return refuse(kind, text, error);
    return !word || fault->step != STEP_NONE || refuse_step(word, error);
}

/* ---- writing ------------------------------------------------------------------------------------ */

const char *fault_write(const Fault *fault, char *text, int size)
{
    char who[FAULT_KEY] = "*", rest[64] = "";
    if (fault->kind == FAULT_EXPIRE)
        snprintf(who, sizeof who, "%s", fault->key);
    else if (fault->kind == FAULT_KILL_SERVER)
        snprintf(who, sizeof who, "%d", fault->server + 1);
    else if (fault->kind == FAULT_RESTART_SERVER)
        snprintf(who, sizeof who, "%d:%s", fault->server + 1, fault->empty ? "empty" : "kept");
    else if (fault->node >= 0)
        snprintf(who, sizeof who, "n%d", fault->node + 1);
    else if (fault->consumer > 0)
        snprintf(who, sizeof who, "c%d", fault->consumer);
    else if (fault->actor >= 0)
        schedule_actor(fault->actor, who);
    if (takes_ms(fault->kind)) snprintf(rest, sizeof rest, "=%d", fault->ms);
    if (fault->after) snprintf(rest, sizeof rest, ":after");
    snprintf(text, (size_t)size, takes_step(fault->kind) ? "%s %s@%s%s" : "%s %s%.0s%s",
             kinds[fault->kind].name, who, step_kinds[fault->step].name, rest);
    return text;
}
