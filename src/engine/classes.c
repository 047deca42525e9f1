#include "engine/classes.h"

#include <stdlib.h>
#include <string.h>

#include "engine/touch.h"

enum { CHAINS = 8, CELLS_MAX = 1 << 18, NONE = -1 };

/* The moves of one run, sorted into one chain an actor. */
typedef struct RunOrder {
    int count, chains;
    int actor_of_chain[CHAINS];
    int length[CHAINS];
    int move[CHAINS][CLASS_MOVES];   /* index of the chain's k-th move in the run */
    int chain_of[CLASS_MOVES];
    uint64_t before[CLASS_MOVES];    /* moves that must come first */
    uint64_t released_by[CLASS_MOVES]; /* a move that had to wait: what ended the wait; 0: none */
    uint32_t lock[CLASS_MOVES];      /* local lock that it takes or gives back; 0: none */
    int lock_move[CLASS_MOVES];
    Wait wait[CLASS_MOVES];          /* what it waits for */
    uint32_t sends[CLASS_MOVES], sends_too[CLASS_MOVES]; /* the signals that it gives; 0: none */
    uint32_t took[CLASS_MOVES];      /* the signal that it takes from; 0: none */
    Left left[CHAINS];               /* where the chain's actor stood at the end */
    int killed_by[CHAINS];           /* the crash that ended it there, NONE: no crash */
    int crash, start;                /* NONE: nobody was killed; no node was started again */
    bool lives_twice[CHAINS];        /* its node was killed and started again, */
    int first_length[CHAINS];        /* ... after so many of its moves, */
    Left first_left[CHAINS];         /* ... when it stood here */
} RunOrder;

/* counts[p]: ways to get here with p preemptions. Most cells are never reached. */
typedef struct Cell {
    double counts[CLASS_PREEMPTIONS];
    int fewest; /* preemptions from here to the end */
    bool reached;
} Cell;

/* ---- the order that must be kept ---------------------------------------------------------------- */

static int chain_of_actor(RunOrder *order, int actor)
{
    for (int c = 0; c < order->chains; c++)
        if (order->actor_of_chain[c] == actor) return c;
    if (order->chains == CHAINS) return NONE;
    order->actor_of_chain[order->chains] = actor;
    return order->chains++;
}

/* Chains are tried in the order of their letters, so that the first found is the first by alphabet. */
static void sort_chains(RunOrder *order)
{
    for (int i = 1; i < order->chains; i++)
        for (int j = i; j > 0 && order->actor_of_chain[j] < order->actor_of_chain[j - 1]; j--) {
            int other = order->actor_of_chain[j];
            order->actor_of_chain[j] = order->actor_of_chain[j - 1];
            order->actor_of_chain[j - 1] = other;
        }
}

/* Move i had to wait in the server: it was answered after the first later move at which its actor
 * is not seen waiting any more; the move before that one released it. */
static int find_release(const MoveEntry *moves, int count, int i)
{
    ActorSet bit = actor_bit(moves[i].actor);
    if (i + 1 >= count || !(moves[i + 1].waiting & bit)) return NONE;
    for (int k = i + 2; k < count; k++)
        if (!(moves[k].waiting & bit)) return k - 1;
    return count - 1;
}

/* There is one crash in a run. */
static int find_crash(const MoveEntry *moves, int count)
{
    for (int i = 0; i < count; i++)
        if (moves[i].actor >= ACTOR_CRASH && moves[i].actor < ACTOR_START) return i;
    return NONE;
}

static int find_start(const MoveEntry *moves, int count)
{
    for (int i = 0; i < count; i++)
        if (moves[i].actor >= ACTOR_START && moves[i].actor < ACTOR_FREEZE) return i;
    return NONE;
}

/* Those whose node was killed stood somewhere then; of them, those that are not dead went on later. */
static void note_lives(RunOrder *order, const Left *first_life)
{
    if (order->start == NONE || !first_life) return;
    for (int chain = 0; chain < order->chains; chain++) {
        int actor = order->actor_of_chain[chain];
        if (actor >= STEP_ACTORS || !first_life[actor].killed || order->left[chain].killed) continue;
        order->lives_twice[chain] = true;
        order->first_left[chain] = first_life[actor];
        while (order->first_length[chain] < order->length[chain] &&
               order->move[chain][order->first_length[chain]] < order->crash)
            order->first_length[chain]++;
    }
}

static void note_left(RunOrder *order, const MoveEntry *moves, int count, const Left *left)
{
    int crash = find_crash(moves, count);
    order->crash = crash;
    order->start = find_start(moves, count);
    for (int chain = 0; chain < order->chains; chain++) {
        int actor = order->actor_of_chain[chain];
        if (left && actor < STEP_ACTORS) order->left[chain] = left[actor];
        order->killed_by[chain] = order->left[chain].killed ? crash : NONE;
    }
}

