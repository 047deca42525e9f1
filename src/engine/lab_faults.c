/* The console's requests to make something go wrong. See lab.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/lab_private.h"

/* A message goes with the next request that is carried out. */
static void tell(Lab *lab, bool done, const Error *error)
{
    snprintf(lab->draft.message, sizeof lab->draft.message, "%s", done ? "" : error->text);
    lab_publish(lab);
}

static bool race_is_on(const Lab *lab, Error *error)
{
    return lab->race || error_set(error, "%s", _("That goes with a race: start one first."));
}

/* ---- in a race --------------------------------------------------------------------------------- */

static void do_arm(Lab *lab, const Request *request)
{
    Error error = {""};
    tell(lab, race_is_on(lab, &error) && race_arm(lab->race, &request->spec.fault[0], &error), &error);
}

static void do_disarm(Lab *lab, const Request *request)
{
    Error error = {""};
    bool on = race_is_on(lab, &error);
    if (on) race_disarm(lab->race, request->number);
    tell(lab, on, &error);
}

static void do_crash_node(Lab *lab, const Request *request)
{
    Error error = {""};
    tell(lab, race_is_on(lab, &error) && race_crash_node(lab->race, request->number, &error), &error);
}

static void do_start_node(Lab *lab, const Request *request)
{
    Error error = {""};
    tell(lab, race_is_on(lab, &error) && race_start_node(lab->race, request->number, &error), &error);
}

static void do_freeze_node(Lab *lab, const Request *request)
{
    Error error = {""};
    int ms = request->spec.fault[0].ms;
    tell(lab, race_is_on(lab, &error) && race_freeze_node(lab->race, request->number, ms, &error), &error);
}

static void do_expire(Lab *lab, const Request *request)
{
    Error error = {""};
    tell(lab, race_is_on(lab, &error) && race_expire_key(lab->race, request->text, &error), &error);
}

static void do_server_move(Lab *lab, const Request *request)
{
    Error error = {""};
    tell(lab, race_is_on(lab, &error) && race_server_move(lab->race, request->number, &error), &error);
}

/* ---- servers ------------------------------------------------------------------------------------ */

static Sandbox *private_server(Lab *lab, ServerKind kind, ServerState *state, Error *error)
{
    ServerStatus status[SERVER_COUNT];
    Sandbox *sandbox = stores_sandbox(lab->stores);
    stores_status(lab->stores, status);
    *state = status[kind].state;
    if (sandbox && *state != SERVER_ABSENT) return sandbox;
    error_set(error, "%s", _("This server is your own: only a private one is killed and started here."));
    return NULL;
}

/* Without this nothing of Redis would be left to come back with. */
static void save_redis(Lab *lab)
{
    redisReply *reply = NULL;
    redis_link_argv(stores_redis(lab->stores), &reply, NULL, 1, (const char *[]){"SAVE"}, NULL);
    if (reply) freeReplyObject(reply);
}

static void do_kill_server(Lab *lab, const Request *request)
{
    Error error = {""};
    ServerState state;
    ServerKind kind = (ServerKind)request->number;
    Sandbox *sandbox = private_server(lab, kind, &state, &error);
    bool runs = sandbox && state == SERVER_READY;
    if (sandbox && !runs) error_set(&error, "%s", _("That server is not running."));
    if (runs && kind == SERVER_REDIS && lab->ready) save_redis(lab);
    if (runs) sandbox_kill(sandbox, kind);
    tell(lab, runs, &error);
}

static bool may_start(Lab *lab, const Request *request, ServerState state, Error *error)
{
    if (state == SERVER_READY || state == SERVER_STARTING)
        return error_set(error, "%s", _("That server is running."));
    bool empty = request->flag;
    if (lab->race && empty && request->number == SERVER_SQL)
        return error_set(error, "%s", _("In a race the database comes back with its data only."));
    return true;
}

static void do_start_server(Lab *lab, const Request *request)
{
    Error error = {""};
    ServerState state;
    ServerKind kind = (ServerKind)request->number;
    Sandbox *sandbox = private_server(lab, kind, &state, &error);
    bool fine = sandbox && may_start(lab, request, state, &error);
    if (fine) sandbox_restart(sandbox, kind, request->flag);
    tell(lab, fine, &error);
    if (fine && !lab->race) lab_reconnect(lab);
}

void lab_watch_servers(Lab *lab)
{
    ServerStatus before[SERVER_COUNT];
    memcpy(before, lab->draft.server, sizeof before);
    stores_status(lab->stores, lab->draft.server);
    for (int i = 0; i < SERVER_COUNT; i++) {
        bool was = before[i].state == SERVER_READY, is = lab->draft.server[i].state == SERVER_READY;
        if (was == is || !lab->race) continue;
        if (is) stores_reopen(lab->stores, (ServerKind)i, NULL);
        race_note_server(lab->race, (ServerKind)i, is);
    }
}

/* ---- for the console ------------------------------------------------------------------------------ */

void lab_arm(Lab *lab, const Fault *fault)
{
    Request request = {.serve = do_arm};
    request.spec.fault[0] = *fault;
    lab_ask(lab, &request);
}

void lab_disarm(Lab *lab, int place)
{
    lab_ask(lab, &(Request){.serve = do_disarm, .number = place});
}

void lab_crash_node(Lab *lab, int node)
{
    lab_ask(lab, &(Request){.serve = do_crash_node, .number = node});
}

void lab_start_node(Lab *lab, int node)
{
    lab_ask(lab, &(Request){.serve = do_start_node, .number = node});
}

void lab_freeze_node(Lab *lab, int node, int ms)
{
    Request request = {.serve = do_freeze_node, .number = node};
    request.spec.fault[0].ms = ms;
    lab_ask(lab, &request);
}

void lab_expire(Lab *lab, const char *key)
{
    lab_ask(lab, &(Request){.serve = do_expire, .text = strdup(key)});
}

void lab_server_move(Lab *lab, int move)
{
    lab_ask(lab, &(Request){.serve = do_server_move, .number = move});
}

void lab_kill_server(Lab *lab, ServerKind kind)
{
    lab_ask(lab, &(Request){.serve = do_kill_server, .number = (int)kind});
}

void lab_start_server(Lab *lab, ServerKind kind, bool empty)
{
    lab_ask(lab, &(Request){.serve = do_start_server, .number = (int)kind, .flag = empty});
}
