#include "engine/mover.h"

#include <stdio.h>

#include "engine/servers.h"

/* Behind the actors: a range of movers for each kind of move. */
typedef struct Range {
    MoveKind kind;
    int first, count;
} Range;

static const Range ranges[] = {
    {MOVE_CLOCK, ACTOR_CLOCK, 1},
    {MOVE_CRASH, ACTOR_CRASH, MAX_NODES},
    {MOVE_START, ACTOR_START, MAX_NODES},
    {MOVE_FREEZE, ACTOR_FREEZE, MAX_NODES},
    {MOVE_FAILOVER, ACTOR_SERVER + SERVER_FAILOVER, 1},
    {MOVE_CUT, ACTOR_SERVER + SERVER_CUT, 1},
    {MOVE_MEND, ACTOR_SERVER + SERVER_MEND, 1},
    {MOVE_SERVER_KILL, ACTOR_SERVER + SERVER_KILL, FLEET_SERVERS},
    {MOVE_SERVER_KEPT, ACTOR_SERVER + SERVER_KEPT, FLEET_SERVERS},
    {MOVE_SERVER_EMPTY, ACTOR_SERVER + SERVER_EMPTY, FLEET_SERVERS},
};
enum { RANGES = sizeof ranges / sizeof ranges[0] };

static const MoveKind kind_of_role[ROLE_COUNT] = {
    [ROLE_USER] = MOVE_USER, [ROLE_CONSUMER] = MOVE_CONSUMER, [ROLE_WATCHDOG] = MOVE_WATCHDOG};

Move mover_move(const Spec *spec, int mover)
{
    for (int i = 0; i < RANGES; i++)
        if (mover >= ranges[i].first && mover < ranges[i].first + ranges[i].count)
            return (Move){.kind = ranges[i].kind, .number = mover - ranges[i].first};
    Move move = {.kind = MOVE_USER};
    move.kind = kind_of_role[spec_role(spec, mover, &move.number)];
    return move;
}

int mover_of_move(const Spec *spec, const Move *move)
{
    for (int i = 0; i < RANGES; i++)
        if (move->kind == ranges[i].kind)
            return move->number >= 0 && move->number < ranges[i].count ? ranges[i].first + move->number : -1;
    for (Role role = ROLE_USER; role < ROLE_COUNT; role++)
        if (kind_of_role[role] == move->kind) return spec_actor(spec, role, move->number);
    return -1;
}

const char *mover_name(const Spec *spec, int actor, char *text)
{
    int number;
    Role role = spec_role(spec, actor, &number);
    if (role == ROLE_USER) return schedule_actor(actor, text);
    snprintf(text, 12, "%c%u", role == ROLE_CONSUMER ? 'c' : 'w', (unsigned)number % 1000 + 1);
    return text;
}