static bool order_build(RunOrder *order, const MoveEntry *moves, int count, const Left *left, const Left *first_life)
{
    memset(order, 0, sizeof *order);
    order->count = count;
    for (int i = 0; i < count; i++)
        if (chain_of_actor(order, moves[i].actor) == NONE) return false;
    sort_chains(order);
    for (int i = 0; i < count; i++) {
        int chain = chain_of_actor(order, moves[i].actor);
        order->chain_of[i] = chain;
        order->lock[i] = moves[i].lock;
        order->lock_move[i] = moves[i].lock_move;
        order->wait[i] = moves[i].wait;
        order->sends[i] = moves[i].sends;
        order->took[i] = moves[i].took;
        order->sends_too[i] = moves[i].sends_too;
        order->move[chain][order->length[chain]++] = i;
        for (int j = 0; j < i; j++)
            if (moves[j].actor == moves[i].actor || touch_conflict(&moves[j].touch, &moves[i].touch))
                order->before[i] |= 1ull << j;
    }
    note_left(order, moves, count, left);
    note_lives(order, first_life);
    for (int i = 0; i < count; i++) {
        int release = find_release(moves, count, i);
        if (release == NONE) continue;
        order->released_by[i] = 1ull << release;
        for (int k = i + 1; k < count; k++)
            if (moves[k].actor == moves[i].actor) order->before[k] |= 1ull << release;
    }
    return true;
}

/* ---- the table ------------------------------------------------------------------------------------- */

typedef struct Table {
    const RunOrder *order;
    int stride[CHAINS];
    int states; /* combinations of "how far has each chain come" */
    Cell *cell;  /* [state * (chains + 1) + last chain + 1] */
} Table;

static Cell *cell_at(const Table *table, int state, int last)
{
    return &table->cell[state * (table->order->chains + 1) + last + 1];
}

static bool table_open(Table *table, const RunOrder *order)
{
    table->order = order;
    long states = 1;
    for (int c = 0; c < order->chains; c++) {
        table->stride[c] = (int)states;
        states *= order->length[c] + 1;
        if (states * (order->chains + 1) > CELLS_MAX) return false;
    }
    table->states = (int)states;
    table->cell = calloc((size_t)states * (size_t)(order->chains + 1), sizeof *table->cell);
    return table->cell != NULL;
}

static int progress_of(const Table *table, int state, int chain)
{
    return state / table->stride[chain] % (table->order->length[chain] + 1);
}

static uint64_t moves_made(const Table *table, int state)
{
    uint64_t made = 0;
    for (int c = 0; c < table->order->chains; c++)
        for (int k = 0; k < progress_of(table, state, c); k++)
            made |= 1ull << table->order->move[c][k];
    return made;
}

/* The chain's next move in this state, NONE when it has none or it may not come yet. */
static int next_move(const Table *table, int state, uint64_t made, int chain)
{
    int progress = progress_of(table, state, chain);
    if (progress == table->order->length[chain]) return NONE;
    int move = table->order->move[chain][progress];
    return (table->order->before[move] & ~made) == 0 ? move : NONE;
}

/* Does an actor hold that local lock, after the moves made? */
static bool is_locked(const RunOrder *order, uint64_t made, uint32_t lock)
{
    int held = 0;
    for (int i = 0; i < order->count; i++)
        if ((made >> i & 1) && order->lock[i] == lock) held += order->lock_move[i];
    return held > 0;
}

/* Was the signal given more often than seen, or taken, by the moves made? */
static bool was_given(const RunOrder *order, uint64_t made, uint32_t signal, bool takes, uint32_t seen)
{
    uint32_t given = 0, taken = 0;
    for (int i = 0; i < order->count; i++) {
        given += (made >> i & 1) && (order->sends[i] == signal || order->sends_too[i] == signal);
        taken += (made >> i & 1) && order->took[i] == signal;
    }
    return takes ? given + seen > taken : given > seen;
}

/* Has what it waits for come, by the moves made? */
static bool has_come(const RunOrder *order, uint64_t made, const Wait *wait)
{
    if (wait->signal == 0 || was_given(order, made, wait->signal, wait->takes, wait->seen)) return true;
    return wait->late != 0 && was_given(order, made, wait->late, true, 0);
}

static bool is_user(const RunOrder *order, int chain)
{
    return order->actor_of_chain[chain] < STEP_ACTORS;
}

/* The clock and crashes interrupt nobody: after them, the user before still is the one who moved. */
static int last_after(const RunOrder *order, int last, int chain)
{
    return is_user(order, chain) ? chain : last;
}

/* Does the chain stand before a step after the moves made, done or left undone? `left`: what that needs. */
static bool stands_before(const Table *table, int chain, int progress, uint64_t made, Left *left)
{
    const RunOrder *order = table->order;
    if (order->lives_twice[chain] && progress == order->first_length[chain]) {
        *left = order->first_left[chain];
        if (!(made >> order->crash & 1)) return left->stands;
        if (!(made >> order->start & 1)) return false;
    }
    if (progress == order->length[chain]) {
        int killer = order->killed_by[chain];
        *left = order->left[chain];
        return left->stands && (killer == NONE || !(made >> killer & 1));
    }
    int next = order->move[chain][progress];
    *left = (Left){.lock = order->lock_move[next] > 0 ? order->lock[next] : 0,
                   .wait = order->wait[next]};
    return true;
}

/* Could the chain that moved last have moved on? Not at its end, not while it waits, not in front of a
 * lock that another one holds, and not before a signal that was not given. */
static bool could_go_on(const Table *table, int state, uint64_t made, int last)
{
    if (last == NONE) return false;
    const RunOrder *order = table->order;
    int progress = progress_of(table, state, last);
    Left left;
    if (progress == 0 || !stands_before(table, last, progress, made, &left)) return false;
    uint64_t release = order->released_by[order->move[last][progress - 1]];
    if ((release & ~made) != 0 || (left.lock && is_locked(order, made, left.lock))) return false;
    return has_come(order, made, &left.wait);
}

static void add_shifted(Cell *to, const Cell *from, int shift)
{
    to->reached = true;
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) {
        int column = p + shift < CLASS_PREEMPTIONS ? p + shift : CLASS_PREEMPTIONS - 1;
        to->counts[column] += from->counts[p];
    }
}

/* Forward: in how many ways, with how many preemptions, can each state be reached? */
static void count_forward(Table *table)
{
    const RunOrder *order = table->order;
    cell_at(table, 0, NONE)->counts[0] = 1;
    cell_at(table, 0, NONE)->reached = true;
    for (int state = 0; state < table->states; state++) {
        uint64_t made = moves_made(table, state);
        for (int last = NONE; last < order->chains; last++) {
            const Cell *here = cell_at(table, state, last);
            if (!here->reached) continue;
            bool going = could_go_on(table, state, made, last);
            for (int chain = 0; chain < order->chains; chain++) {
                if (next_move(table, state, made, chain) == NONE) continue;
                int preempts = going && chain != last && is_user(order, chain);
                add_shifted(cell_at(table, state + table->stride[chain], last_after(order, last, chain)),
                            here, preempts);
            }
        }
    }
}

/* Backward: the fewest preemptions from each cell to the end. */
static void fewest_backward(const Table *table)
{
    const RunOrder *order = table->order;
    for (int state = table->states - 1; state >= 0; state--) {
        uint64_t made = moves_made(table, state);
        for (int last = NONE; last < order->chains; last++) {
            Cell *here = cell_at(table, state, last);
            here->fewest = state == table->states - 1 ? 0 : CLASS_MOVES;
            if (!here->reached) continue;
            bool going = could_go_on(table, state, made, last);
            for (int chain = 0; chain < order->chains; chain++) {
                if (next_move(table, state, made, chain) == NONE) continue;
                int after = last_after(order, last, chain);
                const Cell *next = cell_at(table, state + table->stride[chain], after);
                int cost = next->fewest + (going && chain != last && is_user(order, chain));
                if (cost < here->fewest) here->fewest = cost;
            }
        }
    }
}

static void follow_best(const Table *table, RunClass *result)
{
    const RunOrder *order = table->order;
    int state = 0, last = NONE;
    for (int i = 0; i < order->count; i++) {
        uint64_t made = moves_made(table, state);
        bool going = could_go_on(table, state, made, last);
        int left = cell_at(table, state, last)->fewest;
        for (int chain = 0; chain < order->chains; chain++) {
            if (next_move(table, state, made, chain) == NONE) continue;
            int next = state + table->stride[chain], after = last_after(order, last, chain);
            int cost = cell_at(table, next, after)->fewest +
                       (going && chain != last && is_user(order, chain));
            if (cost != left) continue;
            result->best[i] = (uint8_t)order->actor_of_chain[chain];
            state = next;
            last = after;
            break;
        }
    }
}

bool classes_count(const MoveEntry *moves, int count, const Left *left, const Left *first_life, RunClass *result)
{
    memset(result, 0, sizeof *result);
    RunOrder order;
    Table table = {0};
    if (count > CLASS_MOVES || !order_build(&order, moves, count, left, first_life) || !table_open(&table, &order))
        return false;
    count_forward(&table);
    fewest_backward(&table);
    result->count = count;
    for (int last = NONE; last < order.chains; last++)
        for (int p = 0; p < CLASS_PREEMPTIONS; p++)
            result->by_preemptions[p] += cell_at(&table, table.states - 1, last)->counts[p];
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) result->schedules += result->by_preemptions[p];
    result->fewest = cell_at(&table, 0, NONE)->fewest;
    follow_best(&table, result);
    free(table.cell);
    return true;
}

int classes_preemptions(const MoveEntry *moves, int count)
{
    int preemptions = 0, last = NONE;
    for (int i = 0; i < count; i++) {
        if (moves[i].actor >= STEP_ACTORS) continue; /* the clock and crashes interrupt nobody */
        preemptions += last != NONE && moves[i].actor != last && (moves[i].enabled >> last & 1);
        last = moves[i].actor;
    }
    return preemptions;
}
